"""`siiq predict`: results hidden by a fixed rule and predicted from the rest; a study of a finished run, with parameters of its own."""

from __future__ import annotations

from pathlib import Path

import typer

from siiq_core.commands import sibling

HELP = "Of a finished run: results hidden by a fixed rule and predicted from the rest, by SI-IQ and by simpler methods (prediction.json)."


def add(app: typer.Typer, say: sibling.Say) -> None:
    """The command, as one of `app`."""
    sibling.add(app, say, "prediction", HELP, told, command="predict")


def told(path: Path) -> str:
    """Errors by design and method, in a few lines."""
    import json

    from siiq_core.commands.fetch import table

    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [("design", "method", "cells", "mean error", "median", "covered at 90 %")]
    for design in found["designs"]:
        for m in design["methods"]:
            covered = "" if m["coverage"] is None else f"{100 * m['coverage']:.1f} %"
            rows.append((design["id"], m["id"], str(design["compared"]), _points(m["mean"]), _points(m["median"]), covered))
    return table(rows) + "\nabsolute errors in percentage points of the score, on the results that every method predicts\n"


def _points(error: float | None) -> str:
    return "-" if error is None else f"{100 * error:.2f}"
