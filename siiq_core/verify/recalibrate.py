"""The whole calibration written a second time, from its inputs: C1–C8 with E3, E4 and C11."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from siiq_core.errors import CalibrationRefused, DataError
from siiq_core.records import Benchmark

from .formulas import Ability, Term, ability, mean_and_spread, order_statistic, transform, twelve
from .refit import TROUBLE, Cells, Constants, Fit, identified


@dataclass(frozen=True)
class _Found:
    """A fit with its rounded parameters (C11) and the map of C6."""

    fit: Fit
    dropped: Mapping[str, str]
    alpha: Mapping[str, float]
    beta: Mapping[str, float]
    sigma2: Mapping[str, float]
    omega: Mapping[str, float]
    shift: float
    scale: float


def calibrate(results: Iterable[tuple[str, str, float]], benchmarks: Iterable[Benchmark], reference: Iterable[str],
              constants: Constants, require_all_reference: bool = True) -> dict:
    """A whole calibration (C1–C8).

    Parameters
    ----------
    results : (slug, benchmark id, score as a fraction), each pair once
    benchmarks : every configured benchmark
    reference : slugs of the frozen group
    constants : by their names in params/method.yml
    require_all_reference : False for what-if runs, which use the members present

    Returns
    -------
    dict
        ``alpha, beta, sigma2, omega, models_on`` by benchmark id; ``shift, scale, kappa, rounds, last_change,
        null_directions, folds, pairs``; ``models`` (slugs); ``dropped`` (id → E3, E4 or C5). κ is 1, folds and
        pairs 0 where the constants leave C7 out.

    Raises
    ------
    CalibrationRefused
        C5 or C8, naming the slugs or benchmarks concerned.
    DataError
        A score outside [0, 1] (T2), a pair given twice, or an unknown benchmark.
    """
    table = {b.id: b for b in sorted(benchmarks, key=lambda b: b.id)}
    members = frozenset(reference)
    cells = _cells(results, table)
    found = _map(*identified(cells, table, members, constants), cells, table, members, constants)
    missing = tuple(sorted(members - found.fit.set.keys()))
    if require_all_reference and missing:  # C8
        raise CalibrationRefused(
            f"reference models missing from the set: {', '.join(missing)}", names=missing,
            remedy="the reference group is frozen; their results have to come back")
    kappa, folds, pairs = _kappa(found.fit, cells, table, members, constants) if constants["kappa"] else (1.0, 0, 0)
    numbers = [found.shift, found.scale, kappa, *found.alpha.values(), *found.beta.values(), *found.sigma2.values()]
    if not all(map(math.isfinite, numbers)):
        raise CalibrationRefused("a parameter is not finite")
    return {
        "alpha": found.alpha, "beta": found.beta, "sigma2": found.sigma2, "omega": found.omega,
        "models_on": found.fit.models_on(), "shift": found.shift, "scale": found.scale, "kappa": kappa,
        "models": tuple(sorted(found.fit.set)), "rounds": found.fit.rounds, "last_change": found.fit.last_change,
        "null_directions": 2, "folds": folds, "pairs": pairs,
        "dropped": {b: found.dropped.get(b, "E3") for b in table if b not in found.alpha},
    }


def _cells(results: Iterable[tuple[str, str, float]], benchmarks: Mapping[str, Benchmark]) -> Cells:
    cells: dict[str, dict[str, tuple[float, float]]] = {}
    for row, (slug, benchmark, score) in enumerate(results, start=1):
        if benchmark not in benchmarks:
            raise DataError("a benchmark that is not configured", row=row, column="benchmark", value=benchmark)
        if not (math.isfinite(score) and 0.0 <= score <= 1.0):  # T2, before the clip
            raise DataError("a score outside [0, 1]", row=row, column="score", value=score)
        if benchmark in cells.setdefault(slug, {}):
            raise DataError("a pair of model and benchmark given twice", row=row, value=f"{slug}, {benchmark}")
        b = benchmarks[benchmark]
        cells[slug][benchmark] = transform(twelve(score), b.g, b.c, b.n)
    return {slug: dict(sorted(cells[slug].items())) for slug in sorted(cells)}


def _map(fit: Fit, dropped: Mapping[str, str], cells: Cells, benchmarks: Mapping[str, Benchmark],
         members: Set[str], constants: Constants) -> _Found:
    """C6 on the rounded parameters."""
    alpha, beta, sigma2, omega = (
        {b: twelve(x) for b, x in values.items()} for values in (fit.alpha, fit.beta, fit.sigma2, fit.omega)
    )
    bare = _Found(fit, dropped, alpha, beta, sigma2, omega, 0.0, 1.0)
    shift, scale = mean_and_spread(
        _ability(bare, cells[slug], fit.set[slug], benchmarks, constants).theta0 for slug in fit.set if slug in members
    )
    if not scale > 0:
        raise CalibrationRefused("the reference models do not differ")
    return _Found(fit, dropped, alpha, beta, sigma2, omega, twelve(shift), twelve(scale))


def _ability(found: _Found, row: Mapping[str, tuple[float, float]], used: Iterable[str],
             benchmarks: Mapping[str, Benchmark], constants: Constants) -> Ability:
    """S on some of a model's results. A family lies in one half as a whole (C7), so F may be counted here."""
    used = tuple(used)
    sizes = Counter(benchmarks[b].family for b in used)
    return ability(
        (Term(*row[b], found.alpha[b], found.beta[b], found.sigma2[b], found.omega[b] / sizes[benchmarks[b].family])
         for b in used),
        constants["lam"],
    )


def _kappa(fit: Fit, cells: Cells, benchmarks: Mapping[str, Benchmark], members: Set[str],
           constants: Constants) -> tuple[float, int, int]:
    """C7: κ, the folds that held and the pairs they gave."""
    slugs, held, gaps = sorted(fit.set), 0, []
    for fold in range(constants["folds"]):
        out = slugs[fold :: constants["folds"]]
        rest = {slug: row for slug, row in cells.items() if slug not in out}
        inside = members - set(out)
        try:
            found = _map(*identified(rest, benchmarks, inside, constants), rest, benchmarks, inside, constants)
        except (CalibrationRefused, *TROUBLE):
            continue
        held += 1
        for slug in out:
            used = [b for b in cells[slug] if b in found.alpha]
            families = sorted({benchmarks[b].family for b in used})
            halves = [[b for b in used if benchmarks[b].family in families[k::2]] for k in (0, 1)]
            if len(used) < constants["min_results_held_out"] or min(map(len, halves)) < constants["min_results_per_half"]:
                continue
            a, b = (_ability(found, cells[slug], half, benchmarks, constants) for half in halves)
            # shift cancels and scale divides both sides, so neither changes z
            gaps.append(abs(a.theta0 - b.theta0) / math.hypot(a.spread / a.d, b.spread / b.d))
    if held < constants["min_folds"] or len(gaps) < constants["min_pairs"]:  # C8
        raise CalibrationRefused(f"only {held} folds and {len(gaps)} pairs for κ", remedy="more models with results of several families")
    return twelve(max(1.0, order_statistic(gaps, constants["kappa_quantile"]) / constants["z90"])), held, len(gaps)
