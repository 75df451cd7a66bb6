"""Q1–Q6 on cases small enough to compute by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.siblings.value.levels import levels
from siiq_core.siblings.value.quality import NO_ROWS, NO_SPREAD, NOT_LINKED, ONE_VARIANT, one_way, qualities

# a measures 4 and b 4, so that a is the anchor by its id; they share v2 and v3.
TWO = {"a": {"v1": 0.2, "v2": 0.6, "v3": 1.0, "v4": 0.4}, "b": {"v2": 0.1, "v3": 0.5, "v5": 1.0, "v6": 0.0}}


def test_points_are_shares_of_the_range_of_all_variants(made, params):  # Q2
    found = qualities(made.rows({"a": {"x": 0.25, "y": 0.5, "z": 0.75}}), ["a"], params)
    assert {v: q.q["a"] for v, q in found.variants.items()} == {"x@default": 0, "y@default": 50, "z@default": 100}
    assert (found.measures["a"].low, found.measures["a"].high, found.measures["a"].variants) == (0.25, 0.75, 3)


def test_settings_are_never_merged(made, params):  # Q1
    found = qualities(made.rows({"a": {"x@low": 0.1, "x@high": 0.9, "x": 0.5}}), ["a"], params)
    assert sorted(found.variants) == ["x@default", "x@high", "x@low"]


@pytest.mark.parametrize(("scores", "reason"), [({"x": 0.5}, ONE_VARIANT), ({"x": 0.5, "y": 0.5}, NO_SPREAD), ({}, NO_ROWS)])
def test_a_benchmark_that_tells_nothing_apart_is_left_out_with_its_reason(made, params, scores, reason):  # Q2
    found = qualities(made.rows({"a": {"x": 0.1, "y": 0.2}, "b": scores}), ["a", "b"], params)
    assert found.measures["b"].reason == reason and found.measures["b"].offset is None and "b" not in {b for q in found.variants.values() for b in q.q}
    assert found.measures["a"].reason is None


def test_the_level_is_fitted_jointly_against_the_anchor(made, params):  # Q3
    found = qualities(made.rows(TWO), ["a", "b"], params)
    assert found.anchor == "a" and found.measures["a"].offset == 0
    assert found.measures["b"].offset == pytest.approx(-45)  # b − a is −40 on v2, −50 on v3
    assert found.variants["v5@default"].q == {"b": 145} and found.variants["v2@default"].q == {"a": 50, "b": 55}
    assert [(p.a, p.b, p.shared, p.difference) for p in found.pairs] == [("a", "b", 2, 0)]


def test_the_anchor_measures_most_and_ties_go_by_id(made, params):
    assert qualities(made.rows({"b": {"x": 0, "y": 1, "z": 0.5}, "a": {"x": 0, "y": 1}}), ["a", "b"], params).anchor == "b"
    assert qualities(made.rows({"b": {"x": 0, "y": 1}, "a": {"x": 0, "y": 1}}), ["b", "a"], params).anchor == "a"


def test_a_benchmark_that_is_not_linked_is_left_out_and_named(made, params):  # Q3
    found = qualities(made.rows({"a": {"x": 0, "y": 1, "z": 0.5}, "b": {"u": 0, "w": 1}, "c": {"z": 0, "t": 1}}), ["a", "b", "c"], params)
    assert found.measures["b"].reason == NOT_LINKED and found.measures["c"].reason is None and "u@default" not in found.variants
    chain = qualities(made.rows({"a": {"x": 0, "y": 1, "z": 0.5}, "b": {"u": 0, "t": 1}, "c": {"z": 0, "t": 1}}), ["a", "b", "c"], params)
    assert chain.measures["b"].reason is None  # by way of c


def test_without_level_nothing_is_subtracted_and_the_unlinked_stay_out(made, changed):
    found = qualities(made.rows({**TWO, "c": {"p": 0, "q": 1}}), ["a", "b", "c"], changed(level=False))
    assert found.measures["b"].offset == 0 and found.variants["v2@default"].q == {"a": 50, "b": 10} and found.measures["c"].reason == NOT_LINKED


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from("abcd"), st.dictionaries(st.sampled_from("stuvwxyz"), st.floats(0, 100), min_size=2), min_size=1))
def test_the_fit_is_least_squares_as_numpy_computes_it(table):
    found = levels(table)
    inside = {b: table[b] for b in found.offsets}
    rows = [(b, v, x) for b in sorted(inside) for v, x in inside[b].items() if sum(v in own for own in inside.values()) >= 2]
    free, variants = [b for b in sorted(inside) if b != found.anchor], sorted({v for _, v, _ in rows})
    matrix = np.zeros((len(rows), len(free) + len(variants)))
    for i, (b, v, _) in enumerate(rows):
        matrix[i, len(free) + variants.index(v)] = 1
        if b in free:
            matrix[i, free.index(b)] = 1
    wanted = np.linalg.lstsq(matrix, np.array([x for _, _, x in rows]), rcond=None)[0][:len(free)] if free else []
    assert [found.offsets[b] for b in free] == pytest.approx(list(wanted), abs=1e-7)
    assert set(found.offsets) | set(found.unlinked) == set(table)


def test_the_worst_pair_is_the_largest_difference_left(made, params):  # Q3
    scores = {"a": {"x": 0, "y": 1, "z": 0.5}, "b": {"x": 0, "y": 1}, "c": {"y": 0, "z": 1, "w": 0.5}}
    found = qualities(made.rows(scores), ["a", "b", "c"], params)
    left = {(p.a, p.b): (p.shared, p.difference) for p in found.pairs}
    assert set(left) == {("a", "b"), ("a", "c"), ("b", "c")} and left["b", "c"][0] == 1
    assert abs(found.worst_pair.difference) == max(abs(d) for _, d in left.values()) > 1


def test_all_benchmarks_weigh_alike_and_the_mean_is_drawn_to_the_centre(made, params):  # Q4, Q5
    found = qualities(made.rows(TWO), ["a", "b"], params)
    within, between = 12.5, (2025 - 12.5) / 2  # v2: 50, 55; v3: 100, 95; n0 = 2
    assert (found.variance.within, found.variance.between) == pytest.approx((within, between))
    r, centre = within / between, (0 + 52.5 + 97.5 + 25 + 145 + 45) / 6
    assert (found.variance.r, found.centre) == pytest.approx((r, centre))
    assert found.variants["v2@default"].mean == 52.5
    assert found.variants["v2@default"].quality == pytest.approx(centre + (52.5 - centre) * 2 / (2 + r))
    assert found.variants["v5@default"].quality == pytest.approx(centre + (145 - centre) / (1 + r))
    assert found.mean_by_k == {1: pytest.approx(np.mean([found.variants[f"v{i}@default"].quality for i in (1, 4, 5, 6)])),
                               2: pytest.approx(np.mean([found.variants[f"v{i}@default"].quality for i in (2, 3)]))}


def test_one_way_random_effects_of_unequal_groups():  # Q5
    found = one_way([[1, 3], [4, 6, 8], [100]], 1e-6)  # a single value says nothing here
    assert found.within == pytest.approx((2 + 8) / 3)
    grand, n0 = 22 / 5, 5 - (4 + 9) / 5
    msb = 2 * (2 - grand) ** 2 + 3 * (6 - grand) ** 2
    assert found.between == pytest.approx((msb - 10 / 3) / n0) and found.r == pytest.approx(found.within / found.between)


def test_the_between_variance_has_a_floor():  # Q5
    found = one_way([[0, 10], [0, 10]], 1e-6)  # equal means: the estimate would be negative
    assert found.within == 50 and found.between == pytest.approx(5e-5) and found.r == pytest.approx(1e6)
    assert one_way([[5, 5], [5, 5]], 1e-6).r == 0  # nothing varies: nothing is drawn in
    assert one_way([[1, 2]], 1e-6).r is None and one_way([[1]], 1e-6).within is None


def test_without_an_estimate_of_r_nothing_is_drawn_in_and_no_band_is_made_up(made, params):
    found = qualities(made.rows({"a": {"x": 0.1, "y": 0.9}}), ["a"], params)
    assert found.variance.r is None and [(q.quality, q.low, q.high) for q in found.variants.values()] == [(0, None, None), (100, None, None)]
    assert found.widest is None


def test_intervals_carry_sampling_errors_through_and_use_the_within_variance_elsewhere(made, params):  # Q6
    found = qualities(made.rows(TWO, errors={"a": {"v2": 0.04, "v1": 0.04}}), ["a", "b"], params)
    r, v = found.variance.r, found.variants
    half = lambda name: (v[name].high - v[name].low) / 2  # noqa: E731
    error = 100 * 0.04 / 0.8  # a's range
    assert half("v1@default") == pytest.approx(1.644854 * error / (1 + r))
    assert half("v2@default") == pytest.approx(1.644854 * 2 / (2 + r) * math.sqrt(error**2 + 12.5) / 2)
    assert half("v3@default") == pytest.approx(1.644854 * 2 / (2 + r) * math.sqrt(25) / 2)
    assert v["v2@default"].low == pytest.approx(v["v2@default"].quality - half("v2@default"))
    assert found.widest == "v1@default"


def test_families_are_counted_beside_benchmarks(made, params):  # Q7
    found = qualities(made.rows(TWO, families={"a": "one", "b": "one"}), ["a", "b"], params)
    assert (found.variants["v2@default"].k, found.variants["v2@default"].families) == (2, 1)


def test_what_cancels_out_is_zero(made, params):
    found = qualities(made.rows({"a": {"x": 0.1, "y": 0.7, "z": 0.3}, "b": {"x": 0.1, "y": 0.7, "z": 0.3}}), ["a", "b"], params)
    assert found.measures["b"].offset == 0 and found.worst_pair.difference == 0
