"""M3 and M5 by hand: midranks with ties, weighted medians that hit exactly half; and what must hold for any numbers."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core.siblings.percentile.median import weighted_median
from siiq_core.siblings.percentile.ranks import midranks

F, D = Fraction, Decimal


def places(*values, direction="higher"):
    return {str(k): v for k, v in midranks(map(D, values), direction).items()}


def test_four_different_values():
    assert places("1", "2", "3", "4") == {"1": F(25, 2), "2": F(75, 2), "3": F(125, 2), "4": F(175, 2)}


def test_a_tie_shares_its_midrank_and_counts_itself():  # 100·(1 + ½·2)/4
    assert places("1", "2", "2", "3") == {"1": F(25, 2), "2": 50, "3": F(175, 2)}


def test_less_is_better_turns_the_order():
    assert places("1", "2", "2", "5", direction="lower") == {"1": F(175, 2), "2": 50, "5": F(25, 2)}


@pytest.mark.parametrize("population", [["7"], ["7"] * 9])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_board_of_one_and_a_board_of_ties_give_fifty(population, direction):
    assert places(*population, direction=direction) == {"7": 50}


def test_equal_is_what_is_equal_as_published():
    assert places("0.5", "0.50", "0.500001")["0.5"] == F(100 * 2, 2 * 3)
    tight = midranks([D("0.1"), D("0.1000000000000000055511151231257827")])
    assert len(tight) == 2  # as binary floats they would be one


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_what_is_no_finite_number_is_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        midranks([D("1"), D(bad)])


def test_an_unknown_direction_is_refused():
    with pytest.raises(ValueError, match="direction"):
        midranks([D(1)], "up")


def test_nobody_on_the_board_gives_nothing():
    assert midranks([]) == {}


def median(*values, weights=None):
    return weighted_median(zip(map(F, values), map(F, weights or [1] * len(values)), strict=True))


@pytest.mark.parametrize(("values", "weights", "expected"), [
    ([1, 2, 3, 4], None, F(5, 2)),  # exactly half at 2: the mean with the next
    ([4, 2, 3, 1], None, F(5, 2)),
    ([1, 2, 3], None, 2),
    ([7], None, 7),
    ([1, 9], None, 5),
    ([10, 20, 30], [1, 1, 2], 25),  # half at 20
    ([10, 20, 30], [1, "1/2", 1], 20),
    ([10, 20, 30], [1, "1/2", "1/2"], 15),  # half at 10
    ([10, 20], [1, "1/2"], 10),
    ([10, 10, 30], [1, 1, 2], 20),  # half at the second 10, the next is 30
    ([10, 20, 20], ["1/10", "2/10", "3/10"], 20),  # as binary floats 0.1 + 0.2 is not 0.3
    ([10, 20, 30], ["1/10", "2/10", "3/10"], 25),
])
def test_weighted_median(values, weights, expected):
    assert median(*values, weights=weights) == expected


@pytest.mark.parametrize("pairs", [[], [(F(1), F(0))], [(F(1), F(-1)), (F(2), F(3))]])
def test_a_median_of_nothing_is_refused(pairs):
    with pytest.raises(ValueError, match="weight"):
        weighted_median(pairs)


numbers = st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=30)


@given(numbers)
def test_midranks_have_mean_fifty_and_turn_round(population):
    up, down = midranks(population), midranks(population, "lower")
    assert sum(up[x] for x in population) == 50 * len(population)
    assert all(0 < up[x] < 100 and up[x] + down[x] == 100 for x in population)
    assert [up[x] for x in sorted(set(population))] == sorted(set(up.values()))


@given(numbers, st.randoms())
def test_midranks_know_no_order_and_no_scale(population, random):
    other = list(population)
    random.shuffle(other)
    assert midranks(other) == midranks(population)
    stretched = midranks([x**3 for x in population])  # any rising scale
    assert all(stretched[x**3] == place for x, place in midranks(population).items())


@given(st.lists(st.tuples(st.fractions(0, 100), st.fractions(F(1, 10), 3)), min_size=1, max_size=12), st.fractions(F(1, 7), 5))
def test_a_median_is_within_and_knows_no_order_and_no_unit_of_weight(pairs, factor):
    found = weighted_median(pairs)
    assert min(pairs)[0] <= found <= max(pairs)[0]
    assert found == weighted_median(reversed(pairs)) == weighted_median([(x, w * factor) for x, w in pairs])
    assert sum(w for x, w in pairs if x < found) * 2 <= sum(w for _, w in pairs) >= sum(w for x, w in pairs if x > found) * 2
