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
BLOCK = 4096  # results that are looked at together, at the least


def null_directions(panel: Panel, fit: Fit, tolerance: float) -> int:
    """Number of null directions at the fit's abilities and loadings; more than all benchmarks have where nothing is finite.

    Results are taken in blocks of whole models, and of what was seen only a triangle is kept (incremental QR). Further
    rows never make a singular value smaller, and columns of unit length bound the largest by √(columns): once all but
    two values lie above the threshold for that bound, no later row can change the answer, and none is read.
    """
    theta, alpha = fit.theta, fit.lines.alpha
    columns = 2 * len(panel.benchmarks)
    if not np.all(np.isfinite(alpha)) or not np.all(np.isfinite(theta)):
        return len(panel.models) + columns
    scaled = _Scaled.of(panel, theta, alpha)
    triangle = np.zeros((0, columns))
    values, enough = np.zeros(0), tolerance * np.sqrt(columns)
    for rows in panel.blocks(max(BLOCK, 2 * columns)):
        triangle = np.linalg.qr(np.vstack([triangle, scaled.projected(rows)]), mode="r")
        if rows.stop < len(panel.m) and np.sum(np.linalg.norm(triangle, axis=0) < enough) > ALWAYS:
            continue  # of some benchmark hardly anything was read yet: the answer cannot be there, and an SVD is dear
        values = np.linalg.svd(triangle, compute_uv=False)
        if int(np.sum(values >= enough)) >= columns - ALWAYS:
            return ALWAYS
    if not len(values) or values[0] == 0:
        return columns
    return columns - int(np.sum(values >= tolerance * values[0]))


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
    return _Scaled.of(panel, theta, alpha).projected(slice(0, len(panel.m)))


class _Scaled:
    """The Jacobian's entries, one of each kind per result, its columns scaled to unit length; each of shape (N,)."""

    def __init__(self, panel: Panel, by_theta: np.ndarray, by_alpha: np.ndarray, by_beta: np.ndarray) -> None:
        self.panel, self.by_theta, self.by_alpha, self.by_beta = panel, by_theta, by_alpha, by_beta

    @classmethod
    def of(cls, panel: Panel, theta: np.ndarray, alpha: np.ndarray) -> _Scaled:
        m, b, benches = panel.m, panel.b, len(panel.benchmarks)
        return cls(panel, _unit_columns(alpha[b], m, len(panel.models)), _unit_columns(theta[m], b, benches), _unit_columns(np.ones(len(m)), b, benches))

    def projected(self, rows: slice) -> np.ndarray:
        """`projected_jacobian` of these rows, of shape (rows, 2B); whole models."""
        b, benches = self.panel.b[rows], len(self.panel.benchmarks)
        model = self.panel.m[rows] - (self.panel.m[rows.start] if len(b) else 0)
        own, at = self.by_theta[rows], np.arange(len(b))
        left = np.zeros((len(b), 2 * benches))
        left[at, b] = self.by_alpha[rows]
        left[at, benches + b] = self.by_beta[rows]
        for column in range(2 * benches):
            left[:, column] -= own * group_sum(model, own * left[:, column], 1)[model]
        return left


def _unit_columns(values: np.ndarray, group: np.ndarray, size: int) -> np.ndarray:
    """`values` divided by the length of their group's column; a column of zeros stays zero."""
    length = np.sqrt(group_sum(group, values * values, size))[group]
    return np.divide(values, length, out=np.zeros_like(values), where=length > 0)
