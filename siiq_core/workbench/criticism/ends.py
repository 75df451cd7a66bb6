"""Who would move: scores from the benchmarks at one end of the second dimension, and from those at the other (S, parameters frozen)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from siiq_core.method.ranks import by_model
from siiq_core.method.scoring import score
from siiq_core.workbench.fitted import Fitted


@dataclass(frozen=True)
class Mover:
    """One model at both ends, SI-IQ points."""

    model: str
    siiq: float
    plus: float  # from the benchmarks with positive loadings alone
    minus: float  # from those with negative ones
    error: float  # standard error of plus − minus, the two being independent

    @property
    def gap(self) -> float:
        """plus − minus."""
        return self.plus - self.minus


def movers(at: Fitted, loadings: Mapping[str, float], end: float, least: int) -> tuple[Mover, ...]:
    """Ranked models with at least `least` results at each end, by the size of their gap.

    Parameters
    ----------
    loadings : by benchmark, of the second dimension
    end : a benchmark is at an end from this loading on, in either direction
    """
    params, ranked, out = at.desk.params, set(at.ranked), []
    for slug, own in by_model(at.desk.results).items():
        ends = [{r.benchmark: r.score for r in own if sign * loadings.get(r.benchmark, 0.0) >= end} for sign in (1, -1)]
        if slug in ranked and min(map(len, ends)) >= least:
            plus, minus = (score(scores, at.desk.benchmarks, at.calibration, params).overall for scores in ends)
            out.append(Mover(slug, at.scores[slug].overall.siiq, plus.siiq, minus.siiq, params.sd * math.sqrt(plus.se**2 + minus.se**2)))
    return tuple(sorted(out, key=lambda x: (-abs(x.gap), x.model)))
