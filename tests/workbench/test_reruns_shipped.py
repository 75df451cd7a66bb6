"""Reruns on the shipped data, as the commands and the notebook run them. Fault kinds 19 and 20 where they concern these."""

import json
import shutil
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import pytest
from typer.testing import CliRunner

from siiq_core import pipeline
from siiq_core.cli import app
from siiq_core.commands.stages import changes_of
from siiq_core.errors import ParameterError, PublicationError
from siiq_core.evidence.own import is_own
from siiq_core.notebooks import run_notebook
from siiq_core.publish.bookbuild import build_book_from_run
from siiq_core.runs import prepare, prepare_notebook
from siiq_core.verify import verify_file
from siiq_core.workbench.desk import open_desk, rerun, with_parameters
from siiq_core.workbench.difference import difference_stage

ROWS = """model,benchmark,score,setting,evaluator
GPT-5,my-quiz,0.71,,me
o3,my-quiz,0.66,,me
Grok 4,my-quiz,0.64,,me
Claude Opus 4.5,my-quiz,0.8,,me
Claude Sonnet 4.5,my-quiz,0.75,,me
Gemini 2.5 Pro (Jun 2025),my-quiz,0.62,,me
GPT-5.1,my-quiz,0.73,,me
GPT-5.2,my-quiz,0.82,,me
o4-mini,my-quiz,0.5,,me
gpt-4.1,my-quiz,0.3,,me
DeepSeek-R1,my-quiz,0.41,,me
<img src=x onerror=alert(1)>,my-quiz,0.5,high,me
<img src=x onerror=alert(1)>,hle,0.1,high,me
GPT-5,hle,0.4,high,me
"""
QUIZ = '{"my-quiz": {"area": "coding", "n": 150, "g": 0.1, "evaluator": "me"}}'
NEW = "img-src-x-onerror-alert-1"


@pytest.fixture(scope="module")
def own(root, tmp_path_factory):
    """A run with a column and a model of one's own, through the stages."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "rows.csv").write_text(ROWS, encoding="utf-8")
    changes = changes_of([f"add_rows={folder / 'rows.csv'}", f"add_benchmarks={QUIZ}"], None)
    (folder / "rows.csv").unlink()  # the rows are in the parameters
    run = pipeline.prepare(changes, str(folder / "run"), root)
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    return run


def index_of(run):
    return json.loads((run.folder / "index.json").read_text(encoding="utf-8"))


def test_stages_and_desk_agree_on_rows_of_ones_own(own, shipped):
    index = index_of(own)
    again = rerun(with_parameters(open_desk(shipped), {name: used for name, (_, used) in index["what_if"].items()}))
    assert {m["slug"]: (m["siiq"], m["rank"]) for m in index["models"]} == {x: (s.overall.siiq, again.standings[x].rank) for x, s in again.scores.items()}
    quiz = next(b for b in index["benchmarks"] if b["id"] == "my-quiz")
    assert quiz["in_index"] and quiz["models_in_fit"] == 11 and again.calibration.alpha["my-quiz"] == quiz["alpha"]


def test_such_an_index_follows_from_itself_says_what_it_is_and_is_never_a_page(own, tmp_path):
    assert verify_file(own.folder / "index.json").passed
    index = index_of(own)
    assert len(index["what_if"]["add_rows"][1]) == 14 and index["what_if"]["add_rows"][1][0]["file"] == "rows.csv"
    with pytest.raises(PublicationError, match="what-if"):
        build_book_from_run(own.folder, tmp_path / "html", own.root, lambda text: None)
    assert not (tmp_path / "html").exists()


def test_beside_a_ledger_the_rows_join_the_inputs_of_the_calibration_in_force(own, shipped):
    """A what-if of what the gate accepted: the kept inputs, with one's own rows in them or in their place."""
    calibration, record = pipeline.calibrated(shipped)
    inputs = {(m, b): s for m, b, s in pipeline.inputs_of(shipped)}
    in_force = SimpleNamespace(id="kept", at="2026-08-01T06:00:00Z", inputs=inputs, calibration=calibration, benchmarks=pipeline.benchmarks_of(record))
    gate = SimpleNamespace(memory=SimpleNamespace(state=SimpleNamespace(in_force=in_force)))
    found = pipeline.calibrate(replace(own, accepted=gate)).value
    assert found == pipeline.calibrated(own)[0] and "my-quiz" in found.alpha


def test_every_own_result_has_its_row_in_evidence_and_history(own):
    _, results, _ = pipeline.fetched(own, pipeline.quiet)
    ours = [r for r in results if is_own(r)]
    assert len(ours) == 14 and {r.model for r in ours} >= {NEW, "gpt-5", "gpt-4.1"}
    lines = [json.loads(x) for x in (own.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    evidence = {(x["id"], x["benchmark"]): x for x in lines}
    for r in ours:
        record = evidence[r.evidence, r.benchmark]
        assert record["source"] == "own" and record["current"] and float(record["row"]["score"]) == r.score
    assert [x["current"] for x in lines if (x["model"], x["benchmark"]) == ("gpt-5", "hle")].count(True) == 1
    last = json.loads((own.folder / "history.json").read_text(encoding="utf-8"))["days"][-1]["changes"]
    assert {(c["model"], c["benchmark"]): c["cause"] for c in last}.items() >= {(NEW, "my-quiz"): "new", ("gpt-5", "hle"): "revised"}.items()


def test_the_difference_of_that_run(own, shipped, tmp_path):
    stage = difference_stage(own, str(shipped.folder))
    assert stage.value["benchmarks"]["joined"] == [{"id": "my-quiz", "before": "not configured"}] and stage.value["own"]["new_models"] == [NEW]
    stage.save()
    assert json.loads((own.folder / "difference.json").read_text(encoding="utf-8")) == json.loads(json.dumps(stage.value))


def test_the_difference_makes_what_the_folder_lacks(root, shipped, tmp_path):
    """As papermill on the notebook alone would: the run folder is empty."""
    run = prepare({"lam": 0.2, "kappa": False}, str(tmp_path), root)
    shutil.copy(shipped.folder / "index.json", tmp_path / "index.json")  # of other parameters
    found = difference_stage(run, str(shipped.folder)).value
    assert found["altered"] == {"lam": [0.1, 0.2], "kappa": [True, False]} and found["summary"]["scores_moved"] == found["summary"]["scored_in_both"]


@pytest.mark.parametrize(("pairs", "said"), [
    (["add_row=rows.csv"], "did you mean 'add_rows'"), (["add_rows=none.csv"], "cannot be read"), (['add_rows="[]"'], "cannot be read"),
    (['add_rows=[{"model": "Nova 1", "benchmark": "hle", "score": "0.5"}]'], "a number is needed"), (['add_benchmarks="my-quiz"'], "definitions by benchmark")])
def test_a_lost_type_or_name_is_refused_before_anything_starts(pairs, said):
    """Fault kind 19."""
    with pytest.raises(ParameterError, match=said):
        changes_of(pairs, None)


@pytest.mark.parametrize(("rows", "said"), [([("Nova 1", "hlee", 0.5)], "did you mean 'hle'"), ([("gpt 5", "hle", 0.5)], "write gpt-5"), ([("Nova 1", "hle", 0.5), ("Nova 1", "hle", 0.6)], "row 1 says 0.5")])
def test_rows_that_fit_nothing_are_refused_when_a_run_is_prepared(root, rows, said):
    with pytest.raises(ParameterError, match=said):
        prepare({"add_rows": [{"model": m, "benchmark": b, "score": s} for m, b, s in rows]}, "", root)


def test_a_notebook_takes_the_path_that_papermill_gives_it(root, tmp_path):
    (tmp_path / "rows.csv").write_text("model,benchmark,score\nNova 1,hle,0.5\n", encoding="utf-8")
    run = prepare_notebook({"add_rows": str(tmp_path / "rows.csv"), "against": "", "out_dir": str(tmp_path)}, ("against",))
    assert run.what_if["add_rows"][1][0]["model"] == "Nova 1" and run.folder == tmp_path
    with pytest.raises(ParameterError, match="unknown parameter"):
        prepare_notebook({"against": ""})  # of a stage that compares nothing


def test_score_add_as_a_command(shipped, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("model,benchmark,score\nGPT-5,hle,0.4\nMy Model,hle,0.3\n", encoding="utf-8")
    before = {x.name: x.read_bytes() for x in shipped.folder.iterdir()}
    done = CliRunner().invoke(app, ["score", "--add", str(rows), "--against", str(shipped.folder)])
    assert done.exit_code == 0 and "in place of the published 0.2532" in done.output and "213 other models computed again" in done.output
    assert {x.name: x.read_bytes() for x in shipped.folder.iterdir()} == before
    as_json = CliRunner().invoke(app, ["score", "--add", str(rows), "--against", str(shipped.folder), "--json"])
    assert {m["slug"] for m in json.loads(as_json.output)["models"]} == {"gpt-5", "my-model"}
    for words in (["score", "--json"], ["score", "--add", str(rows), "-p", "lam=0.2"], ["score", "--against", str(shipped.folder)]):
        refused = CliRunner().invoke(app, words)
        assert isinstance(refused.exception, ParameterError) and refused.exception.remedy


def test_help_teaches():
    told = {name: " ".join(CliRunner().invoke(app, [name, "--help"]).output.split()) for name in ("run", "score")}
    assert "-p add_rows rows.csv" in told["run"] and "difference.json" in told["run"] and "--against" in told["run"]
    assert "model,benchmark,score" in told["score"] and "--add" in told["score"]


@pytest.mark.parametrize(("cell", "said"), [("raise RuntimeError('made to fail')", "made to fail"), ("import os; os._exit(9)", "kernel died"), ("import time; time.sleep(600)", "longer than 20 s")])
def test_a_difference_that_fails_leaves_the_run_and_the_earlier_difference(project, own, shipped, tmp_path, cell, said):
    """Fault kind 20."""
    folder = tmp_path / "run"
    shutil.copytree(own.folder, folder)
    (folder / "difference.json").write_text("{}", encoding="utf-8")
    before = {x.name: x.read_bytes() for x in folder.iterdir()}
    path = project / "notebooks" / "difference.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(len(notebook.cells) - 1, nbformat.v4.new_code_cell(cell))
    nbformat.write(notebook, path)
    with pytest.raises(PublicationError, match=said):
        run_notebook(project, "difference", {**own.params.model_dump(), "out_dir": str(folder), "against": str(shipped.folder)}, folder, 20, "difference.json")
    assert {x.name: x.read_bytes() for x in folder.iterdir()} == before
