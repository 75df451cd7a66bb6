"""`siiq intervals` and `siiq criticism`: studies of the calibration in force; stages beside those of the index, which read them in no way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from siiq_core.commands import sibling

NAMES = ("intervals", "criticism")
HELP = {
    "intervals": "Beside the index: do 90 % intervals hold the truth in worlds where the model holds, and what do the parameters and the folds add (intervals.json)?",
    "criticism": "Beside the index: where the model fails: residuals, a second dimension, differential functioning, saturation (criticism.json).",
}


def add(app: typer.Typer, say: sibling.Say) -> None:
    """Both commands, as two of `app`."""
    sibling.add(app, say, "intervals", HELP["intervals"], told_intervals)
    sibling.add(app, say, "criticism", HELP["criticism"], told_criticism)


def told_intervals(path: Path) -> str:
    """Coverage by class and κ, in a few lines."""
    from siiq_core.commands.fetch import table

    found, rows = _read(path), [("models", "number", "lines known", "as published", "with parameters", "rank range")]
    for c in found["coverage"]["classes"]:
        name = c["id"] if c["least"] is None else f"{c['least']} to {c['most'] or 'all'} families"
        ranks = c["kinds"]["published"]["rank_covered"]
        rows.append((name, str(c["models"]), *(f"{100 * c['kinds'][k]['covered']['share']:.1f} %" for k in ("known", "published", "widened")), "-" if ranks is None else f"{100 * ranks['share']:.1f} %"))
    k = found["kappa"]
    return table(rows) + f"\nkappa {k['published']:.4f}; over {k['assignments']} other folds " + ", ".join(f"{100 * q:g} %: {x:.3f}" for q, x in k["kappas"]) + "\n"


def told_criticism(path: Path) -> str:
    """The second dimension and what differs between open and closed models, in a few lines."""
    found = _read(path)
    d, both = found["dimension"], found["differential"]
    ends = [", ".join(x["name"] for x in d["loadings"] if sign * x["loading"] >= found["parameters"]["end_loading"]) for sign in (1, -1)]
    told = ", ".join(x["name"] for x in both["benchmarks"] if x["told"]) or "none"
    return (f"second dimension: {100 * d['share']:.1f} % of squared residuals; noise gives {100 * d['noise']['median']:.1f} %, p = {d['noise']['p']:.3f}\n"
            f"one end: {ends[0]}\nother end: {ends[1]}\nopen and closed models treated differently: {told} (of {both['tested']} tested)\n")


def current(name: str, folder: Path) -> bool:
    """Whether a study in a run folder is of the calibration in force and these parameters."""
    from siiq_core.workbench.study import current as fits

    return fits(sibling.method_of(name), name, folder)


def _read(path: Path) -> dict[str, Any]:
    import json

    return json.loads(path.read_text(encoding="utf-8"))
