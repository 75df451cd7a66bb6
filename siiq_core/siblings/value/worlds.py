"""How sure the answers are: how often each variant wins where benchmarks and intervals are drawn anew.

A world draws as many benchmarks as are in use, with replacement, and each entrant's quality from its own interval. Levels, r,
centre, costs and the entrants stay as they are. The seed is params/value.yml's, and every state begins with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siiq_core.params.value import ValueParams
from siiq_core.siblings.value.answers import NAMES, TINY, cheapest
from siiq_core.siblings.value.state import State, competing, entrants


@dataclass(frozen=True, slots=True)
class Worlds:
    """Drawn qualities of the entrants of a state, by cost, then id."""

    names: tuple[str, ...]
    costs: np.ndarray  # (entrants,) US dollars
    quality: np.ndarray  # (worlds, entrants) points; minus infinity where no benchmark of a variant was drawn
    half: np.ndarray  # (entrants,) half-widths of the intervals


def draw(state: State, params: ValueParams, min_benchmarks: int) -> Worlds:
    """The worlds of a state; the same seed gives the same ones."""
    own = sorted(entrants(state, competing(state, params, min_benchmarks)), key=lambda e: (e.cost, e.id))
    benchmarks = [b for b, m in state.qualities.measures.items() if m.reason is None]
    values = np.array([[state.qualities.variants[e.id].q.get(b, np.nan) for b in benchmarks] for e in own]).reshape(len(own), len(benchmarks))
    half = np.array([(e.high - e.low) / 2 for e in own])
    source = np.random.RandomState(params.seed)  # its stream is the same in every version of numpy
    picked = source.randint(0, max(1, len(benchmarks)), size=(params.draws, len(benchmarks)))
    times = np.stack([(picked == b).sum(axis=1) for b in range(len(benchmarks))], axis=1) if benchmarks else np.zeros((params.draws, 0))
    known = ~np.isnan(values)
    weight = times @ known.T.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (times @ np.where(known, values, 0.0).T) / weight
    r, centre = state.qualities.variance.r, state.qualities.centre or 0.0
    shrink = np.array([1.0 if r is None else state.qualities.variants[e.id].k / (state.qualities.variants[e.id].k + r) for e in own])
    quality = centre + (mean - centre) * shrink + source.standard_normal((params.draws, len(own))) * half / params.z90
    return Worlds(tuple(e.id for e in own), np.array([e.cost for e in own]), np.where(weight > 0, quality, -np.inf), half)


def winners(worlds: Worlds, params: ValueParams) -> dict[str, np.ndarray]:
    """R1–R4 in every world at once: answer → (worlds,) place of the variant that wins it, -1 where there is none."""
    quality, costs = worlds.quality, worlds.costs
    count, number = quality.shape
    out = {name: np.full(count, -1) for name in NAMES}
    if not number:
        return out
    everywhere = np.arange(count)
    starts = np.flatnonzero(np.r_[True, costs[1:] > costs[:-1]])
    group = np.cumsum(np.r_[0, (costs[1:] > costs[:-1]).astype(int)])
    top = np.maximum.reduceat(quality, starts, axis=1)
    cheaper = np.c_[np.full(count, -np.inf), np.maximum.accumulate(top, axis=1)[:, :-1]]
    front = (quality == top[:, group]) & (quality > cheaper[:, group])  # R1; drawn qualities are never equal
    leader = quality.argmax(axis=1)
    lead = quality[everywhere, leader]
    some = np.isfinite(lead)
    reach = front & (quality + worlds.half >= (lead - worlds.half[leader])[:, None])
    best = reach.argmax(axis=1)  # R2: by cost, so the first
    place = np.cumsum(front, axis=1)
    n = place[:, -1]
    third = np.array([cheapest(int(x), params.cheap_share) for x in range(number + 1)])[n]
    pick = (front & (place == third[:, None])).argmax(axis=1)  # R3: on the frontier the dearer is the better
    enough = quality[everywhere, pick] >= params.cheap_floor * lead
    cheap = np.where(enough, np.minimum(pick, best), -1)
    columns = np.arange(number)[None, :]
    middle = front & (columns >= np.maximum(cheap, 0)[:, None]) & (columns <= best[:, None]) & (quality >= (params.everyday_floor * lead)[:, None])
    first, logs = front.argmax(axis=1), np.log(costs)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (logs[None, :] - logs[first][:, None]) / (logs[leader] - logs[first])[:, None]
        height = quality - (quality[everywhere, first][:, None] + share * (lead - quality[everywhere, first])[:, None])  # R4
    height = np.where(middle, height, -np.inf)
    knee = height.argmax(axis=1)
    found = (height[everywhere, knee] > TINY) & (n >= params.min_trade_offs)
    out["best"], out["cheap"] = np.where(some, best, -1), np.where(some, cheap, -1)
    out["everyday"] = np.where(some & found, knee, -1)
    return out


def win_shares(state: State, params: ValueParams, min_benchmarks: int, most: int = 5) -> dict[str, list[tuple[str | None, float]]]:
    """Answer → (variant, share of the worlds it wins), the most frequent first; None stands for no answer."""
    worlds = draw(state, params, min_benchmarks)
    return {name: _shares(place, worlds.names, most) for name, place in winners(worlds, params).items()} if worlds.names else {name: [] for name in NAMES}


def _shares(place: np.ndarray, names: Sequence[str], most: int) -> list[tuple[str | None, float]]:
    values, times = np.unique(place, return_counts=True)
    found: Mapping[str | None, float] = {None if x < 0 else names[x]: int(t) / len(place) for x, t in zip(values.tolist(), times.tolist(), strict=True)}
    return sorted(found.items(), key=lambda x: (-x[1], x[0] or ""))[:most]
