"""`siiq value`: which model, at which effort, for the money; a stage beside those of the index, with parameters of its own."""

from __future__ import annotations

from pathlib import Path

import typer

from siiq_core.commands import sibling

HELP = "Beside the index: quality against cost of every model at every effort, and the cheap, the everyday and the best answer (value.json)."


def add(app: typer.Typer, say: sibling.Say) -> None:
    """The command, as one of `app`."""
    sibling.add(app, say, "value", HELP, told)


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
