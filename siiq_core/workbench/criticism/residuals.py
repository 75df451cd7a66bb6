"""Standardised residuals of the results that a calibration was fitted to, and their means by group and over time.

    z = (y − α_b·θ_m − β_b)/√(σ_b² + v)

The fit draws the weighted residuals of every model and of every benchmark to a mean near zero. So a mean by area or by developer alone
says little; what lies between the two (a developer's models on an area's benchmarks), and how large residuals are, says more.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siiq_core.method.calibration.run import Trace
from siiq_core.method.panel import Panel

YEAR = 365.25  # days


@dataclass(frozen=True)
class Residuals:
    """Of one calibration."""

    panel: Panel
    z: np.ndarray  # (N,)


def residuals_of(found: Trace) -> Residuals:
    """The residuals of a fit, under the abilities and lines that it ended with."""
    panel, lines = found.panel, found.fit.lines
    off = panel.y - lines.alpha[panel.b] * found.fit.theta[panel.m] - lines.beta[panel.b]
    return Residuals(panel, off / np.sqrt(lines.sigma2[panel.b] + panel.v))


@dataclass(frozen=True)
class Group:
    """Residuals of one kind."""

    key: Hashable
    results: int
    models: int
    mean: float
    error: float | None  # standard error of the mean, with the results of one model as one draw; None for a single model
    rms: float  # root of the mean square; near 1, a little less, where the model holds

    @property
    def p(self) -> float:
        """Of a true mean of zero, two-sided, by Student's t with the number of models less one."""
        from scipy.stats import t

        return 2 * float(t.sf(abs(self.mean) / self.error, self.models - 1)) if self.error else 1.0


def grouped(found: Residuals, keys: Sequence[Hashable | None], least: int = 1) -> tuple[Group, ...]:
    """Means by group, of groups of at least `least` models; a result of key None is in no group.

    Parameters
    ----------
    keys : one per result
    """
    places: dict[Hashable, list[int]] = {}
    for k, key in enumerate(keys):
        if key is not None:
            places.setdefault(key, []).append(k)
    out = []
    for key in sorted(places, key=str):
        rows = np.array(places[key])
        z, m = found.z[rows], found.panel.m[rows]
        models = len(set(m.tolist()))
        if models >= least:
            out.append(Group(key, len(rows), models, float(z.mean()), clustered_error(z - z.mean(), np.ones(len(z)), m), math.sqrt(float(np.mean(z * z)))))
    return tuple(out)


def clustered_error(residual: np.ndarray, x: np.ndarray, cluster: np.ndarray) -> float | None:
    """Standard error of a least-squares slope on x (a mean: x = 1), robust to dependence within clusters (Liang and Zeger 1986), with the factor G/(G − 1).

    None with a single cluster, which says nothing of how clusters differ.
    """
    numbers = np.unique(cluster, return_inverse=True)[1]
    sums = np.bincount(numbers, weights=x * residual)
    count = len(sums)
    return math.sqrt(count / (count - 1) * float(np.sum(sums**2))) / float(np.sum(x * x)) if count > 1 else None


@dataclass(frozen=True)
class Trend:
    """How residuals move with the day of release."""

    results: int
    slope: float  # z per year
    error: float | None


def trend(found: Residuals, years: Mapping[str, float], rows: np.ndarray) -> Trend:
    """Slope of z on the year of release over the rows given, of dated models, with a standard error clustered by model."""
    dated = np.array([k for k in rows if found.panel.models[found.panel.m[k]] in years])
    x = np.array([years[found.panel.models[found.panel.m[k]]] for k in dated])
    x = x - x.mean()
    z = found.z[dated] - found.z[dated].mean()
    slope = float(np.sum(x * z) / np.sum(x * x))
    return Trend(len(dated), slope, clustered_error(z - slope * x, x, found.panel.m[dated]))


def year_of(day: str) -> float:
    """An ISO day in years, for slopes."""
    return datetime.date.fromisoformat(day).toordinal() / YEAR


def half_year(day: str) -> str:
    """2025-H2."""
    return f"{day[:4]}-H{1 if int(day[5:7]) <= 6 else 2}"


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p-values: those under a level are the rejections of Holm's step-down (1979) at that level."""
    order = sorted(range(len(p)), key=lambda k: (p[k], k))
    out, running = [0.0] * len(p), 0.0
    for place, k in enumerate(order):
        running = max(running, min(1.0, (len(p) - place) * p[k]))
        out[k] = running
    return out
