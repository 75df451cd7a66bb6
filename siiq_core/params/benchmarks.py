"""params/benchmarks.csv: the configured benchmarks; params/excluded.csv: the known ones that are not, with reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from siiq_core.errors import ParameterError
from siiq_core.params.loader import Strict, load_csv, nearest
from siiq_core.params.sources import Address, SourceSpec, source_spec

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[.-][a-z0-9]+)*$", description="small letters, digits, '-' and '.'")]
Fraction = Annotated[float, Field(ge=0, le=1, description="a fraction, 0 to 1")]

# What the error column really is. Only "se" is a sampling standard error in the score's own unit (T3, effective n).
ErrorKind = Literal["", "se", "95% half-width", "run-to-run", "implausible, not used", "percent; not used"]

_FILTER = re.compile(r"(?:(?P<column>[^=]+)=(?P<value>[^=]+)|header has (?P<header>.+))")


class BenchmarkSpec(Strict):
    """One configured benchmark: where its score stands and what the method needs to know of it."""

    id: Slug
    name: str
    source: Slug
    file: str
    score_column: str
    scale: float = Field(gt=0, le=1, description="factor from the cell to a fraction, above 0 up to 1")  # T4
    filter: str = ""
    error_column: str = ""
    error_kind: ErrorKind = ""
    area: Literal["knowledge", "math", "reasoning", "coding", "agents"]
    family: Slug
    evaluator: str
    licence_basis: Literal["evaluator", "bundle"]  # E2
    g: Fraction
    c: Fraction
    n: int | None = Field(default=None, ge=1, description="questions, 1 or more; empty where n_kind is effective")
    n_kind: Literal["defined", "effective", "assumed"]  # T3
    licence: str
    licence_url: Address
    address: Address
    note: str = ""

    @pydantic.field_validator("filter")
    @classmethod
    def _filter_is_known(cls, text: str) -> str:
        if text and not _FILTER.fullmatch(text):
            raise ValueError("a filter reads 'Column=value' or 'header has X'")
        return text

    @pydantic.model_validator(mode="after")
    def _parts_agree(self) -> "BenchmarkSpec":
        if not self.g < self.c:
            raise ValueError(f"the chance level g ({self.g}) must be below the ceiling c ({self.c})")
        if (self.n is None) != (self.n_kind == "effective"):
            raise ValueError("n is empty if and only if n_kind is effective")
        if bool(self.error_kind) != bool(self.error_column):
            raise ValueError("error_column and error_kind go together")
        return self

    @property
    def row_filter(self) -> tuple[str, str] | None:
        """(column, value) that a row must show, trimmed; None without such a filter."""
        found = _FILTER.fullmatch(self.filter) if self.filter else None
        return (found["column"].strip(), found["value"].strip()) if found and found["column"] else None

    @property
    def needed_header(self) -> str:
        """A header that the file must have to be this benchmark at all; "" without such a filter."""
        found = _FILTER.fullmatch(self.filter) if self.filter else None
        return (found["header"] or "").strip() if found else ""


class Excluded(Strict):
    """A benchmark of the sources that is known and not configured."""

    name: str
    source: Slug
    file: str = ""
    rule: Literal["E1", "E2", "E3", "E4", "T2", "set"]  # T2: no fraction; "set": outside this method version's set
    reason: str


def load_benchmarks(root: Path) -> tuple[BenchmarkSpec, ...]:
    """The configured benchmarks, in file order. Ids are unique; a family lies in one area."""
    rows = load_csv(root / "params" / "benchmarks.csv", BenchmarkSpec)
    if not rows:
        raise ParameterError("holds no benchmark", file="benchmarks.csv", row=0, remedy="restore the file")
    first: dict[str, int] = {}
    area: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        if row.id in first:
            raise ParameterError(f"id stands in row {first[row.id]} already", file="benchmarks.csv", row=number, column="id",
                                 value=row.id, remedy="give every benchmark its own id")
        if area.setdefault(row.family, row.area) != row.area:
            raise ParameterError("a family has one question set, so it lies in one area", file="benchmarks.csv", row=number,
                                 column="area", value=row.area, remedy=f"use {area[row.family]!r}, or another family")
        first[row.id] = number
    return rows


def check_columns(specs: Sequence[BenchmarkSpec], sources: Mapping[str, SourceSpec]) -> None:
    """Every benchmark's source, file and columns are ones that params/sources.yml keeps; a slip there would silently empty it."""
    for number, spec in enumerate(specs, start=1):
        source = source_spec(spec.source, sources)
        file = source.file(spec.file)
        if file is None:
            raise ParameterError(f"source {spec.source} has no such file", file="benchmarks.csv", row=number, column="file", value=spec.file,
                                 remedy=nearest(spec.file, list(source.files)))
        for name, column in (("score_column", spec.score_column), ("filter", (spec.row_filter or ("",))[0]), ("error_column", spec.error_column)):
            if column and column not in file.keep:
                raise ParameterError(f"{spec.file} keeps no such column", file="benchmarks.csv", row=number, column=name, value=column,
                                     remedy=nearest(column, list(file.keep)))


def load_excluded(root: Path) -> tuple[Excluded, ...]:
    """What is known and left out of the configured set, with the rule and the reason; each once."""
    rows = load_csv(root / "params" / "excluded.csv", Excluded)
    first: dict[tuple[str, str, str], int] = {}
    for number, row in enumerate(rows, start=1):
        if (at := first.setdefault((row.name, row.source, row.file), number)) != number:
            raise ParameterError(f"stands in row {at} already", file="excluded.csv", row=number, column="name", value=row.name, remedy="keep one of the two")
    return rows
