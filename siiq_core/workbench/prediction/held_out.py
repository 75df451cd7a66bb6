"""Every method asked for every hidden result, and how far off it was. All methods are judged by the same results.

Errors are of scores as fractions: 0.01 is one percentage point. Numbers are rounded to what every machine agrees on.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from siiq_core.method.numbers import sig12
from siiq_core.method.transform import transform_one
from siiq_core.workbench.prediction.baselines import benchmark_mean, factor_model, neighbours
from siiq_core.workbench.prediction.own import siiq
from siiq_core.workbench.prediction.predictor import Guess, Method, Setting
from siiq_core.workbench.prediction.sigmoid import sigmoid
from siiq_core.workbench.prediction.splits import Design

OWN = "siiq"  # the one that says how sure it is
METHODS: Mapping[str, Callable[[Setting], Method]] = {
    OWN: siiq,
    "sigmoid": sigmoid,
    "rank1": lambda at: factor_model(at, 1, at.params.rank1_ridge),
    "rank2": lambda at: factor_model(at, 2, at.params.rank2_ridge),
    "neighbours": neighbours,
    "mean": benchmark_mean,
}


@dataclass(frozen=True)
class Answered:
    """One hidden result, and what each method said before it was shown."""

    round: str
    model: str
    benchmark: str
    score: float  # what was hidden
    known: int  # results of the model that were not hidden
    guesses: Mapping[str, Guess | None]

    @property
    def compared(self) -> bool:
        """Whether every method predicted it."""
        return all(guess is not None for guess in self.guesses.values())

    def off(self, method: str) -> float:
        """Score minus predicted: above 0 where the model did better than predicted."""
        guess = self.guesses[method]
        assert guess is not None
        return self.score - guess.score


def ask(design: Design, methods: Mapping[str, Method], progress: Callable[[str], None] = lambda text: None) -> tuple[Answered, ...]:
    """Every question of a design to every method. The answers are looked up when all have spoken."""
    said: dict[tuple[str, str], dict[str, Guess | None]] = {}
    for round_ in design.rounds:
        progress(f"{design.id}: {round_.label}")
        for name, fit in methods.items():
            predict = fit(round_)
            for question in round_.questions:
                said.setdefault((question.model, question.benchmark), {})[name] = predict(question)
    asked = [(round_.label, q) for round_ in design.rounds for q in round_.questions]
    return tuple(Answered(label, q.model, q.benchmark, design.answers[q.model, q.benchmark], len(q.known), said[q.model, q.benchmark])
                 for label, q in sorted(asked, key=lambda x: (x[1].model, x[1].benchmark)))


def deviations(answered: Answered, at: Setting) -> float:
    """y of what was hidden minus the predicted one, in predictive standard deviations (own.py)."""
    guess, bench = answered.guesses[OWN], at.benchmarks[answered.benchmark]
    assert guess is not None and guess.logit is not None and guess.sd is not None
    return (transform_one(sig12(answered.score), bench.g, bench.c, bench.n)[0] - guess.logit) / guess.sd


def coverage(answered: Iterable[Answered], at: Setting, z: float) -> float | None:
    """Share of hidden results inside the interval of ±z predictive standard deviations; None of nothing."""
    inside = [abs(deviations(x, at)) <= z for x in answered]
    return sum(inside) / len(inside) if inside else None


def mean_error(offs: Iterable[float]) -> float | None:
    """Mean absolute error."""
    sizes = [abs(x) for x in offs]
    return statistics.fmean(sizes) if sizes else None


def median_error(offs: Iterable[float]) -> float | None:
    """Median absolute error."""
    sizes = [abs(x) for x in offs]
    return statistics.median(sizes) if sizes else None


# --- as prediction.json has it ---------------------------------------------------------------------------------------


def summary(design: Design, answered: Sequence[Answered], at: Setting) -> dict[str, Any]:
    """A design in numbers: how much was hidden, compared and left out, and each method's errors."""
    compared = [x for x in answered if x.compared]
    areas = sorted({at.benchmarks[x.benchmark].area for x in compared})
    return {
        "id": design.id, "rounds": len(design.rounds), "hidden": len(answered), "compared": len(compared), "nothing_known": sum(not x.known for x in answered),
        "methods": [_method(name, answered, compared, at) for name in METHODS],
        "calibration": [{"level": level, "covered": _rounded(coverage(compared, at, NormalDist().inv_cdf((1 + level) / 2)))} for level in at.params.levels],
        "benchmarks": [{"id": b, "area": at.benchmarks[b].area, **_part([x for x in compared if x.benchmark == b], at)} for b in sorted({x.benchmark for x in compared})],
        "areas": [{"id": area, **_part([x for x in compared if at.benchmarks[x.benchmark].area == area], at)} for area in areas],
    }


def paired(compared: Sequence[Answered], method: str) -> tuple[float, float] | None:
    """Mean of a method's absolute error minus SI-IQ's, and its standard error with the results of a model taken as one draw.

    With d the differences, N of them, and G the models: √(Σ_G (Σ_{d in G} (d − mean))²)/N. None of fewer than two models.
    """
    differences: dict[str, list[float]] = {}
    for x in compared:
        differences.setdefault(x.model, []).append(abs(x.off(method)) - abs(x.off(OWN)))
    if len(differences) < 2:
        return None
    centre = statistics.fmean(d for own in differences.values() for d in own)
    return centre, math.sqrt(math.fsum(math.fsum(d - centre for d in own) ** 2 for own in differences.values())) / len(compared)


def _against(compared: Sequence[Answered], method: str, at: Setting) -> dict[str, Any] | None:
    found = None if method == OWN else paired(compared, method)
    if found is None:
        return None
    difference, error = found
    apart = abs(difference) > at.params.separation * error
    return {"difference": _rounded(difference), "error": _rounded(error), "verdict": ("worse" if difference > 0 else "better") if apart else "same"}


def _method(name: str, answered: Sequence[Answered], compared: Sequence[Answered], at: Setting) -> dict[str, Any]:
    able = [x for x in answered if x.guesses[name] is not None]
    alone = {"cells": len(able), "mean": _rounded(mean_error(x.off(name) for x in able)), "median": _rounded(median_error(x.off(name) for x in able))}
    covered, width = None, None
    if name == OWN and compared:
        covered = coverage(compared, at, at.method.z90)
        width = statistics.fmean(high - low for low, high in (_interval(x, at) for x in compared))
    return {"id": name, "mean": _rounded(mean_error(x.off(name) for x in compared)), "median": _rounded(median_error(x.off(name) for x in compared)),
            "coverage": _rounded(covered), "width": _rounded(width), "cannot": len(answered) - len(able), "alone": alone,
            "against": _against(compared, name, at)}


def _part(own: Sequence[Answered], at: Setting) -> dict[str, Any]:
    """SI-IQ's errors on some of the results, and the other methods' mean ones."""
    return {"cells": len(own), "median": _rounded(median_error(x.off(OWN) for x in own)), "bias": _rounded(statistics.fmean(x.off(OWN) for x in own)),
            "coverage": _rounded(coverage(own, at, at.method.z90)), "mean": {name: _rounded(mean_error(x.off(name) for x in own)) for name in METHODS}}


def _interval(answered: Answered, at: Setting) -> tuple[float, float]:
    guess, bench = answered.guesses[OWN], at.benchmarks[answered.benchmark]
    found = guess.interval(bench, at.method.z90) if guess else None
    assert found is not None
    return found


def rows(answered: Sequence[Answered], at: Setting, evidence: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Every hidden result with all predictions and SI-IQ's 90 % interval, by model and benchmark."""
    out = []
    for x in answered:
        low, high = (_rounded(end) for end in _interval(x, at)) if x.guesses[OWN] else (None, None)
        out.append({"model": x.model, "benchmark": x.benchmark, "round": x.round, "known": x.known, "score": sig12(x.score), "evidence": evidence[x.model, x.benchmark],
                    "predicted": {name: _rounded(guess.score) if guess else None for name, guess in x.guesses.items()}, "low": low, "high": high})
    return out


def worst(answered: Sequence[Answered], at: Setting, evidence: Mapping[tuple[str, str], str]) -> list[dict[str, Any]]:
    """The compared results that SI-IQ missed by most, the farthest first; ties by model and benchmark."""
    far = sorted((x for x in answered if x.compared), key=lambda x: (-abs(_rounded(x.off(OWN)) or 0.0), x.model, x.benchmark))[: at.params.worst]
    return [{**row, "deviations": round(deviations(x, at), 2)} for x, row in zip(far, rows(far, at, evidence), strict=True)]


def _rounded(x: float | None) -> float | None:
    return None if x is None else round(x, 4)
