"""The second reader (U2): every new or changed number is read again from its raw row, and no reader means no update.

    records.py                                  what a reader is asked, what it answers, and that nobody can read
    asking.py                                   a reading and its result as a question
    numbers.py                                  a cell as an exact number, against the fraction that would be published
    literal.py                                  the literal re-reader: no AI, and no code of the adapters
    prompt.py, chat.py, judging.py, ai.py       an AI model behind a chat endpoint: asked, reached, compared, fitted together
    key.py                                      the endpoint's key, which is never shown
    opening.py                                  the reader that params/checker.yml fits

A reader reports what it sees; whether that agrees is found by comparing, here, never by asking the reader.
"""

from siiq_core.gate.checker.asking import look_alikes, question_of
from siiq_core.gate.checker.opening import open_checker
from siiq_core.gate.checker.records import Checker, CheckerUnreachable, Field, Question, Verdict, verdict_of

__all__ = ["Checker", "CheckerUnreachable", "Field", "Question", "Verdict", "look_alikes", "open_checker", "question_of", "verdict_of"]
