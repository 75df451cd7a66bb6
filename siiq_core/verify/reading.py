"""Strict reading of what was published: bounded, canonical, nothing guessed."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import VerificationError

MOST_BYTES = 64 * 1024 * 1024  # a whole index is about 1 MB
INPUTS_NAME = "calibration_inputs.csv"
HEADER = ["slug", "benchmark", "score"]
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")

Inputs = tuple[tuple[str, str, float], ...]  # slug, benchmark, score


def canonical_bytes(value: Any) -> bytes:
    """The one way a value is written: keys sorted, UTF-8, no NaN, one value a line, a line feed at the end."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1, separators=(",", ": "))
    return f"{text}\n".encode()


def sha256(content: bytes) -> str:
    """Hexadecimal SHA-256."""
    return hashlib.sha256(content).hexdigest()


def digest(index: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical bytes without the key ``digest``."""
    return sha256(canonical_bytes({key: value for key, value in index.items() if key != "digest"}))


def read_bytes(path: Path) -> bytes:
    """A file's bytes.

    Raises
    ------
    VerificationError
        There is no such file, or it is larger than the bound.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise VerificationError(f"cannot be read ({error.strerror})", file=path.name, remedy="give the path of a published file") from error
    if len(content) > MOST_BYTES:
        raise VerificationError(f"larger than {MOST_BYTES} bytes", file=path.name, remedy="a published file is far smaller; fetch it anew")
    return content


def parse_index(content: bytes, file: str | None = None) -> dict[str, Any]:
    """The object in `content`; `file` is the name that a refusal gives.

    Raises
    ------
    VerificationError
        It is no UTF-8, no JSON object, has a key twice or a number that is not finite.
    """
    try:
        value = json.loads(content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise VerificationError(f"not strict JSON: {error or type(error).__name__}", file=file, remedy="fetch the file anew") from error
    if not isinstance(value, dict):
        raise VerificationError("not a JSON object", file=file, remedy="give the path of an index.json")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key {ascii(twice)[:80]} stands twice in one object")
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:40]} is not finite")
    return value


def parse_inputs(content: bytes) -> Inputs:
    """The rows of a calibration_inputs.csv, in their order.

    Raises
    ------
    VerificationError
        Naming row and column: no UTF-8, another header, a missing cell, or a score that is no plain number.
    """
    try:
        rows = list(csv.reader(content.decode("utf-8").splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise VerificationError(f"not a CSV table in UTF-8: {error}", file=INPUTS_NAME) from error
    if not rows or rows[0] != HEADER:
        raise VerificationError("another header", file=INPUTS_NAME, value=rows[0] if rows else "", remedy=f"it is {','.join(HEADER)}")
    found = []
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(HEADER) or not row[0] or not row[1]:
            raise VerificationError("a row without its three cells", file=INPUTS_NAME, row=number, value=row)
        if not _NUMBER.fullmatch(row[2]):
            raise VerificationError("not a plain number", file=INPUTS_NAME, row=number, column="score", value=row[2])
        found.append((row[0], row[1], float(row[2])))
    return tuple(found)
