"""What the second reader is asked about pending values, and its answers as the gate keeps them (U2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from siiq_core.evidence.observations import evidence_id
from siiq_core.evidence.selection import NOT_CHECKED
from siiq_core.gate.checker import Checker, question_of
from siiq_core.gate.state import Key, State, Verdict, text_of
from siiq_core.gate.times import stamp
from siiq_core.hourly.listings import Contents

SHIPPED = "shipped"


def read_again(contents: Contents, state: State, keys: Iterable[Key], checker: Checker, now: datetime) -> dict[Key, Verdict]:
    """Verdicts of pending values.

    Raises
    ------
    CheckerUnreachable
        Nobody can read: the whole update stops.
    """
    specs = {spec.id: spec for spec in contents.desk.benchmarks}
    names = {slug: model.name for slug, model in contents.models.items()}
    rows = {(name, reading.benchmark, evidence_id(reading.observation)): reading for name, read in contents.reads.items() for reading in read.rows}
    questions, pairs = [], {}
    for key in keys:
        value, spec = state.pending[key].value, specs[key[1]]
        reading = rows[spec.source, spec.id, value.evidence]
        columns = contents.snapshot(spec.source).files[reading.observation.file].columns
        setting = value.run.rpartition("@")[2]
        pairs[text_of(key)] = key
        questions.append(question_of(text_of(key), reading, spec, columns, model=names.get(key[0], key[0]), setting=setting, models=names.values()))
    found = checker.read(questions, now)
    return {pairs[x.question]: Verdict(x.confirmed, x.as_checker()["who"], x.how, x.at, "" if x.confirmed else x.reason) for x in found}


def shipped(keys: Iterable[Key], now: datetime) -> dict[Key, Verdict]:
    """U0: the baseline is what ships; nobody read it again, and every verdict says so."""
    verdict = Verdict(True, NOT_CHECKED["who"], SHIPPED, stamp(now), NOT_CHECKED["outcome"])
    return dict.fromkeys(keys, verdict)


def as_checker(verdict: Verdict | None) -> Mapping[str, str | None]:
    """The key `checker` of a line of evidence.jsonl."""
    if verdict is None or verdict.how == SHIPPED:
        return NOT_CHECKED
    return {"who": verdict.who, "when": verdict.at, "outcome": "confirmed" if verdict.confirmed else "refused"}
