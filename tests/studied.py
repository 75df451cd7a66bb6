"""Made-up desks for tests of studies: everyone measured everywhere, evidently no real models."""

from dataclasses import asdict, replace

import numpy as np
from panels import benchmarks, params

from siiq_core.records import Model, Result
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.fitted import Fitted, fitted, world


def made_up(models: int = 40, count: int = 15, n: int = 400, floor: float = 0.1, **changes) -> Fitted:
    """A calibration on scores that follow the model, with residual variances near 0.3 unless `floor` is above."""
    rng = np.random.default_rng(20260101)
    ability, benches = rng.permutation(np.linspace(-2, 2, models)), benchmarks(count, n)
    eta = np.outer(ability, np.linspace(0.7, 1.4, count)) - np.linspace(-1, 1, count) + np.sqrt(0.3) * rng.standard_normal((models, count))
    scores = rng.binomial(n, 1 / (1 + np.exp(-eta))) / n
    slugs = [f"made-up-{k:02d}" for k in range(models)]
    results = tuple(Result(s, b, float(scores[i, j]), "", "2026-01-01", "default", x.evaluator, "") for i, s in enumerate(slugs) for j, (b, x) in enumerate(benches.items()))
    facts = tuple({**asdict(x), "name": f"Bench {b}", "n_kind": "defined"} for b, x in benches.items())
    people = {s: Model(s, f"Made-up {k}", f"Maker {k % 3}", f"202{4 + k % 3}-0{1 + k % 9}-01", "Open weights (unrestricted)" if k % 2 else "API access") for k, s in enumerate(slugs)}
    return fitted(Desk(params(residual_variance_floor=floor, **changes), results, facts, tuple(slugs[::2]), people))


def shifted(at: Fitted, seed: int, shift) -> Fitted:
    """A world of `at`, with `shift(model number, benchmark number)` logits added to every score, calibrated anew."""
    drawn = world(at, np.random.default_rng(seed))
    order = {s: k for k, s in enumerate(sorted(at.desk.models))}, {b: k for k, b in enumerate(sorted(at.desk.benchmarks))}
    moved = []
    for r in drawn.results:
        p = min(max(r.score, 0.001), 0.999)
        moved.append(replace(r, score=float(1 / (1 + (1 - p) / p * np.exp(-shift(order[0][r.model], order[1][r.benchmark]))))))
    return fitted(replace(drawn, results=tuple(moved)))
