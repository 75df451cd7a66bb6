"""U11: does the gate let a publication through? What a page needs is checked where pages are made."""

from __future__ import annotations

from collections.abc import Mapping

from siiq_core.gate.landing import by_model
from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import Key, Land, Published, State, Stop


def stopped(state: State, published: Mapping[Key, Published], lands: Mapping[str, Land], recalibrated: bool, now: str, rules: Rules) -> Stop | None:
    """The stop of this run; None where publication may go on.

    Parameters
    ----------
    state : as last published
    published, lands : as they would be
    recalibrated : with this very publication
    """
    last = state.publication
    if last is None:
        return None
    ranked = {m: x for m, x in last.lands.items() if x.ranked}
    lost = sorted(m for m in ranked if not (m in lands and lands[m].ranked))
    moved = [] if recalibrated else sorted(m for m, x in ranked.items() if m in lands and lands[m].ranked and _apart(lands[m], x) > rules.limits.stop_points)
    many = len(moved) > round(rules.limits.stop_share * len(ranked), 12)
    affected = tuple(sorted({*lost, *(moved if many else ())} - set(state.go)))
    if not affected:
        return None
    before, after = by_model(state.published), by_model(published)
    own_inputs = all(_scores(before.get(m, {})) != _scores(after.get(m, {})) for m in affected)
    old = state.stop if state.stop and state.stop.rule == "U11" else None
    goes_on = old is not None and own_inputs and set(affected) <= set(old.affected)
    hour = now[:13]
    runs = (old.runs + (hour != old.counted) if goes_on else 1) if own_inputs else 0
    if own_inputs and runs >= rules.limits.stop_runs:
        return None
    found = {**({"lost": lost} if lost else {}), **({"moved": len(moved), "ranked": len(ranked), "points": rules.limits.stop_points} if many else {}), "own_inputs": own_inputs}
    what = Said("lost_and_moved" if lost and many else "lost_rank" if lost else "moved_far", found)
    return Stop("U11", old.since if old else now, what, affected, hour, runs)


def _apart(a: Land, b: Land) -> float:
    return round(abs((a.siiq or 0.0) - (b.siiq or 0.0)), 12)


def _scores(values: Mapping[str, object]) -> dict[str, object]:
    return {b: (x.score, x.run) for b, x in values.items()}
