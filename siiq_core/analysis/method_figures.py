"""The figures of the method chapter, as numbers: one function each, from the workings of a calibration to plain values.

Drawn by siiq_core/publish/method_blocks.py, published as method_figures.json. Six significant digits: enough for a picture,
and the same on every machine.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from siiq_core.analysis import calibration_figures as inside
from siiq_core.analysis.workings import Workings, r6
from siiq_core.method.scoring import score
from siiq_core.method.transform import transform
from siiq_core.records import Benchmark

STEP = 0.05  # by how much `leverage` moves a result, as a fraction


def transform_curve(found: Workings) -> dict[str, Any]:
    """Score → logit, with its standard deviation, for the benchmark with the highest chance level (T, T1)."""
    bench = max((found.benchmarks[x] for x in found.calibration.alpha), key=lambda b: (b.g, b.id))
    scores = np.arange(101) / 100
    y, v = transform(scores, *(np.full(len(scores), float(x)) for x in (bench.g, bench.c, bench.n)))
    curve = [[r6(s), r6(a), r6(math.sqrt(b))] for s, a, b in zip(scores, y, v, strict=True)]
    return {**_facts(found, bench), "curve": curve}


def precision(found: Workings) -> dict[str, Any]:
    """√v by the share solved, for the benchmarks with the fewest, the middle and the most questions (T1, T3)."""
    by_n = sorted((found.benchmarks[x] for x in found.calibration.alpha), key=lambda b: (b.n, b.id))
    series = []
    for bench in (by_n[0], by_n[len(by_n) // 2], by_n[-1]):
        scores = bench.g + (bench.c - bench.g) * np.arange(101) / 100
        _, v = transform(scores, *(np.full(len(scores), float(x)) for x in (bench.g, bench.c, bench.n)))
        series.append({**_facts(found, bench), "curve": [[r6(k / 100), r6(math.sqrt(x))] for k, x in enumerate(v)]})
    return {"series": series}


def loadings(found: Workings) -> dict[str, Any]:
    """Fitted curves of the flattest, the middle and the steepest benchmark on raw scores, with the models on them (C3a)."""
    at, params = found.calibration, found.params
    by_loading = sorted(at.alpha, key=lambda x: (at.alpha[x], x))
    out = []
    for name in (by_loading[0], by_loading[len(by_loading) // 2], by_loading[-1]):
        bench = found.benchmarks[name]
        models = [{"model": slug, "name": found.names[slug], "siiq": r6(found.scores[slug].overall.siiq), "score": r6(r.score)}
                  for slug, own in found.results.items() if slug in found.scores for r in own if r.benchmark == name]
        curve = []
        for points in range(20, 171, 2):
            ability = at.shift + at.scale * (points - params.mean) / params.sd
            p_star = 1 / (1 + math.exp(-(at.alpha[name] * ability + at.beta[name])))
            p = min(1.0, max(0.0, (p_star * (bench.n + 1) - 0.5) / bench.n))
            curve.append([points, r6(bench.g + (bench.c - bench.g) * p)])
        out.append({**_facts(found, bench), "alpha": r6(at.alpha[name]), "curve": curve, "models": models})
    return {"benchmarks": out}


def leverage(found: Workings) -> dict[str, Any]:
    """How the leader's score moves if one of its results moves by STEP, or is not there; and one result from 0 to 1 (S)."""
    slug = found.leader
    base, own = found.scores[slug], {r.benchmark: r.score for r in found.results[slug]}

    def siiq(scores: Mapping[str, float]) -> float:
        return score(scores, found.benchmarks, found.calibration, found.params).overall.siiq

    rows = [{"benchmark": t.benchmark, "name": found.names[t.benchmark], "score": r6(own[t.benchmark]), "share": r6(t.information / base.d),
             "down": r6(siiq({**own, t.benchmark: max(0.0, own[t.benchmark] - STEP)}) - base.overall.siiq),
             "up": r6(siiq({**own, t.benchmark: min(1.0, own[t.benchmark] + STEP)}) - base.overall.siiq),
             "without": r6(siiq({k: v for k, v in own.items() if k != t.benchmark}) - base.overall.siiq) if len(base.terms) > 1 else None}
            for t in base.terms]
    rows.sort(key=lambda x: (x["down"] - x["up"], x["benchmark"]))
    heaviest = max(base.terms, key=lambda t: (t.information, t.benchmark)).benchmark
    curve = [[k / 100, r6(siiq({**own, heaviest: k / 100}))] for k in range(101)]
    return {"model": slug, "name": found.names[slug], "siiq": r6(base.overall.siiq), "step": STEP, "results": rows,
            "curve": {**_facts(found, found.benchmarks[heaviest]), "score": r6(own[heaviest]), "points": curve}, "wrong_way": wrong_way(found)}


def wrong_way(found: Workings) -> dict[str, int]:
    """Of all results in use, those where one point more on the benchmark would lower the model's score: weights fall towards the ends."""
    lower = total = 0
    for slug, base in found.scores.items():
        own = {r.benchmark: r.score for r in found.results[slug]}
        for t in base.terms:
            more = score({**own, t.benchmark: min(1.0, own[t.benchmark] + 0.01)}, found.benchmarks, found.calibration, found.params)
            lower, total = lower + (more.theta0 < base.theta0), total + 1
    return {"lower": lower, "results": total}


def _facts(found: Workings, bench: Benchmark) -> dict[str, Any]:
    return {"benchmark": bench.id, "name": found.names[bench.id], "g": bench.g, "c": bench.c, "n": bench.n}


FIGURES: Mapping[str, Callable[[Workings], dict[str, Any]]] = {
    "transform": transform_curve, "precision": precision, "loadings": loadings, "rounds": inside.rounds, "identification": inside.identification,
    "halves": inside.halves, "recalibration": inside.recalibration, "leverage": leverage,
}


def method_figures(found: Workings) -> dict[str, Any]:
    """All figures, each with the source of the function that computed it."""
    return {"figures": {name: make(found) for name, make in FIGURES.items()},
            "code": {name: inspect.getsource(make) for name, make in FIGURES.items()}}
