"""An AI model as second reader (U2): asked in batches, alone where company did not agree, and never taken at its word.

A row whose text upsets the model harms itself alone: it is asked again without company, and what tells a model that is
out of reach from a row that it cannot read is a made-up row with a known reading, the control.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from siiq_core.gate.checker.chat import Conversation, Endpoint, OutOfReach
from siiq_core.gate.checker.judging import compared
from siiq_core.gate.checker.prompt import Nonsense, Seen, answers, messages, size, task_id
from siiq_core.gate.checker.records import CheckerUnreachable, Question, Verdict, differences, stamp, unique

CONTROL = Question(
    id="control", source="sample", file="sample_quiz.csv", headers=("Model version", "Accuracy", "Accuracy SE", "Source"),
    row={"Model version": "nova-1-2026-01-05", "Accuracy": "0.625", "Accuracy SE": "0.02", "Source": "Sample Quiz leaderboard"},
    benchmark="sample-quiz", benchmark_name="Sample Quiz", score_column="Accuracy", scale=1, model="Nova 1", name="nova-1-2026-01-05",
    setting="default", score=0.625, models=("Nova 1 mini", "Nova 2"))
_CONTROL_CHOICES = ({"name": "Sample Quiz", "by": "Sample Leaderboards"}, {"name": "Sample Riddles", "by": "Sample Leaderboards"})
_REMEDY = "see that the endpoint of params/checker.yml is up and its key is valid; the published version stays until then"


@dataclass(frozen=True)
class AiReader:
    """A model behind a chat endpoint.

    Parameters
    ----------
    endpoint : where it is asked, and within which bounds
    benchmarks : what it is to choose from, as prompt.choices makes it
    """

    endpoint: Endpoint
    benchmarks: Sequence[Mapping[str, str]]

    def read(self, questions: Sequence[Question], now: datetime) -> tuple[Verdict, ...]:
        """One verdict a question, in their order.

        Raises
        ------
        CheckerUnreachable
            There is no answer, or none that confirms anything, not even the control: then it is the reader that fails.
        """
        asked, at, talk = unique(questions), stamp(now), Conversation(self.endpoint)
        short = [q for q in asked if size(q) <= self.endpoint.params.longest_row]
        seen: dict[str, Seen | str] = {}
        for start in range(0, len(short), self.endpoint.params.batch):
            batch = short[start:start + self.endpoint.params.batch]
            seen |= self._ask(talk, batch)
            for q in batch:
                if isinstance(seen[q.id], str) or len(batch) > 1 and not _agrees(q, seen[q.id]):
                    seen |= self._ask(talk, [q])  # alone: no other row's text stands beside it
        verdicts = tuple(self._verdict(q, seen.get(q.id, "not asked, since the row is longer than longest_row of params/checker.yml"), at) for q in asked)
        if asked and not any(verdict.confirmed for verdict in verdicts):
            self._must_answer(talk, f"of {len(asked)} rows the reader confirms none, and not the control: {verdicts[0].reason}")
        return verdicts

    def _ask(self, talk: Conversation, batch: Sequence[Question]) -> dict[str, Seen | str]:
        """Question id → what was seen, or why nothing was."""
        try:
            content = talk.say(messages(batch, self.benchmarks))
            found = answers(content, [task_id(place) for place in range(len(batch))])
        except Nonsense as error:
            return dict.fromkeys((q.id for q in batch), str(error))
        except OutOfReach as error:
            if error.final:
                raise self._unreachable(str(error)) from None
            self._must_answer(talk, str(error))
            return dict.fromkeys((q.id for q in batch), str(error))
        return {q.id: self._without_key(found[task_id(place)]) for place, q in enumerate(batch)}

    def _must_answer(self, talk: Conversation, what: str) -> None:
        """Returns where the control is read rightly, at the first attempt; CheckerUnreachable otherwise."""
        try:
            found = answers(talk.say(messages([CONTROL], _CONTROL_CHOICES), attempts=1), [task_id(0)])[task_id(0)]
        except (Nonsense, OutOfReach) as error:
            raise self._unreachable(f"{what}; {error}") from None
        if isinstance(found, str) or not _agrees(CONTROL, found):
            raise self._unreachable(what)

    def _unreachable(self, what: str) -> CheckerUnreachable:
        return CheckerUnreachable(f"U2: no second reader: {self.endpoint.key.out_of(what)}", value=self.endpoint.params.ai.model, remedy=_REMEDY)

    def _without_key(self, found: Seen | str) -> Seen | str:
        if isinstance(found, str):
            return found
        hide = self.endpoint.key.out_of
        return Seen(hide(found.name), hide(found.model), hide(found.benchmark), hide(found.column), hide(found.number), hide(found.out_of),
                    found.reported_by_developer)

    def _verdict(self, q: Question, found: Seen | str, at: str) -> Verdict:
        ai = self.endpoint.params.ai
        if isinstance(found, str):
            return Verdict(q.id, "refused", ai.model, "ai", ai.family, at, (), f"No usable answer, alone or in company: {found}.")
        fields = compared(q, found)
        if all(field.agree for field in fields):
            return Verdict(q.id, "confirmed", ai.model, "ai", ai.family, at, fields, "Model, benchmark, number and identity are read from the row as published.")
        return Verdict(q.id, "refused", ai.model, "ai", ai.family, at, fields, differences(fields))


def _agrees(q: Question, found: Seen | str) -> bool:
    return isinstance(found, Seen) and all(field.agree for field in compared(q, found))
