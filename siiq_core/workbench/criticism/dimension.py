"""Does one ability suffice? The leading pair of singular vectors of the standardised residuals, on the cells there are.

    min Σ (z_mb − u_m·c_b)²  over observed cells, by alternating least squares

Its share of Σ z² is set against the shares that the same search finds in worlds where one ability does suffice, on the same pattern
(parallel analysis, Horn 1965): noise alone always leaves some leading pair, the larger the fewer cells there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.run import trace
from siiq_core.method.numbers import group_sum, order_statistic
from siiq_core.workbench.criticism.residuals import Residuals, residuals_of
from siiq_core.workbench.fitted import Fitted, world


@dataclass(frozen=True)
class Pair:
    """The leading pair of vectors of a matrix with gaps."""

    scores: np.ndarray  # u, of models, shape (M,), mean square 1
    loadings: np.ndarray  # c, of benchmarks, shape (B,), in z per unit of u; the largest is positive
    share: float  # of Σ z² that u·c takes away


def leading(z: np.ndarray, m: np.ndarray, b: np.ndarray, shape: tuple[int, int], tolerance: float = 1e-9, rounds: int = 5000) -> Pair:
    """The leading pair, from the leading eigenvector of the matrix with zeros in its gaps.

    Parameters
    ----------
    z, m, b : (N,) standardised residuals, model and benchmark numbers of the observed cells
    shape : (M, B)
    """
    models, benches = shape
    filled = np.zeros(shape)
    filled[m, b] = z
    c = np.linalg.eigh(np.einsum("ij,ik->jk", filled, filled))[1][:, -1]
    share = -1.0
    for _ in range(rounds):
        u = _solve(z, c[b], m, models)
        spread = np.sqrt(np.mean(u * u))
        u = u / spread if spread > 0 else u
        c = _solve(z, u[m], b, benches)
        before, share = share, 1 - float(np.sum((z - u[m] * c[b]) ** 2) / np.sum(z * z))
        if abs(share - before) <= tolerance:
            break
    sign = 1.0 if c[np.argmax(np.abs(c))] >= 0 else -1.0
    return Pair(sign * u, sign * c, share)


def _solve(z: np.ndarray, other: np.ndarray, group: np.ndarray, size: int) -> np.ndarray:
    """Least squares of z on `other` within each group; 0 where there is nothing to go by."""
    below = group_sum(group, other * other, size)
    return np.divide(group_sum(group, z * other, size), below, out=np.zeros(size), where=below > 0)


def of_residuals(found: Residuals) -> Pair:
    """The leading pair of a calibration's residuals."""
    return leading(found.z, found.panel.m, found.panel.b, (len(found.panel.models), len(found.panel.benchmarks)))


@dataclass(frozen=True)
class Parallel:
    """What noise of the same pattern gives."""

    shares: tuple[float, ...]  # ascending, of the worlds that could be calibrated
    refused: int

    def quantile(self, q: float) -> float:
        """An order statistic of the shares."""
        return order_statistic(list(self.shares), q)

    def p(self, share: float) -> float:
        """How often noise alone gives as much: (1 + worlds with at least this share)/(1 + worlds)."""
        return (1 + sum(x >= share for x in self.shares)) / (1 + len(self.shares))


def parallel(at: Fitted, seed: int, worlds: int) -> Parallel:
    """Shares in worlds drawn from the fitted model, each calibrated anew, without κ, which moves no residual."""
    shares, refused = [], 0
    for number in range(worlds):
        drawn = world(at, np.random.default_rng([seed, number]))
        try:
            found = trace(drawn.cells, drawn.benchmarks, drawn.reference, drawn.params.model_copy(update={"kappa": False}), require_all_reference=False)
        except CalibrationRefused:
            refused += 1
            continue
        shares.append(of_residuals(residuals_of(found)).share)
    return Parallel(tuple(sorted(shares)), refused)
