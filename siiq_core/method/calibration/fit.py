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
    family = np.array([family_number[x.family] for x in panel.benchmarks], dtype=np.int64)[panel.b]
    pair = panel.m * max(len(family_number), 1) + family
    in_family = np.bincount(pair, minlength=1)[pair]
    return Weights(omega, omega[panel.b] / in_family)


def fit(panel: Panel, share: np.ndarray, params: MethodParams, each_round: Callable[[int, float], None] | None = None) -> Fit:
    """C2–C4 on a pruned panel.

    Nothing is refused here: a fit that does not converge or is not finite says so, and `run` decides.
    """
    theta = _start(panel)
    lines = Lines(np.ones(len(panel.benchmarks)), np.zeros(len(panel.benchmarks)),
                  np.full(len(panel.benchmarks), params.start_residual_variance), np.zeros(len(panel.benchmarks), bool))
    change, rounds, converged = float("inf"), 0, False
    while rounds < params.max_rounds and not converged:
        rounds += 1
        before = theta
        lines = line_pass(panel, theta, lines.sigma2, params)  # C3a
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
        lines = line_pass(panel, theta, lines.sigma2, params)  # C4: one more pass on the final abilities
    return Fit(theta, lines, rounds, change, converged)


def abilities(panel: Panel, share: np.ndarray, lines: Lines, lam: float) -> np.ndarray:
    """θ₀ of S for every model of the panel, shape (M,)."""
    alpha = lines.alpha[panel.b]
    w = share / (lines.sigma2[panel.b] + panel.v)
    precision = lam + group_sum(panel.m, w * alpha * alpha, len(panel.models))
    return group_sum(panel.m, w * alpha * (panel.y - lines.beta[panel.b]), len(panel.models)) / precision


def _start(panel: Panel) -> np.ndarray:
    """C2: mean of a model's z-scores, standardised on the reference models."""
    count = np.bincount(panel.b, minlength=len(panel.benchmarks))
    centre = group_sum(panel.b, panel.y, len(count)) / count
    off = panel.y - centre[panel.b]
    spread = np.sqrt(group_sum(panel.b, off * off, len(count)) / count)
    first = panel.y[np.unique(panel.b, return_index=True)[1]]  # of each benchmark; Σ/N of equal values may be off by rounding
    varies = (group_sum(panel.b, panel.y != first[panel.b], len(count)) > 0)[panel.b]
    z = np.divide(off, spread[panel.b], out=np.zeros_like(off), where=varies)  # SD 0 gives 0
    theta = group_sum(panel.m, z, len(panel.models)) / np.bincount(panel.m, minlength=len(panel.models))
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


def line_pass(panel: Panel, theta: np.ndarray, sigma2: np.ndarray, params: MethodParams) -> Lines:
    """C3a: per benchmark the weighted line of y on θ, the loading floor, and the residual variance."""
    b, size = panel.b, len(panel.benchmarks)
    x = theta[panel.m]
    w = 1.0 / (sigma2[b] + panel.v)
    total = group_sum(b, w, size)
    mean_x = group_sum(b, w * x, size) / total
    mean_y = group_sum(b, w * panel.y, size) / total
    dx = x - mean_x[b]
    with np.errstate(divide="ignore", invalid="ignore"):  # all abilities alike: not finite, and refused later (C8)
        alpha = group_sum(b, w * dx * (panel.y - mean_y[b]), size) / group_sum(b, w * dx * dx, size)
    floored = alpha < params.loading_floor
    alpha = np.where(floored, params.loading_floor, alpha)
    beta = mean_y - alpha * mean_x  # at the floor this is the weighted mean of y − α·θ, and it is so for every line
    residual = panel.y - alpha[b] * x - beta[b]
    count = np.bincount(b, minlength=size)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = group_sum(b, residual * residual, size) / (count - 2) - group_sum(b, panel.v, size) / count
    return Lines(alpha, beta, np.where(variance > params.residual_variance_floor, variance, params.residual_variance_floor), floored)
