"""M5: the weighted median, with exact weights, so that "exactly half" is no matter of rounding."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def weighted_median(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The first value, in order of value, at which the weight so far passes half the total.

    Where it hits half exactly: the mean of that value and the next.

    Parameters
    ----------
    pairs : (value, weight), weights above 0

    Raises
    ------
    ValueError
        No pair, or a weight that is not above 0.
    """
    ordered = sorted(pairs)
    if not ordered or any(weight <= 0 for _, weight in ordered):
        raise ValueError("a weighted median needs values, each with a weight above 0")
    total, so_far = sum(weight for _, weight in ordered), Fraction(0)
    for number, (value, weight) in enumerate(ordered):
        so_far += weight
        if 2 * so_far == total:
            return (value + ordered[number + 1][0]) / 2
        if 2 * so_far > total:
            return value
    raise AssertionError("weights above 0 pass half of their total")
