"""JSON of a publisher, within bounds; every number stays the text it was written as, so that cells are raw."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from siiq_core.errors import SourceError
from siiq_core.evidence.sources.table import decode
from siiq_core.params.sources import SourceSpec


def read_json(name: str, content: bytes, spec: SourceSpec) -> Any:
    """The file's value: objects, lists, text (numbers too), True, False and None.

    Raises
    ------
    SourceError
        Too large, no valid JSON, nested too deeply, a name twice in one object, or NaN, which is no JSON (U6a).
    """
    text = decode(name, content, spec)
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=_no_number, object_pairs_hook=_object)
    except RecursionError as error:
        raise SourceError("is nested too deeply", file=name, remedy="get the file again") from error
    except json.JSONDecodeError as error:
        raise SourceError(f"is no valid JSON ({error.msg})", file=name, row=error.lineno, remedy="get the file again") from error
    except _Refused as error:
        raise SourceError(str(error), file=name, column=error.key, remedy="get the file again") from error


class _Refused(ValueError):
    def __init__(self, what: str, key: str) -> None:
        self.key = key
        super().__init__(what)


def _no_number(text: str) -> Any:
    raise _Refused("holds a number that JSON does not know", text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _Refused("a name stands twice in one object", next(key for key, _ in pairs if key in seen or seen.add(key)))
    return found


def gunzip(name: str, content: bytes, spec: SourceSpec) -> bytes:
    """The bytes that a gzip file packs, at most the bound file_bytes; nothing may follow them."""
    bound = spec.common.bounds.file_bytes
    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(content, bound + 1)
    except zlib.error as error:
        raise SourceError(f"is no valid gzip ({error})", file=name, remedy="get the file again") from error
    if len(found) > bound:
        raise SourceError(f"unpacks to more than the bound file_bytes = {bound}", file=name,
                          remedy="raise the bound in params/sources.yml if the file is sound")
    if not unpacking.eof or unpacking.unused_data:
        raise SourceError("is a gzip file cut short, or one with something behind it", file=name, remedy="get the file again")
    return found


def cell(value: Any) -> str:
    """A value as a cell: text as it is, nothing as "", a list or an object as compact JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Every value of an object as a cell."""
    return {key: cell(value) for key, value in row.items()}


def an_object(value: Any, name: str, what: str, row: int | None = None) -> dict[str, Any]:
    """`value` where it is an object; SourceError (U6a) saying what it should have been."""
    if not isinstance(value, dict):
        raise SourceError(f"{what} is no object of names and values (U6a)", file=name, row=row, value=cell(value)[:80], remedy="get the file again, or mend its reader")
    return value


def a_list(value: Any, name: str, what: str) -> list[Any]:
    """`value` where it is a list; SourceError (U6a) saying what it should have been."""
    if not isinstance(value, list):
        raise SourceError(f"{what} is no list (U6a)", file=name, value=cell(value)[:80], remedy="get the file again, or mend its reader")
    return value
