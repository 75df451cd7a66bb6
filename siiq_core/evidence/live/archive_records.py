"""What the archive writes about its files: sidecars and sightings, read back as strictly as any outside file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from siiq_core.params.loader import Strict

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Stamp = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]  # of one width, so text order is time order
Text = Annotated[str, Field(min_length=1, max_length=8_000)]


class Answer(Strict):
    """An address that was asked, and the validators of its answer."""

    address: Text
    etag: str | None = None
    last_modified: str | None = None


class Kept(Strict):
    """A member of a snapshot; its bytes are in the archive under `sha256`."""

    name: Text
    address: Text
    sha256: Digest
    size: int = Field(ge=0)
    commit: str | None = None  # of the repository it was read at
    fixed: bool = False  # the address promises the same bytes for ever


class Sighting(Strict):
    """One content of a whole source, from when to when it was the newest. Times in UTC."""

    format: int = Field(default=1, ge=1, le=1)
    source: str
    snapshot: Digest  # over the sorted (member name, bytes)
    first_seen: Stamp
    last_seen: Stamp
    licence: Text
    members: tuple[Kept, ...] = Field(min_length=1)  # by name
    answers: tuple[Answer, ...]  # by address


class Place(Strict):
    """Where a file was seen, and from when to when."""

    source: str
    name: Text
    address: Text
    commit: str | None
    etag: str | None  # of the answer it came in
    last_modified: str | None
    licence: Text
    first_seen: Stamp
    last_seen: Stamp

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it another place."""
        return self.source, self.name, self.address


class Sidecar(Strict):
    """All that is known about one file beside its bytes."""

    format: int = Field(default=1, ge=1, le=1)
    sha256: Digest
    size: int = Field(ge=0)
    first_seen: Stamp  # over all places
    last_seen: Stamp
    places: tuple[Place, ...] = Field(min_length=1)
