"""The method against case files: one calibration and its scores each."""

import json
import math

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.scoring import score
from siiq_core.params.loader import project_root
from siiq_core.params.method import load_method, with_changes
from siiq_core.records import Benchmark

KNOWN = {"description", "rules", "params", "benchmarks", "reference", "require_all_reference", "results", "expect", "tolerance"}


def test_golden(golden_case):
    case = json.loads(golden_case.read_text(encoding="utf-8"))
    assert not set(case) - KNOWN, f"unknown keys {sorted(set(case) - KNOWN)}"
    expect, tolerance = case["expect"], case.get("tolerance", 1e-8)
    params = with_changes(load_method(project_root()), case.get("params", {}))
    benchmarks = {x["id"]: Benchmark(**x) for x in case["benchmarks"]}
    results = [tuple(row) for row in case["results"]]
    try:
        calibration = calibrate(results, benchmarks, case["reference"], params,
                                require_all_reference=case.get("require_all_reference", True))
    except CalibrationRefused as refused:
        assert expect["outcome"] == "refused", str(refused)
        named = {refused.rule, "C8"} if refused.rule == "C5" else {refused.rule}  # what C5 cannot mend is refused by C8
        assert expect.get("refused_by", refused.rule) in named
        for name in expect.get("mentions", []):
            assert name in str(refused), f"{name} is not named in: {refused}"
        return
    assert expect["outcome"] == "accepted"

    def close(got, want, what):
        assert math.isclose(got, want, rel_tol=0, abs_tol=tolerance), f"{what}: {got!r}, expected {want!r}"

    if "dropped" in expect:
        assert dict(calibration.dropped) == expect["dropped"]
    for name in ("alpha", "beta", "sigma2"):
        for bench, want in expect.get(name, {}).items():
            close(getattr(calibration, name)[bench], want, f"{name} of {bench}")
    for name in ("shift", "scale"):
        if name in expect:
            close(getattr(calibration, name), expect[name], name)
    if expect.get("kappa") is not None:
        close(calibration.kappa, expect["kappa"], "kappa")
    by_model = {}
    for slug, bench, value in results:
        by_model.setdefault(slug, {})[bench] = value
    for slug, want in expect.get("models", {}).items():
        got = score(by_model[slug], benchmarks, calibration, params)
        for name in ("theta", "se", "siiq", "low", "high"):
            if name in want:
                close(getattr(got.overall, name), want[name], f"{name} of {slug}")
        if "areas" in want:
            assert set(got.areas) == set(want["areas"]), f"areas of {slug}"
            for area, value in want["areas"].items():
                close(got.areas[area].siiq, value, f"{area} of {slug}")
