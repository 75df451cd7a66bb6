"""params/value.yml: the sources, floors and shares of the value method, typed and range-checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pydantic
from pydantic import Field, StrictBool

from siiq_core.errors import ParameterError
from siiq_core.params.benchmarks import BenchmarkSpec, Slug, check_columns, load_benchmarks
from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml, nearest, with_numbers
from siiq_core.params.sources import SourceSpec


class Cost(Strict):
    """Where a source's cost stands, in US dollars."""

    column: str
    comparable: StrictBool  # D1: one harness for all, and tasks alike
    tasks: str = ""  # column with the number of tasks that the cost is a total of; "": the cost is per task


class Hole(Strict):
    """What a version of a benchmark cannot measure (Q8)."""

    version: str
    code: str = Field(pattern=r"^[a-z_]+$", description="small letters and '_'")
    text: str


class ValueSource(Strict):
    """One benchmark in the value method."""

    benchmark: Slug
    family: Slug
    in_use: StrictBool
    harness: str
    version: str
    cost: Cost | None = None
    interval: tuple[str, str] | None = None  # columns of the ends of a 95 % interval
    known_holes: tuple[Hole, ...]
    definition: BenchmarkSpec | None = None

    @property
    def hole(self) -> Hole | None:
        """The hole of the version in use; None where it has none."""
        return next((hole for hole in self.known_holes if hole.version == self.version), None)


class ValueParams(Strict):
    """All of params/value.yml; units and ranges stand there and in the descriptions."""

    min_benchmarks: whole(1, 2, "families, 1 or 2")
    cheap_share: number(0.01, 1, "a share, 0.01 to 1")
    cheap_floor: number(0, 1, "a share, 0 to 1")
    everyday_floor: number(0, 1, "a share, 0 to 1")
    min_trade_offs: whole(3, 10, "points, 3 to 10")
    level: StrictBool = Field(description="true or false")
    z90: number(0.1, 5, "standard errors, 0.1 to 5")
    z95: number(0.1, 5, "standard errors, 0.1 to 5")
    least_between: number(1e-12, 1, "a share, 1e-12 to 1")
    mix_cache_read: number(0, 1, "a share, 0 to 1")
    mix_input: number(0, 1, "a share, 0 to 1")
    mix_output: number(0, 1, "a share, 0 to 1")
    draws: whole(10, 10_000, "worlds, 10 to 10000")
    seed: whole(0, 4_294_967_295, "a whole number, 0 to 4294967295")
    effort_words: Mapping[str, str]
    no_answer: tuple[str, ...]
    sources: tuple[ValueSource, ...] = Field(min_length=1)

    @pydantic.model_validator(mode="after")
    def _shares_add_up(self) -> "ValueParams":
        if abs(self.mix_cache_read + self.mix_input + self.mix_output - 1) > 1e-9:
            raise ValueError("mix_cache_read, mix_input and mix_output must add up to 1")
        ids = [source.benchmark for source in self.sources]
        if len(set(ids)) != len(ids):
            raise ValueError("a benchmark stands twice in sources")
        if any(source.definition and source.definition.id != source.benchmark for source in self.sources):
            raise ValueError("a definition has another id than its benchmark")
        return self

    @property
    def default_set(self) -> tuple[str, ...]:
        """Benchmarks that are on without a reader's doing (Q8a)."""
        return tuple(source.benchmark for source in self.sources if source.in_use)


SCALARS = tuple(name for name in ValueParams.model_fields if name not in ("effort_words", "no_answer", "sources"))


def load_value(root: Path) -> ValueParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "value.yml", ValueParams)


def with_value_changes(base: ValueParams, changes: Mapping[str, Any]) -> ValueParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)


def value_specs(root: Path, params: ValueParams, sources: Mapping[str, SourceSpec]) -> dict[str, BenchmarkSpec]:
    """Benchmark id → where its scores stand, in the order of params/value.yml.

    Raises
    ------
    ParameterError
        A benchmark is not configured, or a column is none that params/sources.yml keeps.
    """
    known = {spec.id: spec for spec in load_benchmarks(root)}
    out: dict[str, BenchmarkSpec] = {}
    for source in params.sources:
        spec = source.definition or known.get(source.benchmark)
        if spec is None:
            raise ParameterError("no such benchmark is configured", file="value.yml", column="sources", value=source.benchmark,
                                 remedy=f"{nearest(source.benchmark, list(known))} Or give it a definition")
        if source.definition and source.benchmark in known:
            raise ParameterError("is configured in benchmarks.csv already", file="value.yml", column="definition", value=source.benchmark,
                                 remedy="take the definition out")
        _check_kept(source, spec, sources)
        out[source.benchmark] = spec
    check_columns(tuple(out.values()), sources)
    return out


def _check_kept(source: ValueSource, spec: BenchmarkSpec, sources: Mapping[str, SourceSpec]) -> None:
    file = sources[spec.source].file(spec.file) if spec.source in sources else None
    if file is None:
        return  # check_columns names it
    wanted: Sequence[str] = (*((source.cost.column, source.cost.tasks) if source.cost else ()), *(source.interval or ()))
    for column in wanted:
        if column and column not in file.keep:
            raise ParameterError(f"{spec.file} keeps no such column", file="value.yml", column="sources", value=f"{source.benchmark}: {column}",
                                 remedy=nearest(column, list(file.keep)))
