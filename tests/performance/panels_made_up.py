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


def of_size(results: int) -> Panel:
    """Fifty results a model; as many benchmarks as a model could have, up to a thousand."""
    return panel(results, max(20, results // 50), min(1000, max(100, results // 100)))


def panel(results: int, models: int, benches: int) -> Panel:
    """`results` spread over models and benchmarks; abilities, lines and noise follow the sequence.

    Each model has results/models benchmarks out of half of them, those of its time: the first models are measured on the first
    half, the last on the last, so that a fit takes some fifty rounds, about as many as on the shipped results. Within it they stand in steps of the model's own that share no factor with the half's number.
    """
    half = max(1, benches // 2)
    each = min(half, max(4, results // models))
    steps = np.array([k for k in range(1, half + 1) if math.gcd(k, half) == 1])
    who = np.arange(models)
    begin = np.clip(((1 + _spread(who, 7)) / 2 * benches).astype(np.int64) - half // 2, 0, benches - half)  # neither slug nor ability says anything about time
    first, step = _mixed(who) % half, steps[_mixed(who + models) % len(steps)]
    m = np.repeat(who, each)
    b = begin[m] + (first[m] + np.tile(np.arange(each), models) * step[m]) % half
    order = np.lexsort((b, m))
    m, b = m[order], b[order]
    ability = 2.0 * _spread(np.arange(models), 1)
    loading, difficulty = 1.0 + 0.4 * _spread(np.arange(benches), 2), 1.5 * _spread(np.arange(benches), 3)
    used = benchmarks(benches)
    g = np.array([x.g for x in used])
    logit = loading[b] * ability[m] - difficulty[b] + 0.5 * _spread(np.arange(len(m)), 5)
    s = np.round(g[b] + (1 - g[b]) / (1 + np.exp(-logit)), 12)
    return panel_of(tuple(f"model-{k:07d}" for k in range(models)), used, m, b, s, np.arange(models) % max(1, models // 44) == 0)


def _mixed(k: np.ndarray) -> np.ndarray:
    """Whole numbers without any pattern that steps could fall in with (splitmix64's mixing), from 0 up."""
    x = (k.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((x ^ (x >> np.uint64(31))) >> np.uint64(33)).astype(np.int64)


def _spread(k: np.ndarray, salt: int) -> np.ndarray:
    """Evenly over (−1, 1), and no neighbour near its neighbour."""
    return 2 * ((k * GOLDEN * salt + salt / 11) % 1) - 1
