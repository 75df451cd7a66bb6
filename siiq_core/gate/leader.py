"""U5: a newcomer far over the leader shows nothing new until all of it is confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from siiq_core.gate.confirming import confirmed
from siiq_core.gate.landing import by_model, land
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Key, Pending, State, Trigger
from siiq_core.gate.times import at_least


def newcomers(state: State, candidates: Mapping[Key, Pending], now: str, rules: Rules) -> tuple[State, frozenset[str]]:
    """The state with its triggers, and the models whose published values stay as they are."""
    if state.publication is None or state.publication.leader is None:
        return replace(state, leaders={}), frozenset()
    leader, limits = state.publication.leader, rules.limits
    unranked = {key[0] for key, x in candidates.items() if not x.exempt and not ((known := state.publication.lands.get(key[0])) is not None and known.ranked)}
    triggers: dict[str, Trigger] = {}
    waiting: set[str] = set()
    standing = by_model({key: x for key, x in state.published.items() if key[0] in unranked}) if unranked else {}
    for model in sorted(unranked):
        would = land(standing.get(model, {}) | {k[1]: x.value for k, x in candidates.items() if k[0] == model}, state.in_force, rules).siiq
        if would is None or not round(would - leader, 12) > limits.leader_points:
            continue  # the rule ends
        trigger = state.leaders.get(model)
        if trigger is None or round(abs(would - trigger.siiq), 12) > limits.leader_drift:
            trigger = Trigger(would, now, leader)
        triggers[model] = trigger
        if not (at_least(trigger.since, now, hours=limits.confirm_hours) and _all_confirmed(state, model, now, rules)):
            waiting.add(model)
    return replace(state, leaders=triggers), frozenset(waiting)


def _all_confirmed(state: State, model: str, now: str, rules: Rules) -> bool:
    """Every new or changed result of the model; what is frozen, refused or rejected will not be published and does not count."""
    for key, x in state.pending.items():
        if key[0] != model or key[1] in state.frozen or x.verdict == "refused" or x.rejected or x.exempt:
            continue
        source = state.sources[rules.source_of[key[1]]]
        old_enough = at_least(x.appeared, now, hours=rules.limits.confirm_hours)
        if source.failure is not None or not old_enough or not confirmed(x, source.good.sha256, now, rules.limits):
            return False
    return True
