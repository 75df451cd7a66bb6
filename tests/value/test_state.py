"""Q7, Q8, R7 and D3's last sentence: who may answer, what a switch takes away, and what a filter leaves alone."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.siblings.value import state as states
from siiq_core.siblings.value.answers import answers
from siiq_core.siblings.value.published import FEW_FAMILIES, MEASURED_SIBLING, NO_SETTING, value_json, why_not
from siiq_core.siblings.value.state import Filters, answer, competing, eligible, entrants, source_sets, state_of, why_nobody
from siiq_core.siblings.value.worlds import Worlds, draw, win_shares, winners

SCORES = {"a": {"x": 0.9, "y": 0.7, "z": 0.5, "w": 0.2, "u@unknown": 0.95, "x@low": 0.6}, "b": {"x": 0.8, "y": 0.6, "z": 0.55, "u@unknown": 0.9, "t": 0.1},
          "c": {"x": 0.7, "y": 0.75, "w": 0.1, "x@low": 0.65}}
COSTS = {"a": {"x": 9.0, "y": 3.0, "z": 1.0, "w": 0.5, "u@unknown": 2.0}, "b": {"x": 20.0, "y": 7.0, "z": 2.0, "u@unknown": 4.0, "t": 0.7}}


@pytest.fixture
def world(made, use):
    prices = {"x": made.price(3, 0.3, 15), "w": made.price(1, None, 3), "t": made.price(0.1, 0.1, 0.4)}
    return made.evidence(made.rows(SCORES, COSTS), prices, open_weights=("y", "w"), developers={"y": "Someone"}, contexts={"x": 200_000, "y": 8_000}), use("a", "b", "c")


def test_eligible_are_two_families_and_a_cost_and_a_setting_that_can_be_asked_for(world):  # Q7
    evidence, params = world
    state = state_of(evidence, ("a", "b", "c"), params)
    assert eligible(state, params, 2) == ("w@default", "x@default", "x@low", "y@default", "z@default")
    assert eligible(state, params, 1) == ("t@default", "w@default", "x@default", "x@low", "y@default", "z@default")
    assert state.costs.variants["x@low"].kind == "estimated"
    assert competing(state, params, 2) == ("w@default", "x@default", "y@default", "z@default")  # D3: x@low is an estimate of a measured model
    assert "u@unknown" in state.qualities.variants and why_not(state, params, "u@unknown", 2) == NO_SETTING
    assert why_not(state, params, "t@default", 2) == FEW_FAMILIES and why_not(state, params, "x@low", 2) == MEASURED_SIBLING and why_not(state, params, "x@default", 2) is None


def test_two_benchmarks_of_one_family_are_one(made, use, world):  # Q7: ARC-AGI-1 and -2
    evidence, params = world
    rows = tuple(replace(r, family="one") if r.benchmark in "ab" else r for r in evidence.rows)
    state = state_of(replace(evidence, rows=rows), ("a", "b"), params)
    assert state.qualities.variants["x@default"].k == 2 and eligible(state, params, 2) == ()
    assert why_nobody(state, params, 2) == states.TOO_FEW and answer(state, params, 2).best.variant is None


def test_a_filter_changes_no_quality_and_no_cost(world):  # R7
    evidence, params = world
    state = state_of(evidence, ("a", "b", "c"), params)
    before = (dict(state.qualities.variants), dict(state.costs.variants))
    for filters in (Filters(open_weights=True), Filters(developer="Someone"), Filters(max_cost=2.0), Filters(min_context=100_000)):
        found = answer(state, params, 2, filters)
        kept = [v for v in competing(state, params, 2) if filters.admit(evidence, state.model(v), state.costs.variants[v].cost)]
        assert found == answers(entrants(state, kept), params)
    assert before == (dict(state.qualities.variants), dict(state.costs.variants))
    assert answer(state, params, 2, Filters(open_weights=True)).leader == "y@default"
    assert answer(state, params, 2, Filters(developer="Someone")).frontier == ("y@default",)
    assert answer(state, params, 2, Filters(min_context=100_000)).frontier == ("x@default",)
    y = state.costs.variants["y@default"].cost
    assert answer(state, params, 2, Filters(max_cost=y)).leader == "y@default" and answer(state, params, 2, Filters(max_cost=y * 0.999)).leader == "z@default"


def test_a_lower_minimum_changes_no_score(world):  # Q7
    evidence, params = world
    assert state_of(evidence, ("a", "b"), params) == state_of(evidence, ("a", "b"), params.model_copy(update={"min_benchmarks": 1}))


def test_a_source_that_is_off_is_out_of_everything(made, world):  # Q8
    evidence, params = world
    rest = made.evidence(tuple(r for r in evidence.rows if r.benchmark != "b"), evidence.prices, ("y", "w"), {"y": "Someone"}, {"x": 200_000, "y": 8_000})
    off, gone = state_of(evidence, ("a", "c"), params), state_of(rest, ("a", "c"), params)
    assert off.qualities == gone.qualities and off.costs == gone.costs and answer(off, params, 2) == answer(gone, params, 2)


def test_every_set_of_sources_is_a_state(params):
    sets = source_sets(params)
    assert len(sets) == len(set(sets)) == 2 ** len(params.sources) - 1 and len(sets[0]) == 1 and len(sets[-1]) == len(params.sources)


@pytest.mark.parametrize(("scores", "costs", "reason"), [
    ({"a": {"x": 0.5}}, {"a": {"x": 1.0}}, states.NO_SCORES),  # a source with one variant
    ({"a": {"x": 0.5, "y": 0.6}, "b": {"x": 0.2, "y": 0.6}}, {}, states.NO_COSTS),  # no costs at all
    ({"a": {"x": 0.5, "y": 0.6}}, {"a": {"x": 1.0, "y": 2.0}}, states.TOO_FEW),
    ({"a": {"x": 0.5, "y": 0.6, "z": 0.1}, "b": {"u": 0.5, "v": 0.6}}, {"a": {"x": 1.0, "y": 2.0}}, states.TOO_FEW),  # nothing shared with the anchor
])
def test_where_nobody_may_answer_the_reason_is_said(made, use, scores, costs, reason):  # R6
    params = use("a", "b")
    state = state_of(made.evidence(made.rows(scores, costs)), tuple(scores), params)
    assert answer(state, params, 2).leader is None and why_nobody(state, params, 2) == reason


def test_a_single_variant_with_a_cost_answers_all_but_the_middle(made, use):
    params = use("a", "b")
    state = state_of(made.evidence(made.rows({"a": {"x": 0.9, "y": 0.6}, "b": {"x": 0.8, "y": 0.6}}, {"a": {"x": 1.0}})), ("a", "b"), params)
    found = answer(state, params, 2)
    assert found.best.variant == found.cheap.variant == "x@default" and found.everyday.reason == "few_trade_offs"


NAMED = st.dictionaries(st.sampled_from(["p", "q", "r", "s", "t", "u@low", "u@high"]), st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(1, 40))), min_size=2)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), NAMED, min_size=1), st.sampled_from(["a", "b", "c"]), st.sampled_from([0.004, 7.0, 1e5]), st.sampled_from([1, 2]))
def test_a_source_whose_costs_are_all_of_another_scale_changes_no_answer(made, params, table, source, scale, minimum):  # D2
    scores = {b: {v: x / 20 for v, (x, _) in own.items()} for b, own in table.items()}
    costs = {b: {v: float(c) for v, (_, c) in own.items() if c} for b, own in table.items()}
    other = {b: {v: c * (scale if b == source else 1) for v, c in own.items()} for b, own in costs.items()}
    own = params.model_copy(update={"sources": tuple(params.sources[0].model_copy(update={"benchmark": b, "family": b}) for b in "abc")})
    prices = {m: made.price(1 + i, None, 5.0) for i, m in enumerate("pqrstu")}

    def told(some):
        state = state_of(made.evidence(made.rows(scores, some), prices), tuple(table), own)
        # costs a rounding apart are one cost: what is compared is the answer, not the last digit
        return [(x.variant, x.reason) for x in (lambda a: (a.cheap, a.everyday, a.best))(answers([_coarse(e) for e in entrants(state, competing(state, own, minimum))], own))], state

    before, one = told(costs)
    after, two = told(other)
    first = min((c.cost for c in one.costs.variants.values() if c.cost), default=1.0)
    second = min((c.cost for c in two.costs.variants.values() if c.cost), default=1.0)
    for v, c in one.costs.variants.items():
        d = two.costs.variants[v]
        assert (c.cost is None) == (d.cost is None) and (c.cost is None or c.cost / first == pytest.approx(d.cost / second, rel=1e-9))
    assert before == after


def _coarse(e):
    return replace(e, cost=float(f"{e.cost:.6g}"), log_cost=math.log(float(f"{e.cost:.6g}")))


# --- how sure --------------------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_worlds_and_another_one_others(world):
    evidence, params = world
    state = state_of(evidence, ("a", "b", "c"), params)
    assert win_shares(state, params, 2) == win_shares(state, params, 2)
    assert (draw(state, params, 2).quality != draw(state, params.model_copy(update={"seed": 1}), 2).quality).any()
    shares = win_shares(state, params, 2)
    assert all(sum(share for _, share in own) <= 1 + 1e-12 for own in shares.values()) and shares["best"][0][1] > 0.3


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6)), min_size=1, max_size=9), st.integers(0, 2**32 - 1))
def test_a_world_is_judged_by_the_rules_of_the_answers(made, params, points, seed):
    """R1–R4 written for all worlds at once give what answers() gives for each."""
    import numpy as np

    source = np.random.RandomState(seed)
    points = sorted(points)
    quality = 60 + 15 * source.standard_normal((12, len(points)))
    quality[source.random_sample(quality.shape) < 0.15] = -np.inf
    costs, half = np.array([c / 3 for c, _ in points]), np.array([float(h) for _, h in points])
    found = winners(Worlds(tuple(f"v{i}" for i in range(len(points))), costs, quality, half), params)
    for w in range(len(quality)):
        own = [made.entrant(f"v{i}", costs[i], quality[w, i], half[i]) for i in range(len(points)) if np.isfinite(quality[w, i])]
        wanted = answers(own, params)
        for name in ("cheap", "everyday", "best"):
            place = found[name][w]
            assert (None if place < 0 else f"v{place}") == getattr(wanted, name).variant


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_file_says_what_the_states_are(world):
    from types import SimpleNamespace

    evidence, params = world
    specs = {b: SimpleNamespace(id=b, name=b, source="nowhere", evaluator="E", address="", licence="", licence_url="", licence_basis="evaluator") for b in "abc"}
    found, pages = value_json(evidence, params, specs)
    assert [s["sources_on"] for s in found["states"][:4:2]] == [["a"], ["b"]] and len(found["states"]) == 14
    default = next(s for s in found["states"] if s["sources_on"] == ["a", "b", "c"] and s["min_benchmarks"] == 2)
    assert default["answers"] == found["answers"]
    assert {v["id"] for v in found["variants"] if v["eligible"]} == set(eligible(state_of(evidence, ("a", "b", "c"), params), params, 2))
    assert [s["mask"] for s in pages["states"]] == [1, 2, 4, 3, 5, 6, 7]
    again, _ = value_json(replace(evidence, rows=tuple(reversed(evidence.rows))), params, specs)
    assert again == found  # no order decides
    low = next(s for s in found["states"] if s["sources_on"] == ["a"] and s["min_benchmarks"] == 1)
    assert low["answers"]["best"]["low_confidence"] is True and found["answers"]["best"]["low_confidence"] is False


# --- the house ---------------------------------------------------------------------------------------------------------


def test_siblings_import_no_method_and_the_method_no_sibling(root):
    import ast

    def imported(path):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        return names + [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]

    own, others = [[p for room in rooms for p in (root / "siiq_core" / room).rglob("*.py")] for rooms in (("siblings",), ("evidence", "method", "params", "verify"))]
    assert len(own) > 8 and len(others) > 40
    assert not [p for p in own for name in imported(p) if name.startswith(("siiq_core.method", "siiq_core.publish", "siiq_core.analysis", "siiq_core.pipeline"))]
    assert not [p for p in others for name in imported(p) if name.startswith("siiq_core.siblings")]
