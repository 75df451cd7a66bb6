"""Time of what stands around the method: the gate, pages, notebooks, the start of a process. One size each, the shipped data or a small project."""

import json
import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from measuring import timed
from tests.gate.live import speed
from tests.gate.replay import rehearsal, tape
from tests.gate.village import Publisher, Village
from tests.performance import rebuild

from siiq_core.commands.stages import MADE
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import replayed
from siiq_core.gate.place import remembered
from siiq_core.notebooks import run_notebook
from siiq_core.params.loader import project_root
from siiq_core.publish.pages import generated
from siiq_core.publish.site import Site
from siiq_core.publish.words import Words

ROOT = project_root()
SMALL = int(float(os.environ.get("SIIQ_BENCH_LARGEST", "1e7"))) <= 10**3  # every benchmark once, and quickly


def test_a_cycle_of_a_small_world(benchmark, tmp_path):
    """`siiq update` in this process: eight models on six benchmarks, publishers on loopback, one other number an hour."""
    publisher = Publisher()
    village = Village(ROOT, tmp_path / "village", publisher)
    assert village.turn() == 0
    results = len(village.state.published)

    def another():
        village.scores["aider-polyglot"]["nova-3"] = round(village.scores["aider-polyglot"]["nova-3"] + 0.001, 3)
        village.serve()
        village.pace.sleep(3600)

    timed(benchmark, "gate-small", results, village.update, rounds=5, setup=another)
    publisher.close()


@pytest.fixture(scope="module")
def turning(tmp_path_factory):
    """A project of what ships, its ledger begun."""
    root = rebuild.project_in(tmp_path_factory.mktemp("turning") / "project")
    rebuild.cycle(root, None, rebuild.BEGIN)
    return root


def test_a_cycle_of_the_shipped_world(benchmark, turning):
    """One turn of the gate in this process, nothing new, nobody asked."""
    now = iter(rebuild.BEGIN + timedelta(hours=k) for k in range(1, 100))
    turned = timed(benchmark, "gate-shipped", _published(turning), lambda: rebuild.cycle(turning, None, next(now)), rounds=5)
    assert not turned.decisions


def test_a_cycle_of_the_shipped_world_with_another_number(benchmark, turning):
    """Likewise, a result changed: read again by a second reader, accepted, and its model scored."""
    now = iter(rebuild.BEGIN + timedelta(days=10, hours=k) for k in range(1, 100))

    def another():
        at = next(now)
        return (turning, rebuild.another_number(turning, "gpt-5.1", "gpqa-diamond-epoch", 0.001, at), at), {}

    turned = timed(benchmark, "gate-shipped-change", _published(turning), rebuild.cycle, rounds=3, setup=another)
    assert [(d.what, d.subject) for d in turned.decisions if d.what == "changed"] == [("changed", "gpt-5.1/gpqa-diamond-epoch")]


def _published(root):
    return len(remembered(root)[0].state.published)


def test_a_replay_of_the_ledger(benchmark, tmp_path):
    """Eight months of hours on what ships, every line read, its chain checked and its decisions made again."""
    shown = tape.tape(ROOT)
    times = list(rehearsal.hours())
    played = rehearsal.play(shown, rehearsal.STARTS["shipped"](shown), times[:50] if SMALL else times)
    lines, _ = speed.ledger_of(played.entries)
    (tmp_path / "ledger.jsonl").write_bytes(b"".join(lines))
    again = timed(benchmark, "gate-replay", len(lines), lambda: replayed(Ledger.open(tmp_path / "ledger.jsonl").entries()), rounds=1, warm=False)
    assert again.state == played.remembered.state


def test_pages(benchmark, shipped):
    """The generated pages of one language, their HTML without what Sphinx puts around it."""
    run, _, _, _ = shipped
    index, history, facts, scores = (json.loads((run.folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("index", "history", "fetch", "history_scores"))
    lines = [json.loads(x) for x in (run.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    prices = {}
    for price in json.loads((run.folder / "prices.json").read_text(encoding="utf-8"))["prices"]:
        prices.setdefault(price["model"], []).append(price)
    site = Site(index, {(x["id"], x["benchmark"]): x for x in lines}, history, facts, Words.load(ROOT), ROOT, scores={x["slug"]: x["days"] for x in scores["models"]}, prices=prices)
    count = len(generated(site, "en"))
    timed(benchmark, "page", count, lambda: generated(site, "en"), per=count)


@pytest.mark.parametrize("name", ["fetch", "calibrate", "score"])
def test_notebooks(benchmark, tmp_path, shipped, name):
    """A stage as its notebook, with the kernel that it starts."""
    run, desk, _, _ = shipped
    shutil.copytree(run.folder, tmp_path / "run")
    timed(benchmark, f"notebook-{name}", len(desk.results), lambda: run_notebook(ROOT, name, {**run.params.model_dump(), "out_dir": str(tmp_path / "run")}, tmp_path / "run", 600, MADE[name]), rounds=1, warm=False)


# --- processes ---------------------------------------------------------------------------------------------------------------------


def siiq(folder, *arguments):
    """One `siiq`, from the start of the process to its end; modules are compiled once, as they are where nobody forbids it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    return lambda: subprocess.run([sys.executable, "-c", "from siiq_core.cli import main; main()", *arguments], cwd=ROOT, env=environment, check=True, capture_output=True)


def test_help(benchmark, tmp_path):
    timed(benchmark, "start-help", 1, siiq(tmp_path, "--help"), rounds=5)


def test_results_of_ones_own(benchmark, tmp_path, shipped):
    """`siiq score --add`: one model on three benchmarks, the index verified first."""
    run, desk, found, _ = shipped
    rows = tmp_path / "rows.csv"
    rows.write_text("model,benchmark,score\n" + "".join(f"My Model,{b},0.5\n" for b in sorted(found.calibration.alpha)[:3]), encoding="utf-8")
    timed(benchmark, "start-add", len(desk.results), siiq(tmp_path, "score", "--add", str(rows), "--against", str(run.folder / "index.json")), rounds=5)


def test_an_update_with_nothing_new(benchmark, tmp_path):
    """`siiq update` of what ships: all publishers asked, on loopback, and none with anything new."""
    if not speed.SHARED.is_dir():
        pytest.skip("needs the publishers' own files beside the project (SIIQ_SHARED)")
    publisher = Publisher()
    project = speed.shipped_project(Path(tmp_path), publisher)
    for _ in range(2):  # what ships, and what the publishers have of it
        speed.one_process(project)
    _, said = timed(benchmark, "start-update", _published(project), lambda: speed.one_process(project), rounds=5, warm=False)
    assert "error" not in said, said
    publisher.close()
