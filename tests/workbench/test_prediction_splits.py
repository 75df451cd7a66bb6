"""What is hidden: every result once, by a rule that nothing else can move; and what may be known of it."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st
from panels import benchmarks, params, results

from siiq_core.records import Benchmark
from siiq_core.workbench.prediction.splits import bucket, hidden_benchmarks, hidden_cells, hidden_models, later_results, name_of, scores_by_model

CELLS = results()
BENCHES = benchmarks()
SET = tuple(sorted(BENCHES))[:6]  # two of the eight are outside the index set

cells = st.dictionaries(st.tuples(st.sampled_from([f"m{k}" for k in range(9)]), st.sampled_from(sorted(BENCHES))), st.floats(0, 1), max_size=40).map(
    lambda d: [(*pair, s) for pair, s in d.items()])


def test_a_bucket_is_the_sha256_of_the_name_as_a_whole_number():
    whole = int(hashlib.sha256(b"nova-9|quiz-a").hexdigest(), 16)
    assert name_of("nova-9", "quiz-a") == "nova-9|quiz-a"
    assert [bucket("nova-9|quiz-a", k) for k in (2, 5, 10)] == [whole % 2, whole % 5, whole % 10]


@given(cells, st.integers(2, 10))
def test_every_result_on_the_index_set_is_hidden_exactly_once(own, rounds):
    design = hidden_cells(own, SET, rounds)
    asked = [(q.model, q.benchmark) for r in design.rounds for q in r.questions]
    wanted = {(m, b): s for m, b, s in own if b in SET}
    assert sorted(asked) == sorted(wanted) and design.answers == wanted and len(design.rounds) == rounds
    for r in design.rounds:
        hidden = {(q.model, q.benchmark) for q in r.questions}
        assert list(r.fitted) == sorted(c for c in own if c[:2] not in hidden)
        for q in r.questions:
            assert q.known == {b: s for m, b, s in own if m == q.model and (m, b) not in hidden}


@given(cells, cells)
def test_the_round_of_a_result_does_not_depend_on_the_others(own, more):
    def round_of(all_):
        return {(q.model, q.benchmark): r.label for r in hidden_cells(all_, SET, 10).rounds for q in r.questions}

    alone, together = round_of(own), round_of([*own, *(c for c in more if c[:2] not in {x[:2] for x in own})])
    assert alone == {pair: together[pair] for pair in alone}


@given(cells, st.randoms(use_true_random=False))
def test_the_order_of_rows_is_irrelevant(own, random):
    mixed = list(own)
    random.shuffle(mixed)
    p = params(min_results_held_out=2, min_results_per_half=1)
    assert hidden_cells(mixed, SET, 10) == hidden_cells(own, SET, 10)
    assert hidden_benchmarks(mixed, SET) == hidden_benchmarks(own, SET)
    assert hidden_models(mixed, SET, BENCHES, 5, p) == hidden_models(own, SET, BENCHES, 5, p)


def test_a_model_left_out_is_in_no_fit_and_each_half_is_predicted_from_the_other():
    design = hidden_models(CELLS, SET, BENCHES, 5, params())
    seen = scores_by_model([c for c in CELLS if c[1] in SET])
    asked = {}
    for r in design.rounds:
        out = {m for m, _, _ in CELLS if bucket(m, 5) == int(r.label)}
        assert {m for m, _, _ in r.fitted} == {m for m, _, _ in CELLS} - out
        for q in r.questions:
            assert q.model in out and q.benchmark not in q.known
            asked.setdefault(q.model, {}).setdefault(tuple(q.known), set()).add(q.benchmark)
    assert asked and design.answers == {(m, b): seen[m][b] for m in asked for b in seen[m]}
    for model, halves in asked.items():
        (one, other) = halves
        assert set(one) == halves[other] and set(other) == halves[one] and set(one) | set(other) == set(seen[model]) and not set(one) & set(other)


def test_halves_go_by_families_in_turn_and_small_models_are_not_halved():  # as C7
    bench = {x: Benchmark(x, "math", family, "ev", 0.0, 1.0, 100) for x, family in (("p", "b"), ("q", "b"), ("r", "a"), ("s", "c"), ("t", "d"))}
    own = [("m", x, 0.5) for x in "pqrst"] + [("n", "p", 0.5), ("n", "q", 0.5), ("n", "r", 0.5), ("o", "p", 0.5), ("o", "q", 0.5), ("o", "s", 0.5), ("o", "r", 0.5)]
    design = hidden_models(own, tuple(bench), bench, 2, params(min_results_held_out=4, min_results_per_half=2))
    known = {(q.model, q.benchmark): set(q.known) for r in design.rounds for q in r.questions}
    assert known["m", "r"] == {"p", "q", "t"} and known["m", "p"] == {"r", "s"}  # a, c here, b, d there
    assert {m for m, _ in known} == {"m", "o"}  # n has three results


def test_a_benchmark_left_out_is_hidden_in_two_halves_that_make_it_whole():
    design = hidden_benchmarks(CELLS, SET)
    assert len(design.rounds) == 2 * len(SET) and design.answers == {(m, b): s for m, b, s in CELLS if b in SET}
    for first, second in zip(design.rounds[::2], design.rounds[1::2], strict=True):
        assert first.apart == second.apart
        halves = [{q.model for q in r.questions} for r in (first, second)]
        assert not halves[0] & halves[1] and halves[0] | halves[1] == {m for m, b, _ in CELLS if b == first.apart}
        assert {m for m, b, _ in first.fitted if b == first.apart} == halves[1]
        assert [c for c in first.fitted if c[1] != first.apart] == [c for c in second.fitted if c[1] != first.apart] == sorted(c for c in CELLS if c[1] != first.apart)
        assert all(first.apart not in q.known for q in (*first.questions, *second.questions))


def _day(day, *changes):
    return {"day": day, "changes": [{"model": m, "benchmark": b, "score": s} for m, b, s in changes]}


def test_later_results_are_asked_of_what_stood_the_day_before():
    history = {"days": [
        _day("2025-01-01", ("m", "b00", 0.1), ("n", "b00", 0.2), ("n", "gone", 0.9)),
        _day("2025-02-01"),
        _day("2025-03-01", ("m", "b01", 0.3), ("m", "b00", 0.15), ("o", "b01", 0.4), ("m", "b07", 0.5)),  # b00 is re-scored, b07 outside the set
        _day("2025-04-01", ("n", "b00", None), ("n", "b01", 0.6)),
        _day("2025-05-01", ("n", "b00", 0.25)),  # comes back: it was new once
    ]}
    design = later_results(history, SET, BENCHES)
    assert [(r.label, [(q.model, q.benchmark, dict(q.known)) for q in r.questions]) for r in design.rounds] == [
        ("2025-03-01", [("m", "b01", {"b00": 0.1}), ("o", "b01", {})]),
        ("2025-04-01", [("n", "b01", {"b00": 0.2})]),
    ]
    assert design.rounds[0].fitted == (("m", "b00", 0.1), ("n", "b00", 0.2))
    assert design.rounds[1].fitted == (("m", "b00", 0.15), ("m", "b01", 0.3), ("m", "b07", 0.5), ("n", "b00", 0.2), ("o", "b01", 0.4))
    assert design.answers == {("m", "b01"): 0.3, ("o", "b01"): 0.4, ("n", "b01"): 0.6}
