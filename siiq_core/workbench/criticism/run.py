"""The stage of the criticism: a calibration in, criticism.json out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from siiq_core.files import canonical_bytes
from siiq_core.params.criticism import SCALARS, CriticismParams, load_criticism, with_criticism_changes
from siiq_core.runs import Outcome, quiet
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook
from siiq_core.workbench.criticism import dimension, residuals
from siiq_core.workbench.criticism.differential import differences
from siiq_core.workbench.criticism.ends import movers
from siiq_core.workbench.criticism.residuals import Group, Residuals, Trend
from siiq_core.workbench.criticism.saturation import saturation
from siiq_core.workbench.fitted import Fitted, open_fitted
from siiq_core.workbench.study import head

METHOD = Sibling(SCALARS, load_criticism, with_criticism_changes)
Progress = Callable[[str], None]


def prepare_criticism(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of this study; `changes` are numbers of params/criticism.yml, and as_of and licence_policy."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_criticism_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_criticism` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def criticism_stage(run: SiblingRun, progress: Progress = quiet) -> Outcome:
    """The calibration in force → criticism.json."""
    at = open_fitted(run.base)
    value = {**head(run, at.desk), **study(at, run.params, progress)}
    return Outcome(run.base, value, {"criticism.json": canonical_bytes(value)})


def study(at: Fitted, params: CriticismParams, progress: Progress = quiet) -> dict[str, Any]:
    """All of criticism.json but its head; residuals with four decimals, which are the same on every machine."""
    found = residuals.residuals_of(at.trace)
    progress("residuals by area, developer and release")
    by_kind = _by_kind(at, found, params)
    progress("a second dimension, and the same search in worlds without one")
    return {"parameters": params.model_dump(mode="json"), "results": len(found.z), "models": len(found.panel.models), "benchmarks": len(found.panel.benchmarks),
            "rms": _r(math.sqrt(float(np.mean(found.z**2)))), **by_kind, "dimension": _dimension(at, found, params),
            "differential": _differential(at, found, params), "saturation": _saturation(at, params)}


def _r(x: float) -> float:
    return round(float(x), 4) + 0.0


def _facts(at: Fitted, found: Residuals) -> tuple[list[str], list[str | None], list[str | None]]:
    """Of every result: area of its benchmark, developer and day of release of its model."""
    models = [at.desk.models.get(found.panel.models[m]) for m in found.panel.m]
    return [found.panel.benchmarks[b].area for b in found.panel.b], [x.developer or None if x else None for x in models], [x.released if x else None for x in models]


def _by_kind(at: Fitted, found: Residuals, params: CriticismParams) -> dict[str, Any]:
    areas, developers, days = _facts(at, found)
    years = {slug: residuals.year_of(x.released) for slug, x in at.desk.models.items() if x.released}
    of_area = {a: _trend(residuals.trend(found, years, np.flatnonzero([x == a for x in areas]))) for a in sorted(set(areas))}
    both = residuals.grouped(found, [(d, a) if d else None for d, a in zip(developers, areas, strict=True)], params.min_models_group)
    adjusted = residuals.holm([g.p for g in both])
    return {
        "areas": [{"area": g.key, **_group(g), "trend": of_area[g.key]} for g in residuals.grouped(found, areas)],
        "developers": [{"developer": g.key, **_group(g)} for g in residuals.grouped(found, developers, params.min_models_group)],
        "developers_by_area": [{"developer": g.key[0], "area": g.key[1], **_group(g), "holm": _r(p), "told": p <= params.level} for g, p in zip(both, adjusted, strict=True)],
        "releases": [{"half_year": g.key, **_group(g)} for g in residuals.grouped(found, [x and residuals.half_year(x) for x in days])],
        "trend": _trend(residuals.trend(found, years, np.arange(len(found.z)))),
    }


def _group(g: Group) -> dict[str, Any]:
    return {"results": g.results, "models": g.models, "mean": _r(g.mean), "error": g.error and _r(g.error), "rms": _r(g.rms)}


def _trend(x: Trend) -> dict[str, Any]:
    return {"results": x.results, "slope": _r(x.slope), "error": x.error and _r(x.error)}


def _dimension(at: Fitted, found: Residuals, params: CriticismParams) -> dict[str, Any]:
    pair, noise = dimension.of_residuals(found), dimension.parallel(at, params.seed, params.worlds)
    panel, names = found.panel, {x["id"]: x["name"] for x in at.desk.facts}
    loadings = {x.id: float(c) for x, c in zip(panel.benchmarks, pair.loadings, strict=True)}
    moved = movers(at, {k: round(c, 6) for k, c in loadings.items()}, params.end_loading, params.min_results_end)
    count = np.bincount(panel.b, minlength=len(panel.benchmarks))
    limit = noise.quantile(params.noise_quantile) if noise.shares else None
    return {
        "share": _r(pair.share), "noise": {"worlds": params.worlds, "refused": noise.refused, "median": _r(noise.quantile(0.5)) if noise.shares else None, "limit": limit and _r(limit), "p": _r(noise.p(pair.share)),
                                           "shares": [_r(x) for x in noise.shares]},
        "told": limit is not None and pair.share > limit,
        "loadings": sorted(({"benchmark": x.id, "name": names[x.id], "area": x.area, "models": int(n), "loading": _r(loadings[x.id])} for x, n in zip(panel.benchmarks, count, strict=True)),
                           key=lambda x: (-x["loading"], x["benchmark"])),
        "looked_at": len(moved), "beyond": sum(abs(x.gap) > at.desk.params.z90 * x.error for x in moved), "median_gap": _r(np.median([abs(x.gap) for x in moved])) if moved else None,
        "movers": [{"model": x.model, "name": _name(at, x.model), "siiq": _r(x.siiq), "plus": _r(x.plus), "minus": _r(x.minus), "gap": _r(x.gap), "error": _r(x.error)} for x in moved[:params.movers]],
    }


def _name(at: Fitted, slug: str) -> str:
    return at.desk.models[slug].name if slug in at.desk.models else slug


def _differential(at: Fitted, found: Residuals, params: CriticismParams) -> dict[str, Any]:
    access = [at.desk.models[x].access if x in at.desk.models else "" for x in found.panel.models]
    tested = differences(found, [x.startswith("Open weights") if x else None for x in access], params.min_models_side)
    names = {x["id"]: x["name"] for x in at.desk.facts}
    rows = [{"benchmark": x.benchmark, "name": names[x.benchmark], "open": x.open, "closed": x.closed, "difference": _r(x.difference), "error": _r(x.error), "p": _r(x.p), "holm": _r(x.holm),
             "told": x.holm <= params.level} for x in tested]
    return {"tested": len(rows), "told": sum(x["told"] for x in rows), "benchmarks": sorted(rows, key=lambda x: (-x["difference"], x["benchmark"]))}


def _saturation(at: Fitted, params: CriticismParams) -> dict[str, Any]:
    years = {slug: x.released[:4] for slug, x in at.desk.models.items() if x.released}
    names = {x["id"]: x["name"] for x in at.desk.facts}
    every = saturation(at.trace.panel, years, params.ceiling_margin)
    rows: dict[str, list[dict[str, Any]]] = {}
    for x in every:
        rows.setdefault(x.benchmark or "", []).append({"year": x.year, "results": x.results, "near": x.near})
    return {"all": rows.pop("", []), "benchmarks": [{"benchmark": b, "name": names[b], "years": own} for b, own in sorted(rows.items())]}
