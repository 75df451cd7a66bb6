"""percentile.json as plain values (files.md): dimensions, boards, configurations, sources; the same for the same evidence (M12)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.percentile import Board, Inactive, PercentileParams
from siiq_core.params.sources import SourceSpec
from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.dimensions import HIGH, INSUFFICIENT, LOW, MEDIUM
from siiq_core.siblings.percentile.records import BoardRows, Configuration, DimensionScore, Evidence
from siiq_core.siblings.percentile.weights import overlap_factors

CONFIDENCES = (HIGH, MEDIUM, LOW, INSUFFICIENT)
ACTIVE, ARCHIVED, INACTIVE, EMPTY, LAST_GOOD = "active", "archived", "inactive", "empty", "last_good"


def percentile_json(evidence: Evidence, params: PercentileParams, specs: Mapping[str, BenchmarkSpec], sources: Mapping[str, SourceSpec]) -> dict[str, Any]:
    """The published file; dates and versions are the caller's to add."""
    found = configurations(evidence.boards, params)
    used = {e.evidence for c in found for e in c.entries.values()}
    active = {b for b, rows in evidence.boards.items() if rows.population}
    return {
        "parameters": {"high_families": params.high_families, "medium_families": params.medium_families, "min_dimensions": params.min_dimensions,
                       "overlap_factor": str(params.overlap_factor)},
        "dimensions": [_dimension(d.id, d.weight, found, params, active) for d in params.dimensions],
        "boards": [_board(b, evidence.boards[b.benchmark], specs.get(b.benchmark), params, active) for b in params.boards],
        "overlaps": [{"board": x.board, "kind": x.kind, "with": list(x.beside), "reason": x.reason} for x in params.overlaps],
        "sources": [*(_source(x.id, x.cadence, sources[x.id], evidence) for x in params.sources), *(_inactive(x) for x in params.inactive)],
        "configurations": [_configuration(c, evidence.names, params) for c in found],
        "counts": {"configurations": len(found), "models": len({c.model for c in found}), "scored": sum(c.score is not None for c in found),
                   "scored_models": len({c.model for c in found if c.score is not None}), "scored_main": sum(c.main and c.score is not None for c in found)},
        "evidence": [evidence.raw[x] for x in sorted(evidence.raw) if x in used],
    }


def number(value: Fraction) -> float:
    """12 significant digits, once, at the very end: everything before is exact."""
    return float(f"{float(value):.12g}")


def _dimension(name: str, weight: int, found: Sequence[Configuration], params: PercentileParams, active: Collection[str]) -> dict[str, Any]:
    counts = {level: sum(c.dimensions[name].confidence == level for c in found) for level in CONFIDENCES}
    waiting = [x.id for x in params.inactive if x.dimension == name]
    return {"id": name, "weight": number(Fraction(weight, 100)), "boards": sum(b.benchmark in active for b in params.boards_of(name)), "confidence": counts, "inactive_sources": waiting}


def _board(board: Board, rows: BoardRows, spec: BenchmarkSpec | None, params: PercentileParams, active: Collection[str]) -> dict[str, Any]:
    about = spec or board.rating
    cadence = next(x.cadence for x in params.sources if x.id == rows.source)
    status = EMPTY if board.benchmark not in active else LAST_GOOD if rows.fault else ARCHIVED if cadence == "archived" else ACTIVE
    among = overlap_factors([b.benchmark for b in params.boards_of(board.dimension) if b.benchmark in active], params)
    return {
        "id": board.benchmark, "name": about.name, "dimension": board.dimension, "family": board.family, "source": rows.source, "snapshot": rows.snapshot, "n": len(rows.population),
        "direction": board.direction, "log": board.log, "rating": board.rating is not None, "quality_weight": number(board.quality_weight),
        "overlap_factor": number(among.get(board.benchmark, Fraction(1))), "status": status, "reason": rows.fault or _overlap(board, params),
        "configurations": len(rows.entries), "waiting_rows": rows.waiting, "superseded_rows": rows.superseded, "excluded_versions": dict(rows.excluded),
        "evaluator": about.evaluator, "address": about.address, "license": about.licence, "license_url": about.licence_url,
        "license_basis": spec.licence_basis if spec else "evaluator",
    }


def _overlap(board: Board, params: PercentileParams) -> str | None:
    return next((x.reason for x in params.overlaps if x.board == board.benchmark), None)


def _source(key: str, cadence: str, source: SourceSpec, evidence: Evidence) -> dict[str, Any]:
    own = [rows for rows in evidence.boards.values() if rows.source == key]
    status = EMPTY if not any(r.population for r in own) else LAST_GOOD if any(r.fault for r in own) else ARCHIVED if cadence == "archived" else ACTIVE
    return {"id": key, "name": source.name, "url": source.url, "license": source.license, "license_url": source.license_url, "attribution": source.attribution,
            "cadence": cadence, "status": status, "reason": None, "since": None, "dimension": None, "snapshot": max((r.snapshot for r in own if r.snapshot), default=None)}


def _inactive(x: Inactive) -> dict[str, Any]:
    return {"id": x.id, "name": x.name, "url": x.url, "license": x.license, "license_url": x.license_url, "attribution": x.attribution, "cadence": "off", "status": INACTIVE,
            "reason": x.reason, "since": x.since, "dimension": x.dimension or None, "snapshot": None}


def _configuration(c: Configuration, names: Mapping[str, str], params: PercentileParams) -> dict[str, Any]:
    missing = [d.id for d in params.dimensions if d.weight and d.id not in c.counted]
    because = None if c.score is not None else f"{len(c.counted)} of {params.min_dimensions} dimensions at medium or high; below or without: {', '.join(missing)}"
    return {
        "id": c.id, "model": c.model, "name": names.get(c.model, c.model), "setting": c.setting, "main": c.main,
        "percentiles": {b: number(x) for b, x in c.percentiles.items()}, "values": {b: float(e.value) for b, e in c.entries.items()},
        "evidence": {b: e.evidence for b, e in c.entries.items()}, "dates": {b: e.date for b, e in c.entries.items()},
        "dimensions": {name: _dimension_score(d) for name, d in c.dimensions.items()}, "coverage": number(c.coverage),
        "counted": list(c.counted), "score": None if c.score is None else number(c.score), "insufficient_because": because,
    }


def _dimension_score(d: DimensionScore) -> dict[str, Any]:
    return {"score": None if d.score is None else number(d.score), "confidence": d.confidence, "families": d.families, "coverage": number(d.coverage), "newest": d.newest,
            "weights": {b: str(weight) for b, weight in d.weights.items()}}
