"""S, A and K written a second time: what follows from published parameters and a model's results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from .formulas import Term, ability, transform, twelve

Constants = Mapping[str, float]


class Parameters(NamedTuple):
    """An index-set benchmark: its definition and its published parameters."""

    area: str
    family: str
    evaluator: str
    g: float
    c: float
    n: int
    alpha: float
    beta: float
    sigma2: float
    omega: float


class Interval(NamedTuple):
    """θ, SE and the same in SI-IQ points, 90 % interval."""

    theta: float
    se: float
    siiq: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """A model's score; `weights` by benchmark, `areas` only where A1 shows one."""

    theta0: float
    d: float
    overall: Interval
    weights: Mapping[str, float]
    areas: Mapping[str, Interval]
    families: int
    areas_covered: int
    evaluators: int


def rescore(results: Iterable[tuple[str, float]], parameters: Mapping[str, Parameters], shift: float, scale: float,
            kappa: float, constants: Constants) -> Score | None:
    """S and A of one model; None without a result on the index set.

    Parameters
    ----------
    results : (benchmark id, score as a fraction); those outside `parameters` do not count
    parameters : the index set, by benchmark id
    shift, scale, kappa : of the calibration
    constants : by their names in params/method.yml
    """
    on = {b: score for b, score in sorted(results) if b in parameters}
    if not on:
        return None
    used = {b: parameters[b] for b in on}
    sizes = Counter(p.family for p in used.values())
    terms = {
        b: Term(*transform(twelve(on[b]), p.g, p.c, p.n), p.alpha, p.beta, p.sigma2, p.omega / sizes[p.family])
        for b, p in used.items()
    }

    def interval(estimate) -> Interval:
        theta, se = (estimate.theta0 - shift) / scale, kappa * estimate.spread / estimate.d / scale
        mean, sd, reach = constants["mean"], constants["sd"], constants["z90"] * se
        return Interval(theta, se, mean + sd * theta, mean + sd * (theta - reach), mean + sd * (theta + reach))

    whole = ability(terms.values(), constants["lam"])
    areas = {}
    for area in sorted({p.area for p in used.values()}):
        inside = [b for b in used if used[b].area == area]
        if len({used[b].family for b in inside}) >= constants["min_families_area"]:  # A1
            areas[area] = interval(ability((terms[b] for b in inside), 1.0, whole.theta0))
    return Score(
        whole.theta0, whole.d, interval(whole), {b: term.weight for b, term in terms.items()}, areas,
        families=len(sizes),
        areas_covered=len({p.area for p in used.values()}),
        evaluators=len({p.evaluator for p in used.values()}),
    )


def shortfalls(score: Score, released: Iterable[str | None], constants: Constants) -> list[tuple[int, int]]:
    """Why a model is not ranked: (what it has, what K1 asks for), in the order of the rule; empty when it is ranked.

    `released` are the release days (ISO) of the versions whose results on the index set are used; None is unknown.
    """
    days = [date.fromisoformat(day) for day in released if day is not None]
    span = (max(days) - min(days)).days if days else 0  # I5; calendar days have no zone
    needs = (
        (score.families, constants["min_families_ranked"]),
        (score.areas_covered, constants["min_areas_ranked"]),
        (score.evaluators, constants["min_evaluators_ranked"]),
    )
    short = [(have, need) for have, need in needs if have < need]
    return short + [(span, constants["max_version_span_days"])] * (span > constants["max_version_span_days"])


def ranks(ranked: Sequence[tuple[str, float, float, float]]) -> dict[str, tuple[int, int, int]]:
    """slug → (rank, best, worst) of the ranked models, given as (slug, θ, low, high) (K2, K3)."""
    order = sorted(ranked, key=lambda m: (-m[1], m[0]))
    return {
        slug: (
            place,
            1 + sum(other_low > high for _, _, other_low, _ in order),
            sum(other_high >= low for _, _, _, other_high in order),
        )
        for place, (slug, _, low, high) in enumerate(order, start=1)
    }
