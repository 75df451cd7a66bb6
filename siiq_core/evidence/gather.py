"""The direct build of the newest snapshots: accepted results and all that a calibration and an index need of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siiq_core.evidence.effective_n import effective_n
from siiq_core.evidence.identity import NameIndex
from siiq_core.evidence.inbox import inbox_records, since_first_seen
from siiq_core.evidence.observations import evidence_id
from siiq_core.evidence.shelf import Progress, Shelf, open_shelf
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.method import MethodParams
from siiq_core.params.sources import SourceSpec
from siiq_core.records import LeftOut, Model, Reading, Result, Snapshot, WaitingName


@dataclass(frozen=True)
class Evidence:
    """All that a calibration and an index need of the sources; every sequence in a canonical order."""

    results: tuple[Result, ...]
    evidence: tuple[Mapping[str, Any], ...]  # one record per result (evidence.jsonl), by id
    models: Mapping[str, Model]  # by slug
    benchmarks: tuple[Mapping[str, Any], ...]  # configured ones, n resolved, in the order of params/benchmarks.csv
    sources: tuple[Mapping[str, Any], ...]
    reference: Mapping[str, Any]
    inbox: tuple[WaitingName, ...]  # names that wait, with their rows (I4)
    waiting: tuple[Mapping[str, Any], ...]  # the same as status.json lists them
    left_out: tuple[Mapping[str, Any], ...]  # rows not used: rule, reason, benchmark, source, row's evidence id
    reports: tuple[str, ...]  # what a person should look at
    eci: Mapping[str, float]  # slug → Epoch's own index, for comparison only


def gather(root: Path, params: MethodParams, progress: Progress = lambda text: None) -> Evidence:
    """Read what ships up to ``params.as_of`` and select one result per model and benchmark.

    Raises
    ------
    SourceError, DataError, DefinitionChange, ParameterError
        Name the file, row and column; nothing is written here.
    """
    return gather_from(open_shelf(root, params, progress), params)


def gather_from(shelf: Shelf, params: MethodParams) -> Evidence:
    """The direct build of the newest snapshots on the shelf."""
    newest = shelf.newest()
    rows = [reading for read in newest.values() for reading in read.rows]
    resolved = [questions(spec, rows, params) for spec in shelf.specs]
    results = tuple(sorted((r for read in newest.values() for r in read.selection.results), key=lambda r: (r.model, r.benchmark)))
    left_out = [out for read in newest.values() for out in (*read.left_out, *read.selection.left_out)]
    inbox = since_first_seen(sorted((w for read in newest.values() for w in read.selection.waiting), key=lambda w: (w.source, w.name)),
                             (reading for reads in (*shelf.reads.values(), tuple(shelf.live.values())) for read in reads for reading in read.rows))
    return Evidence(
        results=results, evidence=tuple(sorted((x for read in newest.values() for x in read.selection.evidence), key=lambda x: x["id"])), models=shelf.index.models,
        benchmarks=tuple(_benchmark_facts(spec, facts, results, params) for spec, facts in zip(shelf.specs, resolved, strict=True)),
        sources=tuple(_source_facts(spec, newest[key].snapshot if key in newest else shelf.apart.get(key)) for key, spec in shelf.sources.items()),
        reference=shelf.group.as_published(), inbox=inbox, waiting=tuple(inbox_records(inbox)),
        left_out=_left_out_facts(left_out), reports=(*_reports(shelf.index), *_idle_decisions(shelf)), eci=_eci(shelf.table, shelf.index),
    )


def snapshot_facts(shelf: Shelf) -> tuple[Mapping[str, Any], ...]:
    """Per source with a snapshot: its day, the data rows of the files that are read, and the share of them that is kept.

    A row is kept where a score is read from it, or, of a source of no benchmark, where its cells are stored.
    """
    facts, newest = [], shelf.newest()
    for key in shelf.sources:
        read, apart = newest.get(key), shelf.apart.get(key)
        if read is None and apart is None:
            continue
        snapshot = read.snapshot if read else apart
        seen = [r.observation for r in read.rows] if read else snapshot.observations
        files = {x.file for x in seen}
        rows = sum(file.rows for name, file in snapshot.files.items() if name in files)
        kept = len({(x.file, x.line) for x in seen})
        facts.append({"source": key, "snapshot": snapshot.day, "snapshots": len(shelf.reads.get(key, ())) + (key in shelf.live) or 1, "rows": rows, "kept_share": round(kept / rows, 4) if rows else None})
    return tuple(facts)


def configuration(specs: Sequence[BenchmarkSpec]) -> Mapping[str, Mapping[str, Any]]:
    """Benchmark id → where its scores stand and how the cells are read (T4, T3), as params/benchmarks.csv has it."""
    names = ("file", "score_column", "scale", "filter", "error_column", "error_kind")
    return {spec.id: {name: getattr(spec, name) for name in names} for spec in specs}


def questions(spec: BenchmarkSpec, readings: Sequence[Reading], params: MethodParams) -> int:
    """T3: the number of questions in use."""
    if spec.n_kind == "effective":
        own = [r for r in readings if r.benchmark == spec.id]
        return effective_n(own, spec.id, spec.file) if own else params.assumed_n
    return params.assumed_n if spec.n_kind == "assumed" else int(spec.n or params.assumed_n)


def _benchmark_facts(spec: BenchmarkSpec, n: int, results: Sequence[Result], params: MethodParams) -> dict[str, Any]:
    facts = {name: getattr(spec, name) for name in ("id", "name", "area", "family", "evaluator", "source", "g", "c", "n_kind", "address")}
    reason = None
    if params.licence_policy == "strict" and spec.licence_basis != "evaluator":
        reason = "E2"
    elif not any(r.benchmark == spec.id for r in results):
        reason = "no results"
    return {**facts, "n": n, "license": spec.licence, "license_url": spec.licence_url, "license_basis": spec.licence_basis, "reason": reason}


def _source_facts(spec: SourceSpec, snapshot: Snapshot | None) -> dict[str, Any]:
    return {"id": spec.id, "name": spec.name, "url": spec.url, "license": spec.license, "license_url": spec.license_url,
            "attribution": spec.attribution, "archived": spec.archived,
            "snapshot": snapshot.day if snapshot else None, "sha256": snapshot.sha256 if snapshot else None}


def _left_out_facts(left_out: Sequence[LeftOut]) -> tuple[Mapping[str, Any], ...]:
    facts = [{"rule": x.rule, "reason": x.reason, "benchmark": x.benchmark, "source": x.observation.source, "file": x.observation.file,
              "row": evidence_id(x.observation)} for x in left_out]
    return tuple(sorted(facts, key=lambda x: tuple(x.values())))


def _reports(index: NameIndex) -> tuple[str, ...]:
    odd = [f"I1: {x.version}: {x.reason()}" for x in index.odd_versions]
    void = [f"I2: key {key!r} is void: it could name {', '.join(named)}" for key, named in sorted(index.void_keys.items())]
    return (*odd, *void)


def _idle_decisions(shelf: Shelf) -> tuple[str, ...]:
    """Decisions about names that no stored or accepted row of their source has (I4): a slip of the pen, or of a row that is yet to come."""
    rows = [(read.snapshot.source, r) for reads in (*shelf.reads.values(), tuple(shelf.live.values())) for read in reads for r in read.rows]
    seen = {(source, name.strip()) for source, r in rows for name in (r.name, r.origin_name)}
    return tuple(f"I4: decided, and no row of {source} has it: {name!r}" for source, name in sorted(shelf.index.decisions) if source in shelf.reads and (source, name) not in seen)


def _eci(table: Sequence[Any], index: NameIndex) -> dict[str, float]:
    """Slug → Epoch's own index of the model: the best of its versions, as with results (P1); versions that I1 leaves out are none of it."""
    odd = {x.version for x in index.odd_versions}
    by_group: dict[str, float] = {}
    for line in table:
        if line.eci is not None and line.version.strip() not in odd:
            group = line.group.strip()
            by_group[group] = max(line.eci, by_group.get(group, line.eci))
    return {slug: by_group[model.name] for slug, model in index.models.items() if model.name in by_group}
