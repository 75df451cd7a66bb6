"""The stage of the intervals: a calibration in, intervals.json out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from siiq_core.analysis.workings import r6
from siiq_core.files import canonical_bytes
from siiq_core.method.numbers import order_statistic
from siiq_core.params.intervals import SCALARS, IntervalsParams, load_intervals, with_intervals_changes
from siiq_core.runs import Outcome, quiet
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook
from siiq_core.workbench.fitted import Fitted, open_fitted
from siiq_core.workbench.intervals import summary
from siiq_core.workbench.intervals.coverage import trial, with_parameters
from siiq_core.workbench.intervals.folds import kappas
from siiq_core.workbench.intervals.jackknife import parameter_errors
from siiq_core.workbench.study import head

METHOD = Sibling(SCALARS, load_intervals, with_intervals_changes)
Progress = Callable[[str], None]


def prepare_intervals(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of this study; `changes` are numbers of params/intervals.yml, and as_of and licence_policy."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_intervals_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_intervals` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def intervals_stage(run: SiblingRun, progress: Progress = quiet) -> Outcome:
    """The calibration in force → intervals.json."""
    at = open_fitted(run.base)
    value = {**head(run, at.desk), **study(at, run.params, progress)}
    return Outcome(run.base, value, {"intervals.json": canonical_bytes(value)})


def study(at: Fitted, params: IntervalsParams, progress: Progress = quiet) -> dict[str, Any]:
    """All of intervals.json but its head."""
    progress("standard errors with the parameters' share")
    errors = _errors(at, params)
    progress(f"{params.assignments} other folds")
    kappa = _kappa(at, params)
    progress(f"{params.worlds} worlds in which the model holds")
    return {"parameters": params.model_dump(mode="json"), "coverage": _coverage(at, params), **errors, "kappa": kappa}


def _coverage(at: Fitted, params: IntervalsParams) -> dict[str, Any]:
    worlds = [trial(at, np.random.default_rng([params.seed, k])) for k in range(params.worlds)]
    found = [w.kappa for w in worlds if w.kappa is not None]
    parts = summary.classes({x: s.families for x, s in at.standings.items()}, at.ranked, params.family_limits)
    return {"nominal": r6(2 * NormalDist().cdf(at.desk.params.z90) - 1), "worlds": len(worlds), "refused": len(worlds) - len(found), "kappa": summary.quantiles(found, params.quantiles) if found else [],
            "classes": [{"id": x["id"], "least": x["least"], "most": x["most"], "models": len(x["slugs"]), "kinds": summary.coverage(worlds, x["slugs"])} for x in parts]}


def _errors(at: Fitted, params: IntervalsParams) -> dict[str, Any]:
    """Per model, ranked ones first and from the top: standard errors in SI-IQ points as published, analytic, and by the jackknife."""
    analytic, jackknife, sd = with_parameters(at.desk, at.calibration, at.scores), parameter_errors(at), at.desk.params.sd
    rows = []
    for slug in sorted(at.scores, key=lambda x: (at.standings[x].rank is None, at.standings[x].rank or 0, -at.scores[x].overall.theta, x)):
        own = at.scores[slug].overall
        rows.append({"model": slug, "name": at.desk.models[slug].name if slug in at.desk.models else slug, "rank": at.standings[slug].rank, "families": at.standings[slug].families, "siiq": r6(own.siiq),
                     "se": r6(sd * own.se), "with_parameters": r6(sd * analytic[slug]), "jackknife": r6(sd * math.hypot(own.se, at.calibration.kappa * jackknife.se[slug]))})
    ranked = [x for x in rows if x["rank"] is not None]
    ratios = {name: summary.quantiles([x[name] / x["se"] for x in ranked], params.quantiles) if ranked else [] for name in ("with_parameters", "jackknife")}
    return {"errors": rows, "ratios": ratios, "jackknife": {"deletions": jackknife.deletions, "skipped": list(jackknife.skipped)}}


def _kappa(at: Fitted, params: IntervalsParams) -> dict[str, Any]:
    dealt = kappas(at, params.hash_name, params.assignments)
    ratios = sorted(x.ratio for x in dealt)
    return {"published": at.calibration.kappa, "ratio": r6(_own_ratio(at)), "assignments": len(dealt), "widen": sum(x > 1 for x in ratios),
            "kappas": summary.quantiles([x.kappa for x in dealt], params.quantiles), "quantiles": summary.quantiles(ratios, params.quantiles), "ratios": [r6(x) for x in ratios]}


def _own_ratio(at: Fitted) -> float:
    """The published assignment's quantile over z90, which κ is unless it is under 1."""
    params = at.desk.params
    return order_statistic([abs(x.z) for x in at.trace.halves], params.kappa_quantile) / params.z90 if at.trace.halves else 1.0
