"""Every method on one made-up world, by the code that ships: model → number, more is better, for the models it places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from siiq_core.analysis.simulation.worlds import World
from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.numbers import mean, population_sd, sig12
from siiq_core.method.ranks import coverage
from siiq_core.method.scoring import score
from siiq_core.params.method import MethodParams, load_method, with_changes
from siiq_core.params.percentile import Board, Overlap, PercentileParams, load_percentile
from siiq_core.params.value import ValueParams, load_value
from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.records import BoardRows, Entry
from siiq_core.siblings.value.quality import qualities
from siiq_core.siblings.value.records import Row

Placed = Mapping[str, float]  # slug → number
EFFORT, DAY, SOURCE = "default", "2000-01-01", "made-up"  # of every made-up row


@dataclass(frozen=True, slots=True)
class Shipped:
    """The methods' own parameters, and the percentile dimension of each area."""

    method: MethodParams
    percentile: PercentileParams
    value: ValueParams
    areas: Mapping[str, str]


def shipped(root: Path, areas: Mapping[str, str]) -> Shipped:
    """As the project has them; without the interval factor (C7), which moves no score and takes five calibrations."""
    return Shipped(with_changes(load_method(root), {"kappa": False}), load_percentile(root), load_value(root), areas)


def place(world: World, own: Shipped) -> dict[str, Placed]:
    """Method → what it says of the models it places, in the order of METHODS."""
    return {name: {slug: sig12(x) for slug, x in sorted(by(world, own).items())} for name, by in METHODS.items()}


def by_model(world: World) -> dict[str, dict[str, float]]:
    """Slug → board → score."""
    out: dict[str, dict[str, float]] = {}
    for slug, board, share in world.cells:
        out.setdefault(slug, {})[board] = share
    return out


def siiq(world: World, own: Shipped) -> Placed:
    """Abilities of ranked models (C, S, K1); nothing where the calibration is refused (C8)."""
    scores = by_model(world)
    try:
        found = calibrate(world.cells, world.boards, world.reference, own.method, require_all_reference=False)
    except CalibrationRefused:
        return {}
    scored = {slug: score(x, world.boards, found, own.method) for slug, x in scores.items()}
    return {slug: x.overall.theta for slug, x in scored.items() if x is not None and not coverage(x, (), own.method).reasons}


def percentile(world: World, own: Shipped) -> Placed:
    """The composite of every model that has one (M3–M8)."""
    rows = {board: [(slug, Decimal(repr(share))) for slug, b, share in world.cells if b == board] for board in world.boards}
    boards = {b: BoardRows(b, SOURCE, DAY, tuple(share for _, share in own_rows), tuple(Entry(b, slug, EFFORT, share, DAY, "", "") for slug, share in own_rows), {}, 0, 0)
              for b, own_rows in rows.items()}
    return {c.model: float(c.score) for c in configurations(boards, _boards(world, own)) if c.score is not None}


def _boards(world: World, own: Shipped) -> PercentileParams:
    """The shipped composite on the world's boards, with an overlap register of its families (M6)."""
    boards, first, overlaps = [], {}, []
    for b in world.boards.values():
        dimension = own.areas[b.area]
        boards.append(Board(benchmark=b.id, dimension=dimension, family=b.family))
        if first.setdefault((dimension, b.family), b.id) != b.id:
            overlaps.append(Overlap(**{"board": b.id, "kind": "family", "with": (first[dimension, b.family],), "reason": "declared as one family"}))
    return PercentileParams.model_validate({**own.percentile.model_dump(by_alias=True), "boards": boards, "overlaps": overlaps})


def value(world: World, own: Shipped) -> Placed:
    """Quality of models with enough families (Q2–Q7), every board switched on."""
    rows = [Row(b, world.boards[b].family, slug, EFFORT, share, None, None, False, "", "") for slug, b, share in world.cells]
    found = qualities(rows, tuple(world.boards), own.value)
    return {name.removesuffix(f"@{EFFORT}"): x.quality for name, x in found.variants.items() if x.families >= own.value.min_benchmarks}


def plain_mean(world: World, own: Shipped) -> Placed:
    """Mean of a model's scores."""
    return {slug: mean(list(x.values())) for slug, x in by_model(world).items()}


def z_mean(world: World, own: Shipped) -> Placed:
    """Mean of a model's z-scores within the boards; a board on which all are alike gives 0."""
    on: dict[str, list[float]] = {}
    for _, board, share in world.cells:
        on.setdefault(board, []).append(share)
    centre, spread = {b: mean(x) for b, x in on.items()}, {b: population_sd(x) for b, x in on.items()}
    return {slug: math.fsum((share - centre[b]) / spread[b] if spread[b] else 0.0 for b, share in x.items()) / len(x) for slug, x in by_model(world).items()}


METHODS: Mapping[str, Callable[[World, Shipped], Placed]] = {"siiq": siiq, "percentile": percentile, "value": value, "mean": plain_mean, "z": z_mean}
