"""data.md, Duplicates: same key, same score: one. Same key, other score: the newest run, or neither."""

from __future__ import annotations

import json
from collections.abc import Iterable

from siiq_core.evidence.numbers import moment_span
from siiq_core.records import LeftOut, Reading

SAME_SCORE = 1e-9  # fraction


def deduplicate(readings: Iterable[Reading]) -> tuple[tuple[Reading, ...], tuple[LeftOut, ...]]:
    """One reading a row key and benchmark, in the order given; the others, with reasons.

    The key is the observation's (version, name at the origin, effort column, filter columns, all trimmed): other origin
    names or settings under one version are no duplicates, P1 chooses among them.
    """
    readings = tuple(readings)
    groups: dict[tuple[str, str, str], list[Reading]] = {}
    for reading in readings:
        groups.setdefault((reading.benchmark, reading.observation.file, reading.observation.key), []).append(reading)
    kept: set[int] = set()
    left: list[LeftOut] = []
    for group in groups.values():
        chosen, reason = _choose(sorted(group, key=_rank))
        if chosen is not None:
            kept.add(id(chosen))
        left += [LeftOut("duplicate", reason if _differs(r, chosen) else "the same row again, counted once",
                         r.observation, r.benchmark) for r in sorted(group, key=_rank) if r is not chosen]
    return tuple(r for r in readings if id(r) in kept), tuple(left)


def _choose(group: list[Reading]) -> tuple[Reading | None, str]:
    """The reading that stays (None: neither), and why the ones of another score go."""
    first = group[0]
    if not any(_differs(r, first) for r in group):
        return max(group, key=lambda r: r.run_date or ""), ""
    if any(r.run_date is None for r in group):
        return None, "same key, other score, no run date: both are set aside, the last accepted value stays"
    spans = {id(r): moment_span(r.run_date) for r in group}
    newest = max(spans.values())
    top = [r for r in group if spans[id(r)][1] > newest[0] or spans[id(r)] == newest]  # may be as late as the newest
    if any(_differs(r, top[0]) for r in top):
        return None, "same key, other score, same run date: both are set aside, the last accepted value stays"
    return top[0], "an older run of the same setting; the newest counts"


def _differs(reading: Reading, other: Reading | None) -> bool:
    return other is None or abs(reading.score - other.score) > SAME_SCORE


def _rank(reading: Reading) -> tuple[str, str]:
    """An order that no row order can change: by the raw row, then the run date."""
    return json.dumps(dict(reading.observation.row), sort_keys=True, ensure_ascii=False), reading.run_date or ""
