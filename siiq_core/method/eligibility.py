"""Which results take part in a calibration: overlap, pruned to a fixed point (E3, C1)."""

from __future__ import annotations

import numpy as np

from siiq_core.method.panel import Panel
from siiq_core.params.method import MethodParams


def prune(panel: Panel, params: MethodParams) -> Panel:
    """E3: benchmarks with enough models that have enough results each, inside the largest connected part.

    Each pass removes at once the models and the benchmarks under a threshold, then all but the largest component;
    passes go on until nothing changes. May return an empty panel.
    """
    while True:
        size = (len(panel.models), len(panel.benchmarks))
        panel = _largest_component(_under_threshold(panel, params))
        if (len(panel.models), len(panel.benchmarks)) == size:
            return panel


def _under_threshold(panel: Panel, params: MethodParams) -> Panel:
    results = np.bincount(panel.m, minlength=len(panel.models))
    enough = results >= params.min_results_per_model
    counted = enough[panel.m]  # a benchmark counts the models that have enough results
    on = np.bincount(panel.b[counted], minlength=len(panel.benchmarks))
    reference_on = np.bincount(panel.b[counted & panel.reference[panel.m]], minlength=len(panel.benchmarks))
    stays = (on >= params.min_models_per_benchmark) & (reference_on >= params.min_reference_per_benchmark)
    return panel.keep(enough, stays)


def _largest_component(panel: Panel) -> Panel:
    """The component with most models, then most benchmarks, then the lowest slug by code point."""
    models, benches = len(panel.models), len(panel.benchmarks)
    if not models:
        return panel
    label = _components(panel)
    of_model, of_bench = label[:models], label[models:]
    candidates = [
        (-int(np.sum(of_model == k)), -int(np.sum(of_bench == k)), int(np.argmax(of_model == k)), k)
        for k in sorted(set(of_model.tolist()))  # models are in code-point order: the first number is the lowest slug
    ]
    best = min(candidates)[3]
    return panel.keep(of_model == best, of_bench == best) if benches else panel.keep(of_model == best, np.zeros(0, bool))


def _components(panel: Panel) -> np.ndarray:
    """Component number of every model, then of every benchmark: labels spread along results until they rest."""
    models = len(panel.models)
    label = np.arange(models + len(panel.benchmarks))
    edge_bench = panel.b + models
    while True:
        low = np.minimum(label[panel.m], label[edge_bench])
        spread = label.copy()
        np.minimum.at(spread, panel.m, low)
        np.minimum.at(spread, edge_bench, low)
        if np.array_equal(spread, label):
            return label
        label = spread
