"""The fit: alternating weighted lines and abilities (C2, C3), and the pass on the final abilities (C4).

Model: y = α_b·θ_m + β_b + e, Var(e) = σ_b² + v, with α the loading and θ the ability.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from siiq_core.method.numbers import group_sum
from siiq_core.method.panel import Panel
from siiq_core.params.method import MethodParams


@dataclass(frozen=True, slots=True)
class Weights:
    """What of a result's weight does not change during a fit: ω_b·f_b, per result; ω per benchmark."""

    omega: np.ndarray  # (B,) 1/√K
    share: np.ndarray  # (N,) ω_b·f_b


@dataclass(frozen=True, slots=True)
class Lines:
    """One line per benchmark, each of shape (B,)."""

    alpha: np.ndarray  # loading
    beta: np.ndarray  # intercept
    sigma2: np.ndarray  # residual variance
    floored: np.ndarray  # was the loading floor active? (a flag, no equality test)


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the rounds ended."""

    theta: np.ndarray  # (M,) abilities, standardised on the reference models
    lines: Lines  # of the last round; of the pass C4 where the rounds converged
    rounds: int
    last_change: float
    converged: bool


def weights(panel: Panel, params: MethodParams) -> Weights:
    """ω_b = 1/√K by the benchmarks of b's area, f_b = 1/F_b by the model's results in b's family (S), within the panel."""
    areas = [x.area for x in panel.benchmarks]
    omega = np.array([1.0 / np.sqrt(areas.count(a)) if params.omega else 1.0 for a in areas], dtype=float)
    family_number = {name: k for k, name in enumerate(sorted({x.family for x in panel.benchmarks}))}
    family = np.array([family_number[x.family] for x in panel.benchmarks], dtype=np.int64)
    share = np.empty(len(panel.m))
    for rows in panel.blocks():  # whole models: their families are counted inside
        pair = (panel.m[rows] - panel.m[rows.start]) * len(family_number) + family[panel.b[rows]]
        share[rows] = omega[panel.b[rows]] / np.bincount(pair)[pair]
    return Weights(omega, share)


def fit(panel: Panel, share: np.ndarray, params: MethodParams, each_round: Callable[[int, float], None] | None = None) -> Fit:
    """C2–C4 on a pruned panel.

    Nothing is refused here: a fit that does not converge or is not finite says so, and `run` decides.
    """
    theta = _start(panel)
    lines = Lines(np.ones(len(panel.benchmarks)), np.zeros(len(panel.benchmarks)),
                  np.full(len(panel.benchmarks), params.start_residual_variance), np.zeros(len(panel.benchmarks), bool))
    known = _known(panel)
    change, rounds, converged = float("inf"), 0, False
    while rounds < params.max_rounds and not converged:
        rounds += 1
        before = theta
        lines = _lines(panel, theta, lines.sigma2, known, params)  # C3a
        theta = abilities(panel, share, lines, params.lam)  # C3b
        centre, spread = _reference_moments(panel, theta)
        theta = (theta - centre) / spread  # C3c
        lines = Lines(lines.alpha * spread, lines.beta + lines.alpha * centre, lines.sigma2, lines.floored)
        change = float(np.max(np.abs(theta - before))) if len(theta) else float("nan")
        converged = change <= params.convergence_tolerance
        if each_round:
            each_round(rounds, change)
        if not np.isfinite(change):
            break
    if converged:
        lines = _lines(panel, theta, lines.sigma2, known, params)  # C4: one more pass on the final abilities
    return Fit(theta, lines, rounds, change, converged)


def abilities(panel: Panel, share: np.ndarray, lines: Lines, lam: float) -> np.ndarray:
    """θ₀ of S for every model of the panel, shape (M,)."""
    def terms(rows: slice) -> tuple[np.ndarray, ...]:
        b = panel.b[rows]
        alpha = lines.alpha[b]
        w_alpha = share[rows] / (lines.sigma2[b] + panel.v[rows]) * alpha
        return w_alpha * alpha, w_alpha * (panel.y[rows] - lines.beta[b])

    information, pull = panel.by_model(terms)
    return pull / (lam + information)


def _start(panel: Panel) -> np.ndarray:
    """C2: mean of a model's z-scores, standardised on the reference models."""
    if not len(panel.m):
        return np.zeros(0)
    b, y = panel.b, panel.y
    count = np.bincount(b, minlength=len(panel.benchmarks))
    centre = panel.by_benchmark(lambda rows: (y[rows],))[0] / count
    first = np.empty(len(count))
    first[b[::-1]] = y[::-1]  # of each benchmark; Σ/N of equal values may be off by rounding
    scatter, others = panel.by_benchmark(lambda rows: ((y[rows] - centre[b[rows]]) ** 2, y[rows] != first[b[rows]]))
    spread, varies = np.sqrt(scatter / count), others > 0

    def z(rows: slice) -> tuple[np.ndarray, ...]:
        own = b[rows]
        return (np.divide(y[rows] - centre[own], spread[own], out=np.zeros(len(own)), where=varies[own]),)  # SD 0 gives 0

    theta = panel.by_model(z)[0] / np.bincount(panel.m, minlength=len(panel.models))
    middle, sd = _reference_moments(panel, theta)
    return (theta - middle) / sd


def _reference_moments(panel: Panel, theta: np.ndarray) -> tuple[float, float]:
    """Mean and population SD of the reference models' abilities; NaN where there is nothing to measure by."""
    known = theta[panel.reference]
    size = len(known)
    if size == 0:
        return float("nan"), float("nan")
    zero = np.zeros(size, dtype=np.int64)
    centre = float(group_sum(zero, known, 1)[0]) / size
    spread = float(np.sqrt(group_sum(zero, (known - centre) ** 2, 1)[0] / size))
    return centre, spread if spread > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class _Known:
    """What of a benchmark's results does not change during a fit, each of shape (B,)."""

    count: np.ndarray
    sampling: np.ndarray  # Σv


def _known(panel: Panel) -> _Known:
    return _Known(np.bincount(panel.b, minlength=len(panel.benchmarks)), panel.by_benchmark(lambda rows: (panel.v[rows],))[0] if len(panel.m) else np.zeros(0))


def line_pass(panel: Panel, theta: np.ndarray, sigma2: np.ndarray, params: MethodParams) -> Lines:
    """C3a alone: every benchmark's line at abilities (M,) and residual variances (B,) that are given."""
    return _lines(panel, theta, sigma2, _known(panel), params)


def _lines(panel: Panel, theta: np.ndarray, sigma2: np.ndarray, known: _Known, params: MethodParams) -> Lines:
    """C3a: per benchmark the weighted line of y on θ, the loading floor, and the residual variance. Three passes over the results."""
    def weight(rows: slice) -> np.ndarray:
        return 1.0 / (sigma2[panel.b[rows]] + panel.v[rows])

    def means(rows: slice) -> tuple[np.ndarray, ...]:
        w = weight(rows)
        return w, w * theta[panel.m[rows]], w * panel.y[rows]

    with np.errstate(divide="ignore", invalid="ignore"):  # all abilities alike: not finite, and refused later (C8)
        total, sum_x, sum_y = panel.by_benchmark(means)
        mean_x, mean_y = sum_x / total, sum_y / total

    def products(rows: slice) -> tuple[np.ndarray, ...]:
        b = panel.b[rows]
        dx = theta[panel.m[rows]] - mean_x[b]
        w_dx = weight(rows) * dx
        return w_dx * (panel.y[rows] - mean_y[b]), w_dx * dx

    with np.errstate(divide="ignore", invalid="ignore"):
        xy, xx = panel.by_benchmark(products)
        alpha = xy / xx
    floored = alpha < params.loading_floor
    alpha = np.where(floored, params.loading_floor, alpha)
    beta = mean_y - alpha * mean_x  # at the floor this is the weighted mean of y − α·θ, and it is so for every line

    def squares(rows: slice) -> tuple[np.ndarray, ...]:
        b = panel.b[rows]
        residual = panel.y[rows] - alpha[b] * theta[panel.m[rows]] - beta[b]
        return (residual * residual,)

    with np.errstate(divide="ignore", invalid="ignore"):
        variance = panel.by_benchmark(squares)[0] / (known.count - 2) - known.sampling / known.count
    return Lines(alpha, beta, np.where(variance > params.residual_variance_floor, variance, params.residual_variance_floor), floored)
