"""U6, U7: is a content what its source had so far? Judged before anything of it counts.

(b) a benchmark defined otherwise freezes alone, and its rows do not count in (a); (a) unreadable, or too many rows lost: the
last good content stays, whole; (c) columns that nobody reads say nothing and never reach the gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import Failure, Small, Snapshot, Source
from siiq_core.gate.times import at_least
from siiq_core.params.gate import GateParams

WHOLE = ""  # the source as a whole, among its benchmarks
AS_CONFIGURED = "as configured"  # what a live source defines as params/ has it


def redefined(source: str, in_force: Mapping[str, Mapping[str, Any]], seen: Snapshot, rules: Rules) -> dict[str, Said]:
    """U6b: benchmark → what its source defines otherwise now. What the source does not say has not changed."""
    found: dict[str, Said] = {}
    for benchmark, told in seen.definitions.items():
        known = in_force.get(benchmark, {})
        bench = rules.benchmarks.get(benchmark)
        for name, value in sorted(told.items()):
            before = known[name] if name in known else getattr(bench, name, None) if name in ("g", "c", "n") else None
            if name == "superseded_by":
                if value and value != known.get(name):
                    found.setdefault(benchmark, Said("superseded", {"by": value}))
            elif (name in known or name in ("g", "c", "n")) and value != before:
                found.setdefault(benchmark, _changed(name, before, value))
    for benchmark in seen.unreadable:
        found.setdefault(benchmark, Said("scores_unreadable"))
    return {b: what for b, what in sorted(found.items()) if rules.source_of.get(b) == source}


def _changed(name: str, before: Any, now: Any) -> Said:
    if name == "definition" and now != AS_CONFIGURED:  # of a live source: what is other than in params/
        return Said("defined_otherwise", {"now": str(now)})
    return Said("redefined", {"name": name, "before": str(before), "now": str(now)})


def learned(in_force: Mapping[str, Mapping[str, Any]], seen: Snapshot, but: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Definitions in force with what was not said before; those of frozen benchmarks stay."""
    out = {b: dict(x) for b, x in in_force.items()}
    for benchmark, told in seen.definitions.items():
        if benchmark not in set(but):
            out[benchmark] = {**told, **out.get(benchmark, {})}
    return out


def lost_rows(good: Snapshot, seen: Snapshot, apart: Iterable[str], limits: GateParams) -> dict[str, tuple[int, int]]:
    """U6a: benchmark (or WHOLE) → rows before and now, where too many are gone. Benchmarks `apart` do not count."""
    apart = set(apart)
    before = {b: n for b, n in good.rows_on.items() if b not in apart}
    now = {b: n for b, n in seen.rows_on.items() if b not in apart}
    before[WHOLE] = good.rows - sum(n for b, n in good.rows_on.items() if b in apart)
    now[WHOLE] = seen.rows - sum(n for b, n in seen.rows_on.items() if b in apart)
    return {b: (n, now.get(b, 0)) for b, n in sorted(before.items()) if n > 0 and round(1 - now.get(b, 0) / n, 12) > limits.lost_rows}


def unreadable(source: Source, what: str, now: str) -> Source:
    """U6a: nothing could be read. It is no parse, so the day of a smaller file goes on (U7)."""
    since = source.failure.since if source.failure else now
    return replace(source, checked=now, failure=Failure("U6a", since, Said("text", {"what": what}), unreadable=True))


def smaller(source: Source, seen: Snapshot, lost: Mapping[str, tuple[int, int]], now: str, limits: GateParams) -> tuple[Source, bool]:
    """U7: one more parse of a smaller file.

    Returns
    -------
    The source, and whether the smaller file is normal from now on: every parse of 24 hours had no more rows than the first
    small one, there were two, and the share kept is no lower than before.
    """
    small = source.small
    if small is None or seen.rows > small.rows:
        small = Small(now, seen.rows, 0)
    elif not at_least(small.first, now, hours=limits.small_hours):
        small = replace(small, parses=small.parses + 1)
    else:
        parses = small.parses + (not at_least(small.first, now, hours=limits.small_hours + 1e-9))
        enough = parses >= limits.small_parses and seen.share >= source.good.share
        if enough:
            return replace(source, parsed=seen, checked=now, small=None, failure=None), True
        small = Small(now, seen.rows, 0)
    since = source.failure.since if source.failure else now
    parts = {"parts": [[b, had, has] for b, (had, has) in lost.items()]}
    what = Said("rows_lost", parts) if seen.share >= source.good.share else Said("rows_and_share_lost", {**parts, "before": source.good.share, "now": seen.share})
    return replace(source, parsed=seen, checked=now, small=small, failure=Failure("U6a", since, what)), False
