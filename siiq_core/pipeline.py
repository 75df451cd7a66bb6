"""The order of things, for one run: fetch → calibrate → score → method. The only room that knows all wings.

Each stage is a function from what stands in the run folder (and the shipped observations) to a frozen outcome; `save`
writes the outcome's files, each as a whole. Notebooks call a stage, show what it found, and save in their last cell, so
that a cell that fails leaves every earlier output as it was.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from siiq_core.errors import CalibrationRefused, VerificationError
from siiq_core.files import canonical_bytes, cell_text, csv_bytes, json_line, sha256, text_cell
from siiq_core.records import Model, Result, benchmarks_of
from siiq_core.runs import (
    Outcome, Progress, Run, calibrated, history_in, in_force, inputs_of, manifest, prepare, prepare_notebook, quiet, read_json, written,
)
from siiq_core.versions import calibration_id, inputs_bytes

__all__ = ["Outcome", "Run", "calibrate", "fetch", "method", "percentile", "prepare", "prepare_notebook", "quiet", "score", "simulation", "value", "workings"]

RESULT_COLUMNS = ("model", "benchmark", "score", "version", "version_released", "setting", "evaluator", "evidence", "flags")


# --- fetch -----------------------------------------------------------------------------------------------------------


def fetch(run: Run, progress: Progress = quiet) -> Outcome:
    """Shipped observations → accepted results with their evidence (E1, E2, I, P, T2, T3), and history of all days (V4)."""
    from siiq_core.evidence.alter import altered
    from siiq_core.evidence.gather import configuration, gather_from, snapshot_facts
    from siiq_core.evidence.own import with_own_rows
    from siiq_core.evidence.shelf import check_whole, open_shelf
    from siiq_core.params.benchmarks import load_excluded
    from siiq_core.params.sources import load_sources
    from siiq_core.publish.history import check_history, evidence_of, history_of, with_own_results, without

    gate = run.accepted
    check_whole(load_sources(run.root), run.root)
    shelf = open_shelf(run.root, run.params, progress, gate.live() if gate else None)
    found, evidence = gather_from(shelf, run.params), evidence_of(shelf)
    if gate:
        progress(f"what the gate accepted, version {run.version}")
        found, evidence = gate.gathered(found), gate.evidence(shelf)
    used = altered(found.results, found.benchmarks, found.models, run.params)
    found, evidence = replace(found, **used._asdict()), with_own_rows([x for x in evidence if x["benchmark"] not in run.params.drop], used.results, run.params)
    _licensed(run, found.sources, found.benchmarks, evidence)
    progress("history of every day with a snapshot")
    history = history_of(shelf, run.params, run.version)
    history = with_own_results(without(gate.history(history) if gate else history, run.params.drop), found.results) | ({"what_if": dict(run.what_if)} if run.what_if else {})
    check_history(history, found.results, evidence)
    results = csv_bytes(RESULT_COLUMNS, (_result_cells(r) for r in found.results))
    lines = [json_line({"method_version": run.version, "as_of": run.params.as_of}), *(json_line(x) for x in evidence)]
    facts = {
        "method_version": run.version, "as_of": run.params.as_of, "what_if": dict(run.what_if), "results_sha256": sha256(results),
        "sources": list(found.sources), "benchmarks": list(found.benchmarks), "models": [asdict(found.models[x]) for x in sorted(found.models)],
        "reference": found.reference, "waiting_names": list(found.waiting), "left_out": list(found.left_out), "reports": list(found.reports),
        "snapshots": list(snapshot_facts(shelf)), "configuration": dict(configuration(shelf.specs)),
        "eci": dict(found.eci), **({"gate": gate.told()} if gate else {}), "not_configured": [x.model_dump() for x in load_excluded(run.root)],
    }
    files = {"results.csv": results, "evidence.jsonl": "".join(lines).encode("utf-8"), "history.json": canonical_bytes(history),
             "prices.json": _prices(run, shelf.index), "fetch.json": canonical_bytes(facts)}
    return Outcome(run, found, files)


def _result_cells(result: Result) -> list[Any]:
    """Version and setting are a publisher's text: read back by `_fetched`, and safe in a reader's spreadsheet."""
    cells = {**asdict(result), "version": text_cell(result.version), "setting": text_cell(result.setting), "flags": ";".join(result.flags)}
    return [cells[column] for column in RESULT_COLUMNS]


def _prices(run: Run, index: Any) -> bytes:
    """prices.json: developers' own list prices on the index's day, and how many names of theirs match no model."""
    from siiq_core.evidence.prices import as_published, read_prices

    found = read_prices(run.root, index, run.params.as_of)
    unmatched = Counter(source for source, _, _ in found.unmatched)
    return canonical_bytes({"method_version": run.version, "as_of": run.params.as_of, "unit": "USD per million tokens",
                            "prices": [as_published(x) for x in found.prices], "unmatched_names": dict(sorted(unmatched.items()))})


# --- calibrate -------------------------------------------------------------------------------------------------------


def calibrate(run: Run, progress: Progress = quiet) -> Outcome:
    """Accepted results → the calibration (C), with its inputs."""
    from siiq_core.evidence.own import is_own
    from siiq_core.method.calibration.run import calibrate as run_calibration

    facts, results, made_now = fetched(run, progress)
    _require_frozen_group(run, facts["reference"]["members"])
    in_force = run.accepted.memory.state.in_force if run.accepted else None
    benchmarks = {b: x for b, x in benchmarks_of(facts).items() if in_force is None or b in in_force.benchmarks or b in run.params.add_benchmarks}
    accepted = {(r.model, r.benchmark): r.score for r in results if in_force is None or is_own(r)}
    cells = sorted((m, b, s) for (m, b), s in {**(in_force.inputs if in_force else {}), **accepted}.items() if b in benchmarks)
    inputs = inputs_bytes(cells)
    found = run_calibration(cells, benchmarks, facts["reference"]["members"], run.params, require_all_reference=not run.what_if, progress=progress)
    if in_force:
        found = replace(found, dropped={**found.dropped, **{b: rule for b, rule in in_force.calibration.dropped.items() if b not in in_force.benchmarks}})
    if in_force and not run.what_if:
        _require_in_force(found, in_force)
    record = {
        "method_version": run.version, "what_if": dict(run.what_if),
        "id": in_force.id if in_force else calibration_id(run.version, inputs), "at": in_force.at if in_force else f"{run.params.as_of}T00:00:00Z", "inputs_sha256": sha256(inputs),
        "parameters": run.params.recorded(), "benchmarks": facts["benchmarks"], "reference": facts["reference"],
        "found": {**asdict(found), "models": list(found.models), "notes": list(found.notes)},
    }
    files = {**made_now, "calibration_inputs.csv": inputs, "calibration.json": canonical_bytes(record)}
    return Outcome(run, found, files)


def _require_in_force(found: Any, in_force: Any) -> None:
    """C10: between calibrations, its own inputs lead to the one in force and to no other."""
    if asdict(found) != asdict(in_force.calibration):
        raise CalibrationRefused("its inputs lead to another calibration than the one in force", rule="C10",
                                 remedy="code or parameters were altered since it was accepted; restore them, or make a new version")


def _require_frozen_group(run: Run, members: Sequence[str]) -> None:
    """G1: the group of a method version never changes; only a new major version freezes another."""
    record = in_force(run.root)
    changed = sorted(set(members) ^ set(record["reference"]["members"])) if record else []
    if changed:
        raise CalibrationRefused(f"the reference group is frozen and differs in: {', '.join(changed)}", rule="G1", names=tuple(changed),
                                 remedy="restore params/reference_group.yml; only a major version may freeze another group")


# --- score -----------------------------------------------------------------------------------------------------------


def score(run: Run, progress: Progress = quiet) -> Outcome:
    """Results under the calibration → index.json, verified before it is handed over (U11)."""
    from siiq_core.publish.history_scores import history_scores
    from siiq_core.publish.index import build_index
    from siiq_core.verify import verify

    facts, results, made_now = fetched(run, progress)
    calibration, record = calibrated(run)
    index = build_index(
        params=run.params, what_if=run.what_if, calibration=calibration,
        calibration_facts={key: record[key] for key in ("id", "at", "inputs_sha256")},
        benchmarks=benchmarks_of(record), benchmark_facts=record["benchmarks"],
        models={x["slug"]: Model(**x) for x in facts["models"]}, results=results, reference=record["reference"],
        sources=facts["sources"], licences=_licences(facts["sources"]),
        not_configured=facts["not_configured"], version=run.version,
    )
    progress("verifying every number from the file alone")
    report = verify(index, inputs_of(run))
    if not report.passed:
        raise VerificationError("the index does not follow from itself: " + report.summary, remedy="this is a defect; nothing was written")
    curves = history_scores(index, history_in(run, made_now))
    files = {**made_now, "index.json": canonical_bytes(index), "history_scores.json": canonical_bytes(curves)}
    files["manifest.json"] = canonical_bytes(manifest(run, facts, {**written(run), **files}))
    return Outcome(run, index, files)


# --- method ----------------------------------------------------------------------------------------------------------


def workings(run: Run, progress: Progress = quiet) -> Any:
    """The calibration of the run folder from inside, with all that the method chapter's figures are computed from."""
    from siiq_core.analysis.workings import open_workings

    facts, results, _ = fetched(run, progress)
    calibration, record = calibrated(run)
    names = {x["slug"]: x["name"] for x in facts["models"]} | {x["id"]: x["name"] for x in record["benchmarks"]}
    return open_workings(inputs_of(run), benchmarks_of(record), record["reference"]["members"], run.params, published=calibration, results=results,
                         names=names, history=read_json(run.folder / "history.json"), require_all_reference=not run.what_if)


def method(run: Run, found: Any = None, progress: Progress = quiet) -> Outcome:
    """Workings (made now where they are not given) → method_figures.json: what the method chapter draws, as numbers."""
    from siiq_core.analysis.method_figures import method_figures

    figures = method_figures(found or workings(run, progress))
    record = {"method_version": run.version, "as_of": run.params.as_of, "what_if": dict(run.what_if), "calibration": calibrated(run)[1]["id"], **figures}
    return Outcome(run, record, {"method_figures.json": canonical_bytes(record)})


# --- value -----------------------------------------------------------------------------------------------------------


def value(run: Any, progress: Progress = quiet) -> Outcome:
    """The stored rows with every setting apart → value.json, by a method of its own (Q, D, R); `run` is of `prepare_value`."""
    from siiq_core.siblings.value.run import value_stage

    outcome = value_stage(run, progress)
    sources = [x for x in _source_facts(run.base.root) if x["id"] in {b["source"] for b in outcome.value["benchmarks"]}]
    _licensed(run.base, sources, outcome.value["benchmarks"], outcome.value["evidence"])
    return outcome


# --- percentile ------------------------------------------------------------------------------------------------------


def percentile(run: Any, progress: Progress = quiet) -> Outcome:
    """The stored rows, every board in its own snapshot → percentile.json, by a method of its own (M); `run` is of `prepare_percentile`."""
    from siiq_core.siblings.percentile.run import percentile_stage

    outcome = percentile_stage(run, progress)
    sources = [x for x in _source_facts(run.base.root) if x["id"] in {b["source"] for b in outcome.value["boards"]}]
    _licensed(run.base, sources, outcome.value["boards"], outcome.value["evidence"])
    return outcome


# --- simulation ------------------------------------------------------------------------------------------------------


def simulation(run: Any, progress: Progress = quiet) -> Outcome:
    """Made-up worlds with known abilities → simulation.json: which method finds them again; `run` is of `prepare_simulation`."""
    from siiq_core.analysis.simulation.run import simulation_stage

    return simulation_stage(run, progress)


def _source_facts(root: Path) -> list[dict[str, Any]]:
    from siiq_core.params.sources import load_sources

    return [{"id": key, "license": x.license, "license_url": x.license_url, "attribution": x.attribution} for key, x in load_sources(root).items()]


# --- reading what an earlier stage wrote -----------------------------------------------------------------------------


def fetched(run: Run, progress: Progress) -> tuple[dict[str, Any], tuple[Result, ...], dict[str, bytes]]:
    """Facts and results of the fetch stage; made now where the run folder has none for these parameters."""
    try:
        facts = read_json(run.folder / "fetch.json")
        content = (run.folder / "results.csv").read_bytes()
        fits = facts["method_version"] == run.version and facts["results_sha256"] == sha256(content)
        fits = fits and facts["as_of"] == run.params.as_of and facts["what_if"] == json.loads(json.dumps(dict(run.what_if)))
    except (FileNotFoundError, KeyError):
        fits = False
    made_now: dict[str, bytes] = {}
    if not fits:
        progress("no results for these parameters yet: reading the shipped observations")
        made_now = dict(fetch(run, progress).files)
        facts, content = json.loads(made_now["fetch.json"]), made_now["results.csv"]
    _licensed(run, facts["sources"], facts["benchmarks"])
    rows = csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""))
    results = tuple(
        Result(r["model"], r["benchmark"], float(r["score"]), cell_text(r["version"]), r["version_released"] or None, cell_text(r["setting"]),
               r["evaluator"], r["evidence"], tuple(x for x in r["flags"].split(";") if x)) for r in rows)
    return facts, results, made_now


def _licensed(run: Run, sources: Sequence[Mapping[str, Any]], benchmarks: Sequence[Mapping[str, Any]],
              evidence: Sequence[Mapping[str, Any]] = ()) -> None:
    """E2, before any file is built: a PublicationError names what has no permitting licence on record. One's own rows need none: no what-if is published."""
    from siiq_core.evidence.own import SOURCE
    from siiq_core.publish.licences import licence_checks, require

    kept = (tuple(x for x in items if x["source"] != SOURCE or not run.what_if) for items in (benchmarks, evidence))
    require(licence_checks(run.root, sources, *kept))


def _licences(sources: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"source": x["id"], "attribution": x["attribution"], "license": x["license"], "url": x["url"]} for x in sources]
