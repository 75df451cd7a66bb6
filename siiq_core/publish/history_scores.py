"""history_scores.json: each day's inputs re-scored with the parameters of today (V4), and what caused every step.

A step is the difference between two scores of a model under one ruler (`Ruler`: benchmarks, calibration, constants). It is
split by the product rule with midpoints. With N = Σ w·α·(y − β), D = λ + Σ w·α² and θ₀ = N/D, before and after:

    θ₀′ − θ₀ = Σ_b (ΔN_b − θ̄·ΔD_b)/D̄          θ̄ = (θ₀ + θ₀′)/2,  D̄ = (D + D′)/2

Each result has a part of its own, no order of replacement is chosen, a step backwards has the same parts with the sign
turned, and they add up to the whole. Where a result came or went, those of its family weigh differently although they
stayed (f of S): what that moves belongs to those that came or went, in equal parts.

What a recalibration moves is split off first: the same inputs under the old ruler and the new one. A curve re-scored with
one ruler has no such part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.analysis.ruler import Ruler, ruler_of
from siiq_core.errors import PublicationError
from siiq_core.method.numbers import sig12
from siiq_core.method.scoring import Score, Term, raw_ability
from siiq_core.params.method import MethodParams
from siiq_core.publish.index import shown

RECALIBRATION = "recalibration"  # the cause that is no change of a result
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """What one change did to a score."""

    benchmark: str  # "" for a recalibration
    points: float  # SI-IQ points


def explain(before: Mapping[str, float], after: Mapping[str, float], new: Ruler, old: Ruler | None = None) -> tuple[Part, ...]:
    """The step from `before` (scored by `old`) to `after` (scored by `new`), split; the parts add up to it.

    Parameters
    ----------
    before, after : benchmark → score (fraction); each has a result on the index set
    new, old : `old` None means that the ruler stayed

    Returns
    -------
    parts : the recalibration first, where there was one; then every result that came, went or changed, by benchmark
    """
    start, end = (old or new).score(before), new.score(after)
    middle = new.score(before) if old else start
    if start is None or middle is None or end is None:
        raise ValueError("a step needs a score before and after it")
    parts = [Part("", sig12(middle.overall.siiq - start.overall.siiq))] if old else []
    unit = new.params.sd / new.calibration.scale
    changed = {b for b in {*before, *after} if b in new.benchmarks and before.get(b) != after.get(b)}
    own = _shares(middle.terms, end.terms, changed, new.params.lam)
    return (*parts, *_exact([Part(b, sig12(unit * x)) for b, x in sorted(own.items())], end.overall.siiq - middle.overall.siiq))


def _shares(before: Sequence[Term], after: Sequence[Term], changed: set[str], lam: float) -> dict[str, float]:
    """Benchmark that changed → what it did to θ₀."""
    (theta_a, d_a, _), (theta_b, d_b, _) = raw_ability(before, lam), raw_ability(after, lam)
    theta, d = (theta_a + theta_b) / 2, (d_a + d_b) / 2
    was, now = {t.benchmark: t for t in before}, {t.benchmark: t for t in after}

    def pull_and_weight(term: Term | None) -> tuple[float, float]:
        return (term.pull, term.information) if term else (0.0, 0.0)

    parts = {}
    for b in sorted({*was, *now}):
        (pull_a, weight_a), (pull_b, weight_b) = pull_and_weight(was.get(b)), pull_and_weight(now.get(b))
        parts[b] = ((pull_b - pull_a) - theta * (weight_b - weight_a)) / d
    own = {b: parts[b] for b in sorted(changed)}
    moved = [b for b in own if (b in was) != (b in now)]
    for b in sorted(set(parts) - changed):
        cause = [x for x in moved if (was.get(x) or now[x]).family == now[b].family]
        for x in cause:
            own[x] += parts[b] / len(cause)
    return own


def _exact(parts: list[Part], whole: float) -> list[Part]:
    """The parts with the rest that rounding to 12 digits leaves (under 1e-8 points) put on the largest."""
    if not parts:
        return parts
    rest = math.fsum([whole, *(-p.points for p in parts)])
    if abs(rest) > 10 * _SAME:
        raise ValueError(f"the parts of a step miss it by {rest!r}")
    k = max(range(len(parts)), key=lambda i: (abs(parts[i].points), parts[i].benchmark))
    return [Part(p.benchmark, sig12(p.points + rest)) if i == k else p for i, p in enumerate(parts)]


# --- the file --------------------------------------------------------------------------------------------------------


def history_scores(index: Mapping[str, Any], history: Mapping[str, Any]) -> dict[str, Any]:
    """history_scores.json as a plain value: per model, the days on which its inputs changed.

    Each day has the score at its end with its interval (None where no result was left), the number of results, whether
    they were broad enough for a rank (`enough`: K1 without I5), `change` against the day before (None where a score began or
    ended) and its `parts`: benchmark, cause (one of CAUSES of history.py), the rule of a result left out, the score before
    and after, the id of the evidence, and the points it moved (None where there is no change to split).

    Raises
    ------
    PublicationError
        The scores of the last day are not those of `index`.
    """
    ruler = ruler_of(index)
    models: dict[str, list[dict[str, Any]]] = {m["slug"]: [] for m in index["models"]}
    standing: dict[str, dict[str, float]] = {slug: {} for slug in models}
    for entry in history["days"]:
        changes: dict[str, list[Mapping[str, Any]]] = {}
        for change in entry["changes"]:
            slug, b = change["model"], change["benchmark"]
            if slug in models and b in ruler.benchmarks and standing[slug].get(b) != change["score"]:
                changes.setdefault(slug, []).append(change)
        for slug, own in sorted(changes.items()):
            before = standing[slug]
            after = {b: s for b, s in {**before, **{c["benchmark"]: c["score"] for c in own}}.items() if s is not None}
            standing[slug] = after
            models[slug].append({"day": entry["day"], **_day(before, after, own, ruler)})
    _meets(index, models)
    return {"method_version": index["method_version"], "as_of": index["as_of"], "calibration": index["calibration"]["id"],
            "models": [{"slug": slug, "days": models[slug]} for slug in sorted(models)]}


def _day(before: Mapping[str, float], after: Mapping[str, float], changes: Sequence[Mapping[str, Any]], ruler: Ruler) -> dict[str, Any]:
    was, now = ruler.score(before), ruler.score(after)
    whole = was is not None and now is not None
    points = {p.benchmark: p.points for p in explain(before, after, ruler)} if whole else {}
    parts = [{"benchmark": c["benchmark"], "cause": c["cause"], **({"rule": c["rule"]} if "rule" in c else {}), "before": before.get(c["benchmark"]),
              "score": c["score"], "evidence": c["evidence"], "points": points[c["benchmark"]] if whole else None}
             for c in sorted(changes, key=lambda c: c["benchmark"])]
    return {**_scale(now), "results": len(now.terms) if now else 0, "enough": _enough(now, ruler.params),
            "change": sig12(now.overall.siiq - was.overall.siiq) if whole else None, "parts": parts}


def _scale(found: Score | None) -> dict[str, Any]:
    if found is None:
        return {"siiq": None, "low": None, "high": None, "shown": None}
    numbers = {name: getattr(found.overall, name) for name in ("siiq", "low", "high")}
    return {**numbers, "shown": {name: shown(value) for name, value in numbers.items()}}


def _enough(found: Score | None, params: MethodParams) -> bool:
    """K1: results of enough question sets, areas and evaluators."""
    if found is None:
        return False
    have = [len({getattr(t, name) for t in found.terms}) for name in ("family", "area", "evaluator")]
    need = [params.min_families_ranked, params.min_areas_ranked, params.min_evaluators_ranked]
    return all(a >= b for a, b in zip(have, need, strict=True))


def _meets(index: Mapping[str, Any], models: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    for model in index["models"]:
        days = models[model["slug"]]
        last = days[-1]["siiq"] if days else None
        if last is None or not abs(last - model["siiq"]) <= _SAME:
            raise PublicationError("history ends at another score than the index", file="history.json", column=model["slug"], value=(last, model["siiq"]),
                                   remedy="run siiq fetch again, then calibrate and score; if it stays, this is a defect")
