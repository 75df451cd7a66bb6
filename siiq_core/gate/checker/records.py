"""What a second reader is asked, what it answers, and the refusal that stops an update (U2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from siiq_core.errors import SiiqError

FIELDS = ("model", "benchmark", "number", "identity")  # U2: all of these must agree
LONGEST_TEXT = 300  # characters kept of what a reader says: a ledger is no place for a stranger's novel


class CheckerUnreachable(SiiqError):
    """Nobody can read: no update, the published version stays (U2; exit code 1)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One number to be read again, with the raw row it is from and what we read in it."""

    id: str  # the caller's own; unique among the questions asked together
    source: str  # id in params/sources.yml
    file: str  # of the snapshot
    headers: tuple[str, ...]  # of that file
    row: Mapping[str, str]  # raw cells by the source's own headers
    benchmark: str  # id in params/benchmarks.csv
    benchmark_name: str  # as a person would call it
    score_column: str  # as configured
    scale: float  # as configured: factor from the cell to a fraction
    model: str  # the group's name, as a person would call it
    name: str  # version or name as read from the row, trimmed
    setting: str
    score: float  # the fraction that would be published
    origin_name: str = ""  # name at the origin, "" where the row has none
    models: tuple[str, ...] = ()  # other models of like names, among which a reader has to find `model`


@dataclass(frozen=True, slots=True)
class Field:
    """One thing compared."""

    name: str  # one of FIELDS
    read: str  # what the reader sees
    ours: str  # what would be published
    agree: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one question. Confirmed if and only if all four fields were compared and agree."""

    question: str  # its id
    outcome: Literal["confirmed", "refused"]
    who: str  # "literal re-reader", or the AI model's id
    how: Literal["ai", "literal"]
    family: str  # of the AI model; "" of the literal re-reader
    at: str  # UTC, ISO 8601 with Z
    fields: tuple[Field, ...]  # none where the reader gave no usable answer
    reason: str  # one sentence

    def __post_init__(self) -> None:
        whole = tuple(field.name for field in self.fields) == FIELDS and all(field.agree for field in self.fields)
        if self.outcome not in ("confirmed", "refused") or (self.outcome == "confirmed") != whole:
            raise ValueError(f"a verdict {self.outcome} that its fields do not bear out")

    @property
    def confirmed(self) -> bool:
        """May the value be used, as far as U2 is concerned?"""
        return self.outcome == "confirmed"

    def as_record(self) -> dict[str, Any]:
        """Plain values, as a ledger keeps them; `verdict_of` reads them back."""
        return {**asdict(self), "fields": [asdict(field) for field in self.fields]}

    def as_checker(self) -> dict[str, str]:
        """The key `checker` of a line of evidence.jsonl: it says whether an AI or the literal re-reader read the row."""
        who = f"{self.who} (AI model of family {self.family})" if self.how == "ai" else f"{self.who} (no AI)"
        return {"who": who, "when": self.at, "outcome": self.outcome}


class Checker(Protocol):
    """A second reader."""

    def read(self, questions: Sequence[Question], now: datetime) -> tuple[Verdict, ...]:
        """One verdict a question, in their order, dated `now` (aware).

        Raises
        ------
        CheckerUnreachable
            Nobody can read; none of the questions has a verdict then.
        """


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """The verdict that `as_record` wrote; ValueError, TypeError or KeyError where it is none."""
    return Verdict(**{**record, "fields": tuple(Field(**field) for field in record["fields"])})


def unique(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions; ValueError where two have one id, since a verdict could not say which it is about."""
    asked = tuple(questions)
    if len({question.id for question in asked}) < len(asked):
        raise ValueError("two questions have one id")
    return asked


def stamp(now: datetime) -> str:
    """The caller's moment as the project writes times."""
    if now.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def clipped(text: str) -> str:
    """Text of strangers, not longer than a record should be, and such as UTF-8 can hold."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def differences(fields: Iterable[Field]) -> str:
    """Where the fields disagree, in one sentence, in characters that no terminal obeys."""
    parts = [f"{field.name}: read {ascii(clipped(field.read))}, ours {ascii(clipped(field.ours))}" for field in fields if not field.agree]
    return "; ".join(parts) + "."
