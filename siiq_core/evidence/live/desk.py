"""Where live reading keeps what it read, and what it works with. All of it is the operator's, and none of it is published:
that takes the gate (U), which reads from here.

    data/snapshots/                              the archive of files (archive.py)
    data/live/observations/<source>/             one pair of files per distinct content, as in data/observations/:
        <first seen>-<16 digits of its SHA-256>.csv and .json
    data/live/judged/<source>.json               the newest judgement of a source (judgements.py)
    data/live/status.json                        last check, success, failure of every source (status.py)
    data/live/.lock                              one run at a time
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from siiq_core.errors import SiiqError
from siiq_core.evidence.live.archive import Archive
from siiq_core.evidence.live.archive_records import Sighting
from siiq_core.evidence.observations import build_snapshot, read_snapshot, stored_bytes
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.base import Adapter
from siiq_core.files import clear_asides, replace_bytes
from siiq_core.locks import held
from siiq_core.params.benchmarks import BenchmarkSpec, load_benchmarks
from siiq_core.params.live import LiveParams, load_live
from siiq_core.params.prices import PriceParams, load_prices
from siiq_core.params.sources import SourceSpec, load_sources
from siiq_core.records import Snapshot

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Desk:
    """Parameters and places of live reading."""

    params: LiveParams
    sources: Mapping[str, SourceSpec]
    benchmarks: tuple[BenchmarkSpec, ...]
    prices: PriceParams
    archive: Archive
    folder: Path  # data/live

    def reader(self, source: str) -> Adapter:
        """The adapter of a source."""
        return adapter(source, self.sources)

    # --- observations -----------------------------------------------------------------------------------------------

    def parsed(self, source: str, files: Mapping[str, bytes], day: str) -> Snapshot:
        """The files as observations of a day; SourceError (U6a) where one cannot be read."""
        return build_snapshot(self.reader(source), files, day)

    def stored(self, sighting: Sighting) -> Snapshot | None:
        """The stored observations of a content; None where there are none."""
        path = self.place(sighting)
        return read_snapshot(path, sighting.source, path.stem[:10]) if path else None

    def content(self, source: str, sha256: str) -> Snapshot | None:
        """The stored observations of a content by its SHA-256; None where it was never read live."""
        path = next(iter(sorted((self.folder / "observations" / source).glob(f"*-{sha256[:16]}.csv"))), None)
        found = read_snapshot(path, source, path.stem[:10]) if path else None
        return found if found is not None and found.sha256 == sha256 else None

    def store(self, sighting: Sighting, snapshot: Snapshot) -> bool:
        """Write a content's observations; False where the same bytes were there already.

        Parameters
        ----------
        sighting : the content's first; its day (UTC) becomes the snapshot's, its members' addresses those of the files
        snapshot : the content as parsed
        """
        day, addresses = sighting.first_seen[:10], {member.name: member.address for member in sighting.members}
        snapshot = replace(snapshot, day=day, observations=tuple(replace(seen, snapshot=day) for seen in snapshot.observations),
                           files={name: replace(file, url=addresses[name], copy="") for name, file in snapshot.files.items()})
        path = self.place(sighting) or self._folder(sighting) / f"{sighting.first_seen.replace(':', '')}-{sighting.snapshot[:16]}.csv"
        written = False
        for suffix, content in stored_bytes(snapshot).items():
            target = path.with_suffix(suffix)
            if not target.is_file() or target.read_bytes() != content:
                replace_bytes(target, content)
                written = True
        return written

    def _folder(self, sighting: Sighting) -> Path:
        return self.folder / "observations" / sighting.source

    def place(self, sighting: Sighting) -> Path | None:
        """Where the rows of a content are stored; None where they are not."""
        return next(iter(sorted(self._folder(sighting).glob(f"*-{sighting.snapshot[:16]}.csv"))), None)

    # --- one run at a time --------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def alone(self, progress: Progress) -> Iterator[None]:
        """Wait for another run to end, up to archive.lock_wait of params/live.yml; SiiqError where it does not."""
        wait = self.params.archive.lock_wait
        busy = SiiqError(f"another run has been reading for {wait:g} s", file=".lock", remedy="let it end, then try again; nothing was asked of any publisher")
        with held(self.folder / ".lock", wait, busy,
                  lambda error: SiiqError(f"the folder of live reading cannot be written to ({error.strerror})", file=self.folder.name, remedy="free some space or permit writing there"),
                  lambda: progress(f"another run is reading; waiting for it, up to {wait:g} s")):
            clear_asides(self.folder, "status.json")
            for folder in (*self.folder.glob("judged/"), *self.folder.glob("observations/*/")):
                clear_asides(folder)
            yield


def open_desk(root: Path, params: LiveParams | None = None, sources: Mapping[str, SourceSpec] | None = None) -> Desk:
    """The project's desk; other parameters and sources than the shipped ones where they are given (tests)."""
    params = load_live(root) if params is None else params
    return Desk(params, load_sources(root) if sources is None else sources, load_benchmarks(root), load_prices(root),
                Archive(root / "data" / "snapshots", params.archive), root / "data" / "live")
