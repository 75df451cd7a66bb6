"""Where models land on the scale under the calibration in force (S, K1, I5), from published or from would-be values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from siiq_core.gate.rules import Rules
from siiq_core.gate.state import InForce, Key, Land, Published, Value
from siiq_core.method.ranks import coverage
from siiq_core.method.scoring import raw_ability, score, terms
from siiq_core.method.transform import transform_one
from siiq_core.records import Result


def land(values: Mapping[str, Value], in_force: InForce, rules: Rules) -> Land:
    """One model.

    Parameters
    ----------
    values : benchmark → its value
    """
    found = score({b: x.score for b, x in values.items()}, in_force.benchmarks, in_force.calibration, rules.method)
    if found is None:
        return Land(None, False)
    results = [Result("", b, x.score, x.run, x.released, "", rules.benchmarks[b].evaluator, x.evidence) for b, x in values.items()]
    return Land(found.overall.siiq, not coverage(found, results, rules.method).reasons)


def by_model(published: Mapping[Key, Published]) -> dict[str, dict[str, Value]]:
    """Model → benchmark → value."""
    out: dict[str, dict[str, Value]] = {}
    for (model, benchmark), x in published.items():
        out.setdefault(model, {})[benchmark] = x.value
    return out


def lands(published: Mapping[Key, Published], in_force: InForce, rules: Rules, known: Mapping[str, Land] | None = None,
          changed: Iterable[str] = ()) -> dict[str, Land]:
    """All models; with `known`, only the `changed` ones are computed."""
    models = by_model(published)
    again = set(models) if known is None else (set(changed) & set(models)) | (set(models) - set(known))
    return {m: land(values, in_force, rules) if m in again else known[m] for m, values in models.items()}


def outlier(benchmark: str, value: float, others: Mapping[str, float], in_force: InForce, rules: Rules) -> float | None:
    """U3b: z of one score against the model's results from other families; None where it does not apply.

    z = (y − α_b·θ₋ − β_b)/√(σ_b² + v + α_b²·SE₋²), with SE₋ = κ·√Σ…/D₋ before the map.
    """
    calibration, benchmarks = in_force.calibration, in_force.benchmarks
    if benchmark not in calibration.alpha:
        return None
    bench = benchmarks[benchmark]
    items = terms({b: s for b, s in others.items() if rules.benchmarks[b].family != bench.family}, benchmarks, calibration)
    if len({t.family for t in items}) < rules.limits.min_other_families:
        return None
    theta, _, raw_se = raw_ability(items, rules.method.lam)
    alpha, se = calibration.alpha[benchmark], calibration.kappa * raw_se
    y, v = transform_one(value, bench.g, bench.c, bench.n)
    return round((y - alpha * theta - calibration.beta[benchmark]) / math.sqrt(calibration.sigma2[benchmark] + v + alpha * alpha * se * se), 12)
