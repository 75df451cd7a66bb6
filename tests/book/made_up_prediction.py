"""prediction.json of models that evidently do not exist: made-up guesses, told and summed up as the study does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siiq_core.files import canonical_bytes
from siiq_core.method.transform import transform_one
from siiq_core.params.method import load_method
from siiq_core.params.prediction import load_prediction
from siiq_core.records import benchmarks_of
from siiq_core.workbench.prediction.held_out import METHODS, Answered, rows, summary, worst
from siiq_core.workbench.prediction.predictor import Guess, Setting
from siiq_core.workbench.prediction.splits import DESIGNS, Design


def made_up_prediction(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The file of the prediction stage, for the day and calibration of `index`. Of later results only two can be compared."""
    at = Setting(benchmarks_of({"benchmarks": [b for b in index["benchmarks"] if b["in_index"]]}), (), load_method(root), load_prediction(root))
    told = [(m["slug"], r) for m in index["models"] for r in m["results"] if r["benchmark"] in at.benchmarks]
    answered = tuple(sorted((_answered(at, model, r, k) for k, (model, r) in enumerate(told)), key=lambda x: (x.model, x.benchmark)))
    evidence = {(model, r["benchmark"]): r["evidence"] for model, r in told}
    found = {"parameters": at.params.model_dump(mode="json"), "methods": list(METHODS), "cells": rows(answered, at, evidence), "worst": worst(answered, at, evidence),
             "designs": [summary(Design(name, (), {}), answered[:3] if name == "later" else answered, at) for name in DESIGNS]}
    return {"prediction.json": canonical_bytes({"method_version": index["method_version"], "as_of": index["as_of"], "calibration": index["calibration"]["id"], **found})}


def _answered(at: Setting, model: str, result: dict[str, Any], k: int) -> Answered:
    """Each method is off by its own number of points, to either side in turn; the first has a result that neighbours cannot predict."""
    bench = at.benchmarks[result["benchmark"]]
    guesses: dict[str, Guess | None] = {}
    for n, name in enumerate(METHODS):
        score = min(bench.c, max(bench.g, result["score"] + (-1) ** k * (0.02 + 0.01 * n + 0.005 * (k % 4))))
        guesses[name] = Guess(score, transform_one(score, bench.g, bench.c, bench.n)[0], 0.3) if name == "siiq" else Guess(score)
    if k == 0:
        guesses["neighbours"] = None
    return Answered(str(k % 10), model, result["benchmark"], result["score"], 5, guesses)
