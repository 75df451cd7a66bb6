"""One benchmark seen from the whole index: its curve, how far each model lies from it, what it weighs, how it was covered.

The curve is what α·θ₀ + β expects of a model at a score: on the scale of SI-IQ points from left to right, on the
benchmark's own scale upwards, between its chance level and its ceiling. Nothing here is fitted; all follows from the index.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.publish.holding import predict

FAR = 2.0  # standard deviations √(σ² + v) from the curve, beyond which a model is named; one in twenty of a normal distribution

Index = Mapping[str, Any]
Bench = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """One model on a benchmark of the index set."""

    model: Mapping[str, Any]
    result: Mapping[str, Any]
    expected: float  # what the curve gives at the model's ability, a fraction
    deviations: float  # y minus α·θ₀ + β, in standard deviations √(σ² + v)

    @property
    def far(self) -> bool:
        """Named as lying far from the curve."""
        return abs(self.deviations) > FAR


@dataclass(frozen=True, slots=True)
class Halfway:
    """Where the curve is half-way from chance level to ceiling, and how steep it is there."""

    siiq: float  # SI-IQ points
    slope: float  # of the score, as a fraction per standard deviation of the reference group


@dataclass(frozen=True, slots=True)
class Weighing:
    """Share of the information of a score that is due to this benchmark, over the ranked models that have a result on it."""

    models: int
    median: float
    least: float
    most: float


def results_on(index: Index, bench: Bench) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Every model with a result on the benchmark, and that result, the highest score on the index first."""
    found = [(m, r) for m in index["models"] for r in m["results"] if r["benchmark"] == bench["id"]]
    return sorted(found, key=lambda x: (-x[0]["siiq"], x[0]["slug"]))


def spots(index: Index, bench: Bench) -> tuple[Spot, ...]:
    """The models on the curve of a benchmark of the index set."""
    out = []
    for model, result in results_on(index, bench):
        found = predict(model, result, bench)
        out.append(Spot(model, result, found.score, found.deviations))
    return tuple(out)


def curve(index: Index, bench: Bench, low: float, high: float, steps: int = 120) -> list[tuple[float, float]]:
    """(SI-IQ points, expected score) from `low` to `high`."""
    at, constants = index["calibration"], index["constants"]
    out = []
    for k in range(steps + 1):
        siiq = low + (high - low) * k / steps
        theta0 = at["shift"] + at["scale"] * (siiq - constants["mean"]) / constants["sd"]
        p_star = 1 / (1 + math.exp(-(bench["alpha"] * theta0 + bench["beta"])))
        p = min(1.0, max(0.0, (p_star * (bench["n"] + 1) - 0.5) / bench["n"]))
        out.append((siiq, bench["g"] + (bench["c"] - bench["g"]) * p))
    return out


def halfway(index: Index, bench: Bench) -> Halfway:
    """The benchmark's difficulty on the scale of the index (θ₀ = −β/α), and the slope there (the logistic curve's, α/4)."""
    at, constants = index["calibration"], index["constants"]
    siiq = constants["mean"] + constants["sd"] * (-bench["beta"] / bench["alpha"] - at["shift"]) / at["scale"]
    return Halfway(siiq, (bench["c"] - bench["g"]) * bench["alpha"] * at["scale"] / 4)


def weighing(index: Index, bench: Bench) -> Weighing | None:
    """How much of a score the benchmark decides (wα² of S over the model's sum); None where no ranked model has it."""
    alpha = {b["id"]: b["alpha"] for b in index["benchmarks"] if b["in_index"]}
    shares = []
    for model in index["models"]:
        own = {r["benchmark"]: r["w"] * alpha[r["benchmark"]] ** 2 for r in model["results"] if r["benchmark"] in alpha}
        if model["ranked"] and bench["id"] in own:
            shares.append(own[bench["id"]] / math.fsum(own.values()))
    return Weighing(len(shares), statistics.median(shares), min(shares), max(shares)) if shares else None


def overlap(index: Index, bench: Bench) -> tuple[int, int]:
    """E3: models of the calibration with a result on the benchmark, and how many of them are reference models."""
    fitted, reference = set(index["calibration"]["models_in_fit"]), set(index["reference_group"]["members"])
    own = {m["slug"] for m, _ in results_on(index, bench)} & fitted
    return len(own), len(own & reference)


def coverage(history: Mapping[str, Any], bench: Bench) -> list[tuple[str, int]]:
    """(day, models with an accepted result at its end), from the first day with one on."""
    standing: set[str] = set()
    out: list[tuple[str, int]] = []
    for entry in history["days"]:
        for change in entry["changes"]:
            if change["benchmark"] == bench["id"]:
                (standing.discard if change["score"] is None else standing.add)(change["model"])
        if out or standing:
            out.append((entry["day"], len(standing)))
    return out


def left_out(facts: Mapping[str, Any], bench: Bench) -> list[tuple[str, int]]:
    """Rows of the newest snapshot that give no result, by the rule that keeps them out, most first."""
    count = Counter(x["rule"] for x in facts["left_out"] if x["benchmark"] == bench["id"])
    return sorted(count.items(), key=lambda x: (-x[1], x[0]))
