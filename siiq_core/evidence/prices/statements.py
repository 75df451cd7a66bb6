"""What each source says about prices on a day: one statement a provider and name, from whatever file speaks of that day.

A table speaks of its own snapshot's day. A history speaks of every day up to it, so it also says what held earlier.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from siiq_core.evidence.numbers import iso_day
from siiq_core.evidence.prices.amounts import PER_MILLION, PER_TOKEN, STANDARD, Amounts, above
from siiq_core.records import Observation, Snapshot

COMMIT = "https://github.com/BerriAI/litellm/commit/{}"
_ABOVE = re.compile(r"input_cost_per_token_above_(\d{1,4})k_tokens")
_LEDGER = {"input": "input_cost_per_token", "cache_read": "cache_read_input_token_cost", "output": "output_cost_per_token"}


@dataclass(frozen=True, slots=True)
class Statement:
    """One name of one provider on one day."""

    source: str
    provider: str
    name: str  # as the source writes it
    day: str  # the day it holds for
    since: str | None  # the day this price began, where the source says so
    url: str
    amounts: tuple[Amounts, ...]  # the standard tier first; empty: no price is stated
    context: int | None  # tokens
    open_weights: bool | None
    flags: tuple[str, ...]  # "retired:<day>": by the developer; "delisted:<day>": not in the source any more on that day
    observation: Observation


def statements(snapshot: Snapshot, as_of: str) -> Iterator[Statement]:
    """Everything the snapshot says about the prices of `as_of`, or of its own day where that is earlier. In file order."""
    for name, reader in READERS[snapshot.source].items():
        rows = sorted((o for o in snapshot.observations if re.fullmatch(name, o.file)), key=lambda o: (o.file, o.line))
        history = reader in (_ledger, _history)
        if rows and (history or snapshot.day <= as_of):
            yield from reader(snapshot, rows, min(as_of, snapshot.day))


# --- LiteLLM ------------------------------------------------------------------------------------------------------------

def _table(snapshot: Snapshot, rows: Sequence[Observation], day: str) -> Iterator[Statement]:
    for seen in rows:
        row = seen.row
        stated = [_per_token(row, STANDARD, "")]
        limits = sorted({int(found[1]) for column in row if (found := _ABOVE.fullmatch(column)) and row[column].strip()})
        stated += [_per_token(row, above(limit * 1000), f"_above_{limit}k_tokens") for limit in limits]
        ranges = [entry for entry in _list(row.get("tiered_pricing", "")) if isinstance(entry, dict)]
        if ranges and not row.get("input_cost_per_token", "").strip():
            stated = [_per_token({key: str(x) for key, x in entry.items()}, STANDARD if k == 0 else above(_whole(_list_item(entry.get("range")))), "")
                      for k, entry in enumerate(ranges)]
        yield Statement(snapshot.source, row.get("litellm_provider", ""), row.get("model", ""), day, None, snapshot.files[seen.file].url,
                        tuple(stated), _tokens(row.get("max_input_tokens", "")), None, _retired(row.get("deprecation_date", ""), day), seen)


def _per_token(row: Mapping[str, str], tier: str, suffix: str) -> Amounts:
    cells = {part: (row.get(column + suffix, ""), PER_TOKEN) for part, column in _LEDGER.items()}
    return Amounts(tier, cells["input"], cells["cache_read"], cells["output"])


def _ledger(snapshot: Snapshot, rows: Sequence[Observation], day: str) -> Iterator[Statement]:
    """Newest prices, taken back change by change to what stood on that day."""
    events: dict[str, list[Observation]] = {}
    for seen in rows:
        if seen.row.get("kind", ""):
            events.setdefault(seen.row.get("key", ""), []).append(seen)
    for seen in rows:
        row = seen.row
        if row.get("kind", ""):
            continue
        own = events.get(row.get("key", ""), [])
        before = [e for e in own if e.row.get("day", "") <= day]
        there = next((e.row["kind"] for e in reversed(before) if e.row["kind"] != "price"), None)
        if there not in ("added", "start"):
            continue  # not, or no longer, in the table on that day
        cells: dict[str, tuple[str, Decimal]] = {part: (row.get(part, ""), PER_MILLION) for part in _LEDGER}
        for event in reversed(own):
            part = next((p for p, field in _LEDGER.items() if field == event.row.get("field")), None)
            if part and event.row["kind"] == "price" and event.row.get("day", "") > day:
                cells[part] = (event.row.get("old", ""), PER_TOKEN)
        yield Statement(snapshot.source, row.get("host", ""), row.get("key", ""), day, before[-1].row["day"],
                        COMMIT.format(before[-1].row.get("source", "")), (Amounts(STANDARD, cells["input"], cells["cache_read"], cells["output"]),),
                        _tokens(row.get("context", "")), None, _retired(row.get("retire", ""), day), seen)


def _retired(cell: str, day: str) -> tuple[str, ...]:
    end = iso_day(cell)
    return (f"retired:{end}",) if end and end <= day else ()


# --- models.dev ---------------------------------------------------------------------------------------------------------

def _entries(snapshot: Snapshot, rows: Sequence[Observation], day: str) -> Iterator[Statement]:
    for seen in rows:
        row = seen.row
        stated = [_per_million(row, STANDARD, "cost.")]
        upper = [entry for entry in _list(row.get("cost.tiers", "")) if isinstance(entry, dict)]
        if not upper and (older := _mapping(row.get("cost.context_over_200k", ""))):
            upper = [{**older, "tier": {"size": "200000"}}]
        stated += [_per_million(entry, above(_whole(_mapping(entry.get("tier")).get("size"))), "") for entry in upper]
        weights = {"true": True, "false": False}.get(row.get("open_weights", ""))
        yield Statement(snapshot.source, row.get("provider", ""), row.get("model", ""), day, None, snapshot.files[seen.file].url, tuple(stated),
                        _tokens(row.get("limit.context", "")), weights, (), seen)


def _history(snapshot: Snapshot, rows: Sequence[Observation], day: str) -> Iterator[Statement]:
    """Of each tier the last price that had begun."""
    models: dict[tuple[str, str], dict[str, Observation]] = {}
    for seen in rows:
        began = (seen.row.get("start", "") or seen.row.get("valid_from", ""))[:10]
        if began and began <= day:
            models.setdefault((seen.row.get("provider", ""), seen.row.get("model", "")), {})[seen.row.get("tier", "")] = seen
    for (provider, model), found in models.items():
        seen = found.get(STANDARD)
        if seen is None:
            continue
        stated = []
        for tier in (STANDARD, *sorted(found.keys() - {STANDARD})):
            row = found[tier].row
            stated.append(_per_million(row, tier, ""))
            upper = [entry for entry in _list(row.get("tiers", "")) if isinstance(entry, dict)]
            stated += [_per_million(entry, above(_whole(entry.get("above")), tier), "") for entry in upper]
        flags = (f"delisted:{snapshot.day}",) if seen.row.get("status") == "removed" else ()
        yield Statement(snapshot.source, provider, model, day, (seen.row.get("start", "") or seen.row["valid_from"])[:10], _address(seen, snapshot),
                        tuple(stated), None, None, flags, seen)


def _address(seen: Observation, snapshot: Snapshot) -> str:
    cell = seen.row.get("source", "").strip()
    return cell if cell.startswith("https://") and not re.search(r'[\s<>"]', cell) else snapshot.files[seen.file].url


def _per_million(row: Mapping[str, Any], tier: str, prefix: str) -> Amounts:
    cells = {part: (str(row.get(prefix + part) or ""), PER_MILLION) for part in ("input", "cache_read", "output")}
    return Amounts(tier, cells["input"], cells["cache_read"], cells["output"])


# --- cells that hold JSON, and whole numbers ------------------------------------------------------------------------------

def _json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) and value else value
    except (ValueError, RecursionError):
        return None


def _list(value: Any) -> list[Any]:
    found = _json(value)
    return found if isinstance(found, list) else []


def _mapping(value: Any) -> dict[str, Any]:
    found = _json(value)
    return found if isinstance(found, dict) else {}


def _list_item(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _whole(value: Any) -> int:
    """A count of tokens; 0 where it is none, so that the tier's name shows that it is not known."""
    found = re.fullmatch(r"(\d{1,9})(\.0*)?", str(value).strip())
    return int(found[1]) if found else 0


def _tokens(cell: str) -> int | None:
    return _whole(cell) or None


READERS: Mapping[str, Mapping[str, Callable[[Snapshot, Sequence[Observation], str], Iterator[Statement]]]] = {
    "litellm": {r"model_prices_and_context_window\.json": _table, r"llmledger\.json\.gz": _ledger},
    "modelsdev": {r"api\.json|providers/.*\.toml": _entries, r"model_prices_snapshot\.json": _history},
}
