"""What the gate decided, read off two states; and what stands, read off one. Each is a record that says by which rule,
on which numbers, since when, and what would release it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from siiq_core.gate.confirming import would_confirm
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import Decision, Key, Pending, State, text_of

PUBLICATION = "publication"


def decisions(before: State, after: State, rules: Rules) -> tuple[Decision, ...]:
    """Everything that changed between two states, in a stated order: sources, benchmarks, values, models, publication."""
    found = [*_sources(before, after), *_benchmarks(before, after), *_calibration(before, after), *_values(before, after, rules), *_held(before, after, rules),
             *_newcomers(before, after), *_publication(before, after), *_reports(before, after)]
    return tuple(found)


def standing(state: State, rules: Rules) -> tuple[Decision, ...]:
    """What is held, frozen, failing, waiting or stopped now."""
    nothing = State(state.at, state.in_force)
    known = {name: source for name, source in state.sources.items() if source.failure is not None}
    return (*_failures(nothing, state, known), *_frozen(nothing, state), *_held(nothing, state, rules), *_refused(state), *_newcomers(nothing, state), *_stops(nothing, state), *_reports(nothing, state))


# --- sources and benchmarks ------------------------------------------------------------------------------------------------


def _sources(before: State, after: State) -> Iterator[Decision]:
    for name, source in sorted(after.sources.items()):
        if name not in before.sources:
            yield Decision(after.at, "baseline", "U0", name, after.at, {"rows": source.good.rows, "values": len(source.good.values)})
    yield from _failures(before, after, after.sources)
    for name, source in sorted(before.sources.items()):
        if source.failure is not None and after.sources[name].failure is None:
            yield Decision(after.at, "healed", source.failure.rule, name, source.failure.since)


def _failures(before: State, after: State, sources: Any) -> Iterator[Decision]:
    for name, source in sorted(sources.items()):
        old = before.sources.get(name)
        if source.failure is not None and (old is None or old.failure is None or old.failure.what != source.failure.what):
            until = "24 hours in which it stays no larger, or a person" if source.small else "a content that can be read"
            yield Decision(after.at, "failed", source.failure.rule, name, source.failure.since, {"what": source.failure.what}, until)


def _benchmarks(before: State, after: State) -> Iterator[Decision]:
    yield from _frozen(before, after)
    for benchmark, freeze in sorted(before.frozen.items()):
        if benchmark not in after.frozen:
            switched = after.in_force.id != before.in_force.id
            yield Decision(after.at, "switched" if switched else "taken back", "U9", benchmark, freeze.since, {"members": len(freeze.members)})


def _frozen(before: State, after: State) -> Iterator[Decision]:
    for benchmark, freeze in sorted(after.frozen.items()):
        old = before.frozen.get(benchmark)
        if old is None or (old.rule, old.what, old.approved) != (freeze.rule, freeze.what, freeze.approved):
            person = freeze.rule == "U6b" and not freeze.approved
            until = "a person's approval" if person else "every changed value confirmed, and a recalibration that passes"
            yield Decision(after.at, "approved" if freeze.approved else "frozen", freeze.rule, benchmark, freeze.since, {"what": freeze.what, "members": len(freeze.members)}, until)


def _calibration(before: State, after: State) -> Iterator[Decision]:
    tried = after.attempt
    if tried is not None and tried != before.attempt:
        if tried.accepted:
            yield Decision(after.at, "recalibrated", "C9", after.in_force.id, tried.at, {"why": tried.why})
        else:
            yield Decision(after.at, "recalibration refused", "C9", before.in_force.id, tried.at, {"why": tried.why, "reasons": list(tried.reasons)}, "another try after a day")


# --- values ----------------------------------------------------------------------------------------------------------------------


def _values(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    if after.published is before.published:
        return
    for key in sorted(before.published.keys() | after.published.keys()):
        old, new = before.published.get(key), after.published.get(key)
        if old is not None and new is None:
            withdrawn = rules.source_of[key[1]] in rules.keeps and key not in before.retracted
            yield Decision(after.at, "removed", "operator" if key in before.retracted else "I4" if withdrawn else "U8", text_of(key), after.at, {"published": old.value.score})
        elif new is not None and (old is None or old.value.score != new.value.score or old.value.run != new.value.run):
            held = before.pending.get(key)
            what = "published" if old is None else "changed"
            numbers: dict[str, Any] = {"value": new.value.score} | ({"published": old.value.score} if old else {})
            yield Decision(after.at, what, new.by, text_of(key), held.held_first or held.appeared if held else after.at, numbers)


def _held(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    for key, x in sorted(after.pending.items()):
        old = before.pending.get(key)
        if x.hold is None or x.released or (old is not None and old.hold == x.hold):
            continue
        yield Decision(after.at, "held", x.hold.rule, text_of(key), x.held_first, {"value": x.value.score, **x.hold.numbers}, _until(after, key, x, rules))


def _until(state: State, key: Key, x: Pending, rules: Rules) -> str:
    source = state.sources[rules.source_of[key[1]]]
    if source.failure is not None:
        return "its source to be read again"
    return would_confirm(x, source.good.sha256, rules.limits)


def _refused(state: State) -> Iterator[Decision]:
    for key, x in sorted(state.pending.items()):
        if x.verdict == "refused":
            reason = x.checked.reason if x.checked else ""
            yield Decision(state.at, "refused", "U2", text_of(key), x.appeared, {"value": x.value.score, "reason": reason}, "a row that the second reader reads the same")
        elif x.rejected:
            yield Decision(state.at, "rejected", "operator", text_of(key), x.rejected, {"value": x.value.score}, "another value in its source")


# --- models, publication, reports ---------------------------------------------------------------------------------------------


def _newcomers(before: State, after: State) -> Iterator[Decision]:
    for model, trigger in sorted(after.leaders.items()):
        if before.leaders.get(model) != trigger:
            yield Decision(after.at, "waits", "U5", model, trigger.since, {"siiq": trigger.siiq, "leader": trigger.leader}, "all its new results confirmed, six hours after they appeared")
    for model, trigger in sorted(before.leaders.items()):
        if model not in after.leaders:
            yield Decision(after.at, "waits no more", "U5", model, trigger.since)


def _publication(before: State, after: State) -> Iterator[Decision]:
    yield from _stops(before, after)
    if before.stop is not None and after.stop is None:
        yield Decision(after.at, "goes on", before.stop.rule, PUBLICATION, before.stop.since)
    if after.publication is not None and after.publication != before.publication:
        ranked = sum(x.ranked for x in after.publication.lands.values())
        yield Decision(after.at, "publication", "U11", PUBLICATION, after.at, {"number": after.publication.number, "version": after.publication.version, "results": len(after.published), "ranked": ranked})


def _stops(before: State, after: State) -> Iterator[Decision]:
    stop = after.stop
    if stop is not None and (before.stop is None or (before.stop.rule, before.stop.what, before.stop.affected) != (stop.rule, stop.what, stop.affected)):
        until = "a second reader in reach" if stop.rule == "U2" else "six hourly runs in which it lasts, or a person" if stop.runs else "a person"
        yield Decision(after.at, "stopped", stop.rule, PUBLICATION, stop.since, {"what": stop.what, "affected": list(stop.affected)}, until)


def _reports(before: State, after: State) -> Iterator[Decision]:
    for report in after.reports:
        if report not in before.reports:
            yield Decision(after.at, "reported", report.rule, report.what, report.since, {}, report.operator_may)
