"""Cells as amounts in US dollars per million tokens. A unit is configuration; an amount in another one is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from siiq_core.evidence.numbers import NotANumber, plain_number, significant
from siiq_core.params.prices import PriceParams
from siiq_core.records import Tier

PER_TOKEN, PER_MILLION = Decimal(1_000_000), Decimal(1)  # what an amount is multiplied by
STANDARD = "standard"
FREE, INCOMPLETE, CACHE_DEARER = "free", "incomplete", "cached_input_dearer"  # flags


@dataclass(frozen=True, slots=True)
class Amounts:
    """One tier as the source writes it: three cells, each with its unit. "" says that nothing is stated."""

    tier: str
    input: tuple[str, Decimal]
    cached: tuple[str, Decimal]
    output: tuple[str, Decimal]


class Refused(ValueError):
    """Why a price is none."""


class AnotherUnit(Refused):
    """It is of a magnitude that no price has in its column's unit."""


def above(tokens: int, tier: str = STANDARD) -> str:
    """Name of the tier for requests of more input tokens than that."""
    return f"above {tokens} tokens" if tier == STANDARD else f"{tier}, above {tokens} tokens"


@dataclass(frozen=True, slots=True)
class PriceList:
    """The tiers that are prices, what is remarkable about them, and why parts of them are left away."""

    tiers: tuple[Tier, ...]
    flags: tuple[str, ...]
    refused: tuple[str, ...]


def price_list(stated: Sequence[Amounts], free: bool, params: PriceParams) -> PriceList:
    """The tiers in the order given.

    Parameters
    ----------
    stated : the standard tier first
    free : a price of 0 is a price for this name

    Raises
    ------
    Refused
        The first tier states no price, or one in another unit.
    """
    if not stated:
        raise Refused("no price is stated")
    found: list[Tier] = []
    flags: list[str] = []
    refused: list[str] = []
    for amounts in stated:
        try:
            tier, more, parts = _tier(amounts, free, params)
        except Refused as refusal:
            if not found:
                raise
            refused.append(f"{amounts.tier}: {refusal}")
            continue
        found.append(tier)
        flags += more
        refused += parts
    if refused:
        flags.append(INCOMPLETE)
    return PriceList(tuple(found), tuple(dict.fromkeys(flags)), tuple(refused))


def _tier(amounts: Amounts, free: bool, params: PriceParams) -> tuple[Tier, list[str], list[str]]:
    given, taken = _amount(amounts.input, "input"), _amount(amounts.output, "output")
    if given is None or taken is None:  # fault kind 13: a missing price is no price, never 0
        raise Refused("no price is stated for " + " and ".join(w for w, x in (("input", given), ("output", taken)) if x is None))
    if given == taken == 0:
        if not free:
            raise Refused("a price of 0 says free or not known, and nobody said which")
        return Tier(amounts.tier, 0.0, None, 0.0), [FREE], []
    for word, amount in (("input", given), ("output", taken)):
        _magnitude(amount, word, params.least, params.most)
    try:
        cached = _amount(amounts.cached, "cached input") or None  # 0 counts as not stated
        if cached is not None:
            _magnitude(cached, "cached input", params.least_cached, params.most)
    except Refused as refusal:  # the rest of the tier is none the worse for it
        return Tier(amounts.tier, _number(given), None, _number(taken)), [], [f"{amounts.tier}: {refusal}"]
    flags = [CACHE_DEARER] if cached is not None and cached > given else []
    return Tier(amounts.tier, _number(given), None if cached is None else _number(cached), _number(taken)), flags, []


def _amount(stated: tuple[str, Decimal], word: str) -> Decimal | None:
    cell, factor = stated[0].strip(), stated[1]
    if not cell:
        return None
    try:
        amount = Decimal(plain_number(cell, percent_sign=False)) * factor
    except NotANumber as error:
        raise Refused(f"the price of {word} {error}: {cell[:40]}") from error
    if amount < 0:
        raise Refused(f"the price of {word} is negative: {cell[:40]}")
    return amount


def _magnitude(amount: Decimal, word: str, least: float, most: float) -> None:
    if not Decimal(repr(least)) <= amount <= Decimal(repr(most)):
        raise AnotherUnit(f"{word} at {float(amount):.12g} US dollars per million tokens is outside {least:g} to {most:g}: in another unit")


def _number(amount: Decimal) -> float:
    return significant(float(amount))
