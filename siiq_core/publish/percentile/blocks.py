"""The blocks of the percentile page, and what its prose may name inside a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from siiq_core.publish.percentile.tables import percentile_boards, percentile_dimensions, percentile_models, percentile_sources, percentile_table
from siiq_core.publish.percentile.view import View
from siiq_core.publish.site import Site

BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (percentile_table, percentile_models, percentile_dimensions, percentile_boards, percentile_sources)}


def facts(site: Site, lang: str) -> dict[str, str]:
    """Every such number, as HTML."""
    view, data = View(site, lang), site.percentile
    p, n = data["parameters"], data["counts"]
    preference = [b for b in data["boards"] if b["dimension"] == "preference"]
    counts = {"configurations": n["configurations"], "scored": n["scored"], "models_seen": n["models"], "scored_main": n["scored_main"], "min_dimensions": p["min_dimensions"],
              "high": p["high_families"], "medium": p["medium_families"], "preference_rows": sum(b["n"] for b in preference)}
    out = {f"percentile_{key}": f'<data value="{x}">{view.whole(x)}</data>' for key, x in counts.items()}
    weights = "; ".join(view.say("weight", name=view.dimension(d["id"]), share=f"{round(100 * d['weight'])}") for d in data["dimensions"] if d["weight"])
    return {**out, "percentile_weights": weights, "percentile_preference_day": view.day(max((b["snapshot"] for b in preference if b["snapshot"]), default=None))}
