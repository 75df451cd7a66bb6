"""Small desks and grids for the tests of sweeps, of models that evidently do not exist."""

import json
import os
import subprocess
import sys
from pathlib import Path

import panels

from siiq_core.files import canonical_bytes
from siiq_core.params.loader import project_root
from siiq_core.params.sweep import load_sweep
from siiq_core.records import Result
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.sweep.grid import declared
from siiq_core.workbench.sweep.run import sweep
from siiq_core.workbench.sweep.runners import serial
from siiq_core.workbench.sweep.summary import summary

ROOT = Path(__file__).resolve().parents[2]
GRID = {"lam": [0.1, 0.4], "omega": [True, False], "leave_out": ["none", "benchmark"]}


def desk(results=None, benchmarks=None, reference=None, **changes) -> Desk:
    """A desk of made-up results; thresholds that so few models can meet."""
    known = benchmarks or panels.benchmarks()
    cells = sorted(results or panels.results())
    facts = tuple({"id": b.id, "area": b.area, "family": b.family, "evaluator": b.evaluator, "g": b.g, "c": b.c, "n": b.n, "n_kind": "defined"} for b in known.values())
    found = tuple(Result(m, b, s, f"{m}-1", "2025-03-01", "default", known[b].evaluator, f"{b}/{m}") for m, b, s in cells)
    params = panels.params(**{"min_pairs": 5, "min_families_ranked": 3, **changes})
    return Desk(params, found, facts, tuple(reference or panels.reference()), {})


def limits(**changes):
    return load_sweep(project_root()).model_copy(update=changes)


def swept(place: Path, axes=None, on: Desk | None = None, runner=serial, **more):
    """A sweep of some axes, its journal in `place`."""
    at, params = on or desk(), more.pop("limits", limits())
    return sweep(at, declared(axes or GRID, at, params), params, "1.0.0", place, runner, **more)


def as_bytes(found) -> bytes:
    """What the file of a sweep says, without the head that names the day."""
    return canonical_bytes(summary(found, limits()))


def environment(**more: str) -> dict[str, str]:
    """For subprocesses: this copy of the project, whatever is installed."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]), **more}


def journal_cells(place: Path) -> list[str]:
    """Cells in the journals of a folder, whole lines only."""
    lines = [line for path in place.glob("*.jsonl") for line in path.read_bytes().split(b"\n")[1:-1]]
    return [json.loads(line)["cell"] for line in lines]


def python(code: str, *words: str, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code, *words], env=environment(**more), capture_output=True, text=True, timeout=1200)
