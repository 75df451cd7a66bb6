"""`siiq value`: which model, at which effort, for the money; a stage beside those of the index, with parameters of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

SHARED = ("as_of", "licence_policy")  # parameters of the method that the value method heeds too
Say = Callable[[str], None]


def add(app: typer.Typer, say: Say) -> None:
    """The command, as one of `app`."""
    def command(
        parameter: Annotated[Optional[list[str]], typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="Alter a number of params/value.yml for this run. Repeat for more.")] = None,
        params: Annotated[Optional[Path], typer.Option("--params", metavar="FILE", help="A YAML file of parameters to alter.")] = None,
        out: Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of the outputs [_build/run, or _build/what-if].")] = None,
        timeout: Annotated[int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Longest time one cell may take.")] = 600,
    ) -> None:
        folder = run_value(changes_of(parameter, params), out, timeout, say)
        print(told(folder / "value.json"), end="")

    app.command(name="value", help="Beside the index: quality against cost of every model at every effort, and the cheap, the everyday and the best answer (value.json).")(command)


def changes_of(pairs: list[str] | None, file: Path | None, check: Callable[[Mapping[str, Any]], Any] | None = None) -> dict[str, Any]:
    """`--params FILE` first, then every `-p`; checked here (by `check`, else as the value method's), before a kernel starts."""
    from siiq_core.errors import ParameterError
    from siiq_core.params.loader import parse_yaml, read_text
    from siiq_core.params.method import parse_value
    from siiq_core.siblings.value.run import prepare_value

    changes = parse_yaml(read_text(file), file.name)[0] if file else {}
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        if not equals:
            raise ParameterError("a parameter needs a value", column=name, remedy="-p NAME VALUE")
        changes[name.strip()] = parse_value(text)
    (check or prepare_value)(changes)
    return changes


def run_value(changes: Mapping[str, Any], out: Path | None, timeout: int, say: Say) -> Path:
    """Run the value notebook; returns the folder that holds what it made."""
    from siiq_core.notebooks import run_notebook
    from siiq_core.params.value import SCALARS
    from siiq_core.runs import alone
    from siiq_core.siblings.value.run import prepare_value

    run = prepare_value(changes, str(out.resolve()) if out else "")
    if run.what_if:
        say("what-if run: " + ", ".join(f"{k} {a} → {b}" for k, (a, b) in run.what_if.items()))
    start, folder = time.monotonic(), run.base.folder
    parameters = {**{name: getattr(run.base.params, name) for name in SHARED}, **{name: getattr(run.params, name) for name in SCALARS}, "out_dir": str(folder)}
    with alone(folder, say):
        say("value …")
        run_notebook(run.base.root, "value", parameters, folder, timeout, "value.json")
    say(f"value: done in {time.monotonic() - start:.1f} s")
    return folder


def told(path: Path) -> str:
    """The three answers in a few lines."""
    import json

    from siiq_core.commands.fetch import table

    found = json.loads(path.read_text(encoding="utf-8"))
    own = {v["id"]: v for v in found["variants"]}
    rows = [("answer", "variant", "quality", "cost index", "note")]
    for name in ("cheap", "everyday", "best"):  # R5: by price
        answer = found["answers"][name]
        v = own.get(answer["variant"])
        note = answer["reason"] or (f"the same as {answer['repeats']}" if answer["repeats"] else "")
        rows.append((name, v["id"], f"{v['quality']:.1f}", f"{v['cost']:.2f} US$ ({v['cost_kind']})", note) if v else (name, "none", "", "", note))
    return table(rows) + "\n"
