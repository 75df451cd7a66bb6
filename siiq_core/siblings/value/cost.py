"""What a task costs at a variant: measured where it is, estimated from list prices elsewhere (D1–D4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from siiq_core.evidence.numbers import significant
from siiq_core.params.value import ValueParams
from siiq_core.siblings.value.levels import levels
from siiq_core.siblings.value.records import ListPrice, Row

MEASURED, ESTIMATED, NONE = "measured", "estimated", "none"


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one variant in dollars on the anchor's tasks: good for order and ratio, no forecast of a bill (D4)."""

    cost: float | None
    low: float | None  # the range where more than one source measured it
    high: float | None
    kind: str
    raw: Mapping[str, float]  # benchmark → dollars as published, those never used among them
    price: ListPrice | None


@dataclass(frozen=True, slots=True)
class Costs:
    """All variants, and what they rest on."""

    anchor: str | None
    factors: Mapping[str, float]  # benchmark → its level against the anchor's, of linked cost sources
    unlinked: tuple[str, ...]  # cost sources that share no variant with the anchor, by whatever chain
    factor: float | None  # D3: measured ÷ blended, the median; None without a pair
    pairs: int
    variants: Mapping[str, Cost]  # by id, sorted


def costs(rows: Sequence[Row], in_use: Iterable[str], prices: Mapping[str, ListPrice], params: ValueParams) -> Costs:
    """D1–D3 over all rows of the benchmarks in use."""
    own = [r for r in rows if r.benchmark in set(in_use)]
    logs: dict[str, dict[str, float]] = {}
    raw: dict[str, dict[str, float]] = {}
    for r in sorted(own, key=lambda r: (r.variant, r.benchmark)):
        raw.setdefault(r.variant, {})
        if r.cost is not None:
            raw[r.variant][r.benchmark] = r.cost
            if r.comparable:  # D1
                logs.setdefault(r.benchmark, {})[r.variant] = math.log(r.cost)
    found = levels(logs, params.level)  # D2
    levelled: dict[str, list[float]] = {}
    for b in sorted(found.offsets):
        for variant, x in logs[b].items():
            levelled.setdefault(variant, []).append(math.exp(x - found.offsets[b]))
    measured = {variant: median(values) for variant, values in levelled.items()}
    model_of = {r.variant: r.model for r in own}
    blend = {slug: blended(price, params) for slug, price in prices.items()}
    ratios = [measured[v] / blend[model_of[v]] for v in sorted(measured) if model_of[v] in blend]
    factor = significant(median(ratios)) if ratios else None

    def of(variant: str) -> Cost:
        price, slug = prices.get(model_of[variant]), model_of[variant]
        if variant in measured:
            return Cost(significant(measured[variant]), significant(min(levelled[variant])), significant(max(levelled[variant])), MEASURED, raw[variant], price)
        if price is not None and factor is not None:
            return Cost(significant(factor * blend[slug]), None, None, ESTIMATED, raw[variant], price)
        return Cost(None, None, None, NONE, raw[variant], price)

    return Costs(found.anchor, {b: significant(math.exp(x)) for b, x in found.offsets.items()}, found.unlinked, factor, len(ratios),
                 {variant: of(variant) for variant in sorted(raw)})


def blended(price: ListPrice, params: ValueParams) -> float:
    """US dollars per million tokens in the mix of agentic runs; a cache price that is not stated counts as the input price (D3)."""
    cache = price.input if price.cache_read is None else price.cache_read
    return params.mix_cache_read * cache + params.mix_input * price.input + params.mix_output * price.output


def left_out_errors(rows: Sequence[Row], in_use: Iterable[str], prices: Mapping[str, ListPrice], params: ValueParams) -> list[float]:
    """How far the estimate is off where the cost is measured: the larger of estimate ÷ measured and its inverse, one by one.

    The factor of each is the median over the variants of all other models.
    """
    found = costs(rows, in_use, prices, params)
    model_of = {r.variant: r.model for r in rows}
    ratios = {v: c.cost / blended(prices[model_of[v]], params) for v, c in found.variants.items() if c.kind == MEASURED and model_of[v] in prices}
    out = []
    for v, ratio in ratios.items():
        others = [x for w, x in ratios.items() if model_of[w] != model_of[v]]
        if others:
            off = median(others) / ratio
            out.append(max(off, 1 / off))
    return out
