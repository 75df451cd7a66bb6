"""A made-up desk, and the index that a run of it would publish: small, and evidently of no real models."""

import panels
from siiq_core.evidence.own import SOURCE
from siiq_core.files import canonical_bytes
from siiq_core.publish.index import build_index
from siiq_core.records import Benchmark, Model, Result
from siiq_core.workbench.desk import Desk, rerun


def facts(bench: Benchmark, **more) -> dict:
    return {"id": bench.id, "name": bench.id.upper(), "area": bench.area, "family": bench.family, "evaluator": bench.evaluator, "g": bench.g, "c": bench.c, "n": bench.n,
            "source": "made-up", "address": "", "license": "", "license_url": "", "license_basis": "evaluator", "n_kind": "defined", "reason": None, **more}


def result(model: str, bench: Benchmark, score: float) -> Result:
    return Result(model, bench.id, score, f"{model}-v1", "2026-01-01", "default", bench.evaluator, "0" * 16)


def desk_of(cells, benchmarks, reference, **changes) -> Desk:
    """(slug, benchmark, score) … → a desk; models are called by their slugs in capitals."""
    results = tuple(result(m, benchmarks[b], s) for m, b, s in sorted(cells))
    models = {m: Model(m, m.upper(), "Acme", "2026-01-01", "API access") for m, _, _ in cells}
    return Desk(panels.params(**changes), results, tuple(facts(x) for x in benchmarks.values()), tuple(reference), models)


def small(**changes) -> Desk:
    """24 models, 8 benchmarks of five areas and three evaluators; no interval factor, so that it is quick."""
    return desk_of(panels.results(), panels.benchmarks(), panels.reference(), **{"kappa": False, **changes})


def index_of(desk: Desk, calibration=None, what_if=()) -> dict:
    """The index of a desk, under its own calibration where none is given."""
    calibration = calibration or rerun(desk).calibration
    return build_index(params=desk.params, what_if=dict(what_if), calibration=calibration,
                       calibration_facts={"id": "1.0.0-made-up", "at": "2026-01-01T00:00:00Z", "inputs_sha256": "0" * 64}, benchmarks=desk.benchmarks,
                       benchmark_facts=desk.facts, models=desk.models, results=desk.results, reference={"members": list(desk.reference), "not_qualified": []}, sources=[], licences=[])


def write(folder, index: dict):
    """index.json in `folder`; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.json"
    path.write_bytes(canonical_bytes(index))
    return path


def own(*rows, file="rows.csv") -> list[dict]:
    """(model, benchmark, score[, more cells]) … → rows of one's own."""
    return [{"model": m, "benchmark": b, "score": s, "file": file, "row": k, **(more[0] if more else {})} for k, (m, b, s, *more) in enumerate(rows, start=1)]


__all__ = ["SOURCE", "desk_of", "facts", "index_of", "own", "result", "small", "write"]
