"""What readers of the feed are told: of all decisions those that hold up, let through or alter something, the newest kept.

The baseline's values and changes that nothing spoke against are no news one by one: the publication that brings them is.
"""

from __future__ import annotations

from typing import Any

from siiq_core.gate.decisions import PUBLICATION, Decision, decisions
from siiq_core.gate.rules import Rules
from siiq_core.gate.state import State

_RELEASING = ("U4", "U5", "twin", "operator")  # rules by which a value comes that something spoke against
_QUIET = ("baseline", "removed", "publication")  # a publication is news once its files stand


def news(before: State, after: State, rules: Rules) -> tuple[Decision, ...]:
    """The news of one entry of the ledger, in the order of `decisions`."""
    return tuple(d if d.what not in ("published", "changed") else _released(d) for d in decisions(before, after, rules)
                 if d.what not in _QUIET and (d.what not in ("published", "changed") or d.rule in _RELEASING))


def brought_out(state: State, body: Any, at: str) -> Decision:
    """The news that a publication's files stand in public.

    Parameters
    ----------
    body : of the entry that says so
    """
    lands = state.publication.lands.values() if state.publication else ()
    return Decision(at, "publication", "U11", PUBLICATION, at, {"number": body.get("number", 0), "version": str(body["version"]), "results": len(state.published), "ranked": sum(x.ranked for x in lands)})


def _released(d: Decision) -> Decision:
    return Decision(d.at, "released", d.rule, d.subject, d.since, d.numbers)
