"""What SI-IQ is compared with: the benchmark's mean, factor models of rank 1 and 2, and nearest neighbours.

    mean         the mean score of the results seen on the benchmark; knows nothing of the model
    rank 1, 2    y = μ_b + u_m·l_b, least squares with a ridge on u and l, by turns (alternating least squares)
    neighbours   the results of those models whose logits go with the model's own on the benchmarks both have (Pearson's r),
                 each moved by the mean difference there, weighed by r

All but the mean work on the logits of T and come back by T backwards. None says how sure it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from siiq_core.method.numbers import group_sum, mean, sig12
from siiq_core.method.panel import Panel, build_panel
from siiq_core.method.transform import transform_one, untransform
from siiq_core.records import Benchmark
from siiq_core.workbench.prediction.predictor import Guess, Method, Predictor, Setting
from siiq_core.workbench.prediction.splits import Question, Round


def benchmark_mean(at: Setting) -> Method:
    """The mean of what is seen on the benchmark."""

    def fit(round_: Round) -> Predictor:
        own: dict[str, list[float]] = {}
        for _, bench, score in round_.fitted:
            own.setdefault(bench, []).append(score)
        means = {bench: mean(scores) for bench, scores in own.items()}
        return lambda question: Guess(means[question.benchmark]) if question.benchmark in means else None

    return fit


# --- factor models ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Factors:
    """y = μ_b + u_m·l_b of M models and B benchmarks, with R factors."""

    middle: np.ndarray  # (B,) μ, without a ridge
    loadings: np.ndarray  # (B, R) l
    models: np.ndarray  # (M, R) u
    sweeps: int


def factor_model(at: Setting, rank: int, ridge: float) -> Method:
    """The factor model with so many factors."""
    p = at.params

    def fit(round_: Round) -> Predictor:
        panel = build_panel(round_.fitted, at.benchmarks, ())
        if min(len(panel.models), len(panel.benchmarks)) <= rank:
            return lambda question: None
        found = alternate(panel, rank, ridge, p.factor_tolerance, p.factor_sweeps)
        number = {bench.id: k for k, bench in enumerate(panel.benchmarks)}

        def predict(question: Question) -> Guess | None:
            known = [(number[b], y) for b, y in _logits(question, at.benchmarks).items() if b in number]
            if not known or question.benchmark not in number:
                return None
            b, y = np.array([k for k, _ in known]), np.array([y for _, y in known])
            placed = _ridge_solve(np.zeros(len(b), dtype=np.int64), found.loadings[b], y - found.middle[b], 1, np.full(rank, ridge))[0]
            target = number[question.benchmark]
            return _from_logit(found.middle[target] + float(sum(placed * found.loadings[target])), at.benchmarks[question.benchmark])

        return predict

    return fit


def alternate(panel: Panel, rank: int, ridge: float, tolerance: float, most: int) -> Factors:
    """Minimise Σ(y − μ_b − u_m·l_b)² + ridge·(Σ|u|² + Σ|l|²) by turns.

    Starts from the first left singular vectors of the residuals from the benchmarks' means, with 0 where there is no result.
    After each sweep u is centred, and u and l are turned and scaled to equal sizes: no fitted value changes by it, and of all
    factors with these values the ridge is least there. Without it the sweeps creep along directions that only the ridge feels.
    With two factors and gaps there can be several points where they end, and from this one start not always the least is found.

    Parameters
    ----------
    tolerance : sweeps end when no fitted value moves by more (logits)
    most : sweeps at the most
    """
    models, benches = len(panel.models), len(panel.benchmarks)
    middle = group_sum(panel.b, panel.y, benches) / np.bincount(panel.b, minlength=benches)
    filled = np.zeros((models, benches))
    filled[panel.m, panel.b] = panel.y - middle[panel.b]
    left, values, _ = np.linalg.svd(filled, full_matrices=False)
    u = left[:, :rank] * np.sqrt(values[:rank])
    fitted = middle[panel.b]
    for sweep in range(1, most + 1):
        sides = np.hstack([np.ones((len(panel.y), 1)), u[panel.m]])
        line = _ridge_solve(panel.b, sides, panel.y, benches, np.array([0.0] + [ridge] * rank))
        middle, loadings = line[:, 0], line[:, 1:]
        u = _ridge_solve(panel.m, loadings[panel.b], panel.y - middle[panel.b], models, np.full(rank, ridge))
        centre = np.mean(u, axis=0)
        middle = middle + np.sum(loadings * centre, axis=1)
        u, loadings = _balanced(u - centre, loadings)
        before, fitted = fitted, middle[panel.b] + np.sum(u[panel.m] * loadings[panel.b], axis=1)
        if np.max(np.abs(fitted - before)) <= tolerance:
            break
    return Factors(middle, loadings, u, sweep)


def _balanced(u: np.ndarray, loadings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same product u·lᵀ, from the factors with the least Σ|u|² + Σ|l|²."""
    (left, upper), (right, lower) = np.linalg.qr(u), np.linalg.qr(loadings)
    turn, values, back = np.linalg.svd(upper @ lower.T)
    return left @ turn * np.sqrt(values), right @ back.T * np.sqrt(values)


def _ridge_solve(group: np.ndarray, sides: np.ndarray, y: np.ndarray, size: int, ridge: np.ndarray) -> np.ndarray:
    """Ridge regression of y on `sides` in every group: shape (size, K). A column without a ridge needs a result in each group."""
    k = sides.shape[1]
    normal, right = np.empty((size, k, k)), np.empty((size, k))
    for i in range(k):
        right[:, i] = group_sum(group, sides[:, i] * y, size)
        for j in range(k):
            normal[:, i, j] = group_sum(group, sides[:, i] * sides[:, j], size)
    return np.linalg.solve(normal + np.diag(ridge), right[:, :, None])[:, :, 0]


# --- nearest neighbours ----------------------------------------------------------------------------------------------


def neighbours(at: Setting) -> Method:
    """Nearest neighbours among the models seen."""

    def fit(round_: Round) -> Predictor:
        panel = build_panel(round_.fitted, at.benchmarks, ())
        number = {bench.id: k for k, bench in enumerate(panel.benchmarks)}
        grid = np.full((len(panel.models), len(number)), np.nan)
        grid[panel.m, panel.b] = panel.y

        def predict(question: Question) -> Guess | None:
            own = np.full(len(number), np.nan)
            for b, y in _logits(question, at.benchmarks).items():
                if b in number:
                    own[number[b]] = y
            if question.benchmark not in number:
                return None
            logit = nearest(grid, own, number[question.benchmark], at.params.neighbours, at.params.min_shared)
            return None if logit is None else _from_logit(logit, at.benchmarks[question.benchmark])

        return predict

    return fit


def nearest(grid: np.ndarray, own: np.ndarray, target: int, most: int, min_shared: int) -> float | None:
    """The logit at `target` by the neighbours' rule; None where no model with a result there goes with `own`.

    Parameters
    ----------
    grid : (M, B) logits, NaN where there is none; a model itself may be in it, since it has nothing at `target`
    own : (B,) logits of the model, NaN where there is none
    most : neighbours that count, those with the highest correlation; ties by row
    min_shared : benchmarks that both must have, `target` not among them
    """
    shared = ~np.isnan(grid) & ~np.isnan(own)
    shared[:, target] = False
    count = shared.sum(axis=1)
    rows = np.flatnonzero((count >= min_shared) & ~np.isnan(grid[:, target]))
    if not len(rows):
        return None
    shared, count = shared[rows], count[rows]
    theirs, mine = np.where(shared, grid[rows], 0.0), np.where(shared, own, 0.0)
    their_mean, my_mean = theirs.sum(axis=1) / count, mine.sum(axis=1) / count
    off, away = np.where(shared, theirs - their_mean[:, None], 0.0), np.where(shared, mine - my_mean[:, None], 0.0)
    size = np.sqrt((off * off).sum(axis=1) * (away * away).sum(axis=1))
    r = np.array([sig12(x) for x in np.divide((off * away).sum(axis=1), size, out=np.zeros(len(rows)), where=size > 0)])
    best = [k for k in np.argsort(-r, kind="stable")[:most] if r[k] > 0]
    if not best:
        return None
    moved = grid[rows, target] - their_mean + my_mean
    return float(sum(r[k] * moved[k] for k in best) / sum(r[k] for k in best))


def _logits(question: Question, benchmarks: Mapping[str, Benchmark]) -> dict[str, float]:
    return {b: transform_one(s, benchmarks[b].g, benchmarks[b].c, benchmarks[b].n)[0] for b, s in question.known.items()}


def _from_logit(logit: float, bench: Benchmark) -> Guess:
    return Guess(untransform(logit, bench.g, bench.c, bench.n)[0])
