"""One state of the switches: which benchmarks are in use → qualities, costs, who may answer (Q7, Q8, R7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from siiq_core.params.value import ValueParams
from siiq_core.siblings.value.answers import Answers, answers
from siiq_core.siblings.value.cost import ESTIMATED, MEASURED, Costs, costs
from siiq_core.siblings.value.quality import NOT_LINKED, Qualities, qualities
from siiq_core.siblings.value.records import Entrant, Evidence

# Why nobody may answer at all, the first that holds.
NO_SCORES, NO_COSTS, TOO_FEW, FILTERED = "no_scores", "no_costs", "too_few_benchmarks", "filters"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a reader asks for (R7); none of it changes a score."""

    open_weights: bool = False
    developer: str = ""
    min_context: int = 0  # tokens
    max_cost: float = math.inf  # US dollars of the cost index

    def admit(self, evidence: Evidence, model: str, cost: float) -> bool:
        """May a variant of this model and cost answer?"""
        facts = evidence.models[model]
        return ((facts.open_weights or not self.open_weights) and (not self.developer or self.developer in facts.developers)
                and (facts.context or 0) >= self.min_context and cost <= self.max_cost)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a set of benchmarks in use decides."""

    evidence: Evidence
    in_use: tuple[str, ...]
    qualities: Qualities
    costs: Costs

    def model(self, variant: str) -> str:
        """Slug of a variant's model."""
        return variant.rpartition("@")[0]

    def setting(self, variant: str) -> str:
        """Effort of a variant."""
        return variant.rpartition("@")[2]


def state_of(evidence: Evidence, in_use: Sequence[str], params: ValueParams) -> State:
    """Q2–Q6 and D1–D3 for the benchmarks in use (Q8: one that is off takes its scores and costs out of everything).

    One that Q3 leaves out, not being linked, sets no level of the costs either.
    """
    in_use = tuple(source.benchmark for source in params.sources if source.benchmark in set(in_use))
    found = qualities(evidence.rows, in_use, params)
    linked = [b for b in in_use if found.measures[b].reason != NOT_LINKED]
    return State(evidence, in_use, found, costs(evidence.rows, linked, evidence.prices, params))


def source_sets(params: ValueParams) -> list[tuple[str, ...]]:
    """Every set of one or more benchmarks that the switches can make, the smaller sets first."""
    ids = [source.benchmark for source in params.sources]
    return [chosen for size in range(1, len(ids) + 1) for chosen in combinations(ids, size)]


def eligible(state: State, params: ValueParams, min_benchmarks: int) -> tuple[str, ...]:
    """Q7: families enough, a cost, and a setting that one can ask for; by id."""
    return tuple(v for v, q in state.qualities.variants.items()
                 if q.families >= min_benchmarks and state.costs.variants[v].cost is not None and state.setting(v) not in params.no_answer)


def competing(state: State, params: ValueParams, min_benchmarks: int) -> tuple[str, ...]:
    """The eligible without the estimates of a model that has a measured one: a list price knows no effort (D3)."""
    own = eligible(state, params, min_benchmarks)
    measured = {state.model(v) for v in own if state.costs.variants[v].kind == MEASURED}
    return tuple(v for v in own if not (state.costs.variants[v].kind == ESTIMATED and state.model(v) in measured))


def entrants(state: State, names: Sequence[str]) -> list[Entrant]:
    """These variants on the two axes that decide."""
    out = []
    for v in names:
        q, cost = state.qualities.variants[v], state.costs.variants[v].cost
        out.append(Entrant(v, q.quality, q.quality if q.low is None else q.low, q.quality if q.high is None else q.high, cost, math.log(cost)))
    return out


def answer(state: State, params: ValueParams, min_benchmarks: int, filters: Filters = Filters()) -> Answers:
    """R1–R7 in this state."""
    admitted = [v for v in competing(state, params, min_benchmarks) if filters.admit(state.evidence, state.model(v), state.costs.variants[v].cost)]
    return answers(entrants(state, admitted), params)


def why_nobody(state: State, params: ValueParams, min_benchmarks: int) -> str:
    """The reason where no variant may answer."""
    if not state.qualities.variants:
        return NO_SCORES
    if all(state.costs.variants[v].cost is None for v in state.qualities.variants):
        return NO_COSTS
    return FILTERED if competing(state, params, min_benchmarks) else TOO_FEW
