"""V1: a changed transform, model, area, benchmark set or group is a major step, and nothing else is."""

import json

import numpy as np
import pytest
from siiq_core import __version__
from siiq_core.files import canonical_bytes, sha256
from siiq_core.method.numbers import sig12
from siiq_core.method.transform import transform
from siiq_core.params.reference_group import load_reference_group
from siiq_core.publish.conversion import conversion
from siiq_core.runs import in_force, prepare
from siiq_core.versions import benchmark_changes, major_reasons, next_major, same_calibration

# The method's surface, by major version: a change of the transform's numbers fails here until the major version is raised.
TRANSFORM = {1: "de68b3a218a8281cfb6ee64e68bb3cbb6319de599d89bbabe1203e4c9fd5ad40"}


def test_the_transform_is_that_of_its_major_version():
    s = np.array([0.0, 0.1, 0.25, 0.5, 0.73, 0.9, 1.0] * 3)
    g, c, n = (np.repeat(x, 7) for x in ([0.0, 0.25, 0.1], [1.0, 1.0, 0.9], [100.0, 198.0, 45.0]))
    y, v = transform(s, g, c, n)
    digest = sha256(canonical_bytes([[sig12(float(x)) for x in y], [sig12(float(x)) for x in v]]))
    assert digest == TRANSFORM[int(__version__.partition(".")[0])], "another transform is a major step (V1): raise the version, and note its digest here"


def test_the_shipped_benchmarks_and_group_are_those_of_the_version(root):
    assert prepare({}, "", root).what_if == {}
    assert list(load_reference_group(root).slugs) == in_force(root)["reference"]["members"]


@pytest.mark.parametrize(("column", "value", "major"), [("area", "agents", True), ("family", "other", True), ("evaluator", "Somebody Else", True), ("g", "0.1", False), ("c", "0.99", False), ("n", "77", False)])
def test_an_altered_benchmark_is_a_what_if_that_names_it(project, column, value, major):
    path = project / "params" / "benchmarks.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    row = next(k for k, line in enumerate(lines) if line.startswith("hle,"))
    cells = lines[row].split(",")
    assert '"' not in lines[row]
    cells[header.index(column)] = value
    lines[row] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = prepare({}, "", project)
    assert list(run.what_if) == [f"benchmarks.hle.{column}"]
    assert run.folder.name == "what-if"
    assert bool(major_reasons(run.what_if)) == major


def test_a_benchmark_that_comes_or_goes_is_a_major_step(project):
    path = project / "params" / "benchmarks.csv"
    path.write_text("\n".join(x for x in path.read_text(encoding="utf-8").splitlines() if not x.startswith("hle,")) + "\n", encoding="utf-8")
    run = prepare({}, "", project)
    assert run.what_if == {"benchmarks.hle": [True, False]}
    assert major_reasons(run.what_if) == ("benchmarks.hle",)


def test_constants_and_the_group_are_major_and_the_day_is_none():
    assert major_reasons(["lam", "as_of"]) == ("lam",)
    assert major_reasons(["as_of", "add_rows"]) == ()  # which data, not which method
    assert major_reasons(["add_benchmarks"]) == ("add_benchmarks",)
    assert major_reasons([], group_changed=True) == ("reference_group",)
    assert next_major("3.4.5") == "4.0.0"


def test_an_estimated_n_is_not_compared():
    before = {"b": {"area": "math", "family": "b", "evaluator": "e", "g": 0, "c": 1, "n": 120}}
    assert benchmark_changes(before, {"b": {**before["b"], "n": None}}) == {}
    assert benchmark_changes(before, {"b": {**before["b"], "n": 121}}) == {"benchmarks.b.n": [120, 121]}


def index(version, scores, benchmarks=("p", "q")):
    return {"method_version": version, "models": [{"slug": m, "siiq": x, "ranked": x is not None} for m, x in scores.items()],
            "benchmarks": [{"id": b, "in_index": True} for b in benchmarks]}


def test_a_conversion_finds_the_line_between_two_scales():
    before = {"a": 90.0, "b": 100.0, "c": 120.0, "gone": 80.0}
    after = {m: 7 + 1.1 * x for m, x in before.items() if m != "gone"} | {"gone": None, "new": 99.0}
    found = conversion(index("1.3.0", before), index("2.0.0", after, ("p", "r")))
    assert found["line"] == {"intercept": pytest.approx(7, abs=1e-9), "slope": pytest.approx(1.1), "residual_sd": pytest.approx(0, abs=1e-9)}
    assert (found["spearman"], found["ranked_before"], found["ranked_after"]) == (1.0, 4, 4)
    assert (found["no_longer_ranked"], found["newly_ranked"], found["benchmarks_joined"], found["benchmarks_left"]) == (["gone"], ["new"], ["r"], ["q"])
    assert json.loads(canonical_bytes(found)) == found


def test_a_conversion_of_nothing_in_common_says_so():
    found = conversion(index("1.0.0", {"a": 90.0}), index("2.0.0", {"b": 90.0}))
    assert (found["line"], found["spearman"], found["median_change"]) == (None, None, None)


@pytest.mark.parametrize(("other", "same"), [("1.2.3", True), ("1.2.40", True), ("1.3.3", False), ("2.2.3", False)])
def test_a_patch_calibrates_nothing_anew(other, same):
    assert same_calibration("1.2.3", other) is same and same_calibration(other, "1.2.3") is same
