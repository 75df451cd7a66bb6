"""SI-IQ as a predictor: the calibration of a round, the ability from what is known of the model, and T backwards.

    expected y   η = α_b·θ₀ + β_b                              predicted score  s = T⁻¹(η), the median
    variance     V = σ_b² + v_b + α_b²·SE₀²                    90 % interval    T⁻¹(η ∓ 1.644854·√V)

θ₀ and SE₀ = κ·√(Σ w²·α²·(σ² + v))/D are those of S before the map, from the known results alone; v_b is the variance of T1
at the predicted score, since the observed one is hidden. Left out, as in S1: how uncertain α, β and σ² are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.fit import line_pass
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.panel import Cell, build_panel
from siiq_core.method.scoring import raw_ability, terms
from siiq_core.method.transform import untransform
from siiq_core.records import Calibration
from siiq_core.workbench.prediction.predictor import Guess, Method, Predictor, Setting
from siiq_core.workbench.prediction.splits import Question, Round, scores_by_model

Line = tuple[float, float, float]  # α, β, σ²


def siiq(at: Setting) -> Method:
    """The method under test."""

    @lru_cache(maxsize=1)  # both halves of a benchmark share the calibration that has seen neither
    def calibrated(cells: tuple[Cell, ...]) -> Calibration | None:
        try:
            return calibrate(cells, at.benchmarks, at.reference, at.method, require_all_reference=False)
        except CalibrationRefused:
            return None

    def fit(round_: Round) -> Predictor:
        calibration = calibrated(tuple(c for c in round_.fitted if c[1] != round_.apart))
        if calibration is None:
            return lambda question: None
        lines = {b: (calibration.alpha[b], calibration.beta[b], calibration.sigma2[b]) for b in calibration.alpha}
        if round_.apart:
            found = line_afterwards(round_, calibration, at)
            lines |= {round_.apart: found} if found else {}
        return lambda question: _guess(question, lines, calibration, at)

    return fit


def _guess(question: Question, lines: Mapping[str, Line], calibration: Calibration, at: Setting) -> Guess | None:
    items = terms(question.known, at.benchmarks, calibration)
    if not items or question.benchmark not in lines:
        return None
    (alpha, beta, sigma2), bench = lines[question.benchmark], at.benchmarks[question.benchmark]
    theta0, _, raw_se = raw_ability(items, at.method.lam)
    expected = alpha * theta0 + beta
    score, v = untransform(expected, bench.g, bench.c, bench.n)
    return Guess(score, expected, math.sqrt(sigma2 + v + (alpha * calibration.kappa * raw_se) ** 2))


def line_afterwards(round_: Round, calibration: Calibration, at: Setting) -> Line | None:
    """The line of a benchmark that the calibration has not seen: C3a on abilities that stand still, until σ² does.

    Of the models whose results on it are seen, those count that would in a calibration (E3); None where they are too few,
    or where the line ends on the loading floor (E4).
    """
    seen = scores_by_model(round_.fitted)
    cells, theta = [], []
    for model, scores in seen.items():
        items = terms(scores, at.benchmarks, calibration)
        if round_.apart in scores and len(items) + 1 >= at.method.min_results_per_model:
            cells.append((model, round_.apart, scores[round_.apart]))
            theta.append(raw_ability(items, at.method.lam)[0])
    if len(cells) < at.params.min_models_per_half:
        return None
    panel, abilities = build_panel(cells, at.benchmarks, at.reference), np.array(theta)
    sigma2 = np.array([at.method.start_residual_variance])
    for _ in range(at.method.max_rounds):
        lines = line_pass(panel, abilities, sigma2, at.method)
        moved = abs(float(lines.sigma2[0] - sigma2[0]))
        sigma2 = lines.sigma2
        if not moved > at.method.convergence_tolerance:
            break
    found = float(lines.alpha[0]), float(lines.beta[0]), float(lines.sigma2[0])
    return None if lines.floored[0] or not all(map(math.isfinite, found)) else found
