"""What the gate decided, read off two states; and what stands, read off one. Each is a record that says by which rule,
on which numbers, since when, and what would release it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from siiq_core.gate.confirming import would_confirm
from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import Freeze, Key, Pending, Source, State, Stop, text_of

PUBLICATION = "publication"
_FIRST = ("value", "published", "action", "who", "reason")


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing that the gate decided, or that stands since: what, by which rule, on which numbers, until what."""

    at: str
    what: str  # "held", "published", "changed", "removed", "frozen", "switched", "failed", "refused", "waits", "stopped" …
    rule: str
    subject: str  # "model/benchmark", a benchmark, a source, a model, or "publication"
    since: str
    numbers: Mapping[str, Any] = field(default_factory=dict)
    because: Said | None = None  # what was found, where numbers alone do not say it
    waits_for: Said | None = None  # what would release it

    @property
    def until(self) -> str:
        """What would release it, in English; "" where nothing has to."""
        return str(self.waits_for) if self.waits_for else ""

    @property
    def details(self) -> str:
        """What was found and the numbers, on one line."""
        found = [str(self.because)] if self.because else []
        return ", ".join([*found, *(f"{k} {_number(self.numbers[k])}" for k in sorted(self.numbers, key=_place))])


def decisions(before: State, after: State, rules: Rules) -> tuple[Decision, ...]:
    """Everything that changed between two states, in a stated order: sources, benchmarks, values, models, publication."""
    found = [*_sources(before, after, rules), *_benchmarks(before, after), *_calibration(before, after, rules), *_values(before, after, rules), *_held(before, after, rules),
             *_refused(before, after), *_newcomers(before, after, rules), *_publication(before, after, rules), *_reports(before, after), *_decided(before, after)]
    return tuple(found)


def standing(state: State, rules: Rules) -> tuple[Decision, ...]:
    """What is held, frozen, failing, refused, waiting or stopped now."""
    nothing = State(state.at, state.in_force)
    known = {name: source for name, source in state.sources.items() if source.failure is not None}
    refused = _calibration(nothing, state, rules) if state.attempt and not state.attempt.accepted else ()
    return (*_failures(nothing, state, known, rules), *_rebases(state), *_frozen(nothing, state), *refused, *_held(nothing, state, rules), *_refused(nothing, state), *_retracted(state),
            *_newcomers(nothing, state, rules), *_stops(nothing, state, rules), *_reports(nothing, state))


def _place(name: str) -> tuple[int, str]:
    """The value first, then what it is held against: the same order, whether from a cycle or from a checkpoint."""
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


# --- sources and benchmarks ------------------------------------------------------------------------------------------------


def _sources(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    for name, source in sorted(after.sources.items()):
        if name not in before.sources:
            yield Decision(after.at, "baseline", "U0", name, after.at, {"rows": source.good.rows, "values": len(source.good.values)})
    yield from _failures(before, after, after.sources, rules)
    for name, source in sorted(before.sources.items()):
        if source.failure is not None and after.sources[name].failure is None:
            yield Decision(after.at, "healed", source.failure.rule, name, source.failure.since)


def _failures(before: State, after: State, sources: Mapping[str, Source], rules: Rules) -> Iterator[Decision]:
    for name, source in sorted(sources.items()):
        old = before.sources.get(name)
        if source.failure is not None and (old is None or old.failure is None or old.failure.what != source.failure.what):
            yield Decision(after.at, "failed", source.failure.rule, name, source.failure.since, {}, source.failure.what, mended_by(source, rules))


def mended_by(source: Source, rules: Rules) -> Said:
    """What a failing source waits for (U6a, U7)."""
    if source.small is None or source.failure is None or source.failure.unreadable:
        return Said("readable")
    return Said("person") if source.failure.what.code == "rows_and_share_lost" else Said("smaller_file", {"hours": rules.limits.small_hours})


def _rebases(state: State) -> Iterator[Decision]:
    for name, at in sorted(state.rebase.items()):
        yield Decision(state.at, "new baseline", "U0", name, at, {}, None, Said("recalibration"))


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
            yield Decision(after.at, "approved" if freeze.approved else "frozen", freeze.rule, benchmark, freeze.since, {"members": len(freeze.members)}, freeze.what, thawed_by(freeze))


def thawed_by(freeze: Freeze) -> Said:
    """What a frozen benchmark waits for (U6b, U9)."""
    return Said("approval" if freeze.rule == "U6b" and not freeze.approved else "recalibration" if freeze.approved else "all_confirmed")


def _calibration(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    tried = after.attempt
    if tried is not None and tried != before.attempt:
        if tried.accepted:
            yield Decision(after.at, "recalibrated", "C9", after.in_force.id, tried.at, {}, tried.why)
        else:
            yield Decision(after.at, "recalibration refused", "C9", before.in_force.id, tried.at, {"reasons": [str(x) for x in tried.reasons]}, tried.why,
                           Said("next_try", {"hours": rules.limits.retry_hours}))


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
        yield Decision(after.at, "held", x.hold.rule, text_of(key), x.held_first, {"value": x.value.score, **x.hold.numbers}, None, released_by(after, key, x, rules))


def released_by(state: State, key: Key, x: Pending, rules: Rules) -> Said:
    """What a held value waits for (U4)."""
    source = state.sources[rules.source_of[key[1]]]
    return Said("source_again") if source.failure is not None else would_confirm(x, source.good.sha256, rules.limits)


def _refused(before: State, after: State) -> Iterator[Decision]:
    for key, x in sorted(after.pending.items()):
        old = before.pending.get(key)
        numbers: dict[str, Any] = {"value": x.value.score}
        if x.verdict == "refused" and (old is None or old.checked != x.checked):
            by = {"who": x.checked.who, "reason": x.checked.reason} if x.checked else {}
            yield Decision(after.at, "refused", "U2", text_of(key), x.appeared, numbers | by, None, Said("read_the_same"))
        elif x.rejected and (old is None or old.rejected != x.rejected):
            yield Decision(after.at, "rejected", "operator", text_of(key), x.rejected, numbers, None, Said("another_value"))


def _retracted(state: State) -> Iterator[Decision]:
    for key, at in sorted(state.retracted.items()):
        yield Decision(state.at, "retracted", "operator", text_of(key), at, {}, None, Said("given_back"))


# --- models, publication, reports, decisions of persons ---------------------------------------------------------------------


def _newcomers(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    for model, trigger in sorted(after.leaders.items()):
        if before.leaders.get(model) != trigger:
            yield Decision(after.at, "waits", "U5", model, trigger.since, {"siiq": trigger.siiq, "leader": trigger.leader}, None, Said("newcomer", {"hours": rules.limits.confirm_hours}))
    for model, trigger in sorted(before.leaders.items()):
        if model not in after.leaders:
            yield Decision(after.at, "waits no more", "U5", model, trigger.since)


def _publication(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    yield from _stops(before, after, rules)
    if before.stop is not None and after.stop is None:
        yield Decision(after.at, "goes on", before.stop.rule, PUBLICATION, before.stop.since)
    if after.publication is not None and after.publication != before.publication:
        ranked = sum(x.ranked for x in after.publication.lands.values())
        yield Decision(after.at, "publication", "U11", PUBLICATION, after.at, {"number": after.publication.number, "version": after.publication.version, "results": len(after.published), "ranked": ranked})


def _stops(before: State, after: State, rules: Rules) -> Iterator[Decision]:
    stop = after.stop
    if stop is not None and (before.stop is None or (before.stop.rule, before.stop.what, before.stop.affected) != (stop.rule, stop.what, stop.affected)):
        yield Decision(after.at, "stopped", stop.rule, PUBLICATION, stop.since, {"affected": list(stop.affected)} if stop.affected else {}, stop.what, goes_on_by(stop, rules))


def goes_on_by(stop: Stop, rules: Rules) -> Said:
    """What a stopped publication waits for (U2, U11)."""
    if stop.rule == "U2":
        return Said("reader")
    return Said("runs", {"runs": rules.limits.stop_runs, "counted": stop.runs}) if stop.runs else Said("person")


def _reports(before: State, after: State) -> Iterator[Decision]:
    for report in after.reports:
        if report not in before.reports:
            of = report.what.of
            yield Decision(after.at, "reported", report.rule, text_of((of["model"], of["benchmark"])) if "model" in of else of["benchmark"], report.since, {}, report.what, report.operator_may)


def _decided(before: State, after: State) -> Iterator[Decision]:
    for done in after.corrections[len(before.corrections):]:
        subject = "/".join(str(done.what[k]) for k in ("model", "benchmark", "source") if k in done.what) or PUBLICATION
        yield Decision(done.at, "decided", "operator", subject, done.at, {"action": done.action, "who": done.who, "reason": done.reason})
