"""data/live/status.json: what is known of every source after the last check, in the shape of status.json (files.md, V5).

`since` of a failure, and of a frozen benchmark, is the check that met it first; it stays while the same goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pydantic

from siiq_core import __version__
from siiq_core.errors import DataError, SiiqError
from siiq_core.evidence.live.refusals import ArchiveError, FetchRefused, TookTooLong, ZipRefused
from siiq_core.evidence.live.reading import LiveReport, SourceReport
from siiq_core.files import canonical_bytes, replace_bytes
from siiq_core.params.loader import Strict

NAME = "status.json"
APPROVAL = "a person's approval"


class Failure(Strict):
    """Why nothing of the newest content is used, and where it stands."""

    rule: str
    file: str | None
    row: int | None
    column: str | None
    since: str
    what: str


class SourceStatus(Strict):
    """One source; times in UTC, None where it never came to that."""

    id: str
    last_check: str | None = None
    last_success: str | None = None
    last_snapshot_sha256: str | None = None
    rows: int | None = None
    kept_share: float | None = None
    failure: Failure | None = None


class Frozen(Strict):
    """A benchmark that nothing moves until a person has looked (U6b)."""

    benchmark: str
    source: str
    rule: str
    since: str
    waiting_for: str
    what: str


class LiveStatus(Strict):
    """The whole file."""

    method_version: str = __version__
    generated_at: str
    sources: tuple[SourceStatus, ...]
    frozen: tuple[Frozen, ...]


def rule_of(error: SiiqError) -> str:
    """The rule that refuses: U1 where nothing could be read, U6a where what was read cannot be used, or the one it names."""
    named = re.match(r"([A-Z]\d+[a-z]?):", error.what)
    if named:
        return named[1]
    if isinstance(error, (FetchRefused, TookTooLong, ArchiveError)):
        return "U1"
    return "T2" if isinstance(error, DataError) else "U6a"


def next_status(before: LiveStatus | None, report: LiveReport, sources: Iterable[str]) -> LiveStatus:
    """The status after a check.

    Parameters
    ----------
    before : the one so far; None: there is none
    sources : ids of all sources, in the order of params/sources.yml; those not in `report` stay as they were
    """
    known = {x.id: x for x in before.sources} if before else {}
    frozen = {(x.source, x.benchmark): x for x in before.frozen} if before else {}
    checked = {x.source: x for x in report.sources}
    after = [_source(known.get(key, SourceStatus(id=key)), checked.get(key)) for key in (*sources, *sorted(checked.keys() - set(sources)))]
    for x in report.sources:
        if x.content is None:
            continue  # its last good content stays, and what stood still in it
        was = {key: frozen.pop(key) for key in list(frozen) if key[0] == x.source}
        for change in x.content.judged.frozen:
            earlier = was.get((x.source, change.benchmark))
            frozen[x.source, change.benchmark] = Frozen(
                benchmark=change.benchmark, source=x.source, rule=change.rule, since=earlier.since if earlier else x.checked_at,
                waiting_for=APPROVAL, what=str(change))
    return LiveStatus(generated_at=max((x.checked_at for x in report.sources), default=report.started_at), sources=tuple(after),
                      frozen=tuple(frozen[key] for key in sorted(frozen)))


def _source(was: SourceStatus, now: SourceReport | None) -> SourceStatus:
    if now is None:
        return was
    if now.content is None:
        error = now.failure or SiiqError("failed without a word")
        rule = rule_of(error)
        since = was.failure.since if was.failure and was.failure.rule == rule else now.checked_at
        failure = Failure(rule=rule, file=error.file, row=error.row, column=error.column, since=since, what=str(error))
        return was.model_copy(update={"last_check": now.checked_at, "failure": failure})
    judged = now.content.judged
    return SourceStatus(id=was.id, last_check=now.checked_at, last_success=now.checked_at, last_snapshot_sha256=now.content.sighting.snapshot,
                        rows=judged.rows, kept_share=judged.kept_share)


def load_status(folder: Path) -> LiveStatus | None:
    """The status so far; None where there is none, or a file that this project did not write (all times then start anew)."""
    try:
        return LiveStatus.model_validate_json((folder / NAME).read_bytes())
    except (OSError, pydantic.ValidationError):
        return None


def write_status(folder: Path, status: LiveStatus) -> None:
    """Replace the file as a whole."""
    replace_bytes(folder / NAME, canonical_bytes(status.model_dump(mode="json")))

