"""data/ledger.jsonl: all that the gate has ever taken notice of, one entry a line, added to and never altered (U).

JSON lines in a chain (entry.py), and not SQLite, because of what happens to such a file in its life:

- A crash. An entry is written without its line end and brought to the disk; only then follows the line end, and is brought
  there too. So the line end is the acknowledgement: a kill or a power cut at any moment leaves at the worst a last line
  without one, and whole lines are never touched again. There is no journal to play back before the file can be read.
- A copy. It is one file. A database in use is up to three, and a copy without its journal is an older or a broken one.
- A reader. Anyone can read, count and compare it with the tools of any system, and needs no program of ours to doubt it.
- A hand. Every line seals itself and the one before: a digit altered, a line gone, twice or moved shows, as does a merge of
  two histories by a version control that knows no better. SQLite would accept any well-formed change.

What it costs: no index, so whatever is asked of it is a pass over the entries (hence checkpoint.py, so that a run reads
only what is new); two flushes to the disk per entry; and the seal does not sign: who can write the file can make
a whole new chain. Against that helps the SHA-256 of a late line, kept somewhere else. Of a last line end that
was altered nothing shows either: the line then reads as one that was never acknowledged.

Times never go back: an entry before the last one's time is refused, not moved to it. The rules count hours since an entry
(U4, U7, U9); a time that was made up would shorten a hold or lengthen it, and nobody would see.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from siiq_core.errors import LedgerBusy, LedgerDamaged, LedgerError
from siiq_core.gate.entry import LINE_BYTES, START, Entry, Head, NotAnEntry, follow, is_moment, read_line
from siiq_core.gate.writing import Writer, alone, quiet

_BLOCK = 65_536  # bytes looked at in one go, from the end backwards
_RESTORE = "restore the file from a copy (ops/README.md); a line mended by hand would only move the break"


class Ledger:
    """A ledger at its path. It holds no state of the file: each question is answered from the disk.

    One object serves one thread; several objects and processes may read while one writes.
    """

    def __init__(self, path: Path, line_bytes: int = LINE_BYTES) -> None:
        self.path, self.line_bytes = path, line_bytes
        self._writer: Writer | None = None

    @classmethod
    def open(cls, path: Path, line_bytes: int = LINE_BYTES) -> Ledger:
        """The ledger at `path`; a file that is not there yet is an empty ledger, and comes with the first writer.

        Parameters
        ----------
        line_bytes : bytes of one line at the most; a longer one is refused without being read

        Raises
        ------
        LedgerDamaged
            The last acknowledged line is not sound.
        LedgerError
            The file cannot be read, or is no file.
        """
        ledger = cls(Path(path), line_bytes)
        ledger.last()
        return ledger

    # --- reading -----------------------------------------------------------------------------------------------------

    @property
    def head(self) -> Head:
        """The place of the last acknowledged entry; START where there is none. Reads that one line."""
        last = self.last()
        return last.head if last else START

    def last(self) -> Entry | None:
        """The last acknowledged entry, found from the end of the file."""
        with self._reading() as stream:
            return self._last(stream)[0] if stream else None

    def entries(self, after: Head = START, until: str | None = None) -> Iterator[Entry]:
        """Entries in order, one in memory at a time; what was written before `after` is not read.

        Parameters
        ----------
        after : the place to go on from, exclusive
        until : a time in UTC with Z; entries of later times are left out (one of that very second is not)

        Raises
        ------
        LedgerDamaged
            A line is not what was written there, or `after` is not in this ledger. Entries given before are sound.
        """
        if until is not None and not is_moment(until):
            raise LedgerError("is no time that a ledger records", column="until", value=until, remedy="UTC in whole seconds with Z: 2026-08-01T09:00:00Z")
        with self._reading() as stream:
            last = self._at(stream, after) if stream else None
            if after.n and (last is None or last.head != after):
                raise LedgerDamaged(f"entry {after.n} is not where it stood", file=self.path.name, value=after.sha256,
                                    remedy="the ledger is another one or an older copy: read all of it")
            offset = stream.tell() if stream else 0
            while stream:
                row = (last.n if last else 0) + 1
                line = self._line(stream, row)
                if not line:
                    return
                try:
                    last = follow(last, line, offset)
                except NotAnEntry as why:
                    raise self._damaged(str(why), row) from why
                offset += len(line)
                if until is not None and last.at > until:
                    return
                yield last

    def stands(self, head: Head) -> bool:
        """Whether the entry of `head` is in this ledger at that very place; reads that one line. START always stands."""
        try:
            with self._reading() as stream:
                entry = self._at(stream, head) if stream else None
        except LedgerError:
            return False
        return head == START or (entry is not None and entry.head == head)

    def verify(self) -> Head:
        """The whole chain, from the first line on; the last one's place.

        Raises
        ------
        LedgerDamaged
            The first line that is not what was written there.
        """
        head = START
        for entry in self.entries():
            head = entry.head
        return head

    # --- writing -----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def writing(self, seconds: float = 60, progress: Callable[[str], None] = quiet) -> Iterator[Ledger]:
        """Be the one writer. What an interrupted one left unacknowledged is put aside first (writing.py).

        Parameters
        ----------
        seconds : how long to wait for another writer
        progress : is told once that there is one

        Raises
        ------
        LedgerBusy
            The other one has not ended.
        LedgerDamaged, LedgerError
            The last line is not sound; the folder or the file cannot be written to.
        """
        if self._writer:
            raise LedgerBusy("this ledger is being written to already", file=self.path.name, remedy="append within the outer writing()")
        with alone(self.path, seconds, progress):
            with self._reading() as stream:  # before anything is made or cut
                last, end, torn = self._last(stream) if stream else (None, 0, b"")
            try:
                self._writer = Writer(self.path, last, end, torn, self.line_bytes)
                yield self
            finally:
                if self._writer:
                    self._writer.close()
                self._writer = None

    def append(self, kind: str, at: str, body: Mapping[str, Any]) -> Entry:
        """Add an entry; when this returns, it is on the disk. The entry is what reading the line gives.

        Parameters
        ----------
        kind : 1 to 100 characters
        at : time in UTC, whole seconds, Z; not before the last entry's
        body : what JSON can say

        Raises
        ------
        LedgerError
            The entry is refused, or could not be brought to the disk; the ledger is as it was.
        """
        if not self._writer:
            raise LedgerError("the ledger is not open for writing", file=self.path.name, remedy="with ledger.writing(): ledger.append(…)")
        return self._writer.append(kind, at, body)

    # --- the file ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _reading(self) -> Iterator[BinaryIO | None]:
        try:
            if self.path.exists() and not self.path.is_file():
                raise LedgerError("is no file", file=self.path.name, remedy="move it away; a ledger is a file of JSON lines")
            stream = self.path.open("rb")
        except FileNotFoundError:
            stream = None
        except OSError as error:
            raise LedgerError(f"cannot be read ({error.strerror})", file=self.path.name, remedy="permit reading it") from error
        try:
            yield stream
        finally:
            if stream:
                stream.close()

    def _line(self, stream: BinaryIO, row: int) -> bytes:
        """The next whole line; b"" where there is none, which a line that was not acknowledged is not."""
        line = stream.readline(self.line_bytes + 1)
        if len(line) > self.line_bytes:
            raise self._damaged(f"is longer than the {self.line_bytes:,} bytes a line may have", row)
        return line if line.endswith(b"\n") else b""

    def _at(self, stream: BinaryIO, place: Head) -> Entry | None:
        """The entry at a place, the stream after it; None where none stands there."""
        if not place.n:
            return None
        try:
            stream.seek(place.offset)
            return read_line(self._line(stream, place.n), place.offset)
        except (TypeError, ValueError, OverflowError, OSError):  # NotAnEntry is a ValueError
            return None

    def _last(self, stream: BinaryIO) -> tuple[Entry | None, int, bytes]:
        """The last acknowledged entry, the byte after it, and what lies there unacknowledged."""
        size = stream.seek(0, os.SEEK_END)
        end = self._line_begins(stream, size)
        begins = self._line_begins(stream, end - 1) if end else 0
        stream.seek(end)
        torn = stream.read(size - end)
        if not end:
            return None, 0, torn
        stream.seek(begins)
        try:
            return read_line(stream.read(end - begins), begins), end, torn
        except NotAnEntry as why:
            raise self._damaged(str(why), self._row(stream, begins)) from why

    def _line_begins(self, stream: BinaryIO, position: int) -> int:
        """The byte at which the line begins that holds the byte before `position`."""
        low = position
        while low > 0:
            high, low = low, max(0, low - _BLOCK)
            stream.seek(low)
            found = stream.read(high - low).rfind(b"\n")
            if found >= 0:
                return low + found + 1
            if position - low > self.line_bytes:
                raise self._damaged(f"is longer than the {self.line_bytes:,} bytes a line may have", None)
        return 0

    @staticmethod
    def _row(stream: BinaryIO, offset: int) -> int:
        """Which line a byte is in; only asked for a refusal, as it reads all that stands before."""
        stream.seek(0)
        row, left = 1, offset
        while left > 0 and (block := stream.read(min(left, 1_000_000))):
            row, left = row + block.count(b"\n"), left - len(block)
        return row

    def _damaged(self, what: str, row: int | None) -> LedgerDamaged:
        which = "the last line" if row is None else f"line {row}"
        return LedgerDamaged(f"{which} {what}", file=self.path.name, row=row, remedy=_RESTORE)
