"""A sweep of a finished run as multiverse.json, and of a few axes for a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from siiq_core.files import canonical_bytes
from siiq_core.params.sweep import load_sweep
from siiq_core.runs import Outcome, Run, prepare, read_json
from siiq_core.workbench.desk import open_desk
from siiq_core.workbench.sweep.cell import inputs_sha256
from siiq_core.workbench.sweep.grid import declared, load_grid
from siiq_core.workbench.sweep.run import Progress, sweep
from siiq_core.workbench.sweep.runners import Runner, pool, serial
from siiq_core.workbench.sweep.summary import summary

MADE = "multiverse.json"
JOURNALS = Path("_build") / "sweep"
SHIPPED = Path("params") / "multiverse.yml"


def runner_of(workers: int, scheduler: str, inputs: str, patience: float) -> Runner:
    """Where cells are computed: on a cluster, in several processes, or in this one."""
    if scheduler:
        from siiq_core.workbench.sweep.cluster import cluster  # distributed takes its time to load

        return cluster(scheduler, inputs, patience)
    return pool(workers) if workers > 1 else serial


def sweep_stage(run: Run, grid: Path, workers: int, scheduler: str, progress: Progress, say: Callable[[str], None]) -> Outcome:
    """Every cell of a grid file on a run's results → multiverse.json; the outcome's value has the cells side by side."""
    limits, desk = load_sweep(run.root), open_desk(run)
    axes = load_grid(grid, desk, limits, workers)
    say(f"{grid.name}: " + " × ".join(axis.name for axis in axes.axes))
    found = sweep(desk, axes, limits, run.version, run.root / JOURNALS, runner_of(workers, scheduler, inputs_sha256(desk), limits.patience), workers, progress)
    head = {"method_version": run.version, "as_of": run.params.as_of, **({"what_if": dict(run.what_if)} if run.what_if else {})}
    return Outcome(run, found, {MADE: canonical_bytes({**head, **summary(found, limits)})})


def for_notebook(axes: Mapping[str, Sequence[Any]], finished: str = "") -> dict[str, Any]:
    """What a sweep found: of the file `finished` where one is named, else of the axes given, computed here and now."""
    if finished:
        return read_json(Path(finished))
    run = prepare()
    limits, desk = load_sweep(run.root), open_desk(run)
    with TemporaryDirectory() as folder:
        found = sweep(desk, declared(dict(axes), desk, limits), limits, run.version, Path(folder))
    return json.loads(canonical_bytes(summary(found, limits)))
