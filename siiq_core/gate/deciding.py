"""One run of the gate, in order: observe, read again (U2), switch and recalibrate (U9, C9), hold and release (U3, U4), new
leaders (U5), leaving (U8), and whether the result may be published (U11).

`observed` and `decided` are pure: what the second reader said and what a recalibration came to are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from siiq_core.gate import holding
from siiq_core.gate.landing import lands
from siiq_core.gate.leader import newcomers
from siiq_core.gate.leaving import leaving
from siiq_core.gate.observing import observe
from siiq_core.gate.reports import reports
from siiq_core.gate.revision import Switch, over, switch
from siiq_core.gate.rules import Rules, differs
from siiq_core.gate.said import Said, as_said
from siiq_core.gate.state import Attempt, InForce, Key, Pending, Publication, Published, Sight, State, Stop, Value, Verdict
from siiq_core.gate.stopping import stopped
from siiq_core.gate.times import at_least, latest_boundary


@dataclass(frozen=True, slots=True)
class Recalibration:
    """What a recalibration came to (C8, C9)."""

    in_force: InForce | None  # None where it was refused
    reasons: tuple[Said | str, ...] = ()


Recalibrate = Callable[[Mapping[Key, float], str], Recalibration]  # inputs and why → outcome


def observed(state: State, sights: Mapping[str, Sight], now: str, rules: Rules) -> State:
    """After the sources were checked; nothing is published by it."""
    return replace(observe(state, sights, now, rules), at=now)


def with_verdicts(state: State, verdicts: Mapping[Key, Verdict]) -> State:
    """U2: after the second reader. Pairs that do not wait for it are passed over."""
    pending = {key: replace(x, verdict="confirmed" if verdicts[key].confirmed else "refused", checked=verdicts[key]) if key in verdicts and not x.verdict else x
               for key, x in state.pending.items()}
    return replace(state, pending=pending)


def without_reader(state: State, now: str, rules: Rules) -> State:
    """U2: nobody can read again, so the whole update stops and what is published stays."""
    since = state.stop.since if state.stop and state.stop.rule == "U2" else now
    state = replace(state, stop=Stop("U2", since, Said("no_reader")))
    return replace(state, reports=reports(state, now, rules))


def decided(before: State, recalibrate: Recalibrate, now: str, rules: Rules) -> State:
    """Everything after the second reader.

    Parameters
    ----------
    before : observed, with verdicts
    recalibrate : asked at most once per switch, rebase or due month
    """
    state = _thawed(before)
    number_before = state.in_force.id
    state = _switches(state, recalibrate, now, rules)
    state = _rebases(state, recalibrate, now, rules)
    state = _monthly(state, recalibrate, now, rules)
    recalibrated = state.in_force.id != number_before
    state = holding.release(holding.judge(state, now, rules), now, rules)
    if any(x.hold is not None and not x.released for x in state.pending.values()):
        standing = {key: x.value.score for key, x in state.published.items()} | {key: x.value.score for key, x in holding.passing(state, rules).items()}
        state = holding.release_by_twin(state, standing, rules)
    passing = holding.passing(state, rules)
    state, waiting = newcomers(state, holding.candidates(state), now, rules)
    news: dict[Key, Published | None] = dict(_refreshed(state))  # None: it leaves
    for key, x in passing.items():
        if key[0] not in waiting or x.exempt:
            news[key] = _published(state, key, x, now, rules, "U5" if key[0] in before.leaders else "")
    for key in leaving(state, now, rules):
        if key[0] not in waiting or key in state.retracted or key in state.withdrawn:
            news[key] = None
    published = {key: x for key, x in {**state.published, **news}.items() if x is not None} if news else state.published
    return _publish(before, state, published, recalibrated, now, rules)


def _publish(before: State, state: State, published: Mapping[Key, Published], recalibrated: bool, now: str, rules: Rules) -> State:
    """U11. A stop leaves everything public as it was, the calibration too; what was learned about pending values stays."""
    last = before.publication
    changed = {key[0] for key in _touched(published, before.published) if _other(published.get(key), before.published.get(key))}
    if last is not None and not changed and not recalibrated:
        there, stop = last.lands, None
    else:
        there = lands(published, state.in_force, rules, last.lands if last is not None and not recalibrated else None, changed)
        stop = stopped(before, published, there, recalibrated, now, rules)
    if stop is not None:
        kept = replace(state, published=before.published, in_force=before.in_force, frozen={b: state.frozen.get(b, x) for b, x in before.frozen.items()}, rebase=before.rebase, monthly=before.monthly,
                       attempt=before.attempt if recalibrated else state.attempt, sources=before.sources, stop=stop,
                       withdrawn=before.withdrawn, failed=before.failed if recalibrated else state.failed,
                       pending={key: replace(state.pending.get(key, x), released=x.released) for key, x in before.pending.items()})
        return replace(kept, reports=reports(kept, now, rules))
    pending = {key: x for key, x in state.pending.items() if differs(published.get(key), x.value)}
    new = last is None or bool(changed) or recalibrated
    publication = Publication(now, (last.number if last else 0) + 1, next_version(last.version, recalibrated) if last else state.version, there, recalibrated) if new else last
    in_force = state.in_force if state.in_force.inputs or last is not None else replace(state.in_force, inputs=_scores(published))  # the start's own
    state = replace(state, published=published, pending=pending, publication=publication, in_force=in_force, stop=None, go=() if new else state.go, withdrawn=frozenset(),
                    days=_days(before, published, now))
    return replace(state, reports=reports(state, now, rules))


def _published(state: State, key: Key, x: Pending, now: str, rules: Rules, by: str = "") -> Published:
    before = state.published.get(key)
    since = before.since if before is not None and before.value.score == x.value.score else now
    rule = "U0" if x.exempt else x.released or by or "U3"
    return Published(x.value, state.sources[rules.source_of[key[1]]].good.sha256, since, rule, x.checked)


def next_version(version: str, recalibrated: bool) -> str:
    """V1: a recalibration is a minor step, data a patch. A major step is made by people, in the code."""
    major, minor, patch = (int(x) for x in version.split("."))
    return f"{major}.{minor + 1}.0" if recalibrated else f"{major}.{minor}.{patch + 1}"


def _days(before: State, published: Mapping[Key, Published], now: str) -> Mapping[str, Mapping[Key, Value | None]]:
    """V4: what the day's end holds otherwise than the day before's."""
    changed = {key for key in _touched(published, before.published)
               if (published[key].value if key in published else None) != (before.published[key].value if key in before.published else None)}
    if not changed:
        return before.days
    today = dict(before.days.get(now[:10], {})) | {key: published[key].value if key in published else None for key in sorted(changed)}
    return {**before.days, now[:10]: today}


def _touched(published: Mapping[Key, Published], before: Mapping[Key, Published]) -> set[Key]:
    """Pairs whose record is another one; most hours there is none, and a record that stayed is the same object."""
    if published is before:
        return set()
    return {key for key in published.keys() | before.keys() if published.get(key) is not before.get(key)}


def _other(a: Published | None, b: Published | None) -> bool:
    return (a is None) != (b is None) or (a is not None and b is not None and (differs(a, b.value) or a.value.released != b.value.released))


def _refreshed(state: State) -> dict[Key, Published]:
    """Published values whose evidence is a newer row that says the same."""
    out = {}
    for source in state.sources.values():
        snapshot = source.good.sha256
        for key, value in source.good.values.items():
            known = state.published.get(key)
            if known is None or (known.snapshot == snapshot and (known.value is value or known.value == value)):
                continue
            if key[1] in state.frozen or differs(known, value):
                continue
            out[key] = replace(known, value=value, snapshot=snapshot)
    return out


# --- recalibrations ------------------------------------------------------------------------------------------------------


def _thawed(state: State) -> State:
    """A revision that was taken back entirely is over."""
    gone = {b for b in state.frozen if over(state, b)}
    return replace(state, frozen={b: x for b, x in state.frozen.items() if b not in gone}) if gone else state


def _switches(state: State, recalibrate: Recalibrate, now: str, rules: Rules) -> State:
    """U9: each frozen benchmark that is ready, by id."""
    for benchmark in sorted(state.frozen):
        ready = switch(state, benchmark, now, rules)
        if ready is not None:
            state = _switched(state, ready, recalibrate, now, rules)
    return state


def _switched(state: State, ready: Switch, recalibrate: Recalibrate, now: str, rules: Rules) -> State:
    source = state.sources[rules.source_of[ready.benchmark]]
    published = _with_changes(state, ready.changes, source.good.sha256, now, "U9")
    outcome = recalibrate(_scores(published), f"switch of {ready.benchmark} (U9)")
    attempt = _attempt(now, Said("switch", {"benchmark": ready.benchmark}), outcome)
    if outcome.in_force is None:
        freeze = replace(state.frozen[ready.benchmark], tried=now)
        return replace(state, frozen={**state.frozen, ready.benchmark: freeze}, attempt=attempt)
    frozen = {b: x for b, x in state.frozen.items() if b != ready.benchmark}
    told = source.good.definitions.get(ready.benchmark)
    definitions = {**source.definitions, ready.benchmark: dict(told)} if told else source.definitions
    sources = {**state.sources, rules.source_of[ready.benchmark]: replace(source, definitions=definitions)}
    pending = {key: x for key, x in state.pending.items() if ready.changes.get(key) is None}
    return replace(state, published=published, in_force=_made_from(outcome.in_force, published), frozen=frozen, sources=sources, pending=pending, attempt=attempt,
                   monthly=_due(now, rules))


def _rebases(state: State, recalibrate: Recalibrate, now: str, rules: Rules) -> State:
    """U0: a snapshot that a person takes as a new baseline, with a recalibration."""
    for name in sorted(state.rebase):
        source = state.sources.get(name)
        why = f"new baseline of {name}"
        if source is None or _failed_lately(state, why, now, rules):
            continue
        seen = source.parsed
        refused = {key for key, x in state.pending.items() if x.verdict != "confirmed" or x.rejected}
        keep = name in rules.keeps
        gone = {key: None for key in state.published if rules.source_of[key[1]] == name and key not in seen.values and key not in seen.aside and not keep}
        changes: dict[Key, Value | None] = {**gone, **{key: x for key, x in seen.values.items() if key not in refused and differs(state.published.get(key), x)}}
        published = _with_changes(state, changes, seen.sha256, now, "U0")
        outcome = recalibrate(_scores(published), f"new baseline of {name} (U0)")
        state = _tried(state, why, Said("baseline", {"source": name}), outcome, now)
        if outcome.in_force is None:
            continue
        source = replace(source, good=seen, succeeded=now, failure=None, small=None, missing={}, definitions={b: dict(x) for b, x in seen.definitions.items()})
        state = replace(
            state, published=published, in_force=_made_from(outcome.in_force, published), sources={**state.sources, name: source}, monthly=_due(now, rules),
            rebase={n: at for n, at in state.rebase.items() if n != name},
            frozen={b: x for b, x in state.frozen.items() if rules.source_of[b] != name},
            pending={key: x for key, x in state.pending.items() if rules.source_of[key[1]] != name or key in refused},
        )
    return state


def _monthly(state: State, recalibrate: Recalibrate, now: str, rules: Rules) -> State:
    """C9: the first run at or after 06:00 UTC on the 1st of a month; a failed one is tried again daily."""
    due = _due(now, rules)
    if not state.monthly:  # the baseline
        return replace(state, monthly=due)
    if due <= state.monthly or (_failed_lately(state, "monthly", now, rules) and state.failed["monthly"] >= due):
        return state
    outcome = recalibrate(_scores(state.published), "monthly (C9)")
    state = _tried(state, "monthly", Said("monthly"), outcome, now)
    return state if outcome.in_force is None else replace(state, in_force=_made_from(outcome.in_force, state.published), monthly=due)


def _made_from(in_force: InForce, published: Mapping[Key, Published]) -> InForce:
    """C10: the inputs of a calibration are kept with it."""
    return replace(in_force, inputs={key: s for key, s in _scores(published).items() if key[1] in in_force.benchmarks})


def _failed_lately(state: State, why: str, now: str, rules: Rules) -> bool:
    """A recalibration that failed is tried again after a day."""
    return why in state.failed and not at_least(state.failed[why], now, hours=rules.limits.retry_hours)


def _tried(state: State, why: str, said: Said, outcome: Recalibration, now: str) -> State:
    failed = {w: at for w, at in state.failed.items() if w != why} | ({why: now} if outcome.in_force is None else {})
    return replace(state, failed=failed, attempt=_attempt(now, said, outcome))


def _attempt(now: str, why: Said, outcome: Recalibration) -> Attempt:
    return Attempt(now, why, outcome.in_force is not None, tuple(map(as_said, outcome.reasons)))


def _due(now: str, rules: Rules) -> str:
    return latest_boundary(now, rules.limits.recalibration_day, rules.limits.recalibration_hour)


def _with_changes(state: State, changes: Mapping[Key, Value | None], snapshot: str, now: str, by: str) -> dict[Key, Published]:
    out = dict(state.published)
    for key, value in changes.items():
        if value is None:
            out.pop(key, None)
        else:
            since = out[key].since if key in out and out[key].value.score == value.score else now
            read = state.pending.get(key)
            out[key] = Published(value, snapshot, since, by, read.checked if read else None)
    return out


def _scores(published: Mapping[Key, Published]) -> dict[Key, float]:
    return {key: x.value.score for key, x in published.items()}
