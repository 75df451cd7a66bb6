"""A reading and what became of it, as a question to a second reader (U2)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from siiq_core.gate.checker.records import Question
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.records import Reading


def look_alikes(model: str, models: Iterable[str], most: int = 6) -> tuple[str, ...]:
    """The names most like `model` among `models`, in order of code points; the same whatever the order of `models`.

    A reader that has to tell "Nova 2" from "Nova 2 Pro" and "Nova 2.1" tells more than one that is asked whether a name
    is "Nova 2".
    """
    others = sorted({name for name in models if name and name != model})
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(model.casefold())

    def unlikeness(name: str) -> tuple[float, str]:
        matcher.set_seq1(name.casefold())
        return -matcher.ratio(), name

    return tuple(sorted(sorted(others, key=unlikeness)[:most]))


def question_of(id: str, reading: Reading, benchmark: BenchmarkSpec, headers: Sequence[str], *, model: str, setting: str,
                models: Iterable[str] = (), most: int = 6) -> Question:
    """The question whether `reading` says what would be published of it.

    Parameters
    ----------
    id : the caller's own, unique among the questions asked together
    headers : of the reading's file (SourceFile.columns)
    model, setting : the group's name and the setting it was published under
    models : names of all known models; those most like `model` become the choice that an AI model is given
    """
    seen = reading.observation
    return Question(
        id=id, source=seen.source, file=seen.file, headers=tuple(headers), row=dict(seen.row), benchmark=benchmark.id,
        benchmark_name=benchmark.name, score_column=benchmark.score_column, scale=benchmark.scale, model=model, name=reading.name,
        setting=setting, score=reading.score, origin_name=reading.origin_name, models=look_alikes(model, models, most))
