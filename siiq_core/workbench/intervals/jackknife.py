"""The delete-one jackknife: how far the calibrated parameters' share of an error reaches, without believing the model's variances.

    SE² = (K − 1)/K · Σ_k (t_k − t̄)²        t_k: the estimate without unit k

Each model of the fit is left out of the calibration in turn; everyone, it included, is then scored under the lines found without
it, and the scale is set by all members of the reference group, since the group is frozen (G1) and no sample. What remains is
how much the lines depend on which models they were fitted to. Added to the official variance, which has the error of a model's own
results, it gives the error with parameters in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.fit import abilities
from siiq_core.method.calibration.run import refit
from siiq_core.method.numbers import mean, population_sd
from siiq_core.method.panel import build_panel
from siiq_core.workbench.fitted import Fitted, lines_of, panel_on, shares_of


def standard_error(estimates: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
    """Of each column, from K rows of estimates that each leave one unit out."""
    t = np.asarray(estimates, dtype=float)
    return np.sqrt((len(t) - 1) / len(t) * np.sum((t - t.mean(axis=0)) ** 2, axis=0))


@dataclass(frozen=True)
class Parameters:
    """Error from the parameters alone, on the published scale."""

    se: dict[str, float]  # by slug
    deletions: int
    skipped: tuple[str, ...]  # without these models no calibration of the same benchmarks is left


def parameter_errors(at: Fitted) -> Parameters:
    """Every model's jackknife error over the models of the fit."""
    desk, whole = at.desk, at.calibration
    panel, rows, skipped = panel_on(desk, whole), [], []
    share = shares_of(panel, whole, desk)
    without = refit(build_panel(desk.cells, desk.benchmarks, desk.reference), desk.reference, desk.params)
    members = panel.reference & np.isin(panel.models, whole.models)
    for slug in whole.models:
        try:
            found = without(frozenset({slug}))
        except CalibrationRefused:
            skipped.append(slug)
            continue
        if set(found.alpha) != set(whole.alpha):
            skipped.append(slug)
            continue
        raw = abilities(panel, share, lines_of(panel, found), desk.params.lam)
        rows.append((raw - mean(raw[members])) / population_sd(raw[members]))
    return Parameters(dict(zip(panel.models, standard_error(rows).tolist(), strict=True)), len(rows), tuple(skipped))
