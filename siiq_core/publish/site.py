"""What pages are made from: the published files, and the shape of a page that is generated and not written by hand.

A generated page is one block of HTML under one heading (few headings: Sphinx then builds hundreds of them in seconds).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from siiq_core.analysis.agreement import agreement
from siiq_core.analysis.newcomers import newcomers
from siiq_core.errors import PublicationError
from siiq_core.params.agreement import load_agreement
from siiq_core.params.faults import Faults, load_faults
from siiq_core.publish.datafiles import DataFile
from siiq_core.publish.performance.record import Record, load_record, record_at
from siiq_core.publish.releases import HeldOut
from siiq_core.publish.words import Words
from siiq_core.versions import same_calibration


@dataclass(frozen=True)
class Site:
    """The published results that pages show; nothing else may stand on one."""

    index: Mapping[str, Any]  # index.json
    evidence: Mapping[tuple[str, str], Mapping[str, Any]]  # (evidence id, benchmark) → line of evidence.jsonl
    history: Mapping[str, Any]  # history.json
    facts: Mapping[str, Any]  # fetch.json: names that wait, what was left out, and why
    words: Words
    root: Path
    method: Mapping[str, Any] = field(default_factory=dict)  # method_figures.json: the calibration from inside
    scores: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)  # slug → days of history_scores.json
    value: Mapping[str, Any] = field(default_factory=dict)  # value.json
    percentile: Mapping[str, Any] = field(default_factory=dict)  # percentile.json
    intervals: Mapping[str, Any] = field(default_factory=dict)  # intervals.json
    criticism: Mapping[str, Any] = field(default_factory=dict)  # criticism.json
    agreement: Mapping[str, Any] = field(default_factory=dict)  # agreement.json, made here from the files of the run
    prediction: Mapping[str, Any] = field(default_factory=dict)  # prediction.json
    held_out: tuple[HeldOut, ...] = ()  # of every permanent release, once they are made
    simulation: Mapping[str, Any] = field(default_factory=dict)  # simulation.json
    multiverse: Mapping[str, Any] = field(default_factory=dict)  # multiverse.json
    faults: Faults | None = None  # params/faults.yml: what was tried, and the tests that show it
    performance: Record | None = None  # data/performance.json, of the project and of no run; None where none was kept
    prices: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)  # slug → records of prices.json; empty without the file
    site_url: str = ""  # where the site stands, without a language; "" where that is not known
    files: tuple[DataFile, ...] = ()  # all that stands below data/, once it is whole
    dispute_url: str = ""  # of _config.yml: where a number is disputed, with {evidence}, {model}, {benchmark} to fill in

    def model(self, slug: str) -> Mapping[str, Any]:
        """A model of the index by its slug."""
        return next(m for m in self.index["models"] if m["slug"] == slug)


@dataclass(frozen=True)
class Generated:
    """One generated page in one language."""

    name: str  # address without language and ending, e.g. "models/claude-opus-5"
    title: str  # plain text; foreign names as they are
    body: str  # HTML; links are relative to the page's own folder
    parent: str  # the hand-written page it stands under in the contents, e.g. "ranking"


def load_site(index: Mapping[str, Any], run_dir: Path, root: Path, words: Words, site_url: str = "") -> Site:
    """The site of a finished run; a missing or torn file is a PublicationError, and so is a setting that is none."""
    try:
        lines = (run_dir / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]
        evidence = {(x["id"], x["benchmark"]): x for x in map(json.loads, lines)}
        history, facts, curves = (json.loads((run_dir / name).read_text(encoding="utf-8")) for name in ("history.json", "fetch.json", "history_scores.json"))
        scores = {x["slug"]: x["days"] for x in curves["models"]}
        prices = _prices(run_dir / "prices.json")
        method, prediction = (_of_calibration(index, run_dir / f"{name}.json") for name in ("method_figures", "prediction"))
        value, percentile = (_sibling(index, run_dir / f"{name}.json") for name in ("value", "percentile"))
        intervals, criticism = (_study(index, run_dir / f"{name}.json") for name in ("intervals", "criticism"))
        simulation = _simulation(index, run_dir / "simulation.json")
        multiverse = _sibling(index, run_dir / "multiverse.json", ())  # may be of an earlier day: its page says of which
    except (OSError, ValueError, KeyError) as error:
        raise PublicationError(f"the run is not whole ({error})", file=run_dir.name, remedy="run the stages first (siiq run)") from error
    return Site(index, evidence, history, facts, words, root, method, scores, value=value, percentile=percentile, intervals=intervals, criticism=criticism, prediction=prediction, simulation=simulation, prices=prices, site_url=site_url, dispute_url=_dispute_url(root),
                agreement=_agreement(index, percentile, value, facts, root), multiverse=multiverse, faults=load_faults(root), performance=load_record(record_at(root)))


def _of_calibration(index: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """A file about the calibration that the index rests on, of the index's day, and of no what-if run."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if (found["calibration"], found["as_of"]) != (index["calibration"]["id"], index["as_of"]) or found.get("what_if"):
        raise ValueError(f"{path.name} goes with another index: another calibration or day, or a what-if run")
    return found


def _sibling(index: Mapping[str, Any], path: Path, shared: Sequence[str] = ("as_of", "method_version")) -> Mapping[str, Any]:
    """What a stage beside the index published, of the index's day and method version, and no what-if run."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if any(found[key] != index[key] for key in shared) or "what_if" in found:
        raise ValueError(f"{path.name} goes with another index (day or version), or is a what-if run")
    return found


def _simulation(index: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """The simulation of the index's method, whatever the day: no publisher's results are in it."""
    found = _sibling(index, path, ())
    if not same_calibration(found["method_version"], index["method_version"]):
        raise ValueError(f"{path.name} is of another version of the method")
    return found


def _study(index: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """A study of the calibration that the index rests on: made from the same inputs, whatever the day, and no what-if run."""
    found = json.loads(path.read_text(encoding="utf-8"))
    same = found["inputs_sha256"] == index["calibration"]["inputs_sha256"] and same_calibration(found["method_version"], index["method_version"])
    if not same or "what_if" in found:
        raise ValueError(f"{path.name} is of another calibration or version, or a what-if run")
    return found


def _agreement(index: Mapping[str, Any], percentile: Mapping[str, Any], value: Mapping[str, Any], facts: Mapping[str, Any], root: Path) -> Mapping[str, Any]:
    """agreement.json: the methods side by side, from what each of them published."""
    params = load_agreement(root)
    return {"method_version": index["method_version"], "as_of": index["as_of"], **agreement(index, percentile, value, facts["eci"], params), "newcomers": newcomers(index, percentile, params)}


def _prices(path: Path) -> dict[str, list[Mapping[str, Any]]]:
    """prices.json by model, in its order; nothing where the run made none."""
    out: dict[str, list[Mapping[str, Any]]] = {}
    for price in json.loads(path.read_text(encoding="utf-8"))["prices"] if path.is_file() else ():
        out.setdefault(price["model"], []).append(price)
    return out


def _dispute_url(root: Path) -> str:
    """The setting `dispute_url`: empty, or a web address with {evidence} in it, and no other slot than the three."""
    url = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")).get("dispute_url") or ""
    slots = set(re.findall(r"\{(\w*)\}", url))
    if url and not (re.fullmatch(r"https?://[^\s<>\"']+", url) and {"evidence"} <= slots <= {"evidence", "model", "benchmark"}):
        raise PublicationError("is no address that carries an evidence id", file="_config.yml", column="dispute_url", value=url,
                               remedy="leave it empty, or give an https address with {evidence}, and {model} and {benchmark} if wanted")
    return url
