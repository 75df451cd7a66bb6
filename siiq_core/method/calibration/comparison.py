"""C9: may a recalibration follow the calibration in force? Both are judged on the inputs of the new one."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.params.method import MethodParams


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores before and after, over models ranked in both."""

    ranked_before: int
    ranked_after: int
    spearman: float | None  # None where fewer than two models are ranked in both, or all tie
    median_change: float | None  # SI-IQ points
    left: tuple[str, ...]  # benchmarks
    joined: tuple[str, ...]


def compare(before: Mapping[str, float], after: Mapping[str, float], set_before: Collection[str], set_after: Collection[str]) -> Comparison:
    """Compare two calibrations.

    Parameters
    ----------
    before, after : SI-IQ of the ranked models, by slug
    set_before, set_after : benchmarks of the index set
    """
    both = sorted(set(before) & set(after))
    a, b = [before[x] for x in both], [after[x] for x in both]
    return Comparison(
        len(before), len(after), spearman(a, b), statistics.median(abs(y - x) for x, y in zip(a, b, strict=True)) if both else None,
        tuple(sorted(set(set_before) - set(set_after))), tuple(sorted(set(set_after) - set(set_before))),
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a recalibration may not follow: a code, and the numbers and names it speaks of."""

    code: str  # "benchmark_leaves", "ranked_changes", "nothing_compared", "order_changes" or "scores_change"
    of: Mapping[str, Any]


def refusals(found: Comparison, params: MethodParams) -> tuple[Refusal, ...]:
    """Why the recalibration is refused; empty where it is not."""
    out = []
    if found.left:
        out.append(Refusal("benchmark_leaves", {"benchmarks": list(found.left)}))
    change = abs(found.ranked_after - found.ranked_before)
    if round(change - params.max_ranked_change * found.ranked_before, 12) > 0:
        out.append(Refusal("ranked_changes", {"before": found.ranked_before, "after": found.ranked_after, "limit": params.max_ranked_change}))
    if found.spearman is None or found.median_change is None:
        out.append(Refusal("nothing_compared", {}))
    elif round(found.spearman, 12) < params.min_spearman:
        out.append(Refusal("order_changes", {"found": round(found.spearman, 12), "limit": params.min_spearman}))
    if found.median_change is not None and round(found.median_change, 12) > params.max_median_change:
        out.append(Refusal("scores_change", {"found": round(found.median_change, 12), "limit": params.max_median_change}))
    return tuple(out)


def spearman(a: list[float], b: list[float]) -> float | None:
    """Spearman's rank correlation, midranks for ties; None where it is not defined."""
    if len(a) < 2:
        return None
    x, y = _centred_midranks(a), _centred_midranks(b)
    spread = math.sqrt(math.fsum(u * u for u in x) * math.fsum(v * v for v in y))
    return math.fsum(u * v for u, v in zip(x, y, strict=True)) / spread if spread else None


def _centred_midranks(values: list[float]) -> list[float]:
    order = sorted(values)
    first: dict[float, int] = {}
    count: dict[float, int] = {}
    for place, value in enumerate(order, start=1):
        first.setdefault(value, place)
        count[value] = count.get(value, 0) + 1
    middle = (len(values) + 1) / 2
    return [first[x] + (count[x] - 1) / 2 - middle for x in values]
