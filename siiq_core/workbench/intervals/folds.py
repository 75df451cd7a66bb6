"""κ's own uncertainty: the same models and halves, dealt to other folds by a fixed list of named hashes (C7)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from siiq_core.method.calibration.kappa import estimate
from siiq_core.method.calibration.run import refit
from siiq_core.method.numbers import order_statistic
from siiq_core.method.panel import build_panel
from siiq_core.workbench.fitted import Fitted


@dataclass(frozen=True)
class Dealt:
    """κ under one assignment."""

    kappa: float
    ratio: float  # quantile of |z| over z90: κ before it is kept from falling under 1
    pairs: int


def deal(name: str, number: int, slug: str) -> str:
    """What models are ordered by under assignment `number`: SHA-256 of its name, its number and the slug."""
    return hashlib.sha256(f"{name}:{number}:{slug}".encode()).hexdigest()


def kappas(at: Fitted, name: str, assignments: int) -> tuple[Dealt, ...]:
    """κ under so many assignments; in the same order every time."""
    desk, params = at.desk, at.desk.params
    panel = build_panel(desk.cells, desk.benchmarks, desk.reference)
    without, out = refit(panel, desk.reference, params), []
    for number in range(assignments):
        found = estimate(desk.cells, at.calibration.models, desk.benchmarks, params, without, order=lambda slug: deal(name, number, slug))
        out.append(Dealt(found.kappa, order_statistic([abs(x.z) for x in found.pairs], params.kappa_quantile) / params.z90, len(found.pairs)))
    return tuple(out)
