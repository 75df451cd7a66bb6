"""A publisher's file as rows of raw cells: bounded, decoded, and refused by name where it cannot be read (U6a)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from siiq_core.errors import SourceError
from siiq_core.params.loader import nearest
from siiq_core.params.sources import FileSpec, SourceSpec

# "Nova-1;0" beside "71": a table with ";" between cells and a comma in its numbers, cut at the commas.
_CUT_AT_DECIMAL_COMMA = re.compile(r";\s*[+-]?\d+\s*\Z")


_HALF = "holds half a character (a surrogate without its other half), so it is no text"


@dataclass(frozen=True, slots=True)
class Table:
    """One file: its headers and its data rows, cell by cell as the publisher wrote them."""

    name: str
    headers: tuple[str, ...]
    rows: tuple[dict[str, str], ...]


def decode(name: str, content: bytes, spec: SourceSpec) -> str:
    """The file's text, without a byte-order mark; too large, not UTF-8 or with NUL characters: refused."""
    bounds = spec.common.bounds
    if len(content) > bounds.file_bytes:
        raise SourceError(f"larger than the bound file_bytes = {bounds.file_bytes}", file=name, value=len(content),
                          remedy="raise the bound in params/sources.yml if the file is sound")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 (byte {error.start})", file=name, remedy="get the file again") from error
    if "\0" in text:
        raise SourceError("holds NUL characters, so it is no text file", file=name, remedy="get the file again")
    return text


def read_csv(name: str, content: bytes, spec: SourceSpec) -> Table:
    """A comma-separated table. BOM, CRLF and quoted line breaks are read; any other delimiter is refused."""
    reader = csv.reader(io.StringIO(decode(name, content, spec), newline=""), strict=True)
    try:
        headers = tuple(next(reader, ()))
        if len(headers) < 2 and any(mark in "".join(headers) for mark in ";\t|"):
            raise SourceError("its cells are not separated by commas", file=name, row=0, value="".join(headers),
                              remedy="save it as comma-separated values, with points in numbers")
        lines = []
        for cells in reader:
            if cells:  # an empty line is no row
                lines.append(cells)
            if len(lines) > spec.common.bounds.rows:
                break  # _table names the bound
    except csv.Error as error:
        raise SourceError(f"is no valid CSV ({error})", file=name, row=reader.line_num, remedy="get the file again") from error
    for number, cells in enumerate(lines, start=1):
        if len(cells) != len(headers):
            raise SourceError(f"has {len(cells)} cells under {len(headers)} headers", file=name, row=number,
                              remedy="quote cells that hold commas; numbers have a decimal point, not a comma")
    return checked(name, headers, (dict(zip(headers, cells)) for cells in lines), spec)


def checked(name: str, headers: tuple[str, ...], rows: Iterable[dict[str, str]], spec: SourceSpec) -> Table:
    """The table, within bounds, with unique headers and all its key columns."""
    bounds, file = spec.common.bounds, file_spec(name, spec)
    if len(headers) > bounds.columns:
        raise SourceError(f"has more than the bound columns = {bounds.columns}", file=name, value=len(headers),
                          remedy="raise the bound in params/sources.yml if the file is sound")
    for header in headers:
        if _no_text(header):
            raise SourceError(_HALF, file=name, row=0, column=header, remedy="get the file again")
        if headers.count(header) > 1:
            raise SourceError("a header stands twice", file=name, row=0, column=header, remedy="get the file again")
    for column in file.key:
        if column not in headers:
            raise SourceError("a key column is gone (U6a)", file=name, column=column,
                              remedy=f"{nearest(column, list(headers))} Name the new header in params/sources.yml")
    kept = []
    for number, row in enumerate(rows, start=1):
        if number > bounds.rows:
            raise SourceError(f"has more than the bound rows = {bounds.rows}", file=name, row=number,
                              remedy="raise the bound in params/sources.yml if the file is sound")
        for column, cell in row.items():
            if len(cell) > bounds.cell_characters:
                raise SourceError(f"a cell is longer than the bound cell_characters = {bounds.cell_characters}", file=name,
                                  row=number, column=column, value=cell, remedy="get the file again")
            if _no_text(cell):
                raise SourceError(_HALF, file=name, row=number, column=column, value=cell, remedy="get the file again")
        cut = next((column for column in file.key if _CUT_AT_DECIMAL_COMMA.search(row.get(column, ""))), None)
        if cut:
            raise SourceError("a cell looks cut at a decimal comma", file=name, row=number, column=cut, value=row[cut],
                              remedy="save it as comma-separated values, with points in numbers")
        kept.append(row)
    if not kept:
        raise SourceError("holds no rows (U6a)", file=name, remedy="get the file again; an empty table is never the newest data")
    return Table(name, headers, tuple(kept))


def _no_text(cell: str) -> bool:
    """JSON and YAML may spell half a surrogate pair, which UTF-8 may not: nothing could write the cell down."""
    return not cell.isascii() and any("\ud800" <= c <= "\udfff" for c in cell)


def file_spec(name: str, spec: SourceSpec) -> FileSpec:
    """What params/sources.yml says of a file; a file it does not name is refused."""
    found = spec.file(name)
    if found is None:
        raise _unknown(name, spec)
    return found


def member_name(path: PurePath, spec: SourceSpec) -> str:
    """The name inside a snapshot of a file on the disk; a file that params/sources.yml does not name is refused."""
    found = spec.member(path)
    if found is None:
        raise _unknown(path.name, spec)
    return found


def _unknown(name: str, spec: SourceSpec) -> SourceError:
    return SourceError(f"is no file that source {spec.id} imports", file=name,
                       remedy=f"{nearest(name, list(spec.files))} Or add it to params/sources.yml")
