"""params/sweep.yml: the limits of sweeps and what their summary reports, typed and range-checked."""

from __future__ import annotations

from pathlib import Path

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml


class SweepParams(Strict):
    """All of params/sweep.yml; what each number means stands there."""

    max_cells: whole(1, 1_000_000, "cells, 1 to 1000000")
    seconds_per_cell: number(0.001, 3600, "seconds, 0.001 to 3600")
    low_quantile: number(0.001, 0.499, "a quantile, 0.001 to 0.499")
    high_quantile: number(0.501, 0.999, "a quantile, 0.501 to 0.999")
    keep_journals: whole(1, 1000, "files, 1 to 1000")
    patience: number(1, 86_400, "seconds, 1 to 86400")


def load_sweep(root: Path) -> SweepParams:
    """The limits of sweeps."""
    return load_yaml(root / "params" / "sweep.yml", SweepParams)
