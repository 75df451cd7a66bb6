"""The shipped default as a whole: figures, files, evidence, and the same bytes whatever the surroundings."""

import csv
import json
import os
import random
import subprocess
import sys

import pytest

from siiq_core import pipeline
from siiq_core.files import canonical_bytes, sha256, with_digest
from siiq_core.verify import verify_file

ALL_STAGES = """
import sys
from siiq_core import pipeline
from pathlib import Path
run = pipeline.prepare({}, sys.argv[2], Path(sys.argv[1]))
for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
    stage(run).save()
"""


def index_of(run) -> dict:
    return json.loads((run.folder / "index.json").read_text(encoding="utf-8"))


def test_figures_are_those_that_independent_runs_found(shipped):
    """data.md, Expected. The interval factor is looked at by its own test: it hangs on the folds."""
    index = index_of(shipped)
    calibration = index["calibration"]
    assert 214 <= len(index["models"]) <= 218
    assert 118 <= len(calibration["models_in_fit"]) <= 119
    assert sum(b["in_index"] for b in index["benchmarks"]) == 23
    assert 97 <= sum(m["ranked"] for m in index["models"]) <= 102
    assert 0.0023 < calibration["shift"] < 0.00255 and 0.9935 < calibration["scale"] < 0.9945
    assert calibration["null_directions"] == 2 and calibration["folds"] == 5 and calibration["pairs"] >= 100
    assert 1.0 <= calibration["kappa"] < 1.1


def test_rank_correlation_with_epochs_own_index(shipped):
    from scipy.stats import spearmanr

    eci = json.loads((shipped.folder / "fetch.json").read_text(encoding="utf-8"))["eci"]
    both = [(m["siiq"], eci[m["slug"]]) for m in index_of(shipped)["models"] if m["ranked"] and m["slug"] in eci]
    assert len(both) > 90 and spearmanr(*zip(*both, strict=True)).statistic > 0.99


def test_the_reference_group_reads_100_and_15(shipped):
    """G, C6: mean 100 and population SD 15 over the frozen group, at the calibration."""
    import statistics

    index = index_of(shipped)
    members = set(index["reference_group"]["members"])
    assert len(members) == 35 and len(index["reference_group"]["not_qualified"]) == 9
    scores = [m["siiq"] for m in index["models"] if m["slug"] in members]
    assert len(scores) == 35
    assert statistics.fmean(scores) == pytest.approx(100, abs=1e-8) and statistics.pstdev(scores) == pytest.approx(15, abs=1e-8)


def test_every_result_has_its_raw_row(shipped):
    """U12: number → evidence id → raw cells; the score is in the row, under the configured column."""
    lines = (shipped.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["method_version"] == "1.0.0"
    evidence = {x["id"]: x for x in map(json.loads, lines[1:])}
    bench = {x["id"]: x for x in csv.DictReader((shipped.root / "params" / "benchmarks.csv").open(encoding="utf-8"))}
    count = 0
    for model in index_of(shipped)["models"]:
        for result in model["results"]:
            record, spec = evidence[result["evidence"]], bench[result["benchmark"]]
            cell = record["row"][spec["score_column"]].strip().rstrip("%")
            assert float(cell) * float(spec["scale"]) == pytest.approx(result["score"], abs=1e-9)
            assert record["model"] == model["slug"] and record["benchmark"] == result["benchmark"]
            assert len(record["sha256"]) == 64 and record["url"].startswith("https://")
            count += 1
    assert count > 1300


def test_verify_agrees_and_any_changed_byte_fails(shipped, tmp_path):
    path = shipped.folder / "index.json"
    assert verify_file(path).passed
    content = path.read_bytes()
    (tmp_path / "calibration_inputs.csv").write_bytes((shipped.folder / "calibration_inputs.csv").read_bytes())
    spoiled = tmp_path / "index.json"
    for place in range(0, len(content), len(content) // 20):
        changed = bytearray(content)
        changed[place] = changed[place] ^ 1
        spoiled.write_bytes(bytes(changed))
        assert not verify_file(spoiled).passed, f"byte {place}"


def test_a_number_that_is_off_is_named(shipped, tmp_path):
    index = index_of(shipped)
    index["models"][3]["siiq"] += 2e-9 * 10
    index["benchmarks"][0]["alpha"] += 1e-7
    (tmp_path / "index.json").write_bytes(canonical_bytes(with_digest(index)))
    (tmp_path / "calibration_inputs.csv").write_bytes((shipped.folder / "calibration_inputs.csv").read_bytes())
    report = verify_file(tmp_path / "index.json")
    named = {m.path for m in report.mismatches}
    assert not report.passed
    assert any(index["models"][3]["slug"] in x and "siiq" in x for x in named)
    assert any(index["benchmarks"][0]["id"] in x and "alpha" in x for x in named)


def test_the_calibration_in_force_is_the_one_the_shipped_data_give(shipped):
    assert (shipped.root / "params" / "calibrations" / "1.0.0.json").read_bytes() == (shipped.folder / "calibration.json").read_bytes()


@pytest.mark.parametrize(("seed", "threads", "zone", "locale"), [("0", "1", "UTC", "C"), ("4711", "2", "America/Los_Angeles", "de_DE.UTF-8")])
def test_same_bytes_whatever_the_surroundings(shipped, project, tmp_path, seed, threads, zone, locale):
    """C11: another folder, shuffled rows, other thread counts, hash seeds, time zones and locales."""
    for path in sorted((project / "data" / "observations").rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            header, *rows = list(csv.reader(stream))
        random.Random(seed).shuffle(rows)
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\r\n").writerows([header, *rows])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "TZ": zone,
                   "LC_ALL": locale, "LANG": locale, "SIIQ_ROOT": str(project)}
    subprocess.run([sys.executable, "-c", ALL_STAGES, str(project), str(tmp_path / "out")], check=True, env=environment)
    for name in ("index.json", "evidence.jsonl", "history.json", "results.csv", "calibration.json", "calibration_inputs.csv"):
        assert (tmp_path / "out" / name).read_bytes() == (shipped.folder / name).read_bytes(), name


def test_a_new_model_moves_nobody(shipped):
    """C10: more results under the calibration in force leave every other score alone; ranks may move."""
    from dataclasses import replace

    from siiq_core.publish.index import build_index
    from siiq_core.records import Model, Result

    facts, results, _ = pipeline.fetched(shipped, pipeline.quiet)
    calibration, record = pipeline.calibrated(shipped)
    common = dict(params=shipped.params, what_if={}, calibration=calibration, calibration_facts={k: record[k] for k in ("id", "at", "inputs_sha256")},
                  benchmarks=pipeline.benchmarks_of(record), benchmark_facts=record["benchmarks"], reference=record["reference"], sources=facts["sources"], licences=[])
    models = {x["slug"]: Model(**x) for x in facts["models"]}
    newcomer = [Result("zz-made-up", b, 0.99, "v", "2026-07-01", "default", "e", "0" * 16) for b in list(calibration.alpha)[:12]]
    before = build_index(models=models, results=results, **common)
    after = build_index(models={**models, "zz-made-up": replace(next(iter(models.values())), slug="zz-made-up")}, results=[*newcomer, *results], **common)
    free = ("rank", "best_rank", "worst_rank")
    plain = lambda index: {m["slug"]: {k: v for k, v in m.items() if k not in free} for m in index["models"] if m["slug"] != "zz-made-up"}  # noqa: E731
    assert plain(before) == plain(after)
    assert next(m for m in after["models"] if m["slug"] == "zz-made-up")["ranked"]


def test_manifest_names_inputs_by_their_sha256(shipped):
    manifest = json.loads((shipped.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["inputs"]["params/method.yml"] == sha256((shipped.root / "params" / "method.yml").read_bytes())
    assert any(x.startswith("data/observations/epoch/2026-07-31") for x in manifest["inputs"])
    assert manifest["outputs"]["index.json"] == sha256((shipped.folder / "index.json").read_bytes())
    assert {"python", "numpy"} <= set(manifest["packages"])


def test_strict_licences_build_an_index_of_the_evaluators_own(root, tmp_path):
    """E2: with licence_policy strict no benchmark on the bundle's licence gives a result."""
    run = pipeline.prepare({"licence_policy": "strict"}, str(tmp_path), root)
    found = pipeline.fetch(run).value
    basis = {b["id"]: b["license_basis"] for b in found.benchmarks}
    assert found.results and {basis[r.benchmark] for r in found.results} == {"evaluator"}
    assert {b["reason"] for b in found.benchmarks if b["license_basis"] == "bundle"} == {"E2"}


def test_the_index_fits_its_schema_and_the_schema_says_no(shipped):
    import jsonschema

    from siiq_core.publish.index import SCHEMA

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    index = index_of(shipped)
    jsonschema.validate(index, schema)
    index["models"][0]["slug"] = "../x"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(index, schema)
