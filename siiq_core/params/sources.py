"""params/sources.yml: where results come from, what is kept of each file, and under which licence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Annotated, Literal
from urllib.parse import quote

import pydantic
from pydantic import Field

from siiq_core.errors import ParameterError
from siiq_core.params.loader import Strict, load_yaml, nearest
from siiq_core.params.providers import ProviderRules

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description='an ISO day in quotes, such as "2026-07-31"')]
Address = Annotated[str, Field(pattern=r"^https://[^\s<>\"]+$", description="an https address")]
Columns = tuple[Annotated[str, Field(min_length=1)], ...]


class Bounds(Strict):
    """What an outside file may be at the most."""

    file_bytes: int = Field(ge=1_000, le=100_000_000, description="bytes, 1000 to 100000000")
    rows: int = Field(ge=10, le=1_000_000, description="rows, 10 to 1000000")
    columns: int = Field(ge=2, le=10_000, description="columns, 2 to 10000")
    cell_characters: int = Field(ge=100, le=100_000, description="characters, 100 to 100000")
    largest_n: int = Field(ge=100, le=10_000_000, description="questions, 100 to 10000000")


class Meanings(Strict):
    """Which headers mean what in the files of a source; of several the first that a file has counts."""

    name: Columns = Field(min_length=1)  # version id, or the model's name as the source writes it
    origin_name: Columns = ()  # name at the origin of a relayed number
    effort: Columns = ()  # setting, where it has a column of its own
    run_date: Columns = ()
    attempts: Columns = ()  # a zero here means that nothing was run
    claim: Columns = ()  # cells that say who reported the number (E1); all of them are looked at
    provider: Columns = ()  # who hosted the model (P3)
    asked: Columns = ()  # questions asked over all runs (P3)


class FileSpec(Strict):
    """One file of a source: the columns that must be there, and those that are kept."""

    key: Columns = Field(min_length=1)
    key_if_present: Columns = ()
    keep: Columns = Field(min_length=1)
    only: Mapping[str, Columns] = {}  # column → cells: rows that show another cell there are not kept
    also_named: Columns = ()  # other names it is imported under; "*" stands for any characters but "/"

    @pydantic.model_validator(mode="after")
    def _keys_are_kept(self) -> "FileSpec":
        lost = [column for column in (*self.key, *self.key_if_present, *self.only) if column not in self.keep]
        if lost:
            raise ValueError(f"key columns must be kept too: {', '.join(lost)}")
        return self

    def wanted(self, row: Mapping[str, str]) -> bool:
        """Is the row one that is kept? Cells are compared after trimming."""
        return all(row.get(column, "").strip() in cells for column, cells in self.only.items())


class Copy(Strict):
    """The public copy that a shipped snapshot was read from: a file of a repository, or a member of an archive in it."""

    repository: str = Field(default="", pattern=r"^([\w.-]+/[\w.-]+)?$", description="owner/name")
    commit: str = Field(default="", pattern=r"^([0-9a-f]{40})?$", description="40 hexadecimal digits")
    path: str = ""  # with {name} for the file's name; "" where the publisher's own pinned address is enough
    member: str = ""  # path inside the archive, where `path` is one, or inside the package
    package: str = Field(default="", pattern=r"^(pkg:pypi/[a-z0-9.-]+@[0-9.]+)?$", description="a package by its purl, such as pkg:pypi/name@1.2.3")

    @pydantic.model_validator(mode="after")
    def _one_kind(self) -> "Copy":
        if bool(self.package) == bool(self.repository) or bool(self.repository) != bool(self.commit):
            raise ValueError("name either a repository with its commit, or a package")
        return self


class Claims(Strict):
    """How a source cell shows that the developer reported the number (E1)."""

    words: Columns
    hosts: Columns

    def made_by_developer(self, cell: str) -> bool:
        """True where `cell`, a source's name or address, shows the developer's own claim."""
        text = cell.strip().lower()
        if any(word in text for word in self.words):
            return True
        host = re.match(r"https?://([^/:?#\s]+)", text)
        return bool(host) and any(host[1] == known or host[1].endswith("." + known) for known in self.hosts)


class Common(Strict):
    """What holds for every source."""

    bounds: Bounds
    missing: tuple[str, ...]
    developer_claims: Claims


class SourceSpec(Strict):
    """One publisher."""

    name: str
    url: Address  # a page for readers
    license: str
    license_url: Address
    attribution: str
    adapter: Literal["epoch", "aider", "bfcl", "openrouter", "arena", "litellm", "modelsdev", "none"]
    leaving: Literal["remove_after_6h", "keep_last"]  # U8
    archived: bool
    window_days: int | None = Field(default=None, ge=1, le=3650, description="days, 1 to 3650")  # that its files reach back, as it says itself; told to readers
    address: Address  # publisher's address of a file, with {name}, and {day} where a file has a day in its address
    pinned: Address | None = None  # the same at a commit, with {commit} and {name}
    columns: Meanings
    percent_sign: Columns = ()  # T4
    providers: ProviderRules | None = None  # P3, where a model stands once per hosting provider
    files: Mapping[str, FileSpec]
    snapshots: Mapping[Day, Copy]
    id: str = ""  # these two are filled in on loading
    common: Common | None = None

    @pydantic.model_validator(mode="after")
    def _headers_are_kept(self) -> "SourceSpec":
        """A header that no file keeps would silently mean nothing."""
        kept = {column for file in self.files.values() for column in file.keep}
        named = {**{f"columns.{role}": columns for role, columns in self.columns if role in Meanings.model_fields}, "percent_sign": self.percent_sign}
        for where, columns in named.items():
            for column in columns:
                if column not in kept:
                    raise ValueError(f"{where}: no file keeps a column {column!r}; {nearest(column, list(kept))}")
        return self

    @pydantic.model_validator(mode="after")
    def _slots_are_known(self) -> "SourceSpec":
        slots = {"address": (self.address, {"name", "day"}), "pinned": (self.pinned or "", {"commit", "name"}),
                 **{f"snapshots.{day}": (copy.path + copy.member, {"name"}) for day, copy in self.snapshots.items()}}
        for where, (text, known) in slots.items():
            if odd := set(re.findall(r"\{[^{}]*\}|[{}]", text)) - {f"{{{slot}}}" for slot in known}:
                raise ValueError(f"{where}: no such slot: {', '.join(sorted(odd))}")
        return self

    def file_address(self, day: str, name: str) -> str:
        """The publisher's address of a file, pinned to a commit where the publisher keeps one."""
        if self.pinned and day in self.snapshots and self.snapshots[day].commit and not self.snapshots[day].path:
            return self.pinned.format(commit=self.snapshots[day].commit, name=quote(name))
        return self.address.format(name=quote(name), day=day)

    def copy_address(self, day: str, name: str) -> str:
        """The public copy a shipped file was read from; "" where there is none or the publisher's address is pinned."""
        copy = self.snapshots.get(day)
        if copy is not None and copy.package:
            return f"{copy.package}#{quote(copy.member.format(name=name))}"
        if copy is None or not copy.path:
            return ""
        address = f"https://raw.githubusercontent.com/{copy.repository}/{copy.commit}/{quote(copy.path.format(name=name))}"
        return f"{address}#{quote(copy.member.format(name=name))}" if copy.member else address

    def member(self, path: PurePath) -> str | None:
        """The name inside a snapshot of a file on the disk, by the end of its path; None where the source has no such file."""
        for depth in range(1, len(path.parts) + 1):
            tail = "/".join(path.parts[-depth:])
            if self.file(tail) is not None:
                return tail
            if name := next((name for name, file in self.files.items() if any(_like(tail, x) for x in file.also_named)), None):
                return name
        return None

    def file(self, name: str) -> FileSpec | None:
        """What is said of a file by its name inside a snapshot; "*" in `files` stands for any characters but "/"."""
        return self.files.get(name) or next((file for pattern, file in self.files.items() if _like(name, pattern)), None)


def _like(name: str, pattern: str) -> bool:
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


class _File(Common):
    sources: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")], SourceSpec]


def load_sources(root: Path) -> dict[str, SourceSpec]:
    """Every source by its id, in the order of params/sources.yml."""
    file = load_yaml(root / "params" / "sources.yml", _File)
    common = Common(bounds=file.bounds, missing=file.missing, developer_claims=file.developer_claims)
    return {key: spec.model_copy(update={"id": key, "common": common}) for key, spec in file.sources.items()}


def source_spec(source: str, sources: Mapping[str, SourceSpec]) -> SourceSpec:
    """The named source; an unknown one is a ParameterError with the nearest known name."""
    if source not in sources:
        raise ParameterError("no such source", file="sources.yml", value=source, remedy=nearest(source, list(sources)))
    return sources[source]
