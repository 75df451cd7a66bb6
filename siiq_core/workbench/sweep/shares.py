"""Which choices matter: sums of squares of a full factorial, split into main effects and the rest.

For a model with value y in every cell, SS = Σ(y − ȳ)². The main effect of an axis is Σ(ȳ_level − ȳ)² over the cells, ȳ_level
the mean of the cells at the same level. With every combination there once, main effects are orthogonal: their shares of SS
and that of all interactions together add up to one. A cell that was refused would break that, so levels are left out of the
split until every remaining combination has a value, each time the level with the largest part of its cells refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from siiq_core.method.numbers import group_sum


_ROUNDING = 1e-20  # of the total: what sums of rounded numbers leave where an axis does nothing


@dataclass(frozen=True)
class Split:
    """Mean squares over cells and models, in squared units of what was split."""

    models: int  # that have a value in every cell of the split
    total: float
    axes: tuple[float, ...]  # main effects

    @property
    def interactions(self) -> float:
        """What no axis explains by itself."""
        return max(self.total - sum(self.axes), 0.0)


def complete(points: np.ndarray, refused: np.ndarray) -> tuple[np.ndarray, tuple[tuple[int, int], ...]]:
    """Cells of the largest full factorial found, and the levels left out of it.

    Parameters
    ----------
    points : ndarray of shape (N, A)
        Numbers of levels of every cell on every axis; all combinations, once each.
    refused : ndarray of shape (N,), bool

    Returns
    -------
    kept : ndarray of shape (N,), bool
    out : (axis, level) in the order they left; ties go to the first axis, then the first level
    """
    kept, out = np.ones(len(points), bool), []
    while (kept & refused).any():
        parts = [(_part(refused, kept & (points[:, axis] == level)), -axis, -level) for axis in range(points.shape[1])
                 for level in _several(points[kept, axis])]
        part, axis, level = max(parts, default=(0.0, 0, 0))
        if not part:  # every axis is down to one level
            return np.zeros(len(points), bool), tuple(out)
        out.append((-axis, -level))
        kept &= points[:, -axis] != -level
    return kept, tuple(out)


def _part(refused: np.ndarray, cells: np.ndarray) -> float:
    return float(refused[cells].sum() / cells.sum())


def _several(levels: np.ndarray) -> list[int]:
    """The levels there are, where there is a choice."""
    found = np.unique(levels).tolist()
    return found if len(found) > 1 else []


def split(values: np.ndarray, points: np.ndarray) -> Split:
    """Main effects of every axis, over all models that have a value in every cell.

    Parameters
    ----------
    values : ndarray of shape (N, M)
        A row per cell, a column per model; NaN where a model has none.
    points : ndarray of shape (N, A)
        Numbers of levels; every combination that occurs on the axes, once each.
    """
    whole = [k for k in range(values.shape[1]) if len(values) and np.all(np.isfinite(values[:, k]))]
    cells, models = len(values), max(len(whole), 1)
    axes, total = [0.0] * points.shape[1], 0.0
    for k in whole:
        off = values[:, k] - _mean(values[:, k])
        total += _mean(off * off) / models
        for axis in range(points.shape[1]):
            count = np.bincount(points[:, axis])
            level = group_sum(points[:, axis], off, len(count)) / np.maximum(count, 1)
            axes[axis] += float(group_sum(np.zeros(len(count), np.int64), count * level * level, 1)[0]) / cells / models
    return Split(len(whole), total, tuple(x if x > _ROUNDING * total else 0.0 for x in axes))


def _mean(values: np.ndarray) -> float:
    return float(group_sum(np.zeros(len(values), np.int64), values, 1)[0]) / len(values)


def against_own(values: np.ndarray, points: np.ndarray, own: Sequence[int]) -> dict[tuple[int, int], np.ndarray]:
    """Level by level, how far it moves a model: mean difference from the cells that differ in nothing but having the axis's own level.

    Returns
    -------
    (axis, level) → ndarray of shape (M,), the mean over pairs of cells in which both have a value; NaN where there is none
    """
    number = {tuple(point): k for k, point in enumerate(points.tolist())}
    out = {}
    for axis, home in enumerate(own):
        for level in np.unique(points[:, axis]).tolist():
            there = [k for point, k in number.items() if point[axis] == level]
            back = [number[(*point[:axis], home, *point[axis + 1 :])] for point in (tuple(points[k].tolist()) for k in there)]
            difference = values[there] - values[back]
            known = np.isfinite(difference)
            count = known.sum(axis=0)
            with np.errstate(invalid="ignore", divide="ignore"):
                out[axis, level] = np.array([_mean(d[k]) if n else np.nan for d, k, n in zip(difference.T, known.T, count, strict=True)])
    return out
