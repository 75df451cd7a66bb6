"""One board out of one snapshot: who is on it, with which published value (M3, M4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from siiq_core.errors import DataError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.numbers import NotANumber, iso_day, plain_number, significant, significant_decimal
from siiq_core.evidence.sources.base import Adapter, first
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.percentile import Board
from siiq_core.records import Observation, Reading, Snapshot


@dataclass(frozen=True, slots=True)
class Standing:
    """A board as one snapshot has it."""

    readings: tuple[Reading, ...]  # rows that a model may be known by
    nameless: tuple[Decimal, ...]  # values of rows that are on the board and of no single model ("A + B")
    excluded: Mapping[str, int]  # older version of the board → rows


def published(reading: Reading, board: Board, spec: BenchmarkSpec | None, percent_sign: bool) -> Decimal:
    """The value as its source publishes it, up to the twelfth digit: 0.357 beside 0.35700000000000004 is a tie (M3, C11)."""
    row = reading.observation.row
    cell = first(row, board.rating.columns) if board.rating else row[spec.score_column].strip()
    return significant_decimal(plain_number(cell, percent_sign))


def read_benchmark(reader: Adapter, snapshot: Snapshot, board: Board, spec: BenchmarkSpec) -> Standing:
    """A board that is a configured benchmark. What the developer reported is no row of it (E1).

    Raises
    ------
    DataError, DefinitionChange
        T2, T4, U6b: name file, row, column and value.
    """
    read, left = reader.readings(snapshot, [spec])
    kept, excluded = newest_version(read, board)
    if not board.log:  # M4: of a log, every row is in the population
        kept = deduplicate(kept)[0]
    nameless = [_nameless(reader, x.observation, spec) for x in left if x.rule == "I1"]
    return Standing(tuple(kept), tuple(x for x in nameless if x is not None), excluded)


def _nameless(reader: Adapter, seen: Observation, spec: BenchmarkSpec) -> Decimal | None:
    """The value of a row that names no single model, which the readings did not look at; None where its cell says nothing."""
    cell = seen.row.get(spec.score_column, "").strip()
    if cell in reader.spec.common.missing:
        return None
    try:
        return significant_decimal(plain_number(cell, spec.score_column in reader.spec.percent_sign))
    except NotANumber as error:
        raise DataError(f"T4: a score of {spec.id} {error}", file=seen.file, row=seen.line, column=spec.score_column, value=cell, remedy="get the file again") from error


def read_ratings(reader: Adapter, snapshot: Snapshot, board: Board) -> Standing:
    """A board of ratings: normalised on its own board only, never beside fractions (M3).

    Raises
    ------
    DataError
        A rating that is no finite number.
    """
    read = [x for x in (_rating(reader, seen, board) for seen in snapshot.observations) if x is not None]
    kept, excluded = newest_version(read, board)
    return Standing(deduplicate(kept)[0], (), excluded)


def _rating(reader: Adapter, seen: Observation, board: Board) -> Reading | None:
    column = next((c for c in board.rating.columns if seen.row.get(c, "").strip()), "")
    cell = seen.row.get(column, "").strip()
    if cell in reader.spec.common.missing:
        return None
    try:
        value = significant(float(plain_number(cell, percent_sign=False)))
    except NotANumber as error:
        raise DataError(f"T4: a rating of {board.benchmark} {error}", file=seen.file, row=seen.line, column=column, value=cell, remedy="get the file again") from error
    day = iso_day(first(seen.row, board.rating.date_columns)[:10])
    return Reading(board.benchmark, first(seen.row, reader.spec.columns.name), "", "", value, None, day, seen)


def newest_version(readings: Iterable[Reading], board: Board) -> tuple[tuple[Reading, ...], dict[str, int]]:
    """M4: (rows of the board's newest version, older version → how many rows of it are excluded)."""
    readings = tuple(readings)
    if not board.version_column:
        return readings, {}
    versions = [r.observation.row.get(board.version_column, "").strip() for r in readings]
    newest = max(versions, key=_natural, default="")
    excluded: dict[str, int] = {}
    for version in versions:
        if version != newest:
            excluded[version] = excluded.get(version, 0) + 1
    return tuple(r for r, version in zip(readings, versions, strict=True) if version == newest), dict(sorted(excluded.items()))


def _natural(version: str) -> tuple:
    """v1.10 is newer than v1.9; no version is the oldest."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", version) if part), version
