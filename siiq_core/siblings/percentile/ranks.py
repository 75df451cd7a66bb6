"""M3: where a value stands among all on its board, as an exact midrank percentile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction


def midranks(population: Iterable[Decimal], direction: str = "higher") -> Mapping[Decimal, Fraction]:
    """Value → percentile in (0, 100): 100·(below + ½·equal)/N, itself among the equal; a population of one gives 50.

    Parameters
    ----------
    population : every value that the board shows, as published; 0.50 and 0.5 are equal
    direction : "higher": more is better; "lower": the order is turned

    Raises
    ------
    ValueError
        A value is not finite (a missing one is simply not in the population), or the direction is unknown.
    """
    if direction not in ("higher", "lower"):
        raise ValueError(f"a direction is 'higher' or 'lower', not {direction!r}")
    population = tuple(population)
    if odd := [value for value in population if not value.is_finite()]:
        raise ValueError(f"no finite number: {odd[0]}")
    counts = Counter(population)
    total, below, out = sum(counts.values()), 0, {}
    for value in sorted(counts, reverse=direction == "lower"):
        out[value] = Fraction(100 * (2 * below + counts[value]), 2 * total)
        below += counts[value]
    return out
