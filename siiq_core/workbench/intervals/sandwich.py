"""Standard errors that include the calibrated parameters: the whole calibration differentiated by every result.

At the fit's fixed point θ = T(S(L(θ, y), y)), with L the lines (C3a), S the abilities, T the standardisation on the
reference group (C3c, C6). Hence dθ = (I − T'S_p L_θ)⁻¹·T'(S_y + S_p L_y)·dy, and Var(θ) = Σ (∂θ/∂y)²·(σ² + v): a sandwich over all
parameters at once, abilities, lines, shift and scale. σ² is held: it enters by weights alone, and weighted residuals have mean
zero, so that in expectation it moves no ability to first order. It does move one that stands on a residual far from zero; the
jackknife sees that, this does not. λ and weights are the method's, as in S1.
"""

from __future__ import annotations

import numpy as np

from siiq_core.method.calibration.fit import Lines
from siiq_core.method.panel import Panel


def influence(panel: Panel, share: np.ndarray, lines: Lines, theta: np.ndarray, moments: tuple[float, float], inside: np.ndarray, lam: float) -> np.ndarray:
    """∂θ_m/∂y_n on the published scale, shape (M, N).

    Parameters
    ----------
    panel : all results on the index set, of models in the fit and others; `panel.reference` marks who sets the scale
    share : ω_b·f_b per result
    theta : (M,) abilities on the published scale
    moments : shift and scale (C6)
    inside : (M,) is the model in the fit? Only those move the lines.
    """
    m, b, models, benches, rows = panel.m, panel.b, len(panel.models), len(panel.benchmarks), np.arange(len(panel.m))
    shift, scale = moments
    alpha, noise = lines.alpha[b], lines.sigma2[b] + panel.v

    # L: the weighted line of every benchmark, by y and by θ of the models in the fit
    x, u = theta[m], np.where(inside[m], 1 / noise, 0.0)
    residual = panel.y - alpha * x - lines.beta[b]
    by_y, by_theta = np.zeros((2 * benches, len(m))), np.zeros((2 * benches, models))
    for k in range(benches):
        own = np.flatnonzero(b == k)
        design = np.column_stack([x[own], np.ones(len(own))])
        normal = np.linalg.inv(design.T @ (u[own, None] * design))
        by_y[[k, benches + k]] += _spread(normal @ (u[own, None] * design).T, own, len(m))
        turned = normal @ np.vstack([u[own] * (residual[own] - alpha[own] * x[own]), -u[own] * alpha[own]])
        by_theta[[k, benches + k]] += _spread(turned, m[own], models)

    # S: unmapped abilities, by y and by the lines
    w = share / noise
    d = lam + np.bincount(m, weights=w * alpha**2, minlength=models)
    raw = np.bincount(m, weights=w * alpha * (panel.y - lines.beta[b]), minlength=models) / d
    score_y, score_p = np.zeros((models, len(m))), np.zeros((models, 2 * benches))
    score_y[m, rows] = w * alpha / d[m]
    score_p[m, b] = w * (panel.y - lines.beta[b] - 2 * alpha * raw[m]) / d[m]
    score_p[m, benches + b] = -w * alpha / d[m]

    # T: the reference group's mean and population SD taken out
    mapped = (raw - shift) / scale
    group = panel.reference / panel.reference.sum()
    turn = (np.eye(models) - np.outer(np.ones(models), group) - np.outer(mapped, group * mapped)) / scale
    return np.linalg.solve(np.eye(models) - turn @ score_p @ by_theta, turn @ (score_y + score_p @ by_y))


def _spread(columns: np.ndarray, at: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros((len(columns), size))
    out[:, at] = columns  # a model has one result on a benchmark
    return out


def standard_errors(moved: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Of every model, shape (M,): results independent with variances `noise` of shape (N,)."""
    return np.sqrt((moved**2) @ noise)
