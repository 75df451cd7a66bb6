"""What a check of the sources changes in what the gate remembers: listings, pending values, what is missing, revisions.

Nothing is published here. Each source touches its own values alone, so the order of sources cannot matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from siiq_core.gate.confirming import recent
from siiq_core.gate.health import learned, lost_rows, redefined, smaller, unreadable
from siiq_core.gate.revision import revisions
from siiq_core.gate.rules import Rules, apart, differs
from siiq_core.gate.state import Freeze, Key, Pending, Published, Sight, Snapshot, Source, State, Unchanged, Unreadable, Value


def observe(state: State, sights: Mapping[str, Sight], now: str, rules: Rules) -> State:
    """The state after the sources were checked; a source that is not named was not asked."""
    for name in sorted(sights):
        sight = sights[name]
        state = _observe_one(state, name, _configured(sight, name, rules) if isinstance(sight, Snapshot) else sight, now, rules)
    for name in sorted(state.rebase):
        state = _for_rebase(state, name, now)
    return state


def _configured(seen: Snapshot, name: str, rules: Rules) -> Snapshot:
    """A source speaks of its own benchmarks alone."""
    values = {key: x for key, x in seen.values.items() if rules.source_of.get(key[1]) == name}
    return seen if len(values) == len(seen.values) else replace(seen, values=values)


def _for_rebase(state: State, name: str, now: str) -> State:
    """U0: what a new baseline would change waits for the second reader like anything else."""
    seen = state.sources[name].parsed
    pending = dict(state.pending)
    for key, value in seen.values.items():
        known = pending.get(key)
        if differs(state.published.get(key), value) and (known is None or known.value != value):
            pending[key] = Pending(value, now, ((now, seen.sha256, value.score),))
    return replace(state, pending=pending)


def _observe_one(state: State, name: str, sight: Sight, now: str, rules: Rules) -> State:
    source = state.sources.get(name)
    if source is None:
        return _first(state, name, sight, now) if isinstance(sight, Snapshot) else state
    if isinstance(sight, Unreadable):
        return _with(state, name, unreadable(source, sight.what, now))
    if isinstance(sight, Unchanged) and source.failure is not None and source.failure.unreadable:
        return _with(state, name, replace(source, checked=now))
    if isinstance(sight, Unchanged) and source.failure is None:
        return _with(state, name, replace(source, checked=now, succeeded=now))
    seen = source.parsed if isinstance(sight, Unchanged) else sight
    return _judge(state, name, source, seen, now, rules)


def _first(state: State, name: str, seen: Snapshot, now: str) -> State:
    """U0: the first snapshot of a source is its baseline, accepted without holds."""
    source = Source(seen, seen, now, now, {}, {b: dict(x) for b, x in seen.definitions.items()})
    pending = {key: Pending(value, now, ((now, seen.sha256, value.score),), exempt=True)
               for key, value in seen.values.items() if differs(state.published.get(key), value)}
    return replace(_with(state, name, source), pending={**state.pending, **pending})


def _judge(state: State, name: str, source: Source, seen: Snapshot, now: str, rules: Rules) -> State:
    """U6b before U6a, then U7; only what passes is taken over."""
    frozen = dict(state.frozen)
    for benchmark, what in redefined(name, source.definitions, seen, rules).items():
        old = frozen.get(benchmark)
        if old is None or (old.rule, old.what) != ("U6b", what):  # an approval is of what the person saw
            frozen[benchmark] = Freeze("U6b", old.since if old else now, what, old.members if old else frozenset())
    state = replace(state, frozen=frozen)
    by_definition = {b for b, x in frozen.items() if x.rule == "U6b" and not x.approved}
    lost = lost_rows(source.good, seen, by_definition, rules.limits)
    if lost:
        source, normal = smaller(source, seen, lost, now, rules.limits)
        if not normal:
            return _with(state, name, source)
    return _take(state, name, source, seen, now, rules)


def accept_small(state: State, name: str, now: str, rules: Rules) -> State:
    """U7: a person accepts the smaller file that was read last; its values still go through the gate."""
    source = state.sources[name]
    return _take(state, name, source, source.parsed, now, rules)


def _take(state: State, name: str, source: Source, seen: Snapshot, now: str, rules: Rules) -> State:
    """The snapshot is good: its listing becomes the source's, and what differs from the published values is pending."""
    seen = _with_accepted(_with_carried(seen, source.good), state.published)
    again = seen.sha256 == source.good.sha256  # the same content, read otherwise: a re-match (I4)
    withdrawn = state.withdrawn | {key for key in (*seen.withdrawn, *(source.good.values.keys() - seen.values.keys() if again else ())) if key in state.published}
    published = {key: x for key, x in state.published.items() if key not in withdrawn}
    own = {key for key in published if rules.source_of.get(key[1]) == name}
    frozen = dict(state.frozen) if again else revisions(state.frozen, source.good, seen, {key: published[key] for key in own}, now, rules)
    pending = {key: x for key, x in state.pending.items() if key not in withdrawn and (rules.source_of.get(key[1]) != name or key in seen.values)}
    for key, value in seen.values.items():
        if not differs(published.get(key), value):
            pending.pop(key, None)
        elif key not in source.good.values or key not in pending:
            pending[key] = Pending(value, now, ((now, seen.sha256, value.score),))
        else:
            pending[key] = _followed(pending[key], value, source.good.values[key].score, seen.sha256, again, now, rules)
    missing = {key: source.missing.get(key, now) for key in own if key not in seen.values}
    definitions = learned(source.definitions, seen, frozen)
    source = replace(source, good=seen, parsed=seen, checked=now, succeeded=now, missing=missing,
                     definitions=definitions, failure=None, small=None)
    retracted = {key: at for key, at in state.retracted.items() if rules.source_of[key[1]] != name or key in seen.values}
    return replace(_with(state, name, source), withdrawn=frozenset(withdrawn), pending=pending, frozen=frozen, retracted=retracted)


def _followed(before: Pending, value: Value, score_before: float, snapshot: str, again: bool, now: str, rules: Rules) -> Pending:
    """U: a pending value that moves by no more than 0.02 against the snapshot before stays the same pending value."""
    if value.score == before.value.score and value.run == before.value.run:
        trail = before.trail if again else (*before.trail, (now, snapshot, value.score))
        return replace(before, value=value, trail=recent(trail, now, rules.limits))
    entry = (now, snapshot, value.score)
    if apart(value.score, score_before) <= rules.limits.same_value:
        # a held one stays held; one that passed U3 at another number is asked again
        return replace(before, value=value, trail=recent((*before.trail, entry), now, rules.limits), verdict="",
                       judged=before.judged and before.hold is not None)
    return Pending(value, now, (entry,), held_first=before.held_first)


def _with_carried(seen: Snapshot, good: Snapshot) -> Snapshot:
    """U6b: of a benchmark whose scores cannot be read, what was listed last is carried on."""
    carried = {key: x for key, x in good.values.items() if key[1] in seen.unreadable and key not in seen.values}
    return replace(seen, values={**seen.values, **carried}) if carried else seen


def _with_accepted(seen: Snapshot, published: Mapping[Key, Published]) -> Snapshot:
    """Of a pair whose rows contradict each other (data.md, Duplicates) the published value stays; a pending one has nothing to stand on."""
    if not seen.aside:
        return seen
    values = {key: x for key, x in seen.values.items() if key not in seen.aside}
    return replace(seen, values=values | {key: published[key].value for key in sorted(seen.aside) if key in published})


def _with(state: State, name: str, source: Source) -> State:
    return replace(state, sources={**state.sources, name: source})
