"""Coverage: in how many worlds an interval, and a range of ranks, holds the truth that the world was drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.run import trace
from siiq_core.method.ranks import Standing, rank
from siiq_core.method.scoring import Score
from siiq_core.params.method import MethodParams
from siiq_core.records import Calibration
from siiq_core.workbench.desk import Desk, scored
from siiq_core.workbench.fitted import Fitted, lines_of, panel_on, shares_of, truth, world
from siiq_core.workbench.intervals.sandwich import influence, standard_errors

KINDS = ("known", "published", "widened")  # lines known · calibrated anew, interval as published · the same with the parameters' error in it


@dataclass(frozen=True)
class Outcome:
    """One model in one world under one kind of interval."""

    covered: bool
    error: float  # estimate − truth, SI-IQ points
    half: float  # half-width of the interval, SI-IQ points
    rank_covered: bool | None  # None: not ranked


@dataclass(frozen=True)
class World:
    """One world; no outcomes where its calibration was refused."""

    kappa: float | None
    outcomes: Mapping[str, Mapping[str, Outcome]]  # kind → slug


def trial(at: Fitted, rng: np.random.Generator) -> World:
    """Draw a world, calibrate it with everything, κ too, and compare with what it was drawn from."""
    true, drawn = truth(at), world(at, rng)
    known = replace(at.calibration, kappa=1.0)
    try:
        found = trace(drawn.cells, drawn.benchmarks, drawn.reference, drawn.params, require_all_reference=False).calibration
    except CalibrationRefused:
        return World(None, {})
    published, standings = scored(drawn, found)
    wide = widened(published, with_parameters(drawn, found, published), drawn.params)
    return World(found.kappa, {"known": _outcomes(*scored(drawn, known), true, drawn.params), "published": _outcomes(published, standings, true, drawn.params),
                               "widened": _outcomes(wide, rank(wide, standings), true, drawn.params)})


def with_parameters(desk: Desk, calibration: Calibration, scores: Mapping[str, Score]) -> dict[str, float]:
    """Every model's standard error with the parameters' share, times κ as published ones are, by slug."""
    panel = panel_on(desk, calibration)
    lines, share = lines_of(panel, calibration), shares_of(panel, calibration, desk)
    inside = np.isin(panel.models, calibration.models)
    used = replace(panel, reference=panel.reference & inside)
    theta = np.array([scores[x].overall.theta for x in panel.models])
    moved = influence(used, share, lines, theta, (calibration.shift, calibration.scale), inside, desk.params.lam)
    se = standard_errors(moved, lines.sigma2[panel.b] + panel.v) * calibration.kappa
    return dict(zip(panel.models, se.tolist(), strict=True))


def widened(scores: Mapping[str, Score], errors: Mapping[str, float], params: MethodParams) -> dict[str, Score]:
    """The scores with other standard errors, and intervals to go with them."""
    out = {}
    for slug, s in scores.items():
        half = params.sd * params.z90 * errors[slug]
        out[slug] = replace(s, overall=replace(s.overall, se=errors[slug], low=s.overall.siiq - half, high=s.overall.siiq + half))
    return out


def _outcomes(scores: Mapping[str, Score], standings: Mapping[str, Standing], true: Mapping[str, float], params: MethodParams) -> dict[str, Outcome]:
    ranked = sorted((x for x, s in standings.items() if s.rank is not None), key=lambda x: (-true[x], x))  # K2, by the truth
    place = {slug: k for k, slug in enumerate(ranked, start=1)}
    out = {}
    for slug, s in scores.items():
        own, standing, points = s.overall, standings[slug], params.mean + params.sd * true[slug]
        out[slug] = Outcome(own.low <= points <= own.high, own.siiq - points, (own.high - own.low) / 2,
                            None if standing.rank is None else standing.best_rank <= place[slug] <= standing.worst_rank)
    return out
