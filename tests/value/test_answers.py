"""R1–R6 by hand, on both sides of each floor."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.siblings.value.answers import FEW, FLOOR, NO_KNEE, NOBODY, answers, cheapest, frontier, height
from siiq_core.siblings.value.records import Entrant


def test_twins_stay_and_the_others_are_dominated(made):  # R1; fault kind 14
    points = {"b": (1, 80), "c": (1, 75), "d": (2, 80), "a": (1, 80)}
    assert [e.id for e in frontier(made.entrants(points))] == ["a", "b"]


def test_equal_quality_at_a_higher_cost_is_dominated_and_so_is_less_at_equal_cost(made):  # R1
    assert [e.id for e in frontier(made.entrants({"a": (1, 50), "b": (2, 50), "c": (2, 60), "d": (2, 59), "e": (3, 61)}))] == ["a", "c", "e"]


@pytest.mark.parametrize(("half", "wins"), [(2.5, "m"), (2.49, "top")])
def test_best_is_the_cheapest_whose_interval_reaches_the_leader(made, params, half, wins):  # R2
    points = {"low": (1, 80), "m": (2, 95), "top": (9, 100)}
    found = answers(made.entrants(points, half), params)
    assert found.leader == "top" and found.best.variant == wins


def test_the_leader_of_equals_is_the_cheaper_then_by_id(made, params):
    assert answers(made.entrants({"b": (2, 90), "a": (3, 90), "c": (1, 10)}), params).leader == "b"
    assert answers(made.entrants({"b": (2, 90), "a": (2, 90)}), params).best.variant == "a"


@pytest.mark.parametrize(("number", "share", "wanted"), [(1, 0.33, 1), (3, 0.33, 1), (4, 0.33, 2), (6, 0.33, 2), (7, 0.33, 3), (100, 0.33, 33), (300, 0.33, 99), (10, 0.1, 1), (0, 0.33, 0)])
def test_the_cheapest_third_is_rounded_up_exactly(number, share, wanted):  # R3
    assert cheapest(number, share) == wanted


@pytest.mark.parametrize(("quality", "given"), [(60.0, True), (59.999, False)])
def test_the_floor_of_the_cheap_answer(made, params, quality, given):  # R3
    found = answers(made.entrants({"a": (1, quality), "b": (4, 90), "c": (9, 100)}), params)
    if given:
        assert found.cheap.variant == "a" and found.cheap.reason is None
    else:
        assert found.cheap.variant is None and found.cheap.reason == FLOOR
        assert found.cheap.numbers["floor"] == 60 and found.cheap.numbers["short"] == pytest.approx(0.001)
        assert found.everyday.variant == "b"  # has no lower end then


def test_cheap_takes_the_best_of_the_cheapest_third(made, params):  # R3: of four, two
    assert answers(made.entrants({"a": (1, 70), "b": (2, 80), "c": (4, 90), "d": (9, 100)}), params).cheap.variant == "b"


def test_a_cheap_answer_dearer_than_best_repeats_best(made, params):  # R3
    points = {"a": (1, 96), "b": (2, 97), "c": (3, 98), "d": (9, 100)}
    found = answers(made.entrants(points, 2), params)
    assert found.best.variant == "a" and (found.cheap.variant, found.cheap.repeats) == ("a", "best")


@pytest.mark.parametrize(("quality", "given"), [(75.0, True), (74.999, False)])
def test_the_floor_of_the_everyday_answer(made, params, quality, given):  # R4
    found = answers(made.entrants({"a": (1, 20), "m": (2, quality), "z": (100, 100)}), params)
    assert found.cheap.reason == FLOOR
    assert found.everyday.variant == ("m" if given else None) and found.everyday.reason == (None if given else FLOOR)
    assert given or (found.everyday.numbers["floor"] == 75 and found.everyday.numbers["short"] == pytest.approx(0.001))


def test_the_middle_that_misses_its_floor_is_the_one_farthest_above_the_line(made, params):  # R6
    points = {"a": (1, 10), "b": (2, 60), "c": (3, 70), "d": (50, 100)}
    found = answers(made.entrants(points), params)
    assert found.everyday.reason == FLOOR and (found.everyday.numbers["quality"], found.everyday.numbers["short"]) == (70, 5)


def test_everyday_is_farthest_above_the_line_over_log_cost(made, params):  # R4
    points = {"a": (1, 70), "b": (10, 90), "c": (100, 95), "d": (1000, 100)}
    es = made.entrants(points)
    found = answers(es, params)
    heights = [height(e, es[0], es[3]) for e in es]
    assert heights == pytest.approx([0, 10, 5, 0]) and found.cheap.variant == "b"
    assert (found.everyday.variant, found.everyday.repeats) == ("b", "cheap") and found.everyday.numbers["height"] == pytest.approx(10)


def test_everyday_looks_between_cheap_and_best_only(made, params):  # R4
    points = {"a": (1, 70), "b": (10, 90), "c": (100, 98), "d": (10000, 100)}
    found = answers([made.entrant(n, c, q, 0.5 if n != "d" else 1.5) for n, (c, q) in points.items()], params)
    assert (found.cheap.variant, found.best.variant, found.everyday.variant) == ("b", "c", "c") and found.everyday.repeats == "best"


def test_ties_above_the_line_go_to_the_cheaper(made, params):  # R4
    points = {"a": (1, 76), "b": (math.exp(1), 90), "c": (math.exp(2), 94), "d": (math.exp(3), 88 + 10)}
    es = made.entrants(points)
    step = (98 - 76) / 3
    es[2] = made.entrant("c", math.exp(2), 90 + step)  # exactly as high above the line as b
    assert answers(es, params).everyday.variant == "b"


def test_a_straight_or_sagging_frontier_has_no_knee(made, params):  # R4, R6
    for middle in (90.0, 85.0):
        found = answers(made.entrants({"a": (1, 80), "b": (math.exp(1), middle), "c": (math.exp(2), 100)}), params)
        assert (found.everyday.variant, found.everyday.reason) == (None, NO_KNEE)


@pytest.mark.parametrize("points", [{"a": (1, 80)}, {"a": (1, 80), "b": (2, 100)}, {"a": (1, 80), "b": (2, 100), "twin": (2, 100)}, {"a": (1, 90), "b": (2, 80), "c": (3, 85)}])
def test_fewer_than_three_trade_offs_have_no_middle(made, params, points):  # R6: twins are one trade-off
    found = answers(made.entrants(points), params)
    assert found.everyday.reason == FEW and found.everyday.numbers["points"] < 3 and found.cheap.variant == "a"


def test_all_dominated_but_one_answers_twice(made, params):
    found = answers(made.entrants({"a": (1, 90), "b": (2, 80), "c": (3, 85)}), params)
    assert (found.best.variant, found.cheap.variant, found.cheap.repeats) == ("a", "a", "best")


def test_nobody_answers_where_nobody_may(params):
    found = answers([], params)
    assert found.leader is None and {found.cheap.reason, found.everyday.reason, found.best.reason} == {NOBODY}


POINTS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 40), st.integers(0, 6)), min_size=1, max_size=14)


def _made(points):
    return [Entrant(f"v{i:02d}", 50 + q, 50 + q - h, 50 + q + h, c / 7, math.log(c / 7)) for i, (c, q, h) in enumerate(points)]


@settings(max_examples=300, deadline=None)
@given(POINTS)
def test_the_frontier_is_what_no_other_dominates(points):  # R1, read literally
    es = _made(points)
    free = {e.id for e in es if not any(f.quality >= e.quality and f.cost <= e.cost and (f.quality > e.quality or f.cost < e.cost) for f in es)}
    assert {e.id for e in frontier(es)} == free


@settings(max_examples=300, deadline=None)
@given(POINTS)
def test_the_answers_stand_in_price_order(params, points):  # R5
    es = _made(points)
    cost = {e.id: e.cost for e in es}
    found = answers(es, params)
    told = [cost[x.variant] for x in (found.cheap, found.everyday, found.best) if x.variant]
    assert told == sorted(told)
    assert found.best.variant is not None and all((x.variant is None) != (x.reason is None) for x in (found.cheap, found.everyday, found.best))


@settings(max_examples=300, deadline=None)
@given(POINTS, st.data())
def test_a_dominated_variant_changes_no_answer(params, points, data):
    es = _made(points)
    over = data.draw(st.sampled_from(es))
    worse, dearer = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 20))
    if worse == dearer == 0:
        worse = 1
    cost = over.cost + dearer
    more = Entrant("extra", over.quality - worse, over.quality - worse - 50, over.quality - worse + 50, cost, math.log(cost))
    assert answers([*es, more], params) == answers(es, params)


@settings(max_examples=200, deadline=None)
@given(POINTS, st.randoms())
def test_no_order_decides(params, points, order):
    es = _made(points)
    shuffled = list(es)
    order.shuffle(shuffled)
    assert answers(shuffled, params) == answers(es, params)


@settings(max_examples=200, deadline=None)
@given(POINTS, st.sampled_from([0.01, 3.0, 250.0]))
def test_a_price_in_another_currency_changes_no_answer(params, points, rate):
    es = _made(points)
    other = [Entrant(e.id, e.quality, e.low, e.high, e.cost * rate, math.log(e.cost * rate)) for e in es]
    names = lambda a: [(x.variant, x.reason, x.repeats) for x in (a.cheap, a.everyday, a.best)]  # noqa: E731
    assert names(answers(other, params)) == names(answers(es, params))
