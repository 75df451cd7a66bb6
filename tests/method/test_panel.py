"""Sums in blocks are sums, and a panel of one block gives the bits of a plain sum (C11)."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.method import panel as panels
from siiq_core.method.calibration.fit import abilities, fit, weights
from siiq_core.method.panel import build_panel
from siiq_core.params.loader import project_root
from siiq_core.params.method import load_method
from siiq_core.records import Benchmark

PARAMS = load_method(project_root())
PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.integers(1, 99)), min_size=30, max_size=120, unique_by=lambda x: x[:2])


def made(triples):
    benches = {f"bench-{b}": Benchmark(f"bench-{b}", ("math", "coding")[b % 2], f"family-{b // 2}", "made-up lab", 0.0, 1.0, 100) for b in range(6)}
    cells = [(f"model-{m:02d}", f"bench-{b}", s / 100) for m, b, s in triples]
    return build_panel(cells, benches, {slug for slug, _, _ in cells})


@given(PAIRS)
def test_one_block_gives_the_bits_of_a_plain_sum(triples):
    panel = made(triples)
    (by_model,), (by_bench,) = panel.by_model(lambda rows: (panel.y[rows],)), panel.by_benchmark(lambda rows: (panel.y[rows],))
    assert np.array_equal(by_model, np.bincount(panel.m, weights=panel.y, minlength=len(panel.models)))
    assert np.array_equal(by_bench, np.bincount(panel.b, weights=panel.y, minlength=len(panel.benchmarks)))


@settings(max_examples=25)
@given(PAIRS, st.integers(1, 40))
def test_smaller_blocks_change_the_last_digits_at_the_most(triples, size):
    panel = made(triples)
    share = weights(panel, PARAMS)
    whole = fit(panel, share.share, PARAMS)
    cut = panels.Panel.blocks
    try:
        panels.Panel.blocks = lambda self, least=size: cut(self, size)
        assert np.array_equal(weights(panel, PARAMS).share, share.share)
        parts = fit(panel, share.share, PARAMS)
        assert np.array_equal(abilities(panel, share.share, whole.lines, 0.1), abilities_plain(panel, share.share, whole.lines, 0.1), equal_nan=True)
    finally:
        panels.Panel.blocks = cut
    if np.all(np.isfinite(whole.theta)) and whole.converged and parts.converged:
        np.testing.assert_allclose(parts.theta, whole.theta, rtol=0, atol=1e-6)


def abilities_plain(panel, share, lines, lam):
    """S, model by model."""
    out = []
    for number in range(len(panel.models)):
        rows = np.flatnonzero(panel.m == number)
        b = panel.b[rows]
        w = share[rows] / (lines.sigma2[b] + panel.v[rows]) * lines.alpha[b]
        information, pull = 0.0, 0.0
        for x, p in zip(w * lines.alpha[b], w * (panel.y[rows] - lines.beta[b])):
            information, pull = information + x, pull + p
        out.append(pull / (lam + information))
    return np.array(out)
