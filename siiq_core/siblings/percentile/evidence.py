"""The same evidence as SI-IQ's: every board in its own newest snapshot, every setting apart (M1–M4, M11, M13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from siiq_core.errors import DataError, DefinitionChange, SourceError
from siiq_core.evidence.identity import NameIndex, build_index
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.selection import Candidate, candidates
from siiq_core.evidence.shelf import newest_table
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.method import MethodParams
from siiq_core.params.names import load_decisions, load_names, load_registry
from siiq_core.params.percentile import Board, PercentileParams, board_specs
from siiq_core.params.sources import SourceSpec, load_sources
from siiq_core.records import Reading, Snapshot
from siiq_core.siblings.percentile.reading import Standing, published, read_benchmark, read_ratings
from siiq_core.siblings.percentile.records import BoardRows, Entry, Evidence

NEVER = ("E1", "E2")  # rows of these rules are in no population


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the selection asks of a board."""

    id: str
    evaluator: str
    licence_basis: str


def open_evidence(root: Path, method: MethodParams, params: PercentileParams) -> Evidence:
    """Every board of params/percentile.yml, from the newest snapshot of its source up to ``method.as_of`` that can be read.

    Raises
    ------
    ParameterError, SourceError, DataError, DefinitionChange
        Name the file, row and column; a board's fault only where no older snapshot of it can be read (M13).
    """
    sources = load_sources(root)
    specs = board_specs(root, params, sources)
    index = build_index(newest_table(root)[1], load_names(root), load_registry(root), load_decisions(root))
    stored: dict[tuple[str, str], Snapshot] = {}
    boards: dict[str, BoardRows] = {}
    raw: dict[str, Mapping[str, Any]] = {}
    for board in params.boards:
        source = board.rating.source if board.rating else specs[board.benchmark].source
        days = [day for day in snapshots(source, root) if day <= method.as_of]
        boards[board.benchmark], rows = _newest_readable(board, source, days, specs.get(board.benchmark), index, method, params, sources, root, stored)
        raw |= rows
    return Evidence(boards, {slug: model.name for slug, model in index.models.items()}, raw)


def _newest_readable(board: Board, source: str, days: list[str], spec: BenchmarkSpec | None, index: NameIndex, method: MethodParams, params: PercentileParams,
                     sources: Mapping[str, SourceSpec], root: Path, stored: dict[tuple[str, str], Snapshot]) -> tuple[BoardRows, dict[str, Any]]:
    """M13: a snapshot that cannot be read leaves the last good one in place, and says so."""
    reader, fault = adapter(source, sources), None
    for day in reversed(days):
        try:
            if (source, day) not in stored:
                stored[source, day] = load_snapshot(source, day, root)
            snapshot = stored[source, day]
            standing = read_ratings(reader, snapshot, board) if board.rating else read_benchmark(reader, snapshot, board, spec)
            return board_rows(board, spec, standing, snapshot, index, method.licence_policy, params, spec is not None and spec.score_column in reader.spec.percent_sign,
                              f"{day}: {fault}" if fault else "")
        except (DataError, DefinitionChange, SourceError) as error:
            fault = fault or error
    if fault:
        raise fault
    return BoardRows(board.benchmark, source, None, (), (), {}, 0, 0), {}


def board_rows(board: Board, spec: BenchmarkSpec | None, standing: Standing, snapshot: Snapshot, index: NameIndex, licence_policy: str,
               params: PercentileParams, percent_sign: bool, fault: str = "") -> tuple[BoardRows, dict[str, Any]]:
    """The population and the configurations of one board, and the raw rows behind them.

    The population is every row of the board, also of models whose names wait: who is on the board does not depend on whom
    we know. Rows that may never be used (E1, E2) are not in it.
    """
    judged = _Judged(board.benchmark, spec.evaluator if spec else board.rating.evaluator, spec.licence_basis if spec else "evaluator")
    chosen = candidates(standing.readings, index, [judged], index.names, licence_policy)
    never = {id(x.observation) for x in chosen.left_out if x.rule in NEVER}
    inside = [r for r in standing.readings if id(r.observation) not in never]
    values = {id(r): published(r, board, spec, percent_sign) for r in inside}
    barred = licence_policy == "strict" and judged.licence_basis != "evaluator"  # E2, whoever a row is of
    population = () if barred else tuple(sorted((*values.values(), *standing.nameless)))
    found = [c for group in chosen.by_pair.values() for c in group]
    kept = one_each(found, board, params)
    entries = tuple(_entry(c, board, values[id(c.reading)], key[1]) for key, c in sorted(kept.items()))
    rows = BoardRows(board.benchmark, snapshot.source, snapshot.day, population, entries, standing.excluded, len(found) - len(kept), len(chosen.waiting), fault)
    return rows, {c.evidence: _raw(c, board.benchmark, snapshot) for c in kept.values()}


def one_each(found: Iterable[Candidate], board: Board, params: PercentileParams) -> dict[tuple[str, str], Candidate]:
    """(slug, setting) → the row that speaks for it: of a log the latest date, the later line at a tie (M4); else the best (P1)."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for c in found:
        groups.setdefault((c.match.slug, setting_of(c, params)), []).append(c)
    if board.log:
        return {key: max(group, key=lambda c: (_day(c.reading) if c.reading.run_date else "", c.reading.observation.line)) for key, group in groups.items()}
    sign = -1 if board.direction == "lower" else 1  # the best is the lowest there
    return {key: min(group, key=lambda c: (-sign * c.reading.score, *c.rank()[1:])) for key, group in groups.items()}


def setting_of(candidate: Candidate, params: PercentileParams) -> str:
    """M2: the effort, in the words of params/names.yml."""
    text = " ".join(candidate.setting.casefold().split())
    return params.effort_words.get(text, text)


def _entry(c: Candidate, board: Board, value: Decimal, setting: str) -> Entry:
    return Entry(board.benchmark, c.match.slug, setting, value, _day(c.reading), c.version, c.evidence)


def _day(reading: Reading) -> str:
    return (reading.run_date or reading.observation.snapshot)[:10]


def _raw(c: Candidate, board: str, snapshot: Snapshot) -> dict[str, Any]:
    """Where a row stands, and its cells, for a reader who traces a number (U12)."""
    seen, file = c.reading.observation, snapshot.files[c.reading.observation.file]
    return {"id": c.evidence, "benchmark": board, "source": seen.source, "snapshot": seen.snapshot, "file": seen.file, "line": seen.line,
            "url": file.url, "copy": file.copy, "sha256": file.sha256, "row": dict(sorted(seen.row.items()))}
