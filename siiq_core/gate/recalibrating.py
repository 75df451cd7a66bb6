"""C8, C9: a recalibration on what the gate would publish, and whether it may follow the one in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from siiq_core.errors import CalibrationRefused
from siiq_core.gate.deciding import Recalibration
from siiq_core.gate.rules import Rules
from siiq_core.gate.said import Said
from siiq_core.gate.state import InForce, Key
from siiq_core.method.calibration.comparison import compare, refusals
from siiq_core.method.calibration.run import calibrate
from siiq_core.method.ranks import coverage
from siiq_core.method.scoring import score
from siiq_core.records import Benchmark, Result

Released = Mapping[Key, str | None]  # release day of the version behind each input (I5)


def recalibrate(inputs: Mapping[Key, float], released: Released, before: InForce, benchmarks: Mapping[str, Benchmark], members: Sequence[str],
                name: Callable[[Mapping[Key, float]], str], now: str, rules: Rules) -> Recalibration:
    """Fit, and ask C8 and C9.

    Parameters
    ----------
    inputs : accepted scores, all configured benchmarks
    benchmarks : as they are today: an effective n is estimated anew (T3)
    members : slugs of the frozen reference group (G1)
    name : gives the calibration its id from its inputs
    """
    # C9: one joins only if it was configured then, and was out for too few models alone
    allowed = {b: x for b, x in benchmarks.items() if b in before.benchmarks and before.calibration.dropped.get(b, "E3") == "E3"}
    cells = [(m, b, s) for (m, b), s in sorted(inputs.items()) if b in allowed]
    try:  # first without κ, which moves no score: most refusals are known then, at a fifth of the cost
        found = calibrate(cells, allowed, members, rules.method.model_copy(update={"kappa": False}))
        compared = compare(ranked(inputs, released, before, rules), ranked(inputs, released, InForce("", now, found, allowed), rules),
                           before.calibration.alpha, found.alpha)
        if reasons := refusals(compared, rules.method):
            return Recalibration(None, tuple(Said(x.code, x.of) for x in reasons))
        found = calibrate(cells, allowed, members, rules.method)
        kept_out = {b: rule for b, rule in before.calibration.dropped.items() if b not in allowed}
        return Recalibration(InForce(name({(m, b): s for m, b, s in cells}), now, replace(found, dropped={**found.dropped, **kept_out}), allowed))
    except CalibrationRefused as refused:
        return Recalibration(None, (Said("refused_fit", {"rule": refused.rule, "what": str(refused)}),))


def ranked(inputs: Mapping[Key, float], released: Released, in_force: InForce, rules: Rules) -> dict[str, float]:
    """SI-IQ of every model that would be ranked, by slug."""
    models: dict[str, dict[str, float]] = {}
    for (model, benchmark), s in inputs.items():
        if benchmark not in in_force.benchmarks:
            continue
        models.setdefault(model, {})[benchmark] = s
    out = {}
    for model, scores in models.items():
        found = score(scores, in_force.benchmarks, in_force.calibration, rules.method)
        if found is None:
            continue
        results = [Result(model, b, s, "", released.get((model, b)), "", in_force.benchmarks[b].evaluator, "") for b, s in scores.items()]
        if not coverage(found, results, rules.method).reasons:
            out[model] = found.overall.siiq
    return out
