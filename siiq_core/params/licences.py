"""params/licences.yml: which licences let numbers be published again (E2). A closed list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pydantic

from siiq_core.params.loader import Strict, load_yaml
from siiq_core.params.sources import Address

NONE_STATED = "none stated"
_FORBIDS = {"republish": "republication", "commercial": "commercial use", "alterations": "altered or mixed use under other terms"}


class Licence(Strict):
    """What one licence allows; params/licences.yml says what each key means."""

    republish: bool
    commercial: bool
    alterations: bool
    attribution: bool
    addresses: tuple[Address, ...]

    @property
    def forbids(self) -> str:
        """What it does not allow, in words; "" where it permits all that we need."""
        return " and ".join(words for key, words in _FORBIDS.items() if not getattr(self, key))


class Licences(Strict):
    """The closed list."""

    licences: Mapping[str, Licence]

    @pydantic.field_validator("licences")
    @classmethod
    def _each_once(cls, found: Mapping[str, Licence]) -> Mapping[str, Licence]:
        keys = [folded(name) for name in found]
        twice = sorted(name for name in found if keys.count(folded(name)) > 1 or not folded(name))
        if twice:
            raise ValueError(f"stands twice, or is no name: {', '.join(twice)}")
        if folded(NONE_STATED) not in keys:
            raise ValueError(f"the entry {NONE_STATED!r} is needed: it is what a blank licence counts as")
        return found

    def find(self, name: str) -> tuple[str, Licence] | None:
        """The listed name and the licence that `name` means; blank counts as none stated; None where it is not listed."""
        wanted = folded(name) or folded(NONE_STATED)
        return next(((listed, licence) for listed, licence in self.licences.items() if folded(listed) == wanted), None)


def folded(name: str) -> str:
    """A licence's name without regard to case, blanks, "-" and "_"."""
    return re.sub(r"[\s_-]+", "-", name.strip().casefold()).strip("-")


def load_licences(root: Path) -> Licences:
    """The shipped list."""
    return load_yaml(root / "params" / "licences.yml", Licences)
