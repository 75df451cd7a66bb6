"""E2 at the door: what has no recorded, permitting licence enters no published file.

`licence_checks` looks and returns data; `require` refuses. Every stage of a run does both before it builds a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.params.benchmarks import load_benchmarks, load_excluded
from siiq_core.params.licences import NONE_STATED, Licences, folded, load_licences
from siiq_core.params.percentile import load_percentile
from siiq_core.params.sources import load_sources
from siiq_core.params.value import load_value
from siiq_core.records import Check

RULE = "E2"
_REMEDY = ("record a licence that permits it (params/sources.yml, params/benchmarks.csv; the list: params/licences.yml), or take it "
           "out and name it in params/excluded.csv; what was published before stays")


def licence_checks(root: Path, sources: Iterable[Mapping[str, Any]], benchmarks: Iterable[Mapping[str, Any]],
                   evidence: Iterable[Mapping[str, Any]] = ()) -> tuple[Check, ...]:
    """One check per source and benchmark that a file would name, and three over all of them.

    Parameters
    ----------
    sources : as in index.json: id, license, license_url, attribution
    benchmarks : as in index.json: id, source, license, license_url, license_basis
    evidence : records of evidence.jsonl: source, file and benchmark of every number that would be published
    """
    licences, sources, benchmarks = load_licences(root), tuple(sources), tuple(benchmarks)
    by_id = {x["id"]: x for x in sources}
    rows = sorted({(x["source"], x["file"], x["benchmark"]) for x in evidence})
    return (
        *(_check(f"licence of source {x['id']}", _source_fault(x, licences)) for x in sources),
        *(_check(f"licence of benchmark {x['id']}", _benchmark_fault(x, by_id, licences)) for x in benchmarks),
        _check("every number has a licence on record", _unrecorded(rows, by_id, {x["id"] for x in benchmarks})),
        _check("no number whose origin forbids reuse", _forbidden_origin(rows, root)),
        _check("licences are those on record now", _out_of_date(root, sources, benchmarks)),
    )


def require(checks: Sequence[Check]) -> None:
    """Nothing, where every blocking check passed.

    Raises
    ------
    PublicationError
        Names every source and benchmark that may not be published, why, and what would mend it.
    """
    failed = [check for check in checks if check.blocking and not check.passed]
    if failed:
        raise PublicationError("; ".join(f"{x.rule}: {x.name}: {x.notes}" for x in failed), remedy=_REMEDY)


def _check(name: str, fault: str) -> Check:
    return Check(name, RULE, not fault, fault or "permits republication")


def _fault(name: str, address: str, licences: Licences) -> str:
    """Why a recorded licence does not permit publication; "" where it does."""
    found = licences.find(name)
    if found is None:
        return f"{name!r} is no licence that params/licences.yml knows"
    listed, licence = found
    if licence.forbids:
        return f"{listed} forbids {licence.forbids}" if folded(listed) != folded(NONE_STATED) else "no licence is stated"
    if not address.startswith("https://"):
        return f"the address of its licence ({listed}) is not recorded"
    if licence.addresses and not address.startswith(licence.addresses):
        return f"its licence_url is not that of {listed}: {address}"
    wrong = next((other for other, x in licences.licences.items() if x.forbids and x.addresses and address.startswith(x.addresses)), None)
    return f"its licence_url is that of {wrong}" if wrong else ""


def _source_fault(source: Mapping[str, Any], licences: Licences) -> str:
    fault = _fault(source["license"], source["license_url"], licences)
    if not fault and licences.find(source["license"])[1].attribution and not source["attribution"].strip():
        return f"{source['license']} asks for an attribution, and none is recorded"
    return fault


def _benchmark_fault(benchmark: Mapping[str, Any], sources: Mapping[str, Mapping[str, Any]], licences: Licences) -> str:
    fault = _fault(benchmark["license"], benchmark["license_url"], licences)
    source = sources.get(benchmark["source"])
    if fault or source is None:
        return fault or f"its source {benchmark['source']} is not on record"
    if benchmark["license_basis"] == "bundle" and folded(benchmark["license"]) != folded(source["license"]):
        return f"it goes by its bundle's licence, which is {source['license'] or NONE_STATED}, not {benchmark['license']}"
    source_fault = _source_fault(source, licences)
    return f"it is read from source {source['id']}: {source_fault}" if source_fault else ""


def _unrecorded(rows: Iterable[tuple[str, str, str]], sources: Mapping[str, Any], benchmarks: set[str]) -> str:
    missing = sorted({f"source {s}" for s, _, _ in rows if s not in sources} | {f"benchmark {b}" for _, _, b in rows if b not in benchmarks})
    return f"none for {', '.join(missing)}" if missing else ""


def _forbidden_origin(rows: Iterable[tuple[str, str, str]], root: Path) -> str:
    """A bundle's licence does not help where the origin is known to forbid reuse (E2)."""
    reasons = {(x.source, x.file): f"{x.name}: {x.reason}" for x in load_excluded(root) if x.rule == RULE and x.file}
    found = sorted({f"benchmark {benchmark} is read from {file} ({reasons[source, file]})" for source, file, benchmark in rows
                    if (source, file) in reasons})
    return "; ".join(found)


def _out_of_date(root: Path, sources: Iterable[Mapping[str, Any]], benchmarks: Iterable[Mapping[str, Any]]) -> str:
    """Files of an earlier stage may be older than params/: what is recorded now decides."""
    now = {f"source {key}": (x.license, x.license_url) for key, x in load_sources(root).items()}
    own = (x.definition for x in load_value(root).sources if x.definition)
    now |= {f"benchmark {x.id}": (x.licence, x.licence_url) for x in (*load_benchmarks(root), *own)}
    now |= {f"benchmark {b.benchmark}": (b.rating.licence, b.rating.licence_url) for b in load_percentile(root).boards if b.rating}
    then = {f"source {x['id']}": (x["license"], x["license_url"]) for x in sources}
    then |= {f"benchmark {x['id']}": (x["license"], x["license_url"]) for x in benchmarks}
    changed = sorted(key for key, licence in then.items() if now.get(key) != licence)
    return f"{', '.join(changed)}: another one was on record when the results were fetched; run siiq fetch again" if changed else ""
