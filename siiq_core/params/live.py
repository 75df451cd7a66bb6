"""params/live.yml: how publishers are read in live mode, within which bounds, and at which hosts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from siiq_core import __version__
from siiq_core.errors import ParameterError
from siiq_core.params.loader import Strict, load_yaml, nearest

_SEE = "unit and range stand beside the key in params/live.yml"


def _host(value: str) -> str:
    """A whole name. A port is for publishers on loopback in tests; params/live.yml itself has none."""
    if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9]\d{0,4})?", value):
        raise ValueError("write a whole host name in lower case, such as epoch.ai, without scheme, path or star")
    return value


Host = Annotated[str, pydantic.AfterValidator(_host)]
# Plain http is for publishers on loopback in tests: the client reads no other (network.py), and a test looks at live.yml.
Address = Annotated[str, Field(pattern=r"^https?://[!-~]+$", max_length=2_000, description="an https address")]
SourceId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40)]


def _seconds(low: float, high: float) -> pydantic.fields.FieldInfo:
    return Field(ge=low, le=high, strict=True, description=f"seconds, {low:g} to {high:g}")


def _whole(low: int, high: int, unit: str) -> pydantic.fields.FieldInfo:
    return Field(ge=low, le=high, strict=True, description=f"{unit}, {low} to {high}")


class Timeouts(Strict):
    """Seconds; see params/live.yml."""

    connect: float = _seconds(0.1, 120)
    read: float = _seconds(0.1, 300)
    deadline: float = _seconds(0.1, 3600)
    source: float = _seconds(0.1, 7200)


class Retries(Strict):
    """When a failed request is tried again, and how long is waited before."""

    attempts: int = _whole(1, 10, "requests")
    first_wait: float = _seconds(0, 60)
    factor: float = Field(ge=1, le=10, strict=True, description="1 to 10")
    longest_wait: float = _seconds(0, 600)
    longest_retry_after: float = _seconds(0, 3600)
    statuses: tuple[Annotated[int, Field(ge=400, le=599, description="HTTP statuses, 400 to 599")], ...]

    def wait(self, failures: int) -> float:
        """Seconds to wait after so many failures (1, 2, …) in a row."""
        return min(self.first_wait * self.factor ** (failures - 1), self.longest_wait)


class ZipBounds(Strict):
    """What a zip archive may be at the most; bytes unpacked."""

    members: int = _whole(1, 60_000, "entries")
    member_bytes: int = _whole(1_000, 1_000_000_000, "bytes")
    total_bytes: int = _whole(1_000, 4_000_000_000, "bytes")
    ratio: int = _whole(2, 1_100, "unpacked by packed size")


class ArchiveBounds(Strict):
    """What the archive of read files may hold, and how long its writers wait for each other."""

    file_bytes: int = _whole(1_000, 4_000_000_000, "bytes")
    lock_wait: float = _seconds(0, 3600)


class Ask(Strict):
    """What a check of a source asks for; the kinds are explained in params/live.yml."""

    kind: Literal["zip", "file", "commit", "manifest", "pages"]
    address: Address  # asked first
    catalogue: Address | None = None  # of a manifest
    file: str = ""  # name inside a snapshot

    @pydantic.model_validator(mode="after")
    def _parts_fit(self) -> Ask:
        if bool(self.file) != (self.kind in ("file", "commit")):
            raise ValueError("kinds file and commit name a file, the others none")
        if self.catalogue and self.kind != "manifest":
            raise ValueError("only a manifest has a catalogue")
        return self


class LiveSource(Strict):
    """Where one source may be read, how, and how large its answers may be."""

    ask: Ask | None = None  # None: the source is not read live
    hosts: tuple[Host, ...] = Field(min_length=1)
    max_bytes: int = _whole(1_000, 1_000_000_000, "bytes")


class LiveParams(Strict):
    """All of params/live.yml."""

    user_agent: str = Field(min_length=5, max_length=300, description="5 to 300 printable characters")
    contact: str = Field(max_length=200, description="up to 200 printable characters, or \"\"")
    timeouts: Timeouts = Field(description=_SEE)
    retries: Retries = Field(description=_SEE)
    redirects: int = _whole(0, 10, "redirects")
    zip: ZipBounds = Field(description=_SEE)
    archive: ArchiveBounds = Field(description=_SEE)
    sources: Mapping[SourceId, LiveSource] = Field(description=_SEE)

    @pydantic.field_validator("user_agent", "contact")
    @classmethod
    def _printable(cls, value: str) -> str:
        if not re.fullmatch(r"[ -~]*", value):
            raise ValueError("only printable ASCII characters can be sent in a header")
        if re.search(r"mozilla|chrome|safari", value, re.IGNORECASE):
            raise ValueError("says who asks, and is no browser's name")
        return value

    @pydantic.field_validator("user_agent")
    @classmethod
    def _names_the_version(cls, value: str) -> str:
        if value.count("{version}") != 1 or set(value.replace("{version}", "")) & set("{}"):
            raise ValueError("must hold {version} once, and no other braces")
        return value

    @property
    def agent(self) -> str:
        """The User-Agent as it is sent."""
        name = self.user_agent.replace("{version}", __version__)
        return f"{name} contact: {self.contact}" if self.contact else name

    def source(self, source: str) -> LiveSource:
        """The named source; an unknown one is a ParameterError with the nearest known name."""
        if source not in self.sources:
            raise ParameterError("no hosts are listed for this source", file="live.yml", column="sources", value=source,
                                 remedy=nearest(source, list(self.sources)))
        return self.sources[source]


def load_live(root: Path) -> LiveParams:
    """The shipped parameters of live reading."""
    return load_yaml(root / "params" / "live.yml", LiveParams)
