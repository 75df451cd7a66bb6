"""The order of the stages, on stand-in stages: what is up to date is left alone, what failed stops the rest."""

import subprocess
import sys

import pytest

STAGES = """#!/bin/sh
echo "$1" >> calls
[ ! -e "fail-$1" ] || exit 1
mkdir -p _build/run _build/html/data
case $1 in
  fetch) made="run/results.csv run/evidence.jsonl run/history.json run/prices.json run/fetch.json";;
  calibrate) made="run/calibration.json run/calibration_inputs.csv";;
  score) made="run/index.json run/history_scores.json run/manifest.json";;
  method) made="run/method_figures.json";;
  value) made="run/value.json run/value_states.json";;
  percentile) made="run/percentile.json";;
  predict) made="run/prediction.json";;
  simulation) made="run/simulation.json";;
  intervals) made="run/intervals.json";;
  criticism) made="run/criticism.json";;
  sweep) made="run/multiverse.json";;
  book) made="html/index.html html/status.json html/data/datapackage.json html/data/index.json html/data/calibration_inputs.csv";;
esac
for name in $made; do cat notebooks/fetch.ipynb > "_build/$name"; done
"""

ALL = ["fetch", "calibrate", "score", "method", "value", "percentile", "predict", "simulation", "intervals", "criticism", "sweep", "book", "verify"]


@pytest.fixture
def project(root, tmp_path):
    """A project whose stages only note that they ran; gives a function that runs doit and tells which did."""
    here = tmp_path / "a größer place"
    for folder in ("notebooks", "params", "siiq_core", "book/en/_generated", "data/observations"):
        (here / folder).mkdir(parents=True)
    for name in ("fetch", "calibrate", "score", "method", "value", "percentile", "prediction", "simulation", "intervals", "criticism"):
        (here / "notebooks" / f"{name}.ipynb").write_text("{}", encoding="utf-8")
    for name in ("requirements.lock", "params/method.yml", "book/en/intro.md", "data/observations/a.csv"):
        (here / name).write_text("x\n", encoding="utf-8")
    program = here / "stages"
    program.write_text(STAGES, encoding="utf-8")
    program.chmod(0o755)
    text = (root / "dodo.py").read_text(encoding="utf-8")
    assert "\nSIIQ = " in text
    (here / "dodo.py").write_text(text + '\nSIIQ = "./stages"\n', encoding="utf-8")
    return here


def run(project):
    (project / "calls").write_text("", encoding="utf-8")
    code = subprocess.run([sys.executable, "-m", "doit"], cwd=project, capture_output=True).returncode
    return code, (project / "calls").read_text(encoding="utf-8").split()


def test_once_in_order_and_then_nothing(project):
    assert run(project) == (0, ALL)
    assert run(project) == (0, [])


@pytest.mark.parametrize("changed, again", [
    ("params/method.yml", ALL),
    ("data/observations/a.csv", ["fetch", "value", "percentile"]),  # its outputs come out the same, so nothing else has to run
    ("notebooks/score.ipynb", ["score"]),
    ("book/en/intro.md", ["book"]),
    ("book/en/_generated/numbers.md", []),
])
def test_only_what_a_change_concerns_runs_again(project, changed, again):
    run(project)
    (project / changed).write_text("y\n", encoding="utf-8")
    assert run(project) == (0, again)


def test_a_new_snapshot_is_noticed(project):
    run(project)
    (project / "data" / "observations" / "b.csv").write_text("x\n", encoding="utf-8")
    assert run(project) == (0, ["fetch", "value", "percentile"])


def test_a_result_that_something_else_replaced_is_made_again(project):
    run(project)
    (project / "_build" / "run" / "calibration.json").write_text("what if\n", encoding="utf-8")
    assert run(project) == (0, ["calibrate"])


def test_a_failed_stage_stops_those_after_it_and_is_tried_again(project):
    (project / "fail-calibrate").touch()
    code, calls = run(project)
    assert code != 0 and calls == ["fetch", "calibrate"]
    (project / "fail-calibrate").unlink()
    assert run(project) == (0, ALL[1:])
