"""status.json: what is known of sources, names, calibration and publication (V5), in the shape of files.md.

Times are those of the data, never of a clock: a snapshot counts as seen at the start of its day, UTC. Nothing is frozen or
held as long as no update passes through the gate; `gate` says whether any does. Then times are those of its runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from siiq_core.files import canonical_bytes
from siiq_core.records import Check

NAME, SCRIPT = "status.json", "status.js"  # at the root of the site; the same as a script, below data/
_BEFORE, _AFTER = b"window.SIIQ_STATUS = ", b";\n"
_RULE = re.compile(r"([A-Z]\d+[a-z]?): (.*)", re.DOTALL)
# What a person may do about a report, by its rule.
_OPERATOR_MAY = {"I1": "give the version a group of its own, or take the word off the list in params/names.yml",
                 "I2": "confirm which model a name of this form means (siiq names)",
                 "I4": "mend the name in params/decisions.csv, or leave it for a row that is yet to come"}


def build_status(index: Mapping[str, Any], facts: Mapping[str, Any], generated_at: str | None = None) -> dict[str, Any]:
    """status.json as a plain value.

    Parameters
    ----------
    index : index.json
    facts : fetch.json: snapshots, waiting_names, reports; with ``gate`` where updates pass through it (gate/telling.py)
    generated_at : of this run; None: of the data
    """
    seen = {x["source"]: x for x in facts.get("snapshots", ())}
    at, gate = _time(index["as_of"]), facts.get("gate")
    attempt = {"at": index["calibration"]["at"], "why": "", "outcome": "accepted", "reasons": []}
    status = {
        "method_version": index["method_version"], "generated_at": generated_at or (gate["at"] if gate else at), "published_at": at,
        "gate": {"runs": False, "note": "the shipped index is a direct build of the newest snapshots; nothing is held or frozen"},
        "sources": [_source(x, seen.get(x["id"])) for x in index["sources"]], "frozen": [], "held": [], "refused": [],
        "waiting_names": [dict(x) for x in facts["waiting_names"]], "reports": [_report(x, index["as_of"]) for x in facts["reports"]],
        "calibration": {"id": index["calibration"]["id"], "at": index["calibration"]["at"],
                        "last_attempt": attempt,
                        "checks": [{k: v for k, v in asdict(x).items() if k != "blocking"} for x in calibration_checks(index)]},
        "publication": {"state": "published", "since": at, "reasons": []}, "corrections": [],
    }
    return _with_gate(status, gate) if gate else status


def _with_gate(status: dict[str, Any], gate: Mapping[str, Any]) -> dict[str, Any]:
    """The same where updates pass through the gate: it knows more of sources, holds and publication."""
    publication = {key: x for key, x in gate["publication"].items() if key in ("state", "since", "reasons", "rule", "affected", "what", "waiting_for", "coded")}
    sources = [x | ({"last_check": g["last_check"], "last_success": g["last_success"], "last_snapshot_sha256": g["sha256"], "rows": g["rows"], "kept_share": round(g["kept_share"], 4),
                     "failure": g["failure"]} if (g := gate["sources"].get(x["id"])) else {}) for x in status["sources"]]
    calibration = status["calibration"] | ({"last_attempt": gate["last_attempt"]} if gate["last_attempt"] else {})
    return status | {
        "published_at": gate["publication"]["published_at"] or status["published_at"], "gate": {"runs": True, "note": "every change passes through the gate; what it holds back is listed here"},
        "sources": sources, "frozen": gate["frozen"], "held": gate["held"], "refused": gate["refused"], "reports": [*status["reports"], *gate["reports"]], "calibration": calibration,
        "publication": publication, "corrections": gate["corrections"],
    }


def status_script(status: Mapping[str, Any]) -> bytes:
    """status.json as a script that names it: pages opened from a disk may load scripts but not fetch data."""
    return _BEFORE + canonical_bytes(status).removesuffix(b"\n") + _AFTER


def calibration_checks(index: Mapping[str, Any]) -> tuple[Check, ...]:
    """What had to hold before the calibration in force was accepted (C8), read off what it published."""
    at, limits = index["calibration"], index["constants"]
    fitted, inside = set(at["models_in_fit"]), [b for b in index["benchmarks"] if b["in_index"]]
    missing = sorted(set(index["reference_group"]["members"]) - fitted)
    at_floor = sorted(b["id"] for b in inside if b["alpha"] <= limits["loading_floor"])
    return (
        Check("convergence", "C3", at["last_change"] <= limits["convergence_tolerance"], f'{at["rounds"]} rounds, last change {at["last_change"]:.2g}'),
        Check("loadings", "E4", not at_floor, ", ".join(at_floor) or f'{len(inside)} above {limits["loading_floor"]}'),
        Check("null_directions", "C5", at["null_directions"] == 2, str(at["null_directions"])),
        Check("folds", "C7", at["folds"] >= limits["min_folds"], f'{at["folds"]} of at least {limits["min_folds"]}'),
        Check("pairs", "C7", at["pairs"] >= limits["min_pairs"], f'{at["pairs"]} of at least {limits["min_pairs"]}'),
        Check("reference_group", "C8", not missing, ", ".join(missing) or f'{len(index["reference_group"]["members"])} present'),
    )


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"


def _source(source: Mapping[str, Any], seen: Mapping[str, Any] | None) -> dict[str, Any]:
    at = _time(source["snapshot"]) if source["snapshot"] else None
    return {"id": source["id"], "name": source["name"], "archived": source.get("archived", False), "license": source["license"], "last_check": at, "last_success": at,
            "last_snapshot": source["snapshot"], "last_snapshot_sha256": source["sha256"], "rows": seen["rows"] if seen else None,
            "kept_share": seen["kept_share"] if seen else None, "failure": None}


def _report(text: str, day: str) -> dict[str, Any]:
    found = _RULE.fullmatch(text)
    rule, what = (found[1], found[2]) if found else ("", text)
    return {"rule": rule, "since": day, "what": what, "operator_may": _OPERATOR_MAY.get(rule, "")}


def waiting_by_source(status: Mapping[str, Any]) -> Iterable[tuple[str, list[Mapping[str, Any]]]]:
    """Waiting names of each source, most rows first."""
    for source in sorted({x["source"] for x in status["waiting_names"]}):
        yield source, sorted((x for x in status["waiting_names"] if x["source"] == source), key=lambda x: (-x["rows"], x["name"].casefold(), x["name"]))
