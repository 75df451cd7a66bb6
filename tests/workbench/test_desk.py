"""A desk gives what the stages give, and a what-if of benchmarks alters what it names and nothing else."""

import json
from dataclasses import asdict

import pytest

from siiq_core import pipeline
from siiq_core.errors import ParameterError
from siiq_core.workbench.desk import open_desk, rerun, with_parameters

BENCH = "aider-polyglot"


@pytest.fixture(scope="module")
def desk(shipped):
    return open_desk(shipped)


@pytest.fixture(scope="module")
def index(shipped):
    return json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))


def test_a_rerun_without_changes_is_the_published_index(desk, index):
    found = rerun(desk)
    assert {m["slug"]: (m["siiq"], m["rank"]) for m in index["models"]} == {x: (s.overall.siiq, found.standings[x].rank) for x, s in found.scores.items()}
    assert found.calibration.kappa == index["calibration"]["kappa"]


def test_a_desk_with_nothing_altered_is_the_same_desk(desk):
    assert with_parameters(desk, {}) == desk
    assert with_parameters(desk, {"lam": desk.params.lam}) == desk


def test_a_benchmark_left_out_leaves_with_its_results_and_no_other(desk):
    without = with_parameters(desk, {"drop": [BENCH]})
    assert [x["id"] for x in desk.facts if x not in without.facts] == [BENCH]
    assert {r.benchmark for r in set(desk.results) - set(without.results)} == {BENCH}


@pytest.mark.parametrize(("changes", "field", "value"), [
    ({"questions": {BENCH: 7}}, "n", 7), ({"chance": {BENCH: 0.125}}, "g", 0.125), ({"ceiling": {BENCH: 0.75}}, "c", 0.75), ({"areas": {BENCH: "math"}}, "area", "math")])
def test_each_alteration_replaces_one_field_of_one_benchmark(desk, changes, field, value):
    after = with_parameters(desk, changes)
    assert getattr(after.benchmarks[BENCH], field) == value != getattr(desk.benchmarks[BENCH], field)
    assert {b for b in desk.benchmarks if desk.benchmarks[b] != after.benchmarks[b]} == {BENCH}
    assert after.results == desk.results


def test_assumed_questions_stand_in_for_effective_ones_and_for_unknown_ones(desk):
    kinds = {x["id"]: x["n_kind"] for x in desk.facts}
    assert "effective" in kinds.values() and "assumed" in kinds.values()
    after = with_parameters(desk, {"effective_n": False, "assumed_n": 51})
    assert {b for b, x in after.benchmarks.items() if x.n == 51} >= {b for b, kind in kinds.items() if kind in ("effective", "assumed")}
    assert all(after.benchmarks[b] == desk.benchmarks[b] for b, kind in kinds.items() if kind == "defined")


@pytest.mark.parametrize("changes", [{"drop": ["aider-polyglott"]}, {"questions": {"none-such": 5}}, {"chance": {BENCH: 1.0}}, {"drop": '["aider-polyglot"]'},
                                     {"questions": {BENCH: "7"}}, {"areas": {BENCH: "cooking"}}, {"as_of": "2026-01-01"}, {"licence_policy": "strict"}, {"lamda": 0.2}])
def test_what_no_desk_can_do_is_refused_with_a_remedy(desk, changes):
    """Fault kind 19: a list that came as text is a lost type."""
    with pytest.raises(ParameterError) as refusal:
        with_parameters(desk, changes)
    assert refusal.value.remedy


def test_a_run_with_a_benchmark_out_goes_through_all_stages_and_says_so(root, tmp_path, desk):
    run = pipeline.prepare({"drop": [BENCH], "questions": {"frontiermath": 100}}, str(tmp_path), root)
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    index = json.loads((tmp_path / "index.json").read_text(encoding="utf-8"))
    assert index["what_if"]["drop"] == [[], [BENCH]]
    assert BENCH not in {b["id"] for b in index["benchmarks"]}
    again = rerun(with_parameters(desk, {name: used for name, (_, used) in index["what_if"].items()}))
    assert {m["slug"]: m["siiq"] for m in index["models"]} == {x: s.overall.siiq for x, s in again.scores.items()}
    assert asdict(again.calibration)["sigma2"] == {b["id"]: b["sigma2"] for b in index["benchmarks"] if b["in_index"]}
