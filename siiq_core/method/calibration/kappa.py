"""κ: how much wider intervals must be than the model says, from models held out and split in halves (C7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from siiq_core.errors import CalibrationRefused
from siiq_core.method.numbers import order_statistic, sig12
from siiq_core.method.panel import Cell
from siiq_core.method.scoring import on_scale, raw_ability, terms
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """One held-out model: the difference of its halves in standard errors."""

    model: str
    fold: int
    z: float


@dataclass(frozen=True, slots=True)
class Kappa:
    """κ and what it rests on."""

    kappa: float  # 12 significant digits
    folds: int
    pairs: tuple[SplitHalf, ...]


def estimate(results: Sequence[Cell], fitted: Sequence[str], benchmarks: Mapping[str, Benchmark], params: MethodParams,
             fit_without: Callable[[frozenset[str]], Calibration], order: Callable[[str], str] | None = None) -> Kappa:
    """C7.

    Parameters
    ----------
    results : all accepted results
    fitted : slugs in the main fit
    fit_without : C1–C6 on the results without the models given; raises CalibrationRefused where that fails
    order : by what slugs are ordered before they are dealt to folds; C7's own order is by code point

    Raises
    ------
    CalibrationRefused
        Too few folds or pairs (C8).
    """
    by_model: dict[str, dict[str, float]] = {}
    for slug, bench, score in results:
        by_model.setdefault(slug, {})[bench] = score
    dealt = sorted(fitted, key=order)
    pairs: list[SplitHalf] = []
    done = 0
    for fold in range(params.folds):
        held_out = dealt[fold :: params.folds]
        try:
            calibration = fit_without(frozenset(held_out))
        except CalibrationRefused:
            continue  # a fold that fails is skipped
        done += 1
        for slug in held_out:
            z = _split(by_model[slug], benchmarks, calibration, params)
            if z is not None:
                pairs.append(SplitHalf(slug, fold, z))
    if done < params.min_folds or len(pairs) < params.min_pairs:
        raise CalibrationRefused(f"{done} folds and {len(pairs)} split-half pairs, {params.min_folds} and {params.min_pairs} needed",
                                 remedy="more models with enough results, or kappa: false in a what-if run")
    q = order_statistic([abs(pair.z) for pair in pairs], params.kappa_quantile)
    return Kappa(sig12(max(1.0, q / params.z90)), done, tuple(pairs))


def _split(scores: Mapping[str, float], benchmarks: Mapping[str, Benchmark], calibration: Calibration,
           params: MethodParams) -> float | None:
    """z of a held-out model's halves, or None where it has too little data. Families go to A and B in turn."""
    items = terms(scores, benchmarks, calibration)
    if len(items) < params.min_results_held_out:
        return None
    half_of = {family: k % 2 for k, family in enumerate(sorted({t.family for t in items}))}
    halves = [[t for t in items if half_of[t.family] == k] for k in (0, 1)]
    if min(map(len, halves)) < params.min_results_per_half:
        return None
    a, b = (on_scale(theta0, raw_se, calibration, params)
            for theta0, _, raw_se in (raw_ability(half, params.lam) for half in halves))
    return (a.theta - b.theta) / math.sqrt(a.se**2 + b.se**2)
