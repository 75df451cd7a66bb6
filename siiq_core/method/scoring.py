"""A model's score and its areas under a calibration in force (S, A).

    w_b = ω_b·f_b/(σ_b² + v_b)          D = λ + Σ w_b·α_b²          θ₀ = Σ w_b·α_b·(y_b − β_b)/D
    SE  = κ·√(Σ w_b²·α_b²·(σ_b² + v_b))/D/scale                     θ  = (θ₀ − shift)/scale

Sums are exactly rounded (fsum), so that the order of results cannot matter (C11).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from siiq_core.method.numbers import sig12
from siiq_core.method.transform import transform_one
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration


@dataclass(frozen=True, slots=True)
class Term:
    """One result on the common scale, with its weight."""

    benchmark: str
    area: str
    family: str
    evaluator: str
    y: float
    v: float
    w: float
    alpha: float
    beta: float
    noise: float  # σ² + v

    @property
    def information(self) -> float:
        """w·α²: its share of D."""
        return self.w * self.alpha * self.alpha

    @property
    def pull(self) -> float:
        """w·α·(y − β): its share of the numerator of θ₀."""
        return self.w * self.alpha * (self.y - self.beta)

    @property
    def scatter(self) -> float:
        """w²·α²·(σ² + v): its share of the sandwich's middle (S1)."""
        return self.w * self.w * self.alpha * self.alpha * self.noise


@dataclass(frozen=True, slots=True)
class Scale:
    """An ability on the published scale."""

    theta: float
    se: float
    siiq: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """A model's score; numbers carry 12 significant digits."""

    theta0: float
    d: float
    overall: Scale
    areas: Mapping[str, Scale]  # shown areas only (A1)
    terms: tuple[Term, ...]  # by benchmark id


def terms(scores: Mapping[str, float], benchmarks: Mapping[str, Benchmark], calibration: Calibration) -> tuple[Term, ...]:
    """One model's results on the index set, by benchmark id; others are left out.

    Parameters
    ----------
    scores : mapping of benchmark id to score (fraction)
    """
    on = sorted(x for x in scores if x in calibration.alpha)
    in_family: dict[str, int] = {}
    for x in on:
        in_family[benchmarks[x].family] = in_family.get(benchmarks[x].family, 0) + 1
    out = []
    for x in on:
        bench = benchmarks[x]
        y, v = transform_one(sig12(scores[x]), bench.g, bench.c, bench.n)
        noise = calibration.sigma2[x] + v
        w = calibration.omega[x] / in_family[bench.family] / noise
        out.append(Term(x, bench.area, bench.family, bench.evaluator, y, v, w, calibration.alpha[x], calibration.beta[x], noise))
    return tuple(out)


def raw_ability(items: Sequence[Term], lam: float) -> tuple[float, float, float]:
    """(θ₀, D, √Σw²α²(σ²+v)/D): ability and standard error before κ and the map."""
    d = math.fsum([lam, *(t.information for t in items)])
    theta0 = math.fsum(t.pull for t in items) / d
    return theta0, d, math.sqrt(math.fsum(t.scatter for t in items)) / d


def on_scale(theta0: float, raw_se: float, calibration: Calibration, params: MethodParams) -> Scale:
    """Map an unmapped ability and standard error to the published scale, and round (C11)."""
    theta = (theta0 - calibration.shift) / calibration.scale
    se = calibration.kappa * raw_se / calibration.scale
    low, high = theta - params.z90 * se, theta + params.z90 * se
    return Scale(sig12(theta), sig12(se), *(sig12(params.mean + params.sd * x) for x in (theta, low, high)))


def score(scores: Mapping[str, float], benchmarks: Mapping[str, Benchmark], calibration: Calibration,
          params: MethodParams) -> Score | None:
    """S and A for one model; None without a result on the index set."""
    items = terms(scores, benchmarks, calibration)
    if not items:
        return None
    theta0, d, raw_se = raw_ability(items, params.lam)
    areas = {}
    for area in sorted({t.area for t in items}):
        of_area = [t for t in items if t.area == area]
        if len({t.family for t in of_area}) >= params.min_families_area:  # A1
            areas[area] = _area(of_area, theta0, calibration, params)
    return Score(sig12(theta0), sig12(d), on_scale(theta0, raw_se, calibration, params), areas, items)


def _area(items: Iterable[Term], theta0: float, calibration: Calibration, params: MethodParams) -> Scale:
    """A: the overall ability is the prior of an area, with weight 1 and no λ, and counts as known."""
    items = list(items)
    denominator = math.fsum([1.0, *(t.information for t in items)])
    theta_d0 = math.fsum([theta0, *(t.pull for t in items)]) / denominator
    raw_se = math.sqrt(math.fsum(t.scatter for t in items)) / denominator
    return on_scale(theta_d0, raw_se, calibration, params)
