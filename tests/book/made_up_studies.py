"""intervals.json and criticism.json of a small made-up calibration, by the studies themselves; a name in each tries to break a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from studied import made_up

from siiq_core.files import canonical_bytes
from siiq_core.params.criticism import load_criticism, with_criticism_changes
from siiq_core.params.intervals import load_intervals, with_intervals_changes
from siiq_core.workbench.criticism import run as criticism
from siiq_core.workbench.intervals import run as intervals

HOSTILE = "<b>Made-up</b> [x](javascript:alert(1)) {{ models }}"


@cache
def _studies(root: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    at = made_up(30, 10, min_pairs=10)
    one = intervals.study(at, with_intervals_changes(load_intervals(root), {"worlds": 3, "assignments": 5}))
    two = criticism.study(at, with_criticism_changes(load_criticism(root), {"worlds": 5, "end_loading": 0.1}))
    one["errors"][0]["name"] = two["dimension"]["movers"][0]["name"] = two["dimension"]["loadings"][0]["name"] = two["developers"][0]["developer"] = HOSTILE
    return one, two


def made_up_studies(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The files of both studies, for the calibration of `index`."""
    head = {"method_version": index["method_version"], "as_of": index["as_of"], "inputs_sha256": index["calibration"]["inputs_sha256"], "parameters_sha256": "0" * 64}
    return {f"{name}.json": canonical_bytes({**head, **found}) for name, found in zip(("intervals", "criticism"), _studies(root), strict=True)}
