"""Whatever publishers, the second reader and a person do: what is public came by its rule, what is frozen stands still, what
failed does not move; and the ledger gives the same state again, in one go or two, in whatever order things were shown.
"""


from hypothesis import HealthCheck, given, settings

from siiq_core.gate import confirming, memory
from siiq_core.gate.entry import START, make_line, read_line
from siiq_core.gate.state import Snapshot
from siiq_core.method.scoring import score
from tests.gate.properties import oracle
from tests.gate.properties.worlds import BENCHMARKS, BEGIN, CALIBRATION, FAMILY, RULES, SOURCE_OF, longer_world, run, worlds

EXAMPLES = settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
FEWER = settings(EXAMPLES, max_examples=20)


def scores(published):
    return {key: (x.value.score, x.value.run) for key, x in published.items()}


def touched_by_hand(steps, key) -> bool:
    """Did a person ever decide about this pair, its benchmark, its source or the publication? Then other words count."""
    return any(a.publication or a.benchmark == key[1] or (a.model == key[0] and not a.benchmark) or a.source == SOURCE_OF[key[1]] for step in steps for a in step.actions)


def changes(step):
    """Pairs whose published score or run is another one after the step, or new."""
    before, after = scores(step.before.published), scores(step.after.published)
    return sorted(key for key, x in after.items() if before.get(key) != x)


# --- what is published ------------------------------------------------------------------------------------------------------------


@EXAMPLES
@given(world=worlds)
def test_nothing_is_published_but_by_its_rule(world):
    steps = run(world).steps
    for number, step in enumerate(steps):
        so_far = steps[: number + 1]
        taken = {source: oracle.history(so_far, source) for source in set(SOURCE_OF.values())}
        before = scores(step.before.published)
        fresh = {k: x for k, x in step.seen.pending.items() if x.verdict == "confirmed" and not x.judged and not x.exempt and not x.rejected}
        for key in changes(step):
            new, listed = step.after.published[key], taken[SOURCE_OF[key[1]]]
            by_hand = touched_by_hand(so_far, key)
            if not by_hand:
                assert not oracle.source_failed(step.seen, key), "of a source that failed"
                assert listed[-1].content.values[key].score == new.value.score, "not what its source lists"
                assert new.by == "U9" or key[1] not in step.after.frozen, "of a frozen benchmark"
            assert new.checked is not None and new.checked.confirmed, "not read again"
            assert any((x.seen.pending.get(key) or new).value == new.value and (x.verdicts or {}).get(key, new.checked) is new.checked for x in so_far)
            if new.by == "U0" and not by_hand:
                assert len(listed) == 1, "a baseline is the first content of its source"
            elif new.by == "U3":
                old = before.get(key)
                assert old is None or by_hand or oracle.far(new.value.score, old[0]) <= 0.1, "U3a"
                if key in fresh:
                    others = {b: s for (m, b), (s, _) in before.items() if m == key[0] and b != key[1]}
                    others |= {k[1]: x.value.score for k, x in fresh.items() if k[0] == key[0] and k != key and not oracle.source_failed(step.seen, k)
                               and k[1] not in step.after.frozen and k not in step.seen.retracted}
                    off, was = oracle.z(key, new.value.score, others), oracle.z(key, old[0], others) if old else None
                    assert off is None or abs(off) <= 4 + 1e-9 or (was is not None and abs(was) > 4 - 1e-9), "U3b"
            elif new.by == "U4":
                assert by_hand or oracle.confirmed(listed, key, step.now), "released unconfirmed"
            elif new.by == "twin":
                twins = [x.value.score for k, x in step.after.published.items() if k[0] == key[0] and k != key and FAMILY[k[1]] == FAMILY[key[1]]]
                agrees = any(oracle.far(s, new.value.score) <= 0.02 for s in twins)
                assert by_hand or agrees or (key[0] in step.seen.leaders and oracle.confirmed(listed, key, step.now)), "released by no twin"
            elif new.by == "U5":
                assert key[0] in step.seen.leaders
            elif new.by == "U9":
                assert key[1] in step.before.frozen and key[1] not in step.after.frozen and step.after.in_force.id != step.before.in_force.id, "a switch without its recalibration"
            elif new.by == "operator":
                assert by_hand
            else:
                assert new.by == "U0"


@EXAMPLES
@given(world=worlds)
def test_a_value_is_confirmed_when_the_text_says_so(world):
    """The gate keeps a short trail of each pending value; what follows from it is what the whole history says."""
    steps = run(world).steps
    for number, step in enumerate(steps):
        taken = {source: oracle.history(steps[: number + 1], source) for source in set(SOURCE_OF.values())}
        for key, x in step.seen.pending.items():
            listed = taken[SOURCE_OF[key[1]]]
            if touched_by_hand(steps[: number + 1], key) or oracle.source_failed(step.seen, key) or not listed:
                continue
            assert x.appeared == oracle.appeared(listed, key, listed[-1].published), key
            assert confirming.confirmed(x, listed[-1].content.sha256, step.now, RULES.limits) == oracle.confirmed(listed, key, step.now), key


@EXAMPLES
@given(world=worlds)
def test_what_is_held_waits_and_what_is_confirmed_does_not(world):
    for step in run(world).steps:
        for key, x in step.after.pending.items():
            if x.hold is None or x.released or x.exempt:
                continue
            there = step.after.published.get(key)
            assert there is None or not (there.value.score == x.value.score and there.value.run == x.value.run)
            source = step.after.sources[SOURCE_OF[key[1]]]
            free = source.failure is None and key[1] not in step.after.frozen and key not in step.after.retracted and x.verdict == "confirmed" and not x.rejected
            if step.after.stop is None and free:
                assert not confirming.confirmed(x, source.good.sha256, step.now, RULES.limits), "held for longer than its rule says"


@EXAMPLES
@given(world=worlds)
def test_a_newcomer_over_the_leader_shows_nothing_new_unconfirmed(world):
    """U5, worked out from what is public before and after."""
    steps = run(world).steps
    for number, step in enumerate(steps):
        last = step.before.publication
        if last is None or last.leader is None:
            continue
        new = changes(step)
        for model in sorted({m for m, _ in new}):
            known = last.lands.get(model)
            own = [key for key in new if key[0] == model and step.after.published[key].by not in ("U0", "U9", "operator")]
            if (known and known.ranked) or not own or any(touched_by_hand(steps[: number + 1], key) for key in own):
                continue
            lands = score({b: x.value.score for (m, b), x in step.after.published.items() if m == model}, BENCHMARKS, CALIBRATION, RULES.method).overall.siiq
            if round(lands - last.leader, 12) > 5:
                for key in own:
                    listed = oracle.history(steps[: number + 1], SOURCE_OF[key[1]])
                    assert oracle.confirmed(listed, key, step.now) and oracle.hours(oracle.appeared(listed, key, {}), step.now) >= 6, (key, lands, last.leader)


# --- what stands still ------------------------------------------------------------------------------------------------------------


@EXAMPLES
@given(world=worlds)
def test_what_is_frozen_or_failed_does_not_move(world):
    for step in run(world).steps:
        before, after = scores(step.before.published), scores(step.after.published)
        still = {b for b in step.before.frozen if b in step.after.frozen and step.before.frozen[b].since == step.after.frozen[b].since}
        failed = {s for s, x in step.seen.sources.items() if x.failure is not None and s not in step.operated.rebase}
        by_hand = set(step.operated.retracted)
        for key in before.keys() | after.keys():
            if key not in by_hand and SOURCE_OF[key[1]] not in step.operated.rebase and (key[1] in still or SOURCE_OF[key[1]] in failed):
                assert before.get(key) == after.get(key), key


@EXAMPLES
@given(world=worlds)
def test_what_leaves_has_been_gone_for_six_hours(world):
    """U8; a source that keeps what leaves loses nothing."""
    steps = run(world).steps
    for number, step in enumerate(steps):
        for key in scores(step.before.published).keys() - scores(step.after.published).keys():
            source = SOURCE_OF[key[1]]
            switched = key[1] in step.before.frozen and key[1] not in step.after.frozen
            if key in step.operated.retracted or source in step.operated.rebase or (switched and step.seen.pending.get(key)):
                continue
            assert source == "alpha" and step.seen.sources[source].failure is None and key[1] not in step.after.frozen
            listed = oracle.history(steps[: number + 1], source)
            gone = [x for x in listed if oracle.hours(x.at, step.now) < 6]
            standing = next(x for x in reversed(listed) if oracle.hours(x.at, step.now) >= 6)
            assert all(key not in x.content.values for x in (*gone, standing)), key


@EXAMPLES
@given(world=worlds)
def test_a_stop_leaves_everything_public_as_it_was(world):
    for step in run(world).steps:
        if step.after.stop is not None:
            assert step.after.published == step.before.published and step.after.publication == step.before.publication and step.after.days == step.before.days
            assert step.after.in_force == step.before.in_force
        elif step.after.publication != step.before.publication:
            assert step.after.publication.number == (step.before.publication.number if step.before.publication else 0) + 1


@EXAMPLES
@given(world=worlds)
def test_a_file_that_lost_rows_is_not_taken(world):
    """U6a, U7: on the first sight of it, whatever else is in it."""
    for step in run(world).steps:
        for source, sight in step.sights.items():
            there = step.operated.sources.get(source)
            if there is None or not isinstance(sight, Snapshot) or there.failure is not None or there.small is not None:
                continue
            by_definition = {b for b, x in step.seen.frozen.items() if x.rule == "U6b" and not x.approved}
            assert (step.seen.sources[source].failure is not None) == oracle.loses_rows(there.good, sight, by_definition)


@EXAMPLES
@given(world=worlds)
def test_times_of_a_person_are_told(world):
    """Every decision of a person is in the corrections log, and nothing else is."""
    lived = run(world)
    assert [(x.at, x.action) for x in lived.remembered.state.corrections] == [(step.now, a.action) for step in lived.steps for a in step.actions]


# --- the same again ---------------------------------------------------------------------------------------------------------------


def replayed(entries, cut=()):
    remembered, head = None, START
    for number, (kind, at, body) in enumerate(entries):
        entry = read_line(make_line(head, kind, at, body), 0)  # as it comes off the disk
        remembered, head = memory.replayed((entry,), remembered), entry.head
        if number in cut:
            remembered = memory.of_kept(memory.kept(remembered))
    return memory.kept(remembered)


@FEWER
@given(world=worlds)
def test_replay_is_the_live_state_to_the_byte(world):
    lived = run(world)
    live = memory.kept(lived.remembered)
    assert replayed(lived.entries) == live
    assert replayed(lived.entries, cut=(len(lived.entries) // 2,)) == live, "through a checkpoint"
    assert replayed(lived.entries, cut=range(len(lived.entries))) == live, "through a checkpoint every hour"


@FEWER
@given(world=worlds)
def test_order_of_sources_and_rows_is_irrelevant(world):
    assert memory.kept(run(world, backwards=True).remembered) == memory.kept(run(world).remembered)


@FEWER
@given(world=worlds)
def test_times_matter_through_the_rules_alone(world):
    """A year later, with months alike, everything is the same but for the year."""
    now, later = (memory.kept(run(world, begin=begin).remembered) for begin in (BEGIN, BEGIN.replace("2026", "2027")))
    assert later.replace(b"2027-", b"2026-") == now


def test_the_worlds_reach_every_rule():
    """A property that nothing ever touched would hold of anything: each rule acts, in some world of those tried."""
    seen: set[str] = set()
    for seed in range(60):
        for step in run(longer_world(seed)).steps:
            after = step.after
            seen.update(x.by for x in after.published.values())
            seen.update(x.hold.rule for x in after.pending.values() if x.hold)
            seen.update(f"frozen {x.rule}" for x in after.frozen.values())
            seen.update(f"failed {x.failure.rule}" for x in after.sources.values() if x.failure)
            seen.update({"waits U5"} if after.leaders else ())
            seen.update({f"stop {after.stop.rule}"} if after.stop else ())
            seen.update({"small taken"} if any(x.small is None and (y := step.before.sources.get(s)) and y.small for s, x in after.sources.items()) else ())
            seen.update({"removed"} if step.before.published.keys() - after.published.keys() else ())
            seen.update({f"tried {after.attempt.accepted}"} if after.attempt else ())
            seen.update(x.rule for x in after.reports)
    wanted = {"U0", "U3", "U4", "twin", "U5", "U9", "operator", "U3a", "U3b", "frozen U6b", "frozen U9", "failed U6a", "waits U5", "stop U2", "stop U11", "small taken", "removed",
              "tried True", "tried False", "U10"}
    assert wanted <= seen, wanted - seen


def longer(first: int, last: int) -> None:
    """Every property on longer random worlds; the first that does not hold raises, with its seed."""
    properties = [x.hypothesis.inner_test for name, x in globals().items() if name.startswith("test_") and hasattr(x, "hypothesis")]
    for seed in range(first, last):
        for holds in properties:
            try:
                holds(world=longer_world(seed))
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {holds.__name__}") from error


if __name__ == "__main__":  # python -m tests.gate.properties.test_gate_properties 0 1000
    import sys

    longer(int(sys.argv[1]), int(sys.argv[2]))
