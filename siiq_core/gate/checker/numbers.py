"""A cell as an exact number, compared with the fraction that would be published. Nothing of the adapters is used here."""

from __future__ import annotations

import math
import re
from decimal import Decimal, localcontext

DIGITS = 12  # significant digits of a published number (C11)
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
# A tie at the 13th digit may have gone either way in binary arithmetic: half a unit of the last place, and a little.
_HALF_A_UNIT = Decimal("0.501")


def exact(text: str) -> Decimal | None:
    """The number that a trimmed text is, with a point for decimals; None for anything else (a comma, a word, NaN)."""
    return Decimal(text) if len(text) <= 60 and _PLAIN.fullmatch(text) else None


def as_fraction(digits: Decimal, scale: float) -> Decimal:
    """The number times the configured scale, exactly as that is written."""
    with localcontext(prec=100):
        return digits * Decimal(repr(scale))


def same(fraction: Decimal, published: float) -> bool:
    """Is `published` this fraction at 12 significant digits?"""
    if not math.isfinite(published):
        return False
    if not fraction:
        return published == 0
    with localcontext(prec=100):
        unit = Decimal(1).scaleb(fraction.adjusted() - DIGITS + 1)
        return abs(fraction - Decimal(f"{published:.{DIGITS}g}")) <= unit * _HALF_A_UNIT
