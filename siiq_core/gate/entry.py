"""One line of the ledger: its form, its seal, and how it follows from the line before.

A line is canonical JSON (keys sorted, UTF-8, no NaN, no blanks) with six keys: ``at``, ``body``, ``kind``, ``n`` (from 1),
``prev`` (the ``sha256`` of the line before, "" in the first) and ``sha256``, the SHA-256 of the line's UTF-8 bytes without
that key, line end included. As ``sha256`` sorts last, anyone can recompute it:

    sed -n 7p data/ledger.jsonl | sed 's/,"sha256":"[0-9a-f]*"}$/}/' | sha256sum
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import LedgerError, SiiqError
from siiq_core.files import json_line, sha256
from siiq_core.gate.times import moment

LINE_BYTES = 16_000_000  # of one line at the most; a calibration's record, the largest there is, takes about 20,000
_KEYS = {"at", "body", "kind", "n", "prev", "sha256"}
_SEAL = re.compile(rb',"sha256":"([0-9a-f]{64})"\}\n')
_SEAL_BYTES = len(',"sha256":""}\n') + 64


class NotAnEntry(ValueError):
    """Why some bytes are no line of a ledger; the ledger, which knows the place, turns it into a LedgerDamaged."""


@dataclass(frozen=True, slots=True)
class Head:
    """A place in a ledger: the entry that stands there. The default is the place before the first entry.

    Parameters
    ----------
    n : number of that entry, from 1; 0 before the first
    sha256 : of its line, as the line itself says; "" before the first
    offset : byte of the file at which its line begins
    """

    n: int = 0
    sha256: str = ""
    offset: int = 0


START = Head()


@dataclass(frozen=True, slots=True)
class Entry:
    """What one line says, and where it stands; two readings of a line are equal. `body` is not to be altered."""

    n: int
    kind: str
    at: str
    body: Mapping[str, Any]
    prev: str
    sha256: str
    offset: int

    @property
    def head(self) -> Head:
        """Its place."""
        return Head(self.n, self.sha256, self.offset)


def is_moment(text: object) -> bool:
    """Whether it is a time as the ledger writes it: UTC, whole seconds, Z. Such texts sort as the times do."""
    try:
        return isinstance(text, str) and bool(moment(text))
    except SiiqError:
        return False


def make_line(last: Head, kind: str, at: str, body: Mapping[str, Any], limit: int = LINE_BYTES) -> bytes:
    """The line, end included, of an entry that follows `last`.

    Raises
    ------
    LedgerError
        `at` is no time in UTC with whole seconds and Z, `kind` no name, `body` nothing that JSON brings back as it was,
        or the line would have more than `limit` bytes.
    """
    if not is_moment(at):
        raise LedgerError("is no time that a ledger records", column="at", value=at, remedy="UTC in whole seconds with Z: 2026-08-01T09:00:00Z")
    if not isinstance(kind, str) or not 0 < len(kind) <= 100:
        raise LedgerError("is no kind of entry", column="kind", value=kind, remedy="a name of 1 to 100 characters")
    if not isinstance(body, Mapping):
        raise LedgerError("is no body of an entry", column="body", value=body, remedy="a mapping")
    try:
        bare = json_line({"at": at, "body": dict(body), "kind": kind, "n": last.n + 1, "prev": last.sha256}).encode("utf-8")
        line = bare[:-2] + f',"sha256":"{sha256(bare)}"}}\n'.encode("ascii")
        read_line(line, 0)
    except (TypeError, ValueError, RecursionError) as error:
        raise LedgerError(f"cannot be written as JSON ({ascii(str(error))[1:200]})", column="body",
                          remedy="texts in Unicode, finite numbers, lists and mappings with text keys") from error
    if len(line) > limit:
        raise LedgerError(f"an entry of {len(line):,} bytes is longer than the {limit:,} a line may have", column="body",
                          remedy="record a SHA-256 of what is large, and keep the thing itself in the archive")
    return line


def read_line(line: bytes, offset: int) -> Entry:
    """What a whole line says; NotAnEntry where it is not, byte for byte, what `make_line` makes."""
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotAnEntry(f"is no JSON in UTF-8 ({ascii(str(error))[1:120]})") from error
    seal = _SEAL.fullmatch(line[-_SEAL_BYTES:])
    if not isinstance(value, dict) or set(value) != _KEYS or not seal:
        raise NotAnEntry("is not of the form at, body, kind, n, prev, sha256")
    bare = line[:-_SEAL_BYTES] + b"}\n"
    digest = value.pop("sha256")
    if sha256(bare) != digest:
        raise NotAnEntry("has been altered: its SHA-256 is another one")
    try:
        canonical = json_line(value).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise NotAnEntry("holds what canonical JSON cannot") from error
    sound = (type(value["n"]) is int and value["n"] > 0 and is_moment(value["at"]) and isinstance(value["kind"], str)
             and isinstance(value["body"], dict) and isinstance(value["prev"], str))
    if canonical != bare or not sound:
        raise NotAnEntry("is not in the ledger's canonical form")
    return Entry(value["n"], value["kind"], value["at"], value["body"], value["prev"], digest, offset)


def follow(last: Entry | None, line: bytes, offset: int) -> Entry:
    """The entry of a line that has to follow `last` (None: has to be the first); NotAnEntry where it does not."""
    entry = read_line(line, offset)
    n, digest = (last.n, last.sha256) if last else (0, "")
    if entry.n != n + 1:
        raise NotAnEntry(f"has the number {entry.n} where {n + 1} is due: lines are missing, twice or out of order")
    if entry.prev != digest:
        raise NotAnEntry("does not follow from the line before it: one of the two is not the original")
    if last and entry.at < last.at:
        raise NotAnEntry(f"is of {entry.at}, before the line above it ({last.at})")
    return entry
