"""What passes from step to step of the percentile composite. All frozen; none computes anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """What a board says of one configuration (M2)."""

    board: str
    model: str  # slug
    setting: str  # "default" where the source names none
    value: Decimal  # as published
    date: str  # ISO day: the row's own, else that of the snapshot
    version: str  # of the model, as the source writes it
    evidence: str  # id of the raw row

    @property
    def configuration(self) -> str:
        """The configuration's id."""
        return f"{self.model}@{self.setting}"


@dataclass(frozen=True, slots=True)
class BoardRows:
    """One board in its own newest snapshot (M3, M4)."""

    board: str
    source: str
    snapshot: str | None  # ISO day; None: none is stored
    population: tuple[Decimal, ...]  # every value on the board, whoever it is of
    entries: tuple[Entry, ...]  # one per configuration, sorted
    excluded: Mapping[str, int]  # older version of the board → rows of it (M4)
    superseded: int  # rows that a later entry, or a better version of the model, stands for
    waiting: int  # rows in the population under names that match no model (I4)
    fault: str = ""  # why a newer snapshot is not used (M13)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the composite reads."""

    boards: Mapping[str, BoardRows]  # in the order of params/percentile.yml
    names: Mapping[str, str]  # slug → name
    raw: Mapping[str, Mapping[str, Any]]  # evidence id → where the row stands and its cells


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension of one configuration (M5, M7)."""

    score: Fraction | None  # percentile; None: no board has it
    confidence: str  # high, medium, low or insufficient
    families: int
    coverage: Fraction  # boards with data ÷ boards configured and active; 0 where there are none
    newest: str | None  # ISO day
    weights: Mapping[str, Fraction]  # board → weight in the median


@dataclass(frozen=True, slots=True)
class Configuration:
    """One configuration with all that is said of it (M2, M8, M10)."""

    model: str
    setting: str
    entries: Mapping[str, Entry]
    percentiles: Mapping[str, Fraction]
    dimensions: Mapping[str, DimensionScore]
    score: Fraction | None
    counted: tuple[str, ...]  # dimensions in the score
    coverage: Fraction  # over the dimensions that may be in the score
    main: bool = False

    @property
    def id(self) -> str:
        """slug@setting."""
        return f"{self.model}@{self.setting}"
