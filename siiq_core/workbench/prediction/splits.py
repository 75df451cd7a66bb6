"""What is hidden, in which rounds, and what may be known of each hidden result. Four designs, no random number in any.

    cells       a tenth of the results at a time, by the hash of model and benchmark: every result hidden once
    models      a fifth of the models at a time stay out of the calibration; each is placed by half of its results, as new
                models are between calibrations (C10), and the other half is hidden; then the halves change places
    benchmarks  one benchmark at a time stays out of the calibration; its line, fitted on half of its models, predicts the other half
    later       results that were new on a day, from a calibration on what had been accepted before it (V4)

A question holds no answer: a round has the results that may be seen, and names those that may not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.analysis.workings import inputs_of
from siiq_core.method.panel import Cell
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark

DESIGNS = ("cells", "models", "benchmarks", "later")


@dataclass(frozen=True)
class Question:
    """A hidden result by its names, and the model's results that are not hidden with it."""

    model: str
    benchmark: str
    known: Mapping[str, float]  # benchmark → score


@dataclass(frozen=True)
class Round:
    """One time of hiding."""

    label: str
    fitted: tuple[Cell, ...]  # what parameters may be estimated from, in canonical order
    questions: tuple[Question, ...]  # by model, then benchmark
    apart: str = ""  # a benchmark that no calibration has seen: it gets its line afterwards


@dataclass(frozen=True)
class Design:
    """The rounds of a kind of hiding, and what was hidden."""

    id: str
    rounds: tuple[Round, ...]
    answers: Mapping[tuple[str, str], float]  # (model, benchmark) → score


def bucket(text: str, buckets: int) -> int:
    """0 … buckets − 1, from the SHA-256 of `text` alone: what else there is moves nothing from one to another."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big") % buckets


def name_of(model: str, benchmark: str) -> str:
    """What a result is hashed by."""
    return f"{model}|{benchmark}"


def hidden_cells(cells: Sequence[Cell], index_set: Collection[str], rounds: int) -> Design:
    """Every result on the index set hidden once, in the round of its bucket.

    Parameters
    ----------
    cells : accepted results on all configured benchmarks
    index_set : ids of the benchmarks whose results are predicted
    """
    own = sorted(cells)
    made = []
    for k in range(rounds):
        hidden = {(m, b) for m, b, _ in own if b in index_set and bucket(name_of(m, b), rounds) == k}
        seen = tuple(c for c in own if c[:2] not in hidden)
        made.append(Round(str(k), seen, _questions(hidden, scores_by_model(seen))))
    return Design("cells", tuple(made), _answers(own, index_set))


def hidden_models(cells: Sequence[Cell], index_set: Collection[str], benchmarks: Mapping[str, Benchmark], folds: int, params: MethodParams) -> Design:
    """Models left out of the calibration by bucket; of each that can be halved, either half from the other.

    Halves as in C7: families in code-point order go to one and the other in turn, and each needs `min_results_per_half`.
    """
    own, everything = sorted(cells), scores_by_model(cells)
    rounds, answers = [], {}
    for fold in range(folds):
        out = {m for m in everything if bucket(m, folds) == fold}
        questions = []
        for model in sorted(out):
            halves = _halves({b: s for b, s in everything[model].items() if b in index_set}, benchmarks, params)
            for known, asked in (halves, halves[::-1]) if halves else ():
                questions += [Question(model, b, known) for b in asked]
                answers |= {(model, b): s for b, s in asked.items()}
        rounds.append(Round(str(fold), tuple(c for c in own if c[0] not in out), tuple(sorted(questions, key=lambda q: (q.model, q.benchmark)))))
    return Design("models", tuple(rounds), answers)


def _halves(scores: Mapping[str, float], benchmarks: Mapping[str, Benchmark], params: MethodParams) -> tuple[dict[str, float], dict[str, float]] | None:
    half_of = {family: k % 2 for k, family in enumerate(sorted({benchmarks[b].family for b in scores}))}
    first, second = ({b: s for b, s in sorted(scores.items()) if half_of[benchmarks[b].family] == k} for k in (0, 1))
    enough = len(scores) >= params.min_results_held_out and min(len(first), len(second)) >= params.min_results_per_half
    return (first, second) if enough else None


def hidden_benchmarks(cells: Sequence[Cell], index_set: Collection[str]) -> Design:
    """Each benchmark apart from the others; half of its models, by bucket, set its line, and the other half is hidden."""
    own = sorted(cells)
    rounds = []
    for bench in sorted(index_set):
        for half in (0, 1):
            hidden = {(m, b) for m, b, _ in own if b == bench and bucket(name_of(m, b), 2) == half}
            seen = tuple(c for c in own if c[:2] not in hidden)
            rounds.append(Round(f"{bench} {half}", seen, _questions(hidden, scores_by_model(seen)), apart=bench))
    return Design("benchmarks", tuple(rounds), _answers(own, index_set))


def later_results(history: Mapping[str, Any], index_set: Collection[str], benchmarks: Collection[str]) -> Design:
    """Results that came on a day for a pair that had never had one, from all that was accepted before that day.

    Parameters
    ----------
    history : history.json
    benchmarks : those configured; what the history holds beyond them is passed over
    """
    rounds: list[Round] = []
    answers: dict[tuple[str, str], float] = {}
    before: tuple[Cell, ...] = ()
    ever: set[tuple[str, str]] = set()
    for day in (x["day"] for x in history["days"] if x["changes"]):
        now = tuple(c for c in inputs_of(history, day) if c[1] in benchmarks)
        new = {(m, b): s for m, b, s in now if (m, b) not in ever and b in index_set}
        if before and new:  # the first day has nothing before it
            rounds.append(Round(day, before, _questions(new, scores_by_model(before))))
            answers |= new
        before, ever = now, ever | {c[:2] for c in now}
    return Design("later", tuple(rounds), answers)


def scores_by_model(cells: Sequence[Cell]) -> dict[str, dict[str, float]]:
    """Model → benchmark → score."""
    out: dict[str, dict[str, float]] = {}
    for model, bench, score in sorted(cells):
        out.setdefault(model, {})[bench] = score
    return out


def _questions(pairs: Collection[tuple[str, str]], seen: Mapping[str, Mapping[str, float]]) -> tuple[Question, ...]:
    return tuple(Question(m, b, seen.get(m, {})) for m, b in sorted(pairs))


def _answers(cells: Sequence[Cell], index_set: Collection[str]) -> dict[tuple[str, str], float]:
    return {(m, b): s for m, b, s in cells if b in index_set}
