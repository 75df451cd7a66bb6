"""Ledgers made from scenario files: each cycle as the entries that `siiq update` would have written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siiq_core.gate import memory
from siiq_core.gate.deciding import Recalibration, decided, with_verdicts
from siiq_core.gate.entry import START as BEGIN
from siiq_core.gate.holding import to_read
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import Cycle, Remembered
from siiq_core.gate.operating import Action
from siiq_core.gate.place import keep, ledger_at, remembered
from siiq_core.gate.state import InForce, Unchanged, Verdict
from tests.gate.scenario import calibration_of, rules_of, sight_of

CASES = Path(__file__).parent / "cases"


def case_of(name: str) -> dict[str, Any]:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def entries_of(case: dict[str, Any], cycles: int | None = None, operators: bool = True) -> Iterator[tuple[str, str, dict[str, Any], Remembered]]:
    """(kind, time, body, what is remembered after it) of a scenario's entries; bodies have been through JSON."""
    rules, calibration = rules_of(case), calibration_of(case)
    found: Remembered | None = None

    def entry(kind: str, at: str, body: dict[str, Any]) -> tuple[str, str, dict[str, Any], Remembered]:
        nonlocal found
        body = json.loads(json.dumps(body))
        found = memory.after(found, kind, at, body)
        return kind, at, body, found

    yield entry(memory.START, case["cycles"][0]["at"], memory.start(InForce("given", case["cycles"][0]["at"], calibration, rules.benchmarks), "1.0.0", rules))
    for cycle in case["cycles"][:cycles]:
        now = cycle["at"]
        fails = cycle.get("recalibration", case.get("recalibration", "passes")) == "fails"
        for told in cycle.get("operator", []) if operators else ():
            yield entry(memory.OPERATOR, now, asdict(Action(**{"who": "the operator", "reason": "as the scenario says", **told})))
        named = cycle.get("sources", {})
        sights = {name: sight_of(named[name]) if name in named else Unchanged() for name in case["sources"]}
        seen = memory.seen(found.state, Cycle(sights), now, rules)
        asked, checker = to_read(seen, rules), cycle.get("checker", "confirms")
        if checker == "down" and asked:
            yield entry(memory.CYCLE, now, memory.cycle_out(found.state, Cycle(sights, None)))
            continue
        refused = {tuple(x) for x in checker["refuses"]} if isinstance(checker, dict) else set()
        verdicts = {key: Verdict(key not in refused, "a reader", "literal", now, "score: 0.5, not 0.6" if key in refused else "") for key in asked}
        tried: list[Recalibration] = []

        def recalibrate(inputs: Any, why: str, at: str = now, failing: bool = fails, done: list[Recalibration] = tried) -> Recalibration:
            done.append(Recalibration(None, ("made to fail",)) if failing else Recalibration(InForce(f"made at {at} for {why}", at, calibration, rules.benchmarks)))
            return done[-1]

        decided(with_verdicts(seen, verdicts), recalibrate, now, rules)
        evidence = tuple({"id": "", "benchmark": b, "row": {"Model": m, "Score": "=1+1"}, "source": rules.source_of[b]} for m, b in asked[:1])
        yield entry(memory.CYCLE, now, memory.cycle_out(found.state, Cycle(sights, verdicts, tuple(tried), evidence)))


def ledger_of(root: Path, case: dict[str, Any], cycles: int | None = None) -> Remembered:
    """The ledger of a scenario's first cycles under `root`, with its checkpoint; without what its operator does in later ones."""
    ledger = Ledger.open(ledger_at(root))
    with ledger.writing():
        for kind, at, body, _ in entries_of(case, cycles):
            ledger.append(kind, at, body)
        found, head = remembered(root)
        assert found is not None and head != BEGIN
        keep(root, found, head)
    return found
