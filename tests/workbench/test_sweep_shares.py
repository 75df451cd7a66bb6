"""Variance shares: a full factorial is split into main effects and the rest, by hand-computed squares."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core.workbench.sweep.shares import against_own, complete, split


def points(*levels):
    return np.array(list(itertools.product(*(range(n) for n in levels))))


def column(*values):
    return np.array(values, dtype=float).reshape(-1, 1)


def test_two_by_two_by_hand():
    """0 2 / 4 10: mean 4; squares 16 + 4 + 0 + 36 over 4; rows' means 1 and 7, columns' 2 and 6; the rest is 1."""
    found = split(column(0, 2, 4, 10), points(2, 2))
    assert (found.models, found.total, found.axes, found.interactions) == (1, 14.0, (9.0, 4.0), 1.0)


def test_levels_weigh_by_their_cells_and_models_alike():
    """0 0 6 on three levels, crossed with one that does nothing: 8 by the first axis. The second model moves not at all."""
    values = np.array([[0, 5], [0, 5], [0, 5], [0, 5], [6, 5], [6, 5]], dtype=float)
    found = split(values, points(3, 2))
    assert (found.models, found.total, found.axes, found.interactions) == (2, 4.0, (4.0, 0.0), 0.0)


def test_a_model_without_a_value_somewhere_takes_no_part():
    values = np.column_stack([column(0, 2, 4, 10), column(1, 2, np.nan, 4)])
    assert split(values, points(2, 2)) == split(column(0, 2, 4, 10), points(2, 2))
    assert split(column(np.nan, 1, 2, 3), points(2, 2)).models == 0


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=4), st.lists(st.floats(-50, 50), min_size=2, max_size=4), st.lists(st.floats(-50, 50), min_size=2, max_size=3))
def test_what_adds_up_has_no_interactions_and_shares_never_exceed_the_whole(a, b, c):
    at = points(len(a), len(b), len(c))
    found = split(column(*(a[i] + b[j] + c[k] for i, j, k in at)), at)
    assert math.isclose(sum(found.axes), found.total, rel_tol=1e-9, abs_tol=1e-9) and found.interactions <= 1e-9 + 1e-9 * found.total
    for part, own in zip(found.axes, (a, b, c), strict=True):
        assert math.isclose(part, float(np.var(own)), rel_tol=1e-6, abs_tol=1e-6)
    crossed = split(column(*(a[i] * b[j] * c[k] for i, j, k in at)), at)
    assert sum(crossed.axes) <= crossed.total * (1 + 1e-9) + 1e-9  # values that differ in their last bit have a variance of rounding alone


@pytest.mark.parametrize(("refused", "out"), [
    ([], ()),
    ([(0, 2)], ((1, 2),)),  # a third of the first axis's level, half of the second's
    ([(0, 2), (1, 2)], ((1, 2),)),
    ([(0, 0), (0, 1)], ((0, 0),)),  # two thirds of one, half of two others
    ([(0, 0), (1, 1)], ((1, 0), (0, 1))),  # half of a second-axis level; then halves of either kind, and the first axis goes
])
def test_the_level_with_the_largest_part_refused_leaves_first(refused, out):
    at = points(2, 3)
    kept, left = complete(at, np.array([tuple(p) in refused for p in at.tolist()]))
    assert left == out
    assert [tuple(p) for p in at[kept].tolist()] == [tuple(p) for p in at.tolist() if not any(p[axis] == level for axis, level in out)]


def test_nothing_is_left_where_every_cell_is_refused():
    kept, _ = complete(points(2, 2), np.ones(4, bool))
    assert not kept.any() and split(np.zeros((0, 1)), points(2, 2)[kept]).models == 0


def test_a_level_is_compared_with_the_same_cells_at_the_axis_own():
    """On the first axis, 1 is the own level: 0 − 4 and 2 − 10. On the second, 0 is: 2 − 0 and 10 − 4; a pair without a value is passed over."""
    found = against_own(column(0, 2, 4, 10), points(2, 2), [1, 0])
    assert {key: x.tolist() for key, x in found.items()} == {(0, 0): [-6.0], (0, 1): [0.0], (1, 0): [0.0], (1, 1): [4.0]}
    assert against_own(column(np.nan, 2, 4, 10), points(2, 2), [1, 0])[0, 0].tolist() == [-8.0]
