"""What lies on the desk: the accepted results and benchmarks of a finished run, and reruns of the method on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from siiq_core.errors import CalibrationRefused, ParameterError
from siiq_core.evidence.alter import altered
from siiq_core.evidence.own import resolved
from siiq_core.method import ranks
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.panel import Cell
from siiq_core.method.ranks import Standing
from siiq_core.method.scoring import Score
from siiq_core.params.method import MethodParams, with_changes
from siiq_core.records import Benchmark, Calibration, Model, Result, benchmarks_of

NEEDS_FETCH = ("as_of", "licence_policy")  # these decide which results there are; a desk holds those of one choice


@dataclass(frozen=True)
class Desk:
    """Accepted results with all that the method needs of them; sequences in canonical order."""

    params: MethodParams
    results: tuple[Result, ...]  # by model, then benchmark
    facts: tuple[Mapping[str, Any], ...]  # of the benchmarks, as benchmarks of an index, n resolved
    reference: tuple[str, ...]  # slugs of the frozen group (G)
    models: Mapping[str, Model]  # by slug
    benchmarks: Mapping[str, Benchmark] = field(init=False)  # by id, of `facts`

    def __post_init__(self) -> None:
        object.__setattr__(self, "benchmarks", benchmarks_of({"benchmarks": self.facts}))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """(slug, benchmark, score) of every result."""
        return tuple((r.model, r.benchmark, r.score) for r in self.results)


def open_desk(run: Any) -> Desk:
    """The desk of a run (`runs.prepare`); what its fetch stage found is made now where it is not there yet."""
    from siiq_core.pipeline import fetched
    from siiq_core.runs import quiet

    facts, results, _ = fetched(run, quiet)
    return desk_of(run.params, facts, results)


def desk_of(params: MethodParams, facts: Mapping[str, Any], results: Sequence[Result]) -> Desk:
    """The desk of what a fetch stage found (fetch.json and its results)."""
    return Desk(params, tuple(sorted(results, key=lambda r: (r.model, r.benchmark))), tuple(facts["benchmarks"]),
                tuple(facts["reference"]["members"]), {x["slug"]: Model(**x) for x in facts["models"]})


def with_parameters(desk: Desk, changes: Mapping[str, Any]) -> Desk:
    """The desk under other parameters of the method, benchmarks out or altered where they say so.

    Raises
    ------
    ParameterError
        Unknown name, wrong type, out of range, no such benchmark; or one that asks for other results (NEEDS_FETCH).
    """
    for name in NEEDS_FETCH:
        if name in changes and changes[name] != getattr(desk.params, name):
            raise ParameterError("decides which results there are", column=name, value=changes[name], remedy=f"siiq run -p {name} VALUE, then work on that run")
    params = with_changes(desk.params, resolved(changes))
    results, facts, models = altered(desk.results, desk.facts, desk.models, _still_to_do(desk.params, params))
    return replace(desk, params=params, results=results, facts=facts, models=models)


def _still_to_do(done: MethodParams, wanted: MethodParams) -> MethodParams:
    """`wanted` without what the desk was altered by already; a ParameterError where something of that would have to be taken back."""
    rest: dict[str, Any] = {}
    for name in ("drop", "add_rows", "add_benchmarks", "questions", "chance", "ceiling", "areas"):
        before, after = getattr(done, name), getattr(wanted, name)
        fixed = isinstance(before, list) or name == "add_benchmarks"  # a number may be given anew, a row or definition not
        if any(x not in after or fixed and isinstance(before, dict) and before[x] != after[x] for x in before):
            raise ParameterError("this desk was opened with it, and cannot do without", column=name, value=[x if isinstance(x, str) else x.model for x in before],
                                 remedy="siiq run without it, then work on that run")
        rest[name] = {k: x for k, x in after.items() if before.get(k) != x} if isinstance(before, dict) else [x for x in after if x not in before]
    if wanted.effective_n and not done.effective_n:
        raise ParameterError("this desk was opened without effective numbers of questions", column="effective_n", value=True, remedy="siiq run with them, then work on that run")
    return wanted.model_copy(update=rest)


@dataclass(frozen=True)
class Rerun:
    """The method's outcome on a desk."""

    calibration: Calibration
    scores: Mapping[str, Score]  # by slug
    standings: Mapping[str, Standing]  # by slug


def rerun(desk: Desk) -> Rerun:
    """Calibrate and score again (C, S, A, K). Reference members that are missing are in the calibration's notes, not refused.

    Raises
    ------
    CalibrationRefused
        C5, C8.
    """
    calibration = calibrate(desk.cells, desk.benchmarks, desk.reference, desk.params, require_all_reference=False)
    scores, standings = scored(desk, calibration)
    return Rerun(calibration, scores, standings)


def rerun_or_reason(desk: Desk) -> Rerun | CalibrationRefused:
    """The same; a refusal is returned, for studies in which it is a finding."""
    try:
        return rerun(desk)
    except CalibrationRefused as refusal:
        return refusal


def scored(desk: Desk, calibration: Calibration, results: Sequence[Result] | None = None) -> tuple[dict[str, Score], dict[str, Standing]]:
    """Every model's score and standing under a calibration (S, A, K), of the desk's results or of those given."""
    return ranks.scored(ranks.by_model(desk.results if results is None else results), desk.benchmarks, calibration, desk.params)
