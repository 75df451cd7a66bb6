"""All that the figures of the method chapter are computed from: one calibration, run again with everything kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import CalibrationRefused, VerificationError
from siiq_core.method.calibration.run import Trace, trace
from siiq_core.method.panel import Cell
from siiq_core.method.ranks import Standing, by_model, scored
from siiq_core.method.scoring import Score
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark, Calibration, Result


def r6(x: float) -> float:
    """Six significant digits: enough for a picture, and the same on every machine."""
    return float(f"{x:.5e}")


@dataclass(frozen=True)
class Workings:
    """A calibration from inside, and the calibration of an earlier day beside it."""

    params: MethodParams
    benchmarks: Mapping[str, Benchmark]
    names: Mapping[str, str]  # of models by slug, of benchmarks by id
    results: Mapping[str, tuple[Result, ...]]  # by slug
    trace: Trace
    scores: Mapping[str, Score]  # by slug, under `trace.calibration`
    standings: Mapping[str, Standing]
    earlier_day: str | None  # the last day before with other results; None where nothing was calibrated for it
    earlier: Calibration | None  # from that day's results

    @property
    def calibration(self) -> Calibration:
        """The calibration looked at."""
        return self.trace.calibration

    @property
    def leader(self) -> str:
        """Slug of the model of rank 1; without ranks, of the highest score."""
        return min(self.scores, key=lambda x: (self.standings[x].rank or len(self.scores) + 1, -self.scores[x].overall.theta, x))


def open_workings(cells: Sequence[Cell], benchmarks: Mapping[str, Benchmark], reference: Sequence[str], params: MethodParams, *,
                  published: Calibration, results: Sequence[Result], names: Mapping[str, str], history: Mapping[str, Any],
                  require_all_reference: bool = True) -> Workings:
    """Calibrate again and keep everything.

    Parameters
    ----------
    cells : the inputs of `published`
    history : history.json, for the results of the day before

    Raises
    ------
    VerificationError
        The inputs do not lead to `published`.
    """
    found = trace(cells, benchmarks, reference, params, require_all_reference=require_all_reference)
    if found.calibration != published:
        raise VerificationError("the inputs lead to another calibration than the one in the run folder", file="calibration.json",
                                remedy="run the stages again (siiq run)")
    rows = by_model(results)
    scores, standings = scored(rows, benchmarks, published, params)
    day = day_before(history)
    return Workings(params, benchmarks, names, rows, found, scores, standings, day,
                    _calibrated(inputs_of(history, day), benchmarks, reference, params) if day else None)


def day_before(history: Mapping[str, Any]) -> str | None:
    """The newest day but one of those on which a result changed."""
    days = [x["day"] for x in history["days"] if x["changes"]]
    return days[-2] if len(days) > 1 else None


def inputs_of(history: Mapping[str, Any], day: str) -> list[Cell]:
    """What was accepted at the end of `day`, from the changes up to it (V4)."""
    held: dict[tuple[str, str], float] = {}
    for change in (c for x in history["days"] if x["day"] <= day for c in x["changes"]):
        pair = (change["model"], change["benchmark"])
        if change["score"] is None:
            held.pop(pair, None)
        else:
            held[pair] = change["score"]
    return [(*pair, value) for pair, value in sorted(held.items())]


def _calibrated(cells: Sequence[Cell], benchmarks: Mapping[str, Benchmark], reference: Sequence[str], params: MethodParams) -> Calibration | None:
    try:
        return trace(cells, benchmarks, reference, params, require_all_reference=False).calibration
    except CalibrationRefused:
        return None
