"""`siiq sweep`: the method run again on every combination of declared choices, here or on a cluster, and which of them matter."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from siiq_core.commands.stages import changes_of, near

Say = Callable[[str], None]

HELP = """Which choices matter: the method run again on every combination of declared ones (multiverse.json).

GRID is a YAML file with values for parameters of params/method.yml, all crossed with each other:

\b
    axes:
      lam: [0.1, 0.2, 0.5]
      omega: [true, false]
      leave_out: [none, benchmark, evaluator, area]

`leave_out` leaves out each benchmark, each evaluator's benchmarks, each area in turn. Without GRID: params/multiverse.yml, the grid of the book.

Each finished cell goes to a journal in _build/sweep/. A sweep that was stopped or killed goes on from there, and a cell is never computed twice
on the same data by the same code, also not for another grid. A cell in which the method refuses to calibrate (C5, C8) is a finding and is counted.

On a cluster: `dask scheduler` on one machine, `dask worker tcp://HOST:8786` on each that helps, all with this version of siiq_core installed, then
`siiq sweep GRID --scheduler tcp://HOST:8786`. Workers may come and go. The same bytes come out wherever cells are computed. Who reaches a scheduler
can run code on its workers: keep it in a network of your own."""


def add(app: typer.Typer, say: Say) -> None:
    """The command, as one of `app`."""

    def command(
        grid: Annotated[Optional[Path], typer.Argument(metavar="GRID", help="A grid file [params/multiverse.yml].")] = None,
        workers: Annotated[int, typer.Option("--workers", min=0, max=1024, metavar="N", help="Processes on this machine; 0: one for each core.")] = 0,
        scheduler: Annotated[str, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, such as tcp://127.0.0.1:8786, instead of processes of this machine.")] = "",
        parameter: Annotated[Optional[list[str]], typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="Alter a parameter of the method in every cell. Repeat for more.")] = None,
        params: Annotated[Optional[Path], typer.Option("--params", metavar="FILE", help="A YAML file of parameters to alter in every cell.")] = None,
        out: Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of multiverse.json [_build/run; of a grid of one's own _build/sweep/NAME].")] = None,
    ) -> None:
        print(told(run_sweep(say, grid, workers, scheduler, changes_of(parameter, params), out)), end="")

    app.command(name="sweep", help=HELP)(command)


def run_sweep(say: Say, grid: Path | None = None, workers: int = 0, scheduler: str = "", changes: Mapping[str, Any] | None = None, out: Path | None = None) -> Path:
    """Sweep a grid on the run of some parameters; returns the file that says what came out."""
    from siiq_core.runs import alone, prepare
    from siiq_core.workbench.sweep.runners import cores
    from siiq_core.workbench.sweep.stage import JOURNALS, MADE, SHIPPED, sweep_stage

    run = prepare(changes, str(out.resolve() if out else (JOURNALS / grid.stem) if grid else ""))
    if run.what_if:
        say("in every cell: " + ", ".join(f"{k} {a} → {b}" for k, (a, b) in run.what_if.items()))
    start, at_work = time.monotonic(), workers or cores()
    with shown(say) as progress:
        outcome = sweep_stage(run, grid or run.root / SHIPPED, at_work, scheduler, progress, say)
    with alone(run.folder, say):
        outcome.save()
    cells, computed = outcome.value.grid.size, outcome.value.computed
    say(f"sweep: {cells} cells, {computed} of them computed now, in {time.monotonic() - start:.1f} s: {near(run.folder / MADE, run.root)}")
    return run.folder / MADE


def refresh(say: Say, folder: Path) -> None:
    """The sweep of a new run, for its book. An earlier one stays while no recalibration came after it (V1: the same major and
    minor version), and where none can be made: the page says of which day it is.
    """
    from siiq_core.errors import SiiqError
    from siiq_core.runs import read_json
    from siiq_core.versions import same_calibration
    from siiq_core.workbench.sweep.stage import MADE

    if (folder / MADE).is_file() and same_calibration(*(read_json(folder / name)["method_version"] for name in (MADE, "index.json"))):
        say("sweep: the earlier one stays, since nothing was calibrated anew")
        return
    try:
        run_sweep(say, out=folder)
    except SiiqError as error:
        if not (folder / MADE).is_file():
            raise
        say(f"sweep: {error}. The earlier one stays")


@contextmanager
def shown(say: Say) -> Iterator[Callable[[int, int], None]]:
    """Progress on stderr: a bar with the time left on a terminal, a line for every tenth elsewhere."""
    if not sys.stderr.isatty():
        yield _lines(say)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(TextColumn("cells"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("cells", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(say: Say) -> Callable[[int, int], None]:
    begun: list[float] = []  # time and cells of the first call
    last = [-1]

    def progress(done: int, total: int) -> None:
        begun.extend([] if begun else [time.monotonic(), done])
        tenth = 10 * done // max(total, 1)
        if tenth > last[0]:
            last[0] = tenth
            pace = (time.monotonic() - begun[0]) / (done - begun[1]) if done > begun[1] else None
            say(f"  {done} of {total} cells" + (f", about {pace * (total - done):.0f} s left" if pace is not None and done < total else ""))

    return progress


def told(path: Path) -> str:
    """What a sweep found, in a few lines."""
    from siiq_core.commands.fetch import table

    found = json.loads(path.read_text(encoding="utf-8"))
    shares, overall, names = found["shares"], found["overall"], [axis["name"] for axis in found["axes"]]
    rows = [("choice", "levels", "share of variance, scores", "points", "share, ranks", "ranks")]
    points, ranks = ("points" if shares["score"]["models"] else ""), ("ranks" if shares["rank"]["models"] else "")
    rows += [(name, str(len(axis["levels"])), *_part(score, points), *_part(rank, ranks))
             for name, axis, score, rank in zip(names, found["axes"], shares["score"]["axes"], shares["rank"]["axes"], strict=True)]
    rows.append(("interactions", "", *_part(shares["score"]["interactions"], points), *_part(shares["rank"]["interactions"], ranks)))
    refused = ", ".join(f"{n} by {rule}" for rule, n in found["counts"]["refused"].items()) or "none"
    first = ", ".join(f"{x['model']} in {x['cells']}" for x in overall["first"][:5]) or "nobody"
    inside = "–" if overall["inside"] is None else f"{overall['inside']:.1%}"
    widest = "–" if overall["median_range"] is None else f"{overall['median_range']:.1f}"
    return (table(rows) + f"\ncells refused: {refused}\nfirst: {first}\n"
            f"scores of ranked models within their own interval: {inside}\nhalf of the ranked models range over no more than {widest} points\n")


def _part(x: Mapping[str, float | None], unit: str) -> tuple[str, str]:
    """Share and size; dashes for what there is none of, and no zeros, where no model has a value in every cell (`unit` "")."""
    return ("–" if x["share"] is None else f"{x['share']:.1%}"), (f"{x['size']:.2f} {unit}" if unit else "–")
