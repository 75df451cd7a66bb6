"""What persons say about names: deciding on one that waits (I4), and giving slugs to the groups of a new table (I6).

A decision is appended to params/decisions.csv; nothing else is stored. Results, evidence and the history of every day
are computed from the archived observations under the decisions in force, so a re-match removes the old match
everywhere at once.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pydantic

from siiq_core.errors import DecisionRefused, ParameterError, SiiqError
from siiq_core.evidence.identity import Match, extend_registry, slugs_of_groups
from siiq_core.evidence.inbox import safe_cell, since_first_seen
from siiq_core.evidence.shelf import Shelf, newest_table, table_in
from siiq_core.files import clear_asides, replace_bytes
from siiq_core.locks import held
from siiq_core.params.loader import nearest, read_text
from siiq_core.params.names import (
    DECISION_COLUMNS, Decision, Registered, decision_cells, live_registry, load_registry, parse_decisions, registry_bytes, shipped_registry)
from siiq_core.params.sources import source_spec
from siiq_core.records import Observation, Snapshot, WaitingName

LOCK_WAIT = 20  # seconds


# --- what waits ------------------------------------------------------------------------------------------------------


def waiting(shelf: Shelf, every_day: bool = False) -> tuple[WaitingName, ...]:
    """Names that match no model, by source and name, with the rows of the newest snapshot of their source.

    `every_day`: also those that older snapshots alone have, each with the rows of the newest snapshot that has it.
    """
    found: dict[tuple[str, str], WaitingName] = {}
    for reads in shelf.reads.values():
        for read in reads if every_day else reads[-1:]:
            found.update({(name.source, name.name): name for name in read.selection.waiting})
    readings = (reading for reads in shelf.reads.values() for read in reads for reading in read.rows)
    return since_first_seen((found[key] for key in sorted(found)), readings)


# --- deciding --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision did; as text, one line for a person."""

    decision: Decision
    before: str  # what the name meant before, in words
    rows: int  # rows of all stored snapshots under this name
    days: int  # snapshots that have such rows

    def __str__(self) -> str:
        word = f"means {self.decision.model}" if self.decision.decision == "confirmed" else "means no model"
        return (f"{self.decision.source}: {safe_cell(self.decision.name)} {word} (before: {self.before}); "
                f"{self.rows} rows of {self.days} snapshots. It counts from the next run on, for every day.")


def decide(root: Path, shelf: Shelf, source: str, name: str, slug: str | None, *, who: str, why: str, when: str, force: bool = False) -> Decided:
    """Record that `name` of `source` means the model `slug`, or (None) no model at all.

    Parameters
    ----------
    shelf : all stored snapshots, under the decisions so far
    name : as the source writes it, or as `siiq names list` shows it
    when : ISO day of the decision
    force : also where the name neither waits nor was decided before: one that the rules match, or that no row has yet

    Raises
    ------
    ParameterError
        Unknown source or slug (the nearest known one is named), or an empty or malformed entry.
    DecisionRefused
        The name neither waits nor was decided before, and `force` is not set.
    """
    source_spec(source, shelf.sources)
    rows = _rows(shelf, source)
    decided = {d.name: d for (of, _), d in shelf.index.decisions.items() if of == source}
    written = _as_written(name, {*rows, *decided})
    if slug is not None and slug not in shelf.index.models:
        raise ParameterError("no model of the newest table has this slug", column="model", value=slug,
                             remedy=nearest(slug, list(shelf.index.models)))
    waits = any(w.source == source and w.name == written for w in waiting(shelf, every_day=True))
    before = _meaning(shelf, source, written, waits)
    if not (force or waits or written in decided):
        remedy = "use --force to overrule that" if written in rows else \
            f"{nearest(written[:200], sorted(rows))} Use --force to decide on a name that no row has yet"
        raise DecisionRefused(f"this name of {source} does not wait: {before}", column="name", value=written, remedy=remedy)
    decision = _decision(source, written, slug, who, why, when)
    append_decision(root, decision)
    own = rows.get(written, ())
    return Decided(decision, before, len(own), len({seen.snapshot for seen in own}))


def append_decision(root: Path, decision: Decision) -> None:
    """One more line at the end of params/decisions.csv; what stands there stays as it is."""
    path = root / "params" / "decisions.csv"
    with _alone(root):
        text = read_text(path)
        header = next(csv.reader(io.StringIO(text, newline="")), [])
        if sorted(header) != sorted(DECISION_COLUMNS):
            raise ParameterError("has other columns than it should", file=path.name, row=0, value=",".join(header),
                                 remedy="the first line is " + ",".join(DECISION_COLUMNS))
        line = io.StringIO(newline="")
        csv.DictWriter(line, header, lineterminator="\n").writerow(decision_cells(decision))
        text += ("" if text.endswith("\n") else "\n") + line.getvalue()
        if parse_decisions(text, path.name)[-1] != decision:
            raise SiiqError("the decision would not read back as it is", file=path.name, value=decision.name, remedy="this is a defect; nothing was written")
        replace_bytes(path, text.encode("utf-8"))


def _rows(shelf: Shelf, source: str) -> dict[str, tuple[Observation, ...]]:
    """Name → every row of it in all stored snapshots of the source."""
    rows: dict[str, list[Observation]] = {}
    for read in shelf.reads.get(source, ()):
        for reading in read.rows:
            rows.setdefault(reading.name or reading.origin_name, []).append(reading.observation)
    return {name: tuple(found) for name, found in rows.items()}


def _as_written(typed: str, known: set[str]) -> str:
    """The name meant: exactly as typed, else the one that a list shows like that."""
    name = typed.strip()
    alike = [one for one in known if safe_cell(one) == name] if name not in known else []
    return alike[0] if len(alike) == 1 else name


def _meaning(shelf: Shelf, source: str, name: str, waits: bool) -> str:
    found = shelf.index.match(source, name)
    if isinstance(found, Match):
        return "it waits" if waits else f"{'decided as' if found.how == 'decision' else 'the rules match it to'} {found.slug}"
    return f"it waits, {found.reason}" if found.waits else f"{found.rule}, {found.reason}"


def _decision(source: str, name: str, slug: str | None, who: str, why: str, when: str) -> Decision:
    try:
        return Decision(source=source, name=name, model=slug or "", decision="rejected" if slug is None else "confirmed",
                        who=who.strip(), when=when, why=why.strip())
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        column = ".".join(map(str, first["loc"]))
        raise ParameterError(first["msg"], column=column, value=first.get("input"), remedy=Decision.model_fields[column].description or "") from error


# --- registering -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Registration:
    """Slugs given to the groups of the newest table; as text, for a person."""

    day: str  # of the table
    new: tuple[Registered, ...]
    nameless: tuple[str, ...]  # groups whose name makes no slug; their versions wait

    def __str__(self) -> str:
        said = f"model table of {self.day}: {len(self.new) or 'no'} new group{'s' * (len(self.new) != 1)}"
        said += ": " + ", ".join(row.slug for row in self.new) if self.new else ""
        if self.nameless:
            said += (f"\n{len(self.nameless)} without a usable name, whose versions wait: {', '.join(str(safe_cell(x)) for x in self.nameless)}\n"
                     "Remedy: give each a slug by hand in params/models.csv (slug, name, day)")
        return said


def register(root: Path) -> Registration:
    """Give every group of the newest stored table that has no slug yet its own, once and for all (I6).

    Raises
    ------
    IdentityError
        Two groups would share a slug; nothing is written then.
    """
    day, table = newest_table(root)
    with _alone(root):
        registry = load_registry(root)
        extended = extend_registry(registry, table, day)
        new = tuple(row for row in extended if row not in registry)
        if new:
            replace_bytes(root / "params" / "models.csv", registry_bytes(extended))
    slugs = slugs_of_groups(extended, (line.group for line in table))
    return Registration(day, new, tuple(sorted(group for group, slug in slugs.items() if slug is None)))


def register_live(root: Path, table: Snapshot) -> tuple[Registered, ...]:
    """Slugs for the groups of a live table of models that have none yet, in data/live/models.csv; the new ones (I6)."""
    lines = table_in(root, table)
    with _alone(root):
        shipped = shipped_registry(root)
        registry = load_registry(root)
        extended = extend_registry(registry, lines, table.day)
        known, ships = {row.slug for row in registry}, {row.slug for row in shipped}  # a slug is given once (I6)
        new = tuple(row for row in extended if row.slug not in known)
        if new:
            replace_bytes(live_registry(root), registry_bytes(row for row in extended if row.slug not in ships))
    return new


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One writer of params/ at a time, in this process and among processes."""
    busy = SiiqError(f"another run has been writing names for {LOCK_WAIT} s", file=".names.lock", remedy="wait for it to end, or end it")
    with held(root / "_build" / ".names.lock", LOCK_WAIT, busy, lambda error: SiiqError(f"the folder _build cannot be written to ({error.strerror})", remedy="free some space or permit writing there")):
        clear_asides(root / "params")
        clear_asides(live_registry(root).parent, live_registry(root).name)
        yield
