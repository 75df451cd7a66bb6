"""Runs a scenario file of the gate (format: FORMAT.md of the case files): snapshots and times in, decisions out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from siiq_core.gate.deciding import Recalibration, decided, observed, with_verdicts, without_reader
from siiq_core.gate.holding import to_read
from siiq_core.gate.operating import Action, operated
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import InForce, Snapshot, State, Unchanged, Unreadable, Value, Verdict
from siiq_core.params.gate import load_gate
from siiq_core.params.method import load_method
from siiq_core.records import Benchmark, Calibration

ROOT = Path(__file__).resolve().parents[2]


def rules_of(case: dict[str, Any]) -> Rules:
    benchmarks = {b["id"]: Benchmark(b["id"], b["area"], b["family"], b["evaluator"], b["g"], b["c"], b["n"]) for b in case["benchmarks"]}
    keeps = frozenset(name for name, x in case["sources"].items() if x.get("archived") or x.get("leaving") == "keep_last")
    return Rules(load_gate(ROOT), load_method(ROOT), benchmarks, {b["id"]: b["source"] for b in case["benchmarks"]}, keeps)


def calibration_of(case: dict[str, Any]) -> Calibration:
    inside = [b for b in case["benchmarks"] if b.get("alpha") is not None]
    in_area = {b["area"]: sum(x["area"] == b["area"] for x in inside) for b in inside}
    scale = case.get("calibration", {})
    return Calibration(
        {b["id"]: b["alpha"] for b in inside}, {b["id"]: b["beta"] for b in inside}, {b["id"]: b["sigma2"] for b in inside},
        {b["id"]: in_area[b["area"]] ** -0.5 for b in inside}, {}, scale.get("shift", 0), scale.get("scale", 1), scale.get("kappa", 1), (), 0, 0.0, 2, 0, 0)


def sight_of(told: dict[str, Any]) -> Any:
    if told.get("unreadable"):
        return Unreadable("made unreadable")
    rows = told["rows"]
    members = json.dumps([sorted(map(list, rows)), told.get("definitions", {}), sorted(told.get("columns", []))], sort_keys=True)
    on: dict[str, int] = {}
    for _, benchmark, _ in rows:
        on[benchmark] = on.get(benchmark, 0) + 1
    return Snapshot(hashlib.sha256(members.encode()).hexdigest(), len(rows), on, told.get("kept_share", 1.0),
                    {(m, b): Value(float(s)) for m, b, s in rows}, told.get("definitions", {}))


def run(case: dict[str, Any]) -> list[tuple[dict[str, Any], State]]:
    """Every cycle with the state after it."""
    rules, calibration = rules_of(case), calibration_of(case)
    state = State("", InForce("given", "", calibration, rules.benchmarks))
    out = []
    for cycle in case["cycles"]:
        now = cycle["at"]
        fails = cycle.get("recalibration", case.get("recalibration", "passes")) == "fails"
        for told in cycle.get("operator", []):
            state = operated(state, Action(**{"who": "operator", "reason": "scenario", **told}), now, rules)
        named = cycle.get("sources", {})
        sights = {name: sight_of(named[name]) if name in named else Unchanged() for name in case["sources"]}
        state = observed(state, sights, now, rules)
        asked, checker = to_read(state, rules), cycle.get("checker", "confirms")
        if checker == "down" and asked:
            state = without_reader(state, now, rules)
        else:
            refused = {tuple(x) for x in checker["refuses"]} if isinstance(checker, dict) else set()
            state = with_verdicts(state, {key: Verdict(key not in refused, "scenario", "literal", now) for key in asked})
            state = decided(state, lambda inputs, why: Recalibration(None, ("made to fail",)) if fails else Recalibration(InForce(f"made at {now} for {why}", now, calibration, rules.benchmarks)), now, rules)
        out.append((cycle.get("expect", {}), state))
    return out


def found(state: State, expect: dict[str, Any]) -> dict[str, Any]:
    """What stands after a cycle, in the words of `expect`, for what `expect` names."""
    published = {key: x.value.score for key, x in state.published.items()}
    there = {
        "published": {m: {b: published.get((m, b)) for b in on} for m, on in expect.get("published", {}).items()},
        "not_published": [pair for pair in expect.get("not_published", []) if tuple(pair) not in published],
        "held": sorted([*key] for key, x in state.pending.items() if x.hold is not None and not x.released),
        "frozen": sorted(state.frozen),
        "failed_sources": sorted(name for name, x in state.sources.items() if x.failure is not None),
        "reports": sorted({x.rule for x in state.reports}),
        "stopped": state.stop is not None,
    }
    return {name: there[name] for name in expect}


def wanted(expect: dict[str, Any]) -> dict[str, Any]:
    """`expect` with its lists in the order of `found`."""
    return {name: sorted(set(x)) if name == "reports" else sorted(x) if name in ("held", "frozen", "failed_sources") else x for name, x in expect.items()}
