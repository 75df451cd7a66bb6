"""The inbox of waiting names (I4): never scored, always reported, until a person confirms or rejects them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from siiq_core.files import canonical_bytes, csv_bytes
from siiq_core.records import Observation, Reading, WaitingName

COLUMNS = ("source", "name", "rows", "since", "reason")


def waiting_names(unmatched: Iterable[tuple[str, str, Reading]]) -> tuple[WaitingName, ...]:
    """(name, reason, reading) of everything that waits → one record per (source, name), sorted; rows in canonical order."""
    rows: dict[tuple[str, str], list[Observation]] = {}
    reasons: dict[tuple[str, str], str] = {}
    for name, reason, reading in unmatched:
        key = (reading.observation.source, name)
        rows.setdefault(key, []).append(reading.observation)
        reasons[key] = reason
    return tuple(
        WaitingName(source, name, reasons[source, name], tuple(sorted(found, key=_canonical)),
                    min(seen.snapshot for seen in found))
        for (source, name), found in sorted(rows.items())
    )


def since_first_seen(waiting: Iterable[WaitingName], readings: Iterable[Reading]) -> tuple[WaitingName, ...]:
    """The same names, waiting since the first snapshot among `readings` (all days) that has them."""
    first: dict[tuple[str, str], str] = {}
    for reading in readings:
        key = (reading.observation.source, reading.name or reading.origin_name)
        first[key] = min(first.get(key, reading.observation.snapshot), reading.observation.snapshot)
    return tuple(replace(w, since=min(w.since, first.get((w.source, w.name), w.since))) for w in waiting)


def inbox_records(waiting: Iterable[WaitingName]) -> list[dict[str, Any]]:
    """As status.json lists them (files.md): names as they are, `rows` counted."""
    return [{"source": w.source, "name": w.name, "rows": len(w.rows), "since": w.since, "reason": w.reason}
            for w in sorted(waiting, key=lambda w: (w.source, w.name))]


def inbox_json(waiting: Iterable[WaitingName]) -> bytes:
    """The inbox with the raw rows, as JSON: same names, same bytes."""
    waiting = sorted(waiting, key=lambda w: (w.source, w.name))
    full = [{**record, "observations": [_row(seen) for seen in w.rows]}
            for record, w in zip(inbox_records(waiting), waiting, strict=True)]
    return canonical_bytes(full)


def inbox_csv(waiting: Iterable[WaitingName]) -> bytes:
    """The inbox as a table that is safe to open: no cell is a formula, no character hides or reorders others."""
    return csv_bytes(COLUMNS, ([safe_cell(record[c]) for c in COLUMNS] for record in inbox_records(waiting)))


def safe_cell(value: Any) -> Any:
    """A text cell that no spreadsheet runs and no terminal obeys; numbers pass.

    Control, format and surrogate characters (right-to-left marks among them) are written as \\uXXXX, texts over 200
    characters are cut, and a first character that starts a formula gets an apostrophe before it.
    """
    if not isinstance(value, str):
        return value
    shown = value if len(value) <= 200 else f"{value[:200]}… ({len(value)} characters)"
    text = "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in shown)
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def _row(seen: Observation) -> dict[str, Any]:
    return {"snapshot": seen.snapshot, "file": seen.file, "row": dict(sorted(seen.row.items()))}


def _canonical(seen: Observation) -> tuple:
    return seen.snapshot, seen.file, seen.key, seen.line, tuple(sorted(seen.row.items()))
