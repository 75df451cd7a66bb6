"""C5 in blocks: the same number of null directions as of the whole matrix, however it is cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core.method.calibration import identification
from siiq_core.method.calibration.fit import Fit, Lines
from siiq_core.method.panel import Panel, build_panel
from siiq_core.records import Benchmark


def made(cells, theta=None):
    """Panel and fit of made-up results; abilities and loadings all differ."""
    benches = {b for _, b, _ in cells}
    panel = build_panel(cells, {b: Benchmark(b, "math", b, "made-up lab", 0.0, 1.0, 100) for b in benches}, [])
    count, size = len(panel.models), len(panel.benchmarks)
    lines = Lines(np.linspace(0.5, 1.5, size), np.zeros(size), np.full(size, 0.3), np.zeros(size, bool))
    return panel, Fit(np.linspace(-2, 2, count) ** 3 if theta is None else np.asarray(theta, float), lines, 1, 0.0, True)


def dense(panel, fit, tolerance):
    """The definition: singular values of the whole Jacobian, models' columns included, scaled to unit length."""
    rows, models, benches = len(panel.m), len(panel.models), len(panel.benchmarks)
    jacobian = np.zeros((rows, models + 2 * benches))
    at = np.arange(rows)
    jacobian[at, panel.m] = fit.lines.alpha[panel.b]
    jacobian[at, models + panel.b] = fit.theta[panel.m]
    jacobian[at, models + benches + panel.b] = 1
    length = np.linalg.norm(jacobian, axis=0)
    jacobian /= np.where(length > 0, length, 1)
    values = np.linalg.svd(jacobian, compute_uv=False)
    return jacobian.shape[1] - int(np.sum(values >= tolerance * values[0]))


FULL = [(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(12) for b in range(4)]
SHARED_ONE = [*[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(8) for b in (0, 1)], *[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(7, 15) for b in (2, 3)]]
SHARED_TWO = [*[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(8) for b in (0, 1)], *[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(6, 15) for b in (2, 3)]]
APART = [*[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(8) for b in (0, 1)], *[(f"model-{m:02d}", f"bench-{b}", 0.5) for m in range(8, 16) for b in (2, 3)]]


@pytest.mark.parametrize("block", [1, 3, 10, 4096])
@pytest.mark.parametrize(("cells", "nulls"), [(FULL, 2), (SHARED_TWO, 2), (SHARED_ONE, 3), (APART, 4)])
def test_however_it_is_cut(monkeypatch, cells, nulls, block):
    panel, fit = made(cells)
    monkeypatch.setattr(identification, "BLOCK", block)
    monkeypatch.setattr(Panel, "blocks", lambda self, least, cut=Panel.blocks: cut(self, block))
    assert identification.null_directions(panel, fit, 1e-8) == nulls == dense(panel, fit, 1e-8)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=4, max_size=40, unique=True), st.integers(1, 12))
def test_blocks_are_whole_models_in_order(pairs, least):
    panel, _ = made([(f"model-{m}", f"bench-{b}", 0.5) for m, b in pairs])
    cuts = list(panel.blocks(least))
    assert cuts[0].start == 0 and cuts[-1].stop == len(panel.m)
    assert all(a.stop == b.start for a, b in zip(cuts, cuts[1:]))
    assert all(panel.m[c.stop - 1] != panel.m[c.stop] for c in cuts[:-1])
    assert all(c.stop - c.start >= least for c in cuts[:-1])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=6, max_size=50, unique=True))
def test_random_patterns_agree_with_the_definition(pairs):
    panel, fit = made([(f"model-{m}", f"bench-{b}", 0.5) for m, b in pairs])
    nulls = identification.null_directions(panel, fit, 1e-8)
    assert nulls == dense(panel, fit, 1e-8)


def test_later_rows_are_not_read_once_the_answer_stands(monkeypatch):
    panel, fit = made([(f"model-{m:04d}", f"bench-{b}", 0.5) for m in range(3000) for b in range(4)])
    read = []
    whole = identification._Scaled.projected
    monkeypatch.setattr(identification._Scaled, "projected", lambda self, rows: read.append(rows) or whole(self, rows))
    assert identification.null_directions(panel, fit, 1e-8) == 2
    assert len(read) == 1 and read[0].stop < len(panel.m)


def test_what_is_not_finite_has_no_rank():
    panel, fit = made(FULL, theta=[float("nan")] * 12)
    assert identification.null_directions(panel, fit, 1e-8) > 2 * len(panel.benchmarks)
