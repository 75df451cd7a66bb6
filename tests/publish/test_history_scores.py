"""V4: days re-scored with today's parameters, and steps whose parts add up to the whole."""

import json
import math
from dataclasses import replace
from itertools import pairwise

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core import pipeline
from siiq_core.errors import PublicationError
from siiq_core.method.scoring import score
from siiq_core.params.loader import project_root
from siiq_core.params.method import MethodParams, load_method
from siiq_core.publish.history import CAUSES, days_inputs
from siiq_core.publish.history_scores import Ruler, explain, history_scores, ruler_of
from siiq_core.records import Benchmark, Calibration

BENCHMARKS = {b: Benchmark(b, area, family, evaluator, g, 1.0, n) for b, area, family, evaluator, g, n in (
    ("a", "math", "sums", "x", 0.0, 100), ("b", "math", "sums", "y", 0.0, 400), ("c", "coding", "loops", "x", 0.25, 60), ("d", "agents", "errands", "z", 0.0, 30))}


def ruler(**changes):
    at = Calibration(alpha=dict(a=1.1, b=0.9, c=0.7, d=1.3), beta=dict(a=0.2, b=-0.5, c=0.1, d=-1.0), sigma2=dict(a=0.2, b=0.1, c=0.3, d=0.15),
                     omega=dict(a=0.7, b=0.7, c=1.0, d=1.0), models_on=dict(a=9, b=9, c=9, d=9), shift=0.01, scale=0.98, kappa=1.1, models=(), rounds=1,
                     last_change=0.0, null_directions=2, folds=5, pairs=40)
    return Ruler(BENCHMARKS, replace(at, **changes), MethodParams.model_validate(CONSTANTS))


CONSTANTS = load_method(project_root()).model_dump()
RULER = ruler()
FRACTION = st.floats(0, 1).map(lambda x: float(f"{x:.4f}"))
INPUTS = st.dictionaries(st.sampled_from(sorted(BENCHMARKS)), FRACTION, min_size=1)


@given(INPUTS, INPUTS)
def test_the_parts_add_up_to_the_whole(before, after):
    whole = RULER.score(after).overall.siiq - RULER.score(before).overall.siiq
    parts = explain(before, after, RULER)
    assert abs(math.fsum(p.points for p in parts) - whole) < 1e-9
    assert {p.benchmark for p in parts} == {b for b in {*before, *after} if before.get(b) != after.get(b)}


@given(INPUTS, INPUTS)
def test_a_step_back_has_the_same_parts_with_the_sign_turned(before, after):
    there, back = explain(before, after, RULER), explain(after, before, RULER)
    assert all(abs(p.points + q.points) < 1e-8 for p, q in zip(there, back, strict=True))


@given(INPUTS, INPUTS)
def test_a_recalibration_is_split_off_first(before, after):
    new = ruler(alpha=dict(a=1.0, b=1.0, c=0.8, d=1.2), shift=-0.02, scale=1.01)
    first, *rest = explain(before, after, new, old=RULER)
    assert first.benchmark == "" and abs(first.points - (new.score(before).overall.siiq - RULER.score(before).overall.siiq)) < 1e-9
    assert abs(first.points + math.fsum(p.points for p in rest) - (new.score(after).overall.siiq - RULER.score(before).overall.siiq)) < 1e-9
    assert tuple(rest) == explain(before, after, new)


def test_one_change_alone_is_the_whole_step():
    before, after = {"a": 0.5, "c": 0.6}, {"a": 0.7, "c": 0.6}
    (part,) = explain(before, after, RULER)
    assert part.benchmark == "a" and part.points > 0
    assert abs(part.points - (RULER.score(after).overall.siiq - RULER.score(before).overall.siiq)) < 1e-12


def test_a_second_run_of_the_same_questions_answers_for_what_it_takes_from_the_first():
    parts = explain({"a": 0.9, "c": 0.4}, {"a": 0.9, "b": 0.9, "c": 0.4}, RULER)
    assert [p.benchmark for p in parts] == ["b"]  # a weighs half of what it did: that is b's doing


def test_a_result_that_is_clipped_before_and_after_moves_nothing():
    parts = explain({"c": 0.1, "d": 0.4}, {"c": 0.2, "d": 0.4}, RULER)  # both under chance
    assert [(p.benchmark, p.points) for p in parts] == [("c", 0.0)]


def test_a_step_needs_two_scores():
    with pytest.raises(ValueError, match="before and after"):
        explain({}, {"a": 0.5}, RULER)


# --- the shipped data ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published(shipped):
    return {name: json.loads((shipped.folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("index", "history", "history_scores")}


def test_the_file_fits_its_schema_and_names_its_calibration(published):
    from siiq_core.publish.index import SCHEMA

    schema = json.loads(SCHEMA.with_name("history_scores.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = published["history_scores"]
    jsonschema.validate(found, schema)
    causes = schema["properties"]["models"]["items"]["properties"]["days"]["items"]["properties"]["parts"]["items"]["properties"]["cause"]["enum"]
    assert set(causes) == {*CAUSES, "re-match"} - {"other row"}
    assert (found["method_version"], found["as_of"], found["calibration"]) == ("1.0.0", "2026-07-31", published["index"]["calibration"]["id"])
    assert [m["slug"] for m in found["models"]] == sorted(m["slug"] for m in published["index"]["models"])


def test_every_day_is_its_inputs_scored_with_todays_parameters(published):
    index, history = published["index"], published["history"]
    today = ruler_of(index)
    inputs = {day["day"]: days_inputs(history, day["day"]) for day in history["days"]}
    for model in published["history_scores"]["models"]:
        own = {day: {b: s for (slug, b), s in found.items() if slug == model["slug"]} for day, found in inputs.items()}
        entries = {x["day"]: x for x in model["days"]}
        last = None
        for day in inputs:
            found = score(own[day], today.benchmarks, today.calibration, today.params)
            last = entries[day]["siiq"] if day in entries else last
            assert last == (found.overall.siiq if found else None), (model["slug"], day)  # a day without an entry is like the one before


def test_the_parts_of_every_shipped_step_add_up(published):
    steps = 0
    for model in published["history_scores"]["models"]:
        assert model["days"][0]["change"] is None and model["days"][0]["parts"]
        for before, day in pairwise(model["days"]):
            if None in (before["siiq"], day["siiq"]):
                assert day["change"] is None and all(p["points"] is None for p in day["parts"])
                continue
            steps += 1
            assert abs(day["change"] - (day["siiq"] - before["siiq"])) < 1e-9
            assert abs(math.fsum(p["points"] for p in day["parts"]) - (day["siiq"] - before["siiq"])) < 1e-9
    assert steps > 200


def test_the_last_day_is_the_index(published):
    scores = {m["slug"]: m["days"][-1] for m in published["history_scores"]["models"]}
    for model in published["index"]["models"]:
        assert all(scores[model["slug"]][k] == model[k] for k in ("siiq", "low", "high", "shown")), model["slug"]
        assert scores[model["slug"]]["enough"] is (not any(x["rule"] == "K1" for x in model["not_ranked_because"]))


def test_a_history_of_other_inputs_is_refused(published):
    history = json.loads(json.dumps(published["history"]))
    change = next(c for c in history["days"][-1]["changes"] if c["score"] is not None)
    change["score"] = 0.5 if change["score"] != 0.5 else 0.6
    with pytest.raises(PublicationError, match="history ends at another score"):
        history_scores(published["index"], history)


def test_no_history_in_the_run_folder_is_refused_by_name(shipped, root, tmp_path):
    import shutil

    run = pipeline.prepare({}, str(tmp_path), root)
    for name in ("fetch.json", "results.csv", "calibration.json", "calibration_inputs.csv"):
        shutil.copyfile(shipped.folder / name, tmp_path / name)
    with pytest.raises(PublicationError, match="no history"):
        pipeline.score(run)
