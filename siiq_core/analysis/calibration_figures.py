"""Figures of the calibration itself: how the rounds close in, what pins the fit down, how κ comes about, what freezing spares."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from siiq_core.analysis.workings import Workings, r6
from siiq_core.method.calibration.comparison import spearman
from siiq_core.method.calibration.fit import fit, weights
from siiq_core.method.calibration.identification import projected_jacobian, singular_values
from siiq_core.method.numbers import order_statistic
from siiq_core.method.ranks import scored

BRIDGE = 0.05  # a model is called a bridge if the weakest direction loses more than this share of its strength without it
_DECADES = (1e-12, 1e-10, 1e-8, 1e-6)


def rounds(found: Workings) -> dict[str, Any]:
    """The largest move of an ability in each round (C3)."""
    panel, changes = found.trace.panel, []
    fit(panel, weights(panel, found.params).share, found.params, lambda number, change: changes.append([number, r6(change)]))
    return {"tolerance": found.params.convergence_tolerance, "changes": changes}


def identification(found: Workings) -> dict[str, Any]:
    """Singular values of the scaled Jacobian as shares of the largest, and the models that hold the weakest direction (C5).

    Null values are rounding errors, whose digits are the machine's: only their number and a bound are kept.
    """
    panel, theta, alpha = found.trace.panel, found.trace.fit.theta, found.trace.fit.lines.alpha
    values = singular_values(panel, theta, alpha)
    shares = values / values[0]
    null = int(np.sum(shares < found.params.null_tolerance))
    largest_null = float(max(shares[len(shares) - null:], default=0.0))
    return {
        "tolerance": found.params.null_tolerance, "results": len(panel.m), "models": len(panel.models), "benchmarks": len(panel.benchmarks),
        "parameters": len(panel.models) + 2 * len(panel.benchmarks), "shares": [r6(x) for x in shares[:len(shares) - null]],
        "null": null, "null_below": next((x for x in _DECADES if largest_null < x), 1.0), **_weakest(found, null), "bridge": BRIDGE, "bridges": _bridges(found, null),
    }


def _weakest(found: Workings, null: int) -> dict[str, Any]:
    """The benchmark whose line moves most along the direction of the smallest value that is not null."""
    panel = found.trace.panel
    _, _, directions = np.linalg.svd(projected_jacobian(panel, found.trace.fit.theta, found.trace.fit.lines.alpha), full_matrices=False)
    alphas, betas = np.split(directions[len(directions) - null - 1], 2)
    weakest = panel.benchmarks[int(np.argmax(alphas**2 + betas**2))].id
    return {"weakest": {"benchmark": weakest, "name": found.names[weakest], "models": found.calibration.models_on[weakest]}}


def _bridges(found: Workings, null: int) -> list[dict[str, Any]]:
    """By how much the smallest value that is not null falls without each model, everything else as it is; largest falls first."""
    panel, theta, alpha = found.trace.panel, found.trace.fit.theta, found.trace.fit.lines.alpha
    whole, every = _smallest(projected_jacobian(panel, theta, alpha), null), np.ones(len(panel.benchmarks), bool)
    out = []
    for number, slug in enumerate(panel.models):
        keep = np.arange(len(panel.models)) != number
        left = _smallest(projected_jacobian(panel.keep(keep, every), theta[keep], alpha), null)
        out.append({"model": slug, "name": found.names[slug], "results": int(np.sum(panel.m == number)), "fall": r6(1 - left / whole)})
    return sorted(out, key=lambda x: (-x["fall"], x["model"]))[:10]


def _smallest(matrix: np.ndarray, null: int) -> float:
    """The smallest singular value that is not null, as a share of the largest; far above rounding, so squares will do here."""
    squares = np.linalg.eigvalsh(np.einsum("ij,ik->jk", matrix, matrix))  # no BLAS: its threads take longer than the sums
    return math.sqrt(max(squares[null], 0.0) / squares[-1])


def halves(found: Workings) -> dict[str, Any]:
    """|z| of every held-out model's halves, the quantile taken of them, and κ (C7)."""
    params, pairs = found.params, sorted(found.trace.halves, key=lambda x: (abs(x.z), x.model))
    q = order_statistic([abs(x.z) for x in pairs], params.kappa_quantile) if pairs else None
    inside = sum(abs(x.z) <= params.z90 for x in pairs)
    return {"quantile": params.kappa_quantile, "position": math.ceil(Fraction(str(params.kappa_quantile)) * len(pairs)), "q": q and r6(q), "z90": params.z90,
            "ratio": q and r6(q / params.z90), "kappa": found.calibration.kappa, "folds": found.calibration.folds, "inside": inside,
            "pairs": [{"model": x.model, "name": found.names[x.model], "fold": x.fold + 1, "z": r6(abs(x.z))} for x in pairs]}


def recalibration(found: Workings) -> dict[str, Any]:
    """Today's results under the parameters of an earlier day and under today's: what freezing spares readers, and C9's measures.

    No models, and no day, where that day's results lead to no calibration.
    """
    before_at, after_at = found.earlier, found.calibration
    if before_at is None:
        return {"from": None, "models": [], "ranked_before": 0, "ranked_after": 0, "spearman": None, "median_change": None, "joined": [], "left": []}
    scores, standings = scored(found.results, found.benchmarks, before_at, found.params)
    both = [x for x in sorted(found.scores) if found.standings[x].rank and x in scores and standings[x].rank]
    models = [{"model": x, "name": found.names[x], "before": r6(scores[x].overall.siiq), "after": r6(found.scores[x].overall.siiq),
               "change": r6(found.scores[x].overall.siiq - scores[x].overall.siiq)} for x in both]
    return {
        "from": found.earlier_day, "models": models, "ranked_before": sum(x.rank is not None for x in standings.values()),
        "ranked_after": sum(x.rank is not None for x in found.standings.values()),
        "spearman": r6(rho) if (rho := spearman([x["before"] for x in models], [x["after"] for x in models])) is not None else None,
        "median_change": r6(float(np.median([abs(x["change"]) for x in models]))) if models else None,
        "joined": [found.names[x] for x in sorted(set(after_at.alpha) - set(before_at.alpha))],
        "left": [found.names[x] for x in sorted(set(before_at.alpha) - set(after_at.alpha))],
    }
