"""C1–C5 written a second time: which results are in, the rounds, the floor and the rank check."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from operator import mul

from siiq_core.errors import CalibrationRefused
from siiq_core.records import Benchmark

from .formulas import Term, ability, mean_and_spread

Cells = Mapping[str, Mapping[str, tuple[float, float]]]  # slug → benchmark → (y, v)
Constants = Mapping[str, float]
TROUBLE = (ZeroDivisionError, OverflowError, ValueError)  # what plain floats raise on the way to inf or nan


@dataclass(frozen=True)
class Fit:
    """The last iterate of C3; after C4 where it converged. Parameters by benchmark, abilities by slug, unrounded."""

    set: Mapping[str, Collection[str]]  # slug → its benchmarks in the set
    theta: Mapping[str, float]
    alpha: Mapping[str, float]
    beta: Mapping[str, float]
    sigma2: Mapping[str, float]
    omega: Mapping[str, float]
    floored: tuple[str, ...]  # benchmarks whose floor was active in C4
    rounds: int
    last_change: float
    converged: bool

    def models_on(self) -> dict[str, int]:
        return dict(Counter(b for benchmarks in self.set.values() for b in benchmarks))


def largest_set(cells: Cells, reference: Set[str], constants: Constants, without: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The set of C1 (E3): slug → its benchmarks, both in code-point order. Empty when nothing is left."""
    current = {slug: frozenset(row) - frozenset(without) for slug, row in cells.items()}
    while True:
        strong = {slug: row for slug, row in current.items() if len(row) >= constants["min_results_per_model"]}
        models = Counter(b for row in strong.values() for b in row)
        members = Counter(b for slug, row in strong.items() if slug in reference for b in row)
        kept = {
            b for b in models
            if models[b] >= constants["min_models_per_benchmark"] and members[b] >= constants["min_reference_per_benchmark"]
        }
        following = _largest_component({slug: row & kept for slug, row in strong.items()})
        if following == current:
            return {slug: tuple(sorted(current[slug])) for slug in sorted(current)}
        current = following


def _largest_component(rows: Mapping[str, Set[str]]) -> dict[str, Set[str]]:
    """Most models, then most benchmarks, then the lowest slug."""
    parts: list[tuple[set[str], set[str]]] = []  # (slugs, benchmarks), disjoint
    for slug, row in rows.items():
        touching = [part for part in parts if part[1] & row]
        parts = [part for part in parts if not part[1] & row]
        parts.append(({slug}.union(*(p[0] for p in touching)), set(row).union(*(p[1] for p in touching))))
    if not parts:
        return {}
    best = min(parts, key=lambda part: (-len(part[0]), -len(part[1]), min(part[0])))
    return {slug: rows[slug] for slug in best[0]}


def weights_of_areas(used: Collection[str], benchmarks: Mapping[str, Benchmark], constants: Constants) -> dict[str, float]:
    """ω = 1/√K, K the benchmarks of the area in the set (S); 1 where the constants leave ω out."""
    k = Counter(benchmarks[b].area for b in used)
    return {b: 1.0 / math.sqrt(k[benchmarks[b].area]) if constants["omega"] else 1.0 for b in sorted(used)}


def fit(chosen: Mapping[str, Collection[str]], cells: Cells, benchmarks: Mapping[str, Benchmark],
        reference: Set[str], constants: Constants) -> Fit:
    """C2–C4 on one set.

    Raises
    ------
    CalibrationRefused
        C8, when a number is not finite or nothing is there to standardise on.
    """
    try:
        return _rounds(chosen, cells, benchmarks, reference, constants)
    except TROUBLE as trouble:
        raise CalibrationRefused(f"a number of the fit is not finite ({trouble})") from trouble


def _rounds(chosen: Mapping[str, Collection[str]], cells: Cells, benchmarks: Mapping[str, Benchmark],
            reference: Set[str], constants: Constants) -> Fit:
    slugs = list(chosen)
    number = {slug: i for i, slug in enumerate(slugs)}
    anchors = [number[slug] for slug in slugs if slug in reference]
    used = sorted({b for row in chosen.values() for b in row})
    columns = {}  # benchmark → who, y, v
    for b in used:
        who = [number[slug] for slug in slugs if b in chosen[slug]]
        pairs = [cells[slugs[i]][b] for i in who]
        columns[b] = who, [y for y, _ in pairs], [v for _, v in pairs]
    omega = weights_of_areas(used, benchmarks, constants)
    rows = []  # slug number → (benchmark, y, v, ω/F) of its results
    for slug in slugs:
        sizes = Counter(benchmarks[b].family for b in chosen[slug])
        rows.append([(b, *cells[slug][b], omega[b] / sizes[benchmarks[b].family]) for b in chosen[slug]])

    scores: list[list[float]] = [[] for _ in slugs]  # C2
    for who, y, _ in columns.values():
        mean, sd = mean_and_spread(y)
        for i, value in zip(who, y, strict=True):
            scores[i].append((value - mean) / sd if sd else 0.0)
    mean, sd = mean_and_spread([math.fsum(scores[i]) / len(scores[i]) for i in anchors])
    theta = [(math.fsum(z) / len(z) - mean) / sd for z in scores]
    lines = {b: (1.0, 0.0, constants["start_residual_variance"], False) for b in used}

    change, rounds, floor = math.inf, 0, constants["loading_floor"]
    while change > constants["convergence_tolerance"] and rounds < constants["max_rounds"]:  # C3
        rounds += 1
        lines = {b: _line(theta, *columns[b], lines[b][2], floor, constants) for b in used}  # a
        raw = [
            ability((Term(y, v, *lines[b][:3], factor) for b, y, v, factor in row), constants["lam"]).theta0
            for row in rows
        ]  # b
        mean, sd = mean_and_spread([raw[i] for i in anchors])  # c
        moved = [(value - mean) / sd for value in raw]
        lines = {b: (alpha * sd, beta + alpha * mean, s2, low) for b, (alpha, beta, s2, low) in lines.items()}
        change = max(abs(new - old) for new, old in zip(moved, theta, strict=True))
        if not math.isfinite(change):
            raise ValueError("an ability is not a number")
        theta = moved
    converged = change <= constants["convergence_tolerance"]
    if converged:  # C4; an iterate that still moves is judged as it stands (C5)
        lines = {b: _line(theta, *columns[b], lines[b][2], floor, constants) for b in used}
    alpha, beta, sigma2 = ({b: lines[b][k] for b in used} for k in range(3))
    floored = tuple(b for b in used if converged and lines[b][3])
    return Fit(chosen, dict(zip(slugs, theta, strict=True)), alpha, beta, sigma2, omega, floored, rounds, change, converged)


def _line(theta: list[float], who: list[int], y: list[float], v: list[float], sigma2: float,
          floor: float, constants: Constants) -> tuple[float, float, float, bool]:
    """C3a: α, β, σ² of one benchmark, and whether the floor was active."""
    t = [theta[i] for i in who]
    w = [1.0 / (sigma2 + variance) for variance in v]
    total = math.fsum(w)
    t_mean, y_mean = math.fsum(map(mul, w, t)) / total, math.fsum(map(mul, w, y)) / total
    wt = [weight * (x - t_mean) for weight, x in zip(w, t, strict=True)]
    alpha = math.fsum(map(mul, wt, y)) / math.fsum(map(mul, wt, t))
    floored = alpha < floor
    alpha = floor if floored else alpha
    beta = y_mean - alpha * t_mean
    squares = math.fsum((value - alpha * x - beta) ** 2 for value, x in zip(y, t, strict=True))
    residual = squares / (len(y) - 2) - math.fsum(v) / len(v)
    return alpha, beta, max(residual, constants["residual_variance_floor"]), floored


def null_directions(found: Fit, tolerance: float) -> int:
    """C5: columns of the whole Jacobian minus its rank, by singular values of the unit-length columns."""
    import numpy  # late: the only step that is more than a few sums

    slugs, used = list(found.set), list(found.alpha)
    at = {b: len(slugs) + 2 * i for i, b in enumerate(used)}
    jacobian = numpy.zeros((sum(map(len, found.set.values())), len(slugs) + 2 * len(used)))
    row = 0
    for column, slug in enumerate(slugs):
        for b in found.set[slug]:
            jacobian[row, column], jacobian[row, at[b]], jacobian[row, at[b] + 1] = found.alpha[b], found.theta[slug], 1.0
            row += 1
    lengths = numpy.linalg.norm(jacobian, axis=0)
    values = numpy.linalg.svd(jacobian / numpy.where(lengths > 0, lengths, 1.0), compute_uv=False)
    return jacobian.shape[1] - int((values >= tolerance * values.max()).sum())


def identified(cells: Cells, benchmarks: Mapping[str, Benchmark], reference: Set[str],
               constants: Constants) -> tuple[Fit, dict[str, str]]:
    """C1–C5: the converged, identified fit, and the benchmarks that E4 and C5 took out.

    Raises
    ------
    CalibrationRefused
        C5 when no single removal identifies the fit; C8 when nothing is left, C3 does not converge or a number is not finite.
    """
    dropped: dict[str, str] = {}
    while True:
        chosen = largest_set(cells, reference, constants, dropped)
        if not chosen:
            names = tuple(sorted(reference))
            raise CalibrationRefused(
                f"no benchmark keeps enough models (E3), so no reference model is in the set: {', '.join(names)}", names=names)
        found = fit(chosen, cells, benchmarks, reference, constants)
        if found.floored:  # E4, all at once
            dropped |= dict.fromkeys(found.floored, "E4")
            continue
        if null_directions(found, constants["null_tolerance"]) == 2:
            if found.converged:
                return found, dropped
            raise CalibrationRefused(
                f"no convergence in {found.rounds} rounds (last change {found.last_change:.3g})")
        helpful = next(_helpful(found, cells, benchmarks, reference, constants, dropped), None)
        if helpful is None:
            raise CalibrationRefused(
                f"abilities are not identified, and no single benchmark's removal mends it: {', '.join(found.alpha)}",
                rule="C5", names=tuple(found.alpha))
        dropped[helpful] = "C5"


def _helpful(found: Fit, cells: Cells, benchmarks: Mapping[str, Benchmark], reference: Set[str],
             constants: Constants, dropped: Mapping[str, str]) -> Iterator[str]:
    """Benchmarks whose removal leaves two null directions, from the fewest models up, ties by id."""
    models = found.models_on()
    for b in sorted(found.alpha, key=lambda b: (models[b], b)):
        chosen = largest_set(cells, reference, constants, {*dropped, b})
        try:
            if chosen and null_directions(fit(chosen, cells, benchmarks, reference, constants), constants["null_tolerance"]) == 2:
                yield b
        except CalibrationRefused:
            continue
