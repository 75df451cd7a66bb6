"""params/intervals.yml: seed and sizes of the study of intervals, typed and range-checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pydantic
from pydantic import Field

from siiq_core.params.benchmarks import Slug
from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml, with_numbers


class IntervalsParams(Strict):
    """All of params/intervals.yml; units and ranges stand there and in the descriptions."""

    seed: whole(0, 4_294_967_295, "a whole number, 0 to 4294967295")
    worlds: whole(2, 10_000, "worlds, 2 to 10000")
    assignments: whole(1, 10_000, "assignments, 1 to 10000")
    hash_name: Slug = Field(description="small letters, digits and '-'")
    family_limits: tuple[whole(2, 50, "families, 2 to 50"), ...] = Field(min_length=1, max_length=6)
    quantiles: tuple[number(0.01, 0.99, "a quantile, 0.01 to 0.99"), ...] = Field(min_length=1, max_length=9)

    @pydantic.field_validator("family_limits", "quantiles")
    @classmethod
    def _ascending(cls, values: tuple[float, ...]) -> tuple[float, ...]:
        if list(values) != sorted(set(values)):
            raise ValueError("not ascending")
        return values


SCALARS = ("seed", "worlds", "assignments", "hash_name")


def load_intervals(root: Path) -> IntervalsParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "intervals.yml", IntervalsParams)


def with_intervals_changes(base: IntervalsParams, changes: Mapping[str, Any]) -> IntervalsParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)
