"""The one writer of a ledger: the lock, what a killed writer left, and how an entry comes to the disk.

What stands after the last line end was never acknowledged. The next writer puts it aside as
``<ledger>.torn-<n>-<first 8 digits of its SHA-256>.txt`` beside the ledger, n being the number it would have got, and cuts
it off. Aside rather than away: it may be all that is left of what an operator was deciding when the power went. The
digest in the name lets two such remains of the same n stand side by side, and makes a second attempt write the same file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import LedgerBusy, LedgerDamaged, LedgerError
from siiq_core.files import clear_asides, folder_to_disk, replace_bytes, sha256, to_disk
from siiq_core.gate.entry import START, Entry, make_line, read_line
from siiq_core.locks import held

_SPACE = "free some space or permit writing; what was acknowledged before stands"


def quiet(text: str) -> None:
    """Progress that nobody watches."""


@contextlib.contextmanager
def alone(path: Path, seconds: float, progress: Callable[[str], None]) -> Iterator[None]:
    """One writer at a time, in this process and among processes; a killed one's lock ends with it."""
    busy = LedgerBusy(f"another run has been writing to the ledger for {seconds:g} s", file=path.name, remedy="wait for it to end, or end it")
    with held(path.with_name(f".{path.name}.lock"), seconds, busy,
              lambda error: LedgerError(f"the ledger's folder cannot be written to ({error.strerror})", file=path.name, remedy=_SPACE),
              lambda: progress(f"another run is writing to {path.name}; waiting for it, {seconds:g} s at the most")):
        clear_asides(path.parent, f"{path.stem}.torn-*")
        yield


class Writer:
    """Appends to the file at `path`, whose acknowledged part ends at byte `end` with the entry `last`.

    Parameters
    ----------
    torn : what lies after `end`
    line_bytes : of a line at the most
    """

    def __init__(self, path: Path, last: Entry | None, end: int, torn: bytes, line_bytes: int) -> None:
        self.path, self.last, self.end, self.line_bytes = path, last, end, line_bytes
        self._sound = True
        if torn:
            replace_bytes(path.with_name(f"{path.stem}.torn-{(last.n if last else 0) + 1}-{sha256(torn)[:8]}.txt"), torn)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            if torn:
                os.ftruncate(self._file, end)
                to_disk(self._file)
            if last is None:  # new, or made by a writer that was killed before the folder knew of it for good
                folder_to_disk(path.parent)
        except OSError as error:
            os.close(self._file)
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Nothing is held back, so there is nothing to save."""
        os.close(self._file)

    def append(self, kind: str, at: str, body: Mapping[str, Any]) -> Entry:
        """See Ledger.append."""
        if not self._sound:
            raise LedgerError("an earlier entry could not be written", file=self.path.name, remedy="open the ledger for writing anew, so that it is looked at again")
        line = make_line(self.last.head if self.last else START, kind, at, body, self.line_bytes)
        if self.last and at < self.last.at:
            raise LedgerError(f"an entry of {at} cannot follow one of {self.last.at}: the clock has gone back", file=self.path.name, column="at", value=at,
                              remedy="set the clock; if it is right now, wait until it has passed the last entry's time")
        self._require_own_file()
        try:
            self._write(line[:-1])
            to_disk(self._file)
            self._write(line[-1:])  # the acknowledgement: all before it is on the disk
            to_disk(self._file)
        except BaseException as error:
            self._take_back(error)
            raise
        entry = read_line(line, self.end)
        self.last, self.end = entry, self.end + len(line)
        return entry

    def _write(self, content: bytes) -> None:
        left = memoryview(content)
        while left:
            written = os.write(self._file, left)  # a full disk takes a part first and refuses the rest
            if not written:
                raise OSError(0, "nothing was written")
            left = left[written:]

    def _take_back(self, error: BaseException) -> None:
        """Cut off what was not acknowledged; after a failed flush nobody knows what is on the disk, so nothing more is added."""
        self._sound = False
        try:
            os.ftruncate(self._file, self.end)
            to_disk(self._file)
        except OSError as worse:
            raise LedgerError(f"an entry could not be written, nor taken back ({worse.strerror})", file=self.path.name,
                              remedy="mend the disk; the next writer puts aside what is unfinished. Look whether this entry is the last one") from error
        if isinstance(error, OSError):
            raise self._unwritable(error) from error

    def _require_own_file(self) -> None:
        """The file is still the one that was opened, and nobody wrote past the lock."""
        try:
            there, own = os.stat(self.path), os.fstat(self._file)
        except OSError as error:
            raise LedgerDamaged(f"was taken away while it was written to ({error.strerror})", file=self.path.name,
                                remedy="put it back, and let nothing but siiq write to it") from error
        if (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino) or own.st_size != self.end:
            raise LedgerDamaged("was replaced or written to by something else", file=self.path.name,
                                remedy="find out what did, and let nothing but siiq write to it")

    def _unwritable(self, error: OSError) -> LedgerError:
        return LedgerError(f"the ledger cannot be written to ({error.strerror or error})", file=self.path.name, remedy=_SPACE)
