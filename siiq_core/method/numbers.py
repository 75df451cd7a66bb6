"""Arithmetic that gives the same bits everywhere (C11): rounding to 12 digits, sums in a stated order."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # scores and ranks need no arrays, and an hourly run with nothing new none at all
    import numpy as np

DIGITS = 12


def sig12(x: float) -> float:
    """`x` rounded to 12 significant digits (C11)."""
    return float(f"{x:.{DIGITS - 1}e}")


def sig12_array(values: np.ndarray) -> np.ndarray:
    """`sig12` of every element."""
    import numpy as np

    return np.array([sig12(float(x)) for x in values], dtype=float)


def group_sum(index: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Sums of `values` by group, each added up in the order given.

    ``bincount`` adds one value after the other: no pairwise splitting, no threads, no BLAS, hence the same bits
    on every machine.
    """
    import numpy as np

    return np.bincount(index, weights=values, minlength=size)


def mean(values: np.ndarray) -> float:
    """Arithmetic mean, exactly rounded."""
    return math.fsum(values) / len(values)


def population_sd(values: np.ndarray) -> float:
    """Population standard deviation (divides by N)."""
    centre = mean(values)
    return math.sqrt(math.fsum((x - centre) ** 2 for x in values) / len(values))


def order_statistic(values: list[float], quantile: float) -> float:
    """The ⌈quantile·N⌉-th smallest value; the product is exact, since 0.9·N in floats can slip over a whole number."""
    position = math.ceil(Fraction(str(quantile)) * len(values))
    return sorted(values)[max(position, 1) - 1]
