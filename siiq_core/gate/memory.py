"""From ledger entries to the gate's state and back: what an entry says, and the state after it.

    start        the calibration in force at the start, and the rules: limits, constants, benchmarks (U0)
    rules        the same rules altered, from the next entry on
    cycle        what the sources showed, what the second reader said, what recalibrations came to
    operator     what a person decided
    publication  that the files of a publication stand in public

A snapshot is written as its difference from what was read of its source before, so an entry is as large as what changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import pydantic

from siiq_core.errors import LedgerDamaged, LedgerError, SiiqError
from siiq_core.files import json_line
from siiq_core.gate.deciding import Recalibration, decided, observed, with_verdicts, without_reader
from siiq_core.gate.decisions import Decision
from siiq_core.gate.entry import Entry
from siiq_core.gate.news import brought_out, news
from siiq_core.gate.operating import Action, operated
from siiq_core.gate.rules import Rules
from siiq_core.gate.said import as_said, said_in
from siiq_core.gate.state import InForce, Key, Sight, Snapshot, State, Unchanged, Unreadable, Value, Verdict, key_of, state_bytes, state_of, text_of
from siiq_core.params.gate import GateParams
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, calibration_of

START, RULES, CYCLE, OPERATOR, PUBLICATION = "start", "rules", "cycle", "operator", "publication"
Body = dict[str, Any]
_NEWS = pydantic.TypeAdapter(tuple[Decision, ...])


@dataclass(frozen=True, slots=True)
class Cycle:
    """What one run was told from outside."""

    sights: Mapping[str, Sight]
    verdicts: Mapping[Key, Verdict] | None = field(default_factory=dict)  # None: no reader in reach (U2)
    recalibrations: tuple[Recalibration, ...] = ()  # in the order asked
    evidence: tuple[Mapping[str, Any], ...] = ()  # of values new in this cycle (U12); the state does not depend on it
    reading: str = ""  # what the listings were read with; "" where nothing was read


@dataclass(frozen=True, slots=True)
class Remembered:
    """A state, the rules that were in force when it was reached, and the latest news on the way: all from the ledger alone."""

    state: State
    rules: Rules
    news: tuple[Decision, ...] = ()  # oldest first


def reached(before: Remembered, state: State, at: str) -> Remembered:
    """What is remembered once an entry of this time leads to another state under the same rules."""
    return _with(before, state, tuple(replace(x, at=at) for x in news(before.state, state, before.rules)))


def _with(before: Remembered, state: State, new: tuple[Decision, ...]) -> Remembered:
    return Remembered(state, before.rules, (*before.news, *new)[-before.rules.limits.news:])


def start(in_force: InForce, version: str, rules: Rules) -> Body:
    """Body of the first entry: the calibration in params/, the method version it stands for, and the rules."""
    return {"calibration": _in_force_out(in_force), "version": version, "rules": rules_out(rules)}


def cycle_out(before: State, cycle: Cycle) -> Body:
    """Body of a cycle's entry.

    Parameters
    ----------
    before : the state before the cycle; snapshots are written against what it read last
    """
    body: Body = {"sources": {name: _sight_out(sight, _parsed(before, name)) for name, sight in sorted(cycle.sights.items())}}
    if cycle.verdicts is None:
        body["reader"] = "down"
    elif cycle.verdicts:
        body["verdicts"] = _verdicts_out(cycle.verdicts)
    if cycle.recalibrations:
        body["calibrations"] = [{"reasons": [as_said(y).plain for y in x.reasons]} if x.in_force is None else {"accepted": _in_force_out(x.in_force)} for x in cycle.recalibrations]
    if cycle.reading:
        body["reading"] = cycle.reading
    if cycle.evidence:
        body["evidence"] = [dict(x) for x in cycle.evidence]
    return body


def cycle_in(before: State, body: Mapping[str, Any]) -> Cycle:
    """The cycle that an entry tells of."""
    sights = {name: _sight_in(told, _parsed(before, name)) for name, told in body["sources"].items()}
    verdicts = None if body.get("reader") == "down" else _verdicts_in(body.get("verdicts", ()))
    done = tuple(Recalibration(_in_force_in(x["accepted"])) if "accepted" in x else Recalibration(None, tuple(map(said_in, x["reasons"]))) for x in body.get("calibrations", ()))
    return Cycle(sights, verdicts, done, tuple(body.get("evidence", ())), body.get("reading", ""))


def seen(state: State, cycle: Cycle, now: str, rules: Rules) -> State:
    """The state after a cycle's look at the sources."""
    return replace(observed(state, cycle.sights, now, rules), reading=cycle.reading or state.reading)


def after_cycle(state: State, cycle: Cycle, now: str, rules: Rules) -> State:
    """The state after a cycle whose recalibrations are known."""
    state = seen(state, cycle, now, rules)
    if cycle.verdicts is None:
        return without_reader(state, now, rules)
    outcomes = iter(cycle.recalibrations)

    def known(inputs: Mapping[Key, float], why: str) -> Recalibration:
        try:
            return next(outcomes)
        except StopIteration:
            raise SiiqError(f"the ledger knows no outcome of a recalibration that is due ({why})", value=now,
                            remedy="limits in params/ were altered after the entry was written; restore them, or start a new ledger") from None

    return decided(with_verdicts(state, cycle.verdicts), known, now, rules)


def after(before: Remembered | None, kind: str, at: str, body: Mapping[str, Any]) -> Remembered:
    """What is remembered after one more entry."""
    if kind == START:
        return Remembered(State(at, _in_force_in(body["calibration"]), version=body["version"]), rules_in(body["rules"]))
    if before is None:
        raise SiiqError("the ledger does not begin with its start", value=kind, remedy="restore its first lines from a copy")
    state, rules = before.state, before.rules
    if kind == RULES:
        return replace(before, rules=rules_in(body))
    if kind == CYCLE:
        return reached(before, after_cycle(state, cycle_in(state, body), at, rules), at)
    if kind == OPERATOR:
        return reached(before, operated(state, Action(**body), at, rules), at)
    if kind == PUBLICATION:
        return _with(before, replace(state, standing=str(body["version"])), (brought_out(state, body, at),))
    raise SiiqError("an entry of an unknown kind in the ledger", value=kind, remedy="it was written by a newer version; use that one")


def replayed(entries: Iterable[Entry], before: Remembered | None = None) -> Remembered | None:
    """What is remembered after entries, oldest first; None where there are none.

    Raises
    ------
    LedgerError
        The chain is sound, and an entry says what the gate cannot have written: a seal does not sign.
    """
    for entry in entries:
        try:
            before = after(before, entry.kind, entry.at, entry.body)
        except SiiqError as error:
            raise LedgerError(error.what, file=error.file or "ledger.jsonl", row=entry.n, column=error.column, value=error.value, remedy=error.remedy) from error
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
            raise LedgerDamaged(f"an entry of kind {ascii(entry.kind)} says what no gate writes ({type(error).__name__})", file="ledger.jsonl", row=entry.n,
                                remedy="restore the file from a copy (ops/README.md), or use the version that wrote it") from error
    return before


def kept(remembered: Remembered) -> bytes:
    """As a checkpoint keeps it: a line of rules, one of news, one of state. The same memory gives the same bytes."""
    told = json_line(_NEWS.dump_python(remembered.news, mode="json"))
    return json_line(rules_out(remembered.rules)).encode("utf-8") + told.encode("utf-8") + state_bytes(remembered.state)


def of_kept(content: bytes) -> Remembered:
    """What `kept` wrote; ValueError where it did not."""
    rules, told, state = content.split(b"\n", 2)
    return Remembered(state_of(state), rules_in(json.loads(rules)), _NEWS.validate_json(told))


# --- rules -----------------------------------------------------------------------------------------------------------------


def rules_out(rules: Rules) -> Body:
    """Rules as plain values."""
    return {"limits": rules.limits.model_dump(mode="json"), "method": rules.method.recorded(),
            "benchmarks": {b: asdict(x) for b, x in sorted(rules.benchmarks.items())}, "source_of": dict(sorted(rules.source_of.items())), "keeps": sorted(rules.keeps)}


def rules_in(told: Mapping[str, Any]) -> Rules:
    """The rules that `rules_out` wrote; limits that came later than the entry are its shipped values no more, so they are refused."""
    return Rules(GateParams(**told["limits"]), MethodParams(**told["method"]), {b: Benchmark(**x) for b, x in told["benchmarks"].items()},
                 told["source_of"], frozenset(told["keeps"]))


# --- pieces of an entry ----------------------------------------------------------------------------------------------------


def _parsed(state: State, name: str) -> Snapshot | None:
    source = state.sources.get(name)
    return source.parsed if source else None


def _sight_out(sight: Sight, before: Snapshot | None) -> Any:
    if isinstance(sight, Unchanged):
        return "unchanged"
    if isinstance(sight, Unreadable):
        return {"unreadable": sight.what}
    known = before.values if before else {}
    out: Body = {
        "sha256": sight.sha256, "rows": sight.rows, "rows_on": dict(sorted(sight.rows_on.items())), "share": sight.share,
        "set": {text_of(k): [x.score, x.run, x.released, x.evidence, *([list(x.flags)] if x.flags else [])] for k, x in sorted(sight.values.items()) if known.get(k) != x},
        "gone": sorted(text_of(k) for k in known.keys() - sight.values.keys()),
    }
    if sight.definitions != (before.definitions if before else {}):
        out["definitions"] = {b: dict(x) for b, x in sorted(sight.definitions.items())}
    if sight.unreadable:
        out["undefined"] = sorted(sight.unreadable)
    if sight.withdrawn:
        out["withdrawn"] = sorted(map(text_of, sight.withdrawn))
    if sight.aside:
        out["aside"] = sorted(map(text_of, sight.aside))
    return out


def _sight_in(told: Any, before: Snapshot | None) -> Sight:
    if told == "unchanged":
        return Unchanged()
    if "unreadable" in told:
        return Unreadable(told["unreadable"])
    gone = {key_of(x) for x in told["gone"]}
    values = {k: x for k, x in (before.values if before else {}).items() if k not in gone} | {key_of(k): Value(*x[:4], tuple(x[4]) if len(x) > 4 else ()) for k, x in told["set"].items()}
    definitions = told.get("definitions", dict(before.definitions) if before else {})
    return Snapshot(told["sha256"], told["rows"], told["rows_on"], told["share"], values, definitions,
                    frozenset(told.get("undefined", ())), frozenset(map(key_of, told.get("withdrawn", ()))), frozenset(map(key_of, told.get("aside", ()))))


def _verdicts_out(verdicts: Mapping[Key, Verdict]) -> list[Body]:
    """Grouped by all but the pair, so that a baseline of a thousand values is one line of names."""
    groups: dict[Verdict, list[str]] = {}
    for key, verdict in sorted(verdicts.items()):
        groups.setdefault(verdict, []).append(text_of(key))
    return [{**asdict(verdict), "of": names} for verdict, names in groups.items()]


def _verdicts_in(groups: Iterable[Mapping[str, Any]]) -> dict[Key, Verdict]:
    return {key_of(name): Verdict(**{k: x for k, x in group.items() if k != "of"}) for group in groups for name in group["of"]}


def _in_force_out(x: InForce) -> Body:
    return {"id": x.id, "at": x.at, "calibration": asdict(x.calibration), "benchmarks": {b: asdict(y) for b, y in sorted(x.benchmarks.items())}}


def _in_force_in(told: Mapping[str, Any]) -> InForce:
    return InForce(told["id"], told["at"], calibration_of(told["calibration"]), {b: Benchmark(**x) for b, x in told["benchmarks"].items()})
