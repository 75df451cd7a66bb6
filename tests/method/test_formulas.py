"""Every formula by hand, and a plausible wrong one beside it that must differ."""

import math

import pytest

import panels
from siiq_core.errors import CalibrationRefused, DataError
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.panel import build_panel
from siiq_core.method.ranks import coverage, rank
from siiq_core.method.scoring import score
from siiq_core.method.transform import transform_one
from siiq_core.records import Benchmark, Calibration, Result


def test_transform_by_hand():
    """T with s = 0.7, g = 0.25, c = 0.95, n = 100: p = 9/14."""
    p_star = (9 / 14 * 100 + 0.5) / 101
    y, v = transform_one(0.7, 0.25, 0.95, 100)
    assert y == pytest.approx(math.log(p_star / (1 - p_star)), rel=1e-14)
    s_star = 0.25 + 0.7 * p_star
    assert v == pytest.approx(s_star * (1 - s_star) * 100 / (101**2 * 0.7**2 * p_star**2 * (1 - p_star) ** 2), rel=1e-14)
    assert y != pytest.approx(math.log((9 / 14) / (5 / 14)), rel=1e-6)  # without the continuity correction
    assert v != pytest.approx(1 / (100 * p_star * (1 - p_star)), rel=1e-2)  # without chance level and ceiling


@pytest.mark.parametrize("score_", [-0.01, 1.02, 61.0, 85, math.nan, math.inf])
def test_range_is_checked_before_the_clip(score_):
    """T2; fault kind 2: a percent among fractions is refused, not clipped."""
    with pytest.raises(DataError) as caught:
        build_panel([("m", "b00", score_)], panels.benchmarks(), [])
    assert "m" in str(caught.value) and "b00" in str(caught.value)


def test_below_chance_and_above_the_ceiling_are_clipped():
    assert transform_one(0.1, 0.25, 1, 198) == transform_one(0.25, 0.25, 1, 198)
    assert transform_one(0.61, 0, 0.57, 290) == transform_one(0.57, 0, 0.57, 290)


BENCH = {
    "a": Benchmark("a", "math", "fa", "e1", 0, 1, 100), "b": Benchmark("b", "math", "fb", "e1", 0, 1, 100),
    "c": Benchmark("c", "coding", "twin", "e2", 0, 1, 100), "d": Benchmark("d", "coding", "twin", "e3", 0, 1, 100),
}
CALIBRATION = Calibration(
    alpha={"a": 1.0, "b": 0.5, "c": 2.0, "d": 1.0}, beta={"a": 0.1, "b": -0.2, "c": 0.0, "d": 0.3},
    sigma2={"a": 0.2, "b": 0.3, "c": 0.1, "d": 0.4}, omega={"a": 0.5, "b": 0.5, "c": 0.7, "d": 0.7}, models_on=dict.fromkeys("abcd", 10),
    shift=0.1, scale=0.9, kappa=1.5, models=(), rounds=1, last_change=0.0, null_directions=2, folds=5, pairs=30)
SCORES = {"a": 0.6, "b": 0.7, "c": 0.4, "d": 0.8}


def by_hand(scores, use_family=True):
    top, d, middle = 0.0, 0.1, 0.0
    for x, s in scores.items():
        y, v = transform_one(s, 0, 1, 100)
        share = 0.5 if use_family and x in "cd" and {"c", "d"} <= set(scores) else 1.0
        w = CALIBRATION.omega[x] * share / (CALIBRATION.sigma2[x] + v)
        alpha = CALIBRATION.alpha[x]
        top, d, middle = top + w * alpha * (y - CALIBRATION.beta[x]), d + w * alpha**2, middle + w**2 * alpha**2 * (CALIBRATION.sigma2[x] + v)
    theta = (top / d - 0.1) / 0.9
    return theta, 1.5 * math.sqrt(middle) / d / 0.9, d, top / d


def test_score_by_hand():
    """S with a family of two runs: each counts half (F)."""
    got = score(SCORES, BENCH, CALIBRATION, panels.params())
    theta, se, d, theta0 = by_hand(SCORES)
    assert (got.overall.theta, got.overall.se, got.d, got.theta0) == pytest.approx((theta, se, d, theta0), rel=1e-11)
    assert got.overall.siiq == pytest.approx(100 + 15 * theta, rel=1e-11)
    assert got.overall.low == pytest.approx(100 + 15 * (theta - 1.644854 * se), rel=1e-11)
    assert got.overall.high == pytest.approx(100 + 15 * (theta + 1.644854 * se), rel=1e-11)
    assert got.overall.theta != pytest.approx(by_hand(SCORES, use_family=False)[0], rel=1e-6)
    assert got.overall.se != pytest.approx(1.5 / math.sqrt(d) / 0.9, rel=1e-3)  # the inverse-variance shortcut is no sandwich


def test_area_by_hand():
    """A: prior weight 1 at θ₀, no λ; coding has one family and is not shown (A1)."""
    got = score(SCORES, BENCH, CALIBRATION, panels.params())
    assert set(got.areas) == {"math"}
    top, d = by_hand(SCORES)[3], 1.0
    for x in "ab":
        y, v = transform_one(SCORES[x], 0, 1, 100)
        w = 0.5 / (CALIBRATION.sigma2[x] + v)
        top, d = top + w * CALIBRATION.alpha[x] * (y - CALIBRATION.beta[x]), d + w * CALIBRATION.alpha[x] ** 2
    assert got.areas["math"].theta == pytest.approx((top / d - 0.1) / 0.9, rel=1e-11)


def test_results_out_of_the_index_set_do_not_count():
    got = score({**SCORES, "unknown": 0.5}, BENCH, CALIBRATION, panels.params())
    assert got == score(SCORES, BENCH, CALIBRATION, panels.params())
    assert score({"unknown": 0.5}, BENCH, CALIBRATION, panels.params()) is None


def result(bench, released, version="v"):
    return Result("m", bench, 0.5, version, released, "default", BENCH[bench].evaluator, "e")


@pytest.mark.parametrize(("days", "ranked"), [("2025-03-02", True), ("2025-03-03", False)])
def test_version_span(days, ranked):
    """I5: 60 days are legal, 61 are not; calendar days have no zone; an undated version does not count and is listed."""
    got = score(SCORES, BENCH, CALIBRATION, panels.params())
    rows = [result("a", "2025-01-01"), result("b", days, "w"), result("c", None, "undated"), result("d", "2025-01-05")]
    params = panels.params(min_families_ranked=3, min_areas_ranked=2)
    standing = coverage(got, rows, params)
    assert bool(standing.reasons) is not ranked and standing.undated == ("undated",)
    assert (standing.families, standing.areas, standing.evaluators) == (3, 2, 3)


def test_ranks_by_overlap():
    """K2, K3: the interval 110 … 120 ties with 115 … 125 and not with 130 … 140; touching ends count for the worst rank."""
    from siiq_core.method.ranks import Standing
    from siiq_core.method.scoring import Scale, Score

    def model(theta, low, high):
        return Score(0.0, 1.0, Scale(theta, 0.1, 100 + 15 * theta, low, high), {}, ())

    scores = {"top": model(3, 130, 140), "mid": model(1.5, 115, 125), "low": model(1, 110, 120), "touch": model(0.1, 90, 110), "out": model(9, 200, 300)}
    free = Standing(9, 5, 3, (), ())
    standings = {name: free for name in scores} | {"out": Standing(1, 1, 1, (object(),), ())}
    got = rank(scores, standings)
    assert {x: (got[x].rank, got[x].best_rank, got[x].worst_rank) for x in scores} == {
        "top": (1, 1, 1), "mid": (2, 2, 3), "low": (3, 2, 4), "touch": (4, 3, 4), "out": (None, None, None)}


def test_ties_by_slug():
    from siiq_core.method.ranks import Standing
    from siiq_core.method.scoring import Scale, Score

    same = Score(0.0, 1.0, Scale(1.0, 0.1, 115.0, 113.0, 117.0), {}, ())
    got = rank({"zeta": same, "alpha": same}, dict.fromkeys(("zeta", "alpha"), Standing(9, 5, 3, (), ())))
    assert got["alpha"].rank == 1 and got["zeta"].rank == 2


def test_refusals_name_what_is_missing():
    with pytest.raises(CalibrationRefused) as caught:
        calibrate(panels.results(), panels.benchmarks(), [*panels.reference(), "not-there", "nor-this"], panels.params(kappa=False))
    assert caught.value.names == ("nor-this", "not-there") and "nor-this, not-there" in str(caught.value)
    what_if = calibrate(panels.results(), panels.benchmarks(), [*panels.reference(), "not-there"], panels.params(kappa=False), require_all_reference=False)
    assert "not-there" in what_if.notes[0]


@pytest.mark.parametrize("changes", [{"max_rounds": 3}, {"min_pairs": 1000, "kappa": True}])
def test_refused_without_convergence_or_pairs(changes):
    with pytest.raises(CalibrationRefused) as caught:
        calibrate(panels.results(), panels.benchmarks(), panels.reference(), panels.params(**{"kappa": False, **changes}))
    assert caught.value.rule == "C8"


def test_nothing_to_separate():
    """Fault kind 16: a column of ones, a model at 0 everywhere: finite; a column without relation ends at the floor (E4)."""
    flat = [(m, "b08", 1.0) for m in panels.reference()]
    odd = [(m, "b09", round(0.5 + 0.3 * panels.noise(k, 99, 5) * (-1) ** k, 3)) for k, m in enumerate(panels.reference())]
    zero = [("nothing-right", f"b{k:02d}", 0.0) for k in range(8)]
    falling = [(m, "b10", round(0.9 - 0.04 * k, 3)) for k, m in enumerate(panels.reference())]
    found = calibrate([*panels.results(), *flat, *odd, *zero, *falling], panels.benchmarks(11), panels.reference(), panels.params(kappa=False))
    assert all(math.isfinite(x) for x in (*found.alpha.values(), *found.beta.values(), *found.sigma2.values()))
    assert found.dropped["b08"] == "E4" and found.dropped["b10"] == "E4" and "nothing-right" in found.models
