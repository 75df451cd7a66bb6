"""`siiq update`: one cycle. Everything that came from outside is in the ledger before anything is published from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from siiq_core import __version__
from siiq_core.errors import SiiqError
from siiq_core.evidence.live.desk import Desk
from siiq_core.evidence.live.reading import LiveReport
from siiq_core.evidence.shelf import check_whole, open_shelf
from siiq_core.gate import memory
from siiq_core.gate.checker import Checker, CheckerUnreachable
from siiq_core.gate.deciding import Recalibration, decided, next_version, with_verdicts, without_reader
from siiq_core.gate.decisions import Decision, decisions
from siiq_core.gate.entry import Head
from siiq_core.gate.holding import to_read
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import Cycle, Remembered
from siiq_core.gate.place import keep, ledger_at, remembered, rules_of
from siiq_core.gate.state import InForce, Key, State
from siiq_core.gate.times import stamp
from siiq_core.hourly.listings import Contents, contents_of, reading_of, shown, sights_of
from siiq_core.hourly.questions import read_again, shipped
from siiq_core.params.method import what_if
from siiq_core.params.sources import load_sources
from siiq_core.records import Benchmark, benchmarks_of, calibration_of
from siiq_core.versions import benchmark_changes, calibration_id, inputs_bytes, major_reasons

Progress = Callable[[str], None]
OpenChecker = Callable[[], Checker]


@dataclass(frozen=True, slots=True)
class Turned:
    """What a cycle came to."""

    before: State | None
    memory: Remembered
    head: Head
    decisions: tuple[Decision, ...]
    unread: int  # values that no second reader could be asked about (U2)


def turn(root: Path, desk: Desk, report: LiveReport | None, open_checker: OpenChecker, now: datetime, progress: Progress) -> Turned:
    """One cycle, from what the publishers showed to an acknowledged entry of the ledger. Publishes nothing.

    Parameters
    ----------
    report : of the check of this hour; None: nobody was asked
    open_checker : called only where there is something to read; may raise CheckerUnreachable

    Raises
    ------
    SiiqError
        The ledger is damaged, busy, or of another major version; what it held stays.
    """
    ledger = Ledger.open(ledger_at(root))
    with ledger.writing(progress=progress):
        found, head = remembered(root)
        if found is None:
            found, head = _start(root, desk, ledger, now, progress)
        found, head = _with_rules(root, ledger, found, head, now)
        before, rules, at = found.state, found.rules, stamp(now)
        contents = contents_of(desk, root, rules.method.licence_policy, before, report)
        sights, reading = sights_of(contents, report, before, rules, lambda: evidence_in(ledger))
        cycle = Cycle(sights, {}, reading=reading)
        seen = memory.seen(before, cycle, at, rules)
        asked = to_read(seen, rules)
        try:
            verdicts = read_again(contents, seen, asked, open_checker(), now) if asked else {}
        except CheckerUnreachable as error:
            progress(str(error))
            cycle = replace(cycle, verdicts=None, evidence=_evidence_of(contents, before, seen))
            state = without_reader(seen, at, rules)
        else:
            tried: list[Recalibration] = []
            state = decided(with_verdicts(seen, verdicts), _recalibrate(contents, seen, rules, root, at, tried, progress), at, rules)
            cycle = replace(cycle, verdicts=verdicts, recalibrations=tuple(tried), evidence=_evidence_of(contents, before, seen))
        head = ledger.append(memory.CYCLE, at, memory.cycle_out(before, cycle)).head
        after = memory.reached(found, state, at)
        keep(root, after, head)
    return Turned(before, after, head, decisions(before, state, rules), len(asked) if cycle.verdicts is None else 0)


# --- the start and the rules ---------------------------------------------------------------------------------------------------


def _start(root: Path, desk: Desk, ledger: Ledger, now: datetime, progress: Progress) -> tuple[Remembered, Head]:
    """U0: the shipped observations are the baseline, and the calibration in params/ is in force from now on."""
    path = root / "params" / "calibrations" / f"{__version__}.json"
    if not path.is_file():
        raise SiiqError("no calibration to start from", file=f"params/calibrations/{path.name}", remedy="siiq run, then keep its calibration.json there")
    record, rules, at = json.loads(path.read_text(encoding="utf-8")), rules_of(root), stamp(now)
    progress("the ledger is empty: what ships is the baseline (U0)")
    check_whole(load_sources(root), root)
    shelf = open_shelf(root, rules.method, progress)
    ledger.append(memory.START, at, memory.start(in_force_of(record), __version__, rules))
    state = State(at, in_force_of(record), version=__version__)
    newest = shelf.newest()
    cycle = Cycle({name: shown(desk, read) for name, read in newest.items()}, {}, reading=reading_of(root))
    seen = memory.seen(state, cycle, at, rules)
    verdicts = shipped(to_read(seen, rules), now)
    cycle = replace(cycle, verdicts=verdicts, evidence=tuple(dict(x) for read in newest.values() for x in read.selection.evidence))
    head = ledger.append(memory.CYCLE, at, memory.cycle_out(state, cycle)).head
    return memory.reached(Remembered(state, rules), memory.after_cycle(state, cycle, at, rules), at), head


def in_force_of(record: Mapping[str, Any]) -> InForce:
    """The calibration of a record in params/calibrations/."""
    return InForce(record["id"], record["at"], calibration_of(record["found"]), benchmarks_of(record))


def _with_rules(root: Path, ledger: Ledger, found: Remembered, head: Head, now: datetime) -> tuple[Remembered, Head]:
    """Limits or benchmarks that were altered since count from now on; another major version needs a new ledger (V1)."""
    if found.state.version.partition(".")[0] != __version__.partition(".")[0]:
        raise SiiqError("the ledger is of another major version", value=found.state.version,
                        remedy=f"keep data/ledger.jsonl as data/ledger-{found.state.version}.jsonl; the next update begins one for {__version__}")
    rules = rules_of(root)
    if rules == found.rules:
        return found, head
    if reasons := _major(found.rules, rules):
        raise SiiqError(f"a change that only a new major version may make: {', '.join(reasons)}", file="params",
                        remedy="restore it; or look at it with `siiq run --candidate`, raise the version in siiq_core/__init__.py, calibrate, and begin a new ledger (V1)")
    entry = ledger.append(memory.RULES, stamp(now), memory.rules_out(rules))
    return replace(found, rules=rules), entry.head


def _major(before: Any, after: Any) -> tuple[str, ...]:
    changes = set(benchmark_changes(_plain(before.benchmarks), _plain(after.benchmarks))) | set(what_if(before.method, after.method))
    return major_reasons(changes)


def _plain(benchmarks: Mapping[str, Benchmark]) -> dict[str, dict[str, Any]]:
    return {b: asdict(x) for b, x in benchmarks.items()}


# --- evidence ------------------------------------------------------------------------------------------------------------------


def _evidence_of(contents: Contents, before: State, seen: State) -> tuple[Mapping[str, Any], ...]:
    """Records of the raw rows behind values that are listed anew (U12)."""
    wanted = {(x.evidence, key[1]) for name, source in seen.sources.items() if name not in before.sources or source.parsed is not before.sources[name].parsed
              for key, x in source.parsed.values.items() if name not in before.sources or before.sources[name].parsed.values.get(key) != x}
    if not wanted:
        return ()
    records = {(x["id"], x["benchmark"]): x for read in contents.reads.values() for x in read.selection.evidence}
    return tuple(dict(records[key]) for key in sorted(wanted) if key in records)


def evidence_in(ledger: Ledger) -> dict[tuple[str, str], Mapping[str, Any]]:
    """(evidence id, benchmark) → record, the newest that the ledger holds of each. A pass over the whole ledger."""
    return {(x["id"], x["benchmark"]): x for entry in ledger.entries() if entry.kind == memory.CYCLE for x in entry.body.get("evidence", ())}


# --- recalibrations ------------------------------------------------------------------------------------------------------------------


def _recalibrate(contents: Contents, seen: State, rules: Any, root: Path, at: str, tried: list[Recalibration], progress: Progress) -> Callable[[Mapping[Key, float], str], Recalibration]:
    def outcome(inputs: Mapping[Key, float], why: str) -> Recalibration:
        from siiq_core.gate.recalibrating import recalibrate
        from siiq_core.params.reference_group import load_reference_group

        progress(f"recalibrating: {why}")
        released = {key: x.value.released for key, x in seen.published.items()} | {key: x.value.released for key, x in seen.pending.items()}
        version = next_version(seen.publication.version if seen.publication else seen.version, True)
        found = recalibrate(inputs, released, seen.in_force, _benchmarks_today(contents, rules), load_reference_group(root).slugs, lambda given: id_of(version, given), at, rules)
        tried.append(found)
        progress("accepted" if found.in_force else f"refused: {'; '.join(map(str, found.reasons))}")
        return found

    return outcome


def id_of(version: str, inputs: Mapping[Key, float]) -> str:
    """What a calibration made from these inputs is called."""
    return calibration_id(version, inputs_bytes((m, b, s) for (m, b), s in inputs.items()))


def _benchmarks_today(contents: Contents, rules: Any) -> dict[str, Benchmark]:
    """T3: with questions as they are now: an effective n is estimated anew with every recalibration."""
    from siiq_core.evidence.gather import questions

    rows: Sequence[Any] = [reading for read in contents.reads.values() for reading in read.rows]
    return {spec.id: replace(rules.benchmarks[spec.id], n=questions(spec, rows, rules.method)) for spec in contents.desk.benchmarks}
