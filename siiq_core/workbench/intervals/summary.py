"""Many worlds → shares, with the error that the number of worlds leaves in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.analysis.workings import r6
from siiq_core.method.numbers import mean, order_statistic
from siiq_core.workbench.intervals.coverage import KINDS, Outcome, World


def classes(families: Mapping[str, int], ranked: Sequence[str], limits: Sequence[int]) -> list[dict[str, Any]]:
    """All models, the ranked ones, then all by families measured: id, least and most families, slugs."""
    bounds = list(zip((1, *limits), (*(x - 1 for x in limits), None), strict=True))
    out: list[dict[str, Any]] = [{"id": "all", "least": None, "most": None, "slugs": sorted(families)}, {"id": "ranked", "least": None, "most": None, "slugs": sorted(ranked)}]
    out += [{"id": "families", "least": low, "most": high, "slugs": sorted(x for x, n in families.items() if n >= low and (high is None or n <= high))} for low, high in bounds]
    return [x for x in out if x["slugs"]]


def coverage(worlds: Sequence[World], slugs: Sequence[str]) -> dict[str, Any]:
    """By kind of interval: share that holds the truth, its error over worlds, mean half-width and error in SI-IQ points, share of rank ranges."""
    done = [w for w in worlds if w.kappa is not None]
    return {kind: {
        "covered": _share(done, kind, slugs, lambda o: o.covered), "rank_covered": _share(done, kind, slugs, lambda o: o.rank_covered),
        "half_width": _mean(done, kind, slugs, lambda o: o.half), "bias": _mean(done, kind, slugs, lambda o: o.error), "rmse": _root(_mean(done, kind, slugs, lambda o: o.error**2)),
    } for kind in KINDS}


def _each(world: World, kind: str, slugs: Sequence[str], what: Callable[[Outcome], float | bool | None]) -> list[float]:
    return [float(x) for slug in slugs if slug in world.outcomes[kind] and (x := what(world.outcomes[kind][slug])) is not None]


def _share(worlds: Sequence[World], kind: str, slugs: Sequence[str], what: Callable[[Outcome], bool | None]) -> dict[str, Any] | None:
    """Mean over worlds of the share within each, since models of one world share its parameters."""
    shares = [mean(x) for w in worlds if (x := _each(w, kind, slugs, what))]
    if not shares:
        return None
    middle = mean(shares)
    spread = math.sqrt(math.fsum((x - middle) ** 2 for x in shares) / (len(shares) - 1) / len(shares)) if len(shares) > 1 else 0.0
    return {"share": r6(middle), "error": r6(spread)}


def _mean(worlds: Sequence[World], kind: str, slugs: Sequence[str], what: Callable[[Outcome], float]) -> float | None:
    every = [x for w in worlds for x in _each(w, kind, slugs, what)]
    return r6(mean(every)) if every else None


def _root(x: float | None) -> float | None:
    return None if x is None else r6(math.sqrt(x))


def quantiles(values: Sequence[float], at: Sequence[float]) -> list[list[float]]:
    """(quantile, order statistic) pairs."""
    return [[q, r6(order_statistic(list(values), q))] for q in at]
