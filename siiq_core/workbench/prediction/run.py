"""The prediction stage: a finished run in, prediction.json out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes
from siiq_core.params.method import with_changes
from siiq_core.params.prediction import SCALARS, PredictionParams, load_prediction, with_prediction_changes
from siiq_core.pipeline import fetched
from siiq_core.runs import Outcome, Run, calibrated, history_in
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook
from siiq_core.workbench.desk import Desk, desk_of
from siiq_core.workbench.prediction.held_out import METHODS, ask, rows, summary, worst
from siiq_core.workbench.prediction.predictor import Setting
from siiq_core.workbench.prediction.splits import Design, hidden_benchmarks, hidden_cells, hidden_models, later_results

METHOD = Sibling(SCALARS, load_prediction, with_prediction_changes)
_ROUNDS_KEPT = "cells"  # the design whose every prediction is published, and whose figure a release keeps


def prepare_prediction(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of the study; `changes` are numbers of params/prediction.yml, and as_of and licence_policy."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_prediction_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_prediction` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def prediction_stage(run: SiblingRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """The accepted results of a run and their history → prediction.json.

    Raises
    ------
    PublicationError
        Neither the run folder nor the usual one holds a calibration of these parameters.
    """
    studied = finished(run.base)
    facts, results, made_now = fetched(studied, progress)
    calibration, record = calibrated(studied)
    desk = desk_of(run.base.params, facts, results)
    value = {**run.head(), "calibration": record["id"], **predict(desk, tuple(calibration.alpha), history_in(studied, made_now), run.params, progress)}
    return Outcome(run.base, value, {"prediction.json": canonical_bytes(value)})


def finished(base: Run) -> Run:
    """The run that is studied: in the run's own folder, or in the usual one where the study goes to a folder of its own."""
    try:
        calibrated(base)
        return base
    except PublicationError:
        usual = replace(base, folder=base.root / "_build" / ("what-if" if base.what_if else "run"))
        calibrated(usual)
        return usual


def predict(desk: Desk, index_set: tuple[str, ...], history: Mapping[str, Any], params: PredictionParams,
            progress: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """All of prediction.json but its head.

    Parameters
    ----------
    index_set : benchmarks of the calibration in force; results on these are hidden
    history : history.json
    """
    at = Setting(desk.benchmarks, desk.reference, with_changes(desk.params, {"max_rounds": params.max_rounds}), params)
    methods = {name: make(at) for name, make in METHODS.items()}
    evidence = {(r.model, r.benchmark): r.evidence for r in desk.results}
    told = {"parameters": params.model_dump(mode="json"), "methods": list(METHODS), "designs": []}
    for design in designs(desk, index_set, history, params):
        answered = ask(design, methods, progress)
        told["designs"].append(summary(design, answered, at))
        if design.id == _ROUNDS_KEPT:
            told |= {"cells": rows(answered, at, evidence), "worst": worst(answered, at, evidence)}
    return told


def designs(desk: Desk, index_set: tuple[str, ...], history: Mapping[str, Any], params: PredictionParams) -> tuple[Design, ...]:
    """All ways of hiding."""
    return (hidden_cells(desk.cells, index_set, params.rounds), hidden_models(desk.cells, index_set, desk.benchmarks, params.folds, desk.params),
            hidden_benchmarks(desk.cells, index_set), later_results(history, index_set, desk.benchmarks))
