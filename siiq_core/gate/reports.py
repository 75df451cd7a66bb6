"""U9, U10: what a person is told."""

from __future__ import annotations

from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import Report, State
from siiq_core.gate.times import at_least


def reports(state: State, now: str, rules: Rules) -> tuple[Report, ...]:
    """What waits for too long, by rule and subject."""
    limits = rules.limits
    out = [
        Report("U10", x.held_first, Said("held_long", {"model": key[0], "benchmark": key[1], "days": limits.held_report_days}), Said("release_or_reject"))
        for key, x in sorted(state.pending.items())
        if x.hold is not None and not x.released and not x.rejected and x.held_first and at_least(x.held_first, now, days=limits.held_report_days)
    ]
    out += [
        Report("U9", x.approved or x.since, Said("not_switched", {"benchmark": benchmark, "days": limits.switch_report_days}), Said("approve_it"))
        for benchmark, x in sorted(state.frozen.items())
        if (x.rule == "U9" or x.approved) and at_least(x.approved or x.since, now, days=limits.switch_report_days)
    ]
    return tuple(out)
