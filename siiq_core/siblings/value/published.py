"""value.json, and what the page is given of every state of its switches: plain values, the same for the same evidence (Q8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.value import ValueParams, ValueSource
from siiq_core.siblings.value.answers import NAMES, NOBODY, Answer
from siiq_core.siblings.value.cost import ESTIMATED
from siiq_core.siblings.value.effort import dearest_effort
from siiq_core.siblings.value.records import Evidence
from siiq_core.siblings.value.state import State, answer, competing, eligible, source_sets, state_of, why_nobody
from siiq_core.siblings.value.worlds import win_shares

MINIMA = (2, 1)  # families that a reader may ask for (Q7)
# Why a variant cannot answer, the first that holds.
NO_SETTING, NO_COST, FEW_FAMILIES, MEASURED_SIBLING = "setting", "cost", "families", "measured_sibling"


def value_json(evidence: Evidence, params: ValueParams, specs: Mapping[str, BenchmarkSpec], progress: Callable[[str], None] = lambda text: None
               ) -> tuple[dict[str, Any], dict[str, Any]]:
    """The published file (files.md), and the states of the page's switches; dates and versions are the caller's to add."""
    default = state_of(evidence, params.default_set, params)
    order = {v: i for i, v in enumerate(sorted({r.variant for r in evidence.rows}))}
    states, pages = [], []
    progress("every state of the switches")
    for chosen in source_sets(params):
        state = state_of(evidence, chosen, params)
        told = {m: answers_record(state, params, m) for m in MINIMA}
        states += [{"sources_on": list(chosen), "min_benchmarks": m, "answers": told[m]} for m in MINIMA]
        pages.append(page_state(state, params, order, told))
    variants = _variants(default, params)
    found = {
        "parameters": parameters(params), "benchmarks": [_benchmark(default, source, specs[source.benchmark]) for source in params.sources],
        "developers": sorted({x for m in evidence.models.values() for x in m.developers}), **_shrink(default), "variants": variants, "answers": answers_record(default, params, params.min_benchmarks),
        "sure": {str(m): _sure(default, params, m) for m in MINIMA}, "states": states,
        "dearest_effort": dearest_effort(variants), "evidence": [evidence.raw[x] for x in sorted(evidence.raw)],
    }
    return found, {"variants": [_identity(evidence, v) for v in order], "sources": [s.benchmark for s in params.sources], "states": pages}


def parameters(params: ValueParams) -> dict[str, Any]:
    """Every number of params/value.yml."""
    plain = {k: getattr(params, k) for k in ("min_benchmarks", "cheap_share", "min_trade_offs", "level", "z90", "z95", "least_between", "draws", "seed")}
    return {**plain, "floors": {"cheap": params.cheap_floor, "everyday": params.everyday_floor}, "no_answer": list(params.no_answer),
            "mix": {"cache_read": params.mix_cache_read, "input": params.mix_input, "output": params.mix_output}}


def answers_record(state: State, params: ValueParams, min_benchmarks: int) -> dict[str, Any]:
    """The three answers of a state without filters."""
    found = answer(state, params, min_benchmarks)
    reason = why_nobody(state, params, min_benchmarks) if found.leader is None else None
    return {name: _answer(state, getattr(found, name), reason) for name in NAMES}


def _answer(state: State, one: Answer, nobody: str | None) -> dict[str, Any]:
    out: dict[str, Any] = {"variant": one.variant, "reason": nobody if one.reason == NOBODY else one.reason, "repeats": one.repeats}
    if one.variant is not None:
        out |= {"low_confidence": state.qualities.variants[one.variant].families < 2, "estimated": state.costs.variants[one.variant].kind == ESTIMATED}
    return {**out, **{key: float(f"{x:.12g}") if isinstance(x, float) else x for key, x in one.numbers.items()}}


def _benchmark(state: State, source: ValueSource, spec: BenchmarkSpec) -> dict[str, Any]:
    own = [r for r in state.evidence.rows if r.benchmark == source.benchmark]
    models = {r.model for r in own}
    measure = state.qualities.measures.get(source.benchmark)
    scores = [r.score for r in own]
    return {
        "id": spec.id, "name": spec.name, "source": spec.source, "evaluator": spec.evaluator, "family": source.family, "harness": source.harness,
        "address": spec.address, "license": spec.licence, "license_url": spec.licence_url, "license_basis": spec.licence_basis,
        "snapshot": state.evidence.snapshots.get(spec.source), "in_use": source.in_use, "anchor": state.qualities.anchor == spec.id, "variants": len(own),
        "models": len(models), "open_weights_models": sum(state.evidence.models[m].open_weights for m in models),
        "waiting_rows": state.evidence.waiting.get(spec.id, 0),
        "min": min(scores, default=None), "max": max(scores, default=None), "offset": measure.offset if measure else None, "reason": measure.reason if measure else None,
        "cost_comparable": bool(source.cost and source.cost.comparable), "cost_anchor": state.costs.anchor == spec.id,
        "cost_factor": state.costs.factors.get(spec.id), "cost_unlinked": spec.id in state.costs.unlinked,
        "version": source.version, "known_hole": source.hole.text if source.hole else None,
        "known_holes": [{"version": h.version, "code": h.code, "text": h.text} for h in source.known_holes],
    }


def _shrink(state: State) -> dict[str, Any]:
    q = state.qualities
    pair = q.worst_pair
    wide = q.widest
    return {
        "shrink": {"r": q.variance.r, "within": q.variance.within, "between": q.variance.between, "centre": q.centre,
                   "mean_quality_by_k": {str(k): x for k, x in q.mean_by_k.items()}},
        "worst_pair": pair and {"a": pair.a, "b": pair.b, "shared": pair.shared, "difference": pair.difference},
        "pairs": [{"a": p.a, "b": p.b, "shared": p.shared, "difference": p.difference} for p in q.pairs],
        "widest_band": wide and {"variant": wide, "low": q.variants[wide].low, "high": q.variants[wide].high},
        "price_factor": {"factor": state.costs.factor, "pairs": state.costs.pairs},
    }


def _identity(evidence: Evidence, variant: str) -> dict[str, Any]:
    slug, _, setting = variant.rpartition("@")
    facts = evidence.models[slug]
    return {"id": variant, "model": slug, "name": facts.name, "setting": setting, "developer": ", ".join(facts.developers), "open_weights": facts.open_weights, "context": facts.context,
            "cache_price_missing": slug in evidence.prices and evidence.prices[slug].cache_read is None}


def why_not(state: State, params: ValueParams, variant: str, min_benchmarks: int) -> str | None:
    """Why a variant cannot answer (Q7, D3); None where it may."""
    if state.setting(variant) in params.no_answer:
        return NO_SETTING
    if state.costs.variants[variant].cost is None:
        return NO_COST
    if state.qualities.variants[variant].families < min_benchmarks:
        return FEW_FAMILIES
    return None if variant in competing(state, params, min_benchmarks) else MEASURED_SIBLING


def _variants(state: State, params: ValueParams) -> list[dict[str, Any]]:
    rows = {(r.variant, r.benchmark): r for r in state.evidence.rows}
    may, front = set(eligible(state, params, params.min_benchmarks)), set(answer(state, params, params.min_benchmarks).frontier)
    out = []
    for v, q in state.qualities.variants.items():
        cost, own = state.costs.variants[v], {b: rows[v, b] for b in q.q}
        price = cost.price and {"input": cost.price.input, "cache_read": cost.price.cache_read, "output": cost.price.output, "source": cost.price.source}
        out.append({
            **_identity(state.evidence, v), "raw": {b: r.score for b, r in own.items()}, "q": dict(q.q), "k": q.k, "families": q.families, "mean": q.mean,
            "quality": q.quality, "low": q.low, "high": q.high, "cost": cost.cost, "cost_low": cost.low, "cost_high": cost.high, "cost_kind": cost.kind,
            "raw_costs": dict(cost.raw), "price": price,
            "eligible": v in may, "frontier": v in front, "cannot_answer": why_not(state, params, v, params.min_benchmarks),
            "evidence": {b: r.evidence for b, r in own.items()}, "flags": sorted({flag for r in own.values() for flag in r.flags}),
        })
    return out


def _sure(state: State, params: ValueParams, min_benchmarks: int) -> dict[str, Any]:
    return {name: [{"variant": v, "share": share} for v, share in shares] for name, shares in win_shares(state, params, min_benchmarks).items()}


def page_state(state: State, params: ValueParams, order: Mapping[str, int], told: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """All that the page needs for one set of sources: scores and costs of every variant, who competes, how sure it is."""
    def place(names: Sequence[str]) -> list[int]:
        return [order[v] for v in names]

    def variant(v: str) -> list[Any]:
        """Place, benchmarks, families, quality, its interval, cost, kind of cost, and the range of the cost where it is one."""
        q, c = state.qualities.variants[v], state.costs.variants[v]
        return [order[v], q.k, q.families, q.quality, q.low, q.high, c.cost, c.kind[0], *([] if c.low == c.high else [c.low, c.high])]

    ids = [source.benchmark for source in params.sources]
    return {
        "mask": sum(1 << i for i, b in enumerate(ids) if b in state.in_use), "variants": [variant(v) for v in state.qualities.variants],
        "competing": {str(m): place(competing(state, params, m)) for m in MINIMA}, "nobody": {str(m): why_nobody(state, params, m) for m in MINIMA},
        "sure": {str(m): {name: [[None if v is None else order[v], share] for v, share in shares] for name, shares in win_shares(state, params, m).items()} for m in MINIMA},
        "anchor": state.qualities.anchor, "left_out": {b: m.reason for b, m in state.qualities.measures.items() if m.reason}, "answers": {str(m): told[m] for m in MINIMA}, **_shrink(state),
    }
