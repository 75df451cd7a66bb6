"""The second implementation against the same case files as the first (`--cases DIR` works here too)."""

import json

import pytest

from siiq_core.errors import CalibrationRefused
from siiq_core.records import Benchmark
from siiq_core.verify import Parameters, calibrate, rescore

from .conftest import CONSTANTS


def test_agrees_with_the_case(case_file):
    case = json.loads(case_file.read_text(encoding="utf-8"))
    expect, constants = case["expect"], CONSTANTS | case["params"]
    definitions = [Benchmark(**b) for b in case["benchmarks"]]
    rows = [tuple(r) for r in case["results"]]
    required = case.get("require_all_reference", True)
    if expect["outcome"] == "refused":
        with pytest.raises(CalibrationRefused) as refusal:
            calibrate(rows, definitions, case["reference"], constants, required)
        assert expect.get("refused_by", "C8") in (refusal.value.rule, "C8")  # C8 lists what refuses, C5 among it
        assert all(name in str(refusal.value) for name in expect.get("mentions", []))
        return

    found = calibrate(rows, definitions, case["reference"], constants, required)
    assert found["dropped"] == expect["dropped"]

    def close(value):
        return pytest.approx(value, rel=0, abs=case["tolerance"])

    for name in ("alpha", "beta", "sigma2"):
        assert found[name] == close(expect[name]), name
    for name in ("shift", "scale"):
        assert found[name] == close(expect[name]), name
    if expect.get("kappa") is not None:
        assert found["kappa"] == close(expect["kappa"])
    parameters = {
        b.id: Parameters(b.area, b.family, b.evaluator, b.g, b.c, b.n, *(found[k][b.id] for k in ("alpha", "beta", "sigma2", "omega")))
        for b in definitions if b.id in found["alpha"]
    }
    for slug, wanted in expect["models"].items():
        score = rescore([(b, x) for s, b, x in rows if s == slug], parameters, found["shift"], found["scale"], found["kappa"], constants)
        for name in ("theta", "se", "siiq", "low", "high"):
            assert getattr(score.overall, name) == close(wanted[name]), (slug, name)
        assert {area: x.siiq for area, x in score.areas.items()} == close(wanted["areas"]), slug

