"""From ledger entries to the gate's state and back: what an entry says, and the state after it.

    start        the calibration in force at the start (U0)
    cycle        what the sources showed, what the second reader said, what recalibrations came to
    operator     what a person decided
    publication  that the files of a publication stand in public

A snapshot is written as its difference from what was read of its source before, so an entry is as large as what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from siiq_core.errors import SiiqError
from siiq_core.gate.deciding import Recalibration, decided, observed, with_verdicts, without_reader
from siiq_core.gate.operating import Action, operated
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import InForce, Key, Sight, Snapshot, State, Unchanged, Unreadable, Value, Verdict, key_of, text_of
from siiq_core.records import Benchmark, Calibration

START, CYCLE, OPERATOR, PUBLICATION = "start", "cycle", "operator", "publication"
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cycle:
    """What one run was told from outside."""

    sights: Mapping[str, Sight]
    verdicts: Mapping[Key, Verdict] | None = field(default_factory=dict)  # None: no reader in reach (U2)
    recalibrations: tuple[Recalibration, ...] = ()  # in the order asked


def start(in_force: InForce, version: str) -> Body:
    """Body of the first entry: the calibration in params/, and the method version it stands for."""
    return {"calibration": _in_force_out(in_force), "version": version}


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
        body["calibrations"] = [{"reasons": list(x.reasons)} if x.in_force is None else {"accepted": _in_force_out(x.in_force)} for x in cycle.recalibrations]
    return body


def cycle_in(before: State, body: Mapping[str, Any]) -> Cycle:
    """The cycle that an entry tells of."""
    sights = {name: _sight_in(told, _parsed(before, name)) for name, told in body["sources"].items()}
    verdicts = None if body.get("reader") == "down" else _verdicts_in(body.get("verdicts", ()))
    done = tuple(Recalibration(_in_force_in(x["accepted"])) if "accepted" in x else Recalibration(None, tuple(x["reasons"])) for x in body.get("calibrations", ()))
    return Cycle(sights, verdicts, done)


def after_cycle(state: State, cycle: Cycle, now: str, rules: Rules) -> State:
    """The state after a cycle whose recalibrations are known."""
    state = observed(state, cycle.sights, now, rules)
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


def after(state: State | None, kind: str, at: str, body: Mapping[str, Any], rules: Rules) -> State:
    """The state after one more entry."""
    if kind == START:
        return State(at, _in_force_in(body["calibration"]), version=body["version"])
    if state is None:
        raise SiiqError("the ledger does not begin with its start", value=kind, remedy="restore its first lines from a copy")
    if kind == CYCLE:
        return after_cycle(state, cycle_in(state, body), at, rules)
    if kind == OPERATOR:
        return operated(state, Action(**body), at, rules)
    if kind == PUBLICATION:
        return replace(state, standing=str(body["version"]))
    raise SiiqError("an entry of an unknown kind in the ledger", value=kind, remedy="it was written by a newer version; use that one")


def replayed(entries: Iterable[tuple[str, str, Mapping[str, Any]]], rules: Rules, state: State | None = None) -> State | None:
    """The state after entries (kind, at, body), oldest first; None where there are none."""
    for kind, at, body in entries:
        state = after(state, kind, at, body, rules)
    return state


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
                    frozenset(told.get("undefined", ())), frozenset(map(key_of, told.get("withdrawn", ()))))


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
    found = told["calibration"]
    calibration = Calibration(**{**found, "models": tuple(found["models"]), "notes": tuple(found["notes"])})
    return InForce(told["id"], told["at"], calibration, {b: Benchmark(**x) for b, x in told["benchmarks"].items()})
