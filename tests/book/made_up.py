"""A small index in the published format, of models that evidently do not exist; some with names that try to break a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from made_up_method import made_up_figures
from made_up_multiverse import made_up_multiverse
from made_up_percentile import made_up_percentile
from made_up_performance import made_up_performance
from made_up_prediction import made_up_prediction
from made_up_simulation import made_up_simulation
from made_up_studies import made_up_studies
from made_up_value import made_up_value

from siiq_core.files import canonical_bytes
from siiq_core.params.method import load_method
from siiq_core.publish.history_scores import history_scores
from siiq_core.publish.index import build_index
from siiq_core.records import Benchmark, Calibration, Model, Result

HOSTILE = ("<img src=x onerror=alert(1)>", "*Nova* [home](javascript:alert(1)) `x` {{ models }}", "Nova \u202eavoN ``` $x$ & Söhne", "=HYPERLINK(\"x\")")
# id, area, evaluator, chance, ceiling, questions, kind of n, loading, intercept, residual variance
_BENCHMARKS = (
    ("quiz-a", "knowledge", "Hall of Quizzes", 0.25, 1.0, 200, "defined", 0.7, 0.6, 0.1),
    ("quiz-b", "knowledge", "Second Hall", 0.0, 1.0, 1500, "defined", 1.1, -0.8, 0.2),
    ("sums", "math", "Hall of Quizzes", 0.0, 0.57, 300, "defined", 1.3, -1.0, 0.1),
    ("riddles", "reasoning", "Second Hall", 1 / 6, 1.0, 213, "effective", 0.9, -0.4, 0.3),
    ("loops", "coding", "Third Hall", 0.0, 1.0, 100, "assumed", 0.8, 0.1, 0.15),
    ("errands", "agents", "Third Hall", 0.0, 1.0, 90, "defined", 0.6, -0.2, 0.12),
)
_OUT = ("levers", "agents", "Fourth Hall", 0.0, 1.0, 50, "defined")


def made_up_index(root: Path, scores: Mapping[tuple[str, str], float] = {}, version: str = "1.0.0") -> dict[str, Any]:  # noqa: B006, never written to
    """Twelve models: eight ranked, of which two cannot be told apart at the top; three with too little data, and one whose versions lie too far apart.

    Parameters
    ----------
    scores : (model, benchmark) → another fraction than usual, under the same calibration (C10)
    """
    benchmarks = {b[0]: Benchmark(b[0], b[1], b[0], b[2], b[3], b[4], b[5]) for b in (*_BENCHMARKS, _OUT)}
    inside = [b[0] for b in _BENCHMARKS]
    strength = {"nova-9": 0.93, "nova-8": 0.925, "nova-7": 0.85, "nova-6": 0.7, "nova-5": 0.6, "nova-4": 0.5, "nova-3": 0.4, "nova-2": 0.3}
    names = {slug: slug.replace("nova-", "Nova ") for slug in strength} | {"nova-8": HOSTILE[0], "nova-6": HOSTILE[2]}
    results = [_result(slug, b, benchmarks, share + 0.01 * k) for slug, share in strength.items() for k, b in enumerate(inside)]
    small = {"tiny-1": HOSTILE[1], "tiny-2": HOSTILE[3], "tiny-3": "Tiny 3"}
    results += [_result(slug, b, benchmarks, 0.35) for slug in small for b in inside[:2]]
    small["long-1"] = "Long 1"  # I5: data enough, of versions four months apart
    results += [_result("long-1", b, benchmarks, 0.45, "2025-03-01" if k else "2024-11-01") for k, b in enumerate(inside)]
    results += [_result("nova-2", "levers", benchmarks, 0.5)]
    results = [replace(r, score=scores.get((r.model, r.benchmark), r.score)) for r in results]
    models = {slug: Model(slug, name, "Nobody & Co.", "2025-03-01", "API access") for slug, name in {**names, **small}.items()}
    calibration = Calibration(
        alpha={b[0]: b[7] for b in _BENCHMARKS}, beta={b[0]: b[8] for b in _BENCHMARKS}, sigma2={b[0]: b[9] for b in _BENCHMARKS},
        omega={b[0]: 0.707106781187 if b[1] == "knowledge" else 1.0 for b in _BENCHMARKS}, models_on={b[0]: 12 for b in _BENCHMARKS},
        shift=0.00238391, scale=0.994117, kappa=1.0512, models=tuple(sorted(models)), rounds=43, last_change=9e-11, null_directions=2,
        folds=5, pairs=31, dropped={"levers": "E3"})
    facts = [{"id": b[0], "name": b[0].capitalize(), "source": "nowhere", "license": "CC BY 4.0", "n_kind": b[6],
              "license_basis": "bundle" if b[2] == "Third Hall" else "evaluator"} for b in (*_BENCHMARKS, _OUT)]
    source = {"id": "nowhere", "name": "Tables of Nowhere", "url": "https://example.org/tables", "license": "CC BY 4.0",
              "license_url": "https://example.org/licence", "attribution": "Nowhere, ‘Tables’ (CC BY 4.0)", "snapshot": "2025-06-01", "sha256": "0" * 64}
    return build_index(
        params=load_method(root), version=version, what_if={}, calibration=calibration, benchmarks=benchmarks, benchmark_facts=facts, models=models, results=results,
        calibration_facts={"id": "1.0.0-made-up", "at": "2025-06-01T00:00:00Z", "inputs_sha256": "0" * 64},
        reference={"members": sorted(strength), "not_qualified": [{"name": "Nova 1", "reason": "too few results"}]}, sources=[source],
        licences=[{"source": "nowhere", "attribution": source["attribution"], "license": "CC BY 4.0", "url": source["url"]}])


def _result(slug: str, bench: str, benchmarks: dict[str, Benchmark], share: float, released: str = "2025-03-01") -> Result:
    b = benchmarks[bench]
    score = float(f"{b.g + (b.c - b.g) * min(share, 0.999):.4f}")
    return Result(slug, bench, score, f"{slug}-{released}", released, "high", b.evaluator, f"{bench}/{slug}")


def write_run(folder: Path, index: dict[str, Any]) -> Path:
    """The data files of a finished run, as the book expects them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.json").write_bytes(canonical_bytes(index))
    evidence = [_evidence(index, m, r) for m in index["models"] for r in m["results"]]
    (folder / "evidence.jsonl").write_text("".join(json.dumps({k: v for k, v in x.items() if k != "score"}) + "\n" for x in [{"method_version": index["method_version"]}, *evidence]), encoding="utf-8")
    days = [{"day": "2025-05-01", "snapshots": {"nowhere": "2025-05-01"}, "changes": [_change(x, x["model"] == "nova-9", "new") for x in evidence[::2]]},
            {"day": "2025-06-01", "snapshots": {"nowhere": "2025-06-01"}, "changes": [_change(x, False, "new") for x in evidence[1::2]]
             + [_change(x, False, "revised") for x in evidence[::2] if x["model"] == "nova-9"]}]
    history = {"method_version": index["method_version"], "as_of": index["as_of"], "built": "direct", "days": days}
    (folder / "history.json").write_bytes(canonical_bytes(history))
    prices = [{"model": "nova-9", "source": "nowhere", "date": "2025-06-01", "since": "2025-03-01", "url": "https://example.org/prices", "pricing_page": "https://example.org/own",
               "names": [HOSTILE[0]], "tiers": [{"name": "standard", "input": 3.0, "cached_input": None, "output": 15.0}], "context": 200000, "flags": ["differs"],
               "open_weights": False, "file": "prices.json", "snapshot": "2025-06-01", "sha256": "0" * 64}]
    (folder / "method_figures.json").write_bytes(canonical_bytes(made_up_figures(index)))
    (folder / "prices.json").write_bytes(canonical_bytes({"method_version": index["method_version"], "as_of": index["as_of"], "unit": "USD per million tokens", "prices": prices,
                                                       "unmatched_names": {"nowhere": 1}}))
    (folder / "history_scores.json").write_bytes(canonical_bytes(history_scores(index, history)))
    facts = {"waiting_names": [{"source": "nowhere", "name": HOSTILE[0], "rows": 2, "since": "2025-05-01", "reason": "no registered name folds to this"}],
             "left_out": [{"rule": rule, "reason": "", "benchmark": "quiz-b", "source": "nowhere", "file": "table.csv", "row": "0"} for rule in ("P1", "P1", "I1")],
             "reports": [f"I1: {HOSTILE[0]}: version has 'x', unlike its group"], "eci": {m["slug"]: float(k) for k, m in enumerate(index["models"])}, "not_configured": [],
             "snapshots": [{"source": "nowhere", "snapshot": "2025-06-01", "snapshots": 2, "rows": 60, "kept_share": 0.95}],
             "configuration": {b[0]: {"file": "table.csv", "score_column": HOSTILE[0], "scale": 1.0, "filter": "", "error_column": "Error", "error_kind": "95% half-width"} for b in _BENCHMARKS}}
    (folder / "fetch.json").write_bytes(canonical_bytes(facts))
    (folder / "calibration_inputs.csv").write_text("slug,benchmark,score\n", encoding="utf-8")
    for made in (made_up_value, made_up_percentile, made_up_prediction, made_up_simulation, made_up_studies, made_up_multiverse):
        for name, content in made(Path(__file__).resolve().parents[2], index).items():
            (folder / name).write_bytes(content)
    (folder / "results.csv").write_text("model,benchmark,score\n", encoding="utf-8")
    return folder


def _evidence(index: dict[str, Any], model: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    row = {"Model version": result["version"], "Score": repr(result["score"]), "Name": HOSTILE[0], "id": "=1+1"}
    return {"id": result["evidence"], "model": model["slug"], "benchmark": result["benchmark"], "source": "nowhere", "file": "table.csv",
            "url": "https://example.org/table.csv", "copy": "https://example.org/copy.csv", "sha256": "0" * 64, "snapshot": "2025-06-01",
            "observed_at": "2025-06-01", "since": "2025-05-01", "current": True, "line": 1, "row": row, "version": result["version"],
            "setting": result["setting"], "score": result["score"], "checker": {"who": "none", "when": None, "outcome": "shipped, not AI-checked"}}


def _change(evidence: dict[str, Any], lower: bool, cause: str) -> dict[str, Any]:
    """A change of history.json; `lower` gives the day's score a tenth less than today's."""
    return {"model": evidence["model"], "benchmark": evidence["benchmark"], "score": evidence["score"] * (0.9 if lower else 1.0),
            "evidence": evidence["id"], "cause": cause}


def copy_book(root: Path, target: Path) -> Path:
    """The book's sources in a folder of their own, so that a test may change them."""
    import shutil

    for name in ("_config.yml", "_toc.yml"):
        shutil.copyfile(root / name, target / name)
    shutil.copytree(root / "book", target / "book")
    shutil.copytree(root / "params", target / "params")  # limits that pages name
    (target / "notebooks").mkdir()
    shutil.copyfile(root / "notebooks" / "method.ipynb", target / "notebooks" / "method.ipynb")  # its cells stand under the figures
    (target / "data").mkdir(exist_ok=True)
    (target / "data" / "performance.json").write_bytes(canonical_bytes(made_up_performance()))
    about = target / "book" / "translations" / "about.yml"
    texts = yaml.safe_load(about.read_text(encoding="utf-8"))
    texts["about"] |= {b[0]: {"en": f"Asks {b[0]}. Twice.", "de": f"Fragt {b[0]}. Zweimal.", "es": f"Pregunta {b[0]}. Dos veces."} for b in (*_BENCHMARKS, _OUT)}
    about.write_text(yaml.safe_dump(texts, allow_unicode=True), encoding="utf-8")
    return target
