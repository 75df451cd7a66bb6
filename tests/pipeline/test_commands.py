"""The command line as people use it: exit codes, refusals, what-if runs, and notebooks that fail in every way."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

SIIQ = [sys.executable, "-m", "siiq_core.cli"]


def run(*words, project=None, **more):
    environment = {**os.environ, **({"SIIQ_ROOT": str(project)} if project else {})}
    return subprocess.run([*SIIQ, *words], capture_output=True, text=True, env=environment, timeout=1200, cwd=project, **more)


def test_help_lists_the_commands():
    shown = run("--help").stdout
    for name in ("fetch", "calibrate", "score", "run", "book", "verify", "import", "names", "value", "percentile", "predict", "simulation", "intervals", "criticism", "sweep"):
        assert f"  {name} " in shown
    assert run("--version").stdout.strip() == "1.0.0"


@pytest.mark.parametrize(("words", "said"), [
    (["calibrate", "-p", "lamda", "0.2"], "did you mean 'lam'"),
    (["calibrate", "-p", "lam", '"0.2"'], "a number is needed"),
    (["calibrate", "-p", "lam=-1"], "0 to 10"),
    (["fetch", "-p", "drop", '["aider-polyglott"]'], "did you mean 'aider-polyglot'"),
    (["fetch", "-p", "drop", '"aider-polyglot"'], "a list of benchmark ids"),
    (["run", "-p", "add_rows", "none.csv"], "none.csv"),
    (["score", "--add", "none.csv", "-p", "lam", "0.2"], "the calibration is frozen"),
    (["value", "-p", "min_benchmark", "1"], "did you mean 'min_benchmarks'"),
    (["value", "-p", "min_benchmarks", "3"], "1 or 2"),
    (["value", "-p", "lam", "0.2"], "unknown parameter"),
    (["percentile", "-p", "min_dimension", "2"], "did you mean 'min_dimensions'"),
    (["percentile", "-p", "overlap_factor", "0.5"], "exact fraction"),
    (["predict", "-p", "round", "10"], "did you mean 'rounds'"),
    (["predict", "-p", "rounds", "1"], "2 to 100"),
    (["simulation", "-p", "model", "50"], "did you mean 'models'"),
    (["simulation", "-p", "replications", "1"], "2 to 1000"),
    (["simulation", "-p", "as_of", "2026-01-01"], "unknown parameter"),
    (["intervals", "-p", "world", "50"], "did you mean 'worlds'"),
    (["criticism", "-p", "noise_quantile", "2"], "0.5 to 0.999"),
    (["run", "-p", "lam", "0.2", "-p", "lam", "0.3"], "is given twice"),
    (["run", "-p", "chance", '{"hle": 0.5}', "-p", "ceiling", '{"hle": 0.4}'], "not below the ceiling"),
    (["sweep", "none-such.yml"], "none-such.yml"),
    (["sweep", "-p", "lamda", "0.2"], "did you mean 'lam'"),
    (["sweep", "--workers", "-1"], "--workers"),
    (["nonsense"], "No such command"),
    (["calibrate", "--nonsense"], "No such option"),
])
def test_usage_is_refused_before_anything_starts(words, said):
    done = run(*words)
    assert done.returncode == 2 and said in done.stderr
    assert "…" not in done.stderr.split("siiq:")[0], "a stage had started"


def test_verify_refuses_a_missing_file(tmp_path):
    done = run("verify", str(tmp_path / "none.json"))
    assert done.returncode == 1 and "none.json" in done.stderr


def test_all_stages_then_what_if_by_command_and_by_papermill(project):
    """A what-if run writes beside the run, says what it altered, and both ways of running agree."""
    (project / "params" / "multiverse.yml").write_text("axes: {lam: [0.1, 0.2], omega: [true, false]}\n", encoding="utf-8")
    first = run("run", project=project)
    assert first.returncode == 0 and "without a difference at the end" in first.stderr and first.stdout == ""
    assert json.loads((project / "_build" / "run" / "multiverse.json").read_text(encoding="utf-8"))["counts"]["cells"] == 4
    index = (project / "_build" / "run" / "index.json").read_bytes()
    assert run("verify", "_build/run/index.json", project=project).returncode == 0
    done = run("run", "-p", "lam", "0.2", project=project)
    assert done.returncode == 0 and "what-if run: lam 0.1 → 0.2" in done.stderr
    altered = json.loads((project / "_build" / "what-if" / "index.json").read_text(encoding="utf-8"))
    assert altered["what_if"] == {"lam": [0.1, 0.2]} and altered["constants"]["lam"] == 0.2
    assert done.stdout.startswith("altered: lam 0.1 → 0.2\n") and "C8 and C9 would let it pass" in done.stdout
    difference = (project / "_build" / "what-if" / "difference.json").read_bytes()
    assert (project / "_build" / "run" / "index.json").read_bytes() == index
    calibration = (project / "_build" / "what-if" / "calibration.json").read_bytes()
    (project / "_build" / "what-if" / "calibration.json").unlink()
    plain = subprocess.run([sys.executable, "-m", "papermill", "notebooks/calibrate.ipynb", "out.ipynb", "-p", "lam", "0.2"],
                           cwd=project, capture_output=True, text=True, env={**os.environ, "SIIQ_ROOT": str(project)})
    assert plain.returncode == 0, plain.stderr
    assert (project / "_build" / "what-if" / "calibration.json").read_bytes() == calibration
    shown = subprocess.run([sys.executable, "-m", "papermill", "notebooks/difference.ipynb", "out.ipynb", "-p", "lam", "0.2"],
                           cwd=project, capture_output=True, text=True, env={**os.environ, "SIIQ_ROOT": str(project)})
    assert shown.returncode == 0, shown.stderr
    assert (project / "_build" / "what-if" / "difference.json").read_bytes() == difference
    by_file = subprocess.run([sys.executable, "-m", "papermill", "notebooks/calibrate.ipynb", "out.ipynb", "-f", "params/method.yml"],
                             cwd=project, capture_output=True, text=True, env={**os.environ, "SIIQ_ROOT": str(project)})
    assert by_file.returncode == 0, by_file.stderr
    wrong = subprocess.run([sys.executable, "-m", "papermill", "notebooks/calibrate.ipynb", "out.ipynb", "-p", "lamda", "0.2"],
                           cwd=project, capture_output=True, text=True, env={**os.environ, "SIIQ_ROOT": str(project)})
    assert wrong.returncode != 0 and "did you mean 'lam'" in wrong.stderr


@pytest.mark.parametrize(("cell", "said"), [
    ("raise RuntimeError('made to fail')", "made to fail"),
    ("import os; os._exit(9)", "kernel died"),
    ("import time; time.sleep(600)", "longer than 30 s"),
    ("from siiq_core.errors import DataError; raise DataError('made to fail', remedy='mend it')", "made to fail Remedy: mend it; nothing"),
])
def test_a_failing_notebook_leaves_the_earlier_outputs(project, cell, said):
    """Fault kind 20."""
    assert run("fetch", project=project).returncode == 0
    folder = project / "_build" / "run"
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    (folder / ".fetch.left.running.ipynb").touch()  # by a run that was killed
    path = project / "notebooks" / "fetch.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(len(notebook.cells) - 1, nbformat.v4.new_code_cell(cell))
    nbformat.write(notebook, path)
    done = run("fetch", "--timeout", "30", project=project)
    assert done.returncode == 1 and said in done.stderr and "nothing was published" in done.stderr
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_a_score_without_a_fitting_calibration_is_refused(project):
    assert run("fetch", project=project).returncode == 0
    done = run("score", project=project)
    assert done.returncode == 1 and "siiq calibrate first" in done.stderr


def spoil(project: Path, file: str, before: str, after: str) -> None:
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.mark.parametrize(("file", "before", "after", "said"), [
    ("params/method.yml", "lam: 0.1 ", "lam: abc ", "method.yml, row"),
    ("params/benchmarks.csv", "knowledge", "wisdom", "benchmarks.csv, row 1"),
    ("params/sources.yml", "license: CC BY 4.0", "licence: CC BY 4.0", "sources.yml, row"),
    ("data/observations/aider/2025-10-04.csv", '""pass_rate_2"":""', '""pass_rate_2"":""8', "aider/2025-10-04.csv, column 'rows_sha256'"),
])
def test_spoiled_files_are_named_with_row_and_column(project, file, before, after, said):
    spoil(project, file, before, after)
    done = run("fetch", project=project)
    assert done.returncode != 0 and said in done.stderr, done.stderr
    assert not (project / "_build" / "run" / "results.csv").exists()
