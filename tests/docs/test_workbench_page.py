"""The page "Rerun it yourself": its commands are ones that run, its table is one that is scored, in every language the same."""

import re
import shlex

import nbformat
import pytest
from typer.testing import CliRunner

from siiq_core import cli
from siiq_core.commands import parameters
from siiq_core.commands.adding import score_added
from siiq_core.params.method import MethodParams, parse_value
from siiq_core.publish.format import LANGUAGES

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def blocks(root, lang):
    return BLOCK.findall((root / "book" / lang / "workbench.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def lines(root):
    return [shlex.split(line) for kind, text in blocks(root, "en") if kind == "sh" for line in text.splitlines()]


@pytest.fixture
def tables(root, tmp_path, monkeypatch):
    """A folder with the page's table and a column for its own benchmark."""
    table = next(text for kind, text in blocks(root, "en") if kind == "text")
    (tmp_path / "rows.csv").write_text(table, encoding="utf-8")
    (tmp_path / "quiz.csv").write_text("model,benchmark,score\nMy Model,my-quiz,0.5\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIIQ_ROOT", str(root))
    return tmp_path


def test_commands_and_tables_are_the_same_in_every_language(root):
    assert len({tuple(blocks(root, lang)) for lang in LANGUAGES}) == 1


def test_every_command_of_siiq_is_one_it_takes(lines, tables, monkeypatch):
    ran = []
    monkeypatch.setattr(cli, "run_stages", lambda names, changes, out, timeout, **more: ran.append((names, changes, out)) or tables)
    monkeypatch.setattr("siiq_core.commands.difference.published_before", lambda *words: "")
    own = [line[1:] for line in lines if line[0] == ".venv/bin/siiq" and line[1] == "run"]
    assert len(own) >= 6
    for words in own:
        done = CliRunner().invoke(cli.app, parameters.join_pairs(words))
        assert done.exit_code == 0, (words, done.output, done.exception)
    altered = {name for _, changes, _ in ran for name in changes}
    assert altered == {"lam", "drop", "areas", "ceiling", "as_of", "licence_policy", "add_rows", "add_benchmarks"}


def test_the_table_on_the_page_is_scored(lines, tables, shipped):
    command = next(line for line in lines if line[:2] == [".venv/bin/siiq", "score"])
    assert command[2:] == ["--add", "rows.csv"]
    text = score_added(shipped.root, tables / "rows.csv", str(shipped.folder), False)
    assert "5 rows of rows.csv; 5 count" in text and "My Model (my-model, new)" in text and "0 differ" in text


def test_notebooks_on_the_page_exist_and_take_what_they_are_given(root, lines):
    given = [line[3:] for line in lines if line[:3] == [".venv/bin/python", "-m", "papermill"]]
    assert [x[0].rpartition("/")[2] for x in given] == ["fetch.ipynb", "calibrate.ipynb", "score.ipynb", "difference.ipynb"]
    for source, _, flag, name, value in given:
        cell = next(c for c in nbformat.read(root / source, as_version=4).cells if "parameters" in c.metadata.get("tags", []))
        assert flag == "-p" and f"{name} = " in cell.source and name in MethodParams.model_fields and parse_value(value) != value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_files_of_a_rerun_and_both_options_are_told(root, lang):
    text = (root / "book" / lang / "workbench.md").read_text(encoding="utf-8")
    for word in ("difference.json", "difference.ipynb", "--against", "--json", "--params", "params/method.yml", "_build/what-if", "version", "setting", "evaluator", "family"):
        assert f"`{word}" in text, word
