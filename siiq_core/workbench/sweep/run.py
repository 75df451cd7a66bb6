"""One sweep, in order: the desk's own cell, the grid, the cells that no journal has yet, and all of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.params.sweep import SweepParams
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.sweep.cell import Cell, Found, cell_of, code_sha256, inputs_sha256
from siiq_core.workbench.sweep.grid import Declared, Grid, expand, require_size
from siiq_core.workbench.sweep.journal import Journal, open_journal
from siiq_core.workbench.sweep.runners import Runner, serial

Progress = Callable[[int, int], None]  # cells finished, cells in all


@dataclass(frozen=True)
class Swept:
    """All cells of a grid side by side."""

    grid: Grid
    inputs_sha256: str
    own: Found  # the desk under no change: the method itself, where nothing was altered before
    slugs: tuple[str, ...]  # models with a score there, by slug
    cells: tuple[Found, ...]  # of every point, in grid order, without their models
    siiq: np.ndarray  # (N, M) SI-IQ points; NaN: no score in that cell
    rank: np.ndarray  # (N, M) ranks; NaN: not ranked in that cell
    computed: int  # cells computed now; the others were in the journal


def sweep(desk: Desk, declared: Declared, limits: SweepParams, version: str, folder: Path, runner: Runner = serial, workers: int = 1,
          progress: Progress = lambda done, total: None) -> Swept:
    """Compute every cell of a grid that the journal in `folder` does not have, and read all of them.

    Raises
    ------
    CalibrationRefused
        The desk's own parameters are refused, so there is nothing to compare with.
    ParameterError
        More cells than `limits` allow.
    SiiqError
        A worker or a cluster failed, or another sweep of the same inputs runs. Finished cells are kept.
    """
    inputs = inputs_sha256(desk)
    made_from = {"inputs_sha256": inputs, "method_version": version, "code_sha256": code_sha256()}
    with open_journal(folder, made_from, limits.keep_journals) as journal:
        first = cell_of({}, inputs, version)
        computed = _finish(journal, desk, [first], serial)
        own = next(found for cell, found in journal.read() if cell == first.id)
        if own.kappa is None:
            raise CalibrationRefused(own.reason.removeprefix(f"{own.rule}: "), rule=own.rule, remedy="a sweep needs parameters under which the method itself gives scores")
        grid = expand(declared, desk, own.dropped)
        require_size(grid.size, limits, workers, declared.file)
        cells = [cell_of(grid.changes(point), inputs, version) for point in grid.points()]
        computed += _finish(journal, desk, cells, runner, progress)
        return _side_by_side(grid, inputs, own, cells, journal, computed)


def _finish(journal: Journal, desk: Desk, cells: Sequence[Cell], runner: Runner, progress: Progress = lambda done, total: None) -> int:
    """Compute what the journal does not have, in grid order; returns how many that were."""
    distinct = {cell.id: cell for cell in cells}
    missing = [cell for cell in distinct.values() if cell.id not in journal]
    done = len(distinct) - len(missing)
    progress(done, len(distinct))
    for cell, found in runner(desk, missing):
        journal.add(cell.id, found)
        done += 1
        progress(done, len(distinct))
    return len(missing)


def _side_by_side(grid: Grid, inputs: str, own: Found, cells: Sequence[Cell], journal: Journal, computed: int) -> Swept:
    at: dict[str, list[int]] = {}
    for number, cell in enumerate(cells):
        at.setdefault(cell.id, []).append(number)
    slugs = tuple(sorted(own.models))
    siiq, rank = np.full((len(cells), len(slugs)), np.nan), np.full((len(cells), len(slugs)), np.nan)
    facts: dict[int, Found] = {}
    for cell, found in journal.read():
        rows = at.get(cell, [])
        places = [found.models.get(slug) for slug in slugs] if rows else []
        for row in rows:
            facts[row] = Found(found.kappa, found.dropped, found.missing, {}, found.rule, found.reason)
            siiq[row] = [np.nan if x is None else x.siiq for x in places]
            rank[row] = [np.nan if x is None or x.rank is None else x.rank for x in places]
    return Swept(grid, inputs, own, slugs, tuple(facts[k] for k in range(len(cells))), siiq, rank, computed)
