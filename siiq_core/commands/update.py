"""`siiq update` and `siiq replay`: the hourly cycle, and what the ledger says of any moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Progress = Callable[[str], None]
HELD_BACK = 3  # exit code: the gate stopped the publication; nothing is wrong with the program


def update(root: Path, progress: Progress, *, network: Any = None, clock: Any = None, publish: Callable[[Path], None] | None = None, ask: bool = True) -> int:
    """One cycle; returns the exit code.

    Parameters
    ----------
    network, clock : the real ones where they are not given
    publish : makes the run and the book of what was accepted; raises SiiqError where it cannot
    ask : False: no publisher is asked, what was archived counts
    """
    from siiq_core.commands.fetch import table
    from siiq_core.evidence.live.desk import open_desk
    from siiq_core.evidence.live.network import Network
    from siiq_core.evidence.live.reading import read_live
    from siiq_core.evidence.live.status import load_status, next_status, write_status
    from siiq_core.evidence.live.waiting import system_clock
    from siiq_core.gate.checker import open_checker
    from siiq_core.gate.decisions import standing
    from siiq_core.hourly.cycle import turn
    from siiq_core.hourly.publishing import bring_out, tell
    from siiq_core.params.checker import load_checker

    clock = clock or system_clock()
    desk = open_desk(root)
    params = load_checker(root)
    report = None
    if ask:
        with desk.alone(progress):
            report = read_live(desk, network or Network(), clock, (), progress)
            write_status(desk.folder, next_status(load_status(desk.folder), report, desk.sources))
    turned = turn(root, desk, report, lambda: open_checker(params, os.environ, benchmarks=desk.benchmarks, sources=desk.sources, clock=clock), clock.now(), progress)
    state = turned.memory.state
    shown = [d for d in turned.decisions if d.what not in ("published", "changed", "removed") or d.rule not in ("U0", "U3")]
    if shown:
        print(table((("what", "rule", "subject", "numbers", "until"), *((d.what, d.rule, d.subject, d.details, d.until) for d in shown))))
    values = sum(d.what in ("published", "changed", "removed") for d in turned.decisions)
    standing_now = standing(state, turned.memory.rules)
    progress(f"cycle of {state.at}: {values} results changed, {len(state.pending)} pending, {len(standing_now)} held, frozen or waiting")
    published = publish is not None and bring_out(root, publish, progress)
    if published:
        progress(f"published: version {state.publication.version}")
    tell(root, clock.stamp(), None if published else turned.memory)
    if state.stop is not None and state.stop.rule == "U2":
        progress(f"stopped (U2): {turned.unread} numbers wait for a second reader; what is published stays")
        return 1
    if state.stop is not None:
        progress(f"publication held back (U11): {state.stop.what}")
        return HELD_BACK
    return 0


def replay(root: Path, until: str | None, as_json: bool, progress: Progress) -> int:
    """What the ledger says of a moment: every entry is read and its chain checked; the decisions on the way, and what stood then."""
    from siiq_core.commands.fetch import table
    from siiq_core.errors import SiiqError
    from siiq_core.gate.decisions import decisions, standing
    from siiq_core.gate.ledger import Ledger
    from siiq_core.gate.memory import kept, replayed
    from siiq_core.gate.place import ledger_at
    from siiq_core.gate.times import moment

    if until is not None:
        moment(until)
    ledger = Ledger.open(ledger_at(root))
    memory, count, rows = None, 0, [("at", "what", "rule", "subject", "numbers", "until")]
    for entry in ledger.entries(until=until):
        before = memory
        memory = replayed((entry,), memory)
        count += 1
        if memory is not None and before is not None and not as_json:
            rows += [(d.at, d.what, d.rule, d.subject, d.details, d.until) for d in decisions(before.state, memory.state, memory.rules)
                     if d.what not in ("published", "changed") or d.rule not in ("U0", "U3")]
    if memory is None:
        raise SiiqError("the ledger holds nothing up to then" if until else "no update was ever run, so there is no ledger to read", file="data/ledger.jsonl", value=until, remedy="siiq update begins it")
    if as_json:
        print(kept(memory).decode("utf-8"), end="")
        return 0
    if len(rows) > 1:
        print(table(rows))
    for d in standing(memory.state, memory.rules):
        print(f"stands: {d.what} ({d.rule}) {d.subject} since {d.since}, {d.details}; until {d.until or 'it changes'}")
    publication = memory.state.publication
    progress(f"{count} entries, chain sound; publication {publication.number if publication else 'none'}, version {publication.version if publication else memory.state.version}, "
             f"{len(memory.state.published)} results")
    return 0
