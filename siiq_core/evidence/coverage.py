"""How many of each source's names mean a model, and which do not (I2, I4): matching is exact, so some never do.

Of sources that benchmarks are read from, the names are those of rows that could count, in the newest snapshot. Of the
others (ratings, prices) they are those of all stored snapshots; of prices, those of developers' own services.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from siiq_core.evidence.identity import Match, NameIndex
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.prices.statements import statements
from siiq_core.evidence.shelf import Read, Shelf
from siiq_core.evidence.sources.base import first
from siiq_core.params.prices import SOURCES, PriceParams, load_prices
from siiq_core.params.sources import SourceSpec
from siiq_core.records import Snapshot


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A name that means no model."""

    name: str
    rows: int
    reason: str
    waits: bool  # for a person; the others are out by rule or by decision


@dataclass(frozen=True, slots=True)
class Coverage:
    """The names of one source."""

    source: str
    names: int
    unmatched: tuple[Unmatched, ...]  # most rows first, then by name

    @property
    def matched(self) -> int:
        """Names that mean a model."""
        return self.names - len(self.unmatched)

    @property
    def waiting(self) -> int:
        """Names that a person may still decide."""
        return sum(x.waits for x in self.unmatched)


def coverage(shelf: Shelf, root: Path) -> tuple[Coverage, ...]:
    """Every source that has a snapshot, in the order of params/sources.yml."""
    prices = load_prices(root)
    found = []
    for key, spec in shelf.sources.items():
        if key in shelf.reads:
            found.append(_measured(key, shelf.reads[key][-1], shelf.index))
        elif days := snapshots(key, root):
            found.append(_apart(spec, [load_snapshot(key, day, root) for day in days], shelf.index, prices))
    return tuple(found)


def _measured(source: str, read: Read, index: NameIndex) -> Coverage:
    """As the run sees them: the inbox knows more than the index of names (a row may be older than the model it would mean)."""
    rows: dict[str, int] = {}
    for reading in read.rows:
        name = reading.name or reading.origin_name
        rows[name] = rows.get(name, 0) + 1
    waiting = {w.name: w.reason for w in read.selection.waiting}
    out: dict[str, Unmatched] = {}
    for name, count in rows.items():
        found = index.match(source, name)
        if name in waiting:
            out[name] = Unmatched(name, count, waiting[name], True)
        elif not isinstance(found, Match):
            out[name] = Unmatched(name, count, found.reason, found.waits)
    return _coverage(source, rows, out)


def _apart(spec: SourceSpec, stored: list[Snapshot], index: NameIndex, prices: PriceParams) -> Coverage:
    rows: dict[str, int] = {}
    out: dict[str, Unmatched] = {}
    for name, asked in (pair for snapshot in stored for pair in _names(spec, snapshot, prices)):
        rows[name] = rows.get(name, 0) + 1
        found = index.match(spec.id, asked)
        if asked in prices.floating and spec.id in SOURCES:
            out[name] = Unmatched(name, rows[name], "means another model from time to time", False)
        elif not isinstance(found, Match):
            out[name] = Unmatched(name, rows[name], found.reason, found.waits)
    return _coverage(spec.id, rows, out)


def _names(spec: SourceSpec, snapshot: Snapshot, prices: PriceParams) -> Iterator[tuple[str, str]]:
    """(name as the source writes it, what is asked of the index) of every row, or of every statement of a price."""
    if spec.id not in SOURCES:
        yield from ((name, name) for o in snapshot.observations if (name := first(o.row, spec.columns.name)))
        return
    for told in statements(snapshot, snapshot.day):
        owner = prices.owner(spec.id, told.provider)
        if owner is not None:
            yield told.name, told.name.removeprefix(owner[1])


def _coverage(source: str, rows: Mapping[str, int], out: Mapping[str, Unmatched]) -> Coverage:
    return Coverage(source, len(rows), tuple(sorted(out.values(), key=lambda x: (-x.rows, x.name))))
