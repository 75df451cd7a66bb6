"""How well a method found the truth again: the order, the spacing, and how many models it placed; over worlds with its error."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.analysis.correlation import spearman
from siiq_core.analysis.simulation.methods import Placed
from siiq_core.method.numbers import mean, population_sd

LEAST = 3  # models without which neither order nor spacing means anything
MEASURES = ("order", "spacing")
YARDSTICK = "siiq"  # which the others are compared with
BETTER, WORSE, SAME = "better", "worse", "same"
_Z = 1.0  # of an interval that nobody asks for here


@dataclass(frozen=True, slots=True)
class Recovery:
    """One method in one world; None where it places too few models, or all alike."""

    order: float | None  # 1 − Spearman's ρ with the truth, 0 (the same order) to 2 (turned round)
    spacing: float | None  # root mean square error after the best linear map, in units of ability


@dataclass(frozen=True, slots=True)
class Trial:
    """One method in one world, and beside the yardstick on the models that both place."""

    placed: int
    own: Recovery
    shared: int
    here: Recovery  # of the method on the shared models
    there: Recovery  # of the yardstick on them


def recovery(truth: Mapping[str, float], placed: Placed, models: Collection[str]) -> Recovery:
    """Over `models`, which the method must have placed."""
    slugs = sorted(models)
    x, y = [placed[s] for s in slugs], [truth[s] for s in slugs]
    if len(slugs) < LEAST or len(set(x)) == 1:
        return Recovery(None, None)
    return Recovery(1 - spearman(x, y, _Z).value, _left(x, y))


def _left(x: Sequence[float], y: Sequence[float]) -> float:
    """Root mean square of y − (a + b·x), with the a and b that make it least."""
    mx, my = mean(x), mean(y)
    slope = math.fsum((p - mx) * (q - my) for p, q in zip(x, y, strict=True)) / (len(x) * population_sd(x) ** 2)
    return math.sqrt(math.fsum((q - my - slope * (p - mx)) ** 2 for p, q in zip(x, y, strict=True)) / len(x))


def trials(truth: Mapping[str, float], found: Mapping[str, Placed]) -> dict[str, Trial]:
    """Method → how it did in this world; `found` holds the yardstick too."""
    stick = found[YARDSTICK]
    out = {}
    for name, placed in found.items():
        shared = placed.keys() & stick.keys()
        out[name] = Trial(len(placed), recovery(truth, placed, placed), len(shared), recovery(truth, placed, shared), recovery(truth, stick, shared))
    return out


def summary(worlds: Sequence[Mapping[str, Trial]], separation: float) -> dict[str, Any]:
    """Method → means over worlds, each with its Monte Carlo standard error, and how it compares with the yardstick.

    Parameters
    ----------
    separation : standard errors of the mean paired difference from which on two methods are told apart
    """
    return {name: _summary([w[name] for w in worlds], separation, name != YARDSTICK) for name in worlds[0]}


def _summary(own: Sequence[Trial], separation: float, compared: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"worlds": sum(t.own.order is not None for t in own), "placed": averaged([float(t.placed) for t in own]),
                           **{m: averaged([getattr(t.own, m) for t in own]) for m in MEASURES}, "against": None}
    if compared:  # world by world, so that what is hard about a world is hard for both
        gaps = {m: averaged([_gap(getattr(t.here, m), getattr(t.there, m)) for t in own]) for m in MEASURES}
        out["against"] = {"shared": averaged([float(t.shared) for t in own]), **gaps, "verdict": {m: verdict(gap, separation) for m, gap in gaps.items()}}
    return out


def _gap(here: float | None, there: float | None) -> float | None:
    return None if here is None or there is None else here - there


def verdict(gap: Mapping[str, float | None], separation: float) -> str:
    """Is an error that differs from the yardstick's by `gap` on average better, worse, or not told apart?"""
    size, error = gap["mean"], gap["error"]
    if size is None or error is None or abs(size) <= separation * error:
        return SAME
    return WORSE if size > 0 else BETTER


def averaged(values: Sequence[float | None]) -> dict[str, float | None]:
    """Mean and its standard error over the worlds that have a value; six decimals, which no machine's last digits reach."""
    known = [x for x in values if x is not None]
    middle = statistics.fmean(known) if known else None
    error = statistics.stdev(known) / math.sqrt(len(known)) if len(known) > 1 else None
    return {"mean": _r6(middle), "error": _r6(error)}


def _r6(x: float | None) -> float | None:
    return None if x is None else round(x, 6) + 0.0
