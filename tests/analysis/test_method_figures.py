"""Figures of the method chapter against small computations of another kind, on the shipped data and what was published of it."""

import csv
import json
import math
import shutil
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from siiq_core import pipeline
from siiq_core.analysis import calibration_figures, method_figures
from siiq_core.analysis.workings import day_before, inputs_of
from siiq_core.errors import VerificationError


@pytest.fixture(scope="module")
def found(shipped):
    """The shipped calibration from inside."""
    return pipeline.workings(shipped)


@pytest.fixture(scope="module")
def published(shipped):
    """index.json of the same run."""
    return json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def benches(published):
    return {b["id"]: b for b in published["benchmarks"]}


def logit_of(b, s):
    """y and v from the definitions: count of right answers, half a one added on both sides; the variance by a numerical slope."""
    def y(score):
        right = b["n"] * min(1, max(0, (score - b["g"]) / (b["c"] - b["g"])))
        return math.log((right + 0.5) / (b["n"] - right + 0.5))

    p = min(1, max(0, (s - b["g"]) / (b["c"] - b["g"])))
    p_star = (p * b["n"] + 0.5) / (b["n"] + 1)
    level = b["g"] + (b["c"] - b["g"]) * p_star
    slope = b["n"] / (b["n"] + 1) / ((b["c"] - b["g"]) * p_star * (1 - p_star))
    return y(s), level * (1 - level) / b["n"] * slope**2


def siiq(published, benches, model, scores):
    """S in a few lines, from the published parameters."""
    at, constants = published["calibration"], published["constants"]
    in_family = [benches[x]["family"] for x in scores]
    d, pull = constants["lam"], 0.0
    for x, s in scores.items():
        b = benches[x]
        y, v = logit_of(b, s)
        w = b["omega"] / in_family.count(b["family"]) / (b["sigma2"] + v)
        d, pull = d + w * b["alpha"] ** 2, pull + w * b["alpha"] * (y - b["beta"])
    return constants["mean"] + constants["sd"] * (pull / d - at["shift"]) / at["scale"]


def test_the_transform_and_its_variance(found, benches):  # T, T1
    figure = method_figures.transform_curve(found)
    b = benches[figure["benchmark"]]
    assert b["g"] == max(x["g"] for x in benches.values() if x["in_index"]) and len(figure["curve"]) == 101
    for s, y, sd in figure["curve"]:
        mine, v = logit_of(b, s)
        assert y == pytest.approx(mine, abs=1e-4) and sd == pytest.approx(math.sqrt(v), rel=1e-4)


def test_more_questions_leave_less_doubt(found, benches):  # T1, T3
    series = method_figures.precision(found)["series"]
    numbers = [benches[x["benchmark"]]["n"] for x in series]
    inside = sorted(b["n"] for b in benches.values() if b["in_index"])
    assert numbers == [inside[0], inside[len(inside) // 2], inside[-1]]
    for one in series:
        b = benches[one["benchmark"]]
        for k in (0, 10, 50, 99):
            assert one["curve"][k][1] == pytest.approx(math.sqrt(logit_of(b, b["g"] + (b["c"] - b["g"]) * k / 100)[1]), rel=1e-4)


def test_fitted_curves_lead_back_to_the_lines(found, published, benches):  # C3a
    at = published["calibration"]
    figure = method_figures.loadings(found)["benchmarks"]
    loadings = sorted(b["alpha"] for b in benches.values() if b["in_index"])
    assert [benches[x["benchmark"]]["alpha"] for x in figure] == [loadings[0], loadings[len(loadings) // 2], loadings[-1]]
    for one in figure:
        b = benches[one["benchmark"]]
        for points, s in one["curve"]:
            if b["g"] + 0.02 < s < b["c"] - 0.02:
                ability = at["shift"] + at["scale"] * (points - 100) / 15
                assert logit_of(b, s)[0] == pytest.approx(b["alpha"] * ability + b["beta"], abs=1e-3)
        on_it = {m["slug"]: (m["siiq"], r["score"]) for m in published["models"] for r in m["results"] if r["benchmark"] == one["benchmark"]}
        assert {m["model"]: (m["siiq"], m["score"]) for m in one["models"]} == {k: pytest.approx(v, rel=1e-5) for k, v in on_it.items()}


def test_the_rounds_are_those_of_the_calibration(found, published):  # C3
    changes = calibration_figures.rounds(found)["changes"]
    assert [n for n, _ in changes] == list(range(1, published["calibration"]["rounds"] + 1))
    assert changes[-1][1] == pytest.approx(published["calibration"]["last_change"], rel=1e-5)
    assert all(change > published["constants"]["convergence_tolerance"] for _, change in changes[:-1])


def whole_jacobian(found):
    """Every column, abilities included, scaled to length 1: nothing projected out."""
    panel, fit = found.trace.panel, found.trace.fit
    rows, models, benches = len(panel.m), len(panel.models), len(panel.benchmarks)
    jacobian, at = np.zeros((rows, models + 2 * benches)), np.arange(rows)
    jacobian[at, panel.m] = fit.lines.alpha[panel.b]
    jacobian[at, models + panel.b] = fit.theta[panel.m]
    jacobian[at, models + benches + panel.b] = 1
    return jacobian / np.sqrt((jacobian**2).sum(axis=0)), models


def test_null_directions_and_the_gap(found):  # C5
    figure = calibration_figures.identification(found)
    jacobian, models = whole_jacobian(found)
    assert (figure["results"], figure["parameters"]) == jacobian.shape
    assert figure["parameters"] - np.linalg.matrix_rank(jacobian, tol=1e-8) == figure["null"] == 2
    own, rest = jacobian[:, :models], jacobian[:, models:]
    left = rest - own @ np.linalg.lstsq(own, rest, rcond=None)[0]  # another way to take the abilities out
    values = np.linalg.svd(left, compute_uv=False)
    assert figure["shares"] == pytest.approx(list(values[: len(figure["shares"])] / values[0]), rel=1e-5)
    assert len(figure["shares"]) + 2 == left.shape[1] and max(values[-2:]) / values[0] < figure["null_below"] < figure["tolerance"] < figure["shares"][-1]


def test_bridges_are_what_their_definition_says(found):  # C5
    figure = calibration_figures.identification(found)
    panel, fit = found.trace.panel, found.trace.fit
    for bridge in (*figure["bridges"][:2], figure["bridges"][-1]):
        keep = np.array([x != bridge["model"] for x in panel.models])
        values = np.linalg.svd(calibration_figures.projected_jacobian(panel.keep(keep, np.ones(len(panel.benchmarks), bool)), fit.theta[keep], fit.lines.alpha), compute_uv=False)
        assert bridge["fall"] == pytest.approx(1 - values[-3] / values[0] / figure["shares"][-1], abs=1e-4)
        assert bridge["results"] == int((panel.m == panel.models.index(bridge["model"])).sum())
    falls = [x["fall"] for x in figure["bridges"]]
    assert falls == sorted(falls, reverse=True) and len(falls) == 10
    weakest = figure["weakest"]
    assert weakest["models"] == sum(r.benchmark == weakest["benchmark"] and m in panel.models for m, own in found.results.items() for r in own)


def test_kappa_is_the_quantile_of_the_halves(found, published):  # C7
    figure, at = calibration_figures.halves(found), published["calibration"]
    z = sorted(x["z"] for x in figure["pairs"])
    assert len(z) == at["pairs"] and figure["position"] == -(-9 * len(z) // 10)
    assert figure["q"] == z[figure["position"] - 1] and figure["inside"] == sum(x <= 1.644854 for x in z)
    assert at["kappa"] == pytest.approx(max(1, figure["q"] / 1.644854), rel=1e-5) and figure["kappa"] == at["kappa"]
    assert {x["fold"] for x in figure["pairs"]} == set(range(1, at["folds"] + 1))
    order = sorted(at["models_in_fit"])
    assert all(x["fold"] == order.index(x["model"]) % 5 + 1 for x in figure["pairs"])


def test_an_earlier_days_parameters_on_todays_results(found, published, shipped):  # C9, C10
    figure = calibration_figures.recalibration(found)
    history = json.loads((shipped.folder / "history.json").read_text(encoding="utf-8"))
    assert figure["from"] == day_before(history) < published["as_of"]
    today = {m["slug"]: m for m in published["models"]}
    assert all(today[x["model"]]["ranked"] and x["after"] == pytest.approx(today[x["model"]]["siiq"], rel=1e-5) for x in figure["models"])
    before, after = ([x[k] for x in figure["models"]] for k in ("before", "after"))
    assert figure["spearman"] == pytest.approx(stats.spearmanr(before, after).statistic, abs=1e-5)
    assert figure["median_change"] == pytest.approx(float(np.median(np.abs(np.subtract(after, before)))), abs=1e-3)
    assert figure["ranked_after"] == sum(m["ranked"] for m in published["models"])


def test_history_holds_the_inputs_of_every_day(shipped):  # V4
    history = json.loads((shipped.folder / "history.json").read_text(encoding="utf-8"))
    with (shipped.folder / "calibration_inputs.csv").open(encoding="utf-8", newline="") as stream:
        inputs = sorted((r["slug"], r["benchmark"], float(r["score"])) for r in csv.DictReader(stream))
    assert inputs_of(history, history["days"][-1]["day"]) == inputs
    assert len(inputs_of(history, history["days"][0]["day"])) == len(history["days"][0]["changes"])


def test_what_one_result_does_to_the_leader(found, published, benches):  # S
    figure, leader = method_figures.leverage(found), published["models"][0]
    assert figure["model"] == leader["slug"]
    own = {r["benchmark"]: r["score"] for r in leader["results"] if r["w"] is not None}
    base = siiq(published, benches, leader, own)
    assert base == pytest.approx(leader["siiq"], abs=1e-8)
    assert {x["benchmark"] for x in figure["results"]} == set(own)
    for x in figure["results"]:
        name, s = x["benchmark"], own[x["benchmark"]]
        assert x["down"] == pytest.approx(siiq(published, benches, leader, {**own, name: max(0, s - 0.05)}) - base, abs=1e-4)
        assert x["up"] == pytest.approx(siiq(published, benches, leader, {**own, name: min(1, s + 0.05)}) - base, abs=1e-4)
        assert x["without"] == pytest.approx(siiq(published, benches, leader, {k: v for k, v in own.items() if k != name}) - base, abs=1e-4)
    assert sum(x["share"] for x in figure["results"]) == pytest.approx(1 - published["constants"]["lam"] / leader["d"], abs=1e-5)
    curve = figure["curve"]
    for s, points in curve["points"][::20]:
        assert points == pytest.approx(siiq(published, benches, leader, {**own, curve["benchmark"]: s}), abs=1e-3)


def test_where_more_would_count_as_less(found, published, benches):  # S
    lower = total = 0
    for model in published["models"]:
        own = {r["benchmark"]: r["score"] for r in model["results"] if r["w"] is not None}
        for name, s in own.items():
            total += 1
            lower += siiq(published, benches, model, {**own, name: min(1, s + 0.01)}) < siiq(published, benches, model, own)
    assert method_figures.wrong_way(found) == {"lower": lower, "results": total}


def test_the_same_bytes_again_and_the_code_of_each_figure(shipped, found):
    first, second = (pipeline.method(shipped, x).files["method_figures.json"] for x in (found, None))
    assert first == second
    record = json.loads(first)
    assert set(record["code"]) == set(record["figures"]) and all(x.startswith("def ") for x in record["code"].values())
    assert record["calibration"] == json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))["calibration"]["id"]


def test_a_what_if_run_without_kappa_and_a_first_day_have_figures_too(found):
    bare = replace(found, trace=replace(found.trace, halves=()), earlier=None, earlier_day=None)
    assert calibration_figures.halves(bare)["q"] is None and calibration_figures.halves(bare)["pairs"] == []
    assert calibration_figures.recalibration(bare)["models"] == [] and calibration_figures.recalibration(bare)["spearman"] is None


def test_inputs_that_lead_elsewhere_are_refused(shipped, found, tmp_path):
    for name in ("fetch.json", "results.csv", "history.json", "calibration.json", "calibration_inputs.csv"):
        shutil.copyfile(shipped.folder / name, tmp_path / name)
    inputs = tmp_path / "calibration_inputs.csv"
    lines = inputs.read_text(encoding="utf-8").splitlines()
    at = next(k for k, line in enumerate(lines) if line.split(",")[0] in found.calibration.models and line.split(",")[1] in found.calibration.alpha)
    lines[at] = ",".join(lines[at].split(",")[:2] + ["0.0123"])
    inputs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(VerificationError, match="another calibration"):
        pipeline.workings(replace(shipped, folder=tmp_path))
