"""Epoch AI's sigmoid fit, written anew from its public description: score = σ(α_b·(θ_m − D_b)).

Followed (epoch.ai, "ECI documentation: methodology", and the description of the package eci-public):
    the two-parameter curve on scores as fractions; capabilities θ, difficulties D and slopes α estimated together by
    non-linear least squares, every score with the same weight; a ridge against overfitting.
Not followed, or not described:
    the anchor benchmark (WinoGrande, difficulty 0 and slope 1) is not among these benchmarks: the ridge alone pins down the
    scale, which predictions do not depend on. The ridge pulls θ and D towards 0 and α towards 1, the anchor's own values;
    its strength is params/prediction.yml's, chosen so that it predicts best here. Epoch's own choice of results, bootstrap
    intervals and the published scale (Claude 3.5 Sonnet 130, GPT-5 150) play no part.

The Jacobian is analytic and sparse: a score depends on one model and one benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from siiq_core.method.numbers import group_sum
from siiq_core.method.panel import build_panel
from siiq_core.workbench.prediction.predictor import Guess, Method, Predictor, Setting
from siiq_core.workbench.prediction.splits import Question, Round


@dataclass(frozen=True)
class Curves:
    """The least-squares problem of N scores of M models on B benchmarks. Parameters: θ (M), D (B), α (B), in one vector."""

    m: np.ndarray  # (N,) model number
    b: np.ndarray  # (N,) benchmark number
    s: np.ndarray  # (N,) score
    models: int
    benchmarks: int
    ridge: float

    def parts(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """θ, D, α of a vector."""
        return x[: self.models], x[self.models : self.models + self.benchmarks], x[self.models + self.benchmarks :]

    def centre(self) -> np.ndarray:
        """θ = D = 0, α = 1: where the ridge pulls to."""
        return np.concatenate([np.zeros(self.models + self.benchmarks), np.ones(self.benchmarks)])

    def start(self) -> np.ndarray:
        """D from each benchmark's mean score at α = 1, θ from a model's mean distance from these means, where σ rises by 1/4.

        The problem has more than one minimum: from its centre the steps may end where a benchmark's slope is negative.
        """
        middle = group_sum(self.b, self.s, self.benchmarks) / np.bincount(self.b, minlength=self.benchmarks)
        ability = 4.0 * group_sum(self.m, self.s - middle[self.b], self.models) / np.bincount(self.m, minlength=self.models)
        inside = np.clip(middle, 0.02, 0.98)
        return np.concatenate([ability, -np.log(inside / (1.0 - inside)), np.ones(self.benchmarks)])

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """(N + M + 2B,) predicted minus observed scores, then the ridge's."""
        theta, difficulty, slope = self.parts(x)
        curve = _sigmoid(slope[self.b] * (theta[self.m] - difficulty[self.b]))
        return np.concatenate([curve - self.s, np.sqrt(self.ridge) * (x - self.centre())])

    def jacobian(self, x: np.ndarray) -> Any:
        """(N + M + 2B, M + 2B) derivatives of `residuals`, sparse."""
        from scipy.sparse import csr_matrix

        theta, difficulty, slope = self.parts(x)
        off = theta[self.m] - difficulty[self.b]
        curve = _sigmoid(slope[self.b] * off)
        steep = curve * (1.0 - curve)
        each = np.arange(len(x))  # the ridge's rows: one parameter each
        rows = np.concatenate([np.tile(np.arange(len(self.s)), 3), len(self.s) + each])
        columns = np.concatenate([self.m, self.models + self.b, self.models + self.benchmarks + self.b, each])
        values = np.concatenate([steep * slope[self.b], -steep * slope[self.b], steep * off, np.full(len(x), np.sqrt(self.ridge))])
        return csr_matrix((values, (rows, columns)), shape=(len(self.s) + len(x), len(x)))


def solve(curves: Curves, tolerance: float) -> np.ndarray:
    """The parameters with the least squares."""
    from scipy.optimize import least_squares

    return least_squares(curves.residuals, curves.start(), jac=curves.jacobian, method="trf", x_scale="jac", ftol=tolerance, xtol=tolerance, gtol=tolerance, tr_solver="lsmr",
                         tr_options={"atol": 1e-10, "btol": 1e-10}).x


def sigmoid(at: Setting) -> Method:
    """The sigmoid fit as a predictor; a model that took no part in the fit is placed with all curves frozen."""

    def fit(round_: Round) -> Predictor:
        panel = build_panel(round_.fitted, at.benchmarks, ())
        curves = Curves(panel.m, panel.b, panel.s, len(panel.models), len(panel.benchmarks), at.params.sigmoid_ridge)
        theta, difficulty, slope = curves.parts(solve(curves, at.params.sigmoid_tolerance))
        number = {bench.id: k for k, bench in enumerate(panel.benchmarks)}
        fitted = dict(zip(panel.models, theta.tolist(), strict=True))

        def predict(question: Question) -> Guess | None:
            known = {number[b]: s for b, s in question.known.items() if b in number}
            if not known or question.benchmark not in number:
                return None
            ability = fitted.get(question.model)
            if ability is None:
                b = np.array(sorted(known))
                ability = place(np.array([known[k] for k in b]), difficulty[b], slope[b], at.params.sigmoid_ridge)
            k = number[question.benchmark]
            return Guess(float(_sigmoid(slope[k] * (ability - difficulty[k]))))

        return predict

    return fit


def place(s: np.ndarray, difficulty: np.ndarray, slope: np.ndarray, ridge: float) -> float:
    """θ with the least squares of the scores `s` on frozen curves, ridge included: the best of a grid, then refined."""
    from scipy.optimize import minimize_scalar

    def loss(theta: float) -> float:
        return float(np.sum((_sigmoid(slope * (theta - difficulty)) - s) ** 2) + ridge * theta * theta)

    grid = np.linspace(-_FAR, _FAR, 8 * _FAR + 1)
    best = grid[np.argmin([loss(x) for x in grid])]
    return float(minimize_scalar(loss, bounds=(best - 0.25, best + 0.25), method="bounded", options={"xatol": 1e-10}).x)


_FAR = 20  # abilities are looked for between minus and plus this; the ridge keeps them well inside


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))  # the same curve, without overflow
