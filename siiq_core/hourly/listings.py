"""What a check of the publishers shows the gate: each source's content as values, read with today's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from siiq_core.errors import SourceError
from siiq_core.evidence.decisions import register_live
from siiq_core.evidence.identity import TABLE_SOURCE, models
from siiq_core.evidence.live.desk import Desk
from siiq_core.evidence.live.judging import judge
from siiq_core.evidence.live.reading import LiveReport
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.shelf import Read, read_now, table_in
from siiq_core.files import sha256
from siiq_core.gate.listing import listing
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Key, Sight, State, Unchanged, Unreadable
from siiq_core.params.names import load_names, load_registry
from siiq_core.records import Model, Observation, Snapshot, SourceFile

Records = Mapping[tuple[str, str], Mapping[str, Any]]
_READ_WITH = ("names.yml", "models.csv", "decisions.csv", "benchmarks.csv", "sources.yml")
_SHORT = 400  # characters of a failure that the ledger keeps


@dataclass
class Contents:
    """Contents of sources, read when they are asked for."""

    desk: Desk
    root: Path
    licence_policy: str
    wanted: Mapping[str, str]  # source → SHA-256 of its content
    asked: dict[str, Snapshot] = field(default_factory=dict)

    def snapshot(self, source: str) -> Snapshot:
        """A content, from what was read live or from what ships; SourceError where it is neither."""
        if source not in self.asked:
            self.asked[source] = self.desk.content(source, self.wanted[source]) or self._shipped(source)
        return self.asked[source]

    def _shipped(self, source: str) -> Snapshot:
        for day in reversed(snapshots(source, self.root)):
            found = load_snapshot(source, day, self.root)
            if found.sha256 == self.wanted[source]:
                return found
        raise SourceError(f"the content that the gate uses of {source} is not stored", value=self.wanted[source][:16],
                          remedy="siiq fetch --from-archive makes observations again from the archive")

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """Slug → model, by the newest table of models."""
        return models(table_in(self.root, self.snapshot(TABLE_SOURCE)), load_registry(self.root), load_names(self.root))

    @cached_property
    def reads(self) -> Mapping[str, Read]:
        """Every content, read and selected from with the newest table of models."""
        return read_now(self.root, {name: self.snapshot(name) for name in self.wanted}, self.licence_policy, self.snapshot(TABLE_SOURCE))


def contents_of(desk: Desk, root: Path, licence_policy: str, state: State, report: LiveReport | None) -> Contents:
    """What each source that benchmarks are read from holds now: the newest content checked, else the one last parsed."""
    wanted = {name: source.parsed.sha256 for name, source in state.sources.items()}
    for found in report.sources if report else ():
        if found.content is not None and found.source in _measuring(desk):
            wanted[found.source] = found.content.sighting.snapshot
    return Contents(desk, root, licence_policy, wanted)


def reading_of(root: Path) -> str:
    """SHA-256 of all that decides how a content is read: another one, and every content is read again (I4)."""
    paths = [*(root / "params" / name for name in _READ_WITH), root / "data" / "live" / "models.csv"]
    return sha256(b"".join(path.read_bytes() if path.is_file() else b"-" for path in paths))


def sights_of(contents: Contents, report: LiveReport | None, state: State, rules: Rules, evidence: Callable[[], Records]) -> tuple[dict[str, Sight], str]:
    """What each source shows, and what it was read with ("" where nothing had to be read).

    Parameters
    ----------
    evidence : gives (evidence id, benchmark) → record of all that was ever listed; asked only where a content is read again
        and something published is listed no more, as it is a pass over the whole ledger
    """
    failed = {x.source: x.what for x in (report.sources if report else ()) if x.content is None and x.source in _measuring(contents.desk)}
    asked = {x.source for x in (report.sources if report else ())}
    new = {name for name, digest in contents.wanted.items() if name not in failed and (name not in state.sources or state.sources[name].parsed.sha256 != digest)}
    # a content that cannot be read is not archived: an unchanged one after it is the last good one again
    new |= {name for name in asked & state.sources.keys() - failed.keys() if (bad := state.sources[name].failure) is not None and bad.unreadable}
    if new and TABLE_SOURCE in new:
        register_live(contents.root, contents.snapshot(TABLE_SOURCE))
    reading = reading_of(contents.root)
    sights: dict[str, Sight] = {name: Unreadable(what[:_SHORT]) for name, what in failed.items()}
    if not new and (reading == state.reading or not state.reading):
        return sights | {name: Unchanged() for name in state.sources if name in asked and name not in failed}, "" if state.reading else reading
    evidence = cache(evidence)
    for name, read in contents.reads.items():
        if name not in failed:
            sights[name] = shown(contents.desk, read, _withdrawn(contents, name, read, state, rules, evidence))
    return sights, reading


def shown(desk: Desk, read: Read, withdrawn: frozenset[Key] = frozenset()) -> Sight:
    """One content as the gate sees it, judged against what params/ says of its benchmarks (U6b)."""
    judged = judge(desk.reader(read.snapshot.source), read.snapshot, desk.benchmarks, desk.prices)
    return listing(read, judged, desk.benchmarks, withdrawn)


def _withdrawn(contents: Contents, name: str, read: Read, state: State, rules: Rules, evidence: Callable[[], Records]) -> frozenset[Key]:
    """I4: published pairs that the source lists no more, and whose row would mean something else today."""
    listed = {(r.model, r.benchmark) for r in read.selection.results}
    gone = [key for key in state.published if rules.source_of.get(key[1]) == name and key not in listed and name in rules.keeps]
    if not gone:
        return frozenset()
    known = evidence()
    records = {key: known.get((state.published[key].value.evidence, key[1])) for key in gone}
    rows = {key: record for key, record in records.items() if record is not None}
    if not rows:
        return frozenset()
    again = read_now(contents.root, {name: _snapshot_of(name, rows.values())}, contents.licence_policy, contents.snapshot(TABLE_SOURCE))[name]
    still = {(r.model, r.benchmark) for r in again.selection.results}
    return frozenset(set(rows) - still)


def _snapshot_of(source: str, records: Iterable[Mapping[str, Any]]) -> Snapshot:
    """Rows of earlier snapshots as one, to be read again."""
    day = max(record["snapshot"] for record in records)
    rows = {(r["file"], r["id"]): r for r in records}
    columns: dict[str, dict[str, None]] = {}
    for record in rows.values():
        columns.setdefault(record["file"], {}).update(dict.fromkeys(record["row"]))
    files = {name: SourceFile(name, "", "", 0, len(rows), tuple(found)) for name, found in columns.items()}
    seen = tuple(Observation(source, day, r["file"], number, r["id"], r["row"]) for number, (_, r) in enumerate(sorted(rows.items()), start=1))
    return Snapshot(source, day, "", files, seen)


def _measuring(desk: Desk) -> set[str]:
    return {TABLE_SOURCE, *(spec.source for spec in desk.benchmarks)}
