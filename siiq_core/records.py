"""The records that pass from room to room, and how two of them are read back. All frozen; none computes anything.

observations → readings → results → (calibration) → scores → index
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a snapshot, as its publisher served it (we keep its facts, not the file)."""

    name: str  # file name inside the snapshot, e.g. "gpqa_diamond.csv"
    url: str  # the publisher's address
    sha256: str  # of the file's exact bytes
    size: int  # bytes
    rows: int  # data rows in the file
    columns: tuple[str, ...]  # its headers
    copy: str = ""  # a public copy at a fixed commit that it was read from; "" where `url` itself is pinned, or none is known


@dataclass(frozen=True, slots=True)
class Observation:
    """One raw row of a source. Nothing is collapsed: duplicates and every setting are kept."""

    source: str  # id in params/sources.yml
    snapshot: str  # ISO day
    file: str
    line: int  # 1-based data row in the file
    key: str  # row key (data.md, Duplicates)
    row: Mapping[str, str]  # raw cells by the source's own headers


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One content of a whole source."""

    source: str
    day: str  # ISO day, which also counts as the day it was observed
    sha256: str  # over the sorted (member name, bytes)
    files: Mapping[str, SourceFile]
    observations: tuple[Observation, ...]  # canonical order: file, key, row


@dataclass(frozen=True, slots=True)
class ModelVersion:
    """One line of Epoch's model table (either layout)."""

    version: str
    group: str  # "" where the table names none
    released: str | None  # ISO day
    developer: str
    access: str
    eci: float | None = None  # Epoch's own index, for comparison only


@dataclass(frozen=True, slots=True)
class Reading:
    """One observation read as a score on one benchmark; the model is still only a name."""

    benchmark: str
    name: str  # version id or model name as the source writes it, trimmed
    origin_name: str  # name at the origin, "" where there is none
    setting: str  # effort column before suffix; "" where there is none
    score: float  # fraction in [0, 1], 12 significant digits
    se: float | None  # sampling standard error as a fraction, where the column really is one
    run_date: str | None  # ISO day or time of the run, for "the newest run"
    observation: Observation
    flags: tuple[str, ...] = ()  # e.g. "below chance", "above ceiling", "effort column and suffix differ"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that is not used, and by which rule."""

    rule: str  # "E1", "E2", "I1", "I4", "P1", "T2", "duplicate" …
    reason: str
    observation: Observation
    benchmark: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """What is ranked: one Epoch model group."""

    slug: str
    name: str
    developer: str
    released: str | None  # first release day of its versions
    access: str


@dataclass(frozen=True, slots=True)
class Result:
    """The one score used for a (model, benchmark) pair (P1)."""

    model: str  # slug
    benchmark: str
    score: float  # fraction, 12 significant digits
    version: str
    version_released: str | None
    setting: str  # "default" where the source names none
    evaluator: str
    evidence: str  # id of the evidence record
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingName:
    """A name that matched no model, with its rows (I4)."""

    source: str
    name: str
    reason: str
    rows: tuple[Observation, ...]
    since: str  # snapshot day it was first seen


@dataclass(frozen=True, slots=True)
class Tier:
    """One price list of an API; US dollars per million tokens, 12 significant digits."""

    name: str  # "standard", "thinking", "above 200000 tokens" (of input) …
    input: float
    cached_input: float | None  # None: the source states none
    output: float


@dataclass(frozen=True, slots=True)
class Price:
    """What one source says of a developer's own list price of a model."""

    model: str  # slug
    source: str
    date: str  # ISO day that the source speaks of
    since: str | None  # ISO day this price began, where the source says so
    url: str  # where the source says it
    pricing_page: str  # the developer's own
    names: tuple[str, ...]  # that carry this price, as the source writes them
    tiers: tuple[Tier, ...]  # the standard one first
    context: int | None  # tokens
    open_weights: bool | None
    flags: tuple[str, ...]  # codes, some with ":" and a detail; see siiq_core/evidence/prices/
    file: str  # of the snapshot
    snapshot: str
    sha256: str  # of that file


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark as the method sees it."""

    id: str
    area: str
    family: str
    evaluator: str
    g: float
    c: float
    n: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a calibration found; all numbers carry 12 significant digits (C11)."""

    alpha: Mapping[str, float]  # loading, by benchmark
    beta: Mapping[str, float]  # intercept (minus the difficulty, times the loading)
    sigma2: Mapping[str, float]  # residual variance
    omega: Mapping[str, float]  # area weight 1/√K
    models_on: Mapping[str, int]  # models that set a benchmark's parameters
    shift: float
    scale: float
    kappa: float
    models: tuple[str, ...]  # slugs in the fit
    rounds: int
    last_change: float
    null_directions: int
    folds: int
    pairs: int
    dropped: Mapping[str, str] = field(default_factory=dict)  # benchmark → rule that took it out
    notes: tuple[str, ...] = ()  # what a what-if run would have been refused for


def calibration_of(plain: Mapping[str, Any]) -> Calibration:
    """A calibration that was written as plain values (`dataclasses.asdict`), read back."""
    return Calibration(**{**plain, "models": tuple(plain["models"]), "notes": tuple(plain["notes"])})


def benchmarks_of(facts: Mapping[str, Any]) -> dict[str, Benchmark]:
    """Id → benchmark, of the ``benchmarks`` of a record; what it holds beyond the method's own is passed over."""
    return {x["id"]: Benchmark(x["id"], x["area"], x["family"], x["evaluator"], x["g"], x["c"], x["n"]) for x in facts["benchmarks"]}


@dataclass(frozen=True, slots=True)
class Check:
    """One rule looked at before something is published: data, not an exception; status.json is these written out."""

    name: str  # what was looked at, e.g. "licence of source epoch"
    rule: str
    passed: bool
    notes: str  # what was found; where it failed, what would mend it
    blocking: bool = True  # a failed one stops the publication
