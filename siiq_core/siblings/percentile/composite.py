"""M8–M10: the score of a configuration, and which configuration speaks for a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from siiq_core.params.percentile import PercentileParams
from siiq_core.siblings.percentile.dimensions import HIGH, MEDIUM, dimension_score
from siiq_core.siblings.percentile.ranks import midranks
from siiq_core.siblings.percentile.records import BoardRows, Configuration, DimensionScore, Entry

DEFAULT = "default"


def composite(dimensions: Mapping[str, DimensionScore], params: PercentileParams) -> tuple[Fraction | None, tuple[str, ...]]:
    """(score, dimensions in it); (None, …) where too few dimensions are at medium or high. No gap is estimated (M8)."""
    counted = tuple(d.id for d in params.dimensions if d.weight and dimensions[d.id].confidence in (HIGH, MEDIUM))  # weight 0: never in it (M9)
    if len(counted) < params.min_dimensions:
        return None, counted
    weight = {d.id: d.weight for d in params.dimensions}
    total = sum(weight[d] for d in counted)
    return sum((weight[d] * dimensions[d].score for d in counted), Fraction(0)) / total, counted


def configurations(boards: Mapping[str, BoardRows], params: PercentileParams) -> tuple[Configuration, ...]:
    """Every configuration that any board has, by id; one of each model is its main one (M10)."""
    active = [b for b, rows in boards.items() if rows.population]
    direction = {b.benchmark: b.direction for b in params.boards}
    own: dict[tuple[str, str], dict[str, Entry]] = {}
    places: dict[tuple[str, str], dict[str, Fraction]] = {}
    for board in active:
        rank = midranks(boards[board].population, direction[board])
        for entry in boards[board].entries:
            key = (entry.model, entry.setting)
            own.setdefault(key, {})[board] = entry
            places.setdefault(key, {})[board] = rank[entry.value]
    return with_main(_configuration(*key, own[key], places[key], active, params) for key in sorted(own))


def _configuration(model: str, setting: str, entries: Mapping[str, Entry], percentiles: Mapping[str, Fraction], active: list[str],
                   params: PercentileParams) -> Configuration:
    dimensions = {d.id: dimension_score(d.id, percentiles, entries, active, params) for d in params.dimensions}
    score, counted = composite(dimensions, params)
    inside = {b.benchmark for d in params.dimensions if d.weight for b in params.boards_of(d.id)} & set(active)
    return Configuration(model, setting, entries, percentiles, dimensions, score, counted, Fraction(len(inside & set(percentiles)), len(inside) or 1))


def with_main(found: Iterable[Configuration]) -> tuple[Configuration, ...]:
    """The same, by id, with one main configuration a model: the default one, else the best by score, then coverage, then id (M10)."""
    ordered = sorted(found, key=lambda c: c.id)
    best: dict[str, Configuration] = {}
    for c in sorted(ordered, key=_first):
        best.setdefault(c.model, c)
    return tuple(replace(c, main=best[c.model] is c) for c in ordered)


def _first(c: Configuration) -> tuple:
    return c.setting != DEFAULT, c.score is None, -(c.score or 0), -c.coverage, c.id
