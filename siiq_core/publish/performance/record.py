"""data/performance.json: what one run of `make bench` measured, read strictly. Of the machine it says what explains seconds, and no name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes
from siiq_core.params.loader import Strict

BY_SIZE = ("one-pass", "round", "rank-check", "whole-fit", "calibrate-kappa", "score-all", "plain-loop", "sigmoid-fit", "sigmoid-draws")
SINGLE = ("shipped-calibrate", "shipped-kappa", "shipped-score-all", "shipped-one-model", "shipped-verify", "shipped-fit", "shipped-sigmoid", "shipped-sigmoid-draws",
          "stage-fetch", "stage-calibrate", "stage-score", "notebook-fetch", "notebook-calibrate", "notebook-score",
          "gate-small", "gate-shipped", "gate-shipped-change", "gate-replay", "page", "start-help", "start-update", "start-add")
OTHERS = ("girth", "py-irt")
RATIOS: Mapping[str, tuple[str, str]] = {  # by size: time of the first over time of the second
    "round-over-pass": ("round", "one-pass"), "loop-over-round": ("plain-loop", "round"), "sigmoid-over-fit": ("sigmoid-fit", "whole-fit"), "draws-over-kappa": ("sigmoid-draws", "calibrate-kappa"),
    "shipped-sigmoid-over-fit": ("shipped-sigmoid", "shipped-fit"), "shipped-draws-over-kappa": ("shipped-sigmoid-draws", "shipped-kappa"),
}
FITTED_FROM = 10**5  # results; exponents are fitted from here up
LAST_FROM = 10**6  # results; and taken over the step from here to ten times as many

Group = Literal[(*BY_SIZE, *SINGLE)]  # type: ignore[valid-type]
Results = Annotated[int, Field(ge=1, le=10**10, strict=True)]
Positive = Annotated[float, Field(gt=0, le=1e9)]
Word = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._+-]*$")]


class Time(Strict):
    """One measurement."""

    results: Results  # worked on; of a gate's replay entries of the ledger, of pages their number
    seconds: Positive  # of one unit of work, the least of the repetitions


class Other(Strict):
    """What another package took, or why that is not known."""

    version: Word | None = None
    times: tuple[Time, ...] = ()
    why: Literal["not-installed", "too-slow", "failed"] | None = None  # why it stops at the last size of `times`, or has none


class Machine(Strict):
    cores: Annotated[int, Field(ge=1, le=100_000, strict=True)]
    system: Word
    processor: Word
    python: Word
    numpy: Word


class Record(Strict):
    """All of data/performance.json."""

    form: Literal[1]
    day: date
    largest: Results
    machine: Machine
    times: Mapping[Group, tuple[Time, ...]]
    bytes_per_result: tuple[tuple[Results, Positive], ...]
    others: Mapping[Literal["girth", "py-irt"], Other]
    stop: Positive  # where both fits were stopped, in SD
    draws: Annotated[int, Field(ge=1, strict=True)]

    def of(self, group: str) -> tuple[Time, ...]:
        """A group's measurements by size."""
        return tuple(sorted(self.times.get(group, ()), key=lambda x: x.results))  # type: ignore[call-overload]

    def last(self, group: str) -> Time | None:
        """Of the most results."""
        return self.of(group)[-1] if self.of(group) else None

    def exponent(self, group: str) -> float | None:
        """Slope of log time on log results by least squares, from FITTED_FROM up; None below two sizes that lie far enough apart."""
        return slope([(x.results, x.seconds) for x in self.of(group) if x.results >= 0.9 * FITTED_FROM])

    def last_exponent(self, group: str) -> float | None:
        """The same over the step from LAST_FROM to ten times as many; None where that was not measured."""
        found = [(x.results, x.seconds) for x in self.of(group) if x.results >= 0.9 * LAST_FROM]
        return slope(found) if found and found[-1][0] >= 9 * LAST_FROM else None

    def ratio(self, name: str) -> dict[int, float]:
        """Results → ratio, where both worked on as many."""
        return quotients(*(self.of(group) for group in RATIOS[name]))

    def other_ratio(self, name: str) -> dict[int, float]:
        """Another package's time over the whole fit's."""
        return quotients(self.others[name].times if name in self.others else (), self.of("whole-fit"))  # type: ignore[index]


def quotients(a: Sequence[Time], b: Sequence[Time]) -> dict[int, float]:
    """Time over time, by results."""
    below = {x.results: x.seconds for x in b}
    return {x.results: x.seconds / below[x.results] for x in a if x.results in below}


def slope(rows: Sequence[tuple[int, float]]) -> float | None:
    """Of log time on log results by least squares; None where sizes do not differ by half an order of magnitude."""
    points = [(math.log(n), math.log(t)) for n, t in rows]
    if not points or max(x for x, _ in points) - min(x for x, _ in points) < math.log(3):
        return None
    mx, my = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def record_at(root: Path) -> Path:
    """The record's path."""
    return root / "data" / "performance.json"


def load_record(path: Path) -> Record | None:
    """The record; None where none was kept.

    Raises
    ------
    PublicationError
        A file that is no such record, or holds what it may not.
    """
    if not path.is_file():
        return None
    try:
        return Record.model_validate_json(path.read_bytes())
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise PublicationError(f"is no record of benchmarks: {first['msg']}", file=path.name, column=".".join(map(str, first["loc"])),
                               remedy="make bench RECORD=1, or take the file away: the page then says that nothing was recorded") from error


def record_bytes(record: Record) -> bytes:
    """The file."""
    return canonical_bytes(json.loads(record.model_dump_json()))
