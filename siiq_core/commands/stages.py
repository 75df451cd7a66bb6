"""The stages as commands run them: their options, their parameters checked before a kernel starts, their notebooks one after the other."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

STAGES = ("fetch", "calibrate", "score", "method")
MADE = {"fetch": "fetch.json", "calibrate": "calibration.json", "score": "index.json", "method": "method_figures.json",
        "difference": "difference.json"}  # by which a stage is known to have saved

Changes = Annotated[Optional[list[str]], typer.Option("-p", "--parameter", metavar="NAME=VALUE",
                    help="Alter a parameter for this run; `-p lam 0.2` and `-p lam=0.2` are the same. Repeat for more.")]
ParamsFile = Annotated[Optional[Path], typer.Option("--params", metavar="FILE", help="A YAML file of parameters to alter.")]
Out = Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of the outputs [_build/run, or _build/what-if].")]
Against = Annotated[str, typer.Option("--against", metavar="FILE", help="The index to compare with: an index.json, or the folder of a run [_build/html/data/index.json, else _build/run].")]
Timeout = Annotated[int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Longest time one cell may take.")]


def say(text: str) -> None:
    """Progress goes to stderr, so that stdout stays for results."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Say what is done and how long it took."""
    say(f"{what} …")
    start = time.monotonic()
    yield
    say(f"{what}: done in {time.monotonic() - start:.1f} s")


def changes_of(pairs: list[str] | None, file: Path | None) -> dict[str, Any]:
    """Parameters of the method, checked here, before anything starts."""
    from siiq_core.commands import parameters
    from siiq_core.evidence.own import resolved
    from siiq_core.params.loader import project_root
    from siiq_core.params.method import load_method, with_changes

    shipped = load_method(project_root())
    return resolved(parameters.changes_of(pairs, file, lambda changes, name, lines: with_changes(shipped, resolved(changes), name, lines)))


def run_stages(names: tuple[str, ...], changes: dict[str, Any], out: Path | None, timeout: int, **more: str) -> Path:
    """Run stage notebooks one after the other, with `more` parameters of their own; returns the folder that holds what they made."""
    from siiq_core.commands.difference import altered_text
    from siiq_core.notebooks import clear_left_overs, run_notebook
    from siiq_core.runs import alone, prepare

    run = prepare(changes, str(out.resolve()) if out else "")
    if run.what_if and not more:  # said by the stages before
        say(f"what-if run: {altered_text(run.what_if)}")
    with alone(run.folder, say):
        clear_left_overs(run.folder)
        for name in names:
            with reported(name):
                run_notebook(run.root, name, {**run.params.model_dump(), "out_dir": str(run.folder), **more}, run.folder, timeout, MADE[name])
    say(f"made: {near(run.folder, run.root)}")
    return run.folder


def near(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
