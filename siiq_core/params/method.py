"""params/method.yml: the numbers of the method, typed and range-checked."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pydantic
from pydantic import Field, StrictBool

from siiq_core.errors import ParameterError
from siiq_core.params.fields import Area, Slug, number, whole
from siiq_core.params.loader import Strict, load_yaml, nearest, validate
from siiq_core.params.own import MAX_ROWS, OwnBenchmark, OwnRow

ALTERATIONS = ("drop", "questions", "chance", "ceiling", "areas", "effective_n", "add_benchmarks", "add_rows")  # what-if only; in an index its benchmarks show them


class MethodParams(Strict):
    """All of params/method.yml; units and ranges stand there and in the descriptions."""

    as_of: str = Field(description="an ISO day in quotes, such as \"2026-07-31\"")
    licence_policy: Literal["all", "strict"]
    min_results_per_model: whole(1, 50, "results, 1 to 50")
    min_models_per_benchmark: whole(2, 1000, "models, 2 to 1000")
    min_reference_per_benchmark: whole(1, 100, "reference models, 1 to 100")
    drop: list[Slug] = Field(default=[], description='a list of benchmark ids, such as ["aider-polyglot"]')
    questions: dict[Slug, whole(1, 10_000_000, "questions")] = Field(default={}, description='questions by benchmark, such as {"frontiermath": 290}')
    chance: dict[Slug, number(0, 1, "a fraction")] = Field(default={}, description='fractions by benchmark, such as {"gpqa-diamond-epoch": 0.25}')
    ceiling: dict[Slug, number(0, 1, "a fraction")] = Field(default={}, description='fractions by benchmark, such as {"gpqa-diamond-epoch": 0.95}')
    areas: dict[Slug, Area] = Field(default={}, description='areas by benchmark, such as {"arc-agi-1": "math"}')
    effective_n: StrictBool = Field(default=True, description="true or false")
    add_benchmarks: dict[Slug, OwnBenchmark] = Field(default={}, description='definitions by benchmark, such as {"my-quiz": {"area": "math", "n": 200}}')
    add_rows: list[OwnRow] = Field(default=[], max_length=MAX_ROWS, description=f"-p add_rows FILE.csv with the columns model, benchmark and score, or a list of up to {MAX_ROWS} such rows")
    assumed_n: whole(1, 100_000, "questions, 1 to 100000")
    lam: number(0, 10, "a number from 0 to 10")
    omega: StrictBool = Field(description="true or false")
    start_residual_variance: number(0.001, 10, "logits squared, 0.001 to 10")
    loading_floor: number(0, 1, "a number from 0 to 1")
    residual_variance_floor: number(0.0001, 10, "logits squared, 0.0001 to 10")
    convergence_tolerance: number(1e-14, 1e-3, "ability units, 1e-14 to 0.001")
    max_rounds: whole(1, 100_000, "rounds, 1 to 100000")
    null_tolerance: number(1e-14, 1e-3, "a share, 1e-14 to 0.001")
    kappa: StrictBool = Field(description="true or false")
    folds: whole(2, 20, "folds, 2 to 20")
    kappa_quantile: number(0.5, 0.999, "a quantile, 0.5 to 0.999")
    min_folds: whole(1, 20, "folds, 1 to 20")
    min_pairs: whole(1, 10_000, "pairs, 1 to 10000")
    min_results_held_out: whole(2, 50, "results, 2 to 50")
    min_results_per_half: whole(1, 25, "results, 1 to 25")
    z90: number(0.1, 5, "standard errors, 0.1 to 5")
    mean: number(0, 1000, "SI-IQ points, 0 to 1000")
    sd: number(0.1, 1000, "SI-IQ points, 0.1 to 1000")
    min_families_area: whole(1, 20, "families, 1 to 20")
    min_families_ranked: whole(1, 50, "families, 1 to 50")
    min_areas_ranked: whole(1, 5, "areas, 1 to 5")
    min_evaluators_ranked: whole(1, 20, "evaluators, 1 to 20")
    max_version_span_days: whole(0, 3650, "days, 0 to 3650")
    max_ranked_change: number(0, 1, "a share, 0 to 1")
    min_spearman: number(-1, 1, "a correlation, -1 to 1")
    max_median_change: number(0, 100, "SI-IQ points, 0 to 100")

    @pydantic.field_validator("drop")
    @classmethod
    def _in_one_order(cls, value: list[str]) -> list[str]:
        return sorted(set(value))

    @pydantic.field_validator("add_rows", mode="before")
    @classmethod
    def _numbered(cls, value: Any) -> Any:
        """Rows that stand in no file are counted from 1."""
        return [{"row": k, **x} if isinstance(x, dict) else x for k, x in enumerate(value, start=1)] if isinstance(value, list) else value

    @pydantic.field_validator("as_of")
    @classmethod
    def _iso_day(cls, value: str) -> str:
        try:
            plain = datetime.date.fromisoformat(value).isoformat()
        except ValueError:
            plain = None
        if value != plain:
            raise ValueError("not an ISO day")
        return value

    def recorded(self) -> dict[str, Any]:
        """All values as a record keeps them; of the what-if ones only those that alter something."""
        return {name: value for name, value in self.model_dump().items() if name not in ALTERATIONS or value != type(self).model_fields[name].default}


def load_method(root: Path) -> MethodParams:
    """The shipped parameters. Rows and benchmarks of one's own are none of them: what stands here may be published."""
    found = load_yaml(root / "params" / "method.yml", MethodParams)
    for name in ("add_rows", "add_benchmarks"):
        if getattr(found, name):
            raise ParameterError("what is one's own is never published, so it cannot stand here", file="method.yml", column=name, value=f"{len(getattr(found, name))} of them",
                                 remedy=f"leave it empty, and give it to a run with -p {name} or --params FILE")
    return found


def with_changes(base: MethodParams, changes: Mapping[str, Any], file: str = "parameters given",
                 lines: Mapping[tuple, int] | None = None) -> MethodParams:
    """`base` with some values replaced. Unknown names, wrong types and values out of range are refused.

    `file` and `lines` say where the changes stand, for the refusal.

    Raises
    ------
    ParameterError
        Names the parameter, what it may be, and the nearest known name.
    """
    known = list(MethodParams.model_fields)
    for name in changes:
        if name not in known:
            raise ParameterError("unknown parameter", file=file if lines else None, row=(lines or {}).get((name,)), column=name, value=changes[name], remedy=nearest(name, known))
    return validate({**base.model_dump(), **changes}, MethodParams, file, dict(lines or {}))


def what_if(base: MethodParams, used: MethodParams) -> dict[str, list[Any]]:
    """Parameter → [shipped, used] for every one that differs; empty for the method itself."""
    before, after = base.model_dump(), used.model_dump()
    return {name: [before[name], after[name]] for name in before if before[name] != after[name]}


def parse_value(text: str) -> Any:
    """A command-line value: JSON where it is JSON (0.2, true, "x"), else the text itself. A key that stands twice is refused."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's keys and values; JSON itself would keep the last of two."""
    out = dict(pairs)
    if len(out) < len(pairs):
        names = [name for name, _ in pairs]
        raise ParameterError("key stands twice", column=next(name for name in names if names.count(name) > 1), remedy="keep one of the two")
    return out
