"""`siiq percentile`: positions on boards, without a latent scale; a stage beside those of the index, with parameters of its own."""

from __future__ import annotations

from pathlib import Path

import typer

from siiq_core.commands import sibling

HELP = "Beside the index: midrank percentiles on every board, by dimension, and a composite where enough was measured (percentile.json)."


def add(app: typer.Typer, say: sibling.Say) -> None:
    """The command, as one of `app`."""
    sibling.add(app, say, "percentile", HELP, told)


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
