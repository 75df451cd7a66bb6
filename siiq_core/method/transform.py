"""From a score to the common scale (T).

    p  = clip((s − g)/(c − g), 0, 1)        p* = (p·n + 0.5)/(n + 1)
    y  = ln(p*/(1 − p*))                    s̃  = g + (c − g)·p*
    v  = s̃·(1 − s̃)·n / ((n + 1)²·(c − g)²·p*²·(1 − p*)²)

One implementation serves one result and a whole column.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from siiq_core.errors import DataError

if TYPE_CHECKING:
    import numpy as np


class Transformed(NamedTuple):
    """Each of shape (N,), logits and logits squared."""

    y: np.ndarray
    v: np.ndarray


def check_score(score: float, *, file: str | None = None, row: int | None = None, column: str | None = None) -> None:
    """T2: a score is finite and in [0, 1], judged before the clip. Below chance or above the ceiling is legal."""
    if not (math.isfinite(score) and 0.0 <= score <= 1.0):
        raise DataError("score outside [0, 1]", file=file, row=row, column=column, value=score,
                        remedy="set the benchmark's scale in params/benchmarks.csv if the column is in per cent")


def transform(s: np.ndarray, g: np.ndarray, c: np.ndarray, n: np.ndarray) -> Transformed:
    """Transform scores.

    Parameters
    ----------
    s, g, c, n : ndarray of shape (N,)
        Score, chance level and effective ceiling (fractions), number of distinct questions.

    Raises
    ------
    DataError
        A score is outside [0, 1] or not finite (T2).
    """
    import numpy as np

    s = np.asarray(s, dtype=float)
    if not np.all(np.isfinite(s) & (s >= 0) & (s <= 1)):
        for row, score in enumerate(s, start=1):
            check_score(float(score), row=row)
    p = np.clip((s - g) / (c - g), 0.0, 1.0)
    odds, v = _smoothed(p, g, c, n)
    y = np.fromiter(map(math.log, odds.tolist()), dtype=float, count=len(odds))  # libm: same bits as scalar code
    return Transformed(y, v)


def transform_one(s: float, g: float, c: float, n: int) -> tuple[float, float]:
    """(y, v) of one score: the same operations in the same order, hence the same bits, without an array's overhead.

    Raises
    ------
    DataError
        As `transform`.
    """
    check_score(s)
    odds, v = _smoothed(min(max((s - g) / (c - g), 0.0), 1.0), g, c, n)
    return math.log(odds), v


def untransform(y: float, g: float, c: float, n: int) -> tuple[float, float]:
    """(s, v): the score whose y this is, and the variance there: T backwards, kept between chance level and ceiling.

    For a y that is expected and not observed: the variance is that of a result which comes out as expected.
    """
    p_star = 1.0 / (1.0 + math.exp(-y)) if y >= 0 else math.exp(y) / (1.0 + math.exp(y))
    p = min(max((p_star * (n + 1.0) - 0.5) / n, 0.0), 1.0)
    return g + (c - g) * p, _smoothed(p, g, c, n)[1]


def _smoothed(p: Any, g: Any, c: Any, n: Any) -> tuple[Any, Any]:
    """(p*/(1 − p*), v) of floats or of arrays. Squares are products: `**` may round differently for the two."""
    width = c - g
    p_star = (p * n + 0.5) / (n + 1.0)
    rest = 1.0 - p_star
    s_star = g + width * p_star
    size = n + 1.0
    v = s_star * (1.0 - s_star) * n / (size * size * (width * width) * (p_star * p_star) * (rest * rest))  # T1
    return p_star / rest, v
