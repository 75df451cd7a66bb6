"""Eight months of the gate, hour by hour, on what the publishers really showed.

    python -m tests.gate.replay.rehearsal            both replays, every decision that is no plain acceptance
    python -m tests.gate.replay.rehearsal --write    the same, into shipped.txt and own.txt beside this file

*shipped* starts from the calibration that ships, made on the data of July 2026: recalibrations are refused as long as what
it was made from is not there. *own* starts from a calibration and a group frozen on the first day's own data, with other
parameters of the test's (below), so that months recalibrate and revised benchmarks switch.
"""

from __future__ import annotations

import datetime
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siiq_core.files import sha256
from siiq_core.gate import memory
from siiq_core.gate.deciding import Recalibration, decided, next_version, with_verdicts
from siiq_core.gate.decisions import Decision, decisions
from siiq_core.gate.holding import to_read
from siiq_core.gate.memory import Cycle, Remembered, kept
from siiq_core.gate.recalibrating import recalibrate
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import InForce, Key, State, Unchanged, Verdict
from siiq_core.gate.times import moment, stamp
from siiq_core.hourly.cycle import id_of, in_force_of
from siiq_core.method.calibration.run import calibrate
from siiq_core.params.reference_group import load_reference_group
from siiq_core.runs import in_force
from tests.gate.replay.tape import FIRST, LAST, Tape, tape

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).parent
READER = ("the replay", "literal")  # who reads again: what was shown is what ships, so it confirms

# *own*: what is altered in params/method.yml. With 10 models a benchmark and 3 of the group (E3) December 2025 has 14 of the
# 25 benchmarks, and no lower number of models has more of them: what is young has too few of the group. Held-out folds lose
# a fifth of the models, so 8 leave κ (C7) something to be estimated from.
OWN = {"min_models_per_benchmark": 8}


@dataclass(frozen=True)
class Start:
    """What a replay begins with."""

    in_force: InForce
    members: Sequence[str]
    rules: Rules


@dataclass(frozen=True)
class Played:
    """What a replay came to."""

    start: Start
    remembered: Remembered
    lines: tuple[str, ...]  # decisions that are no plain acceptance, one a line
    plain: Mapping[str, int]  # rule → accepted values that are not listed
    entries: tuple[tuple[str, str, Mapping[str, Any]], ...]  # (kind, at, body) as a ledger keeps them
    slowest: float  # seconds of the longest cycle in which nothing was new
    usual: float  # seconds of the median of those

    @property
    def digest(self) -> str:
        """Of the end state, as a checkpoint keeps it."""
        return sha256(kept(self.remembered))

    def text(self) -> str:
        """The committed list."""
        plain = ", ".join(f"{n} by {rule}" for rule, n in sorted(self.plain.items()))
        return "\n".join([*self.lines, f"accepted without more: {plain}", f"end state: {self.digest}"]) + "\n"


def shipped_start(tape_: Tape) -> Start:
    """The calibration and the group in params/."""
    return Start(in_force_of(in_force(ROOT)), load_reference_group(ROOT).slugs, tape_.rules)


def own_start(tape_: Tape) -> Start:
    """A calibration on what the first day shows. Its group: those of G2 that are fitted there (G1)."""
    rules = replace(tape_.rules, method=tape_.rules.method.model_copy(update=OWN))
    day = FIRST[:10]
    inputs = {key: x.score for name in tape_.shown if (shown := tape_.on(name, day)) for key, x in shown.listing.values.items()}
    benchmarks, group = tape_.benchmarks(day), load_reference_group(ROOT)
    listed = {*group.slugs, *(x.slug for x in group.not_qualified if x.slug)}
    cells = [(m, b, s) for (m, b), s in sorted(inputs.items())]
    found = calibrate(cells, benchmarks, sorted(listed), rules.method, require_all_reference=False)
    return Start(InForce("own", FIRST, found, benchmarks), tuple(sorted(listed & set(found.models))), rules)


def hours(first: str = FIRST, last: str = LAST) -> Iterable[str]:
    """Every full hour."""
    when, end = moment(first), moment(last)
    while when <= end:
        yield stamp(when)
        when += datetime.timedelta(hours=1)


def play(shown: Tape, start: Start, times: Iterable[str], progress: Callable[[str], None] = lambda line: None) -> Played:
    """Cycle after cycle, as `siiq update` goes through them; nobody decides as an operator."""
    rules, known = start.rules, {}
    entries: list[tuple[str, str, Mapping[str, Any]]] = []
    lines = Lines(progress)
    plain: Counter[str] = Counter()
    spent: list[float] = []
    remembered: Remembered | None = None
    for now in times:
        begun = time.perf_counter()
        fresh = shown.new(now[:10]) if now[11:] == "00:00:00Z" else {}
        if remembered is None:
            entries.append((memory.START, now, memory.start(start.in_force, "1.0.0", rules)))
            remembered = memory.after(None, *entries[0])
            fresh = {name: x for name in shown.shown if (x := shown.on(name, now[:10]))}
        state = remembered.state
        sights = {name: fresh[name].listing if name in fresh else Unchanged() for name in shown.shown if name in fresh or name in state.sources}
        tried: list[Recalibration] = []
        cycle = Cycle(sights)
        seen = memory.seen(state, cycle, now, rules)
        verdicts = {key: Verdict(True, *READER, now) for key in to_read(seen, rules)}
        after = decided(with_verdicts(seen, verdicts), _recalibrate(shown, start, seen, now, known, tried), now, rules)
        if not fresh and not tried and after.publication is state.publication:
            spent.append(time.perf_counter() - begun)
        entries.append((memory.CYCLE, now, memory.cycle_out(state, replace(cycle, verdicts=verdicts, recalibrations=tuple(tried)))))
        for d in decisions(state, after, rules):
            if d.what in ("published", "changed") and d.rule in ("U0", "U3"):
                plain[d.rule] += 1
            else:
                lines.add(d)
        remembered = memory.reached(remembered, after, now)
    spent.sort()
    return Played(start, remembered, lines.text(), dict(plain), tuple(entries), spent[-1], spent[len(spent) // 2])


def _recalibrate(shown: Tape, start: Start, seen: State, now: str, known: dict[Any, Recalibration], tried: list[Recalibration]) -> Callable[[Mapping[Key, float], str], Recalibration]:
    """A refused try is made again every day: the same inputs have the same outcome, so it is computed once."""

    def outcome(inputs: Mapping[Key, float], why: str) -> Recalibration:
        released = {key: x.value.released for key, x in (*seen.published.items(), *seen.pending.items())}
        benchmarks = shown.benchmarks(now[:10])
        version = next_version(seen.publication.version if seen.publication else seen.version, True)
        asked = (version, tuple(sorted(inputs.items())), tuple(sorted((k, released.get(k) or "") for k in inputs)), tuple(sorted((b, x.n) for b, x in benchmarks.items())), seen.in_force.id)
        if asked not in known:
            known[asked] = recalibrate(inputs, released, seen.in_force, benchmarks, start.members, lambda given: id_of(version, given), now, start.rules)
        found = known[asked]
        tried.append(replace(found, in_force=replace(found.in_force, at=now)) if found.in_force else found)
        return tried[-1]

    return outcome


class Lines:
    """Decisions, one a line in the order of time. A recalibration that is refused every day for the same reasons is one line."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self.progress = progress
        self._lines: list[tuple[str, str]] = []  # when first, what
        self._times: dict[int, list[str]] = {}  # place of a refusal → when it was repeated
        self._refused: dict[str, int] = {}  # what was tried → place of its last refusal

    def add(self, d: Decision) -> None:
        says, tried = line_of(d), str(d.because) if d.what == "recalibration refused" else ""
        place = self._refused.get(tried)
        if tried and place is not None and self._lines[place][1] == says:
            self._times[place].append(d.at)
            return
        if tried:
            self._refused[tried] = len(self._lines)
            self._times[len(self._lines)] = []
        self._lines.append((d.at, says))
        self.progress(f"{d.at} {says}")

    def text(self) -> tuple[str, ...]:
        return tuple(f"{at} {says}" + (f" [{len(again)} times more, the last at {again[-1]}]" if (again := self._times.get(place)) else "")
                     for place, (at, says) in enumerate(self._lines))


def line_of(d: Decision) -> str:
    """One decision, without its time."""
    since = f" since {d.since}" if d.since != d.at else ""
    return f"{d.what} ({d.rule}) {d.subject}{since}" + (f": {d.details}" if d.details else "") + (f"; until {d.until}" if d.until else "")


STARTS: Mapping[str, Callable[[Tape], Start]] = {"shipped": shipped_start, "own": own_start}


def main(arguments: Sequence[str]) -> None:
    begun = time.perf_counter()
    shown = tape(ROOT)
    print(f"read in {time.perf_counter() - begun:.1f} s: " + ", ".join(f"{name} {len(x)} contents" for name, x in shown.shown.items()))
    for name, start in STARTS.items():
        begun = time.perf_counter()
        made = start(shown)
        print(f"\n--- {name}: {len(made.in_force.calibration.alpha)} benchmarks, {len(made.in_force.calibration.models)} models, {len(made.members)} of them the group; "
              f"κ {made.in_force.calibration.kappa:.4f}; E3: {made.rules.method.min_models_per_benchmark} models")
        played = play(shown, made, hours(), print)
        print(f"{sum(1 for kind, _, _ in played.entries if kind == memory.CYCLE)} cycles in {time.perf_counter() - begun:.1f} s; with nothing new "
              f"{1000 * played.usual:.2f} ms (median), {1000 * played.slowest:.1f} ms (slowest)")
        if "--write" in arguments:
            (FOLDER / f"{name}.txt").write_text(played.text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
