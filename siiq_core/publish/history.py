"""history.json: what was accepted on each day, as changes against the day before (V4, files.md).

A day is one on which any source has a snapshot. Its inputs are the direct build of the snapshots in force on it (of
each source the newest up to that day) under today's rules, names and decisions: no gate, so nothing is held, frozen or
kept. A row that is set aside (data.md, Duplicates) gives no result on that day, where the gate would keep the last
accepted value, and a row that left an archived source is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from siiq_core import __version__
from siiq_core.errors import PublicationError
from siiq_core.evidence.numbers import iso_day
from siiq_core.evidence.observations import row_key
from siiq_core.evidence.own import is_own
from siiq_core.evidence.shelf import Progress, Read, Shelf, open_shelf
from siiq_core.params.method import MethodParams
from siiq_core.records import Result

Pair = tuple[str, str]  # model, benchmark

# Why a result changed, where it can be told.
CAUSES = (
    "new",  # no result the day before
    "revised",  # the same version at the same setting, another score
    "other version",  # the best score is another version's now (P1)
    "other setting",  # … the same version's at another setting
    "other row",  # the same score, version and setting; other cells of the row differ
    "removed",  # the source no longer has the row
    "left out",  # the source has it, and a rule (given beside) keeps it out
)


def build_history(root: Path, params: MethodParams, progress: Progress = lambda text: None) -> dict[str, Any]:
    """history.json as a plain value, over all stored snapshots up to ``params.as_of``."""
    return history_of(open_shelf(root, params, progress), params)


def history_of(shelf: Shelf, params: MethodParams, version: str = __version__) -> dict[str, Any]:
    """The same from an open shelf.

    Each day has its `changes`, by model and benchmark, and the `snapshots` it was built from (source → day). A change
    has model, benchmark, score (a fraction; None: no result any more), evidence (an id of evidence.jsonl; None with the
    score) and cause; one that alters the row alone keeps the score.
    """
    records = {(record["id"], record["benchmark"]): record for record in evidence_of(shelf)}
    days: list[dict[str, Any]] = []
    before: dict[Pair, Result] = {}
    for day in shelf.days():
        reads = shelf.in_force(day)
        now = {(r.model, r.benchmark): r for read in reads.values() for r in read.selection.results}
        changes = []
        for pair in sorted({*before, *now}):
            was, result = before.get(pair), now.get(pair)
            if result is None:
                changes.append(_change(pair, None, _cause_of_loss(records[was.evidence, was.benchmark], shelf, reads)))
            elif was is None or (was.score, was.evidence) != (result.score, result.evidence):
                changes.append(_change(pair, result, {"cause": _cause(was, result)}))
        days.append({"day": day, "snapshots": {key: read.snapshot.day for key, read in sorted(reads.items())}, "changes": changes})
        before = now
    return {"method_version": version, "as_of": params.as_of, "built": "direct", "days": days}


def without(history: Mapping[str, Any], benchmarks: Collection[str]) -> dict[str, Any]:
    """The same days without the changes of these benchmarks, for a what-if that leaves them out."""
    days = [{**x, "changes": [c for c in x["changes"] if c["benchmark"] not in benchmarks]} for x in history["days"]]
    return {**history, "days": days}


def with_own_results(history: Mapping[str, Any], results: Iterable[Result]) -> dict[str, Any]:
    """The same days with the results of one's own among `results` as changes of the last one, for a what-if that adds them."""
    ours = {(r.model, r.benchmark): r for r in results if is_own(r)}
    if not ours:
        return dict(history)
    *days, last = history["days"]
    before = _standing({"days": days}, last["day"])
    changes = {(c["model"], c["benchmark"]): c for c in last["changes"]}
    changes |= {pair: _change(pair, r, {"cause": "revised" if pair in before else "new"}) for pair, r in ours.items()}
    return {**history, "days": [*days, {**last, "changes": [changes[pair] for pair in sorted(changes)]}]}


def days_inputs(history: Mapping[str, Any], day: str) -> dict[Pair, float]:
    """(model, benchmark) → score accepted at the end of `day` (an ISO day, UTC); nothing before the first day.

    These are the inputs that a curve re-scores with the parameters of today (V4).
    """
    return {pair: change["score"] for pair, change in _standing(history, day).items()}


def days_evidence(history: Mapping[str, Any], day: str) -> dict[Pair, str]:
    """(model, benchmark) → id in evidence.jsonl of what was accepted at the end of `day`."""
    return {pair: change["evidence"] for pair, change in _standing(history, day).items()}


def evidence_of(shelf: Shelf) -> tuple[dict[str, Any], ...]:
    """Evidence of every result of every day, by id: what index.json and history.json name resolves here (U12).

    A record cites the newest snapshot in which its row was the accepted one; `since` is the day of the first such
    snapshot, and `current` tells whether the row gives a result of the newest day.
    """
    records: dict[Pair, dict[str, Any]] = {}  # id, benchmark
    for reads in shelf.reads.values():
        for read in reads:
            for record in read.selection.evidence:
                key = record["id"], record["benchmark"]
                since = records[key]["since"] if key in records else read.snapshot.day
                records[key] = {**record, "since": since, "current": read is reads[-1]}
    return tuple(records[key] for key in sorted(records))


def check_history(history: Mapping[str, Any], results: Iterable[Result], evidence: Iterable[Mapping[str, Any]]) -> None:
    """The last day's inputs are the accepted results, and every evidence id resolves; else a PublicationError."""
    results = tuple(results)
    last = history["days"][-1]["day"]
    wanted = {(r.model, r.benchmark): (r.score, r.evidence) for r in results}
    scores, ids = days_inputs(history, last), days_evidence(history, last)
    off = sorted(pair for pair in {*wanted, *scores} if wanted.get(pair) != (scores.get(pair), ids.get(pair)))
    known = {record["id"] for record in evidence}
    lost = sorted({c["evidence"] for d in history["days"] for c in d["changes"] if c["evidence"] is not None} - known)
    if off or lost:
        raise PublicationError("history does not follow from the snapshots", file="history.json", value=(off or lost)[0],
                               remedy="this is a defect; nothing was written")


# --- one change ------------------------------------------------------------------------------------------------------


def _change(pair: Pair, now: Result | None, cause: Mapping[str, str]) -> dict[str, Any]:
    return {"model": pair[0], "benchmark": pair[1], "score": now.score if now else None, "evidence": now.evidence if now else None, **cause}


def _cause(was: Result | None, now: Result) -> str:
    return "new" if was is None else cause_between(was.version, was.setting, was.score, now.version, now.setting, now.score)


def cause_between(version: str, setting: str, score: float, new_version: str, new_setting: str, new_score: float) -> str:
    """Why a result that was there before is another one now."""
    if version != new_version:
        return "other version"
    if setting != new_setting:
        return "other setting"
    return "revised" if score != new_score else "other row"


def _cause_of_loss(record: Mapping[str, Any], shelf: Shelf, reads: Mapping[str, Read]) -> dict[str, str]:
    """Of a result that is none any more: `record` is the evidence it had."""
    read, benchmark = reads[record["source"]], record["benchmark"]
    if benchmark in read.elsewise:
        return {"cause": "left out", "rule": "U6b"}
    key = record["file"], row_key(record["file"], record["row"], shelf.sources[record["source"]])
    kept_out = {x.rule for x in (*read.left_out, *read.selection.left_out)
                if x.benchmark == benchmark and (x.observation.file, x.observation.key) == key}
    waits = {"I4" for name in read.selection.waiting for seen in name.rows if (seen.file, seen.key) == key}
    rules = sorted(kept_out | waits)
    return {"cause": "left out", "rule": rules[0]} if rules else {"cause": "removed"}


def _standing(history: Mapping[str, Any], day: str) -> dict[Pair, Mapping[str, Any]]:
    """The last change of every result up to and with `day`, without those that are gone."""
    if iso_day(day) is None:
        raise PublicationError("is no ISO day", file="history.json", value=day, remedy="name a day such as 2026-07-31")
    standing: dict[Pair, Mapping[str, Any]] = {}
    for entry in history["days"]:
        if entry["day"] > day:
            break
        standing.update({(change["model"], change["benchmark"]): change for change in entry["changes"]})
    return {pair: change for pair, change in sorted(standing.items()) if change["score"] is not None}
