"""The calibration in force as studies take it apart: its desk, its trace, and worlds in which its model holds.

A world keeps who was measured where. Its scores are drawn from the fitted abilities, lines and residual variances:

    η = α_b·θ_m + β_b + e, e ~ N(0, σ_b²)        answers ~ Binomial(n_b, g_b + (c_b − g_b)/(1 + exp(−η)))        s = answers/n_b
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from siiq_core.method.calibration.fit import Lines, weights
from siiq_core.method.calibration.run import Trace, trace
from siiq_core.method.numbers import sig12
from siiq_core.method.panel import Panel, build_panel
from siiq_core.method.ranks import Standing
from siiq_core.method.scoring import Score
from siiq_core.records import Calibration, Result
from siiq_core.workbench.desk import Desk, open_desk, scored


@dataclass(frozen=True)
class Fitted:
    """A calibration with the results it came from."""

    desk: Desk
    trace: Trace
    scores: Mapping[str, Score]  # by slug
    standings: Mapping[str, Standing]

    @property
    def calibration(self) -> Calibration:
        """The calibration itself."""
        return self.trace.calibration

    @property
    def ranked(self) -> tuple[str, ...]:
        """Slugs of the ranked models, in code-point order."""
        return tuple(sorted(x for x, s in self.standings.items() if s.rank is not None))


def open_fitted(run: Any) -> Fitted:
    """The calibration of a run (`runs.prepare`), made again from its own inputs."""
    return fitted(calibration_desk(run))


def calibration_desk(run: Any) -> Desk:
    """The desk of a run with the inputs of its calibration: what was accepted since then is in no study of it (C10)."""
    desk = open_desk(run)
    in_force = run.accepted.memory.state.in_force if run.accepted else None
    if in_force is None:
        return desk
    known = {(r.model, r.benchmark): r for r in desk.results}
    inputs = [(pair, s) for pair, s in sorted(in_force.inputs.items()) if pair[1] in in_force.benchmarks and pair[1] in desk.benchmarks]
    return replace(desk, results=tuple(
        replace(known[pair], score=s) if pair in known else Result(*pair, s, "", None, "default", desk.benchmarks[pair[1]].evaluator, "") for pair, s in inputs))


def fitted(desk: Desk) -> Fitted:
    """Calibrate a desk and score everyone.

    Raises
    ------
    CalibrationRefused
        C5, C8.
    """
    found = trace(desk.cells, desk.benchmarks, desk.reference, desk.params, require_all_reference=False)
    return Fitted(desk, found, *scored(desk, found.calibration))


def panel_on(desk: Desk, calibration: Calibration) -> Panel:
    """All results on the index set, of models in the fit and others."""
    return build_panel([c for c in desk.cells if c[1] in calibration.alpha], desk.benchmarks, desk.reference)


def lines_of(panel: Panel, calibration: Calibration) -> Lines:
    """The calibration's lines in the order of a panel's benchmarks."""
    ids = [x.id for x in panel.benchmarks]
    return Lines(*(np.array([values[x] for x in ids]) for values in (calibration.alpha, calibration.beta, calibration.sigma2)), np.zeros(len(ids), bool))


def shares_of(panel: Panel, calibration: Calibration, desk: Desk) -> np.ndarray:
    """ω_b·f_b of every result of a panel (S), shape (N,)."""
    found = weights(panel, desk.params)
    omega = np.array([calibration.omega[x.id] for x in panel.benchmarks])
    return found.share / found.omega[panel.b] * omega[panel.b]


def world(at: Fitted, rng: np.random.Generator) -> Desk:
    """The desk with every score on the index set drawn anew; results elsewhere stay, as they decide nothing.

    Parameters
    ----------
    rng : draws one normal per result, then one binomial per result, in canonical order
    """
    calibration, desk = at.calibration, at.desk
    rows = [k for k, r in enumerate(desk.results) if r.benchmark in calibration.alpha]
    own = [desk.results[k] for k in rows]
    benches = [desk.benchmarks[r.benchmark] for r in own]
    ability = np.array([at.scores[r.model].theta0 for r in own])
    alpha, beta, sigma2 = (np.array([values[x.id] for x in benches]) for values in (calibration.alpha, calibration.beta, calibration.sigma2))
    g, c, n = (np.array([getattr(x, name) for x in benches], dtype=float) for name in ("g", "c", "n"))
    eta = alpha * ability + beta + np.sqrt(sigma2) * rng.standard_normal(len(own))
    right = rng.binomial(n.astype(np.int64), g + (c - g) / (1 + np.exp(-eta)))
    results = list(desk.results)
    for k, score in zip(rows, right / n, strict=True):
        results[k] = replace(results[k], score=sig12(float(score)))
    return replace(desk, results=tuple(results))


def truth(at: Fitted) -> dict[str, float]:
    """The abilities that worlds are drawn from, on the published scale: the reference group's true mean and SD are 0 and 1."""
    return {slug: s.overall.theta for slug, s in at.scores.items()}
