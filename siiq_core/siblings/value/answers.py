"""The three answers (R1–R6): entrants on two axes → cheap, everyday, best, or why one is missing. No score is touched here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from siiq_core.params.value import ValueParams
from siiq_core.siblings.value.records import Entrant

NAMES = ("cheap", "everyday", "best")
NOBODY, FEW, NO_KNEE, FLOOR = "nobody_eligible", "few_trade_offs", "no_knee", "below_floor"  # R6
TINY = 1e-9  # points: a height above the line that is none


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, or the reason why there is none."""

    variant: str | None
    reason: str | None = None
    repeats: str | None = None  # the other answer that it is
    numbers: Mapping[str, float] = field(default_factory=dict)  # what the reason is about


@dataclass(frozen=True, slots=True)
class Answers:
    """All three, with the frontier they stand on."""

    leader: str | None
    frontier: tuple[str, ...]  # by cost; twins by id
    cheap: Answer
    everyday: Answer
    best: Answer


def frontier(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Those that no other dominates (R1), by cost; twins stay, by id."""
    kept: list[Entrant] = []
    for e in sorted(entrants, key=lambda e: (e.cost, -e.quality, e.id)):
        if not kept or e.quality > kept[-1].quality or (e.cost, e.quality) == (kept[-1].cost, kept[-1].quality):
            kept.append(e)
    return kept


def answers(entrants: Sequence[Entrant], params: ValueParams) -> Answers:
    """R1–R6. `entrants` are those that are eligible and pass the reader's filters."""
    if not entrants:
        none = Answer(None, NOBODY)
        return Answers(None, (), none, none, none)
    leader = min(entrants, key=lambda e: (-e.quality, e.cost, e.id))
    front = frontier(entrants)
    best = min((e for e in front if e.high >= leader.low), key=lambda e: (e.cost, -e.quality, e.id))  # R2
    cheap, cheap_answer = _cheap(front, leader, best, params)
    return Answers(leader.id, tuple(e.id for e in front), cheap_answer, _everyday(front, leader, cheap, best, params), Answer(best.id))


def _cheap(front: Sequence[Entrant], leader: Entrant, best: Entrant, params: ValueParams) -> tuple[Entrant | None, Answer]:
    third = front[:cheapest(len(front), params.cheap_share)]
    pick = min(third, key=lambda e: (-e.quality, e.cost, e.id))  # R3
    floor = params.cheap_floor * leader.quality
    if pick.quality < floor:
        return None, _below(floor, pick.quality)
    if pick.cost > best.cost or pick.id == best.id:
        return best, Answer(best.id, repeats="best")
    return pick, Answer(pick.id)


def cheapest(number: int, share: float) -> int:
    """⌈share · N⌉, exactly: 0.33 of 100 is 33."""
    return math.ceil(Fraction(repr(share)) * number)


def _everyday(front: Sequence[Entrant], leader: Entrant, cheap: Entrant | None, best: Entrant, params: ValueParams) -> Answer:
    points = len({(e.cost, e.quality) for e in front})
    if points < params.min_trade_offs:
        return Answer(None, FEW, numbers={"points": points, "needed": params.min_trade_offs})
    floor = params.everyday_floor * leader.quality
    middle = [e for e in front if (cheap is None or e.cost >= cheap.cost) and e.cost <= best.cost]
    heights = {e.id: height(e, front[0], front[-1]) for e in middle}
    knee = _top(middle, heights)
    if heights[knee.id] <= TINY:
        return Answer(None, NO_KNEE)
    fit = [e for e in middle if e.quality >= floor and heights[e.id] > TINY]
    if not fit:  # (choice) the knee that would answer says by how much; the ends lie on the line or are no middle
        return _below(floor, knee.quality)
    pick = _top(fit, heights)
    ends = {"cheap": cheap, "best": best}
    return Answer(pick.id, repeats=next((name for name, e in ends.items() if e is not None and e.id == pick.id), None), numbers={"height": heights[pick.id]})


def _top(points: Sequence[Entrant], heights: Mapping[str, float]) -> Entrant:
    """The farthest above the line; ties to the cheaper."""
    top = max(heights[e.id] for e in points)
    return next(e for e in points if heights[e.id] >= top - TINY)


def height(e: Entrant, first: Entrant, last: Entrant) -> float:
    """Points above the line from the frontier's cheapest to its highest-quality point, over the logarithm of the cost (R4)."""
    share = (e.log_cost - first.log_cost) / (last.log_cost - first.log_cost)
    return e.quality - (first.quality + share * (last.quality - first.quality))


def _below(floor: float, quality: float) -> Answer:
    return Answer(None, FLOOR, numbers={"floor": floor, "quality": quality, "short": floor - quality})
