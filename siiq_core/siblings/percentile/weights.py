"""M5, M6: how much each board counts beside the others that a configuration has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from siiq_core.params.percentile import Board, PercentileParams


def overlap_factors(present: Collection[str], params: PercentileParams) -> Mapping[str, Fraction]:
    """Board → its overlap factor among the boards `present`, which are of one dimension.

    The first of a family, by quality weight (the greatest) and id, keeps its weight; each further one, and a composite
    that shares parts with a board present, counts by the overlap factor, once. (choice) "Present" is meant for the
    configuration: a board that stands alone doubles nothing and keeps its weight.
    """
    boards = sorted((b for b in params.boards if b.benchmark in present), key=_first)
    shares = {x.board for x in params.overlaps if x.kind == "composite" and set(x.beside) & set(present)}
    seen: set[str] = set()
    out: dict[str, Fraction] = {}
    for board in boards:
        further = board.family in seen
        seen.add(board.family)
        out[board.benchmark] = params.overlap_factor if further or board.benchmark in shares else Fraction(1)
    return out


def board_weights(present: Collection[str], params: PercentileParams) -> Mapping[str, Fraction]:
    """Board → quality weight × overlap factor (M5)."""
    quality = {b.benchmark: b.quality_weight for b in params.boards}
    return {board: quality[board] * factor for board, factor in overlap_factors(present, params).items()}


def _first(board: Board) -> tuple[Fraction, str]:
    return -board.quality_weight, board.benchmark
