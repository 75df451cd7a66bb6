"""`siiq percentile`: positions on boards, without a latent scale; a stage beside those of the index, with parameters of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

Say = Callable[[str], None]


def add(app: typer.Typer, say: Say) -> None:
    """The command, as one of `app`."""
    def command(
        parameter: Annotated[Optional[list[str]], typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="Alter a number of params/percentile.yml for this run. Repeat for more.")] = None,
        params: Annotated[Optional[Path], typer.Option("--params", metavar="FILE", help="A YAML file of parameters to alter.")] = None,
        out: Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of the outputs [_build/run, or _build/what-if].")] = None,
        timeout: Annotated[int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Longest time one cell may take.")] = 600,
    ) -> None:
        from siiq_core.commands.value import changes_of
        from siiq_core.siblings.percentile.run import prepare_percentile

        folder = run_percentile(changes_of(parameter, params, prepare_percentile), out, timeout, say)
        print(told(folder / "percentile.json"), end="")

    app.command(name="percentile", help="Beside the index: midrank percentiles on every board, by dimension, and a composite where enough was measured (percentile.json).")(command)


def run_percentile(changes: Mapping[str, Any], out: Path | None, timeout: int, say: Say) -> Path:
    """Run the percentile notebook; returns the folder that holds what it made."""
    from siiq_core.notebooks import run_notebook
    from siiq_core.params.percentile import SCALARS, plain
    from siiq_core.runs import alone
    from siiq_core.siblings.percentile.run import SHARED, prepare_percentile

    run = prepare_percentile(changes, str(out.resolve()) if out else "")
    if run.what_if:
        say("what-if run: " + ", ".join(f"{k} {a} → {b}" for k, (a, b) in run.what_if.items()))
    start, folder = time.monotonic(), run.base.folder
    parameters = {**{name: getattr(run.base.params, name) for name in SHARED}, **{name: plain(getattr(run.params, name)) for name in SCALARS}, "out_dir": str(folder)}
    with alone(folder, say):
        say("percentile …")
        run_notebook(run.base.root, "percentile", parameters, folder, timeout, "percentile.json")
    say(f"percentile: done in {time.monotonic() - start:.1f} s")
    return folder


def told(path: Path) -> str:
    """Who has a full score, in a few lines."""
    import json

    from siiq_core.commands.fetch import table

    found = json.loads(path.read_text(encoding="utf-8"))
    own = sorted((c for c in found["configurations"] if c["score"] is not None), key=lambda c: (-c["score"], c["id"]))
    rows = [("configuration", "score", *(d["id"] for d in found["dimensions"]))]
    for c in own:
        rows.append((c["id"], f"{c['score']:.1f}", *("–" if x["score"] is None else f"{x['score']:.1f} ({x['confidence']})" for x in (c["dimensions"][d["id"]] for d in found["dimensions"]))))
    counts = found["counts"]
    return table(rows) + f"\n{counts['scored']} of {counts['configurations']} configurations have a score\n"
