"""Coverage is nominal where the model holds; errors with the parameters' share are the derivative of the calibration that ships; folds by hashes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from studied import made_up

from siiq_core.errors import ParameterError
from siiq_core.method.calibration.fit import abilities, fit, weights
from siiq_core.method.calibration.kappa import estimate
from siiq_core.method.calibration.run import refit
from siiq_core.method.panel import build_panel
from siiq_core.method.ranks import rank
from siiq_core.params.intervals import load_intervals, with_intervals_changes
from siiq_core.workbench.desk import scored
from siiq_core.workbench.fitted import lines_of, panel_on, shares_of, truth, world
from siiq_core.workbench.intervals.coverage import KINDS, trial, widened, with_parameters
from siiq_core.workbench.intervals.folds import deal, kappas
from siiq_core.workbench.intervals.jackknife import parameter_errors, standard_error
from siiq_core.workbench.intervals.run import study
from siiq_core.workbench.intervals.sandwich import influence, standard_errors
from siiq_core.workbench.intervals.summary import classes, coverage


@pytest.fixture(scope="module")
def at():
    return made_up()


@pytest.fixture(scope="module")
def worlds(at):
    return [trial(at, np.random.default_rng([1, k])) for k in range(25)]


def test_a_world_keeps_who_was_measured_where_and_draws_whole_numbers_of_answers(at):
    drawn = world(at, np.random.default_rng(1))
    assert [c[:2] for c in drawn.cells] == [c[:2] for c in at.desk.cells]
    assert drawn.cells != at.desk.cells
    assert all(abs(s * 400 - round(s * 400)) < 1e-6 for _, _, s in drawn.cells)


def test_worlds_are_drawn_from_the_fitted_lines_and_variances(at):
    """Mean over many worlds of a logit is α·θ + β, its variance σ² + v; without σ² it would be far less."""
    own = [r for r in at.desk.results if r.benchmark == "b07"]
    drawn = np.array([[r.score for r in world(at, np.random.default_rng([2, k])).results if r.benchmark == "b07"] for k in range(200)])
    middle = int(np.argmin([abs(at.scores[r.model].theta0) for r in own]))
    logit = np.log(drawn[:, middle] / (1 - drawn[:, middle]))
    expected = at.calibration.alpha["b07"] * at.scores[own[middle].model].theta0 + at.calibration.beta["b07"]
    assert abs(logit.mean() - expected) < 4 * logit.std() / math.sqrt(200)
    assert logit.var() == pytest.approx(at.calibration.sigma2["b07"] + 4 / 400, rel=0.25)


def test_ninety_per_cent_intervals_hold_the_truth_nine_times_in_ten_where_the_model_holds(at, worlds):
    found = coverage(worlds, sorted(at.scores))
    for kind in KINDS:
        assert found[kind]["covered"]["share"] == pytest.approx(0.9, abs=0.03), kind
        assert found[kind]["rank_covered"]["share"] > 0.97, kind
    assert found["published"]["half_width"] < found["widened"]["half_width"] < 1.05 * found["published"]["half_width"]  # lines of 40 models each are known well


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_standard_error_misses_the_nominal_share(at, factor):
    drawn, true = world(at, np.random.default_rng([1, 0])), truth(at)
    right = scored(drawn, at.calibration)[0]
    wrong = widened(right, {x: factor * s.overall.se for x, s in right.items()}, drawn.params)

    def share(scores):
        return np.mean([s.overall.low <= 100 + 15 * true[x] <= s.overall.high for x, s in scores.items()])

    assert abs(share(wrong) - 0.9) > 0.05 and abs(share(right) - 0.9) < 0.1


def test_rank_ranges_of_points_would_not_hold_the_true_rank(at):
    drawn, true = world(at, np.random.default_rng([1, 0])), truth(at)
    scores, standings = scored(drawn, at.calibration)
    bare = rank(widened(scores, dict.fromkeys(scores, 0.0), drawn.params), standings)
    place = {x: k for k, x in enumerate(sorted(true, key=lambda x: -true[x]), start=1)}
    hit = {name: np.mean([s[x].best_rank <= place[x] <= s[x].worst_rank for x in place]) for name, s in (("bare", bare), ("own", standings))}
    assert hit["bare"] < 0.4 < 0.9 < hit["own"]


def mapped(at, y):
    """Abilities on the published scale with other logits, by C3–C6 as they ship."""
    panel, params = replace(at.trace.panel, y=y), at.desk.params
    share = weights(panel, params).share
    raw = abilities(panel, share, fit(panel, share, params).lines, params.lam)
    own = raw[panel.reference]
    return (raw - own.mean()) / own.std()


def calibrated_anew(at, n):
    """Shape (M,): what the n-th logit does to every ability, by central differences."""
    step = np.zeros(len(at.trace.panel.y))
    step[n] = 1e-4
    return (mapped(at, at.trace.panel.y + step) - mapped(at, at.trace.panel.y - step)) / 2e-4


def analytic(at):
    """Abilities on the published scale, and their derivatives as the study takes them."""
    panel, calibration = at.trace.panel, at.calibration
    theta, everyone = mapped(at, panel.y), np.ones(len(panel.models), bool)
    lines, share = lines_of(panel, calibration), shares_of(panel, calibration, at.desk)
    return theta, influence(panel, share, lines, theta, (calibration.shift, calibration.scale), everyone, at.desk.params.lam)


def test_the_sandwich_is_the_derivative_of_the_calibration_that_ships():
    """Every residual variance on the floor, so that it cannot move; one y moved a little; all of C3–C6 run again."""
    at = made_up(24, 8, floor=2.0, min_pairs=10)
    panel = at.trace.panel
    lines, share = lines_of(panel, at.calibration), shares_of(panel, at.calibration, at.desk)
    assert set(lines.sigma2) == {2.0}
    theta, moved = analytic(at)
    for n in (0, 37, 100):
        numeric = calibrated_anew(at, n)
        assert np.allclose(moved[:, n], numeric, atol=1e-6)
        own_only = np.zeros(len(theta))
        m, b = panel.m[n], panel.b[n]
        own_only[m] = share[n] / (2 + panel.v[n]) * lines.alpha[b]
        assert not np.allclose(own_only, numeric, atol=1e-3)  # S1's own share is not all of it


def test_the_sandwich_holds_residual_variances_that_the_calibration_moves():
    """Off their floor they move with every y, and weights with them: the page says that this share is left out."""
    at = made_up(24, 8, min_pairs=10)
    assert min(lines_of(at.trace.panel, at.calibration).sigma2) > at.desk.params.residual_variance_floor
    _, moved = analytic(at)
    assert all(1e-4 < np.max(np.abs(moved[:, n] - calibrated_anew(at, n))) < 0.1 for n in (0, 37, 100))


def test_with_lines_known_the_sandwich_is_the_published_error(at):
    """No model in the fit and no scale to set: what is left is S1."""
    panel = panel_on(at.desk, at.calibration)
    lines, share = lines_of(panel, at.calibration), shares_of(panel, at.calibration, at.desk)
    w, d = share / (lines.sigma2[panel.b] + panel.v), np.zeros(len(panel.models))
    np.add.at(d, panel.m, w * lines.alpha[panel.b] ** 2)
    moved = np.zeros((len(panel.models), len(panel.m)))
    moved[panel.m, np.arange(len(panel.m))] = w * lines.alpha[panel.b] / (d + at.desk.params.lam)[panel.m] / at.calibration.scale
    se = standard_errors(moved, lines.sigma2[panel.b] + panel.v) * at.calibration.kappa
    assert np.allclose(se, [at.scores[x].overall.se for x in panel.models])


@pytest.mark.parametrize("weights_", [None, (1.0, 2.0, 3.0, 4.0, 5.0)])
def test_the_jackknife_of_a_mean_is_the_closed_form(weights_):
    """t without unit k is the mean of the rest: SE² = s²/K. With the factor 1/K it would be K − 1 times too small."""
    x = np.array(weights_ or (2.0, 7.0, 1.0, 8.0, 2.0))
    without = [[np.delete(x, k).mean()] for k in range(5)]
    assert standard_error(without)[0] == pytest.approx(x.std(ddof=1) / math.sqrt(5))
    assert standard_error(without)[0] != pytest.approx(np.std([t for t, in without]))


def test_the_jackknife_goes_through_the_calibration_and_comes_near_the_sandwich(at):
    found = parameter_errors(at)
    assert found.deletions == 40 and not found.skipped
    analytic = with_parameters(at.desk, at.calibration, at.scores)
    total = [math.hypot(at.scores[x].overall.se, at.calibration.kappa * found.se[x]) for x in analytic]
    assert np.median(np.array(total) / np.array(list(analytic.values()))) == pytest.approx(1, abs=0.1)


def test_folds_by_hashes_are_named_and_another_name_deals_otherwise(at):
    assert deal("a", 0, "made-up-01") == __import__("hashlib").sha256(b"a:0:made-up-01").hexdigest()
    first = kappas(at, "a", 3)
    assert first == kappas(at, "a", 3) and first[:2] == kappas(at, "a", 2) and first != kappas(at, "b", 3)
    assert all(x.kappa == pytest.approx(max(1.0, x.ratio)) for x in first)


def test_the_methods_own_order_of_folds_is_by_code_point(at):
    """C7 stays as it is: naming the order changes nothing, another one does."""
    desk = at.desk
    without = refit(build_panel(desk.cells, desk.benchmarks, desk.reference), desk.reference, desk.params)

    def pairs(order):
        return estimate(desk.cells, at.calibration.models, desk.benchmarks, desk.params, without, order).pairs

    assert pairs(None) == pairs(lambda slug: slug) == at.trace.halves != pairs(lambda slug: slug[::-1])


def test_classes_cut_by_families_and_leave_out_empty_ones():
    found = classes({"a": 1, "b": 3, "c": 4, "d": 20}, ["d"], [4, 8, 12])
    assert [(x["id"], x["least"], x["most"], x["slugs"]) for x in found] == [
        ("all", None, None, ["a", "b", "c", "d"]), ("ranked", None, None, ["d"]), ("families", 1, 3, ["a", "b"]), ("families", 4, 7, ["c"]), ("families", 12, None, ["d"])]


def test_the_same_seed_gives_the_same_study_and_another_one_another(root):
    params = with_intervals_changes(load_intervals(root), {"worlds": 2, "assignments": 2})
    at = made_up(24, 8, min_pairs=10)
    found, other = study(at, params), study(at, with_intervals_changes(params, {"seed": 1}))
    assert found == study(at, params)
    assert found["coverage"] != other["coverage"] and found["kappa"] == other["kappa"] and found["errors"] == other["errors"]


@pytest.mark.parametrize("changes", [{"worlds": 1}, {"worlds": 2.5}, {"seed": -1}, {"assignments": 0}, {"hash_name": "A b"}, {"world": 3}, {"worlds": "9"}])
def test_numbers_that_make_no_study_are_refused_with_a_remedy(root, changes):
    with pytest.raises(ParameterError) as refusal:
        with_intervals_changes(load_intervals(root), changes)
    assert refusal.value.remedy
