"""Entrance: results and benchmarks of one's own. What tests/workbench/test_own_rows.py does not feed."""

import pytest

import panels
from siiq_core.errors import ParameterError
from siiq_core.evidence.own import FLAG, is_own, read_rows, with_own
from siiq_core.params.loader import MAX_BYTES
from siiq_core.params.own import MAX_ROWS
from tests.workbench.little import own, small

HEAD = "model,benchmark,score\n"


def flags(score, **definition):
    desk = small()
    changes = {"add_benchmarks": {"my-quiz": {"area": "math", **definition}}, "add_rows": own(("Nova 1", "my-quiz", score))}
    return next(r.flags for r in with_own(desk.results, desk.facts, desk.models, panels.params(**changes)).results if is_own(r))


@pytest.mark.parametrize(("kind", "score", "definition", "said"), [
    (7, 0.2873, {"n": 500}, ("impossible for n",)),
    (7, 0.2873, {}, ()),  # nobody said how many questions there are
    (7, 0.288, {"n": 500}, ()),
    (7, 0.333, {"n": 3}, ()),  # a third, to three decimals
    (8, 0.61, {"c": 0.57}, ("above ceiling",)),
    (8, 0.2, {"g": 0.25}, ("below chance",)),
])
def test_what_is_legal_and_remarkable_is_flagged(kind, score, definition, said):
    assert flags(score, **definition) == (FLAG, *said)


@pytest.mark.parametrize(("kind", "content", "said"), [
    (3, "model,benchmark,score,se\nNova 1,b00,62.0,0.034\n", "unknown column"),
    (3, "model,benchmark,score,stderr\nNova 1,b00,0.62,0\n", "unknown column"),
    (6, "name,benchmark,score\nNova 1,b00,0.62\n", "unknown column"),
    (12, "model,benchmark,score,date\nNova 1,b00,0.62,2026-03-01\n", "unknown column"),
    (25, HEAD + "Nova 1,b00,0.5\n" * (MAX_ROWS + 1), "more than"),
    (25, HEAD + "x" * MAX_BYTES, "larger than"),
    (25, ",".join(f"c{k}" for k in range(100_000)) + "\n", "unknown column"),
])
def test_a_file_that_cannot_be_is_refused(tmp_path, kind, content, said):
    path = tmp_path / "rows.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError, match=said) as refusal:
        read_rows(path)
    assert refusal.value.file == "rows.csv" and refusal.value.remedy and len(str(refusal.value)) < 2000


def test_the_name_of_a_file_acts_in_no_terminal(tmp_path):
    """Kind 24."""
    path = tmp_path / "\x1b[2J\u202e.csv"
    path.write_text(HEAD + "Nova 1,b00,85\n", encoding="utf-8")
    with pytest.raises(ParameterError) as refusal:
        read_rows(path)
    assert str(refusal.value).isprintable() and "\\u001b[2J" in str(refusal.value)
