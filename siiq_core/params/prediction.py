"""params/prediction.yml: how results are hidden, and the strengths of the simpler methods, typed and range-checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml, with_numbers


class PredictionParams(Strict):
    """All of params/prediction.yml; units and ranges stand there and in the descriptions."""

    rounds: whole(2, 100, "rounds, 2 to 100")
    folds: whole(2, 20, "folds, 2 to 20")
    min_models_per_half: whole(3, 100, "models, 3 to 100")
    max_rounds: whole(1, 100_000, "rounds, 1 to 100000")
    rank1_ridge: number(0.001, 100, "logits squared, 0.001 to 100")
    rank2_ridge: number(0.001, 100, "logits squared, 0.001 to 100")
    factor_tolerance: number(1e-12, 1e-3, "logits, 1e-12 to 0.001")
    factor_sweeps: whole(1, 100_000, "sweeps, 1 to 100000")
    neighbours: whole(1, 1000, "models, 1 to 1000")
    min_shared: whole(2, 50, "benchmarks, 2 to 50")
    sigmoid_ridge: number(1e-6, 10, "squared scores, 0.000001 to 10")
    sigmoid_tolerance: number(1e-15, 1e-3, "a share, 1e-15 to 0.001")
    separation: number(0.1, 10, "standard errors, 0.1 to 10")
    worst: whole(1, 1000, "predictions, 1 to 1000")
    levels: tuple[number(0.001, 0.999, "a share, 0.001 to 0.999"), ...] = Field(min_length=1)


SCALARS = tuple(name for name in PredictionParams.model_fields if name != "levels")


def load_prediction(root: Path) -> PredictionParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "prediction.yml", PredictionParams)


def with_prediction_changes(base: PredictionParams, changes: Mapping[str, Any]) -> PredictionParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)
