"""What passes from step to step of the value method. All frozen; none computes anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siiq_core.records import LeftOut


@dataclass(frozen=True, slots=True)
class Row:
    """One score of one variant on one benchmark, with what its source says of cost and error."""

    benchmark: str
    family: str
    model: str  # slug
    setting: str  # "default" where the source names none (Q1)
    score: float  # fraction
    error: float | None  # sampling standard error as a fraction (Q6); None: the source states none that is one
    cost: float | None  # US dollars per task; None: unknown
    comparable: bool  # D1: one harness for all, and tasks alike
    evidence: str  # id of the raw row
    version: str  # as the source writes it
    flags: tuple[str, ...] = ()

    @property
    def variant(self) -> str:
        """The variant's id (Q1)."""
        return f"{self.model}@{self.setting}"


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What filters ask of a model (R7)."""

    slug: str
    name: str
    developers: tuple[str, ...]
    open_weights: bool
    context: int | None  # tokens; None: unknown


@dataclass(frozen=True, slots=True)
class ListPrice:
    """A developer's list price of a model, US dollars per million tokens (D3)."""

    input: float
    cache_read: float | None  # None: the source states none
    output: float
    source: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the value method reads."""

    rows: tuple[Row, ...]  # one per variant and benchmark, sorted
    models: Mapping[str, ModelFacts]  # by slug, those that a row is of
    prices: Mapping[str, ListPrice]  # by slug
    snapshots: Mapping[str, str]  # source → ISO day
    raw: Mapping[str, Mapping[str, Any]]  # evidence id → where the row stands and its cells
    left_out: tuple[LeftOut, ...]
    waiting: Mapping[str, int] = field(default_factory=dict)  # benchmark → rows under names that match no model


@dataclass(frozen=True, slots=True)
class Entrant:
    """A variant that may answer, on the two axes that decide (R)."""

    id: str
    quality: float  # points
    low: float  # of the 90 % interval; the quality itself where there is none
    high: float
    cost: float  # US dollars, above 0
    log_cost: float
