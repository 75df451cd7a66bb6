"""A state that was reached by reading the ledger up to some entry, kept so that the next run reads only what came after.

It is a cache and never evidence. It counts only if it is whole (its own SHA-256), was made by the same code with the same
parameters (a text of the caller's), and the entry it ends with stands in the ledger at that very byte with that SHA-256,
which one seek shows. Anything else is no checkpoint, and the whole ledger is read again: the result is the same, only later.

The file: a line with the SHA-256 of all that follows, a line of JSON with the fingerprint and the place, the state's bytes.
"""

from __future__ import annotations

import json
from pathlib import Path

from siiq_core.files import clear_asides, json_line, replace_bytes, sha256
from siiq_core.gate.entry import Head
from siiq_core.gate.ledger import Ledger

MOST_BYTES = 500_000_000  # of a checkpoint; a larger file is none


def save(path: Path, head: Head, fingerprint: str, state: bytes) -> None:
    """Keep `state`, reached at `head`; written aside and swapped in. To be called by the ledger's one writer.

    Parameters
    ----------
    fingerprint : of the code and the parameters that made the state; compared as it is

    Raises
    ------
    SiiqError
        It cannot be written. The earlier one stays, and nothing is lost but time.
    """
    clear_asides(path.parent, path.name)
    content = json_line({"fingerprint": fingerprint, "n": head.n, "offset": head.offset, "sha256": head.sha256}).encode("utf-8") + state
    replace_bytes(path, sha256(content).encode("ascii") + b"\n" + content)


def load(path: Path, ledger: Ledger, fingerprint: str) -> tuple[Head, bytes] | None:
    """The place and the state kept at `path`; None where there is none that may be used with this ledger and fingerprint."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        digest, _, content = path.read_bytes().partition(b"\n")
        if digest != sha256(content).encode("ascii"):
            return None
        first, _, state = content.partition(b"\n")
        said = json.loads(first)
        head = Head(said["n"], said["sha256"], said["offset"])
        same = said["fingerprint"] == fingerprint
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return (head, state) if same and ledger.stands(head) else None
