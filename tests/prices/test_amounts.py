"""Cells as amounts: units are configuration, other units are refused, a missing price is none (fault kind 13)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from siiq_core.evidence.prices.amounts import PER_MILLION, PER_TOKEN, STANDARD, Amounts, Refused, above, price_list
from siiq_core.params.prices import load_prices
from siiq_core.records import Tier


@pytest.fixture(scope="module")
def params(root):
    return load_prices(root)


def stated(given: str, taken: str, cached: str = "", unit: Decimal = PER_MILLION, tier: str = STANDARD) -> Amounts:
    return Amounts(tier, (given, unit), (cached, unit), (taken, unit))


def test_per_token_and_per_million_are_the_same_amount(params) -> None:
    tier = Tier("standard", 3.0, 0.3, 15.0)
    assert price_list([stated("3.0", "15", "0.30")], False, params).tiers == (tier,)
    assert price_list([stated("3e-6", "1.5e-05", "0.0000003", PER_TOKEN)], False, params).tiers == (tier,)


@pytest.mark.parametrize(("given", "taken", "unit"), [
    ("0.071", "0.1", PER_TOKEN),  # per million, or per thousand, in a column per token
    ("3.0", "15.0", PER_TOKEN),
    ("0.000003", "0.000015", PER_MILLION),  # per token in a column per million
    ("0.003", "0.015", PER_MILLION),  # per thousand tokens
    ("3.0", "15000", PER_MILLION),
    ("1e-6", "0.015", PER_TOKEN),
])
def test_another_unit_is_refused_not_converted(given, taken, unit, params) -> None:
    with pytest.raises(Refused, match="outside 0.005 to 2000: in another unit"):
        price_list([stated(given, taken, unit=unit)], False, params)


@pytest.mark.parametrize(("given", "taken", "says"), [
    ("", "15", "no price is stated for input$"), ("3", " ", "no price is stated for output$"), ("", "", "input and output"),
    ("n/a", "15", "no finite number"), ("3,5", "15", "comma"), ("-3", "15", "negative"), ("1e999", "1", "no finite number"), ("nan", "1", "no finite number"),
])
def test_a_missing_or_broken_price_is_no_price_never_0(given, taken, says, params) -> None:
    with pytest.raises(Refused, match=says):
        price_list([stated(given, taken)], False, params)


def test_zero_is_a_price_only_for_listed_names(params) -> None:
    with pytest.raises(Refused, match="free or not known"):
        price_list([stated("0", "0.0")], False, params)
    free = price_list([stated("0", "0.0", "0")], True, params)
    assert free.tiers == (Tier("standard", 0.0, None, 0.0),) and free.flags == ("free",)
    for given, taken in (("0", "15"), ("3", "0")):  # half a price is none, whoever is listed
        with pytest.raises(Refused, match="outside"):
            price_list([stated(given, taken)], True, params)


def test_a_cached_price_may_be_wrong_without_harm_to_the_rest(params) -> None:
    assert price_list([stated("3", "15", "0")], False, params).tiers[0].cached_input is None  # 0: not stated
    broken = price_list([stated("3", "15", "0.0000003")], False, params)
    assert broken.tiers == (Tier("standard", 3.0, None, 15.0),) and broken.flags == ("incomplete",)
    assert "cached input" in broken.refused[0] and "another unit" in broken.refused[0]
    assert price_list([stated("3", "15", "4")], False, params).flags == ("cached_input_dearer",)


def test_an_upper_tier_may_be_wrong_without_harm_to_the_lower(params) -> None:
    found = price_list([stated("3", "15"), stated("6", "22.5", tier=above(200000)), stated("6e-6", "22.5", tier=above(400000))], False, params)
    assert [t.name for t in found.tiers] == ["standard", "above 200000 tokens"] and found.flags == ("incomplete",)
    with pytest.raises(Refused):
        price_list([stated("3e-6", "15"), stated("6", "22.5", tier=above(200000))], False, params)
    with pytest.raises(Refused, match="no price is stated"):
        price_list([], False, params)


def test_amounts_are_exact_in_decimals(params) -> None:
    """0.1 per million is not 0.09999999999 by way of 1e-07."""
    for k in range(1, 400):
        cell = f"{k}e-08"
        assert price_list([stated(cell, cell, unit=PER_TOKEN)], False, params).tiers[0].input == k / 100 if k / 100 >= 0.005 else True
