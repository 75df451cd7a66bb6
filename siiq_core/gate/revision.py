"""U9: a benchmark that was revised changes whole, with a recalibration, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from siiq_core.gate.confirming import confirmed
from siiq_core.gate.rules import Rules, apart, differs
from siiq_core.gate.said import Said
from siiq_core.gate.state import Freeze, Key, Published, Snapshot, State, Value
from siiq_core.gate.times import at_least


def revisions(frozen: Mapping[str, Freeze], before: Snapshot, seen: Snapshot, published: Mapping[Key, Published], now: str, rules: Rules) -> dict[str, Freeze]:
    """Benchmarks frozen after one more snapshot of a source; those of other sources are passed on as they are.

    Parameters
    ----------
    published : of this source
    """
    present: dict[str, list[Key]] = {}
    for key in sorted(published):
        if key in before.values and key in seen.values:
            present.setdefault(key[1], []).append(key)
    out = dict(frozen)
    for benchmark, keys in present.items():
        moved = [k for k in keys if apart(seen.values[k].score, published[k].value.score) > rules.limits.revision_move]
        changed = frozenset(k for k in keys if differs(published[k], seen.values[k]))
        freeze = frozen.get(benchmark)
        if freeze is not None:  # a result re-scored later joins; where the definition changed, any change does
            joins = changed if freeze.rule == "U6b" else frozenset(moved)
            out[benchmark] = replace(freeze, members=freeze.members | joins)
        elif len(moved) >= rules.limits.revision_results and len(moved) >= rules.limits.revision_share * len(keys):
            out[benchmark] = Freeze("U9", now, Said("moved", {"moved": len(moved), "of": len(keys)}), changed)
    return out


@dataclass(frozen=True, slots=True)
class Switch:
    """What a frozen benchmark would change at once."""

    benchmark: str
    changes: Mapping[Key, Value | None]  # None: the model goes without it from now on


def over(state: State, benchmark: str) -> bool:
    """Has a revision been taken back? Then nothing is left to switch."""
    freeze = state.frozen[benchmark]
    return freeze.rule == "U9" and not any(key in state.pending for key in freeze.members)


def switch(state: State, benchmark: str, now: str, rules: Rules) -> Switch | None:
    """The switch, once every changed value passed the second reader (U2) and is confirmed; None where it has to wait."""
    freeze = state.frozen[benchmark]
    source = state.sources[rules.source_of[benchmark]]
    waits_for_person = freeze.rule == "U6b" and not freeze.approved
    too_soon = bool(freeze.tried) and not at_least(freeze.tried, now, hours=rules.limits.retry_hours)
    if waits_for_person or too_soon or source.failure is not None:
        return None
    changes: dict[Key, Value | None] = {}
    for key in sorted(freeze.members):
        waiting = state.pending.get(key)
        if waiting is None:  # back to what is published, or gone
            continue
        if waiting.verdict == "refused" or waiting.rejected:
            changes[key] = None
        elif waiting.verdict == "confirmed" and (freeze.approved or confirmed(waiting, source.good.sha256, now, rules.limits)):
            changes[key] = waiting.value
        else:
            return None
    return Switch(benchmark, changes)
