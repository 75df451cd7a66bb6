"""What must hold always, whatever the panel."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import panels
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.numbers import order_statistic, sig12
from siiq_core.method.scoring import score
from siiq_core.method.transform import transform, transform_one

FRACTION = st.floats(0, 1, allow_nan=False)


@pytest.fixture(scope="module")
def calibrated():
    results = panels.results()
    params = panels.params(kappa=False)
    return results, params, calibrate(results, panels.benchmarks(), panels.reference(), params)


@given(s=FRACTION, g=st.floats(0, 0.6), width=st.floats(0.05, 0.4), n=st.integers(1, 100_000))
def test_transform_stays_inside(s, g, width, n):
    c = min(1.0, g + width)
    y, v = transform_one(s, g, c, n)
    assert math.isfinite(y) and v >= 0
    p_star = 1 / (1 + math.exp(-y))
    assert 0 < p_star < 1 and abs(y) <= math.log(2 * n + 1) + 1e-9  # the correction bounds y by what n can tell


@given(low=FRACTION, high=FRACTION)
def test_transform_keeps_order(low, high):
    low, high = sorted((low, high))
    assert transform_one(low, 0.25, 1, 198)[0] <= transform_one(high, 0.25, 1, 198)[0]


def test_column_and_single_agree_to_the_bit():
    s = np.array([0.0, 0.1, 0.25, 0.7123, 1.0])
    whole = transform(s, np.full(5, 0.25), np.full(5, 1.0), np.full(5, 198.0))
    for k, x in enumerate(s):
        assert transform_one(float(x), 0.25, 1.0, 198) == (whole.y[k], whole.v[k])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_row_order_is_irrelevant(calibrated, seed):
    results, params, before = calibrated
    shuffled = results[:]
    random.Random(seed).shuffle(shuffled)
    members = panels.reference()
    random.Random(seed).shuffle(members)
    assert calibrate(shuffled, panels.benchmarks(), members, params) == before


@given(values=st.lists(FRACTION, min_size=8, max_size=8))
def test_another_model_moves_nobody(calibrated, values):
    """C10: frozen parameters in, a model's score depends on its own results alone."""
    results, params, calibration = calibrated
    own = {b: s for m, b, s in results if m == "made-up-09"}
    before = score(own, panels.benchmarks(), calibration, params)
    score({f"b{k:02d}": x for k, x in enumerate(values)}, panels.benchmarks(), calibration, params)
    assert score(dict(reversed(own.items())), panels.benchmarks(), calibration, params) == before


@given(mean=st.floats(0, 1000), sd=st.floats(0.1, 1000))
def test_shift_and_stretch_of_the_scale_leave_abilities_alone(calibrated, mean, sd):
    results, params, calibration = calibrated
    own = {b: s for m, b, s in results if m == "made-up-11"}
    plain = score(own, panels.benchmarks(), calibration, params)
    other = score(own, panels.benchmarks(), calibration, panels.params(kappa=False, mean=mean, sd=sd))
    assert other.overall.theta == plain.overall.theta and other.overall.se == plain.overall.se
    assert other.overall.siiq == pytest.approx(mean + sd * plain.overall.theta, rel=1e-9, abs=1e-6)


def test_new_names_in_the_same_order_give_the_same_numbers(calibrated):
    results, params, before = calibrated
    renamed = calibrate([("x" + m, b, s) for m, b, s in results], panels.benchmarks(), ["x" + m for m in panels.reference()], params)
    assert replace(renamed, models=before.models) == before


@given(x=st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
def test_rounding_is_idempotent_and_close(x):
    once = sig12(x)
    assert sig12(once) == once and math.isclose(once, x, rel_tol=1e-11, abs_tol=1e-300)


@pytest.mark.parametrize(("count", "position"), [(1, 1), (10, 9), (11, 10), (30, 27), (70, 63), (100, 90)])
def test_order_statistic_is_exact(count, position):
    assert order_statistic([float(k) for k in range(1, count + 1)], 0.9) == position
