"""`siiq score --add`: a model of one's own under the frozen calibration, by hand, and nobody else moved (C10)."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import panels
from little import index_of, own, small, write
from siiq_core.commands.adding import score_added, told
from siiq_core.errors import ParameterError, PublicationError, VerificationError
from siiq_core.workbench.adding import HINTS, added
from siiq_core.workbench.published import open_published

FULL = [("Nova 1", f"b{k:02d}", round(0.5 + 0.04 * k, 2)) for k in range(8)]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return open_published(write(tmp_path_factory.mktemp("base"), index_of(small())))


def only(found):
    assert len(found["models"]) == 1
    return found["models"][0]


def by_hand(index, scores):
    """S of a model with these results, written out: one benchmark a family."""
    at, const = index["calibration"], index["constants"]
    per_area = {}
    for b in index["benchmarks"]:
        per_area[b["area"]] = per_area.get(b["area"], 0) + b["in_index"]
    d, pull, noise = const["lam"], 0.0, 0.0
    for b in index["benchmarks"]:
        if b["id"] not in scores:
            continue
        n, p = b["n"], scores[b["id"]]
        p_star = (p * n + 0.5) / (n + 1)
        y, v = math.log(p_star / (1 - p_star)), n / ((n + 1) ** 2 * p_star * (1 - p_star))  # g = 0, c = 1
        w = per_area[b["area"]] ** -0.5 / (b["sigma2"] + v)
        d, pull, noise = d + w * b["alpha"] ** 2, pull + w * b["alpha"] * (y - b["beta"]), noise + w**2 * b["alpha"] ** 2 * (b["sigma2"] + v)
    theta, se = (pull / d - at["shift"]) / at["scale"], at["kappa"] * math.sqrt(noise) / d / at["scale"]
    return [100 + 15 * x for x in (theta, theta - 1.644854 * se, theta + 1.644854 * se)]


@pytest.mark.parametrize("rows", [FULL, FULL[:1], FULL[2:5]])
def test_the_score_is_the_one_worked_by_hand(base, rows):
    found = only(added(base, own(*rows)))
    assert [found["after"][x] for x in ("siiq", "low", "high")] == pytest.approx(by_hand(base.index, {b: s for _, b, s in rows}), abs=1e-8)
    assert found["after"]["shown"]["siiq"] == str(round(found["after"]["siiq"]))
    assert found["new"] and found["before"] is None


def test_the_arithmetic_adds_up_row_by_row(base):
    a = only(added(base, own(*FULL)))["arithmetic"]
    for total, part in (("information", "information"), ("pull", "pull"), ("noise", "noise")):
        assert a[total] == pytest.approx(math.fsum(x[part] for x in a["rows"]))
    assert a["d"] == pytest.approx(a["lam"] + a["information"]) and a["theta0"] == pytest.approx(a["pull"] / a["d"])
    assert math.fsum(x["share"] for x in a["rows"]) == pytest.approx(1) and all(x["own"] for x in a["rows"])
    assert [x["share"] for x in a["rows"]] == sorted((x["share"] for x in a["rows"]), reverse=True)


def test_where_it_would_be_ranked_and_what_it_lacks_if_not(base):
    ranked = only(added(base, own(*FULL)))["after"]
    above = [m for m in base.index["models"] if m["ranked"] and m["siiq"] > ranked["siiq"]]
    assert ranked["rank"] == len(above) + 1 and ranked["best_rank"] == 1 + sum(m["low"] > ranked["high"] for m in base.index["models"] if m["ranked"])
    few = only(added(base, own(*FULL[:3])))
    assert few["after"]["rank"] is None and {(x["rule"], x["what"], x["have"], x["need"]) for x in few["not_ranked_because"]} == {("K1", "families", 3, 5)}


@given(scores=st.lists(st.floats(0, 1), min_size=1, max_size=8), model=st.sampled_from(["Nova 1", "made-up-11", "MADE-UP-02"]))
def test_no_other_models_numbers_move(base, scores, model):
    """C10: only ranks may, and those of nobody who is far away."""
    found = added(base, own(*((model, f"b{k:02d}", s) for k, s in enumerate(scores))))
    assert found["others"]["models"] == len(base.index["models"]) - (model != "Nova 1") and found["others"]["moved"] == 0
    assert found["others"]["numbers"] > 20 * found["others"]["models"]


def test_an_index_of_other_numbers_fails_the_comparison(base):
    """The comparison is one that can fail: the same index with one number off, as another version of the code would give it."""
    models = [{**m, "areas": {**m["areas"]}, "d": m["d"] * (1 + 1e-11 * (m["slug"] == "made-up-07"))} for m in base.index["models"]]
    with pytest.raises(VerificationError, match="C10") as refusal:
        added(replace(base, index={**base.index, "models": models}), own(*FULL))
    assert refusal.value.column == "made-up-07"
    added(replace(base, index={**base.index, "models": models}), own(("made-up-07", "b00", 0.5)))  # whose own rows they are


def test_a_known_model_is_told_with_what_it_was_before(base):
    was = next(m for m in base.index["models"] if m["slug"] == "made-up-12")
    published = {r["benchmark"]: r["score"] for r in was["results"]}
    found = added(base, own(("MADE-UP-12", "b00", 0.99)))
    assert only(found)["before"]["siiq"] == was["siiq"] and not only(found)["new"]
    assert only(found)["after"]["siiq"] == pytest.approx(by_hand(base.index, {**published, "b00": 0.99})[0], abs=1e-8)
    assert found["rows"][0]["in_place_of"] == published.get("b00")


def test_a_second_run_of_a_question_set_shares_its_weight(tmp_path):
    """f of S: two benchmarks of one family weigh half each."""
    desk = small()
    facts = tuple({**x, "family": "b00"} if x["id"] == "b05" else x for x in desk.facts)
    base = open_published(write(tmp_path, index_of(replace(desk, facts=facts))))
    rows = only(added(base, own(*FULL)))["arithmetic"]["rows"]
    assert {x["benchmark"]: x["f"] for x in rows if x["f"] != 1} == {"b00": 0.5, "b05": 0.5}


def test_a_row_on_a_benchmark_that_is_out_says_so(tmp_path):
    desk = small()
    few = replace(desk, results=tuple(r for r in desk.results if r.benchmark != "b07" or r.model < "made-up-04"))
    base = open_published(write(tmp_path, index_of(few)))
    found = added(base, own(("Nova 1", "b07", 0.5), ("Nova 2", "b00", 0.5), ("Nova 2", "b07", 0.5)))
    assert [x["counts"] for x in found["rows"]] == [False, True, False] and found["rows"][0]["why"] == "b07 is out of the index: E3"
    nova1, nova2 = found["models"]
    assert nova1["after"] is None and [x["benchmark"] for x in nova2["arithmetic"]["rows"]] == ["b00"]
    assert "none of its results is on a benchmark of the index" in told(found)


@pytest.mark.parametrize(("rows", "said"), [(own(("Nova 1", "b0", 0.5)), "did you mean"), (own(("Nova 1", "b00", 0.5), ("Nova 1", "b00", 0.6)), "keep one"), (own(("made up 11", "b00", 0.5)), "made-up-11")])
def test_what_has_no_place_is_refused(base, rows, said):
    with pytest.raises(ParameterError) as refusal:
        added(base, rows)
    assert said in refusal.value.remedy and refusal.value.file == "rows.csv" and refusal.value.row


def test_a_new_name_that_is_like_a_known_one_is_told_and_not_matched(base):
    like = only(added(base, own(("MADE-UP-1l", "b00", 0.5))))
    assert like["new"] and like["slug"] == "made-up-1l" and like["nearest"] in {m["name"] for m in base.index["models"]}
    assert only(added(base, own(("Nova 1", "b00", 0.5))))["nearest"] is None


def test_likeness_is_to_published_names_and_not_looked_for_among_thousands(base):
    """One's own rows are no names that one may have mistyped; many names at once would take minutes."""
    assert all(m["nearest"] is None for m in added(base, own(("Nova 1", "b00", 0.5), ("Nova 12", "b00", 0.5)))["models"])
    known = base.index["models"][0]["name"]
    found = added(base, own(*((f"{known}x{k}", "b00", 0.5) for k in range(HINTS))))
    assert all(m["nearest"] for m in found["models"])
    found = added(base, own(*((f"{known}x{k}", "b00", 0.5) for k in range(HINTS + 1))))
    assert not any(m["nearest"] for m in found["models"])


def test_a_clipped_score_and_one_that_the_pull_makes_are_told(tmp_path):
    desk = small()
    facts = tuple({**x, "c": 0.9} if x["id"] == "b00" else {**x, "g": 0.1} if x["id"] == "b01" else x for x in desk.facts)
    base = open_published(write(tmp_path, index_of(replace(desk, facts=facts))))
    found = added(base, own(("Nova 1", "b00", 0.95), ("Nova 1", "b01", 0.05), ("Nova 2", "b02", 0.5)))
    assert [x["clipped"] for x in found["rows"]] == ["above the ceiling", "below the chance level", None]
    text = told(found)
    assert text.count("counts as at it (T)") == 2 and text.count("the results say little") == 1  # at its limits a score says next to nothing
    assert text.index("the results say little") < text.index("== Nova 2")


def test_a_row_measured_by_somebody_else_is_told_as_whose_it_counts(base):
    """L: each evaluator's runs are a benchmark of their own."""
    found = added(base, own(("Nova 1", "b00", 0.5, {"evaluator": "Somebody"}), ("Nova 1", "b01", 0.5, {"evaluator": "ev1"})))
    assert [x["counted_as"] for x in found["rows"]] == ["ev0", None] and "counted among the runs of ev0" in told(found)


def test_the_command_prints_text_or_the_same_as_json_and_writes_nothing(base, tmp_path):
    run = tmp_path / "run"
    path = write(run, base.index)
    rows = tmp_path / "rows.csv"
    rows.write_text("model,benchmark,score\n" + "".join(f'"Nova\u202e <b>1</b>",{b},{s}\n' for _, b, s in FULL), encoding="utf-8")
    before = {x: x.read_bytes() for x in tmp_path.rglob("*") if x.is_file()}
    text, found = score_added(tmp_path, rows, str(run), False), json.loads(score_added(tmp_path, rows, str(path), True))
    assert {x: x.read_bytes() for x in tmp_path.rglob("*") if x.is_file()} == before
    assert found == json.loads(json.dumps(added(base, [{"model": "Nova\u202e <b>1</b>", "benchmark": b, "score": s, "file": "rows.csv", "row": k} for k, (_, b, s) in enumerate(FULL, 1)])))
    assert "\u202e" not in text and f"SI-IQ {only(found)['after']['shown']['siiq']}, 90 % interval" in text and "0 differ" in text
    a = only(found)["arithmetic"]
    assert f"D = 0.10 + {a['information']:.4f} = {a['d']:.4f}" in text and f"= {a['siiq']:.2f} → {round(a['siiq'])}" in text


def test_the_command_needs_an_index(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("model,benchmark,score\nNova 1,b00,0.5\n", encoding="utf-8")
    with pytest.raises(PublicationError, match="--against"):
        score_added(tmp_path, rows, "", False)


def test_thresholds_are_those_of_the_index(tmp_path):
    base = open_published(write(tmp_path, index_of(small(min_families_ranked=3))))
    assert only(added(base, own(*FULL[:3])))["after"]["rank"] is not None
    assert panels.params().min_families_ranked == 5
