"""params/performance.yml: what benchmarks are held against, typed and range-checked."""

from __future__ import annotations

from pathlib import Path

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml


class PerformanceParams(Strict):
    """All of params/performance.yml; what each number means stands there."""

    kappa_seconds: number(0.001, 3600, "seconds, 0.001 to 3600")
    round_seconds: number(0.001, 3600, "seconds, 0.001 to 3600")
    bytes_per_result: number(1, 100_000, "bytes, 1 to 100000")
    exponent: number(0.1, 4, "an exponent, 0.1 to 4")
    sigmoid_times: number(1, 1_000_000, "times, 1 to 1000000")
    one_model_seconds: number(0.000001, 60, "seconds, 0.000001 to 60")
    help_seconds: number(0.01, 60, "seconds, 0.01 to 60")
    update_seconds: number(0.01, 3600, "seconds, 0.01 to 3600")
    stop: number(1e-12, 1e-3, "standard deviations, 1e-12 to 0.001")
    draws: whole(1, 10_000, "draws, 1 to 10000")
    install_seconds: number(1, 86_400, "seconds, 1 to 86400")
    other_seconds: number(1, 86_400, "seconds, 1 to 86400")


def load_performance(root: Path) -> PerformanceParams:
    """What benchmarks are held against."""
    return load_yaml(root / "params" / "performance.yml", PerformanceParams)
