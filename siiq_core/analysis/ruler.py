"""What turns results into a score, read back from a published index: benchmarks, frozen parameters, constants (C10, S)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.method.scoring import Score, score
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration


@dataclass(frozen=True)
class Ruler:
    """What turns results into a score."""

    benchmarks: Mapping[str, Benchmark]  # of the index set
    calibration: Calibration
    params: MethodParams

    def score(self, scores: Mapping[str, float]) -> Score | None:
        """S of one model; None without a result on the index set."""
        return score(scores, self.benchmarks, self.calibration, self.params)


def ruler_of(index: Mapping[str, Any]) -> Ruler:
    """The ruler of a published index, from its own numbers."""
    inside = [b for b in index["benchmarks"] if b["in_index"]]
    at = index["calibration"]

    def column(key: str) -> dict[str, Any]:
        return {b["id"]: b[key] for b in inside}

    calibration = Calibration(
        alpha=column("alpha"), beta=column("beta"), sigma2=column("sigma2"), omega=column("omega"), models_on=column("models_in_fit"),
        models=tuple(at["models_in_fit"]),
        **{key: at[key] for key in ("shift", "scale", "kappa", "rounds", "last_change", "null_directions", "folds", "pairs")})
    benchmarks = {b["id"]: Benchmark(b["id"], b["area"], b["family"], b["evaluator"], b["g"], b["c"], b["n"]) for b in inside}
    return Ruler(benchmarks, calibration, MethodParams(**index["constants"], as_of=index["as_of"]))
