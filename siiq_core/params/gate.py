"""params/gate.yml: the limits of the gate (U), typed and range-checked."""

from __future__ import annotations

from pathlib import Path

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml


class GateParams(Strict):
    """All of params/gate.yml; what each limit means stands there."""

    confirm_hours: number(1, 240, "hours, 1 to 240")
    same_value: number(0, 0.2, "a fraction, 0 to 0.2")
    hold_move: number(0.001, 1, "a fraction, 0.001 to 1")
    hold_z: number(1, 100, "standard errors, 1 to 100")
    min_other_families: whole(1, 20, "families, 1 to 20")
    twin_tolerance: number(0, 0.2, "a fraction, 0 to 0.2")
    held_report_days: number(1, 365, "days, 1 to 365")
    leader_points: number(0, 100, "SI-IQ points, 0 to 100")
    leader_drift: number(0, 100, "SI-IQ points, 0 to 100")
    lost_rows: number(0, 1, "a share, 0 to 1")
    small_hours: number(1, 720, "hours, 1 to 720")
    small_parses: whole(1, 1000, "times, 1 to 1000")
    remove_hours: number(0, 720, "hours, 0 to 720")
    keep_last: tuple[str, ...]
    revision_results: whole(1, 1000, "results, 1 to 1000")
    revision_share: number(0, 1, "a share, 0 to 1")
    revision_move: number(0, 0.2, "a fraction, 0 to 0.2")
    switch_report_days: number(1, 365, "days, 1 to 365")
    retry_hours: number(1, 720, "hours, 1 to 720")
    recalibration_day: whole(1, 28, "a day of the month, 1 to 28")
    recalibration_hour: whole(0, 23, "an hour, UTC, 0 to 23")
    stop_share: number(0, 1, "a share, 0 to 1")
    stop_points: number(0, 100, "SI-IQ points, 0 to 100")
    stop_runs: whole(1, 1000, "runs, 1 to 1000")
    news: whole(10, 5000, "entries, 10 to 5000")


def load_gate(root: Path) -> GateParams:
    """The gate's limits; an unknown source under keep_last is refused where sources are read (`rules`)."""
    return load_yaml(root / "params" / "gate.yml", GateParams)
