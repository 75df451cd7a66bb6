"""All that is known of one subject: a pair, a benchmark, a source, a model, or the publication. Plain values, to be looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from siiq_core.errors import ParameterError
from siiq_core.gate.decisions import PUBLICATION, Decision, goes_on_by, mended_by, released_by, standing, thawed_by
from siiq_core.gate.memory import Remembered
from siiq_core.gate.recording import like, models
from siiq_core.gate.state import Key, Pending, Published, Value, Verdict, text_of

Plain = dict[str, Any]
Records = Mapping[tuple[str, str], Mapping[str, Any]]  # (evidence id, benchmark) → record


def shown(found: Remembered, subject: str, records: Records) -> Plain:
    """What stands of `subject`, with every number, since when, and what would release it.

    Parameters
    ----------
    subject : model/benchmark, or the id of a benchmark, a source or a model, or "publication"; all that it may mean is shown
    records : raw rows behind values (U12)

    Raises
    ------
    ParameterError
        Nothing is known by this name.
    """
    state, rules = found.state, found.rules
    model, slash, benchmark = subject.rpartition("/")
    out: Plain = {}
    if slash:
        if model in models(found) and benchmark in rules.source_of:
            out["value"] = _pair(found, (model, benchmark), records)
    else:
        if subject == PUBLICATION:
            out["publication"] = _publication(found)
        if subject in state.sources:
            out["source"] = _source(found, subject)
        if subject in rules.source_of:
            out["benchmark"] = _benchmark(found, subject)
        if subject in models(found):
            out["model"] = _model(found, subject)
    if not out:
        known = {*models(found), *rules.source_of, *state.sources, PUBLICATION}
        wrong = subject if not slash else model if model not in models(found) else benchmark
        raise ParameterError("nothing is known by this name", value=subject, remedy=like(wrong, known))
    return {**out, "stands": [line(x) for x in standing(state, rules) if _about(x, subject)], "latest": [line(x) for x in found.news if _about(x, subject)]}


def line(x: Decision) -> Plain:
    """A decision with its sentences in English."""
    return {"what": x.what, "rule": x.rule, "subject": x.subject, "at": x.at, "since": x.since, "found": x.details, "until": x.until}


def _about(x: Decision, subject: str) -> bool:
    return x.subject == subject or subject in x.subject.split("/")


def _pair(found: Remembered, key: Key, records: Records) -> Plain:
    state, rules = found.state, found.rules
    source = state.sources.get(rules.source_of[key[1]])
    pending, published, listed = state.pending.get(key), state.published.get(key), source.good.values.get(key) if source else None
    waits = []
    if pending is not None and not pending.released and source is not None:
        waits = [str(released_by(state, key, pending, rules))]
    if key[1] in state.frozen:
        waits.append(f"{key[1]} is frozen: {thawed_by(state.frozen[key[1]])}")
    return {
        "model": key[0], "benchmark": key[1], "source": rules.source_of[key[1]], "published": _published(published), "pending": _pending(pending), "listed": _value(listed),
        "waits for": waits, "retracted": state.retracted.get(key, ""), "missing since": source.missing.get(key, "") if source else "",
        "row published": _row(records, key, published.value if published else None), "row pending": _row(records, key, pending.value if pending else None),
    }


def _value(x: Value | None) -> Plain | None:
    return None if x is None else {"score": x.score, "run": x.run, "released": x.released, "evidence": x.evidence, "flags": list(x.flags)}


def _verdict(x: Verdict | None) -> Plain | None:
    return None if x is None else asdict(x)


def _published(x: Published | None) -> Plain | None:
    return None if x is None else {**(_value(x.value) or {}), "since": x.since, "by rule": x.by, "snapshot": x.snapshot, "read again": _verdict(x.checked)}


def _pending(x: Pending | None) -> Plain | None:
    if x is None:
        return None
    hold = {"rule": x.hold.rule, "since": x.hold.since, **x.hold.numbers} if x.hold else None
    return {**(_value(x.value) or {}), "appeared": x.appeared, "read again": _verdict(x.checked), "held": hold, "held first": x.held_first, "released by": x.released, "rejected": x.rejected,
            "trail": [{"observed": at, "snapshot": snapshot, "score": score} for at, snapshot, score in x.trail]}


def _row(records: Records, key: Key, value: Value | None) -> Mapping[str, Any] | None:
    return records.get((value.evidence, key[1])) if value is not None else None


def _values(found: Remembered, keys: Iterable[Key]) -> list[Plain]:
    state = found.state
    return [{"value": text_of(key), "published": x.value.score if (x := state.published.get(key)) else None, "pending": y.value.score if (y := state.pending.get(key)) else None} for key in sorted(keys)]


def _benchmark(found: Remembered, name: str) -> Plain:
    state, freeze = found.state, found.state.frozen.get(name)
    frozen = None if freeze is None else {"rule": freeze.rule, "since": freeze.since, "what": str(freeze.what), "approved": freeze.approved, "tried": freeze.tried, "members": sorted(map(text_of, freeze.members)),
                                          "waits for": str(thawed_by(freeze))}
    fitted = state.in_force.calibration
    return {"id": name, "source": found.rules.source_of[name], "frozen": frozen, "in the index": name in fitted.alpha, "published": sum(key[1] == name for key in state.published),
            "pending": _values(found, [key for key in state.pending if key[1] == name])}


def _source(found: Remembered, name: str) -> Plain:
    x = found.state.sources[name]
    failure = None if x.failure is None else {"rule": x.failure.rule, "since": x.failure.since, "what": str(x.failure.what), "waits for": str(mended_by(x, found.rules))}
    small = None if x.small is None else {"first": x.small.first, "rows": x.small.rows, "read again": x.small.parses}
    return {"id": name, "last check": x.checked, "last success": x.succeeded, "failure": failure, "smaller file": small,
            "in use": {"snapshot": x.good.sha256, "rows": x.good.rows, "share kept": x.good.share, "values": len(x.good.values)},
            "read last": {"snapshot": x.parsed.sha256, "rows": x.parsed.rows, "share kept": x.parsed.share, "values": len(x.parsed.values)},
            "listed no more": [{"value": text_of(key), "since": at} for key, at in sorted(x.missing.items())], "new baseline asked": found.state.rebase.get(name, "")}


def _model(found: Remembered, slug: str) -> Plain:
    state = found.state
    land = state.publication.lands.get(slug) if state.publication else None
    keys = {key for key in (*state.published, *state.pending) if key[0] == slug}
    return {"slug": slug, "stands at": asdict(land) if land else None, "waits (U5)": asdict(state.leaders[slug]) if slug in state.leaders else None, "values": _values(found, keys)}


def _publication(found: Remembered) -> Plain:
    last, stop = found.state.publication, found.state.stop
    out = None if last is None else {"number": last.number, "version": last.version, "at": last.at, "recalibrated": last.recalibrated, "results": len(found.state.published),
                                     "ranked": sum(x.ranked for x in last.lands.values())}
    stopped = None if stop is None else {"rule": stop.rule, "since": stop.since, "what": str(stop.what), "affected": list(stop.affected), "runs": stop.runs, "waits for": str(goes_on_by(stop, found.rules))}
    return {"last": out, "files in public": found.state.standing, "stopped": stopped, "calibration": {"id": found.state.in_force.id, "at": found.state.in_force.at}}
