"""Saturation: how many of a year's results lie within reach of their benchmark's ceiling, where scores no longer tell models apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from siiq_core.method.panel import Panel


@dataclass(frozen=True)
class Share:
    """Results near the ceiling."""

    benchmark: str | None  # None: all of them
    year: str
    results: int
    near: int


def saturation(panel: Panel, years: Mapping[str, str], margin: float) -> tuple[Share, ...]:
    """By release year of the models, all benchmarks first, then each.

    Parameters
    ----------
    years : slug → "2025"; models without one are left out
    margin : near is (c − s)/(c − g) ≤ margin
    """
    count: dict[tuple[str, str], list[int]] = {}
    for m, b, s in zip(panel.m, panel.b, panel.s, strict=True):
        bench, slug = panel.benchmarks[b], panel.models[m]
        if slug in years:
            for key in (("", years[slug]), (bench.id, years[slug])):
                cell = count.setdefault(key, [0, 0])
                cell[0] += 1
                cell[1] += bool(round((bench.c - s) / (bench.c - bench.g), 12) <= margin)
    return tuple(Share(bench or None, year, *count[bench, year]) for bench, year in sorted(count))
