"""Results and benchmarks of one's own, for what-if runs: what a row and a definition may say. None is ever published."""

from __future__ import annotations

from typing import Annotated

import pydantic
from pydantic import Field, StringConstraints

from siiq_core.params.fields import Area, Slug, number, whole
from siiq_core.params.loader import Strict

MAX_ROWS = 10_000  # rows of one's own in a run
MAX_TEXT = 200  # characters of a cell
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_TEXT)]


class OwnRow(Strict):
    """One result of one's own; `file` and `row` say where it stood."""

    model: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TEXT)]  # name or slug; an unknown one is a new model
    benchmark: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_TEXT)]  # an id; what is none is refused with the nearest one
    score: number(0, 1, "a fraction, 0 to 1")
    version: Text = ""
    setting: Text = ""
    evaluator: Text = ""  # told in the evidence; "" the benchmark's own
    file: Text = "add_rows"
    row: int = Field(ge=1)  # data row, from 1

    @pydantic.field_validator("score")
    @classmethod
    def _rounded(cls, value: float) -> float:
        return float(f"{value:.12g}")  # C11


class OwnBenchmark(Strict):
    """A benchmark of one's own, as params/benchmarks.csv would define it."""

    area: Area
    family: Slug | None = None  # the question set, where another benchmark has it too; None: one of its own
    evaluator: Annotated[str, Field(pattern=r"^\w[\w .,&()+-]*$", max_length=MAX_TEXT)] = "own"  # whose runs they are (K1)
    g: number(0, 1, "a fraction") = 0.0  # chance level
    c: number(0, 1, "a fraction") = 1.0  # effective ceiling
    n: whole(1, 10_000_000, "questions") | None = None  # None: unknown, so assumed_n (T3)
