"""A small index made for these tests, with every kind of number that a published one has."""

import copy
import json
from pathlib import Path

import pytest

from siiq_core.records import Benchmark
from siiq_core.verify import Parameters, calibrate, rescore
from siiq_core.verify.formulas import transform, twelve
from siiq_core.verify.reading import canonical_bytes, digest, sha256
from siiq_core.verify.rescore import ranks, shortfalls

# The numbers as the method's text gives them, on purpose not read from params/.
CONSTANTS = {
    "lam": 0.1, "omega": True, "loading_floor": 0.05, "residual_variance_floor": 0.1, "start_residual_variance": 0.25,
    "convergence_tolerance": 1e-10, "max_rounds": 500, "null_tolerance": 1e-8,
    "min_results_per_model": 4, "min_models_per_benchmark": 10, "min_reference_per_benchmark": 3,
    "kappa": True, "folds": 5, "kappa_quantile": 0.9, "min_folds": 3, "min_pairs": 30, "min_results_held_out": 4,
    "min_results_per_half": 2, "z90": 1.644854, "mean": 100, "sd": 15, "min_families_area": 2, "min_families_ranked": 5,
    "min_areas_ranked": 3, "min_evaluators_ranked": 2, "max_version_span_days": 60,
}
CASES = Path(__file__).parents[1] / "golden" / "cases"


def pytest_generate_tests(metafunc):
    if "case_file" in metafunc.fixturenames:
        files = sorted(Path(metafunc.config.getoption("--cases") or CASES).glob("*.json"))
        if not files:
            raise pytest.UsageError("no case files (*.json)")
        metafunc.parametrize("case_file", files, ids=[f.stem for f in files])


def round_numbers(value):
    if isinstance(value, dict):
        return {key: round_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [round_numbers(item) for item in value]
    return twelve(value) if isinstance(value, float) else value


def make_index(case: dict, **changes) -> tuple[dict, bytes]:
    """An index and the bytes of its calibration inputs, from a golden case. Version days are set by model and benchmark number."""
    constants = CONSTANTS | case["params"] | changes
    definitions = [Benchmark(**b) for b in case["benchmarks"]]
    rows = sorted(tuple(r) for r in case["results"])
    inputs = "".join(["slug,benchmark,score\n", *(f"{s},{b},{x!r}\n" for s, b, x in rows)]).encode()
    found = calibrate(rows, definitions, case["reference"], constants)
    parameters = {
        b.id: Parameters(b.area, b.family, b.evaluator, b.g, b.c, b.n,
                         *(found[k][b.id] for k in ("alpha", "beta", "sigma2", "omega")))
        for b in definitions if b.id in found["alpha"]
    }
    results = {}
    for slug, benchmark, score in rows:
        results.setdefault(slug, {})[benchmark] = score

    def day(slug: str, benchmark: str):
        if slug == "m00" and benchmark == "b05":
            return None
        return "2025-01-01" if benchmark != "b07" or slug != "m01" else "2025-03-03"  # 61 days

    def interval(x):
        shown = {name: str(round(twelve(getattr(x, name)))) for name in ("siiq", "low", "high")}
        return {**x._asdict(), "shown": shown}

    models, ranked = [], []
    for slug, own in results.items():
        score = rescore(own.items(), parameters, found["shift"], found["scale"], found["kappa"], constants)
        lacks = shortfalls(score, [day(slug, b) for b in own if b in parameters], constants)
        if not lacks:
            ranked.append((slug, *(twelve(getattr(score.overall, name)) for name in ("theta", "low", "high"))))
        by_id = {b.id: b for b in definitions}
        models.append({
            "slug": slug, "name": slug.upper(), "theta0": score.theta0, "d": score.d, **interval(score.overall),
            "families": score.families, "areas_covered": score.areas_covered, "evaluators": score.evaluators,
            "ranked": not lacks, "not_ranked_because": [{"rule": "K1", "have": have, "need": need} for have, need in lacks],
            "undated_versions": sorted({f"{slug}-v" for b in own if b in parameters and day(slug, b) is None}),
            "areas": {area: interval(x) for area, x in score.areas.items()},
            "results": [
                {"benchmark": b, "score": x, "w": score.weights.get(b), "version": f"{slug}-v", "version_released": day(slug, b),
                 "evaluator": by_id[b].evaluator,
                 **dict(zip(("y", "v"), transform(x, by_id[b].g, by_id[b].c, by_id[b].n), strict=True))}
                for b, x in own.items()
            ],
        })
    places = ranks(ranked)
    for model in models:
        model |= dict(zip(("rank", "best_rank", "worst_rank"), places.get(model["slug"], (None,) * 3), strict=True))
    index = round_numbers({
        "method_version": "1.0.0", "constants": constants,
        "calibration": {
            **{k: found[k] for k in ("shift", "scale", "kappa", "rounds", "last_change", "null_directions", "folds", "pairs")},
            "models_in_fit": list(found["models"]), "inputs_sha256": sha256(inputs),
        },
        "reference_group": {"members": case["reference"]},
        "benchmarks": [
            {**b, "in_index": b["id"] in parameters, "reason": found["dropped"].get(b["id"]),
             **{k: found[k].get(b["id"]) for k in ("alpha", "beta", "sigma2", "omega")},
             "models_in_fit": found["models_on"].get(b["id"])}
            for b in case["benchmarks"]
        ],
        "models": models,
    })
    return index | {"digest": digest(index)}, inputs


def load_case(name: str) -> dict:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def _made():
    return make_index(load_case("falling-benchmark"))  # one benchmark is out of it (E4)


@pytest.fixture
def index(_made):
    return copy.deepcopy(_made[0])


@pytest.fixture(scope="session")
def inputs(_made):
    return tuple((s, b, float(x)) for s, b, x in (row.split(",") for row in _made[1].decode().splitlines()[1:]))


@pytest.fixture
def published(_made, tmp_path):
    """The files as they are published; the path of the index."""
    (tmp_path / "index.json").write_bytes(canonical_bytes(_made[0]))
    (tmp_path / "calibration_inputs.csv").write_bytes(_made[1])
    return tmp_path / "index.json"
