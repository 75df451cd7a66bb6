"""M5, M7: the score of a dimension, how sure it is, and how much of it was measured."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from siiq_core.params.percentile import PercentileParams
from siiq_core.siblings.percentile.median import weighted_median
from siiq_core.siblings.percentile.records import DimensionScore, Entry
from siiq_core.siblings.percentile.weights import board_weights

HIGH, MEDIUM, LOW, INSUFFICIENT = "high", "medium", "low", "insufficient"


def confidence(families: int, params: PercentileParams) -> str:
    """M7, by the number of distinct families."""
    if families >= params.high_families:
        return HIGH
    if families >= params.medium_families:
        return MEDIUM
    return LOW if families else INSUFFICIENT


def dimension_score(dimension: str, percentiles: Mapping[str, Fraction], entries: Mapping[str, Entry], active: Collection[str],
                    params: PercentileParams) -> DimensionScore:
    """What a configuration's percentiles say of one dimension.

    Parameters
    ----------
    percentiles, entries : by board, of the configuration; boards of other dimensions are passed over
    active : boards that are configured and have a population
    """
    boards = [b for b in params.boards_of(dimension) if b.benchmark in active]
    present = [b for b in boards if b.benchmark in percentiles]
    if not present:
        return DimensionScore(None, INSUFFICIENT, 0, Fraction(0), None, {})
    weights = board_weights([b.benchmark for b in present], params)
    families = len({b.family for b in present})
    return DimensionScore(
        score=weighted_median((percentiles[b], weight) for b, weight in weights.items()), confidence=confidence(families, params), families=families,
        coverage=Fraction(len(present), len(boards)), newest=max(entries[b.benchmark].date for b in present), weights=weights,
    )
