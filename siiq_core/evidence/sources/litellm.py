"""LiteLLM's table of API prices, as it is published, and as a public ledger of its changes keeps it.

    table     model_prices_and_context_window.json: {model: {"litellm_provider", "input_cost_per_token", …}}, US dollars
              per single token
    ledger    llmledger: every entry with its newest prices in US dollars per million tokens, and every change before,
              by day and commit, per token again
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import SourceError
from siiq_core.evidence.sources.base import NoScores
from siiq_core.evidence.sources.jsonfile import a_list, an_object, cells, gunzip, read_json
from siiq_core.evidence.sources.table import Table, checked

LEDGER = "llmledger.json.gz"
LEDGER_UNIT = "dollars per 1M tokens"  # what the ledger itself must say of its prices
EVENT = ("day", "kind", "field", "old", "new", "flag", "source")
FIELDS = ("input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost")  # changes kept: the list price
KINDS = ("added", "removed", "start")  # and whether an entry was there at all


@dataclass(frozen=True, slots=True)
class LiteLLM(NoScores):
    """Which providers and modes are kept stands in params/sources.yml."""

    def parse(self, name: str, content: bytes) -> Table:
        """One row an entry of the table; of the ledger, one row an entry and one a change of its price."""
        if name == LEDGER:
            rows = list(_ledger(an_object(read_json(name, gunzip(name, content, self.spec), self.spec), name, "the ledger"), name))
        else:
            found = an_object(read_json(name, content, self.spec), name, "the price table")
            rows = [cells({"model": key, **an_object(entry, name, f"entry {key!r}")}) for key, entry in found.items()]
        headers = tuple(dict.fromkeys(column for row in rows for column in row))
        return checked(name, headers, rows, self.spec)


def _ledger(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    unit = an_object(found.get("units"), name, "units").get("prices")
    if unit != LEDGER_UNIT:
        raise SourceError(f"its prices are not in {LEDGER_UNIT}", file=name, column="units.prices", value=unit,
                          remedy="mend siiq_core/evidence/sources/litellm.py and params/prices.yml for the new unit")
    commits, events = a_list(found.get("sources"), name, "sources"), an_object(found.get("events"), name, "events")
    for entry in a_list(found.get("models"), name, "models"):
        entry = an_object(entry, name, "an entry")
        key = entry.get("key")
        if not isinstance(key, str):
            raise SourceError("an entry has no name (U6a)", file=name, column="key", value=key, remedy="get the file again, or mend its reader")
        yield cells(entry)
        for event in a_list(events.get(key, []), name, "an entry's events"):
            change = _event(event, commits, name)
            if change["kind"] in KINDS or (change["kind"] == "price" and change["field"] in FIELDS):
                yield cells({"key": key, "host": entry.get("host"), "mode": entry.get("mode"), **change})


def _event(event: Any, commits: list[Any], name: str) -> dict[str, Any]:
    event = a_list(event, name, "an event")
    place = event[-1] if event else None
    if len(event) != len(EVENT) or not isinstance(place, str) or not re.fullmatch("[0-9]{1,9}", place) or int(place) >= len(commits):
        raise SourceError(f"an event is not [{', '.join(EVENT)}] (U6a)", file=name, value=str(event)[:80], remedy="mend siiq_core/evidence/sources/litellm.py")
    return {**dict(zip(EVENT, event)), "source": commits[int(place)]}
