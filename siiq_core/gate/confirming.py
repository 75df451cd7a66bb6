"""When is a pending value confirmed (U)?

The newest snapshot of its own source that differs from the current one and is six hours old, but not older than the
pending value, already had it within 0.02. Waiting alone never confirms: it takes two different contents.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TypeVar

from siiq_core.gate.rules import apart
from siiq_core.gate.said import Said
from siiq_core.gate.state import Pending
from siiq_core.gate.times import moment, stamp
from siiq_core.params.gate import GateParams

T = TypeVar("T", bound=tuple)


def confirmed(pending: Pending, current: str, now: str, limits: GateParams) -> bool:
    """Is the value confirmed?

    Parameters
    ----------
    current : SHA-256 of the source's current snapshot
    """
    latest = stamp(moment(now) - timedelta(hours=limits.confirm_hours))
    for observed, snapshot, score in reversed(pending.trail):
        if observed <= latest and snapshot != current:
            return observed >= pending.appeared and apart(score, pending.value.score) <= limits.same_value
    return False


def would_confirm(pending: Pending, current: str, limits: GateParams) -> Said:
    """What a held value waits for."""
    other = [observed for observed, snapshot, _ in pending.trail if snapshot != current]
    if not other:
        return Said("another_snapshot", {"hours": limits.confirm_hours})
    return Said("snapshot_age", {"observed": other[0], "hours": limits.confirm_hours})


def recent(trail: Iterable[T], now: str, limits: GateParams) -> tuple[T, ...]:
    """As much of a trail as `confirmed` can ever ask for: the young entries, and of the old ones the two newest contents."""
    latest = stamp(moment(now) - timedelta(hours=limits.confirm_hours))
    kept: list[T] = []
    contents: set[str] = set()
    for entry in reversed(tuple(trail)):
        if entry[0] <= latest:
            if entry[1] in contents or len(contents) == 2:
                continue
            contents.add(entry[1])
        kept.append(entry)
    return tuple(reversed(kept))
