"""What all adapters share: a table's rows as readings on the configured benchmarks (T2, T4, U6b)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from siiq_core.errors import DataError, DefinitionChange, ParameterError
from siiq_core.evidence.numbers import NotANumber, iso_moment, plain_number, score_flags, significant
from siiq_core.evidence.sources.table import Table, read_csv
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.loader import nearest
from siiq_core.params.sources import SourceSpec
from siiq_core.records import LeftOut, Observation, Reading, Snapshot, SourceFile


@dataclass(frozen=True, slots=True)
class Adapter:
    """One publisher's format, bound to its entry in params/sources.yml. The base reads comma-separated tables."""

    spec: SourceSpec

    def parse(self, name: str, content: bytes) -> Table:
        """The file's rows; SourceError (U6a) where it cannot be read."""
        return read_csv(name, content, self.spec)

    def unusable(self, name: str) -> str:
        """Why a row of this name is no model at all; "" where it may be one."""
        return ""

    def readings(self, snapshot: Snapshot, benchmarks: Iterable[BenchmarkSpec]
                 ) -> tuple[tuple[Reading, ...], tuple[LeftOut, ...]]:
        """Every row of the snapshot as a reading on each benchmark it belongs to, and the rows not used, with reasons.

        Benchmarks do not touch each other: called with one at a time, a fault of one leaves the others alone.

        Raises
        ------
        DefinitionChange
            U6b: the score column is gone, or a header is gone without which the file is another benchmark.
        DataError
            T2, T4: a score is no number of its column's kind or outside [0, 1]; names file, row, column and value.
        """
        by_file: dict[str, list[Observation]] = {}
        for observation in snapshot.observations:
            by_file.setdefault(observation.file, []).append(observation)
        used: list[Reading] = []
        left: list[LeftOut] = []
        for benchmark in benchmarks:
            if benchmark.source != snapshot.source or benchmark.file not in snapshot.files:
                continue  # not measured in this snapshot
            check_definition(benchmark, snapshot.files[benchmark.file])
            for observation in by_file.get(benchmark.file, ()):
                found = self._read(observation, benchmark)
                (used if isinstance(found, Reading) else left).append(found)
        return tuple(used), tuple(left)

    def _read(self, observation: Observation, benchmark: BenchmarkSpec) -> Reading | LeftOut:
        row, columns = observation.row, self.spec.columns
        out = lambda rule, reason: LeftOut(rule, reason, observation, benchmark.id)  # noqa: E731
        if benchmark.row_filter:
            column, wanted = benchmark.row_filter
            if row.get(column, "").strip() != wanted:
                return out("filter", f"{column} is not {wanted!r}")
        name, origin = first(row, columns.name), first(row, columns.origin_name)
        if not name and not origin:  # a row without a version id may still be known by its name at the origin (I2)
            return out("I1", "the row names no model")
        if reason := self.unusable(name):
            return out("I1", reason)
        if any(self.spec.common.developer_claims.made_by_developer(row.get(column, "")) for column in columns.claim):
            return out("E1", "its source cell shows that the developer reported it")
        cell = row.get(benchmark.score_column, "").strip()
        if cell in self.spec.common.missing:
            return out("missing", "no score in the cell")
        if first(row, columns.attempts) in ("0", "0.0"):
            return out("missing", "nothing was run: the score is missing, not zero")
        score, digits = self._score(cell, observation, benchmark)
        se, error_flags = self._standard_error(row, score, benchmark)
        written = first(row, columns.run_date)
        run_date = iso_moment(written) if written else None
        flags = [*score_flags(score, digits, benchmark.g, benchmark.c, benchmark.n if benchmark.n_kind == "defined" else None, benchmark.scale), *error_flags]
        if written and not run_date:
            flags.append("run date is no ISO date")
        return Reading(benchmark.id, name, origin, first(row, columns.effort), score, se, run_date, observation, tuple(flags))

    def _score(self, cell: str, observation: Observation, benchmark: BenchmarkSpec) -> tuple[float, str]:
        place = {"file": observation.file, "row": observation.line, "column": benchmark.score_column, "value": cell}
        try:
            digits = plain_number(cell, benchmark.score_column in self.spec.percent_sign)
        except NotANumber as error:
            raise DataError(f"T4: a score of {benchmark.id} {error}", **place, remedy="mend the cell, or say in params/sources.yml "
                            "(percent_sign, missing) and params/benchmarks.csv (scale) how this column is written") from error
        score = significant(float(digits) * benchmark.scale)
        if not 0 <= score <= 1:  # T2: before any clip, which would hide it
            raise DataError(f"T2: a score of {benchmark.id} is {score:g} as a fraction, outside [0, 1]", **place,
                            remedy="mend the cell; if the whole column is in per cent, set scale 0.01 in params/benchmarks.csv")
        return score, digits

    def _standard_error(self, row: Mapping[str, str], score: float, benchmark: BenchmarkSpec
                        ) -> tuple[float | None, tuple[str, ...]]:
        """The sampling standard error as a fraction, in the score's own unit; None where the row has none that can be one."""
        cell = row.get(benchmark.error_column, "").strip()
        if benchmark.error_kind != "se" or cell in self.spec.common.missing:
            return None, ()
        try:
            error = significant(float(plain_number(cell, benchmark.error_column in self.spec.percent_sign)) * benchmark.scale)
        except NotANumber:
            return None, ("error cell is no number",)
        if error <= 0 or not 0 < score < 1:  # a zero error says nothing about n
            return None, ()
        squared = error * error  # 0 or infinite where the cell is beyond all reason; a power would raise
        if not squared or not 1 <= score * (1 - score) / squared <= self.spec.common.bounds.largest_n:  # no sample is that small or large
            return None, ("error is in another unit than the score",)
        return error, ()


@dataclass(frozen=True, slots=True)
class NoScores(Adapter):
    """A publisher of other facts (ratings, prices): its rows are kept, and no benchmark can be read from them."""

    def readings(self, snapshot: Snapshot, benchmarks: Iterable[BenchmarkSpec]
                 ) -> tuple[tuple[Reading, ...], tuple[LeftOut, ...]]:
        """None; ParameterError where a benchmark is configured for the source all the same (T2: its numbers are no fractions)."""
        for benchmark in benchmarks:
            if benchmark.source == snapshot.source:
                raise ParameterError("T2: the numbers of this source are no fractions of tasks solved", file="benchmarks.csv",
                                     column="source", value=f"{benchmark.id}: {benchmark.source}", remedy="take the benchmark out")
        return (), ()


def first(row: Mapping[str, str], columns: Iterable[str]) -> str:
    """The first of these cells that holds something, trimmed; "" where none does."""
    return next((cell for cell in (row.get(column, "").strip() for column in columns) if cell), "")


def check_definition(benchmark: BenchmarkSpec, file: SourceFile) -> None:
    """U6b: the file still holds this benchmark, under the configured score column."""
    if benchmark.needed_header and benchmark.needed_header not in file.columns:
        raise DefinitionChange("the file is another benchmark under the same headline: a header is missing",
                               benchmark=benchmark.id, file=file.name, column=benchmark.needed_header,
                               remedy="import only files that hold the configured benchmark")
    if benchmark.score_column not in file.columns:
        raise DefinitionChange("its score column is gone", benchmark=benchmark.id, file=file.name,
                               column=benchmark.score_column, remedy=f"{nearest(benchmark.score_column, list(file.columns))} "
                               "Check what the new column measures, then name it in params/benchmarks.csv")
