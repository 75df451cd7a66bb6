"""Files that are whole or not there: written aside, then swapped in. And one way to write JSON (V3)."""

from __future__ import annotations

import contextlib
import fcntl
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


def to_disk(handle: int) -> None:
    """Wait until what was written to an open file is on the disk; on macOS fsync alone leaves it in the drive's memory."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with contextlib.suppress(OSError):  # a file system that does not know it
            fcntl.fcntl(handle, full)
            return
    os.fsync(handle)


def folder_to_disk(folder: Path) -> None:
    """The same for the names in a folder: a file swapped in stands there after a power cut only once its folder was flushed."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        to_disk(handle)
    finally:
        os.close(handle)


def confirm(folder: Path) -> None:
    """`folder_to_disk` of a folder into which something was swapped; SiiqError where it fails."""
    try:
        folder_to_disk(folder)
    except OSError as error:
        raise SiiqError(f"what was swapped in there is whole, but the disk has not confirmed it ({error.strerror})", file=folder.name,
                        remedy="free some space, look at the disk, then run it again") from error


def make_folder(folder: Path) -> None:
    """A folder and those above it, every one that was made known to the disk."""
    made = [x for x in (folder, *folder.parents) if not x.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for new in made:
        folder_to_disk(new.parent)


def unwritable(name: str, error: OSError) -> SiiqError:
    """The refusal of a file that cannot be written."""
    return SiiqError(f"cannot be written ({error.strerror or error})", file=name, remedy="free some space or permit writing; the earlier file is untouched")


def clear_asides(folder: Path, name: str = "*") -> None:
    """Remove what a killed run left in a folder between writing aside and swapping in. For the one writer of these files only.

    Parameters
    ----------
    name : of the files, as a glob pattern; all where it is not given
    """
    for left_over in folder.glob(f".{name}.*.aside"):
        left_over.unlink(missing_ok=True)


def replace_bytes(path: Path, content: bytes) -> None:
    """`replace_all` of one file."""
    replace_all({path: content})


def replace_all(files: Mapping[Path, bytes]) -> None:
    """Write every file aside in its own folder, flush it to the disk, and only then swap them in; when this returns they stand there for good.

    Raises
    ------
    SiiqError
        A folder cannot be written to or the disk is full; what stood there is untouched.
    """
    aside: list[tuple[Path, Path]] = []
    try:
        for path, content in files.items():
            try:
                aside.append((_written_aside(path, content), path))
            except OSError as error:
                raise unwritable(path.name, error) from error
        for beside, path in aside:
            try:
                os.replace(beside, path)
            except OSError as error:
                raise unwritable(path.name, error) from error
        for folder in dict.fromkeys(path.parent for path in files):
            confirm(folder)
    finally:
        for beside, _ in aside:
            beside.unlink(missing_ok=True)


def _written_aside(path: Path, content: bytes) -> Path:
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".aside")
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            to_disk(stream.fileno())
        os.chmod(aside, 0o644)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return aside


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
