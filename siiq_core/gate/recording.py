"""A person's decision into the ledger: judged on what stands first, so that a refusal writes nothing (U10)."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

from siiq_core.errors import ParameterError
from siiq_core.gate import memory
from siiq_core.gate.entry import Entry
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import Remembered
from siiq_core.gate.operating import Action, OperatorRefused, operated
from siiq_core.gate.place import keep, ledger_at, remembered
from siiq_core.gate.writing import quiet

WHO_CHARACTERS, WHY_CHARACTERS = 100, 1000  # both are published as they are


def record(root: Path, action: Action, now: str, *, seconds: float = 60, progress: Callable[[str], None] = quiet) -> tuple[Remembered, Entry]:
    """Put a decision into the ledger; it counts from the next cycle on.

    Parameters
    ----------
    now : UTC, whole seconds, Z
    seconds : to wait for another writer, a cycle that publishes for example

    Returns
    -------
    What was remembered before it, and its entry.

    Raises
    ------
    ParameterError
        No name or no reason, or one that cannot be published as a line of text.
    OperatorRefused
        Nothing there that it could be about. Nothing was written.
    LedgerBusy, LedgerError
        Another writer has not ended; the entry could not be written, because the clock has gone back for example.
    """
    _require_text("who", action.who, WHO_CHARACTERS)
    _require_text("why", action.reason, WHY_CHARACTERS)
    if not ledger_at(root).is_file():
        raise OperatorRefused("no update was ever run, so nothing stands that could be decided", remedy="siiq update begins the ledger")
    ledger = Ledger.open(ledger_at(root))
    with ledger.writing(seconds, progress):
        found, _ = remembered(root)
        if found is None:
            raise OperatorRefused("no update was ever run, so nothing stands that could be decided", remedy="siiq update begins the ledger")
        _require_known(found, action)
        operated(found.state, action, now, found.rules)
        entry = ledger.append(memory.OPERATOR, now, asdict(action))
        keep(root, memory.after(found, entry.kind, entry.at, entry.body), entry.head)
    return found, entry


def models(found: Remembered) -> set[str]:
    """Slugs of every model that the gate knows a value of."""
    return {model for model, _ in (*found.state.published, *found.state.pending, *found.state.retracted)}


def like(name: str, known: Iterable[str]) -> str:
    """The remedy for a name that nothing has."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else "siiq gate list shows what stands"


def _require_text(name: str, text: str, most: int) -> None:
    if not text.strip():
        raise ParameterError("a decision needs a name and a reason", column=f"--{name}", value=text, remedy=f"say {'who decides' if name == 'who' else 'the reason, in a sentence'}; readers see it")
    if len(text) > most or not text.isprintable():
        raise ParameterError(f"is published as it is, so it is one line of at most {most} characters", column=f"--{name}", value=text, remedy="write it on one line, without control characters")


def _require_known(found: Remembered, action: Action) -> None:
    """A slip of the pen is told from what does not stand."""
    wanted: tuple[tuple[str, str, Iterable[str]], ...] = (("model", action.model, models(found)), ("benchmark", action.benchmark, found.rules.source_of), ("source", action.source, found.state.sources))
    for kind, name, known in wanted:
        if name and name not in known:
            raise OperatorRefused(f"{action.action}: no such {kind}", value=name, remedy=like(name, known))
