"""Files that are whole or not there: written aside, then swapped in. And one way to write JSON (V3)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import SiiqError


def canonical_bytes(value: Any) -> bytes:
    """JSON that is the same bytes for the same value: keys sorted, UTF-8, no NaN, one value a line."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1, separators=(",", ": "))
    return (text + "\n").encode("utf-8")


def json_line(value: Any) -> str:
    """One line of a JSON-lines file, in the same manner."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def sha256(content: bytes) -> str:
    """Hexadecimal SHA-256."""
    return hashlib.sha256(content).hexdigest()


def with_digest(value: Mapping[str, Any]) -> dict[str, Any]:
    """`value` with the key ``digest``: SHA-256 of its canonical bytes without that key."""
    bare = {key: item for key, item in value.items() if key != "digest"}
    return {**bare, "digest": sha256(canonical_bytes(bare))}


def replace_bytes(path: Path, content: bytes) -> None:
    """Write `content` aside in the same folder, flush it to the disk, then swap it in.

    Raises
    ------
    SiiqError
        The folder cannot be written to or the disk is full; what stood at `path` is untouched.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".aside")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(aside, 0o644)
            os.replace(aside, path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SiiqError(f"cannot be written ({error.strerror})", file=path.name,
                        remedy="free some space or permit writing; the earlier file is untouched") from error


def replace_all(files: Mapping[Path, bytes]) -> None:
    """Several files as `replace_bytes` writes one: all are on the disk aside before the first is swapped in."""
    aside: list[tuple[Path, Path]] = []
    try:
        for path, content in files.items():
            beside = path.with_name(f".{path.name}.{os.getpid()}.new")
            replace_bytes(beside, content)  # leaves nothing behind where it fails
            aside.append((beside, path))
        for beside, path in aside:
            os.replace(beside, path)
    finally:
        for beside, _ in aside:
            beside.unlink(missing_ok=True)


def replace_json(path: Path, value: Any) -> bytes:
    """Canonical JSON at `path`, as a whole; returns the bytes written."""
    content = canonical_bytes(value)
    replace_bytes(path, content)
    return content


def csv_bytes(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """A CSV file with LF line ends and minimal quoting; floats in their shortest exact form."""
    import csv
    import io

    stream = io.StringIO(newline="")
    plain, quoted = csv.writer(stream, lineterminator="\n"), csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (header, *rows):
        cells = [_cell(x) for x in row]
        # a lone CR would end the row on reading, and the writer does not quote it by itself
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return stream.getvalue().encode("utf-8")


def text_cell(text: str) -> str:
    """Outside text for a table that programs read back (`cell_text`) and people open in a spreadsheet.

    Plain text stays as it is. What a spreadsheet would run as a formula, what would be lost by trimming, and text with
    characters that are not seen (line ends, control and direction marks) is written as a JSON string, in quotation marks.
    """
    hidden = any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in text)
    odd = hidden or text != text.strip() or text[:1] in tuple('"=+-@＝＋－＠')
    return json.dumps(text, ensure_ascii=True) if odd else text


def cell_text(cell: str) -> str:
    """What `text_cell` was given; ValueError where a cell begins with a quotation mark and is no JSON string."""
    if not cell.startswith('"'):
        return cell
    text = json.loads(cell)
    if not isinstance(text, str):
        raise ValueError("is no JSON string")
    return text


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
