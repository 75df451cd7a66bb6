"""U2–U4: which pending values may be published now.

A value passes when the second reader confirmed it and nothing speaks against it: a move of more than ten points, or more
than four standard errors off the model's other results. What is held is released when confirmed, by the other run of the
same questions, or by a person; by waiting alone never.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from siiq_core.gate.confirming import confirmed
from siiq_core.gate.landing import by_model, outlier
from siiq_core.gate.rules import Rules, apart
from siiq_core.gate.state import Hold, Key, Pending, Published, State


def to_read(state: State, rules: Rules) -> tuple[Key, ...]:
    """U2: pairs whose new or changed number nobody has read again. Those of a failed source move nowhere, so nobody asks."""
    return tuple(sorted(key for key, x in state.pending.items()
                        if not x.verdict and not x.rejected and (_source_is_good(state, key, rules) or rules.source_of[key[1]] in state.rebase)))


def may_move(state: State, key: Key, rules: Rules) -> bool:
    """Is the value's source good, its benchmark not frozen, and has no person taken the value back?"""
    return _source_is_good(state, key, rules) and _is_free(state, key)


def _is_free(state: State, key: Key) -> bool:
    return key[1] not in state.frozen and key not in state.retracted


def _source_is_good(state: State, key: Key, rules: Rules) -> bool:
    source = state.sources.get(rules.source_of[key[1]])
    return source is not None and source.failure is None


def judge(state: State, now: str, rules: Rules) -> State:
    """U3 for every value that the second reader confirmed and nobody judged: all at once."""
    fresh = {key: x for key, x in state.pending.items()
             if x.verdict == "confirmed" and not x.judged and not x.exempt and not x.rejected and may_move(state, key, rules)}
    if not fresh:
        return state
    standing = by_model({key: x for key, x in state.published.items() if key[0] in {k[0] for k in fresh}})
    pending = dict(state.pending)
    for key, x in fresh.items():
        model, benchmark = key
        others = {b: v.score for b, v in standing.get(model, {}).items()} | {k[1]: y.value.score for k, y in fresh.items() if k[0] == model}
        hold = _against(key, x, state.published.get(key), others, state, now, rules)
        pending[key] = replace(x, judged=True, hold=hold, held_first=(x.held_first or now) if hold else "")
    return replace(state, pending=pending)


def _against(key: Key, x: Pending, published: Published | None, others: Mapping[str, float], state: State, now: str, rules: Rules) -> Hold | None:
    limits, benchmark = rules.limits, key[1]
    if published is not None and (move := apart(x.value.score, published.value.score)) > limits.hold_move:  # U3a
        return Hold("U3a", {"published": published.value.score, "move": move}, now)
    z = outlier(benchmark, x.value.score, others, state.in_force, rules)
    if z is None or abs(z) <= limits.hold_z:  # U3b
        return None
    old = outlier(benchmark, published.value.score, others, state.in_force, rules) if published else None
    if old is not None and abs(old) > limits.hold_z:  # a changed one only if its old value was not off
        return None
    return Hold("U3b", {"z": z} | ({"z_published": old} if old is not None else {}), now)


def release(state: State, now: str, rules: Rules) -> State:
    """U4: held values that are confirmed."""
    pending = dict(state.pending)
    for key, x in state.pending.items():
        if x.hold is not None and not x.released and x.verdict == "confirmed" and not x.rejected and may_move(state, key, rules):
            if confirmed(x, state.sources[rules.source_of[key[1]]].good.sha256, now, rules.limits):
                pending[key] = replace(x, released="U4")
    return replace(state, pending=pending)


def release_by_twin(state: State, standing: Mapping[Key, float], rules: Rules) -> State:
    """U4: held values that the other run of the same question set, itself accepted, agrees with.

    What is released stands from then on: two runs that changed places cannot each be released by what the other was.

    Parameters
    ----------
    standing : scores that are published, or pass now
    """
    pending, standing = dict(state.pending), dict(standing)
    for key, x in sorted(state.pending.items()):
        if x.hold is None or x.released or x.verdict != "confirmed" or x.rejected or not may_move(state, key, rules):
            continue
        family = rules.benchmarks[key[1]].family
        twins = [b for b, bench in rules.benchmarks.items() if bench.family == family and b != key[1] and (key[0], b) in standing]
        if any(apart(standing[key[0], b], x.value.score) <= rules.limits.twin_tolerance for b in twins):
            pending[key], standing[key] = replace(x, released="twin"), x.value.score
    return replace(state, pending=pending)


def passing(state: State, rules: Rules) -> dict[Key, Pending]:
    """Pending values that nothing speaks against."""
    return {key: x for key, x in candidates(state).items() if _source_is_good(state, key, rules)}


def candidates(state: State) -> dict[Key, Pending]:
    """The same, whatever the health of their sources: a bad hour of one makes no newcomer smaller (U5)."""
    return {key: x for key, x in state.pending.items()
            if x.verdict == "confirmed" and not x.rejected and (x.exempt or (x.judged and (x.hold is None or bool(x.released)))) and _is_free(state, key)}
