"""T, S and A written a second time, in plain floats with exactly rounded sums (`math.fsum`)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Term(NamedTuple):
    """One result as S sees it."""

    y: float
    v: float
    alpha: float
    beta: float
    sigma2: float
    factor: float  # ω/F

    @property
    def variance(self) -> float:
        return self.sigma2 + self.v

    @property
    def weight(self) -> float:
        return self.factor / self.variance


class Ability(NamedTuple):
    """An unmapped estimate: θ₀ and the root of Σ w²·α²·(σ² + v), which becomes SE after κ, D and scale."""

    theta0: float
    d: float
    spread: float


def twelve(x: float) -> float:
    """`x` with 12 significant digits (C11)."""
    return float(format(x, ".11e"))


def transform(score: float, g: float, c: float, n: int) -> tuple[float, float]:
    """y and v of a score (T), from the counts of hits and misses that p* stands for.

    p* = hit/(n + 1) and 1 − p* = miss/(n + 1), so that neither is found by subtraction from 1.
    """
    p = min(max((score - g) / (c - g), 0.0), 1.0)
    hit, miss = p * n + 0.5, (1.0 - p) * n + 0.5
    smooth = g + (c - g) * hit / (n + 1)
    return math.log(hit / miss), smooth * (1.0 - smooth) * n * ((n + 1) / ((c - g) * hit * miss)) ** 2


def ability(terms: Iterable[Term], prior: float = 0.0, prior_at: float = 0.0) -> Ability:
    """θ₀, D and spread (S). `prior` is λ there; in areas it is 1 at θ₀ (A)."""
    terms = tuple(terms)
    d = math.fsum([prior, *(t.weight * t.alpha**2 for t in terms)])
    pull = math.fsum([prior * prior_at, *(t.weight * t.alpha * (t.y - t.beta) for t in terms)])
    return Ability(pull / d, d, math.sqrt(math.fsum((t.weight * t.alpha) ** 2 * t.variance for t in terms)))


def mean_and_spread(values: Iterable[float]) -> tuple[float, float]:
    """Mean and population SD; values that are all the same have SD 0 exactly, which rounding would hide."""
    values = tuple(values)
    if min(values) == max(values):
        return values[0], 0.0
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in values) / len(values))


def order_statistic(values: Iterable[float], share: float) -> float:
    """The ⌈share·N⌉-th smallest value; the share is taken as it is written in decimals."""
    ordered = sorted(values)
    return ordered[max(math.ceil(Fraction(repr(share)) * len(ordered)), 1) - 1]
