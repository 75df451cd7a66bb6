"""params/faults.yml: kinds of broken input by entrance, and the tests that feed each in there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from siiq_core.params.loader import Strict, load_yaml

Entrance = Literal["files", "live", "prices", "siblings", "names", "store", "params", "own", "what_if", "notebooks", "operator", "reader", "ledger", "index", "pages", "results"]
Test = Annotated[str, Field(pattern=r"^tests/[\w/]+/test_\w+\.py::test_\w+$", description="a test as tests/room/test_file.py::test_function")]
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="small letters, digits and '_'")]
KINDS = 25  # rows of the fault feed


class Told(Strict):
    """A sentence in the languages of the book."""

    en: str = Field(min_length=1)
    de: str = Field(min_length=1)
    es: str = Field(min_length=1)


class Kind(Strict):
    """One row of the fault feed."""

    id: Id
    tests: Mapping[Entrance, Annotated[tuple[Test, ...], Field(min_length=1)]] = Field(min_length=1)

    @pydantic.field_validator("tests")
    @classmethod
    def _once(cls, tests: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        for entrance, names in tests.items():
            if len(set(names)) != len(names):
                raise ValueError(f"a test stands twice at {entrance}")
        return tests


class Fuzzed(Strict):
    """One target of random input, over all runs of it."""

    target: Id
    executions: int = Field(ge=1)
    minutes: float = Field(gt=0)
    finds: int = Field(ge=0)
    mended: int = Field(ge=0)
    note: Told

    @pydantic.model_validator(mode="after")
    def _no_more_mended_than_found(self) -> Fuzzed:
        if self.mended > self.finds:
            raise ValueError("more mended than found")
        return self


class Condition(Strict):
    """What surrounds a run: power, disk, rights, locale …"""

    id: Id
    name: Told
    outcome: Told
    test: Test


class Faults(Strict):
    """All of params/faults.yml; what each part is stands there."""

    entrances: tuple[Entrance, ...] = Field(min_length=1)
    kinds: tuple[Kind, ...] = Field(min_length=KINDS, max_length=KINDS)
    fuzzing: tuple[Fuzzed, ...]
    conditions: tuple[Condition, ...]

    @pydantic.model_validator(mode="after")
    def _each_once(self) -> Faults:
        for what, names in (("entrance", self.entrances), ("kind", [x.id for x in self.kinds]), ("target", [x.target for x in self.fuzzing]), ("condition", [x.id for x in self.conditions])):
            if twice := sorted({x for x in names if list(names).count(x) > 1}):
                raise ValueError(f"{what} stands twice: {', '.join(twice)}")
        if unknown := sorted({e for kind in self.kinds for e in kind.tests} - set(self.entrances)):
            raise ValueError(f"no such entrance: {', '.join(unknown)}")
        return self

    @property
    def in_cells(self) -> frozenset[str]:
        """The tests of the table of kinds and entrances."""
        return frozenset(x for kind in self.kinds for tests in kind.tests.values() for x in tests)

    @property
    def named(self) -> frozenset[str]:
        """Every test that stands here; one of a condition may be passed over where the machine cannot bring the condition about."""
        return self.in_cells | {x.test for x in self.conditions}


def load_faults(root: Path) -> Faults:
    """The table of faults."""
    return load_yaml(root / "params" / "faults.yml", Faults)
