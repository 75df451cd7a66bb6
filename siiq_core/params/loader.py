"""Reads parameter files: YAML or CSV in, validated frozen models out; every error names file, key and line."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pydantic
import yaml

from siiq_core.errors import ParameterError

MAX_BYTES = 4_000_000  # a parameter file larger than this is a mistake, not a parameter file
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, ten times as fast, where PyYAML was built with it
_SHOWN = 60  # known names that a refusal lists
MAX_NODES, MAX_DEPTH = 50_000, 20  # so are more values or deeper nesting, aliases written out


class Strict(pydantic.BaseModel):
    """Base of every parameter model: frozen, no unknown keys, no NaN or infinity."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


M = TypeVar("M", bound=pydantic.BaseModel)


def project_root(start: Path | None = None) -> Path:
    """The folder that holds ``params/method.yml``: `start`, SIIQ_ROOT or the working folder, or one above; where none is named, else beside the package."""
    named = start or os.environ.get("SIIQ_ROOT")
    here = Path(named or Path.cwd()).resolve()
    if named and not here.is_dir():
        raise ParameterError("is no folder", file=str(here), remedy="set SIIQ_ROOT to the project's folder, or unset it and run inside")
    beside = () if named else (Path(__file__).resolve().parents[2],)  # who names a project does not mean another one
    for folder in (here, *here.parents, *beside):
        if (folder / "params" / "method.yml").is_file():
            return folder
    raise ParameterError("no project found", file=str(here), remedy="run inside the project's folder, or set SIIQ_ROOT to it")


def read_text(path: Path) -> str:
    """The file as text; a missing, oversized or non-UTF-8 file is a ParameterError. No more of it is read than may be used."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ParameterError(f"cannot be read ({error.strerror})", file=path.name or str(path), remedy="restore the file, or name one that is there") from error
    if len(raw) > MAX_BYTES:
        raise ParameterError(f"larger than {MAX_BYTES} bytes", file=path.name, remedy="keep parameter files small")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParameterError("is not UTF-8", file=path.name, remedy="save the file as UTF-8") from error


def load_yaml(path: Path, model: type[M]) -> M:
    """One YAML mapping as `model`."""
    values, lines = parse_yaml(read_text(path), path.name)
    return validate(values, model, path.name, lines)


def parse_yaml(text: str, name: str) -> tuple[dict[str, Any], dict[tuple, int]]:
    """A YAML mapping and the line of every key path. Duplicate keys are refused (YAML itself keeps the last)."""
    try:
        try:
            return _parsed(text, name, _YAML)
        except yaml.YAMLError:
            return _parsed(text, name, yaml.SafeLoader)  # whose words for what is wrong are the same on every machine
    except (ValueError, TypeError, RecursionError, AttributeError) as error:  # what PyYAML lets through: !!int abc, odd keys, loops
        raise ParameterError(f"is no plain YAML ({type(error).__name__})", file=name, row=1, remedy="write 'name: value' lines") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise ParameterError(f"is no valid YAML ({getattr(error, 'problem', error)})", file=name,
                             row=mark.line + 1 if mark else None, remedy="mend the syntax on that line") from error


def _parsed(text: str, name: str, loader: type[Any]) -> tuple[dict[str, Any], dict[tuple, int]]:
    lines: dict[tuple, int] = {}
    reader = loader(text)
    try:
        node = reader.get_single_node()
        _walk(node, (), lines, name)
        values = None if node is None else reader.construct_document(node)
    finally:
        reader.dispose()
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ParameterError("is no mapping of keys to values", file=name, row=1, remedy="write 'key: value' lines")
    return values, lines


def _walk(node: yaml.Node | None, path: tuple, lines: dict[tuple, int], name: str) -> None:
    if len(lines) > MAX_NODES or len(path) > MAX_DEPTH:  # aliases of aliases grow without bound
        raise ParameterError(f"holds more than {MAX_NODES} values or {MAX_DEPTH} levels", file=name, row=node.start_mark.line + 1 if node else 1,
                             remedy="write plain values, without nested aliases")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, key.value)
            if here in lines:
                raise ParameterError("key stands twice", file=name, row=key.start_mark.line + 1,
                                     column=".".join(map(str, here)), remedy="keep one of the two")
            lines[here] = key.start_mark.line + 1
            _walk(value, here, lines, name)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            lines[(*path, number)] = value.start_mark.line + 1
            _walk(value, (*path, number), lines, name)


def validate(values: dict[str, Any], model: type[M], name: str, lines: dict[tuple, int]) -> M:
    """`values` as `model`; the first thing wrong is named with its key and line."""
    try:
        return model.model_validate(values)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        path = tuple(first["loc"])
        line = next((lines[path[:k]] for k in range(len(path), 0, -1) if path[:k] in lines), None)
        raise ParameterError(
            first["msg"].removeprefix("Value error, "), file=name, row=line, column=".".join(map(str, path)) or "(whole file)",
            value=None if first["type"] == "missing" else first.get("input"), remedy=_remedy(first, model),
        ) from error


def with_numbers(base: M, changes: Mapping[str, Any], known: Sequence[str]) -> M:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    for name in changes:
        if name not in known:
            raise ParameterError("unknown parameter", column=name, value=changes[name], remedy=nearest(name, list(known)))
    return validate({**base.model_dump(by_alias=True), **changes}, type(base), "parameters given", {})


def _remedy(first: dict[str, Any], model: type[pydantic.BaseModel]) -> str:
    if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
        return nearest(str(first["loc"][-1]), list(model.model_fields))
    if first["type"] == "missing":
        return "add the key"
    field = model.model_fields.get(str(first["loc"][0])) if first["loc"] else None
    return (field.description if field and field.description else "") or "give a value of that kind and range"


def nearest(word: str, known: list[str]) -> str:
    """The remedy for an unknown name: the nearest known one, or the list."""
    import difflib

    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    shown = sorted(known)[:_SHOWN]
    return f"did you mean {folded[close[0]]!r}?" if close else "known names: " + ", ".join(shown) + (f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else "")


def load_csv(path: Path, model: type[M]) -> tuple[M, ...]:
    """Every row of a CSV file as `model`, in file order; blank cells are left to the model's defaults."""
    return parse_csv(read_text(path), path.name, model)


def parse_csv(text: str, name: str, model: type[M]) -> tuple[M, ...]:
    """The same from the file's text."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        header = reader.fieldnames or []
        if not header:
            raise ParameterError("is empty", file=name, row=0, remedy="restore the file; its first line names the columns")
        rows = []
        for number, cells in enumerate(reader, start=1):
            if None in cells or None in cells.values():
                raise ParameterError("has not as many cells as the header", file=name, row=number,
                                     remedy="quote cells that hold commas")
            rows.append(_row(cells, model, name, number))
    except csv.Error as error:
        raise ParameterError(f"is no valid CSV ({error})", file=name, row=reader.line_num,
                             remedy="mend the quoting on that line") from error
    if len(set(header)) != len(header):
        raise ParameterError("a header stands twice", file=name, row=0, remedy="keep one of the two")
    return tuple(rows)


def _row(cells: dict[str, str], model: type[M], name: str, number: int) -> M:
    filled = {key.strip(): value.strip() for key, value in cells.items() if value.strip()}
    try:
        return model.model_validate(filled)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        column = ".".join(map(str, first["loc"])) or "(whole row)"
        raise ParameterError(first["msg"].removeprefix("Value error, "), file=name, row=number, column=column,
                             value=cells.get(column), remedy=_remedy(first, model)) from error
