"""Errors by hand; all methods judged by the same results; the shipped data against an independent run of the method."""

import json
import math
import shutil
from dataclasses import replace

import jsonschema
import pytest
from panels import benchmarks, params, reference, results

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes
from siiq_core.method.transform import transform_one
from siiq_core.params.loader import project_root
from siiq_core.params.prediction import load_prediction, with_prediction_changes
from siiq_core.records import Result
from siiq_core.runs import calibrated
from siiq_core.workbench.desk import desk_of, open_desk
from siiq_core.workbench.prediction import held_out
from siiq_core.workbench.prediction.held_out import METHODS, Answered, ask, coverage, deviations, mean_error, median_error, paired, rows, summary, worst
from siiq_core.workbench.prediction.predictor import Guess, Setting
from siiq_core.workbench.prediction.run import finished, predict, prediction_stage, prepare_prediction
from siiq_core.workbench.prediction.splits import Design, Question, Round, hidden_cells

BENCHES = benchmarks(3, n=100)
AT = Setting(BENCHES, (), params(), load_prediction(project_root()))


def answered(model, score, siiq, other=0.5, sd=0.4, bench="b00"):
    """One hidden result with SI-IQ's guess and the same guess of every other method."""
    guess = None if siiq is None else Guess(siiq, transform_one(siiq, 0, 1, 100)[0], sd)
    return Answered("0", model, bench, score, 3, {name: guess if name == "siiq" else None if other is None else Guess(other) for name in METHODS})


def test_mean_and_median_of_absolute_errors():
    offs = [0.1, -0.3, 0.02, -0.06]
    assert mean_error(offs) == pytest.approx(0.12) and median_error(offs) == pytest.approx(0.08)
    assert mean_error([]) is None and median_error([]) is None


def test_deviations_are_on_the_logit_scale_of_what_was_hidden():
    x = answered("m", 0.7, 0.5)
    y = math.log((0.7 * 100 + 0.5) / (0.3 * 100 + 0.5))
    assert deviations(x, AT) == pytest.approx(y / 0.4)
    assert abs(deviations(x, AT) - (0.7 - 0.5) / 0.4) > 1


def test_coverage_counts_both_sides_and_needs_something_to_count():
    own = [answered("m", s, 0.5) for s in (0.2, 0.4, 0.5, 0.6, 0.8)]  # logits of about ∓1.37, ∓0.40, 0, in units of 0.4
    assert coverage(own, AT, 1.644854) == pytest.approx(3 / 5) and coverage(own, AT, 3.5) == 1 and coverage(own, AT, 0.9) == pytest.approx(1 / 5)
    assert coverage([], AT, 1.0) is None


def test_a_result_below_chance_counts_as_one_at_chance():
    bench = replace(BENCHES["b00"], g=0.25)
    at = replace(AT, benchmarks={"b00": bench})
    low = Answered("0", "m", "b00", 0.1, 1, {"siiq": Guess(0.25, transform_one(0.25, 0.25, 1, 100)[0], 0.4)})
    assert deviations(low, at) == pytest.approx(0)


def test_paired_differences_take_a_models_results_as_one_draw():
    """d = 0.1, 0.3 of m and −0.1 of n: mean 0.1; sums of deviations 0.2 and −0.2: error √(0.04 + 0.04)/3."""
    own = [answered("m", 0.6, 0.5, 0.4), answered("m", 0.9, 0.8, 0.5), answered("n", 0.5, 0.7, 0.4)]
    assert [round(abs(x.off("mean")) - abs(x.off("siiq")), 9) for x in own] == [0.1, 0.3, -0.1]
    assert paired(own, "mean") == pytest.approx((0.1, math.sqrt(0.08) / 3))
    assert paired(own[:2], "mean") is None


def test_what_one_method_cannot_predict_is_left_out_for_all_and_counted():
    own = [answered("m", 0.6, 0.5, 0.4), answered("n", 0.9, None, 0.1), answered("o", 0.3, 0.3, None)]
    found = summary(Design("cells", (Round("0", (), ()),), {}), own, AT)
    told = {m["id"]: m for m in found["methods"]}
    assert (found["hidden"], found["compared"], found["nothing_known"]) == (3, 1, 0)
    assert (told["siiq"]["mean"], told["mean"]["mean"]) == (0.1, 0.2) and (told["siiq"]["cannot"], told["mean"]["cannot"]) == (1, 1)
    assert told["siiq"]["alone"] == {"cells": 2, "mean": 0.05, "median": 0.05} and told["mean"]["alone"]["mean"] == 0.5
    assert told["siiq"]["against"] is None and told["mean"]["against"] is None  # one model is no comparison
    assert found["benchmarks"] == [{"id": "b00", "area": "knowledge", "cells": 1, "median": 0.1, "bias": 0.1, "coverage": 1.0, "mean": {name: 0.1 if name == "siiq" else 0.2 for name in METHODS}}]
    empty = summary(Design("later", (), {}), own[1:], AT)
    assert empty["compared"] == 0 and empty["methods"][0]["mean"] is None and empty["methods"][0]["width"] is None and empty["calibration"][0]["covered"] is None


@pytest.mark.parametrize(("other", "verdict"), [(0.9, "worse"), (0.52, "better"), (0.6, "same")])
def test_methods_are_told_apart_by_their_standard_errors(other, verdict):
    own = [answered(f"m{k}", 0.5 + 0.01 * (k % 3), 0.6, other) for k in range(6)]
    against = {m["id"]: m["against"] for m in summary(Design("cells", (), {}), own, AT)["methods"]}["mean"]
    assert against["verdict"] == verdict and (against["difference"] > 0) == (verdict == "worse")


def test_the_worst_come_first_with_their_evidence():
    own = [answered("m", 0.6, 0.5), answered("n", 0.2, 0.6), answered("o", 0.9, 0.55, None)]
    at = replace(AT, params=with_prediction_changes(AT.params, {"worst": 1}))
    (found,) = worst(own, at, {("n", "b00"): "row-n"})
    assert found["model"] == "n" and found["evidence"] == "row-n" and found["predicted"]["siiq"] == 0.6 and found["deviations"] < 0
    assert found["low"] < 0.6 < found["high"]


def test_answers_are_looked_up_when_all_have_spoken(monkeypatch):
    monkeypatch.setattr(held_out, "METHODS", {})
    said = []

    def fit(round_):
        return lambda question: said.append(question) or Guess(0.5)

    class Answers(dict):
        def __getitem__(self, pair):
            assert len(said) == 4  # two questions, two methods
            return super().__getitem__(pair)

    questions = (Question("n", "b01", {}), Question("m", "b00", {"b01": 0.2}))
    found = ask(Design("cells", (Round("0", (), questions),), Answers({("m", "b00"): 0.25, ("n", "b01"): 0.5})), {"one": fit, "two": fit})
    assert [(x.model, x.score, x.known) for x in found] == [("m", 0.25, 1), ("n", 0.5, 0)]


def test_the_same_twice_and_with_rows_in_another_order():
    """A small made-up world through all designs: the same bytes, whatever the order of its results."""
    facts = {"benchmarks": [{"id": x.id, "area": x.area, "family": x.family, "evaluator": x.evaluator, "g": x.g, "c": x.c, "n": x.n, "n_kind": "defined"} for x in benchmarks(6).values()],
             "reference": {"members": reference(14)}, "models": []}
    own = [Result(m, b, s, "v", None, "default", "ev", f"{m}/{b}") for m, b, s in results(14, 6)]
    method = params(kappa=False, min_models_per_benchmark=5, min_results_per_model=3)
    small = with_prediction_changes(load_prediction(project_root()), {"rounds": 3, "folds": 2, "min_shared": 2, "min_models_per_half": 3, "max_rounds": 200, "factor_tolerance": 1e-5, "sigmoid_tolerance": 1e-8})
    history = {"days": [{"day": day, "changes": [{"model": r.model, "benchmark": r.benchmark, "score": r.score} for k, r in enumerate(own) if (k % 4 == 3) == late]}
                        for day, late in (("2025-01-01", False), ("2025-02-01", True))]}
    one, other = (predict(desk_of(method, facts, sorted(own, key=key)), tuple(benchmarks(6)), history, small) for key in (lambda r: r.evidence, lambda r: r.evidence[::-1]))
    assert canonical_bytes(one) == canonical_bytes(other)
    assert [d["id"] for d in one["designs"]] == ["cells", "models", "benchmarks", "later"]
    assert all(d["compared"] for d in one["designs"])
    assert len(one["cells"]) == len(own) == one["designs"][0]["hidden"] and {x["round"] for x in one["cells"]} == {"0", "1", "2"}
    _valid({"method_version": "1.0.0", "as_of": "2025-02-01", "calibration": "1.0.0-made-up", **one})


def _valid(found):
    schema = json.loads((project_root() / "siiq_core" / "publish" / "schemas" / "prediction.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)


# --- the shipped data ------------------------------------------------------------------------------------------------


def test_hidden_tenths_of_the_shipped_results_agree_with_an_independent_run(shipped):
    """That run hid a tenth ten times: mean error 6.0 points, median 4.2, benchmark's mean 17.8. It found 88 % covered with the variance
    of the observed score, which a prediction cannot know; with that of the predicted one it is a little less."""
    desk = open_desk(shipped)
    at = Setting(desk.benchmarks, desk.reference, desk.params, load_prediction(shipped.root))
    design = hidden_cells(desk.cells, tuple(calibrated(shipped)[0].alpha), at.params.rounds)
    told = [x for x in ask(design, {name: METHODS[name](at) for name in ("siiq", "neighbours", "mean")}) if x.compared]
    assert 1000 < len(told) < 1325
    assert mean_error(x.off("siiq") for x in told) == pytest.approx(0.060, abs=0.003) and median_error(x.off("siiq") for x in told) == pytest.approx(0.042, abs=0.003)
    assert mean_error(x.off("mean") for x in told) == pytest.approx(0.18, abs=0.01)
    assert 0.84 < coverage(told, at, at.method.z90) < 0.89
    inside = 0
    for x in told:
        guess, bench = x.guesses["siiq"], desk.benchmarks[x.benchmark]
        y, v = transform_one(x.score, bench.g, bench.c, bench.n)
        expected = transform_one(guess.score, bench.g, bench.c, bench.n)[1]
        inside += abs(y - guess.logit) <= at.method.z90 * math.sqrt(guess.sd**2 - expected + v)
    assert inside / len(told) == pytest.approx(0.88, abs=0.01)
    published = rows(told, at, {(r.model, r.benchmark): r.evidence for r in desk.results})
    assert all(0 <= x["low"] <= x["predicted"]["siiq"] <= x["high"] <= 1 for x in published)


def test_a_run_without_its_calibration_is_refused(project, tmp_path):
    with pytest.raises(PublicationError, match="no calibration"):
        prediction_stage(prepare_prediction({}, str(tmp_path), project))


def test_with_numbers_of_its_own_the_study_is_of_the_usual_run(project, shipped):
    """It works in _build/what-if then, where nothing is, or what a rerun of the method left."""
    usual, own = project / "_build" / "run", prepare_prediction({"rounds": 2}, "", project).base
    usual.mkdir(parents=True)
    shutil.copy(shipped.folder / "calibration.json", usual)
    assert own.folder == project / "_build" / "what-if" and finished(own).folder == usual
    own.folder.mkdir()
    (own.folder / "calibration.json").write_text(json.dumps({**json.loads((usual / "calibration.json").read_text(encoding="utf-8")), "method_version": "0.9.0"}), encoding="utf-8")
    assert finished(own).folder == usual
    shutil.copy(usual / "calibration.json", own.folder)
    assert finished(own).folder == own.folder
