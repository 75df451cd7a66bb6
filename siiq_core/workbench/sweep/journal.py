"""Finished cells on disk: a file that is only ever added to, so that a sweep that was killed goes on where it was.

The first line says what the cells were computed from (inputs, method version, code); cells of other inputs have a file of
their own. A line is written at once or not at all, but for the last one of a process that was killed: it is cut off on
opening, and its cell computed again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from siiq_core.errors import SiiqError
from siiq_core.files import canonical_bytes, json_line, sha256, to_disk
from siiq_core.workbench.sweep.cell import Found, found_of


class Journal:
    """An open journal; `open_journal` makes one."""

    def __init__(self, path: Path, stream: BinaryIO, known: set[str]) -> None:
        self._path, self._stream, self._known = path, stream, known

    def __contains__(self, cell: str) -> bool:
        return cell in self._known

    def add(self, cell: str, found: Found) -> None:
        """Keep a finished cell.

        Raises
        ------
        SiiqError
            The cell is there already, or the disk takes no more.
        """
        if cell in self._known:
            raise SiiqError("a cell was computed twice", file=self._path.name, value=cell, remedy="this is a defect; the first result stays")
        try:
            self._stream.write(json_line({"cell": cell, "found": found.plain()}).encode("utf-8"))
            self._stream.flush()
        except OSError as error:
            raise SiiqError(f"cannot be written ({error.strerror})", file=self._path.name, remedy="free some space; the cells above are kept") from error
        self._known.add(cell)

    def read(self) -> Iterator[tuple[str, Found]]:
        """Every cell, in the order they were finished."""
        with self._path.open("rb") as stream:
            next(stream)
            for line in stream:
                kept = json.loads(line)
                yield kept["cell"], found_of(kept["found"])


@contextmanager
def open_journal(folder: Path, made_from: Mapping[str, str], keep: int) -> Iterator[Journal]:
    """The journal of cells computed from `made_from`, for one process at a time; older journals beyond `keep` files are removed.

    Raises
    ------
    SiiqError
        Another sweep of the same inputs is running, or a line above the last is damaged.
    """
    head = json_line({"siiq sweep": dict(made_from)}).encode("utf-8")
    path = folder / f"{sha256(canonical_bytes(dict(made_from)))[:16]}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise SiiqError("another sweep of the same inputs is running", file=path.name, remedy="wait for it; what it computes is then there for this one") from error
    try:
        known = _known(path, head)
        with path.open("ab") as stream:
            if not known and not path.stat().st_size:
                stream.write(head)
                stream.flush()
            _tidy(folder, path, keep)
            yield Journal(path, stream, known)
            to_disk(stream.fileno())
    finally:
        lock.release()


def _known(path: Path, head: bytes) -> set[str]:
    """Cells in the file, after a torn last line was cut off."""
    if not path.is_file():
        return set()
    with path.open("r+b") as stream:
        if stream.readline() != head:
            stream.truncate(0)  # nothing but a torn first line
            return set()
        known, end = set(), stream.tell()
        for number, line in enumerate(stream, start=2):
            if not line.endswith(b"\n"):
                stream.truncate(end)
                break
            try:
                known.add(json.loads(line)["cell"])
            except (ValueError, TypeError, KeyError) as error:
                raise SiiqError("is damaged", file=path.name, row=number, remedy="remove the file; its cells are then computed again") from error
            end += len(line)
    return known


def _tidy(folder: Path, own: Path, keep: int) -> None:
    """The newest `keep` journals stay; one that another process holds does too."""
    others = sorted((x for x in folder.glob("*.jsonl") if x != own), key=lambda x: (-x.stat().st_mtime_ns, x.name))
    for path in others[max(keep - 1, 0) :]:
        lock = FileLock(path.with_suffix(".lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        try:
            path.unlink(missing_ok=True)
        finally:
            lock.release()
