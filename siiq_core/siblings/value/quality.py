"""Scores of benchmarks in use → quality of every variant, with an interval (Q2–Q6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from siiq_core.evidence.numbers import significant
from siiq_core.params.value import ValueParams
from siiq_core.siblings.value.levels import Levels, Pair, levels
from siiq_core.siblings.value.records import Row

ONE_VARIANT, NO_SPREAD, NOT_LINKED, NO_ROWS = "one_variant", "no_spread", "not_linked", "no_rows"  # why a benchmark is left out


def points(value: float) -> float:
    """Points at 12 significant digits, and no further than the tenth decimal: what cancels out is 0 on every machine."""
    return significant(round(value, 10)) + 0.0


@dataclass(frozen=True, slots=True)
class Measure:
    """One benchmark in use."""

    benchmark: str
    variants: int
    low: float | None  # least and greatest score, fractions; None without a row
    high: float | None
    offset: float | None  # d, points; None where it is left out
    reason: str | None  # why it is left out


@dataclass(frozen=True, slots=True)
class Variance:
    """One-way random effects by moments, points squared (Q5); None where nothing can be estimated."""

    within: float | None
    between: float | None
    r: float | None


@dataclass(frozen=True, slots=True)
class Quality:
    """One variant."""

    q: Mapping[str, float]  # benchmark → levelled points
    k: int  # benchmarks
    families: int
    mean: float
    quality: float
    low: float | None  # 90 % interval; None where a benchmark has no error and the within variance is not known
    high: float | None


@dataclass(frozen=True, slots=True)
class Qualities:
    """All variants, and what they rest on."""

    measures: Mapping[str, Measure]  # by benchmark, those in use
    anchor: str | None
    pairs: tuple[Pair, ...]
    variance: Variance
    centre: float | None
    variants: Mapping[str, Quality]  # by id, sorted

    @property
    def worst_pair(self) -> Pair | None:
        """The pair whose mean difference is largest after levelling."""
        return max(self.pairs, key=lambda p: (abs(p.difference), -p.shared, p.a, p.b), default=None)

    @property
    def widest(self) -> str | None:
        """The variant with the widest interval."""
        known = [(v.high - v.low, name) for name, v in self.variants.items() if v.low is not None and v.high is not None]
        return max(known, key=lambda x: (points(x[0]), x[1]))[1] if known else None

    @property
    def mean_by_k(self) -> dict[int, float]:
        """Number of benchmarks → mean quality of the variants with so many."""
        groups: dict[int, list[float]] = {}
        for v in self.variants.values():
            groups.setdefault(v.k, []).append(v.quality)
        return {k: points(sum(groups[k]) / len(groups[k])) for k in sorted(groups)}


def qualities(rows: Sequence[Row], in_use: Sequence[str], params: ValueParams) -> Qualities:
    """Q2–Q6 over all rows of the benchmarks in use. No filter of a reader's is known here (R7)."""
    own = {b: sorted((r for r in rows if r.benchmark == b), key=lambda r: r.variant) for b in in_use}
    families = {r.benchmark: r.family for r in rows}
    ends = {b: (min(r.score for r in own[b]), max(r.score for r in own[b])) for b in own if own[b]}
    reasons = {b: reason for b in own if (reason := _unusable(own[b], ends.get(b)))}
    scaled = {b: {r.variant: 100 * (r.score - ends[b][0]) / (ends[b][1] - ends[b][0]) for r in own[b]} for b in own if b not in reasons}  # Q2
    found = levels(scaled, params.level)  # Q3
    reasons |= dict.fromkeys(found.unlinked, NOT_LINKED)
    errors = {(r.variant, b): 100 * r.error / (ends[b][1] - ends[b][0]) for b in found.offsets for r in own[b] if r.error is not None}
    levelled: dict[str, dict[str, float]] = {}
    for b in sorted(found.offsets):
        for variant, x in scaled[b].items():
            levelled.setdefault(variant, {})[b] = x - found.offsets[b]
    levelled = {variant: levelled[variant] for variant in sorted(levelled)}
    means = {variant: sum(q.values()) / len(q) for variant, q in levelled.items()}  # Q4
    variance = one_way([list(q.values()) for q in levelled.values()], params.least_between)
    centre = sum(means.values()) / len(means) if means else None
    return Qualities(
        measures={b: _measure(b, len(own[b]), ends.get(b), found, reasons.get(b)) for b in in_use}, anchor=found.anchor,
        pairs=tuple(Pair(p.a, p.b, p.shared, points(p.difference)) for p in found.pairs),
        variance=Variance(*(None if x is None else significant(x) for x in (variance.within, variance.between, variance.r))),
        centre=None if centre is None else points(centre),
        variants={v: _quality(q, means[v], centre, variance, {b: errors.get((v, b)) for b in q}, families, params) for v, q in levelled.items()},
    )


def _unusable(rows: Sequence[Row], ends: tuple[float, float] | None) -> str | None:
    if ends is None:
        return NO_ROWS
    return ONE_VARIANT if len(rows) == 1 else NO_SPREAD if ends[0] == ends[1] else None


def _measure(benchmark: str, variants: int, ends: tuple[float, float] | None, found: Levels, reason: str | None) -> Measure:
    low, high = ends or (None, None)
    offset = None if reason else points(found.offsets[benchmark])
    return Measure(benchmark, variants, low, high, offset, reason)


def one_way(groups: Sequence[Sequence[float]], least_between: float) -> Variance:
    """Q5: pooled within-group variance, between-group variance and their ratio, over groups of two or more values."""
    groups = [g for g in groups if len(g) >= 2]
    number, total = len(groups), sum(map(len, groups))
    if not groups:
        return Variance(None, None, None)
    means = [sum(g) / len(g) for g in groups]
    within = sum((x - m) ** 2 for g, m in zip(groups, means, strict=True) for x in g) / (total - number)
    if number < 2:
        return Variance(within, None, None)
    grand = sum(map(sum, groups)) / total
    msb = sum(len(g) * (m - grand) ** 2 for g, m in zip(groups, means, strict=True)) / (number - 1)
    n0 = (total - sum(len(g) ** 2 for g in groups) / total) / (number - 1)
    between = max((msb - within) / n0, least_between * within)
    return Variance(within, between, within / between if within else 0.0)


def _quality(q: Mapping[str, float], mean: float, centre: float, variance: Variance, errors: Mapping[str, float | None],
             families: Mapping[str, str], params: ValueParams) -> Quality:
    k = len(q)
    weight = 1.0 if variance.r is None else k / (k + variance.r)  # Q5; without an r nothing is drawn in
    quality = centre + (mean - centre) * weight
    spread = None if variance.within is None else math.sqrt(variance.within)
    parts = [spread if e is None else e for e in errors.values()]  # Q6
    half = None if any(p is None for p in parts) else params.z90 * weight * math.sqrt(sum(p * p for p in parts)) / k
    low, high = (None, None) if half is None else (points(quality - half), points(quality + half))
    return Quality({b: points(x) for b, x in q.items()}, k, len({families[b] for b in q}), points(mean), points(quality), low, high)
