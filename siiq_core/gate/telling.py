"""What stands, as status.json and the pages tell it (V5, files.md): plain values, read off the state.

Sentences are in English; `coded` beside them says the same as codes with numbers (said.py), for other languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from siiq_core.gate.decisions import Decision, goes_on_by, mended_by, released_by, thawed_by
from siiq_core.gate.memory import Remembered
from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import Freeze, Key, Pending, Source, State

MOST_CORRECTIONS = 500  # of the log, newest last; the ledger has all
Plain = dict[str, Any]


def told(memory: Remembered) -> Plain:
    """Sources' health, what is frozen, held and refused, reports, the last recalibration, publication, corrections, news."""
    state, rules = memory.state, memory.rules
    return {
        "at": state.at, "sources": {name: _source(source, rules) for name, source in sorted(state.sources.items())},
        "frozen": [_frozen(b, x) for b, x in sorted(state.frozen.items())],
        "held": [*_held(state, rules), *_newcomers(state, rules)], "refused": [*_refused(state), *_retracted(state)],
        "reports": [{"rule": x.rule, "since": x.since, **_said(what=x.what, operator_may=x.operator_may)} for x in state.reports],
        "last_attempt": _attempt(state), "publication": _publication(state, rules),
        "corrections": [{"at": x.at, "action": x.action, "who": x.who, "reason": x.reason, **dict(x.what)} for x in state.corrections[-MOST_CORRECTIONS:]],
        "news": [news_item(x) for x in memory.news],
    }


def news_item(x: Decision) -> Plain:
    """A decision as a plain value."""
    sentences = {name: y for name, y in (("because", x.because), ("until", x.waits_for)) if y is not None}
    return {"at": x.at, "what": x.what, "rule": x.rule, "subject": x.subject, "since": x.since, "numbers": dict(x.numbers), **_said(**sentences)}


def _said(**sentences: Said) -> Plain:
    """English sentences by name, and all of them as codes."""
    return {**{name: str(x) for name, x in sentences.items()}, "coded": {name: x.plain for name, x in sentences.items()}}


def _source(source: Source, rules: Rules) -> Plain:
    failure = source.failure
    told = None if failure is None else {"rule": failure.rule, "since": failure.since, **_said(what=failure.what, waiting_for=mended_by(source, rules))}
    return {"last_check": source.checked, "last_success": source.succeeded, "sha256": source.good.sha256, "rows": source.good.rows, "kept_share": source.good.share, "failure": told}


def _frozen(benchmark: str, x: Freeze) -> Plain:
    return {"benchmark": benchmark, "rule": x.rule, "since": x.since, "members": len(x.members), "approved": x.approved or None, **_said(what=x.what, waiting_for=thawed_by(x))}


def _value(state: State, key: Key, score: float | None) -> Plain:
    published = state.published.get(key)
    return {"model": key[0], "benchmark": key[1], "value": score, "published": published.value.score if published else None}


def _held(state: State, rules: Rules) -> Iterable[Plain]:
    for key, x in sorted(state.pending.items()):
        if x.hold is not None and not x.released and not x.rejected:
            yield {**_value(state, key, x.value.score), "rule": x.hold.rule, "numbers": dict(x.hold.numbers), "since": x.held_first, **_said(released_by=released_by(state, key, x, rules))}


def _newcomers(state: State, rules: Rules) -> Iterable[Plain]:
    """U5: every value that a newcomer waits with."""
    for key, x in sorted(state.pending.items()):
        if key[0] in state.leaders and _waits_with(x):
            trigger = state.leaders[key[0]]
            yield {**_value(state, key, x.value.score), "rule": "U5", "numbers": {"siiq": trigger.siiq, "leader": trigger.leader}, "since": trigger.since,
                   **_said(released_by=Said("newcomer", {"hours": rules.limits.confirm_hours}))}


def _waits_with(x: Pending) -> bool:
    return x.hold is None and not x.rejected and x.verdict == "confirmed"


def _refused(state: State) -> Iterable[Plain]:
    """What the second reader did not read the same (U2), and what a person rejected."""
    for key, x in sorted(state.pending.items()):
        if x.verdict == "refused":
            by = {"who": x.checked.who, "reason": x.checked.reason} if x.checked else {"who": "", "reason": ""}
            yield {**_value(state, key, x.value.score), "outcome": "refused", "rule": "U2", "since": x.appeared, **by, **_said(released_by=Said("read_the_same"))}
        elif x.rejected:
            yield {**_value(state, key, x.value.score), "outcome": "rejected", "rule": "operator", "since": x.rejected, **_last(state, key, "reject"), **_said(released_by=Said("another_value"))}


def _retracted(state: State) -> Iterable[Plain]:
    """What a person took back."""
    for key, at in sorted(state.retracted.items()):
        yield {**_value(state, key, None), "outcome": "retracted", "rule": "operator", "since": at, **_last(state, key, "retract"), **_said(released_by=Said("given_back"))}


def _last(state: State, key: Key, action: str) -> Mapping[str, str]:
    """Who did it, and why, by the log."""
    found = next((x for x in reversed(state.corrections) if x.action == action and (x.what.get("model"), x.what.get("benchmark")) == key), None)
    return {"who": found.who if found else "", "reason": found.reason if found else ""}


def _attempt(state: State) -> Plain | None:
    x = state.attempt
    if x is None:
        return None
    reasons = [str(y) for y in x.reasons]
    return {"at": x.at, "outcome": "accepted" if x.accepted else "refused", "why": str(x.why), "reasons": reasons, "coded": {"why": x.why.plain, "reasons": [y.plain for y in x.reasons]}}


def _publication(state: State, rules: Rules) -> Plain:
    stop, last = state.stop, state.publication
    out: Plain = {"state": "stopped" if stop else "published", "since": stop.since if stop else last.at if last else state.at, "reasons": [f"{stop.rule}: {stop.what}"] if stop else [],
                  "number": last.number if last else 0, "version": last.version if last else state.version, "published_at": last.at if last else None}
    return out | ({"rule": stop.rule, "affected": list(stop.affected), **_said(what=stop.what, waiting_for=goes_on_by(stop, rules))} if stop else {})
