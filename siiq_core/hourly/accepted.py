"""What the gate accepted, as the stages read it: results, evidence and history instead of those of a direct build.

Where a ledger stands, a run publishes what the gate accepted and nothing else; the calibration is the one in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.evidence.gather import Evidence
from siiq_core.evidence.live.desk import open_desk
from siiq_core.evidence.shelf import Shelf
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import Remembered
from siiq_core.gate.place import ledger_at, remembered
from siiq_core.gate.state import Key, Published, Value
from siiq_core.params.method import MethodParams
from siiq_core.publish.history import cause_between, evidence_of
from siiq_core.records import Benchmark, Result, Snapshot

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Accepted:
    """A view of the gate's memory for one run."""

    root: Path
    memory: Remembered

    @property
    def version(self) -> str:
        """Method version of the publication (V1)."""
        found = self.memory.state.publication
        return found.version if found else self.memory.state.version

    @property
    def as_of(self) -> str:
        """ISO day of the publication; of what ships, where nothing came since."""
        found = self.memory.state.publication
        return found.at[:10] if found and found.number > 1 else self.memory.rules.method.as_of

    def params(self) -> MethodParams:
        """The method's numbers, as the ledger has them."""
        return self.memory.rules.method.model_copy(update={"as_of": self.as_of})

    def benchmarks(self) -> Mapping[str, Benchmark]:
        """As they were when the calibration in force ran."""
        return self.memory.state.in_force.benchmarks

    def live(self) -> dict[str, Snapshot]:
        """The content of each source that the gate uses, where it was read live."""
        desk = open_desk(self.root)
        found = {name: desk.content(name, source.good.sha256) for name, source in self.memory.state.sources.items()}
        return {name: snapshot for name, snapshot in found.items() if snapshot is not None}

    @cached_property
    def records(self) -> Mapping[tuple[str, str], Record]:
        """(evidence id, benchmark) → record, all that the ledger ever took notice of."""
        from siiq_core.hourly.cycle import evidence_in

        return evidence_in(Ledger.open(ledger_at(self.root)))

    def told(self) -> dict[str, Any]:
        """What stands, as status.json tells it."""
        from siiq_core.gate.telling import told

        return told(self.memory)

    # --- what the stages read ------------------------------------------------------------------------------------------

    def gathered(self, found: Evidence) -> Evidence:
        """A direct build's outcome with the accepted results, and benchmarks as the calibration in force has them (T3)."""
        state, known = self.memory.state, self.benchmarks()
        results = tuple(self._result(key, x) for key, x in sorted(state.published.items()))
        counted = {r.benchmark for r in results}
        benchmarks = tuple({**b, "n": known[b["id"]].n if b["id"] in known else b["n"], "reason": None if b["id"] in counted else b["reason"] or "no results"}
                           for b in found.benchmarks)
        return replace(found, results=results, benchmarks=benchmarks)

    def _result(self, key: Key, x: Published) -> Result:
        record = self._record(key, x.value)
        return Result(*key, x.value.score, record["version"], x.value.released, record["setting"], self.memory.rules.benchmarks[key[1]].evaluator, x.value.evidence, x.value.flags)

    def _record(self, key: Key, value: Value) -> Record:
        try:
            return self.records[value.evidence, key[1]]
        except KeyError:
            raise PublicationError("the ledger holds no row for an accepted result", file="ledger.jsonl", value="/".join(key),
                                   remedy="this is a defect, or the ledger was altered: siiq replay tells") from None

    def evidence(self, shelf: Shelf) -> tuple[dict[str, Any], ...]:
        """Every result of every day with its row, by id; of what stands now, who read it again and by which rule it came (U12)."""
        from siiq_core.hourly.questions import as_checker

        records: dict[tuple[str, str], dict[str, Any]] = {(x["id"], x["benchmark"]): {**x, "current": False} for x in evidence_of(shelf)}
        days = self.memory.state.days
        for day in sorted(days):
            for key, value in days[day].items():
                if value is not None:
                    at = value.evidence, key[1]
                    since = records[at]["since"] if at in records else day
                    records[at] = {**self._record(key, value), "since": since, "current": False}
        for key, x in self.memory.state.published.items():
            at = x.value.evidence, key[1]
            record = self._record(key, x.value)
            records[at] = {"since": x.since[:10], **records.get(at, {}), **record, "current": True, "checker": dict(as_checker(x.checked)), "accepted": {"rule": x.by, "since": x.since}}
        return tuple(records[at] for at in sorted(records))

    def history(self, shipped: Mapping[str, Any]) -> dict[str, Any]:
        """The days that ship, then those of the ledger (a day = accepted at its end, UTC).

        The baseline takes over what the last shipped day held, so it is no day of its own.
        """
        days = [dict(x) for x in shipped["days"]]
        standing: dict[Key, Any] = {}
        for day in days:
            for change in day["changes"]:
                standing[change["model"], change["benchmark"]] = change
        state = self.memory.state
        for day in sorted(state.days):
            changes = []
            for key, value in sorted(state.days[day].items()):
                old = standing.get(key)
                before = old if old and old["score"] is not None else None
                change = self._change(key, before, value)
                if change is not None:
                    changes.append(change)
                    standing[key] = change
            if changes:
                days.append({"day": day, "snapshots": {name: source.good.sha256[:16] for name, source in sorted(state.sources.items())}, "changes": changes})
        return {**shipped, "built": "gate", "days": days}

    def _change(self, key: Key, before: Mapping[str, Any] | None, value: Value | None) -> dict[str, Any] | None:
        model, benchmark = key
        if value is None:
            return None if before is None else {"model": model, "benchmark": benchmark, "score": None, "evidence": None, "cause": "removed"}
        if before is not None and (before["score"], before["evidence"]) == (value.score, value.evidence):
            return None
        now = self._record(key, value)
        was = self.records.get((before["evidence"], benchmark), now) if before else None
        cause = "new" if was is None else cause_between(was["version"], was["setting"], before["score"], now["version"], now["setting"], value.score)
        return {"model": model, "benchmark": benchmark, "score": value.score, "evidence": value.evidence, "cause": cause}


def accepted(root: Path) -> Accepted | None:
    """The gate's view; None where no update was ever run."""
    memory, _ = remembered(root)
    return Accepted(root, memory) if memory is not None and memory.state.publication is not None else None
