"""What the gate remembers and what it is told: frozen records, none of which computes anything.

A *value* is what a source lists for a (model, benchmark) pair. It is *pending* while it differs from what is published.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import pydantic

from siiq_core.files import json_line
from siiq_core.gate.said import Said
from siiq_core.records import Benchmark, Calibration


def text_of(key: tuple[str, str]) -> str:
    """A pair as text."""
    return f"{key[0]}/{key[1]}"


def key_of(text: Any) -> Any:
    """The pair that a text names; benchmark ids hold no slash."""
    if not isinstance(text, str):
        return text
    model, _, benchmark = text.rpartition("/")
    return model, benchmark


# (model's slug, benchmark's id); in files, text
Key = Annotated[tuple[str, str], pydantic.BeforeValidator(key_of), pydantic.PlainSerializer(text_of)]
Keys = Annotated[frozenset[Key], pydantic.PlainSerializer(lambda keys: sorted(map(text_of, keys)))]
Names = Annotated[frozenset[str], pydantic.PlainSerializer(sorted)]


@dataclass(frozen=True, slots=True)
class Value:
    """A result as a source lists it."""

    score: float  # fraction
    run: str = ""  # version and setting: another run of the same score is another value
    released: str | None = None  # release day of the version (I5)
    evidence: str = ""  # id of the raw row (U12)
    flags: tuple[str, ...] = ()  # "below chance" and the like; they make no other value


@dataclass(frozen=True, slots=True)
class Verdict:
    """U2: what the second reader said of a value."""

    confirmed: bool
    who: str  # the reader's name
    how: str  # "ai", "literal", or "shipped" where nobody read again
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A value in the last publication."""

    value: Value
    snapshot: str  # SHA-256 of the newest snapshot that listed it
    since: str  # when it was first published with this score
    by: str = "U0"  # rule by which it came: U0 baseline, U3 nothing against it, U4 confirmed, twin, U5, U9 switch, operator
    checked: Verdict | None = None  # of the second reader; None: shipped, not read again


@dataclass(frozen=True, slots=True)
class Hold:
    """U3: why a value is not published."""

    rule: str  # "U3a" or "U3b"
    numbers: Mapping[str, float]
    since: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A listed value that differs from the published one."""

    value: Value
    appeared: str  # when the pending value first appeared
    trail: tuple[tuple[str, str, float], ...]  # (observed, snapshot, score) since then, oldest first
    exempt: bool = False  # of a baseline: no hold, no new-leader rule (U0)
    verdict: str = ""  # of the second reader on this very value: "", "confirmed" or "refused" (U2)
    checked: Verdict | None = None  # the same, with who said so
    judged: bool = False  # U3 was asked
    hold: Hold | None = None
    held_first: str = ""  # when the pair was first held, without a break (U10)
    released: str = ""  # rule that released it: "U4", "twin", "operator"
    rejected: str = ""  # when a person rejected it; it stays unused until the source says otherwise


@dataclass(frozen=True, slots=True)
class Failure:
    """U6a: why nothing of a source moves."""

    rule: str  # "U6a"
    since: str
    what: Said
    unreadable: bool = False  # the content could not be read at all, so that an unchanged one cannot be either


@dataclass(frozen=True, slots=True)
class Small:
    """U7: a smaller file on its way to be normal."""

    first: str  # when the first such file was read
    rows: int  # in it
    parses: int  # read again since, within the time


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One content of a source, as its adapter reads it."""

    sha256: str
    rows: int
    rows_on: Mapping[str, int]  # benchmark → rows
    share: float  # of the rows, those of which something could be made
    values: Mapping[Key, Value]
    definitions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # benchmark → what the source says it is
    unreadable: Names = frozenset()  # benchmarks defined so differently that no score could be read (U6b)
    withdrawn: Keys = frozenset()  # matches that a person took back: they leave at once (I4)
    aside: Keys = frozenset()  # pairs whose rows contradict each other: what was accepted last stays (data.md, Duplicates)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The source was asked, and its content is the one known."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The source could not be read."""

    what: str


Sight = Snapshot | Unchanged | Unreadable


@dataclass(frozen=True, slots=True)
class Source:
    """What is known of a source."""

    good: Snapshot  # the last one that could be used
    parsed: Snapshot  # the last one that was read, used or not
    checked: str  # last check
    succeeded: str  # last check that found it usable
    missing: Mapping[Key, str]  # published pairs that are not listed any more → since
    definitions: Mapping[str, Mapping[str, Any]]  # in force
    failure: Failure | None = None
    small: Small | None = None


@dataclass(frozen=True, slots=True)
class Freeze:
    """A benchmark that stands still."""

    rule: str  # "U6b" or "U9"
    since: str
    what: Said
    members: Keys  # whose change makes it a revision
    approved: str = ""  # when a person approved
    tried: str = ""  # last recalibration that failed


@dataclass(frozen=True, slots=True)
class Trigger:
    """U5: a newcomer over the leader."""

    siiq: float
    since: str  # of the score that triggered
    leader: float


@dataclass(frozen=True, slots=True)
class Land:
    """Where a model's score lands."""

    siiq: float | None  # None without a result on the index set
    ranked: bool


@dataclass(frozen=True, slots=True)
class Publication:
    """What stands in public."""

    at: str
    number: int
    version: str  # method version (V1)
    lands: Mapping[str, Land]
    recalibrated: bool  # with this very publication

    @property
    def leader(self) -> float | None:
        """SI-IQ of the first ranked model."""
        return max((x.siiq for x in self.lands.values() if x.ranked and x.siiq is not None), default=None)


@dataclass(frozen=True, slots=True)
class Stop:
    """U11: why nothing new is published."""

    rule: str  # "U11", or "U2" without a reader
    since: str
    what: Said
    affected: tuple[str, ...] = ()
    counted: str = ""  # the hour of the last counted run
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A recalibration that was tried."""

    at: str
    why: Said
    accepted: bool
    reasons: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class InForce:
    """The calibration in force."""

    id: str
    at: str
    calibration: Calibration
    benchmarks: Mapping[str, Benchmark]  # as they were when it ran: an effective n is fixed then (T3)
    inputs: Mapping[Key, float] = field(default_factory=dict)  # what it was made from (C10)


@dataclass(frozen=True, slots=True)
class Report:
    """What a person is told (U9, U10)."""

    rule: str
    since: str
    what: Said
    operator_may: Said


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person changed, for all readers."""

    at: str
    action: str
    who: str
    reason: str
    what: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """All that the gate remembers. A pure function of the ledger."""

    at: str
    in_force: InForce
    published: Mapping[Key, Published] = field(default_factory=dict)
    publication: Publication | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    pending: Mapping[Key, Pending] = field(default_factory=dict)
    frozen: Mapping[str, Freeze] = field(default_factory=dict)
    leaders: Mapping[str, Trigger] = field(default_factory=dict)
    rebase: Mapping[str, str] = field(default_factory=dict)  # source → when a person asked for a new baseline
    stop: Stop | None = None
    go: tuple[str, ...] = ()  # models whose change a person let through (U11)
    attempt: Attempt | None = None  # the last recalibration tried
    failed: Mapping[str, str] = field(default_factory=dict)  # what a recalibration was tried for → when it failed
    monthly: str = ""  # last due time that was met, or the time of the baseline
    reports: tuple[Report, ...] = ()
    corrections: tuple[Correction, ...] = ()
    withdrawn: Keys = frozenset()  # published pairs whose match was taken back: they leave with the next decision (I4)
    retracted: Mapping[Key, str] = field(default_factory=dict)  # pair → when a person took it back
    standing: str = ""  # method version of the publication whose files stand in public
    days: Mapping[str, Mapping[Key, Value | None]] = field(default_factory=dict)  # day → what was accepted anew or left by its end (V4)
    version: str = "1.0.0"  # method version of what the gate started from
    reading: str = ""  # SHA-256 of names, decisions and configuration that the listings were read with (I4)


_STATE = pydantic.TypeAdapter(State)


def state_bytes(state: State) -> bytes:
    """The state as canonical JSON: the same state gives the same bytes."""
    return json_line(_STATE.dump_python(state, mode="json")).encode("utf-8")


def state_of(content: bytes) -> State:
    """The state that `state_bytes` wrote; ValueError where it did not."""
    return _STATE.validate_json(content)
