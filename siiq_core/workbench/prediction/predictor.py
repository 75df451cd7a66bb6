"""What a method under test is: a round in, a function that answers questions out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from siiq_core.method.transform import untransform
from siiq_core.params.method import MethodParams
from siiq_core.params.prediction import PredictionParams
from siiq_core.records import Benchmark
from siiq_core.workbench.prediction.splits import Question, Round


@dataclass(frozen=True)
class Setting:
    """What every method is told beside the results."""

    benchmarks: Mapping[str, Benchmark]
    reference: tuple[str, ...]  # slugs of the frozen group (G)
    method: MethodParams
    params: PredictionParams


@dataclass(frozen=True, slots=True)
class Guess:
    """What a method says of one hidden result. `logit` and `sd` are of methods that say how sure they are."""

    score: float  # fraction
    logit: float | None = None  # centre of the predictive distribution, which is normal on the logit scale
    sd: float | None = None  # its standard deviation

    def interval(self, bench: Benchmark, z: float) -> tuple[float, float] | None:
        """The scores that belong to logit ∓ z·sd, between chance level and ceiling; None without a distribution."""
        if self.logit is None or self.sd is None:
            return None
        low, high = (untransform(self.logit + side * z * self.sd, bench.g, bench.c, bench.n)[0] for side in (-1, 1))
        return low, high


Predictor = Callable[[Question], Guess | None]  # None: the method has nothing to say
Method = Callable[[Round], Predictor]
