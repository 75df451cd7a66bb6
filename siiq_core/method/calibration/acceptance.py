"""What C8 refuses. C9, which compares with the calibration in force, comes with the gate's recalibrations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.fit import Fit
from siiq_core.method.panel import Panel


def require_finite(fit: Fit) -> None:
    """C8: anything not finite is refused."""
    numbers = (fit.theta, fit.lines.alpha, fit.lines.beta, fit.lines.sigma2)
    if not all(np.all(np.isfinite(x)) for x in numbers):
        raise CalibrationRefused("the fit is not finite", remedy="look for a benchmark or a group without any spread")


def require_converged(fit: Fit, tolerance: float) -> None:
    """C8: no convergence is refused."""
    if not fit.converged:
        raise CalibrationRefused(f"no convergence in {fit.rounds} rounds, last change {fit.last_change:.3g}",
                                 remedy=f"raise max_rounds, or look why abilities still move by more than {tolerance:g}")


def missing_reference(panel: Panel, reference: Iterable[str]) -> tuple[str, ...]:
    """Frozen reference models that the set does not hold, by slug."""
    return tuple(sorted(set(reference) - set(panel.models)))


def require_reference(panel: Panel, reference: Iterable[str]) -> None:
    """C8: a frozen reference model missing from the set is refused; all missing are named."""
    missing = missing_reference(panel, reference)
    if missing:
        raise CalibrationRefused(f"reference models missing from the set: {', '.join(missing)}", names=missing,
                                 remedy="restore their results; the group is frozen and a member is never replaced (G1)")
