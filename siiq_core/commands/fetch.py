"""`siiq fetch --mode live` and `--mode archive`: reading the publishers, and reading again what was archived of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from siiq_core.errors import harmless

Progress = Callable[[str], None]


def live(root: Path, only: Sequence[str], progress: Progress, network: Any = None, clock: Any = None) -> int:
    """Check the publishers and print what came of each. Exit code: 0, or 1 where a source failed (the others are kept).

    `network` and `clock` are the real ones where they are not given.
    """
    from siiq_core.evidence.live.desk import open_desk
    from siiq_core.evidence.live.network import Network
    from siiq_core.evidence.live.reading import read_live, wanted_sources
    from siiq_core.evidence.live.status import load_status, next_status, write_status
    from siiq_core.evidence.live.waiting import system_clock

    say = lambda text: progress(harmless(text))  # noqa: E731
    desk = open_desk(root)
    wanted_sources(desk, only)  # an unknown one is refused before anything is waited for
    with desk.alone(say):
        report = read_live(desk, network or Network(), clock or system_clock(), only, say)
        write_status(desk.folder, next_status(load_status(desk.folder), report, desk.sources))
    print(table((("source", "outcome", "rows", "SHA-256", "what"), *(
        (x.source, x.outcome, str(x.content.judged.rows) if x.content else "", x.content.sighting.snapshot[:12] if x.content else "", x.what)
        for x in report.sources))))
    kept = "; the last good data of each stays" if report.failed else ""
    say(f"{len(report.sources)} sources: {_counted(x.outcome for x in report.sources)}{kept}. Nothing is published by this; data/live/status.json says the rest")
    return 1 if report.failed else 0


def replay(root: Path, only: Sequence[str], progress: Progress) -> int:
    """Read every archived content again, oldest first, and print what came of each. Exit code: 1 where one cannot be read today."""
    from siiq_core.errors import SiiqError
    from siiq_core.evidence.live.desk import open_desk
    from siiq_core.evidence.live.reading import replay as again
    from siiq_core.evidence.live.reading import wanted_sources

    desk = open_desk(root)
    if all(desk.archive.newest(source) is None for source in wanted_sources(desk, only)):
        raise SiiqError("nothing is archived yet", file="data/snapshots", remedy="siiq fetch --mode live")
    rows = [("first seen", "last seen", "source", "SHA-256", "rows", "observations", "what")]
    failed = 0
    with desk.alone(progress):
        for x in again(desk, only):
            judged, sighting = x.content.judged if x.content else None, x.sighting
            what = str(x.failure) if judged is None else "; ".join([*(f"frozen: {change}" for change in judged.frozen), *judged.notes])
            rows.append((sighting.first_seen, sighting.last_seen, sighting.source, sighting.snapshot[:12], str(judged.rows) if judged else "",
                         "refused" if judged is None else "written" if x.rewritten else "the same", what))
            progress(f"{sighting.source} {sighting.first_seen}: {rows[-1][5]}")
            failed += x.failure is not None
    print(table(rows))
    progress(f"{len(rows) - 1} contents read again, {failed} refused")
    return 1 if failed else 0


def table(rows: Iterable[Sequence[str]]) -> str:
    """Columns under one another, the last one as long as it is. A publisher's text cannot act in a terminal."""
    from siiq_core.evidence.inbox import safe_cell

    safe = [[str(safe_cell(cell)) for cell in row[:-1]] + [harmless(row[-1])] for row in rows]
    widths = [max(len(row[k]) for row in safe) for k in range(len(safe[0]) - 1)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1]]).rstrip() for row in safe)


def _counted(words: Iterable[str]) -> str:
    found = list(words)
    return ", ".join(f"{found.count(word)} {word}" for word in ("new", "unchanged", "failed") if word in found)
