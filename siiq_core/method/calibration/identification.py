"""Is the fit pinned down? Null directions of the Jacobian of all α_b·θ_m + β_b (C5).

Two null directions are always there: the origin and the unit of the ability scale. More means that parts of the panel
can slide or stretch against each other, and that their scores could not be compared.
"""

from __future__ import annotations

import numpy as np

from siiq_core.method.calibration.fit import Fit
from siiq_core.method.numbers import group_sum
from siiq_core.method.panel import Panel

ALWAYS = 2  # origin and unit


def null_directions(panel: Panel, fit: Fit, tolerance: float) -> int:
    """Number of null directions at the fit's abilities and loadings; more than all benchmarks have where nothing is finite."""
    if not np.all(np.isfinite(fit.lines.alpha)) or not np.all(np.isfinite(fit.theta)):
        return len(panel.models) + 2 * len(panel.benchmarks)
    values = singular_values(panel, fit.theta, fit.lines.alpha)
    if not len(values) or values[0] == 0:
        return 2 * len(panel.benchmarks)
    return 2 * len(panel.benchmarks) - int(np.sum(values >= tolerance * values[0]))


def singular_values(panel: Panel, theta: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Singular values of `projected_jacobian`, largest first. They decide a flag only: the last digits are the machine's."""
    triangle = np.linalg.qr(projected_jacobian(panel, theta, alpha), mode="r")  # has the same singular values, in 2B rows instead of N
    return np.linalg.svd(triangle, compute_uv=False)


def projected_jacobian(panel: Panel, theta: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Columns of all α, then all β, of shape (N, 2B), without what the models' own columns span.

    Columns of the Jacobian are scaled to unit length. Each model's own column is projected out of its rows, which is
    orthogonal: rank = models + rank of what is left, with the same threshold and no normal equations.

    Parameters
    ----------
    theta, alpha : ndarray of shape (M,) and (B,), finite
    """
    m, b = panel.m, panel.b
    rows, models, benches = len(m), len(panel.models), len(panel.benchmarks)
    own = _unit_columns(alpha[b], m, models)  # ∂/∂θ
    left = np.zeros((rows, 2 * benches))
    at = np.arange(rows)
    left[at, b] = _unit_columns(theta[m], b, benches)  # ∂/∂α
    left[at, benches + b] = _unit_columns(np.ones(rows), b, benches)  # ∂/∂β
    for column in range(2 * benches):
        left[:, column] -= own * group_sum(m, own * left[:, column], models)[m]
    return left


def _unit_columns(values: np.ndarray, group: np.ndarray, size: int) -> np.ndarray:
    """`values` divided by the length of their group's column; a column of zeros stays zero."""
    length = np.sqrt(group_sum(group, values * values, size))[group]
    return np.divide(values, length, out=np.zeros_like(values), where=length > 0)
