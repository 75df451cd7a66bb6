"""params/percentile.yml: dimensions, boards, weights and overlap register of the percentile composite (M5–M8, M14)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field, StrictBool

from siiq_core.errors import ParameterError
from siiq_core.params.benchmarks import BenchmarkSpec, Slug, check_columns, load_benchmarks
from siiq_core.params.fields import whole
from siiq_core.params.loader import Strict, load_yaml, nearest, with_numbers
from siiq_core.params.sources import Address, Day, SourceSpec
from siiq_core.params.value import load_value


def _share(text: Any) -> Fraction:
    """An exact fraction above 0 to 1; a float is none, since it would say something else than it shows."""
    try:
        if isinstance(text, (bool, float)):
            raise ValueError
        value = Fraction(text)
    except (ValueError, TypeError, ZeroDivisionError):
        raise ValueError("write an exact fraction as text, such as '1/2'") from None
    if not 0 < value <= 1:
        raise ValueError("a fraction above 0 to 1")
    return value


Share = Annotated[Fraction, pydantic.BeforeValidator(_share)]


class Dimension(Strict):
    """One dimension, and its share of the score (M8)."""

    id: Slug
    weight: whole(0, 100, "per cent, 0 to 100")


class Rating(Strict):
    """A board of ratings, which is no benchmark of SI-IQ."""

    name: str
    source: Slug
    columns: tuple[str, ...] = Field(min_length=1)
    date_columns: tuple[str, ...]
    evaluator: str
    licence: str
    licence_url: Address
    address: Address


class Board(Strict):
    """One board in the composite."""

    benchmark: Slug
    dimension: Slug
    family: Slug
    direction: Literal["higher", "lower"] = "higher"
    quality_weight: Share = Fraction(1)
    log: StrictBool = False
    version_column: str = ""
    rating: Rating | None = None


class Overlap(Strict):
    """Why a board counts less beside others (M6)."""

    board: Slug
    kind: Literal["family", "composite"]
    beside: tuple[Slug, ...] = Field(alias="with", min_length=1)
    reason: str = Field(min_length=10)


class Source(Strict):
    """How often a source in use speaks."""

    id: Slug
    cadence: Literal["irregular", "archived"]


class Inactive(Strict):
    """A source that is listed and not read (M14)."""

    id: Slug
    name: str
    url: Address
    license: str
    license_url: str
    attribution: str
    since: Day
    reason: str = Field(pattern=r"^[a-z_]+$", description="small letters and '_'")
    dimension: str  # which it would fill; "" where it would be one of several


class PercentileParams(Strict):
    """All of params/percentile.yml; units and ranges stand there and in the descriptions."""

    high_families: whole(2, 20, "families, 2 to 20")
    medium_families: whole(1, 19, "families, 1 to 19")
    min_dimensions: whole(1, 4, "dimensions, 1 to 4")
    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    overlap_factor: Share
    effort_words: Mapping[str, str]
    sources: tuple[Source, ...]
    inactive: tuple[Inactive, ...]
    boards: tuple[Board, ...] = Field(min_length=1)
    overlaps: tuple[Overlap, ...]

    @pydantic.model_validator(mode="after")
    def _parts_agree(self) -> "PercentileParams":
        if self.medium_families >= self.high_families:
            raise ValueError("medium_families must be below high_families")
        if sum(d.weight for d in self.dimensions) != 100:
            raise ValueError("the weights of the dimensions must add up to 100")
        dimensions, boards, sources = [d.id for d in self.dimensions], [b.benchmark for b in self.boards], [s.id for s in self.sources]
        for what, ids in (("dimension", dimensions), ("board", boards), ("source", [*sources, *(s.id for s in self.inactive)])):
            if len(set(ids)) != len(ids):
                raise ValueError(f"a {what} stands twice")
        if odd := [b.benchmark for b in self.boards if b.dimension not in dimensions]:
            raise ValueError(f"a board of no dimension: {odd[0]}")
        self._check_register()
        return self

    def _check_register(self) -> None:
        own = {b.benchmark: b for b in self.boards}
        for x in self.overlaps:
            if odd := [b for b in (x.board, *x.beside) if b not in own]:
                raise ValueError(f"the overlap register names no board: {odd[0]}")
            if x.board in x.beside:
                raise ValueError(f"a board overlaps with itself: {x.board}")
        told = {x.board for x in self.overlaps if x.kind == "family"}
        for b in self.boards:
            first = min((x for x in self.boards if (x.dimension, x.family) == (b.dimension, b.family)), key=lambda x: (-x.quality_weight, x.benchmark))
            if first is not b and b.benchmark not in told:
                raise ValueError(f"a further board of a family without its reason in the overlap register: {b.benchmark}")

    def boards_of(self, dimension: str) -> tuple[Board, ...]:
        """The boards of a dimension, in the file's order."""
        return tuple(b for b in self.boards if b.dimension == dimension)


SCALARS = ("high_families", "medium_families", "min_dimensions", "overlap_factor")


def load_percentile(root: Path) -> PercentileParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "percentile.yml", PercentileParams)


def with_percentile_changes(base: PercentileParams, changes: Mapping[str, Any]) -> PercentileParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)


def board_specs(root: Path, params: PercentileParams, sources: Mapping[str, SourceSpec]) -> dict[str, BenchmarkSpec]:
    """Board id → where its scores stand, for boards of benchmarks; boards of ratings say that themselves.

    Raises
    ------
    ParameterError
        A board is no configured benchmark, or its source has no cadence here.
    """
    known = {spec.id: spec for spec in load_benchmarks(root)} | {x.definition.id: x.definition for x in load_value(root).sources if x.definition}
    told = {x.id for x in params.sources}
    out: dict[str, BenchmarkSpec] = {}
    for board in params.boards:
        spec = known.get(board.benchmark)
        if board.rating is None and spec is None:
            raise ParameterError("no such benchmark is configured", file="percentile.yml", column="boards", value=board.benchmark, remedy=nearest(board.benchmark, list(known)))
        source = board.rating.source if board.rating else spec.source
        if source not in told or source not in sources:
            raise ParameterError("a board of a source that is not listed", file="percentile.yml", column="sources", value=source, remedy="list it with its cadence")
        if board.rating is None:
            out[board.benchmark] = spec.model_copy(update={"filter": ""}) if board.version_column else spec  # M4 chooses the version
    check_columns(tuple(out.values()), sources)
    return out
