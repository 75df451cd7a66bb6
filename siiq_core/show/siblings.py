"""Tables of the sibling methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from siiq_core.show.tables import table


# --- value -----------------------------------------------------------------------------------------------------------


def value_benchmarks(found: Mapping[str, Any]) -> pd.DataFrame:
    """What each source measured, and its level against the anchor's."""
    names = ("id", "in_use", "family", "variants", "models", "offset", "cost_factor", "reason")
    return table([{name: b[name] for name in names} for b in found["benchmarks"]], "id")


def value_answers(found: Mapping[str, Any]) -> pd.DataFrame:
    """The three answers, or why one is missing."""
    own = {v["id"]: v for v in found["variants"]}
    return table([{"answer": name, "variant": a["variant"] or "none", "quality": _rounded(own, a, "quality"), "cost": _rounded(own, a, "cost"),
                    "note": a["reason"] or (f"repeats {a['repeats']}" if a["repeats"] else "")} for name, a in found["answers"].items()], "answer")


def value_variants(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every variant that may answer, the best first: quality in points, cost index in US dollars."""
    own = sorted((v for v in found["variants"] if v["eligible"]), key=lambda v: (-v["quality"], v["id"]))
    return table([{"variant": v["id"], "quality": round(v["quality"], 1), "interval": f"{v['low']:.1f} … {v['high']:.1f}", "cost": round(v["cost"], 2),
                    "kind": v["cost_kind"], "frontier": v["frontier"]} for v in own], "variant")


def value_rests_on(found: Mapping[str, Any]) -> pd.DataFrame:
    """r, centre, worst pair, widest band, mean quality by number of benchmarks, price factor."""
    shrink, pair, band = found["shrink"], found["worst_pair"], found["widest_band"]
    rows = [(name, f"{shrink[name]:.6g}") for name in ("r", "within", "between", "centre")]
    rows += [(f"mean quality, k = {k}", f"{x:.4g}") for k, x in shrink["mean_quality_by_k"].items()]
    rows += [("worst pair", f"{pair['a']}, {pair['b']}: {pair['difference']:.3g} over {pair['shared']}"), ("widest band", f"{band['variant']}: {band['high'] - band['low']:.3g}"),
             ("price factor", f"{found['price_factor']['factor']:.4g} from {found['price_factor']['pairs']} pairs")]
    return table([{"quantity": name, "value": value} for name, value in rows], "quantity")


def _rounded(own: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> float | None:
    return round(own[answer["variant"]][name], 2) if answer["variant"] else None


# --- percentile ------------------------------------------------------------------------------------------------------


def percentile_boards(found: Mapping[str, Any]) -> pd.DataFrame:
    """Each board: how many are on it, and how many of them are known configurations."""
    names = ("id", "dimension", "family", "snapshot", "n", "configurations", "waiting_rows", "overlap_factor", "status")
    return table([{name: b[name] for name in names} for b in found["boards"]], "id")


def percentile_confidence(found: Mapping[str, Any]) -> pd.DataFrame:
    """Configurations by dimension and confidence."""
    return table([{"dimension": d["id"], "weight": d["weight"], "boards": d["boards"], **d["confidence"]} for d in found["dimensions"]], "dimension")


def percentile_scores(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every configuration with a score, the best first."""
    own = sorted((c for c in found["configurations"] if c["score"] is not None), key=lambda c: (-c["score"], c["id"]))
    return table([{"configuration": c["id"], "score": round(c["score"], 1), **{name: None if d["score"] is None else round(d["score"], 1) for name, d in c["dimensions"].items()},
                    "coverage": round(c["coverage"], 2), "main": c["main"]} for c in own], "configuration")


def percentile_counts(found: Mapping[str, Any]) -> pd.DataFrame:
    """Configurations, models, and how many of them have a score."""
    return table([{"quantity": name, "value": value} for name, value in found["counts"].items()], "quantity")
