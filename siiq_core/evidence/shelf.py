"""Every stored snapshot up to a day, read once: its readings, and what a direct build of that snapshot selects.

A benchmark belongs to one source, so the direct build of a day is the union, over sources, of what the snapshots in
force select: each snapshot is read, deduplicated, matched and selected once, however many days it is in force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from siiq_core.errors import DefinitionChange, ParameterError, SourceError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.identity import TABLE_SOURCE, NameIndex, build_index
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.selection import Selection, select
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.epoch import Epoch
from siiq_core.params.benchmarks import BenchmarkSpec, check_columns, load_benchmarks
from siiq_core.params.method import MethodParams
from siiq_core.params.names import Decision, Names, check_decisions, load_decisions, load_names, load_registry
from siiq_core.params.reference_group import ReferenceGroup, check_registered, load_reference_group
from siiq_core.params.sources import SourceSpec, load_sources
from siiq_core.records import LeftOut, ModelVersion, Reading, Snapshot

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Read:
    """One snapshot, read and selected from by itself."""

    snapshot: Snapshot
    rows: tuple[Reading, ...]  # as read, duplicates among them: T3 speaks of rows
    left_out: tuple[LeftOut, ...]  # by the reader and as duplicates
    selection: Selection  # the direct build of this snapshot; its own left_out is not repeated above
    elsewise: tuple[str, ...]  # benchmarks that this snapshot defines otherwise (U6b): no reading of theirs is here
    aside: frozenset[tuple[str, str]] = frozenset()  # (model, benchmark) of rows that contradict each other: what was accepted last stays


@dataclass(frozen=True, slots=True)
class Shelf:
    """All that ships up to a day, under today's parameters, names and decisions."""

    sources: Mapping[str, SourceSpec]
    specs: tuple[BenchmarkSpec, ...]
    group: ReferenceGroup
    table: tuple[ModelVersion, ...]  # the newest table of models: it names the models of every day
    index: NameIndex
    reads: Mapping[str, tuple[Read, ...]]  # by source, oldest first; sources of no benchmark or without a snapshot are not in it
    apart: Mapping[str, Snapshot]  # the newest snapshot of sources of no benchmark (prices, ratings)
    live: Mapping[str, Read] = field(default_factory=dict)  # what the gate uses of live sources now (U); never part of `reads`

    def in_force(self, day: str) -> dict[str, Read]:
        """Source → its newest snapshot up to `day` (an ISO day); a source that has none yet is not in it."""
        found = {key: next((r for r in reversed(reads) if r.snapshot.day <= day), None) for key, reads in self.reads.items()}
        return {key: read for key, read in found.items() if read is not None}

    def newest(self) -> dict[str, Read]:
        """Source → what is read of it now: the live content that the gate uses, else the newest that ships."""
        return {key: self.live.get(key) or reads[-1] for key, reads in self.reads.items()} | {key: read for key, read in self.live.items() if key not in self.reads}

    def days(self) -> tuple[str, ...]:
        """Days on which any source has a snapshot, oldest first."""
        return tuple(sorted({read.snapshot.day for reads in self.reads.values() for read in reads}))


def open_shelf(root: Path, params: MethodParams, progress: Progress = lambda text: None, live: Mapping[str, Snapshot] | None = None) -> Shelf:
    """Read every stored snapshot up to ``params.as_of`` of the sources that benchmarks are read from, and the newest of others.

    Parameters
    ----------
    live : the content of each live source that the gate uses; its table of models, if it has one, is the newest

    A snapshot that is not the newest of its source may define a benchmark otherwise than params/ does (U6b): it then
    says nothing about that benchmark, and all else of it counts.

    Raises
    ------
    SourceError, DataError, DefinitionChange, ParameterError
        Name the file, row and column; nothing is written here.
    """
    sources, specs, names, registry = load_sources(root), load_benchmarks(root), load_names(root), load_registry(root)
    check_columns(specs, sources)
    measuring = {TABLE_SOURCE, *(spec.source for spec in specs)}
    days = {key: found for key in sources  # a history of prices speaks of the days before it, so the newest counts whatever its day
            if (found := [day for day in snapshots(key, root) if day <= params.as_of or key not in measuring])}
    if TABLE_SOURCE not in days:
        raise ParameterError("no snapshot with a table of models up to this day", column="as_of", value=params.as_of,
                             remedy=f"the oldest is of {next(iter(snapshots(TABLE_SOURCE, root)), 'no day at all')}")
    loaded: dict[str, tuple[Snapshot, ...]] = {}
    for key, all_days in days.items():
        own = all_days if key in measuring else all_days[-1:]
        progress(f"{key}: {len(own)} snapshot{'s' * (len(own) > 1)}, the newest of {own[-1]}")
        loaded[key] = tuple(load_snapshot(key, day, root) for day in own)
    live = live or {}
    table = _table_of(sources, live[TABLE_SOURCE]) if TABLE_SOURCE in live else table_beside(root, sources, loaded[TABLE_SOURCE][-1])
    index = build_index(table, names, registry, _decisions(root, sources))
    group = load_reference_group(root)
    check_registered(group, registry)
    reads = {key: tuple(_read(adapter(key, sources), snapshot, snapshot is own[-1] and key not in live, specs, index, names, params.licence_policy)
                        for snapshot in own) for key, own in loaded.items() if key in measuring}
    fresh = {key: _read(adapter(key, sources), snapshot, False, specs, index, names, params.licence_policy) for key, snapshot in live.items() if key in measuring}
    return Shelf(sources, specs, group, table, index, reads, {key: own[-1] for key, own in loaded.items() if key not in measuring}, fresh)


def read_now(root: Path, snapshots_now: Mapping[str, Snapshot], licence_policy: str, table: Snapshot) -> dict[str, Read]:
    """Contents of sources, each read and selected from by itself, with the names of the given snapshot's table of models."""
    sources, specs, names = load_sources(root), load_benchmarks(root), load_names(root)
    index = build_index(_table_of(sources, table), names, load_registry(root), _decisions(root, sources))
    return {key: _read(adapter(key, sources), snapshot, False, specs, index, names, licence_policy) for key, snapshot in sorted(snapshots_now.items())}


def check_whole(sources: Mapping[str, SourceSpec], root: Path) -> None:
    """Every snapshot that params/sources.yml says ships is stored: a folder or a day that is gone would silently take its results along."""
    for key, spec in sources.items():
        for day in sorted(set(spec.snapshots) - set(snapshots(key, root))):
            raise SourceError("the evidence store: a snapshot that params/sources.yml names is gone", file=f"{key}/{day}.csv",
                              remedy="restore the file from version control, or import the snapshot again; to do without it, take the day out of 'snapshots'")


def _decisions(root: Path, sources: Mapping[str, SourceSpec]) -> tuple[Decision, ...]:
    decisions = load_decisions(root)
    check_decisions(decisions, list(sources))
    return decisions


def newest_table(root: Path) -> tuple[str, tuple[ModelVersion, ...]]:
    """Day and lines of the newest stored table of models, whatever the day of the index."""
    sources = load_sources(root)
    days = snapshots(TABLE_SOURCE, root)
    if not days:
        raise SourceError("no snapshot with a table of models is stored", value=TABLE_SOURCE, remedy=f"siiq import {TABLE_SOURCE} FILE…")
    return days[-1], table_beside(root, sources, load_snapshot(TABLE_SOURCE, days[-1], root))


def table_in(root: Path, snapshot: Snapshot) -> tuple[ModelVersion, ...]:
    """Lines of a snapshot's table of models."""
    return _table_of(load_sources(root), snapshot)


def table_beside(root: Path, sources: Mapping[str, SourceSpec], snapshot: Snapshot) -> tuple[ModelVersion, ...]:
    """The newest stored table of models, read beside `snapshot`: history does not jump when a group is renamed (data.md, "Identity over time")."""
    newest = snapshots(TABLE_SOURCE, root)[-1]
    if snapshot.day != newest:
        snapshot = load_snapshot(TABLE_SOURCE, newest, root)
    return _table_of(sources, snapshot)


def _table_of(sources: Mapping[str, SourceSpec], snapshot: Snapshot) -> tuple[ModelVersion, ...]:
    reader = adapter(TABLE_SOURCE, sources)
    assert isinstance(reader, Epoch)
    return reader.model_table(snapshot)


def _read(reader: Adapter, snapshot: Snapshot, newest: bool, specs: Sequence[BenchmarkSpec], index: NameIndex, names: Names,
          licence_policy: str) -> Read:
    rows: tuple[Reading, ...] = ()
    left: tuple[LeftOut, ...] = ()
    elsewise: list[str] = []
    try:
        rows, left = reader.readings(snapshot, specs)
    except DefinitionChange:
        if newest:
            raise
        for spec in specs:  # one at a time: a fault of one leaves the others alone
            try:
                more, out = reader.readings(snapshot, (spec,))
                rows, left = rows + more, left + out
            except DefinitionChange as change:
                elsewise.append(change.benchmark)
    kept, doubled = deduplicate(rows)
    files = {(snapshot.source, snapshot.day, name): file for name, file in snapshot.files.items()}
    chosen = select(kept, index, specs, names, licence_policy, files)
    contradicted = {(out.benchmark, out.observation.file, out.observation.key) for out in doubled} - {(r.benchmark, r.observation.file, r.observation.key) for r in kept}
    against = [r for r in rows if (r.benchmark, r.observation.file, r.observation.key) in contradicted]
    aside = frozenset((r.model, r.benchmark) for r in select(against, index, specs, names, licence_policy, files).results) if against else frozenset()
    return Read(snapshot, rows, (*left, *doubled), chosen, tuple(elsewise), aside)
