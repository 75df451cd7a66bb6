"""One calibration, C1–C8 in order. Where to start again and what is refused is decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from siiq_core.errors import CalibrationRefused
from siiq_core.method.calibration import acceptance, kappa
from siiq_core.method.calibration.fit import Fit, Lines, abilities, fit, weights
from siiq_core.method.calibration.identification import ALWAYS, null_directions
from siiq_core.method.eligibility import prune
from siiq_core.method.numbers import mean, population_sd, sig12, sig12_array
from siiq_core.method.panel import Cell, Panel, build_panel
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trace:
    """A calibration and how it came about, for those who look into it."""

    calibration: Calibration
    panel: Panel  # the set it was fitted on
    fit: Fit
    halves: tuple[kappa.SplitHalf, ...]  # C7; empty where κ was not estimated


def calibrate(results: Iterable[Cell], benchmarks: Mapping[str, Benchmark], reference: Iterable[str], params: MethodParams,
              *, require_all_reference: bool = True, progress: Progress = lambda text: None) -> Calibration:
    """Calibrate on accepted results, all configured benchmarks.

    Parameters
    ----------
    results : (slug, benchmark id, score) in any order
    reference : slugs of the frozen group (G)
    require_all_reference : False in what-if runs, which use the members present and report the rest

    Returns
    -------
    Calibration
        Every number with 12 significant digits.

    Raises
    ------
    CalibrationRefused
        C8 (and C5 where no benchmark can be dropped); the message names models and benchmarks.
    """
    return trace(results, benchmarks, reference, params, require_all_reference=require_all_reference, progress=progress).calibration


def trace(results: Iterable[Cell], benchmarks: Mapping[str, Benchmark], reference: Iterable[str], params: MethodParams,
          *, require_all_reference: bool = True, progress: Progress = lambda text: None) -> Trace:
    """`calibrate`, with the set, the fit and the split halves it rests on."""
    cells, members = sorted(results), sorted(set(reference))
    panel = build_panel(cells, benchmarks, members)
    found, used, done, dropped = _identified_fit(panel, members, params, progress)
    missing = acceptance.missing_reference(used, members)
    notes = (f"C8: reference models missing from the set: {', '.join(missing)}",) if missing else ()
    if require_all_reference:
        acceptance.require_reference(used, members)
    halves: tuple[kappa.SplitHalf, ...] = ()
    if params.kappa:
        progress("interval factor from held-out models")
        widening = kappa.estimate(cells, used.models, benchmarks, params, refit(panel, members, params))
        found, halves = replace(found, kappa=widening.kappa, folds=widening.folds, pairs=len(widening.pairs)), widening.pairs
    overlap = {x: "E3" for x in sorted(benchmarks) if x not in found.alpha and x not in dropped}
    return Trace(replace(found, dropped={**overlap, **dropped}, notes=notes), used, done, halves)


def refit(panel: Panel, members: Sequence[str], params: MethodParams) -> Callable[[frozenset[str]], Calibration]:
    """From models left out to C1–C6 on the rest of a panel; raises CalibrationRefused where that fails."""
    return lambda gone: _identified_fit(panel.without_models(gone), members, params, lambda text: None)[0]


def _identified_fit(panel: Panel, members: Sequence[str], params: MethodParams, progress: Progress) -> tuple[Calibration, Panel, Fit, dict[str, str]]:
    """C1–C6 with every restart: floors leave (C4), unidentified benchmarks are dropped (C5)."""
    dropped: dict[str, str] = {}
    while True:
        used = prune(panel.without_benchmarks(dropped), params)  # C1
        if not len(used.models):
            names = ", ".join(members)
            raise CalibrationRefused(f"no benchmark has enough models in common, so the whole reference group is missing: {names}",
                                     names=tuple(members), remedy="more results, or lower thresholds of E3 in a what-if run")
        done = _fit(used, params)
        progress(f"{len(used.models)} models, {len(used.benchmarks)} benchmarks: {done.rounds} rounds, last change {done.last_change:.1e}")
        if done.converged and done.lines.floored.any():  # C4, E4: all such at once
            gone = [x.id for x, at_floor in zip(used.benchmarks, done.lines.floored, strict=True) if at_floor]
            dropped |= dict.fromkeys(gone, "E4")
            progress(f"at the loading floor: {', '.join(gone)}")
            continue
        acceptance.require_finite(done)
        nulls = null_directions(used, done, params.null_tolerance)
        if nulls > ALWAYS:  # C5, also on the last iterate of a fit that did not converge
            bench = _benchmark_to_drop(panel, used, dropped, params)
            if bench is None:
                raise CalibrationRefused(f"{nulls} null directions, and no single benchmark's removal leaves {ALWAYS}", rule="C5",
                                         names=tuple(x.id for x in used.benchmarks),
                                         remedy="results that link the separate groups of models")
            dropped[bench] = "C5"
            progress(f"not identified: {bench} leaves")
            continue
        acceptance.require_converged(done, params.convergence_tolerance)
        return _map(used, done, nulls, params), used, done, dropped


def _fit(used: Panel, params: MethodParams) -> Fit:
    return fit(used, weights(used, params).share, params)


def _benchmark_to_drop(panel: Panel, used: Panel, dropped: Mapping[str, str], params: MethodParams) -> str | None:
    """C5: from the fewest models up (ties by id), the first whose removal, with E3 and a new fit, identifies the rest."""
    count = np.bincount(used.b, minlength=len(used.benchmarks))
    for number in sorted(range(len(used.benchmarks)), key=lambda k: (count[k], used.benchmarks[k].id)):
        candidate = used.benchmarks[number].id
        rest = prune(panel.without_benchmarks([*dropped, candidate]), params)
        if len(rest.models) and null_directions(rest, _fit(rest, params), params.null_tolerance) == ALWAYS:
            return candidate
    return None


def _map(used: Panel, done: Fit, nulls: int, params: MethodParams) -> Calibration:
    """C6, from parameters already rounded (C11), so that published numbers follow from published parameters."""
    set_weights = weights(used, params)
    omega = sig12_array(set_weights.omega)
    lines = Lines(*(sig12_array(x) for x in (done.lines.alpha, done.lines.beta, done.lines.sigma2)), done.lines.floored)
    share = set_weights.share / set_weights.omega[used.b] * omega[used.b]
    theta0 = abilities(used, share, lines, params.lam)[used.reference]
    spread = population_sd(theta0)
    if not spread > 0:
        raise CalibrationRefused("the reference models do not differ", remedy="a reference group with some spread")
    ids = [x.id for x in used.benchmarks]
    per_benchmark = [dict(zip(ids, (float(x) for x in values), strict=True)) for values in (lines.alpha, lines.beta, lines.sigma2, omega)]
    models_on = dict(zip(ids, np.bincount(used.b, minlength=len(ids)).tolist(), strict=True))
    return Calibration(*per_benchmark, models_on=models_on, shift=sig12(mean(theta0)), scale=sig12(spread), kappa=1.0,
                       models=used.models, rounds=done.rounds, last_change=sig12(done.last_change), null_directions=nulls,
                       folds=0, pairs=0)
