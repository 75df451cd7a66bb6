"""The archive's files on the disk: where they lie, written as a whole, read back within bounds."""

from __future__ import annotations

import contextlib
import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pydantic

from siiq_core.errors import SiiqError
from siiq_core.evidence.live.archive_records import Sidecar, Sighting
from siiq_core.evidence.live.refusals import ArchiveError
from siiq_core.files import canonical_bytes, clear_asides, replace_bytes
from siiq_core.locks import held
from siiq_core.params.live import ArchiveBounds

_RECORD_BYTES = 50_000_000  # of a sidecar or a sighting
R = TypeVar("R", Sidecar, Sighting)


@dataclass(frozen=True)
class Store:
    """A folder of packed files and records."""

    folder: Path
    bounds: ArchiveBounds

    def path(self, digest: str) -> Path:
        """Of a file by its SHA-256, in two levels of folders; its sidecar lies beside it as .json."""
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise ArchiveError("is no SHA-256", value=digest, remedy="64 hexadecimal digits in lower case")
        return self.folder / "files" / digest[:2] / digest[2:4] / f"{digest}.gz"

    def sighting(self, source: str, number: int) -> Path:
        """Of a source's sighting by its number."""
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", source):
            raise ArchiveError("is no source's id", value=source, remedy="an id of params/sources.yml")
        return self.folder / "snapshots" / source / f"{number:06d}.json"

    def numbers(self, source: str) -> list[int]:
        """Numbers of a source's sightings, oldest first."""
        found = self.sighting(source, 0).parent.glob("*.json")
        return sorted(int(path.stem) for path in found if re.fullmatch(r"[0-9]{6}", path.stem))

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """One writer at a time, in this process and among processes."""
        wait = self.bounds.lock_wait
        busy = ArchiveError(f"another run has been writing to the archive for {wait:g} s", file=".lock", remedy="wait for it to end, or end it")
        with held(self.folder / ".lock", wait, busy, lambda error: SiiqError(f"the archive cannot be written to ({error.strerror})", file=self.folder.name, remedy="free some space or permit writing there")):
            yield

    def write(self, path: Path, content: bytes) -> None:
        """Replace a file as a whole. We hold the lock, so what lies half-written beside it is a killed run's, and goes."""
        clear_asides(path.parent, path.name)
        replace_bytes(path, content)

    def write_record(self, path: Path, record: Sidecar | Sighting) -> None:
        """Canonical JSON."""
        self.write(path, canonical_bytes(record.model_dump(mode="json")))

    def write_packed(self, path: Path, content: bytes) -> None:
        """gzip without a time stamp: the same content gives the same file."""
        self.write(path, gzip.compress(content, 9, mtime=0))

    def record(self, path: Path, kind: type[R]) -> R:
        """A record; ArchiveError where it is not what the archive wrote."""
        try:
            with path.open("rb") as stream:
                return kind.model_validate_json(stream.read(_RECORD_BYTES))
        except OSError as error:
            raise self.damaged(path, f"cannot be read ({error.strerror})") from error
        except pydantic.ValidationError as error:
            raise self.damaged(path, f"is not what the archive wrote ({ascii(error.errors()[0]['msg'])[1:100]})") from error

    def unpacked(self, path: Path) -> bytes:
        """A packed file's bytes, never more than the bound archive.file_bytes."""
        most = self.bounds.file_bytes
        unpack = zlib.decompressobj(wbits=31)
        try:
            with path.open("rb") as stream:
                content = unpack.decompress(stream.read(most + 1_000), most + 1)
        except OSError as error:
            raise self.damaged(path, f"cannot be read ({error.strerror})") from error
        except zlib.error as error:
            raise self.damaged(path, f"is no sound gzip file ({error})") from error
        if len(content) > most:
            raise self.damaged(path, f"unpacks to more than the bound archive.file_bytes of {most:,}")
        if not unpack.eof or unpack.unused_data:
            raise self.damaged(path, "is cut short, or longer than it should be")
        return content

    def damaged(self, path: Path, what: str) -> ArchiveError:
        """The refusal of a file, named by its place in the archive."""
        return ArchiveError(f"in the archive: {what}", file=path.relative_to(self.folder).as_posix(),
                            remedy="restore it from a copy of the archive; a file is mended too when its source serves it again")
