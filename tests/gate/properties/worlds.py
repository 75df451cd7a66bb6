"""Small random worlds for the gate: two sources, six benchmarks, eight models, and what happens to them cycle after cycle.

A world is a list of plain choices, so that a failing one shrinks to a readable one. `run` takes the gate through it.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from siiq_core.files import sha256
from siiq_core.gate import memory
from siiq_core.gate.deciding import Recalibration, decided, with_verdicts, without_reader
from siiq_core.gate.holding import to_read
from siiq_core.gate.memory import Cycle, Remembered
from siiq_core.gate.operating import ACTIONS, Action, OperatorRefused, operated
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import InForce, Key, Sight, Snapshot, State, Unchanged, Unreadable, Value, Verdict
from siiq_core.gate.times import moment, stamp
from siiq_core.params.gate import load_gate
from siiq_core.params.method import load_method
from siiq_core.records import Benchmark, Calibration

ROOT = Path(__file__).resolve().parents[3]
BEGIN = "2026-08-30T00:00:00Z"  # a month ends while a world is lived through (C9)
MODELS = tuple(f"m{k}" for k in range(8))  # m0 … m5 stand in everything, m6 in little, m7 in nothing
SOURCE_OF = {"a1": "alpha", "a2": "alpha", "a3": "alpha", "b1": "beta", "b2": "beta", "b3": "beta"}
FAMILY = {"a1": "one", "a2": "two", "a3": "three", "b1": "one", "b2": "four", "b3": "five"}  # a1 and b1 are twins
AREA = {"a1": "math", "a2": "reasoning", "a3": "coding", "b1": "math", "b2": "agents", "b3": "knowledge"}
BENCHMARKS = {b: Benchmark(b, AREA[b], FAMILY[b], SOURCE_OF[b], 0.0, 1.0, 100) for b in SOURCE_OF}
CALIBRATION = Calibration(dict.fromkeys(BENCHMARKS, 1.0), dict.fromkeys(BENCHMARKS, 0.0), dict.fromkeys(BENCHMARKS, 0.1),
                          {b: 2**-0.5 if AREA[b] == "math" else 1.0 for b in BENCHMARKS}, {}, 0.0, 1.0, 1.0, (), 0, 0.0, 2, 0, 0)
RULES = Rules(load_gate(ROOT), load_method(ROOT), BENCHMARKS, SOURCE_OF, frozenset({"beta"}))  # beta keeps what leaves (U8)

GAPS = (1, 1, 1, 2, 5, 6, 7, 23, 24, 25, 73)  # hours between cycles
DELTAS = (0.003, 0.005, 0.006, 0.01, 0.02, 0.021, 0.05, 0.1, 0.101, 0.3, -0.006, -0.02, -0.021, -0.1, -0.101, -0.4)
EDITS = ("move", "move", "move", "add", "far", "drop", "run", "revise", "lose", "define", "undefine", "supersede", "surge", "share")
MODES = ("unchanged", "unchanged", "edit", "edit", "edit", "back", "unreadable", "not asked")

edit = st.tuples(st.sampled_from(EDITS), st.integers(0, 7), st.integers(0, 2), st.integers(0, len(DELTAS) - 1))
look = st.tuples(st.sampled_from(MODES), st.lists(edit, min_size=1, max_size=3), st.integers(0, 5))
action = st.tuples(st.sampled_from(ACTIONS), st.integers(0, 7), st.integers(0, 5), st.booleans())
cycle = st.tuples(st.sampled_from(GAPS), look, look, st.sampled_from(("confirms",) * 6 + ("down", "refuses")), st.integers(0, 7),
                  st.one_of(st.none(), st.none(), st.none(), action), st.sampled_from(("passes", "passes", "fails")))
worlds = st.lists(cycle, min_size=3, max_size=14)


def longer_world(seed: int) -> list[tuple]:
    """A longer one, without hypothesis: the same for the same seed."""
    r = random.Random(seed)

    def looked() -> tuple:
        return r.choice(MODES), [(r.choice(EDITS), r.randrange(8), r.randrange(3), r.randrange(len(DELTAS))) for _ in range(r.randint(1, 3))], r.randrange(6)

    def decided_by_hand() -> tuple | None:
        return (r.choice(ACTIONS), r.randrange(8), r.randrange(6), r.random() < 0.5) if r.random() < 0.2 else None

    return [(r.choice(GAPS), looked(), looked(), r.choice(("confirms",) * 6 + ("down", "refuses")), r.randrange(8), decided_by_hand(), r.choice(("passes", "passes", "fails")))
            for _ in range(r.randint(4, 30))]


@dataclass(frozen=True)
class Content:
    """What a source lists at a time."""

    values: Mapping[Key, tuple[float, str]]
    definitions: Mapping[str, Mapping[str, Any]]
    undefined: frozenset[str] = frozenset()
    share: float = 1.0

    def sight(self, backwards: bool) -> Snapshot:
        rows = sorted(self.values.items(), reverse=backwards)
        digest = sha256(repr((sorted(self.values.items()), sorted((b, sorted(x.items())) for b, x in self.definitions.items()), sorted(self.undefined), self.share)).encode())
        on = {b: sum(k[1] == b for k in self.values) for b in self.definitions}
        return Snapshot(digest, len(self.values), on, self.share, {k: Value(*x) for k, x in rows if k[1] not in self.undefined}, self.definitions, self.undefined)


def first(source: str) -> Content:
    """Everybody stands everywhere, the better the higher the number; m6 in one or two benchmarks of each source, m7 nowhere."""
    own = [b for b in BENCHMARKS if SOURCE_OF[b] == source]
    values = {(m, b): (round(0.35 + 0.05 * k + 0.01 * j, 3), "") for k, m in enumerate(MODELS[:6]) for j, b in enumerate(own)}
    return Content(values | {("m6", b): (0.4, "") for b in own if b in ("a1", "b1", "b2")}, {b: {} for b in own})


def edited(content: Content, source: str, kind: str, m: int, b: int, d: int) -> Content:
    """The content after one change."""
    own = [x for x in BENCHMARKS if SOURCE_OF[x] == source]
    benchmark, delta, values = own[b], DELTAS[d], dict(content.values)
    key = MODELS[m], benchmark

    def moved(score: float) -> float:
        return min(max(round(score + delta, 6), 0.01), 0.99)

    if kind == "move" and key in values:
        values[key] = moved(values[key][0]), values[key][1]
    elif kind == "add":
        values.setdefault(key, (moved(0.5), ""))
    elif kind == "far":  # off all that is known of a newcomer
        values.setdefault((MODELS[6], benchmark), (0.03, ""))
    elif kind == "drop":
        values.pop(key, None)
    elif kind == "run" and key in values:
        values[key] = values[key][0], f"run {d}"
    elif kind == "revise":
        values = {k: (moved(s), r) if k[1] == benchmark else (s, r) for k, (s, r) in values.items()}
    elif kind == "lose":
        values = {k: x for k, x in values.items() if k[1] != benchmark or k[0] > MODELS[3]}
    elif kind == "surge":  # a newcomer far over all others
        values |= {(MODELS[6 + m % 2], x): (0.97 - 0.01 * (d % 3), "") for x in own[: 1 + b]}
    elif kind == "define":
        return replace(content, definitions={**content.definitions, benchmark: {"n": 100 + 50 * (m % 2)}})
    elif kind == "supersede":
        return replace(content, definitions={**content.definitions, benchmark: {"superseded_by": f"{benchmark} v2"}})
    elif kind == "undefine":
        return replace(content, undefined=content.undefined ^ {benchmark})
    elif kind == "share":
        return replace(content, share=1.0 - 0.01 * (m % 3))
    return replace(content, values=values)


@dataclass(frozen=True)
class Step:
    """One cycle: what went in, and the states around it."""

    now: str
    before: State  # as the last cycle left it
    operated: State  # after a person's decision
    seen: State  # after the sources were looked at, and the second reader spoke
    after: State
    sights: Mapping[str, Sight]
    verdicts: Mapping[Key, Verdict] | None
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Lived:
    """A world that was lived through, and the entries that a ledger would hold of it."""

    steps: tuple[Step, ...]
    remembered: Remembered
    entries: tuple[tuple[str, str, dict[str, Any]], ...]


def run(world: list[tuple], backwards: bool = False, begin: str = BEGIN) -> Lived:
    """Take the gate through a world.

    Parameters
    ----------
    backwards : show sources and rows in the other order
    """
    contents = {source: [first(source)] for source in ("alpha", "beta")}
    state = State("", InForce("given", "", CALIBRATION, BENCHMARKS))
    entries: list[tuple[str, str, dict[str, Any]]] = [(memory.START, begin, memory.start(state.in_force, "1.0.0", RULES))]
    state = memory.after(None, *entries[0]).state
    steps = [_step(state, begin, {s: x[0].sight(backwards) for s, x in contents.items()}, ("confirms", 0, None, "passes"), entries, backwards)]
    now = moment(begin)
    for gap, *looks, reader, refused, decision, recalibration in world:
        now += datetime.timedelta(hours=gap)
        sights = {source: _look(contents[source], source, backwards, *look) for source, look in zip(contents, looks)}
        shown = {s: x for s, x in (reversed(sights.items()) if backwards else sights.items()) if x is not None}
        steps.append(_step(steps[-1].after, stamp(now), shown, (reader, refused, decision, recalibration), entries, backwards))
    remembered = None
    for step in steps:  # the news of each entry, a person's first
        remembered = remembered or memory.after(None, *entries[0])
        for state in (step.operated,) * bool(step.actions) + (step.after,):
            remembered = memory.reached(remembered, state, step.now)
    return Lived(tuple(steps), remembered, tuple(entries))


def _look(history: list[Content], source: str, backwards: bool, mode: str, edits: list[tuple], back: int) -> Sight | None:
    if mode in ("unchanged", "not asked"):
        return Unchanged() if mode == "unchanged" else None
    if mode == "unreadable":
        return Unreadable("made unreadable")
    content = history[-1 - back % len(history)] if mode == "back" else history[-1]
    for one in edits if mode == "edit" else ():
        content = edited(content, source, *one)
    if content == history[-1]:
        return Unchanged()
    history.append(content)
    return content.sight(backwards)


def _step(before: State, now: str, sights: Mapping[str, Sight], told: tuple, entries: list, backwards: bool) -> Step:
    reader, refused, decision, recalibration = told
    state, actions = before, ()
    if decision is not None:
        done = _action(*decision, held=sorted(key for key, x in before.pending.items() if x.hold is not None))
        try:
            state, actions = operated(before, done, now, RULES), (done,)
            entries.append((memory.OPERATOR, now, asdict(done)))
        except OperatorRefused:
            pass
    seen = memory.seen(state, Cycle(sights), now, RULES)
    asked = to_read(seen, RULES)
    if reader == "down" and asked:
        after = without_reader(seen, now, RULES)
        entries.append((memory.CYCLE, now, memory.cycle_out(state, Cycle(sights, None))))
        return Step(now, before, state, seen, after, sights, None, actions)
    verdicts = {key: Verdict(not (reader == "refuses" and key[0] == MODELS[refused]), "reader", "literal", now) for key in (reversed(asked) if backwards else asked)}
    seen = with_verdicts(seen, verdicts)
    tried: list[Recalibration] = []

    def recalibrate(inputs: Mapping[Key, float], why: str) -> Recalibration:
        made = Recalibration(None, ("made to fail",)) if recalibration == "fails" else Recalibration(InForce(f"of {now}, {why}", now, CALIBRATION, BENCHMARKS))
        tried.append(made)
        return made

    after = decided(seen, recalibrate, now, RULES)
    entries.append((memory.CYCLE, now, memory.cycle_out(state, Cycle(sights, verdicts, tuple(tried)))))
    return Step(now, before, state, seen, after, sights, verdicts, actions)


def _action(kind: str, m: int, b: int, other: bool, held: list[Key]) -> Action:
    benchmark = tuple(BENCHMARKS)[b]
    if kind == "release" and held and other:
        return Action(kind, *held[m % len(held)], who="somebody", reason="a try")
    named = {"rebase": {"source": SOURCE_OF[benchmark]}, "approve": {"benchmark": benchmark} if m % 3 == 0 else {"source": SOURCE_OF[benchmark]} if m % 3 == 1 else {"publication": True}}
    return Action(kind, who="somebody", reason="a try", **named.get(kind, {"model": MODELS[m], "benchmark": "" if kind == "release" and m % 2 else benchmark}))
