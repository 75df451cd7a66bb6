"""Is a content of a source what its reader expects? Asked before it is archived, and again whenever it is looked at.

Unreadable or impossible (U6a, T2, T4): nothing of the source is used. A definition changed (U6b): that benchmark alone
stands still. Other columns that come and go say nothing (U6c). A smaller file (U7) is for the gate, which knows earlier days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siiq_core.errors import DefinitionChange, SourceError
from siiq_core.evidence.prices.amounts import AnotherUnit, Refused, price_list
from siiq_core.evidence.prices.statements import statements
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.definitions import definition_changes
from siiq_core.evidence.sources.epoch import Epoch
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.prices import SOURCES, PriceParams
from siiq_core.records import Snapshot

MOST_REFUSED = 0.3  # share of the stated prices, as U6a loses at most that share of rows
_LOST = ("missing", "I1")  # rows of which nothing could be made: no score, no name


@dataclass(frozen=True, slots=True)
class Judged:
    """A content that can be used, and what of it cannot."""

    frozen: tuple[DefinitionChange, ...]  # U6b, by benchmark
    rows: int  # kept as observations
    kept_share: float  # of them, those of which something could be made: no name or no score is missing (U7, V5)
    notes: tuple[str, ...]  # for a person; nothing follows from them


def judge(reader: Adapter, snapshot: Snapshot, benchmarks: Sequence[BenchmarkSpec], prices: PriceParams) -> Judged:
    """Reads all that the index would read.

    Raises
    ------
    SourceError, DataError, IdentityError
        Nothing of the content can be used; names file, row and column.
    """
    frozen: dict[str, DefinitionChange] = {}
    lost: set[tuple[str, int]] = set()
    used: set[tuple[str, int]] = set()
    own = [spec for spec in benchmarks if spec.source == snapshot.source]
    for spec in own:  # one at a time: a fault of one leaves the others alone
        try:
            readings, left = reader.readings(snapshot, (spec,))
        except DefinitionChange as change:
            frozen[change.benchmark] = change
            continue
        used |= {(r.observation.file, r.observation.line) for r in readings}
        lost |= {(out.observation.file, out.observation.line) for out in left if out.rule in _LOST}
    if isinstance(reader, Epoch):
        reader.model_table(snapshot)
        for change in definition_changes(reader.definitions(snapshot), own):
            frozen.setdefault(change.benchmark, change)
    rows = len(snapshot.observations)
    notes = _price_notes(snapshot, prices) if snapshot.source in SOURCES else ()
    return Judged(tuple(frozen[b] for b in sorted(frozen)), rows, round(1 - len(lost - used) / rows, 6) if rows else 0.0, notes)


def _price_notes(snapshot: Snapshot, params: PriceParams) -> tuple[str, ...]:
    """Prices in another unit are none (fault kind 13). Where they are many, or no price can be read, the whole table is another one."""
    priced, refused = 0, []
    for told in statements(snapshot, snapshot.day):
        owner = params.owner(told.source, told.provider)
        if owner is None:
            continue
        try:
            price_list(told.amounts, told.name.removeprefix(owner[1]) in params.free, params)
            priced += 1
        except AnotherUnit as refusal:
            refused.append((told.observation, str(refusal)))
        except Refused:  # none is stated, or a cell is none: left out where prices are read
            pass
    if refused and len(refused) > MOST_REFUSED * (priced + len(refused)):
        seen, what = refused[0]
        raise SourceError(f"prices of {len(refused)} of {priced + len(refused)} entries are in another unit (U6a); the first: {what}", file=seen.file,
                          row=seen.line, remedy="look what unit the publisher uses now; nothing is converted by guessing")
    if not priced:
        raise SourceError("states no price of any developer's own service (U6a)", file=" or ".join(sorted(snapshot.files)[:3]),
                          remedy="its columns may have other names now; mend params/sources.yml and siiq_core/evidence/prices/statements.py")
    many = "s" * (len(refused) > 1)
    return tuple(f"{len(refused)} price{many} in another unit, not used; the first in row {seen.line} of {seen.file}" for seen, _ in refused[:1])
