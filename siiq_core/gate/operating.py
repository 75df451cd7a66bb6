"""What a person may decide, with reason and name. Applied to what the person saw: before the sources are looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from siiq_core.errors import SiiqError
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Correction, Key, Pending, State

ACTIONS = ("release", "approve", "reject", "retract", "rebase")


class OperatorRefused(SiiqError):
    """An operator's action that does not fit what stands."""


@dataclass(frozen=True, slots=True)
class Action:
    """One decision.

    Attributes
    ----------
    action : one of ACTIONS
    model, benchmark : of the value; a benchmark alone where it is frozen
    source : of a smaller file, or for a new baseline
    """

    action: str
    model: str = ""
    benchmark: str = ""
    source: str = ""
    publication: bool = False
    who: str = ""
    reason: str = ""

    @property
    def key(self) -> Key:
        """The pair it names."""
        return self.model, self.benchmark

    @property
    def subject(self) -> Mapping[str, Any]:
        """What it is about, as the ledger and readers see it."""
        named = {"model": self.model, "benchmark": self.benchmark, "source": self.source}
        return {k: x for k, x in named.items() if x} | ({"publication": True} if self.publication else {})


def operated(state: State, action: Action, now: str, rules: Rules) -> State:
    """The state after a person's decision.

    Raises
    ------
    OperatorRefused
        Unknown action, or nothing there that it could be about.
    """
    if action.action == "release":
        state = _release(state, action)
    elif action.action == "reject":
        state = _reject(state, action, now)
    elif action.action == "retract":
        state = _retract(state, action, now)
    elif action.action == "approve":
        state = _approve(state, action, now, rules)
    elif action.action == "rebase":
        if action.source not in state.sources:
            raise _refused(action, "no such source is known", "siiq gate list names them")
        state = replace(state, rebase={**state.rebase, action.source: now})
    else:
        raise _refused(action, f"unknown action {action.action}", f"one of {', '.join(ACTIONS)}")
    done = Correction(now, action.action, action.who, action.reason, action.subject)
    return replace(state, corrections=(*state.corrections, done))


def _release(state: State, action: Action) -> State:
    """U10: a held value, all that a newcomer over the leader waits with (U5), or a pair that was taken back."""
    if action.key in state.retracted:
        return _given_back(state, action)
    waiting = {key: x for key, x in state.pending.items() if key[0] == action.model and action.benchmark in ("", key[1]) and x.verdict == "confirmed"}
    held = {key: replace(x, released="operator") for key, x in waiting.items() if x.hold is not None}
    newcomer = {key: replace(x, exempt=True, released="operator") for key, x in waiting.items() if action.model in state.leaders}
    if not held and not newcomer:
        raise _refused(action, "nothing of it is held, or its number was refused by the second reader", "siiq gate list shows what is held")
    return replace(state, pending={**state.pending, **held, **newcomer})


def _reject(state: State, action: Action, now: str) -> State:
    """The pending value is not used until the source says otherwise; a revision goes on without it."""
    if action.key not in state.pending:
        raise _refused(action, "no value of it is pending", "siiq gate list shows what is")
    x = state.pending[action.key]
    return replace(state, pending={**state.pending, action.key: replace(x, rejected=now, hold=None, held_first="")})


def _retract(state: State, action: Action, now: str) -> State:
    """A published value leaves; it comes back when its source has stopped listing it, or a person releases it."""
    if action.key not in state.published:
        raise _refused(action, "nothing of it is published", "name model and benchmark by their ids")
    # a person saw what it does: a model that loses its rank by it does not stop the publication (U11)
    return replace(state, retracted={**state.retracted, action.key: now}, go=tuple(sorted({*state.go, action.model})))


def _given_back(state: State, action: Action) -> State:
    retracted = {key: at for key, at in state.retracted.items() if key != action.key}
    listed = {key: x for source in state.sources.values() for key, x in source.good.values.items()}.get(action.key)
    pending = dict(state.pending)
    if listed is not None and action.key not in pending:
        pending[action.key] = Pending(listed, state.at, (), verdict="confirmed", judged=True, released="operator")
    return replace(state, retracted=retracted, pending=pending)


def _approve(state: State, action: Action, now: str, rules: Rules) -> State:
    if action.publication:
        if state.stop is None or state.stop.rule != "U11":
            raise _refused(action, "publication is not stopped", "siiq gate list shows what is")
        return replace(state, go=tuple(sorted({*state.go, *state.stop.affected})))
    if action.benchmark:
        freeze = state.frozen.get(action.benchmark)
        if freeze is None:
            raise _refused(action, "it is not frozen", "siiq gate list shows what is")
        if action.benchmark in state.sources[rules.source_of[action.benchmark]].parsed.unreadable:
            raise _refused(action, "its scores cannot be read as params/benchmarks.csv has it", "say there how they are read now, run an update, then approve")
        return replace(state, frozen={**state.frozen, action.benchmark: replace(freeze, approved=now, tried="")})
    source = state.sources.get(action.source)
    if source is None or source.small is None:
        raise _refused(action, "no smaller file of it waits", "siiq gate list shows what does")
    from siiq_core.gate.observing import accept_small

    return accept_small(state, action.source, now, rules)


def _refused(action: Action, what: str, remedy: str) -> OperatorRefused:
    named = "/".join(str(x) for x in action.subject.values())
    return OperatorRefused(f"{action.action}: {what}", value=named, remedy=remedy)
