"""Rank correlations with intervals in closed form: no random numbers, no dependence on order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient and its interval; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None


def ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, 1 the greatest; ties share their midrank."""
    ordered = sorted(values, reverse=True)
    first = {x: ordered.index(x) for x in set(values)}
    return [first[x] + (values.count(x) + 1) / 2 for x in values]


def spearman(a: Sequence[float], b: Sequence[float], z: float) -> Correlation:
    """Pearson's correlation of midranks; interval by Fisher's transform with the standard error of Bonett and Wright (2000)."""
    x, y = ranks(list(a)), ranks(list(b))
    mean = (len(x) + 1) / 2
    sxy, sxx, syy = (math.fsum((p - mean) * (q - mean) for p, q in zip(u, v, strict=True)) for u, v in ((x, y), (x, x), (y, y)))
    if sxx * syy == 0:
        return Correlation(None, None, None)
    value = sxy / math.sqrt(sxx * syy)
    return _interval(value, math.sqrt((1 + value * value / 2) / (len(x) - 3)) if len(x) > 3 else math.inf, z)


def kendall(a: Sequence[float], b: Sequence[float], z: float) -> Correlation:
    """τ-b, which allows for ties; interval by Fisher's transform with the standard error of Fieller, Hartley and Pearson (1957)."""
    concordant = ties_a = ties_b = 0
    pairs = len(a) * (len(a) - 1) // 2
    for i in range(len(a)):
        for j in range(i):
            p, q = _sign(a[i] - a[j]), _sign(b[i] - b[j])
            concordant += p * q
            ties_a += p == 0
            ties_b += q == 0
    if pairs == ties_a or pairs == ties_b:
        return Correlation(None, None, None)
    value = concordant / math.sqrt((pairs - ties_a) * (pairs - ties_b))
    return _interval(value, math.sqrt(0.437 / (len(a) - 4)) if len(a) > 4 else math.inf, z)


def _interval(value: float, error: float, z: float) -> Correlation:
    value = max(-1.0, min(1.0, value))
    if abs(value) > 1 - 1e-12 or error == math.inf:
        return Correlation(value, None, None)
    middle = math.atanh(value)
    return Correlation(value, math.tanh(middle - z * error), math.tanh(middle + z * error))


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
