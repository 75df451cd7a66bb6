"""multiverse.json of models that evidently do not exist: scores moved by made-up amounts, summed up by the sweep's own summary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from siiq_core.files import canonical_bytes
from siiq_core.params.sweep import load_sweep
from siiq_core.workbench.sweep.cell import Found, Place
from siiq_core.workbench.sweep.grid import Axis, Grid, Level
from siiq_core.workbench.sweep.run import Swept
from siiq_core.workbench.sweep.summary import summary

AXES = (Axis("lam", (Level({}, value=0.1), Level({"lam": 0.5}, value=0.5))),
        Axis("omega", (Level({"omega": False}, value=False), Level({}, value=True))),
        Axis("questions", (Level({}, value={}), Level({"questions": {"quiz-a": 7}}, value={"<b>quiz-a": 7}))),  # an axis without words of its own
        Axis("leave_out", (Level({}, kind="none"), Level({"drop": ["sums"]}, kind="benchmark", name="sums"),
                           Level({"drop": ["quiz-a", "sums"]}, kind="evaluator", name="<i>Hall of Quizzes"), Level({"drop": ["quiz-a", "quiz-b"]}, kind="area", name="knowledge"))))


def made_up_multiverse(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The file of a sweep for the day of `index`: 32 cells, one refused, in which λ does little and what is left out a lot."""
    grid = Grid(AXES)
    own = {m["slug"]: Place(m["theta"], m["siiq"], m["low"], m["high"], m["rank"]) for m in index["models"]}
    slugs = tuple(sorted(own))
    points = list(grid.points())
    siiq = np.array([[own[x].siiq + 0.5 * p[0] + (2 + k) * p[3] * (1 if k % 2 else -1) for k, x in enumerate(slugs)] for p in points])
    rank = np.array([[own[x].rank or np.nan for x in slugs] for _ in points])
    rank[1] = [np.nan if x == "nova-9" else r for x, r in zip(slugs, rank[1], strict=True)]
    cells = [Found(1.05, {"levers": "E3"}, (), {}) for _ in points]
    cells[2] = Found(None, {}, (), {}, "C8", "C8: no convergence in <500> rounds")
    siiq[2], rank[2] = np.nan, np.nan
    swept = Swept(grid, "0" * 64, Found(1.05, {"levers": "E3"}, (), own), slugs, tuple(cells), siiq, rank, len(points))
    return {"multiverse.json": canonical_bytes({"method_version": index["method_version"], "as_of": index["as_of"], **summary(swept, load_sweep(root))})}
