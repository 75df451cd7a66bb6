"""The published data files as they stand: address, size and SHA-256, taken from the files themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from siiq_core.files import sha256
from siiq_core.publish.status import SCRIPT

DESCRIPTION = "datapackage.json"  # says what the others are, and cannot say it of itself


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file below data/."""

    name: str  # address below data/, e.g. "index.json" or "releases/2026-07-31-1.0.0/index.json"
    size: int  # bytes
    sha256: str


def data_file(folder: Path, name: str) -> DataFile:
    """The file `name` of `folder`."""
    content = (folder / name).read_bytes()
    return DataFile(name, len(content), sha256(content))


def listing(folder: Path) -> tuple[DataFile, ...]:
    """Every file of a publication below `folder`, by name; not what changes with every run."""
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return tuple(data_file(folder, name) for name in names if name != SCRIPT)


def current(files: Iterable[DataFile]) -> tuple[DataFile, ...]:
    """Files of this publication: neither a permanent release nor an archived index."""
    return tuple(x for x in files if "/" not in x.name)
