"""Who is ranked, and where (K, I5)."""

from __future__ import annotations

import datetime
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from siiq_core.method.scoring import Score, score
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration, Result


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a model has a provisional score only."""

    rule: str  # "K1" or "I5"
    what: str  # "families", "areas", "evaluators" or "version_span_days"
    have: int
    need: int  # at least, or at most for the span


@dataclass(frozen=True, slots=True)
class Standing:
    """A model's coverage, and its rank where it has one."""

    families: int
    areas: int
    evaluators: int
    reasons: tuple[Reason, ...]  # why it is not ranked; empty for a ranked model
    undated: tuple[str, ...]  # versions without a known release day: not counted in the span (I5)
    rank: int | None = None
    best_rank: int | None = None
    worst_rank: int | None = None


def coverage(score: Score, results: Sequence[Result], params: MethodParams) -> Standing:
    """K1 and I5 for one model, from its results on the index set."""
    on_index = {t.benchmark for t in score.terms}
    used = [r for r in results if r.benchmark in on_index]
    have = {
        "families": len({t.family for t in score.terms}),
        "areas": len({t.area for t in score.terms}),
        "evaluators": len({t.evaluator for t in score.terms}),
    }
    need = {"families": params.min_families_ranked, "areas": params.min_areas_ranked, "evaluators": params.min_evaluators_ranked}
    reasons = [Reason("K1", what, have[what], need[what]) for what in have if have[what] < need[what]]
    days = [datetime.date.fromisoformat(r.version_released) for r in used if r.version_released]
    span = (max(days) - min(days)).days if days else 0
    if span > params.max_version_span_days:
        reasons.append(Reason("I5", "version_span_days", span, params.max_version_span_days))
    undated = tuple(sorted({r.version for r in used if not r.version_released}))
    return Standing(have["families"], have["areas"], have["evaluators"], tuple(reasons), undated)


def rank(scores: Mapping[str, Score], standings: Mapping[str, Standing]) -> dict[str, Standing]:
    """K2, K3: ranks of the ranked models; the others are returned as they are.

    Best rank is 1 + the ranked models whose interval lies wholly above; worst rank counts those whose interval reaches
    this one's or lies above it. An overlap statement, nothing more.
    """
    ranked = sorted((x for x in scores if not standings[x].reasons), key=lambda x: (-scores[x].overall.theta, x))
    lows = sorted(scores[x].overall.low for x in ranked)
    highs = sorted(scores[x].overall.high for x in ranked)
    out = dict(standings)
    for position, slug in enumerate(ranked, start=1):
        own = scores[slug].overall
        best = 1 + _count_above(lows, own.high)
        worst = _count_at_least(highs, own.low)
        out[slug] = replace(standings[slug], rank=position, best_rank=best, worst_rank=worst)
    return out


def _count_above(ordered: Sequence[float], limit: float) -> int:
    return len(ordered) - bisect_right(ordered, limit)


def _count_at_least(ordered: Sequence[float], limit: float) -> int:
    return len(ordered) - bisect_left(ordered, limit)


def scored(rows: Mapping[str, Sequence[Result]], benchmarks: Mapping[str, Benchmark], calibration: Calibration,
           params: MethodParams) -> tuple[dict[str, Score], dict[str, Standing]]:
    """Every model's score and standing under a calibration (S, A, K), by slug; who has no result on the index set is in neither.

    Parameters
    ----------
    rows : results by slug (`by_model`)
    """
    found = {slug: score({r.benchmark: r.score for r in own}, benchmarks, calibration, params) for slug, own in rows.items()}
    scores = {slug: x for slug, x in found.items() if x is not None}
    return scores, rank(scores, {slug: coverage(x, rows[slug], params) for slug, x in scores.items()})


def by_model(results: Iterable[Result]) -> dict[str, tuple[Result, ...]]:
    """Results by slug, each model's by benchmark id."""
    out: dict[str, list[Result]] = {}
    for result in sorted(results, key=lambda r: (r.model, r.benchmark)):
        out.setdefault(result.model, []).append(result)
    return {slug: tuple(rows) for slug, rows in out.items()}
