"""A planted second dimension and a planted differential benchmark are found, and none where there is none."""

import math

import numpy as np
import pytest
from studied import made_up, shifted

from siiq_core.errors import ParameterError
from siiq_core.params.criticism import load_criticism, with_criticism_changes
from siiq_core.workbench.criticism.differential import differences
from siiq_core.workbench.criticism.dimension import Parallel, leading, of_residuals, parallel
from siiq_core.workbench.criticism.ends import movers
from siiq_core.workbench.criticism.residuals import Residuals, clustered_error, grouped, half_year, holm, residuals_of, trend
from siiq_core.workbench.criticism.run import study
from siiq_core.workbench.criticism.saturation import saturation


@pytest.fixture(scope="module")
def at():
    return made_up(40, 12)


@pytest.fixture(scope="module")
def two(at):
    """Every other model is better on the first six benchmarks and worse on the rest, the others the other way round."""
    return shifted(at, 5, lambda m, b: 0.5 * (1 if m % 2 else -1) * (1 if b < 6 else -1))


def test_the_leading_pair_of_a_full_matrix_is_its_singular_pair():
    matrix = np.random.default_rng(3).standard_normal((9, 5))
    m, b = np.divmod(np.arange(45), 5)
    found = leading(matrix.ravel(), m, b, (9, 5), tolerance=1e-15)
    left, values, right = np.linalg.svd(matrix)
    assert found.share == pytest.approx(values[0] ** 2 / np.sum(values**2), rel=1e-9)
    assert abs(found.loadings @ right[0]) == pytest.approx(np.linalg.norm(found.loadings), rel=1e-5)
    assert found.loadings[np.argmax(np.abs(found.loadings))] > 0 and np.mean(found.scores**2) == pytest.approx(1)


def test_gaps_are_gaps_and_no_zeros():
    """A matrix of rank one with holes is explained whole; holes read as zeros would not be."""
    rng = np.random.default_rng(4)
    matrix = np.outer(rng.uniform(1, 2, 12), rng.uniform(-2, 2, 6))
    m, b = np.nonzero(rng.uniform(size=(12, 6)) < 0.7)
    assert leading(matrix[m, b], m, b, (12, 6), tolerance=1e-14).share == pytest.approx(1, abs=1e-9)


def test_a_planted_second_dimension_is_found_with_its_signs(at, two):
    pair = of_residuals(residuals_of(two.trace))
    noise = parallel(two, 1, 19)
    assert pair.share > noise.shares[-1] and noise.p(pair.share) == pytest.approx(0.05) and noise.refused == 0
    signs = np.sign(pair.loadings)
    assert set(signs[:6]) == {signs[0]} and set(signs[6:]) == {-signs[0]}
    other = np.sign(pair.scores)
    assert np.mean(other[1::2] == signs[0]) > 0.8 and np.mean(other[::2] == -signs[0]) > 0.8


def test_in_pure_noise_no_second_dimension_is_found(at):
    """Ten worlds of one dimension: their p-values are spread out, and none that one would call a finding by itself stands out."""
    noise = parallel(at, 1, 19)
    p = [noise.p(of_residuals(residuals_of(shifted(at, 100 + k, lambda m, b: 0.0).trace)).share) for k in range(10)]
    assert sum(x <= 0.05 for x in p) <= 2 and np.median(p) > 0.15


def test_the_p_value_counts_the_data_as_one_of_the_worlds():
    noise = Parallel((0.1, 0.2, 0.3), 0)
    assert [noise.p(x) for x in (0.05, 0.2, 0.9)] == [1.0, 0.75, 0.25]


def test_movers_are_those_of_the_planted_dimension_with_its_sign(two):
    names = sorted(two.desk.benchmarks)
    found = movers(two, {b: 1.0 if k < 6 else -1.0 for k, b in enumerate(names)}, 0.5, 3)
    assert len(found) == len(two.ranked) and [abs(x.gap) for x in found] == sorted((abs(x.gap) for x in found), reverse=True)
    assert all((x.gap > 0) == (int(x.model[-2:]) % 2 == 1) for x in found[:10])
    assert movers(two, {b: 0.1 for b in names}, 0.5, 3) == () and movers(two, dict.fromkeys(names, 1.0), 0.5, 1) == ()


def test_a_planted_differential_benchmark_is_told_and_no_other(at):
    """Open models (odd numbers) gain a logit on b04 alone."""
    found = residuals_of(shifted(at, 7, lambda m, b: 1.2 * (m % 2) * (b == 4)).trace)
    told = differences(found, [bool(k % 2) for k in range(40)], 5)
    assert {x.benchmark for x in told if x.holm <= 0.05} == {"b04"} and len(told) == 12
    assert next(x for x in told if x.benchmark == "b04").difference > 0.8
    assert not [x for x in differences(residuals_of(at.trace), [bool(k % 2) for k in range(40)], 5) if x.holm <= 0.05]
    assert differences(found, [True] * 3 + [False] * 37, 5) == () and differences(found, [None] * 40, 2) == ()


def test_a_difference_is_of_means_with_the_error_of_welch(at):
    from scipy.stats import ttest_ind

    found, kinds = residuals_of(at.trace), [bool(k % 3) for k in range(40)]
    own = differences(found, kinds, 5)[0]
    z = found.z[found.panel.b == 0]
    test = ttest_ind(z[np.array(kinds)], z[~np.array(kinds)], equal_var=False)
    assert own.p == pytest.approx(test.pvalue) and own.difference / own.error == pytest.approx(test.statistic)


def test_holm_steps_down():
    """By hand: 0.01·3, then the larger of it and 0.02·2, then of that and 0.9; Bonferroni would say 0.06 for the second."""
    assert holm([0.02, 0.9, 0.01]) == [pytest.approx(0.04), pytest.approx(0.9), pytest.approx(0.03)]
    assert holm([0.6, 0.7]) == [1.0, 1.0] and holm([]) == []


def test_a_clustered_error_counts_results_of_one_model_as_one():
    """Two models with the same value ten times over: the error is that of two values, not of twenty."""
    z, who = np.repeat([1.0, -1.0], 10), np.repeat([0, 1], 10)
    assert clustered_error(z, np.ones(20), who) == pytest.approx(1.0)  # s/√2 with s = √2
    assert clustered_error(z, np.ones(20), np.arange(20)) == pytest.approx(np.std(z, ddof=1) / math.sqrt(20))
    assert clustered_error(z, np.ones(20), np.zeros(20)) is None


def test_means_by_group_and_a_slope_over_years(at):
    found = residuals_of(at.trace)
    every = grouped(found, ["x"] * len(found.z))[0]
    assert (every.results, every.models) == (480, 40) and every.mean == pytest.approx(found.z.mean()) and every.rms == pytest.approx(math.sqrt(np.mean(found.z**2)))
    assert grouped(found, [None] * len(found.z)) == () and grouped(found, ["x"] * len(found.z), 41) == ()
    years = {f"made-up-{k:02d}": float(k) for k in range(40)}
    planted = trend(Residuals(found.panel, 0.25 * found.panel.m.astype(float)), years, np.arange(len(found.z)))
    assert planted.slope == pytest.approx(0.25) and planted.error == pytest.approx(0, abs=1e-12)
    assert [half_year(x) for x in ("2025-06-30", "2025-07-01")] == ["2025-H1", "2025-H2"]


def test_near_the_ceiling_counts_from_chance_level_to_ceiling(at):
    from dataclasses import replace

    panel = at.trace.panel
    bench = replace(panel.benchmarks[0], g=0.25, c=0.65)
    own = replace(panel, models=("a", "b", "c"), benchmarks=(bench,), m=np.arange(3), b=np.zeros(3, int), s=np.array([0.63, 0.62, 0.7]))
    found = saturation(own, {"a": "2025", "b": "2025", "c": "2026"}, 0.05)  # 0.05 · 0.4: from 0.63 on
    assert [(x.benchmark, x.year, x.results, x.near) for x in found] == [(None, "2025", 2, 1), (None, "2026", 1, 1), ("b00", "2025", 2, 1), ("b00", "2026", 1, 1)]


def test_the_study_says_what_was_planted_and_the_same_each_time(root, two):
    params = with_criticism_changes(load_criticism(root), {"worlds": 19})
    found = study(two, params)
    assert found == study(two, params) and found["dimension"]["told"] and found["dimension"]["noise"]["p"] == 0.05
    assert [x["loading"] for x in found["dimension"]["loadings"]] == sorted((x["loading"] for x in found["dimension"]["loadings"]), reverse=True)


@pytest.mark.parametrize("changes", [{"worlds": 1}, {"noise_quantile": 1}, {"ceiling_margin": 0.9}, {"min_models_side": 1}, {"movers": "all"}, {"seeds": 3}])
def test_numbers_that_make_no_criticism_are_refused_with_a_remedy(root, changes):
    with pytest.raises(ParameterError) as refusal:
        with_criticism_changes(load_criticism(root), changes)
    assert refusal.value.remedy
