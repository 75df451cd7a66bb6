"""One check of all publishers: ask, read, judge, archive, keep as observations, say what happened (U1, U6, U12).

What cannot be used is neither archived nor kept: the last good content stays, and the report names file, row and column.
Nothing here is published; the published run reads data/observations/ and knows nothing of data/live/.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from siiq_core.errors import SiiqError, SourceError
from siiq_core.evidence.live import judgements
from siiq_core.evidence.live.archive_records import Sighting
from siiq_core.evidence.live.asking import Asking
from siiq_core.evidence.live.client import Client
from siiq_core.evidence.live.desk import Desk, Progress
from siiq_core.evidence.live.judging import Judged, judge
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.plans import members_of
from siiq_core.evidence.live.together import read_together
from siiq_core.evidence.live.waiting import Clock


@dataclass(frozen=True, slots=True)
class Content:
    """A content of a source that can be used."""

    sighting: Sighting
    judged: Judged
    rows_before: int | None = None  # of the content before it; None where there is none


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What a check of one source came to."""

    source: str
    outcome: Literal["new", "unchanged", "failed"]
    checked_at: str  # UTC
    content: Content | None  # None where it failed
    failure: SiiqError | None = None

    @property
    def what(self) -> str:
        """In one line."""
        if self.failure is not None or self.content is None:
            return str(self.failure)
        found = self.content.judged
        before = self.content.rows_before
        fewer = [f"{before - found.rows} fewer rows than before"] if before is not None and found.rows < before else []
        return "; ".join([*fewer, *(f"frozen: {change}" for change in found.frozen), *found.notes])


@dataclass(frozen=True, slots=True)
class LiveReport:
    """A check of several sources, by id."""

    started_at: str
    sources: tuple[SourceReport, ...]

    @property
    def failed(self) -> tuple[SourceReport, ...]:
        """Those that could not be used."""
        return tuple(x for x in self.sources if x.outcome == "failed")


def wanted_sources(desk: Desk, only: Sequence[str]) -> tuple[str, ...]:
    """Ids of the sources to read: those named, or all that params/live.yml says how to ask; unknown ones are a ParameterError."""
    for source in only:
        desk.params.source(source)
    return tuple(sorted(set(only))) or tuple(sorted(source for source, place in desk.params.sources.items() if place.ask is not None))


def read_live(desk: Desk, network: Network, clock: Clock, only: Sequence[str] = (), progress: Progress = lambda text: None) -> LiveReport:
    """Check every source once, side by side: one publisher's failure or slowness delays no other.

    The caller holds the desk (`Desk.alone`).

    Parameters
    ----------
    network : what may be reached
    clock : the time, and how waits are made
    only : ids of sources; none: all
    progress : is told, per source, that it is asked and what came of it
    """
    client, voice = Client(desk.params, network, clock), threading.Lock()

    def tell(text: str) -> None:
        with voice:  # sources speak at once
            progress(text)

    tasks: dict[str, Callable[[], SourceReport]] = {
        source: lambda source=source: _check(desk, client, source, tell) for source in wanted_sources(desk, only)}
    started = clock.stamp()
    outcomes = read_together(tasks, desk.params.timeouts.source, clock, tell, lambda report: f"{report.outcome}, {report.content.judged.rows} rows")
    return LiveReport(started, tuple(
        outcome.value or SourceReport(source, "failed", clock.stamp(), None, outcome.failure) for source, outcome in outcomes.items()))


def _check(desk: Desk, client: Client, source: str, progress: Progress) -> SourceReport:
    ask, spec = desk.params.source(source).ask, desk.sources.get(source)
    if ask is None or spec is None:
        raise SourceError(f"source {source} is not read live", remedy="say in params/live.yml (ask) and params/sources.yml how it is read")
    progress(f"{source}: asking")
    asking = Asking(client, desk.archive, source)
    before = desk.archive.newest(source)
    members = members_of(ask, spec, asking)
    at = client.clock.stamp()
    if members is None:
        return SourceReport(source, "unchanged", at, _newest(desk, desk.archive.seen_again(source, at)))
    parsed = desk.parsed(source, {member.name: member.content for member in members}, at[:10])
    judged = judge(desk.reader(source), parsed, desk.benchmarks, desk.prices)  # before it is archived: what cannot be used never counts as good
    sighting = desk.archive.add(source, members, asking.answers, seen_at=at, licence=spec.license)
    desk.store(_first(desk, sighting), parsed)
    if before is not None and before.snapshot == sighting.snapshot:
        return SourceReport(source, "unchanged", at, Content(sighting, judged))
    return SourceReport(source, "new", at, Content(sighting, judged, _rows(desk, before)))


def _first(desk: Desk, sighting: Sighting) -> Sighting:
    """The content's first sighting, which its observations are named and dated by: it may have come back."""
    return next(found for found in desk.archive.replay(sighting.source) if found.snapshot == sighting.snapshot)


def _newest(desk: Desk, sighting: Sighting) -> Content:
    """A content that is still there: judged anew, as parameters may have changed since, unless all is as it was when it was judged."""
    key = _key(desk, sighting)
    if key is not None and (before := judgements.kept(desk, sighting.source, key)) is not None:
        return Content(sighting, before)
    try:
        snapshot = desk.stored(sighting)
    except SourceError:  # damaged: made again from the archive
        snapshot = None
    if snapshot is None:
        first = _first(desk, sighting)
        snapshot = desk.parsed(first.source, desk.archive.files(first), first.first_seen[:10])
        desk.store(first, snapshot)
        key = _key(desk, sighting)
    judged = judge(desk.reader(sighting.source), snapshot, desk.benchmarks, desk.prices)
    if key is not None:
        judgements.keep(desk, sighting.source, key, judged)
    return Content(sighting, judged)


def _key(desk: Desk, sighting: Sighting) -> str | None:
    place = desk.place(sighting)
    return judgements.key_of(desk, sighting.source, place) if place else None


def _rows(desk: Desk, before: Sighting | None) -> int | None:
    try:
        snapshot = desk.stored(before) if before else None
    except SourceError:
        return None
    return len(snapshot.observations) if snapshot else None


@dataclass(frozen=True, slots=True)
class Replayed:
    """One archived content, read again."""

    sighting: Sighting
    content: Content | None
    failure: SiiqError | None
    rewritten: bool  # its observations were missing, or had other bytes


def replay(desk: Desk, only: Sequence[str] = ()) -> Iterator[Replayed]:
    """Every archived content of the sources in order of first seen, read again with today's readers and parameters.

    The same archive gives the same observations byte for byte; those of a content that cannot be read today stay as they are.
    """
    found = [sighting for source in wanted_sources(desk, only) for sighting in desk.archive.replay(source)]
    for sighting in sorted(found, key=lambda s: (s.first_seen, s.source)):
        try:
            snapshot = desk.parsed(sighting.source, desk.archive.files(sighting), sighting.first_seen[:10])
            judged = judge(desk.reader(sighting.source), snapshot, desk.benchmarks, desk.prices)
            rewritten = desk.store(sighting, snapshot)
        except SiiqError as failure:
            yield Replayed(sighting, None, failure, False)
        else:
            yield Replayed(sighting, Content(sighting, judged), None, rewritten)
