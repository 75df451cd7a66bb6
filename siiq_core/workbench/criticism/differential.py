"""Differential functioning: does a benchmark treat open-weights and closed models of the same ability alike?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from siiq_core.workbench.criticism.residuals import Residuals, holm


@dataclass(frozen=True)
class Difference:
    """One benchmark."""

    benchmark: str
    open: int  # models with open weights on it
    closed: int
    difference: float  # mean z of the open ones − mean z of the closed ones
    error: float  # its standard error, variances unequal (Welch)
    p: float
    holm: float  # p adjusted for the number of benchmarks tested


def differences(found: Residuals, kinds: Sequence[bool | None], least: int) -> tuple[Difference, ...]:
    """Of every benchmark with at least `least` models of either kind, by id.

    Parameters
    ----------
    kinds : (M,) True for open weights, False for closed, None where it is not known
    """
    from scipy.stats import t

    rows = []
    for k, bench in enumerate(found.panel.benchmarks):
        own = np.flatnonzero(found.panel.b == k)
        kind = [kinds[m] for m in found.panel.m[own]]
        a, b = (found.z[own[[x is side for x in kind]]] for side in (True, False))
        if min(len(a), len(b)) < max(least, 2):
            continue
        parts = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
        error = math.sqrt(sum(parts))
        freedom = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
        difference = float(a.mean() - b.mean())
        rows.append((bench.id, len(a), len(b), difference, error, 2 * float(t.sf(abs(difference) / error, freedom))))
    return tuple(Difference(*row, adjusted) for row, adjusted in zip(rows, holm([row[-1] for row in rows]), strict=True))
