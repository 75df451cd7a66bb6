"""What-if: benchmarks left out, or with other questions, limits and areas than configured; results and benchmarks of one's own.

The method's own run alters nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siiq_core.errors import ParameterError
from siiq_core.evidence.own import Facts, with_own
from siiq_core.params.loader import nearest
from siiq_core.params.method import MethodParams
from siiq_core.records import Model, Result

_FIELD = {"questions": "n", "chance": "g", "ceiling": "c", "areas": "area"}  # parameter → what it replaces


class Altered(NamedTuple):
    """What a run works with."""

    results: tuple[Result, ...]  # by model, benchmark
    benchmarks: tuple[Facts, ...]
    models: Mapping[str, Model]  # by slug


def altered(results: Sequence[Result], benchmarks: Sequence[Facts], models: Mapping[str, Model], params: MethodParams) -> Altered:
    """Results, benchmarks and models as `params` want them; all as they came where nothing is altered.

    Parameters
    ----------
    benchmarks : with n resolved (T3), in the order of params/benchmarks.csv

    Raises
    ------
    ParameterError
        A benchmark that is not there, a chance level that is not below its ceiling, a row of one's own that can be none.
    """
    require_known([x["id"] for x in benchmarks], params)
    found = with_own(results, benchmarks, models, params)
    kept = tuple(_as_wanted(x, params) for x in found.benchmarks if x["id"] not in params.drop)
    return Altered(tuple(r for r in found.results if r.benchmark not in params.drop), kept, found.models)


def _as_wanted(facts: Facts, params: MethodParams) -> Facts:
    out = dict(facts)
    if out["n_kind"] == "effective" and not params.effective_n:
        out["n_kind"] = "assumed"
    if out["n_kind"] == "assumed":  # T3
        out["n"] = params.assumed_n
    for name, field in _FIELD.items():
        given = getattr(params, name)
        if out["id"] in given:
            out[field] = given[out["id"]]
    if out["id"] in params.questions:
        out["n_kind"] = "defined"
    require_below(out["id"], out["g"], out["c"])
    return out


def require_below(bench: str, chance: float, ceiling: float) -> None:
    """A ParameterError where a benchmark's chance level is not below its ceiling (T)."""
    if not chance < ceiling:
        raise ParameterError("the chance level is not below the ceiling", column=f"{bench}: chance {chance:g}, ceiling {ceiling:g}", remedy="give a chance level below the ceiling")


def require_known(configured: Sequence[str], params: MethodParams) -> None:
    """Every benchmark that `params` speak of is configured or one's own; else a ParameterError that names the nearest."""
    known = [*configured, *params.add_benchmarks]
    for row in params.add_rows:
        if row.benchmark not in known:
            raise ParameterError("no such benchmark", file=row.file, row=row.row, column="benchmark", value=row.benchmark,
                                 remedy=f"{nearest(row.benchmark, known)} One of your own is defined by add_benchmarks")
    for name in ("drop", *_FIELD):
        for bench in getattr(params, name):
            if bench not in known:
                raise ParameterError("no such benchmark", column=name, value=bench, remedy=nearest(bench, list(known)))
