"""Who moves when a model arrives: by hand, against the composite computed anew, and SI-IQ, which moves nobody."""

import json
import random
import statistics
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from siiq_core import pipeline
from siiq_core.analysis.newcomers import COME, GO, Place, inputs_of, lines_of, moves, newcomer, newcomers, rows_of, siiq_of, swayed
from siiq_core.analysis.ruler import ruler_of
from siiq_core.errors import ParameterError
from siiq_core.params.agreement import AgreementParams, load_agreement
from siiq_core.params.loader import validate
from siiq_core.params.method import load_method
from siiq_core.params.percentile import load_percentile
from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.evidence import open_evidence
from siiq_core.siblings.percentile.ranks import midranks
from siiq_core.siblings.percentile.records import Entry
from siiq_core.siblings.percentile.run import prepare_percentile

F = Fraction
THIRD_OF_FOUR = Place("b", 4, 5, 3.0, F(1))  # value 3 among 1, 2, 3, 4: 2 below and itself, q = 2½


@pytest.mark.parametrize(("rows", "sign", "percentile"), [
    ([], COME, F(250, 4)), ([2.0], COME, F(350, 5)), ([3.0], COME, F(300, 5)), ([9.0], COME, F(250, 5)), ([2.0, 9.0], COME, F(350, 6)),
    ([1.0], GO, F(150, 3)), ([4.0], GO, F(250, 3)), ([1.0, 4.0], GO, F(150, 2)),
])
def test_a_place_by_hand_when_rows_come_and_go(rows, sign, percentile):
    assert THIRD_OF_FOUR.percentile(rows, sign) == percentile


VALUES = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@given(VALUES, st.lists(st.integers(0, 6), max_size=6), st.data())
def test_a_place_is_the_midrank_among_whoever_is_there(population, come, data):
    own = data.draw(st.sampled_from(population))
    rank = midranks(map(Decimal, population))[Decimal(own)]
    place = Place("b", len(population), int(2 * len(population) * rank / 100), float(own), F(1))
    assert place.percentile([float(x) for x in come]) == midranks(map(Decimal, population + come))[Decimal(own)]
    others = list((Counter(population) - Counter([own])).elements())
    go = data.draw(st.lists(st.sampled_from(others), max_size=len(others), unique=True)) if others else []
    left = list((Counter(population) - Counter(go)).elements())
    assert place.percentile([float(x) for x in go], GO) == midranks(map(Decimal, left))[Decimal(own)]


def board(name, dimension, n, direction="higher"):
    return {"id": name, "dimension": dimension, "n": n, "direction": direction}


def configuration(model, boards, score):
    """`boards`: board → (value, percentile); each the only one of its dimension."""
    return {"id": f"{model}@default", "model": model, "name": model.capitalize(), "score": score, "counted": ["thinking", "doing"], "values": {b: v for b, (v, _) in boards.items()},
            "percentiles": {b: p for b, (_, p) in boards.items()}, "dimensions": {d: {"weights": {b: "1"}} for d, b in (("thinking", "riddles"), ("doing", "golf")) if b in boards}}


# riddles: 1, 2, 3, 4; golf, where less is better: 1, 2; nova has 3 and 1, zeta 4 and 2
SMALL = {"dimensions": [{"id": "thinking", "weight": 0.5}, {"id": "doing", "weight": 0.5}, {"id": "votes", "weight": 0.0}],
         "boards": [board("riddles", "thinking", 4), board("golf", "doing", 2, "lower"), board("votes", "votes", 2)],
         "configurations": [configuration("nova", {"riddles": (3, 62.5), "golf": (1, 75.0), "votes": (7, 75.0)}, 68.75),
                            configuration("zeta", {"riddles": (4, 87.5), "golf": (2, 25.0), "votes": (6, 25.0)}, None)]}


def test_a_score_by_hand_with_and_without_another():
    (line,), rows = lines_of(SMALL), rows_of(SMALL)
    assert rows["zeta"] == {"riddles": [4], "golf": [-2]}  # votes are in no score; less is better there
    assert line.score() == 68.75 and line.score(rows["zeta"], GO) == pytest.approx((250 / 3 + 50) / 2)
    assert line.score({"riddles": [9.0]}) == pytest.approx((50 + 75) / 2) and line.score({"golf": [-9.0]}) == pytest.approx((62.5 + 250 / 3) / 2)
    assert line.score({"votes": [9.0]}) == 68.75  # M9


def test_moves_by_hand():
    found = moves({"a": 1.0, "b": 2.0, "c": 3.0, "gone": 9.0}, {"a": 1.0, "b": 3.5, "c": 2.75, "come": 0.0})
    assert (found.others, found.moved, found.median, found.largest, found.of) == (3, 2, 0.25, 1.5, "b") and found.swaps == (("c", "b"),)
    still = moves({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 1.0})
    assert (still.moved, still.largest, still.of, still.swaps) == (0, 0.0, None, ())
    assert moves({}, {"a": 1.0}).median is None
    assert moves({"a": 1.0, "b": 1.0}, {"a": 2.0, "b": 1.0}).swaps == ()  # a tie that is broken turns nothing round


def test_who_sways_a_score_most():
    found = swayed("x", {"x": 10.0}, {"p": {"x": 12.0}, "q": {"x": 9.5}, "r": {"x": 11.0}, "s": {"y": 1.0}})
    assert found == {"down": {"by": "p", "move": -2.0}, "up": {"by": "q", "move": 0.5}}
    assert swayed("x", {"x": 10.0}, {"p": {"x": 10.0}}) == {"down": None, "up": None}


def test_a_newcomer_stands_at_the_best_the_middle_or_the_weakest_value():
    found = {"nova": {"riddles": [1.0, 5.0]}, "zeta": {"riddles": [2.0], "golf": [-3.0]}, "iota": {"riddles": [4.0]}}
    assert [newcomer(kind, found) for kind in ("best", "middle", "worst")] == [{"golf": -3.0, "riddles": x} for x in (5.0, 2.0, 1.0)]


@pytest.mark.parametrize(("key", "value"), [("newcomers", []), ("newcomers", [0]), ("newcomers", [101]), ("arrivals", 0), ("least_shared", 4), ("marked", -1), ("named", 1.5), ("least_change", "2")])
def test_parameters_out_of_range_are_refused(root, key, value):
    with pytest.raises(ParameterError, match=key):
        validate({**load_agreement(root).model_dump(), key: value}, AgreementParams, "agreement.yml", {})


# --- the shipped data ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(shipped, tmp_path_factory):
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    return index, pipeline.percentile(prepare_percentile({}, str(tmp_path_factory.mktemp("boards")), shipped.root)).value


@pytest.fixture(scope="module")
def found(files, root):
    return newcomers(*files, load_agreement(root))


@pytest.fixture(scope="module")
def evidence(root):
    return open_evidence(root, load_method(root), load_percentile(root))


def anew(evidence, root):
    """Every score by the composite itself, with all its rules."""
    return {c.id: float(c.score) for c in configurations(evidence, load_percentile(root)) if c.score is not None}


def taken_away(evidence, slug):
    """The boards without the rows that count for a model."""
    out = {}
    for name, rows in evidence.boards.items():
        gone = Counter(e.value for e in rows.entries if e.model == slug)
        out[name] = replace(rows, population=tuple((Counter(rows.population) - gone).elements()), entries=tuple(e for e in rows.entries if e.model != slug))
    return out


def test_scores_without_a_model_are_those_of_the_composite_computed_anew(files, found, evidence, root):
    lines, rows = lines_of(files[1]), rows_of(files[1])
    assert {line.id: line.score() for line in lines} == anew(evidence.boards, root)
    for slug in [*(x["model"] for x in found["arrivals"]), "claude-opus-4.1", min(rows), max(rows)]:
        assert {line.id: line.score(rows[slug], GO) for line in lines if line.model != slug} == anew(taken_away(evidence, slug), root), slug


@pytest.mark.parametrize(("kind", "size"), [("best", 1), ("middle", 1), ("worst", 10)])
def test_scores_with_newcomers_are_those_of_the_composite_computed_anew(files, evidence, root, kind, size):
    come = newcomer(kind, rows_of(files[1]))
    boards = {}
    for name, rows in evidence.boards.items():
        more = tuple(Entry(name, f"newcomer-{k}", "default", Decimal(repr(come[name])), "2026-01-01", "newcomer", f"{name}/{k}") for k in range(size) if name in come)
        boards[name] = replace(rows, population=(*rows.population, *(e.value for e in more)), entries=(*rows.entries, *more))
    theirs = {c: score for c, score in anew(boards, root).items() if not c.startswith("newcomer")}
    assert {line.id: line.score({b: [value] * size for b, value in come.items()}) for line in lines_of(files[1])} == theirs


def test_percentiles_move_and_si_iq_moves_nobody(found):
    assert found["models"] == 206 and found["moving"] > 0.9 * found["models"] and 0 < found["moving_all"] < found["moving"] and found["swapping"] > 0
    for x in [*found["invented"], *found["arrivals"]]:
        assert x["percentile"]["moved"] > 0 and x["percentile"]["of"]
        assert x["siiq"] == {"others": x["siiq"]["others"], "moved": 0, "median": 0.0, "largest": 0.0, "of": None, "swaps": []} and x["siiq"]["others"] >= 13
    assert found["all_at_once"] == {"size": 33, "siiq": {"others": 98, "moved": 0, "median": 0.0, "largest": 0.0, "of": None, "swaps": []}}  # C10
    assert [m["siiq"] for m in found["moved"]] == [0.0] * 14
    sizes = [abs(x["percentile"]["largest"]) for x in found["arrivals"]]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == pytest.approx(max(abs(m[end]["move"]) for m in found["moved"] for end in ("down", "up")))


def test_a_scale_set_on_whoever_is_there_would_be_found_out(files):  # a plausible wrong SI-IQ: mean 100 and SD 15 of all models present
    ruler, inputs = ruler_of(files[0]), inputs_of(files[0])
    ranked = {m["slug"] for m in files[0]["models"] if m["ranked"]}

    def set_anew(models):
        scores = siiq_of(ruler, models, models)
        middle, spread = statistics.fmean(scores.values()), statistics.pstdev(scores.values())
        return {slug: 100 + 15 * (x - middle) / spread for slug, x in scores.items() if slug in ranked}

    found = moves(set_anew({slug: inputs[slug] for slug in ranked}), set_anew({slug: inputs[slug] for slug in ranked - {min(ranked)}}))
    assert found.moved == found.others == len(ranked) - 1


def test_si_iq_of_everybody_stays_whoever_leaves(files):
    ruler, inputs = ruler_of(files[0]), inputs_of(files[0])
    published = {m["slug"]: m["siiq"] for m in files[0]["models"] if m["slug"] in inputs}
    for gone in sorted(inputs)[::60]:
        left = {slug: scores for slug, scores in inputs.items() if slug != gone}
        assert siiq_of(ruler, left, left) == {slug: x for slug, x in published.items() if slug != gone}


def test_the_order_of_rows_is_irrelevant(files, found, root):
    index, percentile = files
    mixed = random.Random(7)
    turned = {**percentile, "configurations": mixed.sample(percentile["configurations"], len(percentile["configurations"])), "boards": percentile["boards"][::-1]}
    assert newcomers({**index, "models": index["models"][::-1]}, turned, load_agreement(root)) == found


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(-5, 5), min_size=1), st.dictionaries(st.sampled_from("abcdef"), st.integers(-5, 5), min_size=1))
def test_moves_backwards_have_the_other_sign_and_the_same_pairs(before, after):
    assume(before.keys() & after.keys())
    there, back = moves(before, after), moves(after, before)
    assert (there.others, there.moved, there.median, abs(there.largest)) == (back.others, back.moved, back.median, abs(back.largest))
    assert {frozenset(p) for p in there.swaps} == {frozenset(p) for p in back.swaps}
