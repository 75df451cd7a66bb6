"""params/checker.yml: who reads new numbers a second time (U2), where an AI model is reached, and within which bounds."""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import pydantic
from pydantic import Field, StrictBool

from siiq_core.errors import ParameterError
from siiq_core.params.live import Retries
from siiq_core.params.loader import Strict, load_yaml

_SEE = "unit and range stand beside the key in params/checker.yml"

Variable = Annotated[str, Field(pattern=r"^([A-Z_][A-Z0-9_]{0,59})?$", description='the name of an environment variable in capitals, or ""')]
Family = Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9.-]{1,39})?$", description='2 to 40 small letters, digits, "." and "-", or ""')]


def on_loopback(host: str) -> bool:
    """Does this host of an address mean this very machine?"""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_address(text: str) -> str:
    """The address an endpoint's paths are appended to; ValueError, which does not show it, where it is none.

    https anywhere; plain http on this machine's loopback alone, where nobody listens in on the key.
    """
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError("is no address") from None
    if len(text) > 2_000 or not re.fullmatch(r"https?://[!-~]+", text) or not host:
        raise ValueError("is no https address")
    if parts.scheme == "http" and not on_loopback(host):
        raise ValueError("plain http would show the key on its way; only https is asked, and http on this machine's loopback")
    if "@" in parts.netloc or parts.query or parts.fragment or "\\" in text:
        raise ValueError("an address here has no credentials, no query and no fragment; the key has its own variable")
    return text.rstrip("/")


class AiModel(Strict):
    """The AI model that reads, and where it is reached."""

    base_url: str
    address_variable: Variable
    key_variable: Variable
    model: str = Field(pattern=r"^[ -~]{0,200}$", description="up to 200 printable ASCII characters")
    family: Family

    @pydantic.field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        return checked_address(value) if value else ""


class Timeouts(Strict):
    """Seconds; see params/checker.yml."""

    connect: float = Field(ge=0.1, le=120, strict=True, description="seconds, 0.1 to 120")
    read: float = Field(ge=0.1, le=1800, strict=True, description="seconds, 0.1 to 1800")
    request: float = Field(ge=0.1, le=3600, strict=True, description="seconds, 0.1 to 3600")
    reading: float = Field(ge=0.1, le=14_400, strict=True, description="seconds, 0.1 to 14400")


class CheckerParams(Strict):
    """All of params/checker.yml."""

    fitting: Literal["none", "ai", "literal"] = Field(description="none, ai or literal")
    literal_stands_in: StrictBool = Field(description="true or false")
    writer_family: Family
    ai: AiModel = Field(description=_SEE)
    timeouts: Timeouts = Field(description=_SEE)
    retries: Retries = Field(description=_SEE)
    batch: int = Field(ge=1, le=50, strict=True, description="questions, 1 to 50")
    largest_answer: int = Field(ge=1_000, le=10_000_000, strict=True, description="bytes, 1000 to 10000000")
    longest_row: int = Field(ge=500, le=100_000, strict=True, description="characters, 500 to 100000")

    @pydantic.model_validator(mode="after")
    def _another_family_reads(self) -> CheckerParams:
        """U2: an AI reader is of another family than the writer of the site's texts."""
        if self.fitting != "ai":
            return self
        empty = [name for name, value in (("ai.model", self.ai.model), ("ai.family", self.ai.family), ("writer_family", self.writer_family)) if not value.strip()]
        if empty:
            raise ValueError(f"fitting ai needs {', '.join(empty)}")
        if not (self.ai.base_url or self.ai.address_variable):
            raise ValueError("fitting ai needs ai.base_url, or ai.address_variable")
        if self.of_the_writer(self.ai.family) or self.of_the_writer(self.ai.model):
            raise ValueError(f"U2: the reader must be of another family than the writer of the site's texts ({self.writer_family})")
        return self

    def of_the_writer(self, name: str) -> bool:
        """Does a family or a model's id name the family that wrote the site's texts?"""
        return bool(self.writer_family) and self.writer_family in name.casefold()


def load_checker(root: Path) -> CheckerParams:
    """The shipped parameters of the second reader. An error shows no value: a key put here by mistake stays unread."""
    try:
        return load_yaml(root / "params" / "checker.yml", CheckerParams)
    except ParameterError as error:
        raise ParameterError(error.what, file=error.file, row=error.row, column=error.column, remedy=error.remedy) from None
