"""Which hosting provider of a model speaks for it (P3): the key `providers` of a source in params/sources.yml."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from siiq_core.params.loader import Strict

Name = Annotated[str, Field(min_length=1)]


class ProviderRules(Strict):
    """What each key is for stands in params/sources.yml."""

    coverage: float = Field(ge=0.5, le=1, description="a share, 0.5 to 1")
    no_provider: tuple[Name, ...]
    own: Mapping[Name, tuple[Name, ...]]

    @property
    def share(self) -> Fraction:
        """`coverage` as it is written, so that 0.95 of 140 is 133 and nothing besides."""
        return Fraction(repr(self.coverage))

    def is_none(self, provider: str) -> bool:
        """Is it the name of no single provider?"""
        return folded(provider) in {"", *map(folded, self.no_provider)}

    def is_own(self, developer: str, provider: str) -> bool:
        """Is it the developer's own hosting? `developer` is the part of a model's name before "/"."""
        names = next((found for key, found in self.own.items() if folded(key) == folded(developer)), ())
        return folded(provider) in map(folded, names)


def folded(name: str) -> str:
    """A name without regard to case and blanks."""
    return " ".join(name.split()).casefold()

