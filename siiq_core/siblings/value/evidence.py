"""The same evidence as SI-IQ's, with every setting kept apart: rows that count (E1, E2), models (I), prices (Q1, D1, D3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import DataError, ParameterError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.identity import TABLE_SOURCE, NameIndex, build_index, canonical_developers
from siiq_core.evidence.numbers import NotANumber, plain_number, significant
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.prices import ANOTHER_VERSION, DOUBTFUL, read_prices
from siiq_core.evidence.selection import Candidate, candidates
from siiq_core.evidence.shelf import table_beside
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.method import MethodParams
from siiq_core.params.names import load_decisions, load_names, load_registry
from siiq_core.params.prices import SOURCES as PRICE_SOURCES
from siiq_core.params.sources import load_sources
from siiq_core.params.value import ValueParams, ValueSource, value_specs
from siiq_core.records import LeftOut, Price, Reading, Snapshot, SourceFile
from siiq_core.siblings.value.records import Evidence, ListPrice, ModelFacts, Row

UNKNOWN_COST, ANOTHER_SETTING = "cost 0 says unknown", "effort column and suffix differ"  # flags


def open_evidence(root: Path, method: MethodParams, params: ValueParams) -> Evidence:
    """The newest snapshot of each source up to ``method.as_of``, read for the value method.

    Raises
    ------
    SourceError, DataError, DefinitionChange, ParameterError
        Name the file, row and column.
    """
    sources, names = load_sources(root), load_names(root)
    specs = value_specs(root, params, sources)
    readings: list[Reading] = []
    loaded: dict[str, Snapshot] = {}
    left: list[LeftOut] = []
    days: dict[str, str] = {}
    for key in dict.fromkeys(spec.source for spec in specs.values()):
        stored = [day for day in snapshots(key, root) if day <= method.as_of]
        if not stored:
            continue
        days[key] = stored[-1]
        snapshot = loaded[key] = load_snapshot(key, stored[-1], root)
        read, out = adapter(key, sources).readings(snapshot, [s for s in specs.values() if s.source == key])
        kept, doubled = deduplicate(read)
        readings += kept
        left += [*out, *doubled]
    if TABLE_SOURCE not in loaded:
        raise ParameterError("no snapshot with a table of models up to this day", column="as_of", value=method.as_of, remedy="name a later day")
    index = build_index(table_beside(root, sources, loaded[TABLE_SOURCE]), names, load_registry(root), load_decisions(root))
    files = {key: snapshot.files for key, snapshot in loaded.items()}
    chosen = candidates(readings, index, specs.values(), names, method.licence_policy)
    missing = next(iter(sources.values())).common.missing
    found = [c for group in chosen.by_pair.values() for c in group]
    rows, more = variant_rows(found, params, specs, missing)
    used = {x.evidence for x in rows}
    told = {x.model for x in rows}
    stated = read_prices(root, index, method.as_of).prices
    prices = list_prices(stated)
    return Evidence(
        rows=rows, models={slug: _facts(slug, index, [p for p in stated if p.model == slug]) for slug in sorted(told)}, prices={slug: prices[slug] for slug in sorted(prices) if slug in told},
        snapshots=days, raw={c.evidence: _raw(c, files) for c in found if c.evidence in used}, left_out=(*left, *chosen.left_out, *more), waiting=dict(sorted(Counter(r.benchmark for _, _, r in chosen.waiting).items())),
    )


def variant_rows(found: Iterable[Candidate], params: ValueParams, specs: Mapping[str, BenchmarkSpec],
                 missing: Iterable[str]) -> tuple[tuple[Row, ...], list[LeftOut]]:
    """One row a variant and benchmark, sorted. Where two versions of a model ran at one setting, the higher score counts (P1)."""
    settings = {source.benchmark: source for source in params.sources}
    groups: dict[tuple[str, str, str], list[Candidate]] = {}
    for c in found:
        groups.setdefault((c.match.slug, setting_of(c, params), c.reading.benchmark), []).append(c)
    rows, left = [], []
    for (slug, setting, benchmark), group in sorted(groups.items()):
        best, *others = sorted(group, key=Candidate.rank)
        read = [_row(c, slug, setting, settings[benchmark], specs[benchmark], params, tuple(missing)) for c in (best, *others)]  # a bad cell of any is refused
        rows.append(read[0])
        left += [LeftOut("P1", f"{best.version} at {setting} is used", c.reading.observation, benchmark) for c in others]
    return tuple(sorted(rows, key=lambda r: (r.benchmark, r.variant))), left


def _raw(c: Candidate, files: Mapping[str, Mapping[str, SourceFile]]) -> dict[str, Any]:
    """Where a row stands, and its cells, for a reader who traces a number (U12)."""
    seen = c.reading.observation
    file = files[seen.source][seen.file]
    return {"id": c.evidence, "benchmark": c.reading.benchmark, "source": seen.source, "snapshot": seen.snapshot, "file": seen.file, "line": seen.line,
            "url": file.url, "copy": file.copy, "sha256": file.sha256, "row": dict(sorted(seen.row.items()))}


def setting_of(candidate: Candidate, params: ValueParams) -> str:
    """The effort: the column before the suffix (Q1), in the words of params/names.yml."""
    text = " ".join(candidate.setting.casefold().split())
    return params.effort_words.get(text, text)


def _row(c: Candidate, slug: str, setting: str, source: ValueSource, spec: BenchmarkSpec, params: ValueParams, missing: tuple[str, ...]) -> Row:
    flags = [flag for flag in c.flags if flag != ANOTHER_SETTING]
    if c.reading.setting.strip() and c.match.setting not in ("", "unknown", setting):
        flags.append(ANOTHER_SETTING)  # the column wins
    cost = _cost(c.reading, source, missing)
    if cost == 0:
        flags.append(UNKNOWN_COST)
    return Row(spec.id, source.family, slug, setting, c.reading.score, _error(c.reading, source, spec, params, missing), cost or None,
               bool(source.cost and source.cost.comparable), c.evidence, c.version, tuple(sorted(flags)))


def _cost(reading: Reading, source: ValueSource, missing: tuple[str, ...]) -> float | None:
    """D1: US dollars per task; 0 says unknown, and a negative amount is refused."""
    if source.cost is None:
        return None
    total = _amount(reading, source.cost.column, missing)
    tasks = _amount(reading, source.cost.tasks, missing) if source.cost.tasks else 1.0
    if not total or not tasks:
        return total and 0.0
    cost = total / tasks
    if not math.isfinite(cost):
        raise DataError(f"a cost of {reading.benchmark} is beyond all numbers", file=reading.observation.file, row=reading.observation.line, column=source.cost.column,
                        value=f"{total:g} for {tasks:g} tasks", remedy="mend the cells, or get the file again")
    return significant(cost)


def _error(reading: Reading, source: ValueSource, spec: BenchmarkSpec, params: ValueParams, missing: tuple[str, ...]) -> float | None:
    """Q6: the sampling standard error as a fraction; run-to-run scatter and implausible columns are none."""
    if source.interval:
        return _from_interval(reading, source.interval, spec, params, missing)
    if spec.error_kind == "95% half-width":
        half = _amount(reading, spec.error_column, missing)
        return significant(half * spec.scale / params.z95) if half else None  # 0 says nothing
    return reading.se


def _from_interval(reading: Reading, columns: tuple[str, str], spec: BenchmarkSpec, params: ValueParams, missing: tuple[str, ...]) -> float | None:
    low, high = (_amount(reading, column, missing) for column in columns)
    if low is None or high is None:
        return None
    place = {"file": reading.observation.file, "row": reading.observation.line, "column": f"{columns[0]}, {columns[1]}", "value": f"{low:g} to {high:g}"}
    if low > high:
        raise DataError(f"the ends of an interval of {spec.id} are swapped", **place, remedy="mend the cells, or swap the columns in params/value.yml")
    if not low * spec.scale <= reading.score <= high * spec.scale:
        raise DataError(f"an interval of {spec.id} lies beside its own score {reading.score:g}", **place,
                        remedy="mend the cells, or name the columns of this score in params/value.yml")
    return significant((high - low) / 2 * spec.scale / params.z95) or None


def _amount(reading: Reading, column: str, missing: tuple[str, ...]) -> float | None:
    """A cell as a number of 0 or more; None where it says nothing."""
    cell = reading.observation.row.get(column, "").strip()
    if cell in missing:
        return None
    place = {"file": reading.observation.file, "row": reading.observation.line, "column": column, "value": cell}
    try:
        amount = float(plain_number(cell, percent_sign=False))
    except NotANumber as error:
        raise DataError(f"an amount of {reading.benchmark} {error}", **place, remedy="mend the cell, or get the file again") from error
    if amount < 0:
        raise DataError(f"an amount of {reading.benchmark} is negative", **place, remedy="mend the cell; an empty cell says unknown")
    return amount


# --- models and prices -------------------------------------------------------------------------------------------------


def list_prices(found: Iterable[Price]) -> dict[str, ListPrice]:
    """One list price a model: the newest statement of its plain name, LiteLLM's before others of that day. One in a doubtful unit is none."""
    own: dict[str, list[Price]] = {}
    for price in found:
        if ANOTHER_VERSION not in price.flags and DOUBTFUL not in price.flags and price.tiers[0].input > 0:  # free: nothing to estimate from
            own.setdefault(price.model, []).append(price)
    out = {}
    for slug, told in own.items():
        best = max(told, key=lambda p: (p.date, -PRICE_SOURCES.index(p.source)))
        out[slug] = ListPrice(best.tiers[0].input, best.tiers[0].cached_input, best.tiers[0].output, best.source)
    return out


def _facts(slug: str, index: NameIndex, told: list[Price]) -> ModelFacts:
    model = index.models[slug]
    contexts = [p.context for p in told if p.context is not None]
    weights = model.access.startswith("Open weights") if model.access else any(p.open_weights for p in told)
    return ModelFacts(slug, model.name, tuple(canonical_developers(model.developer, index.names)), weights, max(contexts, default=None))
