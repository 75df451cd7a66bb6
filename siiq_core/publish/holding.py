"""What holds a score up: the score as a weighted mean, and every result against what the score predicts for it (S).

With D and the weights of S, and t_b = (y − β)/α, the ability that a result gives alone:

    θ₀ = Σ_b (w·α²/D)·t_b + (λ/D)·0

So a score is the mean of what each result gives alone, by its share w·α²/D of the weight; λ has the rest and gives the
middle of the unmapped scale. On the published scale, with T = mean + sd·(t − shift)/scale, which is linear and so keeps
a weighted mean:

    SI-IQ = Σ share·T                exactly; each term is what a result carries
    0     = Σ share·(T − SI-IQ)      each term is a pull: up where the result alone would give more, and they cancel
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.method.transform import untransform
from siiq_core.publish.worked import Line, Worked

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Support:
    """One result, or the start value, in the weighted mean. All but `share` in SI-IQ points."""

    line: Line | None  # None: the start value λ
    share: float  # of the whole weight D; all of a model's add up to 1
    alone: float  # the score it would give by itself
    carried: float  # share · alone; all of a model's add up to its score
    pull: float  # share · (alone − score); all of a model's add up to 0


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model's ability predicts for one of its results (the result itself took part in the ability)."""

    score: float  # fraction, between chance and ceiling
    points: float  # score got minus predicted, as a fraction (0.01 is a percentage point)
    deviations: float  # y minus α·θ₀ + β, in standard deviations √(σ² + v)


def supports(index: Mapping[str, Any], found: Worked) -> tuple[Support, ...]:
    """The results as `found` has them, the heaviest first, and the start value last.

    Raises
    ------
    PublicationError
        What is carried does not add up to the published score.
    """
    model, at, constants = found.model, index["calibration"], index["constants"]

    def on_scale(ability: float) -> float:
        return constants["mean"] + constants["sd"] * (ability - at["shift"]) / at["scale"]

    def support(line: Line | None, weight: float, ability: float) -> Support:
        share, alone = weight / (constants["lam"] + found.information), on_scale(ability)
        return Support(line, share, alone, share * alone, share * (alone - model["siiq"]))

    out = [support(x, x.information, (x.result["y"] - x.bench["beta"]) / x.bench["alpha"]) for x in found.lines]
    out.append(support(None, constants["lam"], 0.0))
    for name, whole, terms in (("shares", 1.0, [x.share for x in out]), ("siiq", model["siiq"], [x.carried for x in out]), ("pulls", 0.0, [x.pull for x in out])):
        if not abs(math.fsum(terms) - whole) <= _TOLERANCE * max(1.0, abs(whole)):
            raise PublicationError("the parts of a score do not add up to it", file="index.json", column=f'{model["slug"]}: {name}', value=(math.fsum(terms), whole))
    return tuple(out)


def predict(model: Mapping[str, Any], result: Mapping[str, Any], bench: Mapping[str, Any]) -> Prediction:
    """The score that belongs to α·θ₀ + β: the transform (T) backwards, kept between chance and ceiling as there."""
    expected = bench["alpha"] * model["theta0"] + bench["beta"]
    score, _ = untransform(expected, bench["g"], bench["c"], bench["n"])
    return Prediction(score, result["score"] - score, (result["y"] - expected) / math.sqrt(bench["sigma2"] + result["v"]))
