"""What the publishers showed from December 2025 to August 2026: the shipped snapshots, as the gate sees them, by day.

Every snapshot is read with today's names and parameters, as a live cycle reads what it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from siiq_core.evidence.gather import questions
from siiq_core.evidence.live.judging import judge
from siiq_core.evidence.shelf import open_shelf
from siiq_core.evidence.sources import adapter
from siiq_core.gate.listing import listing
from siiq_core.gate.place import rules_of
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Snapshot
from siiq_core.params.prices import load_prices
from siiq_core.records import Benchmark

FIRST, LAST = "2025-12-02T00:00:00Z", "2026-08-02T00:00:00Z"


@dataclass(frozen=True)
class Shown:
    """One content of a source."""

    day: str  # ISO day from which it stood there
    listing: Snapshot
    questions: Mapping[str, int]  # benchmark of the source → n as estimated on this content (T3)


@dataclass(frozen=True)
class Tape:
    """Contents by source, oldest first, from the one that stood there on the first day; and the rules of params/."""

    rules: Rules
    shown: Mapping[str, tuple[Shown, ...]]

    def on(self, source: str, day: str) -> Shown | None:
        """The content that stood there at the beginning of a day."""
        return next((x for x in reversed(self.shown[source]) if x.day <= day), None)

    def new(self, day: str) -> dict[str, Shown]:
        """Source → the content that appeared on a day."""
        return {name: x for name, contents in self.shown.items() for x in contents if x.day == day}

    def benchmarks(self, day: str) -> dict[str, Benchmark]:
        """Every configured benchmark with the n of a day's contents."""
        n = {b: k for name in self.shown if (x := self.on(name, day)) for b, k in x.questions.items()}
        return {b: replace(x, n=n.get(b, x.n)) for b, x in self.rules.benchmarks.items()}


def tape(root: Path, first: str = FIRST) -> Tape:
    """Read from the shipped observations."""
    rules, prices = rules_of(root), load_prices(root)
    shelf = open_shelf(root, rules.method)
    shown = {}
    for source, reads in shelf.reads.items():
        standing = [read for read in reads if read.snapshot.day <= first[:10]][-1:]
        contents = []
        for read in (*standing, *(read for read in reads if read.snapshot.day > first[:10])):
            judged = judge(adapter(source, shelf.sources), read.snapshot, shelf.specs, prices)
            own = {spec.id: questions(spec, read.rows, rules.method) for spec in shelf.specs if spec.source == source}
            contents.append(Shown(read.snapshot.day, listing(read, judged, shelf.specs), own))
        shown[source] = tuple(contents)
    return Tape(rules, shown)
