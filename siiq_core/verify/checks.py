"""One generator a rule: every published value beside what it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from siiq_core.records import Benchmark as Definition

from .compare import Pair, mismatch
from .formulas import transform, twelve
from .recalibrate import calibrate
from .reading import Inputs
from .rescore import Interval, Parameters, Score, ranks, rescore, shortfalls
from .shape import Index, Model, path_of

NUMBERS = ("theta", "se", "siiq", "low", "high")
Scores = Mapping[str, Score | None]


def rescored(index: Index) -> Scores:
    """S and A of every listed model, from published parameters and scores alone."""
    cal, constants = index.calibration, index.constants.model_dump()
    parameters = {
        b.id: Parameters(b.area, b.family, b.evaluator, b.g, b.c, b.n, b.alpha, b.beta, b.sigma2, b.omega)
        for b in index.benchmarks if b.in_index
    }
    return {
        m.slug: rescore([(r.benchmark, r.score) for r in m.results], parameters, cal.shift, cal.scale, cal.kappa, constants)
        for m in index.models
    }


def digits(value: Any, at: tuple[int | str, ...] = (), root: Any = None) -> Iterator[Pair]:
    """C11: no float carries more than 12 significant digits."""
    root = value if root is None else root
    if isinstance(value, float):
        right = twelve(value)  # spelt out, so that the tolerance does not hide a 13th digit
        yield (path_of(root, at) if value != right else ""), repr(value), repr(right)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from digits(item, (*at, key), root)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from digits(item, (*at, place), root)


def transforms(index: Index) -> Iterator[Pair]:
    """T: y and v of every result, also of benchmarks that are out; whose result it is (K1 counts evaluators)."""
    benchmarks = {b.id: b for b in index.benchmarks}
    for model in index.models:
        for result in model.results:
            b, path = benchmarks[result.benchmark], f"models[{model.slug}].results[{result.benchmark}]"
            y, v = transform(result.score, b.g, b.c, b.n)
            yield f"{path}.y", result.y, y
            yield f"{path}.v", result.v, v
            yield f"{path}.evaluator", result.evaluator, b.evaluator


def area_weights(index: Index) -> Iterator[Pair]:
    """S: ω = 1/√K of every index-set benchmark."""
    k = Counter(b.area for b in index.benchmarks if b.in_index)
    for b in index.benchmarks:
        if b.in_index:
            yield f"benchmarks[{b.id}].omega", b.omega, k[b.area] ** -0.5 if index.constants.omega else 1.0


def scores(index: Index, found: Scores) -> Iterator[Pair]:
    """S: w, D, θ₀, θ, SE, SI-IQ, low and high of every model; null weights where a benchmark is out."""
    for model in index.models:
        path, score = f"models[{model.slug}]", found[model.slug]
        if score is None:
            yield path, "listed", "no result on the index set"
            continue
        yield f"{path}.theta0", model.theta0, score.theta0
        yield f"{path}.d", model.d, score.d
        for name in NUMBERS:
            yield f"{path}.{name}", getattr(model, name), getattr(score.overall, name)
        for result in model.results:
            yield f"{path}.results[{result.benchmark}].w", result.w, score.weights.get(result.benchmark)


def areas(index: Index, found: Scores) -> Iterator[Pair]:
    """A: the same of every area score. A1: which areas are shown."""
    for model in index.models:
        expected = found[model.slug].areas if found[model.slug] else {}
        for area in sorted(expected.keys() | model.areas.keys()):
            path = f"models[{model.slug}].areas.{area}"
            if area not in expected or area not in model.areas:
                yield path, "shown" if area in model.areas else "not shown", "shown" if area in expected else "not shown"
                continue
            for name in NUMBERS:
                yield f"{path}.{name}", getattr(model.areas[area], name), getattr(expected[area], name)


def shown(index: Index, found: Scores, tolerance: float) -> Iterator[Pair]:
    """S2: shown numbers are Python's round() of the published ones, halves to even, each by itself."""
    for model in index.models:
        score = found[model.slug]
        parts = [("", model, score.overall)] if score else []
        parts += [(f".areas.{a}", model.areas[a], score.areas[a]) for a in model.areas if score and a in score.areas]
        for part, published, expected in parts:
            for name in ("siiq", "low", "high"):
                value = _agreed(getattr(published, name), getattr(expected, name), tolerance)
                yield f"models[{model.slug}]{part}.shown.{name}", getattr(published.shown, name), str(round(value))


def _agreed(published: float, recomputed: float, tolerance: float) -> float:
    """The published value where it holds, so that what follows from it is judged as a reader would; else the recomputed one."""
    return recomputed if mismatch("", published, recomputed, tolerance) else published


def coverage(index: Index, found: Scores) -> Iterator[Pair]:
    """K1 with I5: families, areas, evaluators, who is ranked, and what the others lack."""
    inside, constants = {b.id for b in index.benchmarks if b.in_index}, index.constants.model_dump()
    for model in index.models:
        path, score = f"models[{model.slug}]", found[model.slug]
        if score is None:
            continue
        used = [r for r in model.results if r.benchmark in inside]
        for name in ("families", "areas_covered", "evaluators"):
            yield f"{path}.{name}", getattr(model, name), getattr(score, name)
        lacks = shortfalls(score, [r.version_released for r in used], constants)
        yield f"{path}.ranked", model.ranked, not lacks
        yield f"{path}.not_ranked_because", sorted((r.have, r.need) for r in model.not_ranked_because), sorted(lacks)
        yield f"{path}.undated_versions", sorted(model.undated_versions), sorted({r.version for r in used if r.version_released is None})


def places(index: Index, found: Scores, tolerance: float) -> Iterator[Pair]:
    """K2, K3: rank, best and worst rank of the ranked; null for the others."""
    constants, inside = index.constants.model_dump(), {b.id for b in index.benchmarks if b.in_index}
    ranked = []
    for model in index.models:
        score = found[model.slug]
        released = [r.version_released for r in model.results if r.benchmark in inside]
        if score and not shortfalls(score, released, constants):
            ranked.append((model.slug, *_agreed_ends(model, score.overall, tolerance)))
    expected = ranks(ranked)
    for model in index.models:
        for name, value in zip(("rank", "best_rank", "worst_rank"), expected.get(model.slug, (None,) * 3), strict=True):
            yield f"models[{model.slug}].{name}", getattr(model, name), value


def _agreed_ends(model: Model, overall: Interval, tolerance: float) -> list[float]:
    return [_agreed(getattr(model, name), getattr(overall, name), tolerance) for name in ("theta", "low", "high")]


def calibration(index: Index, inputs: Inputs) -> Iterator[Pair]:
    """C1–C8, G: the whole calibration, from its inputs and the frozen group.

    A what-if run uses the reference models that are there; every other index needs all of them (C8).
    """
    definitions = [Definition(b.id, b.area, b.family, b.evaluator, b.g, b.c, b.n) for b in index.benchmarks]
    found = calibrate(inputs, definitions, index.reference_group.members, index.constants.model_dump(),
                      require_all_reference=index.what_if is None)
    for b in index.benchmarks:
        path, inside = f"benchmarks[{b.id}]", b.id in found["alpha"]
        yield f"{path}.in_index", b.in_index, inside
        if b.in_index and inside:
            for name, source in (("alpha",) * 2, ("beta",) * 2, ("sigma2",) * 2, ("models_in_fit", "models_on")):
                yield f"{path}.{name}", getattr(b, name), found[source][b.id]
        elif not b.in_index and not inside:
            # a benchmark without rows in the inputs may give another reason than E3, such as its licence (E2)
            named = next((rule for rule in ("E4", "C5") if rule in b.reason), "E3")
            yield f"{path}.reason", named, found["dropped"][b.id]
    for name in ("shift", "scale", "kappa", "rounds", "null_directions", "folds", "pairs"):
        yield f"calibration.{name}", getattr(index.calibration, name), found[name]
    bound = index.constants.convergence_tolerance
    yield "calibration.last_change", 0 <= index.calibration.last_change <= bound, True
    published = index.calibration.models_in_fit
    yield "calibration.models_in_fit", [], sorted(set(published) ^ set(found["models"]))  # those on one side only
    yield "calibration.models_in_fit (order)", published, sorted(published)
