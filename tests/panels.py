"""Made-up panels for tests: evidently no real models. Deterministic without a random generator."""

import math

from siiq_core.params.loader import project_root
from siiq_core.params.method import MethodParams, load_method, with_changes
from siiq_core.records import Benchmark

AREAS = ("knowledge", "math", "reasoning", "coding", "agents")


def params(**changes) -> MethodParams:
    return with_changes(load_method(project_root()), changes)


def benchmarks(count: int = 8, n: int = 200) -> dict[str, Benchmark]:
    return {f"b{k:02d}": Benchmark(f"b{k:02d}", AREAS[k % 5], f"b{k:02d}", f"ev{k % 3}", 0.0, 1.0, n) for k in range(count)}


def noise(*key: int) -> float:
    """A number in [-1, 1) that depends on `key` alone."""
    x = math.sin(sum((k + 1) * w for k, w in zip(key, (12.9898, 78.233, 37.719), strict=False))) * 43758.5453
    return 2 * (x - math.floor(x)) - 1


def results(models: int = 24, count: int = 8, missing: float = 0.15, spread: float = 2.0, scatter: float = 0.35) -> list[tuple[str, str, float]]:
    out = []
    for m in range(models):
        ability = spread * (2 * m / (models - 1) - 1)
        for b in range(count):
            if (noise(m, b, 7) + 1) / 2 < missing:
                continue
            y = (0.7 + 0.08 * b) * ability - 0.3 * (b - count / 2) + scatter * noise(m, b)
            out.append((f"made-up-{m:02d}", f"b{b:02d}", round(1 / (1 + math.exp(-y)), 4)))
    return out


def reference(models: int = 24) -> list[str]:
    return [f"made-up-{m:02d}" for m in range(4, models - 4)]
