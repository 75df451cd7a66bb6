"""A judgement kept, so that a content which is still there is not read and judged again every hour.

    data/live/judged/<source>.json    the newest judgement of a source: its key, what it came to, the SHA-256 of both

A judgement follows from the stored rows, the reader's code and the parameters, and from nothing else; its key is the
SHA-256 of all of these, so that what is judged otherwise today has another key. A file that is missing, torn or of another
key is as good as none: the content is judged, and the file written anew. Only a judgement that lets all of a content through
is kept; one that stops a benchmark (U6b) is looked at anew each time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pydantic

import siiq_core
from siiq_core.evidence.live.desk import Desk
from siiq_core.evidence.live.judging import Judged
from siiq_core.files import canonical_bytes, replace_bytes, with_digest

_ROOMS = ("evidence", "params", "errors.py", "files.py", "locks.py", "records.py")  # of the package: all that reading and judging call


def key_of(desk: Desk, source: str, stored: Path) -> str | None:
    """SHA-256 of all that the judgement of stored rows follows from; None where they are not there.

    Parameters
    ----------
    stored : the CSV of the rows; its sidecar stands beside it
    """
    try:
        rows = [stored.name.encode("utf-8"), stored.read_bytes(), stored.with_suffix(".json").read_bytes()]
    except OSError:
        return None
    models = [*desk.sources.values(), *desk.benchmarks, desk.prices]
    return _digest([_code(), source.encode("utf-8"), *desk.sources, *(x.model_dump_json() for x in models), *rows])


def kept(desk: Desk, source: str, key: str) -> Judged | None:
    """The judgement under this key; None where none is kept."""
    try:
        said = json.loads(_path(desk, source).read_bytes())
        judged = Judged((), said["rows"], said["kept_share"], tuple(said["notes"]))
        same = said == _said(key, judged)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return judged if same else None


def keep(desk: Desk, source: str, key: str, judged: Judged) -> None:
    """Keep a judgement, in place of the source's earlier one."""
    if not judged.frozen:
        replace_bytes(_path(desk, source), canonical_bytes(_said(key, judged)))


def _said(key: str, judged: Judged) -> dict[str, object]:
    return with_digest({"key": key, "rows": judged.rows, "kept_share": judged.kept_share, "notes": list(judged.notes)})


def _path(desk: Desk, source: str) -> Path:
    return desk.folder / "judged" / f"{source}.json"


def _digest(parts: Iterable[str | bytes]) -> str:
    """Each part with its length before it, so that no two lists read alike."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8") if isinstance(part, str) else part
        found.update(len(content).to_bytes(8, "big") + content)
    return found.hexdigest()


@functools.cache
def _code() -> str:
    """SHA-256 of the code that reads and judges, and of what it stands on."""
    home = Path(siiq_core.__file__).parent
    paths = [path for name in _ROOMS for path in ([home / name] if name.endswith(".py") else sorted((home / name).rglob("*.py")))]
    named = (part for path in paths for part in (path.relative_to(home).as_posix(), path.read_bytes()))
    return _digest([sys.version, pydantic.VERSION, *named])
