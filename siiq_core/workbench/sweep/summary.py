"""All cells side by side → what they say: ranges by model, which choices matter, what was refused. multiverse.json is this, written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from siiq_core.method.numbers import order_statistic, sig12
from siiq_core.params.sweep import SweepParams
from siiq_core.workbench.sweep.run import Swept
from siiq_core.workbench.sweep.shares import Split, against_own, complete, split


def summary(swept: Swept, limits: SweepParams) -> dict[str, Any]:
    """Plain values; numbers with 12 significant digits, lists in grid order, models by rank and then by slug."""
    grid, own = swept.grid, swept.own
    points = np.array(list(grid.points()), dtype=np.int64)
    refused = np.array([x.kappa is None for x in swept.cells])
    ranked = [k for k, slug in enumerate(swept.slugs) if own.models[slug].rank is not None]
    order = sorted(ranked, key=lambda k: own.models[swept.slugs[k]].rank) + [k for k in range(len(swept.slugs)) if k not in set(ranked)]
    kept, out = complete(points, refused)
    effects = against_own(swept.siiq[:, ranked], points, [axis.own for axis in grid.axes])
    return {
        "axes": [{"name": axis.name, "own": axis.own, "levels": [level.plain() for level in axis.levels]} for axis in grid.axes],
        "inputs_sha256": swept.inputs_sha256,
        "own": {"kappa": own.kappa, "dropped": dict(own.dropped), "missing": list(own.missing), "ranked": len(ranked)},
        "counts": {"cells": len(points), "refused": dict(sorted(Counter(x.rule for x in swept.cells if x.kappa is None).items())),
                   "other_benchmarks": sum(x.kappa is not None and _set_changes(swept, k) for k, x in enumerate(swept.cells))},
        "quantiles": [limits.low_quantile, 0.5, limits.high_quantile],
        "refused": [{"point": points[k].tolist(), "rule": x.rule, "reason": x.reason} for k, x in enumerate(swept.cells) if x.kappa is None],
        "shares": {"out": [list(x) for x in out],
                   "score": _shares(split(swept.siiq[kept][:, ranked], points[kept])), "rank": _shares(split(swept.rank[kept][:, ranked], points[kept]))},
        "levels": [{"axis": axis, "level": level, **_moved(d, [swept.slugs[k] for k in ranked]), "refused": int(refused[points[:, axis] == level].sum()), "cells": int((points[:, axis] == level).sum())}
                   for (axis, level), d in effects.items() if level != grid.axes[axis].own],
        "overall": _overall(swept, ranked, refused),
        "models": [_model(swept, k, points, limits) for k in order],
    }


def _set_changes(swept: Swept, number: int) -> bool:
    """Whether a benchmark left the set of its own accord (E3, E4, C5), beyond those left out by the grid and those out anyway."""
    return bool(set(swept.cells[number].dropped) - set(swept.own.dropped))


def _shares(found: Split) -> dict[str, Any]:
    """Of every axis, in grid order, and of interactions: share of the variance, and root mean square in the unit of the values."""
    def part(square: float) -> dict[str, float | None]:
        return {"share": sig12(square / found.total) if found.total else None, "size": sig12(math.sqrt(square))}

    return {"models": found.models, "size": sig12(math.sqrt(found.total)), "axes": [part(x) for x in found.axes], "interactions": part(found.interactions)}


def _moved(differences: np.ndarray, slugs: Sequence[str]) -> dict[str, Any]:
    """What one level does by itself: root mean square over the ranked models, and the model it moves most."""
    known = [(float(d), slug) for d, slug in zip(differences, slugs, strict=True) if np.isfinite(d)]
    if not known:
        return {"size": None, "models": 0, "most": None}
    points, slug = max(known, key=lambda x: (abs(x[0]), x[1]))
    return {"size": sig12(math.sqrt(math.fsum(d * d for d, _ in known) / len(known))), "models": len(known), "most": {"model": slug, "points": sig12(points)}}


def _overall(swept: Swept, ranked: Sequence[int], refused: np.ndarray) -> dict[str, Any]:
    inside = [x for k in ranked for x in _inside(swept, k)]
    first = Counter(swept.slugs[k] for row in swept.rank[~refused] for k in np.flatnonzero(row == 1))
    widths = [float(np.nanmax(values) - np.nanmin(values)) for values in (swept.siiq[:, k] for k in ranked) if np.isfinite(values).any()]
    intervals = [p.high - p.low for p in (swept.own.models[swept.slugs[k]] for k in ranked)]
    return {"inside": sig12(sum(inside) / len(inside)) if inside else None,
            "median_range": sig12(order_statistic(widths, 0.5)) if widths else None, "median_interval": sig12(order_statistic(intervals, 0.5)) if intervals else None,
            "first": [{"model": slug, "cells": n} for slug, n in sorted(first.items(), key=lambda x: (-x[1], x[0]))]}


def _inside(swept: Swept, k: int) -> list[bool]:
    """Cell by cell, whether a score lies within the model's own interval."""
    place = swept.own.models[swept.slugs[k]]
    return [place.low <= x <= place.high for x in swept.siiq[:, k].tolist() if math.isfinite(x)]


def _model(swept: Swept, k: int, points: np.ndarray, limits: SweepParams) -> dict[str, Any]:
    slug, scores, ranks = swept.slugs[k], swept.siiq[:, k], swept.rank[:, k]
    place, inside = swept.own.models[slug], _inside(swept, k)
    off = np.where(np.isfinite(scores), np.abs(scores - place.siiq), -1.0)
    far = int(np.argmax(off))  # the first of several
    return {
        "slug": slug, "siiq": place.siiq, "low": place.low, "high": place.high, "rank": place.rank,
        "score": _range(scores, limits), "ranks": _range(ranks, limits),
        "inside": sig12(sum(inside) / len(inside)) if inside else None,
        "most": {"point": points[far].tolist(), "points": sig12(float(scores[far]) - place.siiq)} if off[far] >= 0 else None,
    }


def _range(values: np.ndarray, limits: SweepParams) -> Mapping[str, Any] | None:
    """Least and largest value, quantiles between them, and in how many cells there is one."""
    known = [x for x in values.tolist() if math.isfinite(x)]
    if not known:
        return None
    low, middle, high = (order_statistic(known, q) for q in (limits.low_quantile, 0.5, limits.high_quantile))
    return {"min": min(known), "low": low, "median": middle, "high": high, "max": max(known), "cells": len(known)}
