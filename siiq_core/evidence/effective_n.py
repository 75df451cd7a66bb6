"""T3: how many questions published standard errors speak of."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from siiq_core.errors import DataError
from siiq_core.evidence.numbers import significant
from siiq_core.records import Reading


def effective_n(readings: Iterable[Reading], benchmark: str = "", file: str | None = None) -> int:
    """Median of s(1 - s)/SE² over rows with 0 < s < 1 and SE > 0, rounded half to even, at least 1.

    `readings` are those of one benchmark in its newest snapshot. Where no row qualifies: DataError.
    """
    rows = [r for r in readings if r.se and 0 < r.score < 1]
    if not rows:
        raise DataError("T3: no row has a standard error to compute the effective n from", file=file, column="error_column", value=benchmark,
                        remedy="check the header of its error column; or give n and n_kind defined or assumed in params/benchmarks.csv")
    # 12 digits first, so that 98.99999999999999 is 99 and a half is a half
    return max(1, round(significant(statistics.median(r.score * (1 - r.score) / r.se**2 for r in rows))))
