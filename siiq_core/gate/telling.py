"""What stands, as status.json tells it (V5, files.md): plain values, read off the state."""

from __future__ import annotations

from typing import Any

from siiq_core.gate.confirming import would_confirm
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import State

MOST_CORRECTIONS = 500  # of the log, newest last; the ledger has all


def told(state: State, rules: Rules) -> dict[str, Any]:
    """Sources' health, what is frozen and held, reports, the last recalibration, publication, corrections."""
    return {
        "at": state.at, "sources": {name: _source(source) for name, source in sorted(state.sources.items())},
        "frozen": [{"benchmark": b, "rule": x.rule, "since": x.since, "what": x.what, "members": len(x.members), "approved": x.approved or None,
                    "waiting_for": "a person's approval" if x.rule == "U6b" and not x.approved else "every changed value confirmed, and a recalibration"}
                   for b, x in sorted(state.frozen.items())],
        "held": [*_held(state, rules), *_newcomers(state), *_refused(state)],
        "reports": [{"rule": x.rule, "since": x.since, "what": x.what, "operator_may": x.operator_may} for x in state.reports],
        "last_attempt": None if state.attempt is None else {"at": state.attempt.at, "why": state.attempt.why, "outcome": "accepted" if state.attempt.accepted else "refused",
                                                            "reasons": list(state.attempt.reasons)},
        "publication": {"state": "published" if state.stop is None else "stopped", "since": state.stop.since if state.stop else state.publication.at if state.publication else state.at,
                        "reasons": [f"{state.stop.rule}: {state.stop.what}"] if state.stop else [], "number": state.publication.number if state.publication else 0,
                        "version": state.publication.version if state.publication else state.version, "published_at": state.publication.at if state.publication else None},
        "corrections": [{"at": x.at, "action": x.action, "who": x.who, "reason": x.reason, **dict(x.what)} for x in state.corrections[-MOST_CORRECTIONS:]],
    }


def _source(source: Any) -> dict[str, Any]:
    failure = None if source.failure is None else {"rule": source.failure.rule, "since": source.failure.since, "what": source.failure.what}
    return {"last_check": source.checked, "last_success": source.succeeded, "sha256": source.good.sha256, "rows": source.good.rows, "kept_share": source.good.share,
            "failure": failure}


def _held(state: State, rules: Rules) -> list[dict[str, Any]]:
    out = []
    for (model, benchmark), x in sorted(state.pending.items()):
        if x.hold is None or x.released or x.rejected:
            continue
        published = state.published.get((model, benchmark))
        out.append({"model": model, "benchmark": benchmark, "value": x.value.score, "published": published.value.score if published else None, "rule": x.hold.rule,
                    "numbers": dict(x.hold.numbers), "since": x.held_first,
                    "released_by": would_confirm(x, state.sources[rules.source_of[benchmark]].good.sha256, rules.limits)})
    return out


def _newcomers(state: State) -> list[dict[str, Any]]:
    """U5: every value that a newcomer waits with."""
    return [{"model": model, "benchmark": benchmark, "value": x.value.score, "published": None if (p := state.published.get((model, benchmark))) is None else p.value.score,
             "rule": "U5", "numbers": {"siiq": state.leaders[model].siiq, "leader": state.leaders[model].leader}, "since": state.leaders[model].since,
             "released_by": "all its new results confirmed, six hours after they appeared"}
            for (model, benchmark), x in sorted(state.pending.items()) if model in state.leaders and x.hold is None and not x.rejected and x.verdict == "confirmed"]


def _refused(state: State) -> list[dict[str, Any]]:
    """U2: what the second reader did not read the same."""
    return [{"model": model, "benchmark": benchmark, "value": x.value.score, "published": None if (p := state.published.get((model, benchmark))) is None else p.value.score,
             "rule": "U2", "numbers": {}, "since": x.appeared, "released_by": "a row that the second reader reads the same"}
            for (model, benchmark), x in sorted(state.pending.items()) if x.verdict == "refused"]
