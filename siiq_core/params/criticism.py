"""params/criticism.yml: seed, sizes and levels of the criticism of the model, typed and range-checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml, with_numbers


class CriticismParams(Strict):
    """All of params/criticism.yml; units and ranges stand there and in the descriptions."""

    seed: whole(0, 4_294_967_295, "a whole number, 0 to 4294967295")
    worlds: whole(2, 10_000, "worlds, 2 to 10000")
    noise_quantile: number(0.5, 0.999, "a quantile, 0.5 to 0.999")
    end_loading: number(0, 5, "z per unit, 0 to 5")
    min_results_end: whole(1, 20, "results, 1 to 20")
    movers: whole(1, 200, "models, 1 to 200")
    min_models_group: whole(2, 100, "models, 2 to 100")
    min_models_side: whole(2, 100, "models, 2 to 100")
    level: number(0.001, 0.5, "a level, 0.001 to 0.5")
    ceiling_margin: number(0, 0.5, "a share, 0 to 0.5")


SCALARS = tuple(CriticismParams.model_fields)


def load_criticism(root: Path) -> CriticismParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "criticism.yml", CriticismParams)


def with_criticism_changes(base: CriticismParams, changes: Mapping[str, Any]) -> CriticismParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)
