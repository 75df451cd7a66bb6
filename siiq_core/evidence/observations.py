"""The evidence store: every row of every snapshot, as raw cells. Nothing is collapsed.

    data/observations/<source>/<day>.csv    file, line, key, row (one JSON object of raw cells by the source's headers)
    data/observations/<source>/<day>.json   address, SHA-256, size, rows and headers of every file, and of the snapshot
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import pydantic
from pydantic import Field

from siiq_core.errors import SourceError
from siiq_core.evidence.numbers import iso_day
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.table import Table, file_spec
from siiq_core.files import canonical_bytes, csv_bytes, replace_bytes, sha256
from siiq_core.params.loader import Strict
from siiq_core.params.sources import Day, SourceSpec
from siiq_core.records import Observation, Snapshot, SourceFile

HEADER = ("file", "line", "key", "row")
MAX_BYTES = 100_000_000  # a stored file larger than this is damage; what a source may bring is bounded in params/sources.yml
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _File(Strict):
    name: str
    url: str
    copy_url: str = Field(alias="copy")  # the public copy it was read from, "" where the address itself is pinned
    sha256: Digest
    size: int = Field(ge=0)
    rows: int = Field(ge=0)
    columns: tuple[str, ...]


class _Sidecar(Strict):
    source: str
    snapshot: Day
    sha256: Digest  # of the publisher's files
    rows_sha256: Digest  # of the rows beside it, in their canonical order
    files: tuple[_File, ...]


# --- from files to a snapshot -----------------------------------------------------------------------------------------

def build_snapshot(reader: Adapter, files: Mapping[str, bytes], day: str) -> Snapshot:
    """The parsed files as one snapshot; SourceError (U6a) where a file cannot be read."""
    facts, observations = {}, []
    for name in sorted(files):
        try:
            table = reader.parse(name, files[name])
        except RecursionError as error:  # in a parser, or in what makes a cell of a value
            raise SourceError("is nested too deeply", file=name, remedy="get the file again") from error
        kept = _observations(table, reader.spec, day)
        facts[name] = SourceFile(name, reader.spec.file_address(day, name), sha256(files[name]), len(files[name]),
                                 len(kept), table.headers, reader.spec.copy_address(day, name))
        observations += kept
    return Snapshot(reader.spec.id, day, snapshot_sha256(files), facts, tuple(sorted(observations, key=_canonical)))


def snapshot_sha256(files: Mapping[str, bytes]) -> str:
    """SHA-256 over the sorted (member name, bytes); each name and content with its length before it, so that no two
    sets of files read alike."""
    digest = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode("utf-8"), files[name]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _observations(table: Table, spec: SourceSpec, day: str) -> list[Observation]:
    file = file_spec(table.name, spec)
    keep = set(file.keep)
    kept = tuple(header for header in table.headers if header in keep)  # in the publisher's order
    return [
        Observation(spec.id, day, table.name, line, row_key(table.name, row, spec), {h: row[h] for h in kept if h in row})
        for line, row in enumerate(table.rows, start=1) if file.wanted(row)
    ]


def row_key(name: str, row: Mapping[str, str], spec: SourceSpec) -> str:
    """data.md, Duplicates: version, name at the origin, effort column, filter columns, all trimmed; a JSON list."""
    file = file_spec(name, spec)
    roles = (*spec.columns.name, *spec.columns.origin_name, *spec.columns.effort)
    parts = dict.fromkeys((*(c for c in roles if c in file.keep), *file.key, *file.key_if_present))
    return _json([row.get(column, "").strip() for column in parts])


def evidence_id(observation: Observation) -> str:
    """Known by what the row says: first 16 hexadecimal digits of the SHA-256 over source, file and raw cells."""
    return sha256(_json([observation.source, observation.file, dict(sorted(observation.row.items()))]).encode("utf-8"))[:16]


def _canonical(observation: Observation) -> tuple[str, str, str, int]:
    return observation.file, observation.key, _json(dict(sorted(observation.row.items()))), observation.line


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- the store ---------------------------------------------------------------------------------------------------------

def write_snapshot(snapshot: Snapshot, root: Path) -> Path:
    """Both files of the store. Another content under a day that is taken is refused: snapshots are never overwritten."""
    path = _folder(snapshot.source, root) / f"{snapshot.day}.csv"
    if path.with_suffix(".json").is_file():
        there = _sidecar(path.with_suffix(".json"), snapshot.source, snapshot.day)
        if there.sha256 != snapshot.sha256:
            raise SourceError("another content stands under this day already", file=path.name, value=there.sha256,
                              remedy="give the new snapshot another day; to replace the old one, remove its two files first")
    for suffix, content in stored_bytes(snapshot).items():
        replace_bytes(path.with_suffix(suffix), content)
    return path


def stored_bytes(snapshot: Snapshot) -> dict[str, bytes]:
    """What a stored snapshot's two files hold, by suffix: the rows (.csv), then the sidecar (.json)."""
    files = [{"name": f.name, "url": f.url, "copy": f.copy, "sha256": f.sha256,
              "size": f.size, "rows": f.rows, "columns": list(f.columns)} for _, f in sorted(snapshot.files.items())]
    rows = _rows_bytes(snapshot.observations)
    sidecar = {"source": snapshot.source, "snapshot": snapshot.day, "sha256": snapshot.sha256, "rows_sha256": sha256(rows), "files": files}
    return {".csv": rows, ".json": canonical_bytes(sidecar)}


def _rows_bytes(observations: Sequence[Observation]) -> bytes:
    return csv_bytes(HEADER, ((o.file, o.line, o.key, _json(o.row)) for o in observations))


def snapshots(source: str, root: Path) -> tuple[str, ...]:
    """Days of the stored snapshots of a source, oldest first."""
    found = {path.stem for path in _folder(source, root).glob("*") if path.suffix in (".csv", ".json")}  # half a snapshot is damage, not absence
    return tuple(sorted(day for day in found if iso_day(day)))


def load_snapshot(source: str, day: str, root: Path) -> Snapshot:
    """A stored snapshot, whatever the order of its rows; SourceError with file and row where the store is damaged."""
    return read_snapshot(_folder(source, root) / f"{day}.csv", source, day)


def read_snapshot(path: Path, source: str, day: str) -> Snapshot:
    """The same from any folder: `path` is the CSV, its sidecar stands beside it."""
    sidecar = _sidecar(path.with_suffix(".json"), source, day)
    facts = {f.name: SourceFile(f.name, f.url, f.sha256, f.size, f.rows, f.columns, f.copy_url) for f in sidecar.files}
    observations, content = [], _bytes(path)
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        if tuple(next(reader, ())) != HEADER:
            raise _damaged(path, 0, f"its headers are not {', '.join(HEADER)}")
        for number, cells in enumerate(filter(None, reader), start=1):
            observations.append(_stored(cells, facts, source, day, path, number))
    except (csv.Error, UnicodeDecodeError) as error:
        raise _damaged(path, None, f"is no valid CSV ({error})") from error
    for name, file in facts.items():
        if len({o.line for o in observations if o.file == name}) < file.rows:
            raise _damaged(path, None, f"holds fewer rows of {name} than the {file.rows} that were read")
    ordered = tuple(sorted(observations, key=_canonical))
    if sidecar.rows_sha256 not in (sha256(content), sha256(_rows_bytes(ordered))):  # the second where only their order or line ends are others
        raise _damaged(path, None, "its rows are not those that were stored", "rows_sha256", sidecar.rows_sha256)
    return Snapshot(source, day, sidecar.sha256, facts, ordered)


def _stored(cells: list[str], facts: Mapping[str, SourceFile], source: str, day: str, path: Path, number: int) -> Observation:
    if len(cells) != len(HEADER):
        raise _damaged(path, number, f"has {len(cells)} cells, not {len(HEADER)}")
    name, line, key, text = cells
    if name not in facts:
        raise _damaged(path, number, "names a file that the sidecar does not", "file", name)
    if not line.isascii() or not line.isdecimal() or not 1 <= int(line[:12]) <= 10**9:
        raise _damaged(path, number, "is no row number", "line", line)
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, number, "is no JSON", "row", text) from error
    if not isinstance(row, dict) or not all(isinstance(cell, str) for cell in row.values()):
        raise _damaged(path, number, "is no object of text cells", "row", text)
    unknown = next((column for column in row if column not in facts[name].columns), None)
    if unknown is not None:
        raise _damaged(path, number, f"holds a cell under a header that {name} does not have", "row", unknown)
    return Observation(source, day, name, int(line), key, row)


def _sidecar(path: Path, source: str, day: str) -> _Sidecar:
    try:
        found = _Sidecar.model_validate_json(_bytes(path))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        raise _damaged(path, None, first["msg"], ".".join(map(str, first["loc"]))) from error
    if (found.source, found.snapshot) != (source, day):
        raise _damaged(path, None, f"speaks of {found.source} {found.snapshot}")
    return found


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:  # one byte over the bound is enough to refuse it
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _damaged(path, None, f"cannot be read ({error.strerror})") from error
    if len(content) > MAX_BYTES:
        raise _damaged(path, None, f"is larger than {MAX_BYTES} bytes")
    return content


def _damaged(path: Path, row: int | None, what: str, column: str | None = None, value: object = None) -> SourceError:
    return SourceError(f"the evidence store: {what}", file=f"{path.parent.name}/{path.name}", row=row, column=column, value=value,
                       remedy="import the snapshot again, or restore the file from version control")


def _folder(source: str, root: Path) -> Path:
    return root / "data" / "observations" / source
