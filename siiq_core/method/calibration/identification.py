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
    """Number of null directions at the fit's abilities and loadings.

    Columns of the Jacobian are scaled to unit length. Each model's own column is projected out of its rows, which is
    orthogonal: rank = models + rank of what is left, with the same threshold and no normal equations.
    """
    m, b = panel.m, panel.b
    rows, models, benches = len(m), len(panel.models), len(panel.benchmarks)
    own = _unit_columns(fit.lines.alpha[b], m, models)  # ∂/∂θ
    if not np.all(np.isfinite(own)) or not np.all(np.isfinite(fit.theta)):
        return models + 2 * benches
    left = np.zeros((rows, 2 * benches))
    at = np.arange(rows)
    left[at, b] = _unit_columns(fit.theta[m], b, benches)  # ∂/∂α
    left[at, benches + b] = _unit_columns(np.ones(rows), b, benches)  # ∂/∂β
    for column in range(2 * benches):
        left[:, column] -= own * group_sum(m, own * left[:, column], models)[m]
    values = np.linalg.svd(left, compute_uv=False)
    if not len(values) or values[0] == 0:
        return 2 * benches
    return 2 * benches - int(np.sum(values >= tolerance * values[0]))


def _unit_columns(values: np.ndarray, group: np.ndarray, size: int) -> np.ndarray:
    """`values` divided by the length of their group's column; a column of zeros stays zero."""
    length = np.sqrt(group_sum(group, values * values, size))[group]
    return np.divide(values, length, out=np.zeros_like(values), where=length > 0)
