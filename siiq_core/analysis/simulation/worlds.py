"""Made-up worlds: true abilities, boards that measure them, and one alteration at a time.

A world follows from params/simulation.yml alone: the seed, the scenario's stream and the number of the replication. Only
even and normal numbers are drawn, from PCG64; a question is answered rightly if its even number lies below the chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from siiq_core.method.numbers import mean, population_sd, sig12
from siiq_core.method.panel import Cell
from siiq_core.params import simulation as spec
from siiq_core.params.simulation import Scenario, SimulationParams
from siiq_core.records import Benchmark

EVALUATORS = 3  # boards are theirs in turn


@dataclass(frozen=True, slots=True)
class World:
    """What methods are shown, and what they are to find."""

    truth: Mapping[str, float]  # slug → ability; mean 0, population SD 1
    boards: Mapping[str, Benchmark]
    reference: tuple[str, ...]  # slugs
    cells: tuple[Cell, ...]  # sorted


@dataclass(frozen=True, slots=True)
class Plan:
    """A world before anybody answers: M models on B boards."""

    ability: np.ndarray  # (M,)
    boards: tuple[Benchmark, ...]  # length B
    loading: np.ndarray  # (M, B) logits by unit of ability; a revised board is another one for later models
    level: np.ndarray  # (M, B) logits at ability 0
    deviation: np.ndarray  # (M, B) logits beside ability
    measured: np.ndarray  # (M, B) truth values
    even: bool = False  # scores rise evenly with ability: the three above are shares, and there is no curve
    knots: np.ndarray | None = None  # (B, steps + 1) a rising curve per board that scores pass through


def stream(params: SimulationParams, scenario: Scenario, replication: int) -> np.random.Generator:
    """The draws of one world; no other world's draws move them."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(params.seed, spawn_key=(scenario.stream, replication))))


def world(params: SimulationParams, scenario: Scenario, replication: int) -> World:
    """One world of a scenario."""
    rng = stream(params, scenario, replication)
    plan = planned(params, scenario, rng)
    return measured(plan, answered(chances(plan), [b.n for b in plan.boards], rng))


def planned(params: SimulationParams, scenario: Scenario, rng: np.random.Generator) -> Plan:
    """A fair world, and the scenario's alteration of it."""
    plan = _fair(params, rng)
    for name, what in scenario.alterations.items():
        plan = ALTERATIONS[name](plan, what, rng)
    return plan


def _fair(params: SimulationParams, rng: np.random.Generator) -> Plan:
    """Every model on every board, one loading for all: SI-IQ's own curve (T, C) is how scores come about."""
    areas = tuple(params.areas)
    boards = tuple(Benchmark(f"board-{k:02d}", areas[k % len(areas)], f"board-{k:02d}", f"evaluator-{k % EVALUATORS}", 0.0, 1.0, params.questions)
                   for k in range(params.boards_per_area * len(areas)))
    shape = (params.models, len(boards))
    drawn = rng.standard_normal(params.models)
    ability = (drawn - mean(drawn)) / population_sd(drawn)
    level = np.tile(params.difficulty * (2 * rng.random(len(boards)) - 1), (params.models, 1))
    return Plan(ability, boards, np.full(shape, params.loading), level, params.deviation * rng.standard_normal(shape), np.ones(shape, bool))


def chances(plan: Plan) -> np.ndarray:
    """Chance of a right answer, shape (M, B)."""
    x = plan.loading * plan.ability[:, None] + plan.level + plan.deviation
    return np.clip(x, 0.0, 1.0) if plan.even else 1.0 / (1.0 + np.exp(-x))


def answered(chance: np.ndarray, questions: list[int], rng: np.random.Generator) -> np.ndarray:
    """Share of right answers, shape (M, B); column b has questions[b] of them."""
    columns = [np.sum(rng.random((len(chance), n)) < chance[:, [b]], axis=1) / n for b, n in enumerate(questions)]
    return np.stack(columns, axis=1)


def measured(plan: Plan, share: np.ndarray) -> World:
    """The world as methods see it: the scores of the pairs that were measured."""
    if plan.knots is not None:
        share = np.stack([np.interp(share[:, b], np.linspace(0, 1, len(knots)), knots) for b, knots in enumerate(plan.knots)], axis=1)
    slugs = [f"made-up-{m:03d}" for m in range(len(plan.ability))]
    cells = sorted((slugs[m], plan.boards[b].id, sig12(float(share[m, b]))) for m, b in zip(*np.nonzero(plan.measured), strict=True))
    return World({slug: float(x) for slug, x in zip(slugs, plan.ability, strict=True)}, {b.id: b for b in plan.boards}, tuple(slugs[::2]), tuple(cells))


# --- alterations: each takes a plan and says what is other ------------------------------------------------------------


def _some(count: int, share: float, rng: np.random.Generator) -> np.ndarray:
    """Numbers of a share of `count` things, at least one, drawn without putting back."""
    return np.argsort(rng.random(count), kind="stable")[:max(1, round(share * count))]


def _place(values: np.ndarray) -> np.ndarray:
    """Place of each value from the smallest (0) to the largest (1)."""
    return np.argsort(np.argsort(values, kind="stable"), kind="stable") / (len(values) - 1)


def _coverage(plan: Plan, x: spec.Coverage, rng: np.random.Generator) -> Plan:
    at = rng.random(len(plan.ability)) if x.by == "chance" else _place(plan.ability)
    seen = np.zeros_like(plan.measured)
    for m, share in enumerate(x.least + (x.most - x.least) * at):
        seen[m, _some(len(plan.boards), share, rng)] = True
    return replace(plan, measured=seen)


def _new_boards(plan: Plan, x: spec.NewBoards, rng: np.random.Generator) -> Plan:
    new, level, seen = _some(len(plan.boards), x.share, rng), plan.level.copy(), plan.measured.copy()
    level[:, new] -= x.harder
    seen[:, new] = (_place(plan.ability) >= 1 - x.strongest)[:, None]
    return replace(plan, level=level, measured=seen)


def _revision(plan: Plan, x: spec.Revision, rng: np.random.Generator) -> Plan:
    date = x.progress * plan.ability + math.sqrt(1 - x.progress**2) * rng.standard_normal(len(plan.ability))
    revised = np.ix_(_place(date) >= 0.5, np.sort(_some(len(plan.boards), x.share, rng)))
    level, loading = plan.level.copy(), plan.loading.copy()
    level[revised] -= x.harder
    loading[revised] *= x.loading
    return replace(plan, level=level, loading=loading)


def _noise(plan: Plan, x: spec.Noise, rng: np.random.Generator) -> Plan:
    small, deviation = _some(len(plan.boards), x.share, rng), plan.deviation.copy()
    deviation[:, small] = x.deviation * rng.standard_normal((len(plan.ability), len(small)))
    return replace(plan, deviation=deviation, boards=tuple(replace(b, n=x.questions) if k in small else b for k, b in enumerate(plan.boards)))


def _loadings(plan: Plan, x: spec.Loadings, rng: np.random.Generator) -> Plan:
    loading = plan.loading.copy()
    loading[:, _some(len(plan.boards), x.share, rng)] = x.loading
    return replace(plan, loading=loading)


def _ends(plan: Plan, x: spec.Ends, rng: np.random.Generator) -> Plan:
    at, level = _some(len(plan.boards), x.share, rng), plan.level.copy()
    level[:, at] += x.shift * np.where(np.arange(len(at)) % 2 == 0, 1.0, -1.0)
    return replace(plan, level=level)


def _copies(plan: Plan, x: spec.Copies, rng: np.random.Generator) -> Plan:
    first, models = plan.boards[0], len(plan.ability)
    shared = x.deviation * rng.standard_normal(models)
    own = x.own * rng.standard_normal((models, x.further + 1))
    further = tuple(replace(first, id=f"{first.id}-copy-{k:02d}") for k in range(1, x.further + 1))  # of its area, family and evaluator

    def with_copies(values: np.ndarray) -> np.ndarray:
        return np.hstack([values, np.repeat(values[:, :1], x.further, axis=1)])

    deviation = with_copies(plan.deviation)
    deviation[:, [0, *range(len(plan.boards), len(plan.boards) + x.further)]] = shared[:, None] + own
    return replace(plan, boards=(*plan.boards, *further), loading=with_copies(plan.loading), level=with_copies(plan.level),
                   deviation=deviation, measured=with_copies(plan.measured))


def _distortion(plan: Plan, x: spec.Distortion, rng: np.random.Generator) -> Plan:
    heights = np.exp(x.spread * rng.standard_normal((len(plan.boards), x.steps)))
    rising = np.hstack([np.zeros((len(plan.boards), 1)), np.cumsum(heights, axis=1)])
    return replace(plan, knots=rising / rising[:, -1:])


def _level(plan: Plan, x: spec.Level, rng: np.random.Generator) -> Plan:
    shape = plan.loading.shape
    own = x.low + (x.high - x.low) * rng.random(shape[1])
    return replace(plan, loading=np.full(shape, x.slope), level=np.tile(own, (shape[0], 1)), deviation=x.deviation * rng.standard_normal(shape), even=True)


def _leaks(plan: Plan, x: spec.Leaks, rng: np.random.Generator) -> Plan:
    return replace(plan, deviation=plan.deviation + x.gain * (rng.random(plan.deviation.shape) < x.share))


ALTERATIONS: Mapping[str, Callable[[Plan, Any, np.random.Generator], Plan]] = {
    "coverage": _coverage, "new_boards": _new_boards, "revision": _revision, "noise": _noise, "loadings": _loadings,
    "ends": _ends, "copies": _copies, "distortion": _distortion, "level": _level, "leaks": _leaks}
