"""Entrance: parameters given to a command, as `-p NAME VALUE` or in a file. Refused before anything starts, in one line that harms no terminal."""

import pytest

import panels
from siiq_core.commands.parameters import changes_of, join_pairs
from siiq_core.errors import ParameterError
from siiq_core.params.method import load_method, with_changes
from siiq_core.params.own import MAX_ROWS

DEEP = "[" * 100_000 + "]" * 100_000


def given(root, *pairs, file=None):
    words = join_pairs([word for pair in pairs for word in ("-p", *pair)])
    return changes_of([w for w in words if w != "-p"], file, lambda changes, name, lines: with_changes(load_method(root), changes, name, lines))


def test_what_is_right_is_taken(root):
    assert given(root, ("lam", "0.2"), ("drop", '["aider-polyglot"]')) == {"lam": 0.2, "drop": ["aider-polyglot"]}


@pytest.mark.parametrize(("kind", "pairs", "said"), [
    (1, [("lam", "0.1"), ("lam", "0.2")], "given twice"),
    (1, [("lam", "0.1"), ("lam", "0.1")], "given twice"),
    (2, [("chance", '{"gpqa-diamond-epoch": 25}')], "fractions by benchmark"),
    (2, [("ceiling", '{"gpqa-diamond-epoch": 95}')], "fractions by benchmark"),
    (4, [("questions", '{"gpqa-diamond-epoch": 0}')], "questions"),
    (4, [("lam", "")], "a number"),
    (4, [("as_of", "")], "ISO day"),
    (11, [("lam", "0,2")], "a number is needed"),
    (11, [("lam", "\u0660.\u0662")], "a number is needed"),
    (11, [("lam", "0.2 ; drop")], "a number is needed"),
    (12, [("as_of", "2026-07-31T00:00:00-11:00")], "ISO day"),
    (12, [("as_of", "2026-02-30")], "ISO day"),
    (12, [("as_of", "31.07.2026")], "ISO day"),
    (19, [("lamda", "0.2")], "did you mean 'lam'"),
    (19, [("lam", '"0.2"')], "a number is needed"),
    (19, [("lam", "NaN")], "finite"),
    (19, [("lam", "1e999")], "finite"),
    (24, [("lam", "\x1b[2J\u202e=1+1")], "lam"),
    (24, [("\x1b[2J\u202elam", "1")], "unknown parameter"),
    (24, [("drop", '["../../x"]')], "drop"),
    (24, [("drop", '["<img src=x onerror=alert(1)>"]')], "drop"),
    (25, [("drop", DEEP)], "drop"),
    (25, [("lam", "9" * 100_000)], "lam"),
    (25, [("x" * 100_000, "1")], "unknown parameter"),
    (25, [("add_rows", "[" + ", ".join(['{"model": "a", "benchmark": "b", "score": 0.5}'] * (MAX_ROWS + 1)) + "]")], "add_rows"),
])
def test_what_is_wrong_is_refused_in_a_short_line(root, kind, pairs, said):
    with pytest.raises(ParameterError, match=said) as refusal:
        given(root, *pairs)
    text = str(refusal.value)
    assert refusal.value.remedy and len(text) < 2500 and text.isprintable()


def test_a_folder_or_nothing_in_place_of_a_parameter_file_is_refused(root, tmp_path):
    """Kind 6: and bytes that are no text."""
    (tmp_path / "x.yml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "none.yml", tmp_path / "x.yml"):
        with pytest.raises(ParameterError):
            given(root, file=path)


def test_a_file_and_the_command_line_may_name_the_same(root, tmp_path):
    """The command line counts: that is what it is for."""
    (tmp_path / "p.yml").write_bytes(b"\xef\xbb\xbflam: 0.3\r\n")
    assert given(root, ("lam", "0.2"), file=tmp_path / "p.yml") == {"lam": 0.2} and given(root, file=tmp_path / "p.yml") == {"lam": 0.3}


def test_notebook_cells_are_checked_by_the_same_model():
    """Kind 19: papermill gives values, not texts."""
    for wrong in ({"lam": [0.1]}, {"lam": None}, {"drop": "aider-polyglot"}, {"omega": 1}, {"chance": {"a": True}}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            panels.params(**wrong)
