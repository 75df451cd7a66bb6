"""Whatever a refusal has to name, it is harmless text of bounded length."""

import pytest

from siiq_core.errors import DataError, SiiqError, harmless
from siiq_core.params.loader import nearest

HOSTILE = "\x1b[2J\u202e\x9b31m\u2028\r\b\x00"


@pytest.mark.parametrize("part", ["file", "column", "value", "remedy"])
def test_no_part_of_a_refusal_acts_in_a_terminal(part):
    text = str(DataError("cannot be", **{part: HOSTILE + "end"}))
    assert text.isprintable() and "end" in text


def test_what_is_wrong_is_one_line_whatever_it_quotes():
    text = str(SiiqError("one\n  two" + HOSTILE))
    assert text.startswith("one two\\u001b[2J") and text.isprintable() and harmless(HOSTILE).isprintable()
    assert harmless("C8: 5\u202f% of “x” – ≥ 1\u00a0s, Söhne 模型") == "C8: 5\u202f% of “x” – ≥ 1\u00a0s, Söhne 模型"


@pytest.mark.parametrize("part", ["what", "file", "column", "value", "remedy"])
def test_every_part_of_a_refusal_is_bounded(part):
    assert len(str(SiiqError(**{"what": "cannot be", part: "x" * 10**6}))) < 5000


def test_a_list_of_known_names_is_bounded():
    """Kind 25: of a file with a hundred thousand columns."""
    said = nearest("qqqqqq", [f"column {k}" for k in range(100_000)])
    assert len(said) < 2000 and said.endswith("and 99940 more")
