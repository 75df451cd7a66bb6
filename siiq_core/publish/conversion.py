"""How scores of one index convert into another's: between major versions (G1, V2), and for a candidate before it is made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from siiq_core.method.calibration.comparison import compare
from siiq_core.method.numbers import sig12


def conversion(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Models ranked in both with both scores, the straight line between them, and what changed of the set.

    The line is the least-squares one, after = intercept + slope·before; residual_sd says how far models lie off it, in
    SI-IQ points. None where fewer than two models are ranked in both.
    """
    old, new = _ranked(before), _ranked(after)
    found = compare(old, new, _in_index(before), _in_index(after))
    both = sorted(old.keys() & new.keys())
    return {
        "from": before["method_version"], "to": after["method_version"], "ranked_before": found.ranked_before, "ranked_after": found.ranked_after,
        "spearman": None if found.spearman is None else sig12(found.spearman), "median_change": None if found.median_change is None else sig12(found.median_change),
        "benchmarks_joined": list(found.joined), "benchmarks_left": list(found.left), "line": _line([old[x] for x in both], [new[x] for x in both]),
        "no_longer_ranked": sorted(old.keys() - new.keys()), "newly_ranked": sorted(new.keys() - old.keys()),
        "models": [{"slug": x, "before": old[x], "after": new[x], "change": sig12(new[x] - old[x])} for x in both],
    }


def _ranked(index: Mapping[str, Any]) -> dict[str, float]:
    return {m["slug"]: m["siiq"] for m in index["models"] if m["ranked"]}


def _in_index(index: Mapping[str, Any]) -> list[str]:
    return [b["id"] for b in index["benchmarks"] if b["in_index"]]


def _line(x: list[float], y: list[float]) -> dict[str, float] | None:
    if len(x) < 2:
        return None
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    spread = math.fsum((a - mx) ** 2 for a in x)
    if not spread:
        return None
    slope = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / spread
    left = math.fsum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y, strict=True))
    return {"intercept": sig12(my - slope * mx), "slope": sig12(slope), "residual_sd": sig12(math.sqrt(left / len(x)))}
