"""Cells as numbers and days. Nothing is guessed: a cell is what its column is configured to be, or it is refused (T4)."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Context, Decimal

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")


_FIRST_YEAR, _LAST_YEAR = "1990", "2200"  # a run dated elsewhere is a slip of the pen, and no calendar carries it further


class NotANumber(ValueError):
    """Why a cell is no number of its column's kind; the caller knows file, row and column."""


def significant(value: float) -> float:
    """`value` at 12 significant digits (C11)."""
    return float(f"{value:.12g}")


def significant_decimal(digits: str) -> Decimal:
    """The same in decimals, for comparisons as published: what stands behind the twelfth digit is noise of a binary number."""
    return Context(prec=12).plus(Decimal(digits))


def plain_number(cell: str, percent_sign: bool) -> str:
    """The digits of a trimmed cell, without its "%". A sign that is missing, or one too many, is refused (T4)."""
    if percent_sign and not cell.endswith("%"):
        raise NotANumber('lacks the "%" of its column')
    if "%" in cell and not percent_sign:
        raise NotANumber('has a "%" in a column configured without')
    digits = cell[:-1].rstrip() if percent_sign else cell
    if not _NUMBER.fullmatch(digits):
        if re.fullmatch(r"[+-]?\d+,\d+", digits):
            raise NotANumber("has a comma where a decimal point belongs")
        raise NotANumber("is no finite number")
    if not digits.isascii() or not math.isfinite(float(digits)):
        raise NotANumber("is no finite number")
    return digits


def decimals(digits: str) -> int:
    """How many decimals a number is written with; 0 for whole numbers."""
    return max(0, -int(Decimal(digits).as_tuple().exponent))


def iso_day(cell: str) -> str | None:
    """The cell as an ISO day (YYYY-MM-DD), or None. A calendar date has no time zone."""
    text = cell.strip()
    try:
        return text if datetime.date.fromisoformat(text).isoformat() == text else None
    except ValueError:
        return None


def iso_moment(cell: str) -> str | None:
    """The cell where it is an ISO day, or an ISO time with its offset from UTC; None otherwise."""
    text = cell.strip()
    if not text.isascii() or not _FIRST_YEAR <= text[:4] <= _LAST_YEAR:
        return None
    if iso_day(text):
        return text
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return text if moment.tzinfo else None


def moment_span(text: str) -> tuple[datetime.datetime, datetime.datetime]:
    """First and last moment that an ISO day or time may mean, in UTC; a day without a time means all of it."""
    if iso_day(text):
        start = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
        return start, start + datetime.timedelta(days=1)
    moment = datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc)
    return moment, moment


# Questions: how far score times n may be from a whole number without being called impossible (float noise).
_WHOLE = 1e-6


def score_flags(score: float, digits: str, g: float, c: float, n: int | None, scale: float = 1.0) -> tuple[str, ...]:
    """What is legal and remarkable about a score (T2): below chance, above the ceiling, impossible for the n.

    Parameters
    ----------
    score : a fraction
    digits : the same as it is written, in its own unit
    g, c : chance level and ceiling, fractions
    n : questions, where their number is defined
    scale : from the written unit to a fraction
    """
    flags = []
    if score < g:
        flags.append("below chance")
    if score > c:
        flags.append("above ceiling")
    if n:
        # As published to so many decimals, could n questions give this score? A mean over runs may not.
        rounding = 0.5 * 10.0 ** -decimals(digits) * scale * n
        hits = score * n
        if abs(hits - round(hits)) > rounding + _WHOLE:
            flags.append("impossible for n")
    return tuple(flags)
