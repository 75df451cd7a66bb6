"""D1–D3 on cases small enough to compute by hand."""

import pytest

from siiq_core.siblings.value.cost import ESTIMATED, MEASURED, NONE, blended, costs, left_out_errors

SCORES = {"a": dict.fromkeys(["x", "y", "z", "w"], 0.5), "b": dict.fromkeys(["x", "y"], 0.5), "c": {"p": 0.5}}
COSTS = {"a": {"x": 1.0, "y": 2.0, "z": 5.0}, "b": {"x": 10.0, "y": 40.0}}


def test_costs_are_levelled_as_factors_and_the_median_taken(made, params):  # D2
    found = costs(made.rows(SCORES, COSTS), ["a", "b", "c"], {}, params)
    assert found.anchor == "a"  # the widest cost source
    assert found.factors == {"a": 1, "b": pytest.approx((10 * 20) ** 0.5)}  # geometric mean of 10 and 20
    x, f = found.variants["x@default"], found.factors["b"]
    assert x.kind == MEASURED and (x.low, x.high) == pytest.approx(tuple(sorted((1, 10 / f)))) and x.cost == pytest.approx((1 + 10 / f) / 2)
    assert found.variants["z@default"].cost == 5 and (found.variants["z@default"].low, found.variants["z@default"].high) == (5, 5)
    assert found.variants["x@default"].raw == {"a": 1, "b": 10}
    assert found.variants["w@default"].kind == NONE and found.variants["w@default"].cost is None


def test_the_median_of_three_sources_is_the_middle_one(made, params):  # D2
    rows = made.rows({b: {"x": 0.5} for b in "abc"}, {"a": {"x": 1}, "b": {"x": 5}, "c": {"x": 2}})
    assert costs(rows, "abc", {}, params.model_copy(update={"level": False})).variants["x@default"].cost == pytest.approx(2)


def test_costs_of_other_set_ups_are_stored_and_never_used(made, params):  # D1
    found = costs(made.rows(SCORES, COSTS, comparable={"b": False}), ["a", "b"], {}, params)
    assert found.variants["x@default"].cost == 1 and found.variants["x@default"].raw == {"a": 1, "b": 10} and "b" not in found.factors


def test_a_source_that_is_off_takes_its_costs_with_it(made, params):  # Q8
    found = costs(made.rows(SCORES, COSTS), ["b"], {}, params)
    assert found.anchor == "b" and sorted(found.variants) == ["x@default", "y@default"] and found.variants["x@default"].cost == 10


def test_a_cost_source_without_a_link_is_left_out_and_named(made, params):  # D2, like Q3
    found = costs(made.rows(SCORES, {**COSTS, "c": {"p": 3.0}}), ["a", "b", "c"], {}, params)
    assert found.unlinked == ("c",) and found.variants["p@default"].kind == NONE and found.variants["p@default"].raw == {"c": 3}


def test_the_blend_and_the_missing_cache_price(made, params):  # D3
    assert blended(made.price(2, 0.5, 10), params) == pytest.approx(0.7 * 0.5 + 0.2 * 2 + 0.1 * 10)
    assert blended(made.price(2, None, 10), params) == pytest.approx(0.9 * 2 + 0.1 * 10)


def test_the_estimate_is_the_median_factor_times_the_blend(made, params):  # D3
    prices = {m: made.price(p, p, p) for m, p in {"x": 1, "y": 1, "z": 1, "w": 3}.items()}
    found = costs(made.rows({"a": SCORES["a"]}, {"a": COSTS["a"]}), ["a"], prices, params)
    assert (found.factor, found.pairs) == (2, 3)  # of 1, 2, 5
    w = found.variants["w@default"]
    assert w.kind == ESTIMATED and w.cost == pytest.approx(6) and w.low is None
    none = costs(made.rows({"a": SCORES["a"]}), ["a"], prices, params)  # no costs at all: nothing to estimate from
    assert none.factor is None and {c.kind for c in none.variants.values()} == {NONE}


def test_the_error_of_the_estimate_leaves_the_whole_model_out(made, params):
    prices = {m: made.price(1, 1, 1) for m in "xyz"}
    rows = made.rows({"a": {"x@low": 0.5, "x@high": 0.5, "y": 0.5, "z": 0.5}}, {"a": {"x@low": 1, "x@high": 4, "y": 2, "z": 2}})
    assert sorted(left_out_errors(rows, ["a"], prices, params)) == pytest.approx([1.0, 1.0, 2.0, 2.0])  # of x: 2 ÷ 1 and 4 ÷ 2; of y and z: median of 1, 4, 2
