"""From the shipped observations to accepted results: snapshots → readings → deduplication → identity → selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siiq_core.errors import ParameterError, SourceError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.effective_n import effective_n
from siiq_core.evidence.identity import NameIndex, build_index
from siiq_core.evidence.inbox import inbox_records, since_first_seen
from siiq_core.evidence.observations import evidence_id, load_snapshot, snapshots
from siiq_core.evidence.selection import select
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.epoch import Epoch
from siiq_core.params.benchmarks import BenchmarkSpec, load_benchmarks
from siiq_core.params.method import MethodParams
from siiq_core.params.names import load_decisions, load_names, load_registry
from siiq_core.params.reference_group import check_registered, load_reference_group
from siiq_core.params.sources import SourceSpec, load_sources
from siiq_core.records import LeftOut, Model, Reading, Result, Snapshot

TABLE_OF_MODELS = "epoch"  # I1: models are Epoch AI's groups


@dataclass(frozen=True)
class Evidence:
    """All that a calibration and an index need of the sources; every sequence in a canonical order."""

    results: tuple[Result, ...]
    evidence: tuple[Mapping[str, Any], ...]  # one record per result (evidence.jsonl), by id
    models: Mapping[str, Model]  # by slug
    benchmarks: tuple[Mapping[str, Any], ...]  # configured ones, n resolved, in the order of params/benchmarks.csv
    sources: tuple[Mapping[str, Any], ...]
    reference: Mapping[str, Any]
    waiting: tuple[Mapping[str, Any], ...]  # inbox records (I4)
    left_out: tuple[Mapping[str, Any], ...]  # rows not used: rule, reason, benchmark, source, row's evidence id
    reports: tuple[str, ...]  # what a person should look at
    eci: Mapping[str, float]  # slug → Epoch's own index, for comparison only


def gather(root: Path, params: MethodParams, progress: Callable[[str], None] = lambda text: None) -> Evidence:
    """Read what ships up to ``params.as_of`` and select one result per model and benchmark.

    Raises
    ------
    SourceError, DataError, DefinitionChange, ParameterError
        Name the file, row and column; nothing is written here.
    """
    sources, specs, names = load_sources(root), load_benchmarks(root), load_names(root)
    registry = load_registry(root)
    used = {key: day for key in sources if (day := _newest(snapshots(key, root), params.as_of))}
    if TABLE_OF_MODELS not in used:
        raise ParameterError("no snapshot with a table of models up to this day", column="as_of", value=params.as_of,
                             remedy=f"the oldest is of {next(iter(snapshots(TABLE_OF_MODELS, root)), 'no day at all')}")
    read: dict[str, Snapshot] = {}
    for key, day in used.items():
        progress(f"{key}: snapshot of {day}")
        read[key] = load_snapshot(key, day, root)
    table = _newest_table(root, sources, read)
    index = build_index(table, names, registry, load_decisions(root))
    group = load_reference_group(root)
    check_registered(group, registry)

    rows: list[Reading] = []
    left_out: list[LeftOut] = []
    for key, snapshot in read.items():
        found, out = adapter(key, sources).readings(snapshot, specs)
        rows += found
        left_out += out
    resolved = [_resolve(spec, rows, params) for spec in specs]  # T3 speaks of rows: duplicates are still among them
    readings, doubled = deduplicate(rows)
    left_out += doubled
    files = {(key, s.day, name): file for key, s in read.items() for name, file in s.files.items()}
    chosen = select(readings, index, specs, names, params.licence_policy, files)
    waiting = since_first_seen(chosen.waiting, _history(root, sources, specs, read, readings))
    left_out += chosen.left_out
    return Evidence(
        results=chosen.results, evidence=chosen.evidence, models=index.models,
        benchmarks=tuple(_benchmark_facts(spec, facts, chosen.results, params) for spec, facts in zip(specs, resolved, strict=True)),
        sources=tuple(_source_facts(spec, read.get(key)) for key, spec in sources.items()),
        reference=group.as_published(), waiting=tuple(inbox_records(waiting)),
        left_out=_left_out_facts(left_out), reports=_reports(index), eci=_eci(table, index),
    )


def _newest(days: Sequence[str], as_of: str) -> str | None:
    return next((day for day in reversed(days) if day <= as_of), None)


def _newest_table(root: Path, sources: Mapping[str, SourceSpec], read: Mapping[str, Snapshot]) -> tuple:
    """The newest table names the models of every day, so that history does not jump when a group is renamed."""
    newest = snapshots(TABLE_OF_MODELS, root)[-1]
    snapshot = read[TABLE_OF_MODELS]
    if snapshot.day != newest:
        snapshot = load_snapshot(TABLE_OF_MODELS, newest, root)
    reader = adapter(TABLE_OF_MODELS, sources)
    assert isinstance(reader, Epoch)
    return reader.model_table(snapshot)


def _history(root: Path, sources: Mapping[str, SourceSpec], specs: Sequence[BenchmarkSpec], read: Mapping[str, Snapshot],
             readings: Sequence[Reading]) -> list[Reading]:
    """Readings of all stored snapshots up to those in use: only to say since when a name waits."""
    out = list(readings)
    for key, snapshot in read.items():
        reader = adapter(key, sources)
        for day in snapshots(key, root):
            if day < snapshot.day:
                try:
                    out += reader.readings(load_snapshot(key, day, root), specs)[0]
                except SourceError:
                    continue  # an older file may define a benchmark otherwise; it says nothing about today's names
    return out


def _resolve(spec: BenchmarkSpec, readings: Sequence[Reading], params: MethodParams) -> int:
    """T3: the number of questions in use."""
    if spec.n_kind == "effective":
        own = [r for r in readings if r.benchmark == spec.id]
        return effective_n(own) if own else params.assumed_n
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


def _eci(table: Sequence[Any], index: NameIndex) -> dict[str, float]:
    by_group = {line.group.strip(): line.eci for line in table if line.eci is not None}
    return {slug: by_group[model.name] for slug, model in index.models.items() if model.name in by_group}
