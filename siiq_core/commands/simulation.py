"""`siiq simulation`: which method finds known abilities again, in made-up worlds; a stage beside those of the index."""

from __future__ import annotations

from pathlib import Path

import typer

from siiq_core.commands import sibling

HELP = "Beside the index: made-up worlds with known abilities, and how well each method finds their order and spacing again (simulation.json)."


def add(app: typer.Typer, say: sibling.Say) -> None:
    """The command, as one of `app`."""
    sibling.add(app, say, "simulation", HELP, told)


def told(path: Path) -> str:
    """Error of the order by scenario and method, in a few lines."""
    import json

    from siiq_core.commands.fetch import table

    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [("scenario", *found["methods"])]
    for s in found["scenarios"]:
        rows.append((s["id"], *(_cell(s["methods"][name]) for name in found["methods"])))
    return table(rows) + f"\n1 - Spearman's rho with the true abilities (models placed); + or - where a method is told from siiq; {found['parameters']['replications']} worlds each\n"


def _cell(m: dict) -> str:
    if m["order"]["mean"] is None:
        return "-"
    mark = "" if m["against"] is None else {"better": " +", "worse": " -", "same": ""}[m["against"]["verdict"]["order"]]
    return f"{m['order']['mean']:.4f} ({m['placed']['mean']:.1f}){mark}"


def current(folder: Path) -> bool:
    """Whether the simulation in a run folder is of these parameters and this method; data may have been corrected since (V1)."""
    import json

    from siiq_core.analysis.simulation.run import made_with, prepare_simulation
    from siiq_core.analysis.simulation.methods import shipped
    from siiq_core.versions import same_calibration

    run = prepare_simulation({}, str(folder))
    try:
        found = json.loads((folder / "simulation.json").read_text(encoding="utf-8"))
        head = same_calibration(found["method_version"], run.base.version), found["parameters_sha256"], found.get("what_if")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return head == (True, made_with(run.params, shipped(run.base.root, run.params.areas)), None)
