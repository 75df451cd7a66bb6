"""T backwards: the round trip, and that each plausible wrong way back fails it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core.method.transform import transform_one, untransform


@given(st.floats(0, 0.5), st.floats(0.51, 1), st.integers(1, 5000), st.floats(0, 1))
def test_there_and_back(g, c, n, share):
    s = g + (c - g) * share
    y, v = transform_one(min(max(s, 0.0), 1.0), g, c, n)
    back, variance = untransform(y, g, c, n)
    assert back == pytest.approx(s, abs=1e-9) and variance == pytest.approx(v, rel=1e-6)


def test_by_hand():
    """g = 0.25, c = 1, n = 3: p = 1/3 gives p* = (1 + 0.5)/4 = 0.375, and s = 0.25 + 0.75/3 = 0.5."""
    y = math.log(0.375 / 0.625)
    s, v = untransform(y, 0.25, 1.0, 3)
    assert s == pytest.approx(0.5)
    middle = 0.25 + 0.75 * 0.375  # s̃
    assert v == pytest.approx(middle * (1 - middle) * 3 / (16 * 0.5625 * 0.375**2 * 0.625**2))


@pytest.mark.parametrize("y", [-800.0, 800.0])
def test_what_no_score_can_give_ends_at_chance_level_and_ceiling(y):
    assert untransform(y, 0.25, 0.9, 100)[0] == pytest.approx(0.25 if y < 0 else 0.9)
    assert untransform(y, 0.25, 0.9, 100)[1] == pytest.approx(transform_one(0.25 if y < 0 else 0.9, 0.25, 0.9, 100)[1])


@pytest.mark.parametrize("wrong", [
    lambda p, g, c, n: p,  # no chance level, no ceiling
    lambda p, g, c, n: g + (c - g) * p,  # p* taken for p
    lambda p, g, c, n: g + (1 - g) * (p * (n + 1) - 0.5) / n,  # the ceiling forgotten
    lambda p, g, c, n: g + (c - g) * (p * n - 0.5) / n,  # n for n + 1
])
def test_wrong_ways_back_miss_the_score(wrong):
    s, g, c, n = 0.6, 0.25, 0.8, 20
    y, _ = transform_one(s, g, c, n)
    assert untransform(y, g, c, n)[0] == pytest.approx(s) and abs(wrong(1 / (1 + math.exp(-y)), g, c, n) - s) > 0.003
