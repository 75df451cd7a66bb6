"""index.json: every published number, with all that is needed to recompute it (V3, files.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from siiq_core import __version__
from siiq_core.files import with_digest
from siiq_core.method.numbers import sig12
from siiq_core.method.ranks import Reason, Standing, by_model, scored
from siiq_core.method.scoring import Scale, Score, Term
from siiq_core.method.transform import transform_one
from siiq_core.params.method import ALTERATIONS, MethodParams
from siiq_core.records import Benchmark, Calibration, Model, Result

SCHEMA = Path(__file__).parent / "schemas" / "index.schema.json"  # the interface (files.md), published beside the index


def build_index(*, params: MethodParams, what_if: Mapping[str, Any], calibration: Calibration, calibration_facts: Mapping[str, Any],
                benchmarks: Mapping[str, Benchmark], benchmark_facts: Sequence[Mapping[str, Any]], models: Mapping[str, Model],
                results: Sequence[Result], reference: Mapping[str, Any], sources: Sequence[Mapping[str, Any]],
                licences: Sequence[Mapping[str, str]], not_configured: Sequence[Mapping[str, str]] = (), version: str = __version__) -> dict[str, Any]:
    """The published index as a plain value, its digest included.

    Parameters
    ----------
    calibration_facts : id, at, inputs_sha256
    benchmark_facts : per benchmark the facts that are not the method's: name, source, licence, n_kind …
    reference : members (slugs) and not_qualified (name, reason)
    sources : per source id, name, address, licence, attribution, snapshot day and SHA-256
    not_configured : benchmarks that the sources hold and the method does not use, with rule and reason (E)
    """
    index = {
        "method_version": version,
        "as_of": params.as_of,
        "license_and_attribution": list(licences),
        "constants": {name: value for name, value in params.model_dump().items() if name not in ("as_of", *ALTERATIONS)},
        "calibration": {
            **calibration_facts, "shift": calibration.shift, "scale": calibration.scale, "kappa": calibration.kappa,
            "rounds": calibration.rounds, "last_change": calibration.last_change, "null_directions": calibration.null_directions,
            "folds": calibration.folds, "pairs": calibration.pairs, "models_in_fit": list(calibration.models),
        },
        "reference_group": dict(reference),
        "sources": list(sources),
        "benchmarks": [_benchmark(facts, benchmarks[facts["id"]], calibration) for facts in benchmark_facts],
        "benchmarks_not_configured": [dict(x) for x in not_configured],
        "models": scored_models(results, models, benchmarks, calibration, params),
    }
    if what_if:
        index["what_if"] = {name: list(change) for name, change in what_if.items()}
    return with_digest(index)


def scored_models(results: Sequence[Result], models: Mapping[str, Model], benchmarks: Mapping[str, Benchmark], calibration: Calibration, params: MethodParams) -> list[dict[str, Any]]:
    """`models` of an index: everyone with a result on the index set, scored (S, A) and ranked (K), the ranked first, by ability."""
    rows = by_model(results)
    scores, standings = scored(rows, benchmarks, calibration, params)
    listed = sorted(scores, key=lambda x: (standings[x].rank is None, -scores[x].overall.theta, x))
    return [_model(models[x], scores[x], standings[x], rows[x], benchmarks, params) for x in listed]


def shown(value: float) -> str:
    """S2: Python's round() of it, halves to even."""
    return str(round(value))


def _benchmark(facts: Mapping[str, Any], bench: Benchmark, calibration: Calibration) -> dict[str, Any]:
    inside = bench.id in calibration.alpha
    numbers = {
        name: getattr(calibration, field)[bench.id] if inside else None
        for name, field in (("alpha", "alpha"), ("beta", "beta"), ("sigma2", "sigma2"), ("omega", "omega"), ("models_in_fit", "models_on"))
    }
    return {**facts, "area": bench.area, "family": bench.family, "evaluator": bench.evaluator, "g": bench.g, "c": bench.c, "n": bench.n,
            "in_index": inside, **numbers, "reason": None if inside else facts.get("reason") or calibration.dropped.get(bench.id)}


def _model(model: Model, found: Score, standing: Standing, rows: Sequence[Result], benchmarks: Mapping[str, Benchmark],
           params: MethodParams) -> dict[str, Any]:
    terms = {t.benchmark: t for t in found.terms}
    return {
        "slug": model.slug, "name": model.name, "developer": model.developer, "released": model.released, "access": model.access,
        "ranked": standing.rank is not None, "rank": standing.rank, "best_rank": standing.best_rank, "worst_rank": standing.worst_rank,
        "not_ranked_because": [_reason(x) for x in standing.reasons],
        "theta0": found.theta0, "d": found.d, **_scale(found.overall),
        "families": standing.families, "areas_covered": standing.areas, "evaluators": standing.evaluators,
        "undated_versions": list(standing.undated),
        "areas": {area: _scale(value) for area, value in found.areas.items()},
        "results": [_result(row, terms.get(row.benchmark), benchmarks[row.benchmark]) for row in rows],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {"rule": reason.rule, "what": reason.what, "have": reason.have, "need": reason.need}


def _scale(value: Scale) -> dict[str, Any]:
    numbers = {"theta": value.theta, "se": value.se, "siiq": value.siiq, "low": value.low, "high": value.high}
    return {**numbers, "shown": {name: shown(numbers[name]) for name in ("siiq", "low", "high")}}


def _result(row: Result, term: Term | None, bench: Benchmark) -> dict[str, Any]:
    y, v = transform_one(row.score, bench.g, bench.c, bench.n)
    out = {"benchmark": row.benchmark, "score": row.score, "y": sig12(y), "v": sig12(v), "w": sig12(term.w) if term else None,
           "version": row.version, "version_released": row.version_released, "setting": row.setting,
           "evaluator": row.evaluator, "evidence": row.evidence}
    if row.flags:
        out["flags"] = list(row.flags)
    if not math.isfinite(y):
        raise ValueError(f"{row.model} on {row.benchmark}: y is not finite")  # cannot be: 0 < p* < 1
    return out
