"""A stored snapshot as the gate sees it: values, rows, the share of them that is kept, and how its benchmarks are defined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from siiq_core.evidence.live.judging import Judged
from siiq_core.evidence.shelf import Read
from siiq_core.gate.health import AS_CONFIGURED
from siiq_core.gate.state import Key, Snapshot, Value
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.records import Result



def listing(read: Read, judged: Judged, specs: Iterable[BenchmarkSpec], withdrawn: frozenset[Key] = frozenset()) -> Snapshot:
    """One snapshot's listing.

    Parameters
    ----------
    read : the snapshot, read and selected from by itself
    judged : what of it is defined otherwise than in params/ (U6b)
    """
    own = [spec.id for spec in specs if spec.source == read.snapshot.source]
    otherwise = {change.benchmark: f"{change.column or 'definition'}: {change.what}" for change in judged.frozen}
    rows = Counter(reading.benchmark for reading in read.rows)
    return Snapshot(
        read.snapshot.sha256, judged.rows, {b: rows.get(b, 0) for b in own}, judged.kept_share,
        {(r.model, r.benchmark): value_of(r) for r in read.selection.results if r.benchmark not in otherwise},
        {b: {"definition": otherwise.get(b, AS_CONFIGURED)} for b in own}, frozenset(otherwise), withdrawn, frozenset(key for key in read.aside if key[1] not in otherwise),
    )


def value_of(result: Result) -> Value:
    """A selected result as a listed value."""
    return Value(result.score, f"{result.version}@{result.setting}", result.version_released, result.evidence, result.flags)
