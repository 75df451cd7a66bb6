"""method_figures.json for the made-up index: the shape of the real one, with few and simple numbers."""

from __future__ import annotations

import math
from typing import Any


def made_up_figures(index: dict[str, Any]) -> dict[str, Any]:
    """Figures that fit the index; the leader is its first model."""
    inside = [b for b in index["benchmarks"] if b["in_index"]]
    ranked = [m for m in index["models"] if m["ranked"]]
    leader = index["models"][0]
    tenths = [k / 100 for k in range(101)]
    three = [{**_facts(inside[k]), "alpha": inside[k]["alpha"]} for k in (5, 3, 2)]
    figures = {
        "transform": {**_facts(inside[0]), "curve": [[s, 8 * s - 4, 0.1 + abs(s - 0.5)] for s in tenths]},
        "precision": {"series": [{**_facts(inside[k]), "curve": [[s, (0.2 + 4 * (s - 0.5) ** 2) / (k + 1)] for s in tenths]} for k in (0, 1, 2)]},
        "loadings": {"benchmarks": [{**b, "curve": [[p, round(1 / (1 + math.exp(-b["alpha"] * (p - 100) / 15)), 6)] for p in range(20, 171, 2)],
                                     "models": [{"model": m["slug"], "name": m["name"], "siiq": m["siiq"], "score": 0.5} for m in ranked]} for b in three]},
        "rounds": {"tolerance": 1e-10, "changes": [[k, 10.0 ** (1 - k)] for k in range(1, 13)]},
        "identification": {"tolerance": 1e-8, "results": 56, "models": 12, "benchmarks": 6, "parameters": 24, "shares": [1.0, 0.5, 0.25, 0.125], "null": 2, "null_below": 1e-12,
                           "weakest": {"benchmark": inside[0]["id"], "name": inside[0]["name"], "models": 12}, "bridge": 0.05,
                           "bridges": [{"model": m["slug"], "name": m["name"], "results": 6, "fall": 0.2 / (k + 1) ** 2} for k, m in enumerate(ranked)]},
        "halves": {"quantile": 0.9, "position": 28, "q": 1.7291, "z90": 1.644854, "ratio": 1.0512, "kappa": 1.0512, "folds": 5, "inside": 27,
                   "pairs": [{"model": ranked[k % 8]["slug"], "name": ranked[k % 8]["name"], "fold": 1 + k % 5, "z": round(0.0617 * (k + 1), 4)} for k in range(31)]},
        "recalibration": {"from": "2025-05-01", "models": [{"model": m["slug"], "name": m["name"], "before": m["siiq"] - 0.1 * k, "after": m["siiq"], "change": 0.1 * k}
                                                           for k, m in enumerate(ranked)],
                          "ranked_before": 8, "ranked_after": 8, "spearman": 1.0, "median_change": 0.35, "joined": [], "left": []},
        "leverage": {"model": leader["slug"], "name": leader["name"], "siiq": leader["siiq"], "step": 0.05, "wrong_way": {"lower": 3, "results": 56},
                     "results": [{"benchmark": b["id"], "name": b["name"], "score": 0.9, "share": 0.16, "down": -0.5 - k, "up": 0.25 + k, "without": 0.125 * k - 0.3}
                                 for k, b in enumerate(inside)],
                     "curve": {**_facts(inside[1]), "score": 0.9, "points": [[s, leader["siiq"] - 9 + 10 * s] for s in tenths]}},
    }
    return {"method_version": index["method_version"], "as_of": index["as_of"], "what_if": {}, "calibration": index["calibration"]["id"], "figures": figures,
            "code": {name: f"def {name}(found):\n    return 1 < 2\n" for name in figures}}


def _facts(bench: dict[str, Any]) -> dict[str, Any]:
    return {"benchmark": bench["id"], "name": bench["name"], "g": bench["g"], "c": bench["c"], "n": bench["n"]}
