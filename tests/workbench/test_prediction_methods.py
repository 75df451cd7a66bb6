"""Each method by hand or by the condition that defines it; none can see what is hidden."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panels import benchmarks, params, reference, results

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration import run as calibration_run
from siiq_core.method.panel import build_panel
from siiq_core.method.transform import transform_one
from siiq_core.params.loader import project_root
from siiq_core.params.prediction import load_prediction, with_prediction_changes
from siiq_core.records import Benchmark
from siiq_core.workbench.prediction import own
from siiq_core.workbench.prediction.baselines import _ridge_solve, alternate, benchmark_mean, factor_model, nearest, neighbours
from siiq_core.workbench.prediction.held_out import METHODS
from siiq_core.workbench.prediction.predictor import Guess, Setting
from siiq_core.workbench.prediction.sigmoid import Curves, place, sigmoid, solve
from siiq_core.workbench.prediction.splits import Question, Round, hidden_benchmarks, hidden_cells, hidden_models, later_results, scores_by_model

CELLS, BENCHES = results(), benchmarks()
AT = Setting(BENCHES, tuple(reference()), params(min_pairs=5), load_prediction(project_root()))


def setting(**changes):
    return replace(AT, params=with_prediction_changes(AT.params, changes))


def logit(p):
    return math.log(p / (1 - p))


# --- nothing leaks ---------------------------------------------------------------------------------------------------


def designs(cells):
    days = [{"day": f"2025-0{k + 1}-01", "changes": [{"model": m, "benchmark": b, "score": s} for m, b, s in cells if hash_free(m, b) % 3 <= k]} for k in range(3)]
    return (hidden_cells(cells, tuple(BENCHES), 4), hidden_models(cells, tuple(BENCHES), BENCHES, 3, AT.method), hidden_benchmarks(cells, ("b00", "b05")),
            later_results({"days": days}, tuple(BENCHES), BENCHES))


def hash_free(model, bench):
    return int(model[-2:]) + int(bench[-2:])


@pytest.mark.parametrize("which", range(4))
@settings(max_examples=4)
@given(data=st.data())
def test_altering_a_hidden_score_changes_no_prediction_of_its_round(which, data):
    design = designs(CELLS)[which]
    number = data.draw(st.integers(0, len(design.rounds) - 1))
    asked = {(q.model, q.benchmark) for q in design.rounds[number].questions}
    if which == 1:  # either half of a model is known to the other: hidden are those of one direction
        known = design.rounds[number].questions[0].known
        asked = {(q.model, q.benchmark) for q in design.rounds[number].questions if q.model == design.rounds[number].questions[0].model and q.known == known}
    altered = [(m, b, data.draw(st.floats(0, 1)) if (m, b) in asked else s) for m, b, s in CELLS]
    after = designs(altered)[which]
    for name, make in METHODS.items():
        told, untold = make(AT)(design.rounds[number]), make(AT)(after.rounds[number])
        pairs = [(q, r) for q, r in zip(design.rounds[number].questions, after.rounds[number].questions, strict=True) if (q.model, q.benchmark) in asked]
        assert pairs and all(told(q) == untold(r) for q, r in pairs), name


def test_a_prediction_does_depend_on_what_is_known():
    """The same test the other way round: it can fail."""
    round_ = hidden_cells(CELLS, tuple(BENCHES), 4).rounds[0]
    question = round_.questions[0]
    other = replace(question, known={b: 1 - s for b, s in question.known.items()})
    for name, make in METHODS.items():
        predict = make(AT)(replace(round_, fitted=tuple(c for c in round_.fitted if c[0] != question.model)))
        assert (predict(question) == predict(other)) == (name == "mean"), name


def test_the_same_round_gives_the_same_guesses_whatever_the_order_of_its_rows():
    round_ = hidden_cells(CELLS, tuple(BENCHES), 4).rounds[1]
    mixed = replace(round_, fitted=round_.fitted[::-1])
    for name, make in METHODS.items():
        assert [make(AT)(round_)(q) for q in round_.questions[:5]] == [make(AT)(mixed)(q) for q in round_.questions[:5]], name


# --- SI-IQ -----------------------------------------------------------------------------------------------------------


def test_siiq_by_hand(monkeypatch):
    """One known result on a line that is given: θ₀ and SE₀ of S, η, V and the interval, each worked out here."""
    bench = {"p": Benchmark("p", "math", "p", "ev", 0.0, 1.0, 100), "q": Benchmark("q", "coding", "q", "ev", 0.2, 0.9, 50)}
    found = replace(calibration_run.calibrate(CELLS, BENCHES, reference(), AT.method, require_all_reference=False), alpha={"p": 1.2, "q": 0.8}, beta={"p": 0.3, "q": -0.5},
                    sigma2={"p": 0.2, "q": 0.4}, omega={"p": 1.0, "q": 1.0}, kappa=1.1)
    monkeypatch.setattr(own, "calibrate", lambda *a, **k: found)
    guess = own.siiq(replace(AT, benchmarks=bench))(Round("0", (("m", "p", 0.7),), ()))(Question("m", "q", {"p": 0.7}))
    star = (0.7 * 100 + 0.5) / 101
    y, v = logit(star), star * (1 - star) * 100 / (101**2 * star**2 * (1 - star) ** 2)
    w = 1 / (0.2 + v)
    d = 0.1 + w * 1.44
    theta, se = w * 1.2 * (y - 0.3) / d, 1.1 * math.sqrt(w * w * 1.44 * (0.2 + v)) / d
    expected = 0.8 * theta - 0.5
    q_star = 1 / (1 + math.exp(-expected))
    s_star = 0.2 + 0.7 * q_star
    v_q = s_star * (1 - s_star) * 50 / (51**2 * 0.7**2 * q_star**2 * (1 - q_star) ** 2)
    sd = math.sqrt(0.4 + v_q + 0.64 * se**2)

    def back(x):
        return 0.2 + 0.7 * (51 / (1 + math.exp(-x)) - 0.5) / 50

    assert guess.logit == pytest.approx(expected) and guess.sd == pytest.approx(sd) and guess.score == pytest.approx(back(expected))
    assert guess.interval(bench["q"], 1.644854) == pytest.approx((back(expected - 1.644854 * sd), back(expected + 1.644854 * sd)))
    for wrong in (math.sqrt(0.4 + v_q), math.sqrt(0.4 + v_q + 0.64 * (se / 1.1) ** 2), math.sqrt(0.4 + v_q + se**2), math.sqrt(0.4 + 0.64 * se**2)):
        assert abs(guess.sd - wrong) > 1e-3


def test_siiq_says_nothing_of_the_unknown(monkeypatch):
    round_ = Round("0", tuple(CELLS), ())
    predict = own.siiq(AT)(round_)
    assert predict(Question("new", "b00", {})) is None and predict(Question("made-up-05", "no-such", {"b00": 0.5})) is None
    assert isinstance(predict(Question("new", "b00", {"b01": 0.5})), Guess)

    def refuse(*a, **k):
        raise CalibrationRefused("made up", remedy="none")

    monkeypatch.setattr(own, "calibrate", refuse)
    assert own.siiq(AT)(round_)(Question("new", "b00", {"b01": 0.5})) is None


def test_the_line_afterwards_is_the_weighted_line_where_its_variance_rests():
    """C3a at a fixed point: σ² = max(Σr²/(N − 2) − mean v, floor) of the line with weights 1/(σ² + v)."""
    round_ = hidden_benchmarks(CELLS, ("b03",)).rounds[0]
    calibration = calibration_run.calibrate([c for c in round_.fitted if c[1] != "b03"], BENCHES, reference(), AT.method, require_all_reference=False)
    alpha, beta, sigma2 = own.line_afterwards(round_, calibration, AT)
    x, y, v = [], [], []
    for model, scores in scores_by_model(round_.fitted).items():
        items = own.terms(scores, BENCHES, calibration)
        if "b03" in scores and len(items) >= 3:
            x.append(own.raw_ability(items, AT.method.lam)[0])
            value, variance = transform_one(scores["b03"], 0.0, 1.0, 200)
            y.append(value)
            v.append(variance)
    x, y, v = map(np.array, (x, y, v))
    slope, level = np.polyfit(x, y, 1, w=1 / np.sqrt(sigma2 + v))
    assert (alpha, beta) == pytest.approx((slope, level))
    assert sigma2 == pytest.approx(max(np.sum((y - slope * x - level) ** 2) / (len(x) - 2) - np.mean(v), 0.1))
    assert own.line_afterwards(round_, calibration, setting(min_models_per_half=len(x) + 1)) is None
    assert isinstance(own.line_afterwards(round_, calibration, setting(min_models_per_half=len(x))), tuple)


# --- simpler methods -------------------------------------------------------------------------------------------------


def test_the_mean_of_a_benchmark():
    predict = benchmark_mean(AT)(Round("0", (("m", "b00", 0.2), ("n", "b00", 0.5), ("n", "b01", 0.9)), ()))
    assert predict(Question("x", "b00", {})) == Guess(pytest.approx(0.35)) and predict(Question("x", "b02", {})) is None


def test_ridge_regression_by_hand():
    """Two rows (1, 2) → (2, 3), ridge 1: (1·2 + 2·3)/(1 + 4 + 1) = 8/6; the other group has one row: 2·5/(4 + 1)."""
    found = _ridge_solve(np.array([0, 0, 1]), np.array([[1.0], [2.0], [2.0]]), np.array([2.0, 3.0, 5.0]), 2, np.array([1.0]))
    assert found[:, 0] == pytest.approx([8 / 6, 2.0])


@pytest.mark.parametrize("rank", [1, 2])
def test_alternating_ends_where_the_penalised_squares_are_least(rank):
    """All derivatives vanish: of μ without a ridge, of u and l with it. A ridge on μ, or a sweep too few, fails here."""
    panel, ridge = build_panel(CELLS, BENCHES, ()), 0.5
    found = alternate(panel, rank, ridge, 1e-12, 20_000)
    u, loadings = found.models, found.loadings
    off = panel.y - found.middle[panel.b] - np.sum(u[panel.m] * loadings[panel.b], axis=1)
    assert np.bincount(panel.b, weights=off) == pytest.approx(np.zeros(len(BENCHES)), abs=1e-5)
    for k in range(rank):
        assert np.bincount(panel.m, weights=off * loadings[panel.b, k]) == pytest.approx(ridge * u[:, k], abs=1e-4)
        assert np.bincount(panel.b, weights=off * u[panel.m, k]) == pytest.approx(ridge * loadings[:, k], abs=1e-4)


def test_factor_models_find_what_they_can_and_only_that():
    """Logits of rank 2 without noise: rank 2 predicts the hidden one, rank 1 does not; a model left out is placed as if it were in."""
    bench = benchmarks(8, n=10**6)

    def score(m, b):
        return 1 / (1 + math.exp(-(0.2 * b - 0.5 + math.sin(m) * (1 + 0.1 * b) + math.cos(3 * m) * math.cos(2 * b))))

    cells = [(f"m{m:02d}", f"b{b:02d}", score(m, b)) for m in range(20) for b in range(8)]
    round_ = Round("0", tuple(c for c in cells if c[:2] != ("m03", "b04")), ())
    question = Question("m03", "b04", {b: s for m, b, s in cells if m == "m03" and b != "b04"})
    at = replace(AT, benchmarks=bench)
    found = [factor_model(at, rank, 0.001)(round_)(question).score for rank in (1, 2)]
    assert found[1] == pytest.approx(score(3, 4), abs=0.002) and abs(found[0] - score(3, 4)) > 0.02
    without = replace(round_, fitted=tuple(c for c in round_.fitted if c[0] != "m03"))
    assert factor_model(at, 2, 0.001)(without)(question).score == pytest.approx(score(3, 4), abs=0.005)
    assert factor_model(at, 2, 0.5)(Round("0", tuple(c for c in cells if c[1] in ("b00", "b01")), ()))(Question("m03", "b00", {"b01": 0.5})) is None  # too small a table


def test_neighbours_by_hand():
    """Two neighbours with r = 1 and r = 0.5: (1·(2 − 1 + 2) + 0.5·(5 − 2 + 2))/1.5; one goes the other way, one shares too little."""
    grid = np.array([
        [0.0, 1.0, 2.0, 2.0],  # r = 1 with own, mean 1, at the target 2
        [3.0, 1.0, 2.0, 9.0],  # r = −0.5: counts nothing
        [1.0, 3.0, 2.0, 5.0],  # r = 0.5, mean 2, at the target 5
        [0.0, np.nan, np.nan, 7.0],  # one shared benchmark
        [0.0, 2.0, 4.0, np.nan],  # nothing at the target
    ])
    own_ = np.array([1.0, 2.0, 3.0, np.nan])
    assert nearest(grid, own_, 3, 10, 2) == pytest.approx((1 * (2 - 1 + 2) + 0.5 * (5 - 2 + 2)) / 1.5)
    assert nearest(grid, own_, 3, 1, 2) == pytest.approx(3.0)
    assert nearest(grid, own_, 3, 10, 4) is None
    assert nearest(grid[1:2], own_, 3, 10, 2) is None
    with_answer = own_.copy()
    with_answer[3] = 100.0  # what is asked for takes no part
    assert nearest(grid, with_answer, 3, 10, 2) == nearest(grid, own_, 3, 10, 2)


def test_neighbours_take_the_logits_there_and_back():
    cells = (("m", "b00", 0.2), ("m", "b01", 0.4), ("m", "b02", 0.7), ("n", "b00", 0.3), ("n", "b01", 0.5), ("n", "b02", 0.8), ("n", "b03", 0.6))
    question = Question("m", "b03", {b: s for x, b, s in cells if x == "m"})
    y = {c[:2]: transform_one(c[2], 0, 1, 200)[0] for c in cells}
    wanted = y["n", "b03"] + sum(y["m", f"b0{k}"] - y["n", f"b0{k}"] for k in range(3)) / 3
    predict = neighbours(setting(min_shared=3))(Round("0", cells, ()))
    assert transform_one(predict(question).score, 0, 1, 200)[0] == pytest.approx(wanted)
    assert neighbours(setting(min_shared=4))(Round("0", cells, ()))(question) is None


# --- the sigmoid fit -------------------------------------------------------------------------------------------------


def curves(ridge=0.01):
    panel = build_panel(CELLS, BENCHES, ())
    return Curves(panel.m, panel.b, panel.s, len(panel.models), len(panel.benchmarks), ridge)


def test_the_analytic_jacobian_is_that_of_finite_differences():
    problem = curves()
    x = problem.centre() + 0.7 * np.sin(np.arange(len(problem.centre())))
    step = 1e-6
    for k in range(len(x)):
        up, down = x.copy(), x.copy()
        up[k] += step
        down[k] -= step
        column = (problem.residuals(up) - problem.residuals(down)) / (2 * step)
        assert problem.jacobian(x).toarray()[:, k] == pytest.approx(column, abs=1e-8)
    assert problem.jacobian(x).nnz <= 3 * len(problem.s) + len(x)


def test_the_residuals_by_hand():
    problem = Curves(np.array([0]), np.array([0]), np.array([0.9]), 1, 1, 0.04)
    found = problem.residuals(np.array([2.0, 0.5, 1.5]))  # θ, D, α
    assert found == pytest.approx([1 / (1 + math.exp(-1.5 * 1.5)) - 0.9, 0.2 * 2.0, 0.2 * 0.5, 0.2 * 0.5])


def test_scores_on_such_curves_are_found_again():
    cells = [(f"m{m}", f"b{b:02d}", 1 / (1 + math.exp(-(0.6 + 0.2 * b) * (0.4 * m - 2 - 0.3 * b)))) for m in range(12) for b in range(6)]
    round_ = Round("0", tuple(c for c in cells if c[:2] != ("m7", "b02")), ())
    known = {b: s for m, b, s in cells if m == "m7" and b != "b02"}
    assert sigmoid(setting(sigmoid_ridge=1e-6))(round_)(Question("m7", "b02", known)).score == pytest.approx(1 / (1 + math.exp(-1.0 * (2.8 - 2 - 0.6))), abs=1e-3)


def test_the_start_by_hand_and_on_the_right_side_of_the_minimum():
    """Two models on one benchmark, 0.9 and 0.5: mean 0.7, D = −ln(7/3), θ = ±0.8."""
    problem = Curves(np.array([0, 1]), np.array([0, 0]), np.array([0.9, 0.5]), 2, 1, 0.01)
    assert problem.start() == pytest.approx([0.8, -0.8, -math.log(7 / 3), 1.0])
    whole = curves(0.003)
    _, _, slope = whole.parts(solve(whole, 1e-13))
    assert np.all(slope > 0)


def test_placing_a_model_finds_the_ability_that_the_fit_found():
    problem = curves()
    x = solve(problem, 1e-13)
    theta, difficulty, slope = problem.parts(x)
    for model in range(0, problem.models, 5):
        own_ = problem.m == model
        b = problem.b[own_]
        assert place(problem.s[own_], difficulty[b], slope[b], problem.ridge) == pytest.approx(theta[model], abs=1e-5)
    assert np.max(np.abs(problem.jacobian(x).T @ problem.residuals(x))) < 1e-6  # least squares: the gradient vanishes
