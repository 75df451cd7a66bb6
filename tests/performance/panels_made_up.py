"""Deterministic synthetic panels of any size: no random numbers, a low-discrepancy sequence in their place."""

import math

import numpy as np

from siiq_core.method.panel import Panel, panel_of
from siiq_core.records import Benchmark

GOLDEN = (math.sqrt(5) - 1) / 2
AREAS = ("knowledge", "math", "reasoning", "coding", "agents")


def benchmarks(count: int) -> tuple[Benchmark, ...]:
    """By id; every third shares its family with the one before."""
    return tuple(Benchmark(f"bench-{k:05d}", AREAS[k % 5], f"family-{k - (k % 3 == 2):05d}", f"lab-{k % 7}", (0.0, 0.25)[k % 4 == 1], 1.0, 50 + 37 * (k % 29)) for k in range(count))


def panel(results: int, models: int, benches: int) -> Panel:
    """`results` spread over models and benchmarks; abilities, lines and noise follow the sequence.

    Each model has results/models benchmarks, a step apart that shares no factor with their number, so that all hang together.
    """
    each = max(4, results // models)
    m = np.repeat(np.arange(models), each)
    step = next(k for k in range(max(1, benches // each) | 1, 10**9) if math.gcd(k, benches) == 1)
    b = (m * 7 + np.tile(np.arange(each), models) * step) % benches
    order = np.lexsort((b, m))
    m, b = m[order], b[order]
    fresh = np.concatenate([[True], (m[1:] != m[:-1]) | (b[1:] != b[:-1])])
    m, b = m[fresh], b[fresh]
    ability = 2.0 * _spread(np.arange(models), 1)
    loading, difficulty = 1.0 + 0.4 * _spread(np.arange(benches), 2), 1.5 * _spread(np.arange(benches), 3)
    used = benchmarks(benches)
    g = np.array([x.g for x in used])
    logit = loading[b] * ability[m] - difficulty[b] + 0.5 * _spread(np.arange(len(m)), 5)
    s = np.round(g[b] + (1 - g[b]) / (1 + np.exp(-logit)), 12)
    return panel_of(tuple(f"model-{k:07d}" for k in range(models)), used, m, b, s, np.arange(models) % max(1, models // 44) == 0)


def _spread(k: np.ndarray, salt: int) -> np.ndarray:
    """Evenly over (−1, 1), and no neighbour near its neighbour."""
    return 2 * ((k * GOLDEN * salt + salt / 11) % 1) - 1
