"""Parameter files: what may be altered, what is refused, and how the refusal reads."""

from pathlib import Path

import pydantic
import pytest

import panels
from siiq_core.commands import parameters
from siiq_core.errors import ParameterError
from siiq_core.params.loader import MAX_BYTES, Strict, load_csv, load_yaml, read_text
from siiq_core.params.method import MethodParams, load_method, parse_value, what_if, with_changes


class Small(Strict):
    lam: float = pydantic.Field(ge=0, description="a number from 0")
    words: tuple[str, ...] = ()


@pytest.mark.parametrize(("text", "line", "said"), [
    ("lam: 1\nwords: [a]\nlamm: 2\n", 3, "did you mean 'lam'"),
    ("# a comment\nlam: -1\n", 2, "greater than or equal to 0"),
    ("lam: 1\nwords: 7\n", 2, "words"),
    ("lam: 1\nlam: 2\n", 2, "stands twice"),
    ("lam: [1\n", 2, "no valid YAML"),
    ("- 1\n", 1, "no mapping"),
    ("lam: !!python/object:os.system 1\n", 1, "no valid YAML"),
])
def test_yaml_errors_name_file_key_and_line(tmp_path, text, line, said):
    path = tmp_path / "small.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        load_yaml(path, Small)
    assert caught.value.row == line and "small.yml" in str(caught.value) and said in str(caught.value)


def test_missing_key_and_missing_file(tmp_path):
    (tmp_path / "small.yml").write_text("words: [a]\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="add the key"):
        load_yaml(tmp_path / "small.yml", Small)
    with pytest.raises(ParameterError, match="gone.yml"):
        load_yaml(tmp_path / "gone.yml", Small)
    (tmp_path / "latin.yml").write_bytes("lam: 1 # é".encode("latin-1"))
    with pytest.raises(ParameterError, match="UTF-8"):
        load_yaml(tmp_path / "latin.yml", Small)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file here")
def test_of_a_file_without_end_no_more_is_read_than_the_bound():
    """Fault kind 25."""
    with pytest.raises(ParameterError, match=f"larger than {MAX_BYTES} bytes"):
        read_text(Path("/dev/zero"))


def test_csv_errors_name_row_and_column(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("lam\n1\n-2\n", encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        load_csv(path, Small)
    assert (caught.value.row, caught.value.column) == (2, "lam")
    path.write_text("lam,words\n1\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="not as many cells"):
        load_csv(path, Small)


@pytest.mark.parametrize(("changes", "said"), [
    ({"lamda": 0.2}, "did you mean 'lam'"),  # fault kind 19
    ({"LAM": 0.2}, "did you mean 'lam'"),
    ({"add_benchmarks": {"my-quiz": {"area": "math", "nn": 5}}}, "definitions by benchmark"),
    ({"lam": "0.2"}, "a number is needed"),
    ({"lam": True}, "a number is needed"),
    ({"lam": -0.1}, "a number from 0 to 10"),
    ({"lam": float("nan")}, "lam"),
    ({"folds": 2.5}, "folds"),
    ({"kappa": "yes"}, "true or false"),
    ({"as_of": "31.07.2026"}, "ISO day"),
    ({"as_of": "2026-02-30"}, "as_of"),
    ({"licence_policy": "none"}, "licence_policy"),
    ({"drop": '["a"]'}, "a list of benchmark ids"),  # a list that came as text
    ({"questions": {"a": "7"}}, "a number is needed"),
    ({"areas": {"a": "cooking"}}, "areas"),
])
def test_changes_are_refused_by_name_type_and_range(changes, said):
    with pytest.raises(ParameterError) as caught:
        panels.params(**changes)
    assert said in str(caught.value) and next(iter(changes)) in str(caught.value)


def test_what_if_says_from_and_to(root):
    shipped = load_method(root)
    assert what_if(shipped, with_changes(shipped, {"lam": 0.1})) == {}
    assert what_if(shipped, with_changes(shipped, {"lam": 0.2, "mean": 100})) == {"lam": [0.1, 0.2]}


@pytest.mark.parametrize(("text", "value"), [("0.2", 0.2), ("true", True), ("strict", "strict"), ('"0.2"', "0.2"), ("3", 3)])
def test_command_line_values_keep_their_type(text, value):
    assert parse_value(text) == value and type(parse_value(text)) is type(value)


def test_what_is_given_twice_is_refused():
    """JSON and a list of options would keep the last of two, without a word."""
    for text in ('{"hle": 100, "hle": 200}', '{"q": {"area": "math", "area": "coding"}}'):
        with pytest.raises(ParameterError, match="key stands twice"):
            parse_value(text)
    with pytest.raises(ParameterError, match="is given twice .column 'lam'"):
        parameters.changes_of(["lam=0.2", "omega=false", "lam=0.3"], None, lambda *_: None)


def test_every_parameter_is_commented_with_its_range(root):
    text = (root / "params" / "method.yml").read_text(encoding="utf-8")
    for name in MethodParams.model_fields:
        line = next(x for x in text.splitlines() if x.startswith(f"{name}:"))
        assert " # " in line, f"{name} has no comment"
