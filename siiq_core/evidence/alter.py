"""What-if: benchmarks left out, or with other questions, limits and areas than configured. The method's own run alters nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siiq_core.errors import ParameterError
from siiq_core.params.loader import nearest
from siiq_core.params.method import MethodParams
from siiq_core.records import Result

Facts = Mapping[str, Any]  # of one benchmark: id, area, g, c, n, n_kind …

_FIELD = {"questions": "n", "chance": "g", "ceiling": "c", "areas": "area"}  # parameter → what it replaces


def altered(results: Sequence[Result], benchmarks: Sequence[Facts], params: MethodParams) -> tuple[tuple[Result, ...], tuple[Facts, ...]]:
    """Results and benchmarks as `params` want them; both as they came where nothing is altered.

    Parameters
    ----------
    benchmarks : with n resolved (T3), in the order of params/benchmarks.csv

    Raises
    ------
    ParameterError
        A benchmark that is not configured, or a chance level that is not below its ceiling.
    """
    require_known([x["id"] for x in benchmarks], params)
    kept = tuple(_as_wanted(x, params) for x in benchmarks if x["id"] not in params.drop)
    return tuple(r for r in results if r.benchmark not in params.drop), kept


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
    if not out["g"] < out["c"]:
        raise ParameterError("the chance level is not below the ceiling", column=f"{out['id']}: chance {out['g']:g}, ceiling {out['c']:g}",
                             remedy="give a chance level below the ceiling")
    return out


def require_known(known: Sequence[str], params: MethodParams) -> None:
    """Every benchmark that `params` alter is one of `known`; else a ParameterError that names the nearest."""
    for name in ("drop", *_FIELD):
        for bench in getattr(params, name):
            if bench not in known:
                raise ParameterError("no such benchmark", column=name, value=bench, remedy=nearest(bench, list(known)))
