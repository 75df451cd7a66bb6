"""What of an index.json is needed to recompute it; foreign input until it has passed here."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from siiq_core.errors import VerificationError


def _iso_day(text: str) -> str:
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("not an ISO day")
    return text


Day = Annotated[str, AfterValidator(_iso_day)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    """Types as JSON gives them, nothing turned into another; keys that are not needed are left alone."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)


class Constants(Shape):
    lam: Annotated[float, Field(ge=0)]
    omega: bool
    loading_floor: Annotated[float, Field(ge=0)]
    residual_variance_floor: Positive
    start_residual_variance: Positive
    convergence_tolerance: Positive
    max_rounds: Annotated[int, Field(ge=1, le=100_000)]
    null_tolerance: Annotated[float, Field(gt=0, lt=1)]
    min_results_per_model: Annotated[int, Field(ge=1)]
    min_models_per_benchmark: Annotated[int, Field(ge=1)]
    min_reference_per_benchmark: Annotated[int, Field(ge=1)]
    kappa: bool
    folds: Annotated[int, Field(ge=2, le=100)]
    kappa_quantile: Annotated[float, Field(gt=0, le=1)]
    min_folds: Count
    min_pairs: Annotated[int, Field(ge=1)]
    min_results_held_out: Count
    min_results_per_half: Annotated[int, Field(ge=1)]
    z90: Positive
    mean: float
    sd: Positive
    min_families_area: Count
    min_families_ranked: Count
    min_areas_ranked: Count
    min_evaluators_ranked: Count
    max_version_span_days: Count


class Calibration(Shape):
    shift: float
    scale: Positive
    kappa: Positive
    rounds: int
    last_change: float
    null_directions: int
    folds: int
    pairs: int
    models_in_fit: list[str]
    inputs_sha256: str


class Reference(Shape):
    members: list[str]


class Benchmark(Shape):
    id: str
    area: str
    family: str
    evaluator: str
    g: Share
    c: Share
    n: Annotated[int, Field(ge=1, le=10**9)]
    in_index: bool
    alpha: float | None
    beta: float | None
    sigma2: Positive | None
    omega: Positive | None
    models_in_fit: int | None
    reason: str | None

    @model_validator(mode="after")
    def _whole(self) -> Benchmark:
        if not self.g < self.c:
            raise ValueError("the chance level g is not under the ceiling c")
        numbers = (self.alpha, self.beta, self.sigma2, self.omega, self.models_in_fit)
        if self.in_index and None in numbers or not self.in_index and any(x is not None for x in numbers):
            raise ValueError("in the index: five parameters; out of it: none")
        if self.in_index == bool(self.reason):
            raise ValueError("out of the index: a reason; in it: none")
        return self


class Shown(Shape):
    siiq: str
    low: str
    high: str


class Interval(Shape):
    theta: float
    se: float
    siiq: float
    low: float
    high: float
    shown: Shown


class Result(Shape):
    benchmark: str
    score: Share
    y: float
    v: float
    w: float | None
    version: str
    version_released: Day | None
    evaluator: str


class Reason(Shape):
    have: int
    need: int


class Model(Interval):
    slug: str
    theta0: float
    d: float
    families: int
    areas_covered: int
    evaluators: int
    ranked: bool
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    not_ranked_because: list[Reason]
    areas: dict[str, Interval]
    results: list[Result]
    undated_versions: list[str] = []


class Index(Shape):
    method_version: str
    constants: Constants
    calibration: Calibration
    reference_group: Reference
    benchmarks: list[Benchmark] = Field(min_length=1)
    models: list[Model] = Field(min_length=1)  # an index of nobody would pass every check
    what_if: dict[str, Any] | None = None
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _once_and_known(self) -> Index:
        known = [b.id for b in self.benchmarks]
        for what, names in (
            ("benchmark", known), ("model", [m.slug for m in self.models]), ("reference member", self.reference_group.members),
            *((f"result of {m.slug}", [r.benchmark for r in m.results]) for m in self.models),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"a {what} stands twice: {next(x for x in names if names.count(x) > 1)}")
        for m in self.models:
            for r in m.results:
                if r.benchmark not in known:
                    raise ValueError(f"models[{m.slug}] has a result on an unlisted benchmark: {r.benchmark}")
        return self


_NAMED_BY = {"models": "slug", "benchmarks": "id", "results": "benchmark"}


def shape_of(index: dict[str, Any]) -> Index:
    """The parts of `index` that are recomputed.

    Raises
    ------
    VerificationError
        Naming by path the first number or key that is missing or is not what it may be, and how many there are.
    """
    try:
        return Index.model_validate(index)
    except ValidationError as error:
        first, total = error.errors(include_url=False)[0], error.error_count()
        place, more = path_of(index, first["loc"]) or "index", f" (and {total - 1} more)" if total > 1 else ""
        value = None if isinstance(first["input"], (dict, list)) else first["input"]
        raise VerificationError(f"{place}: {first['msg']}{more}", value=value, remedy="publish the index anew") from error


def path_of(index: Any, location: tuple[int | str, ...]) -> str:
    """``models[slug].areas.math.se`` for ("models", 3, "areas", "math", "se")."""
    text, here, kind = "", index, ""
    for step in location:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
        if isinstance(step, int):
            name = here.get(_NAMED_BY.get(kind, ""), step) if isinstance(here, dict) else step
            text += f"[{name}]"
        else:
            text, kind = f"{text}.{step}" if text else step, step
    return text
