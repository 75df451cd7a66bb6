"""Which reading counts (E1, E2), and which one score of a model on a benchmark is used (P1, P2)."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import DataError
from siiq_core.evidence.folding import product_words
from siiq_core.evidence.identity import Match, NameIndex, Unmatched, canonical_developers
from siiq_core.evidence.inbox import waiting_names
from siiq_core.evidence.observations import evidence_id
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.names import Names
from siiq_core.records import LeftOut, Reading, Result, SourceFile, WaitingName

Files = Mapping[tuple[str, str, str], SourceFile]  # (source, snapshot day, file name) → the file

# What re-read a number of the shipped data (U2): nobody.
NOT_CHECKED: Mapping[str, Any] = {"who": "none", "when": None, "outcome": "shipped, not AI-checked"}


@dataclass(frozen=True, slots=True)
class Selection:
    """One result per (model, benchmark), and everything that is none, with its reason."""

    results: tuple[Result, ...]  # by model, benchmark
    left_out: tuple[LeftOut, ...]  # by benchmark, evidence id
    waiting: tuple[WaitingName, ...]  # by source, name
    evidence: tuple[Mapping[str, Any], ...]  # one record per result (files.md, evidence.jsonl), by id


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading that counts, with the model it is of."""

    reading: Reading
    match: Match
    setting: str  # effort column before suffix; names.yml's default where there is neither
    flags: tuple[str, ...]
    evidence: str

    @property
    def version(self) -> str:
        """The version id; the name as written where it tells the model only."""
        return self.match.version or self.reading.name or self.reading.origin_name

    def rank(self) -> tuple:
        """Smallest first: best score, newest version (unknown day is oldest), setting, version, evidence id (P1)."""
        day = self.match.released
        age = -datetime.date.fromisoformat(day).toordinal() if day else 0
        return -self.reading.score, age, self.setting, self.version, self.evidence


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may count, before one result of each model and benchmark is chosen (P1)."""

    by_pair: Mapping[tuple[str, str], list[Candidate]]  # (slug, benchmark) → in no order
    left_out: tuple[LeftOut, ...]
    waiting: tuple[tuple[str, str, Reading], ...]  # name, reason, reading


def select(readings: Iterable[Reading], index: NameIndex, benchmarks: Iterable[BenchmarkSpec], names: Names,
           licence_policy: str, files: Files) -> Selection:
    """Readings → results. The order of the readings does not matter.

    Parameters
    ----------
    readings : deduplicated readings of one snapshot per source
    benchmarks : the configured ones; a reading of any other is a DataError
    licence_policy : "all", or "strict": benchmarks licensed by their own evaluator only (E2)
    files : where each observation's file is from, for the evidence
    """
    specs = {spec.id: spec for spec in benchmarks}
    found = candidates(readings, index, specs.values(), names, licence_policy)
    left_out = list(found.left_out)
    results, records = [], []
    for (slug, benchmark), ranked in sorted((pair, sorted(c, key=Candidate.rank)) for pair, c in found.by_pair.items()):
        best = ranked[0]
        results.append(_result(best, slug, benchmark, specs[benchmark].evaluator))
        records.append(_record(best, results[-1], files))
        for other in ranked[1:]:  # P1
            reason = f"{best.version} at {best.setting} is used: {_why(best, other)}"
            left_out.append(LeftOut("P1", reason, other.reading.observation, benchmark))
    return Selection(
        results=tuple(results),
        left_out=tuple(sorted(left_out, key=lambda out: (out.benchmark, evidence_id(out.observation), out.rule))),
        waiting=waiting_names(found.waiting),
        evidence=tuple(sorted(records, key=lambda record: record["id"])),
    )


def candidates(readings: Iterable[Reading], index: NameIndex, benchmarks: Iterable[BenchmarkSpec], names: Names,
               licence_policy: str) -> Candidates:
    """Every reading that counts (E1, E2), by model and benchmark, and the others with their reasons; all settings are kept."""
    specs = {spec.id: spec for spec in benchmarks}
    matches: dict[tuple[str, str], Match | Unmatched] = {}
    left_out: list[LeftOut] = []
    waiting: list[tuple[str, str, Reading]] = []
    by_pair: dict[tuple[str, str], list[Candidate]] = {}
    for reading in readings:
        spec = specs.get(reading.benchmark)
        if spec is None:
            raise DataError("a reading of a benchmark that is not configured", file=reading.observation.file,
                            row=reading.observation.line, value=reading.benchmark, remedy="add it to params/benchmarks.csv")
        name = reading.name or reading.origin_name  # a row without a version waits under its name at the origin
        key = (reading.observation.source, name)
        if key not in matches:
            matches[key] = index.match(*key)
        found = matches[key]
        if isinstance(found, Unmatched) and found.waits:
            waiting.append((name, found.reason, reading))
            continue
        if early := _before_release(reading, found):
            waiting.append((name, early, reading))
            continue
        refused = _refusal(reading, found, spec, index, names, licence_policy)
        if refused is not None:
            left_out.append(LeftOut(*refused, reading.observation, reading.benchmark))
            continue
        setting, flags = _setting(reading, found, names)
        by_pair.setdefault((found.slug, spec.id), []).append(
            Candidate(reading, found, setting, flags, evidence_id(reading.observation)))
    return Candidates(by_pair, tuple(left_out), tuple(waiting))


def _before_release(reading: Reading, found: Match | Unmatched) -> str:
    """I2: why a name read as text cannot mean the version it folds to; "" where it can.

    The newest table names the models of every day, and an undated name ("deepseek-chat") may have moved on to a version
    that did not exist yet when the row was observed. (choice) Such a name waits; a person's decision stands above this.
    """
    day = reading.observation.snapshot[:10]
    if isinstance(found, Unmatched) or found.how in ("version id", "decision") or not found.released or found.released <= day:
        return ""
    return f"it would mean {found.slug}, released on {found.released}, after this snapshot"


def _refusal(reading: Reading, found: Match | Unmatched, spec: BenchmarkSpec, index: NameIndex, names: Names,
             licence_policy: str) -> tuple[str, str] | None:
    """The rule and the reason that keep a reading out; None where it counts."""
    if isinstance(found, Unmatched):
        return found.rule, found.reason
    if licence_policy == "strict" and spec.licence_basis != "evaluator":  # E2
        return "E2", f"licensed by the {spec.licence_basis}, not by the evaluator"
    model = index.models[found.slug]
    own = set(names.evaluator_owns.get(spec.evaluator, ())) & set(canonical_developers(model.developer, names))
    if own:  # E1
        return "E1", f"{spec.evaluator} builds models of {', '.join(sorted(own))}"
    tiers = product_words(_hyphenated(reading.setting), names) - set(names.settings)
    foreign = tiers - product_words(_hyphenated(model.name), names)
    if foreign:  # P2: the effort column names a tier that the model's name does not have
        return "P2", f"run as {', '.join(sorted(foreign))}, which is another model than {model.name}"
    return None


def _hyphenated(text: str) -> str:
    return "-".join(text.casefold().replace("_", " ").replace("-", " ").split())


def _setting(reading: Reading, found: Match, names: Names) -> tuple[str, tuple[str, ...]]:
    """Effort column before suffix; where both say something and it differs, a flag ("unknown" says nothing)."""
    column = reading.setting.strip()
    setting = column or found.setting or names.default_setting
    if column and found.setting not in ("", "unknown", column.casefold()):
        flag = "effort column and suffix differ"
        return setting, tuple(sorted({*reading.flags, flag}))
    return setting, tuple(sorted(set(reading.flags)))


def _result(best: Candidate, slug: str, benchmark: str, evaluator: str) -> Result:
    return Result(
        model=slug, benchmark=benchmark, score=best.reading.score, version=best.version,
        version_released=best.match.released, setting=best.setting, evaluator=evaluator, evidence=best.evidence,
        flags=best.flags,
    )


def _why(best: Candidate, other: Candidate) -> str:
    if best.reading.score != other.reading.score:
        return "it scored higher"
    return "equal score, newer version" if best.match.released != other.match.released else "equal score, first by name"


def _record(best: Candidate, result: Result, files: Files) -> dict[str, Any]:
    """One line of evidence.jsonl (U12)."""
    seen = best.reading.observation
    file = files[seen.source, seen.snapshot, seen.file]
    return {
        "id": result.evidence, "model": result.model, "benchmark": result.benchmark, "source": seen.source,
        "file": seen.file, "url": file.url, "copy": file.copy, "sha256": file.sha256, "snapshot": seen.snapshot,
        "observed_at": seen.snapshot, "line": seen.line, "row": dict(sorted(seen.row.items())), "version": result.version, "setting": result.setting,
        "checker": dict(NOT_CHECKED),
    }
