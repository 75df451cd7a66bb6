"""`siiq recheck`: decimals within the stated tolerance, all else to the letter."""

import json
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from siiq_core.errors import PublicationError
from siiq_core.params.recheck import load_recheck
from siiq_core.workbench.recheck import compared, read_notebook, recheck


@pytest.fixture(scope="module")
def tolerance(root):
    return load_recheck(root)


def book(*texts, kind="text/plain"):
    cell = new_code_cell("1")
    cell.outputs = [new_output("display_data", data={kind: text}) for text in texts]
    return new_notebook(cells=[new_markdown_cell("a title with 1.5"), cell])


def differences(a, b, tolerance, kind="text/plain"):
    return compared(book(a, kind=kind), book(b, kind=kind), tolerance).differences


@pytest.mark.parametrize(("a", "b"), [
    ("0.994118", "0.994119"),  # one unit of the last place
    ("θ = 1.23456789012", "θ = 1.23456789013"),
    ("x 2.0e-10 y", "x 2.1e-10 y"),
    ("1234567890.1234", "1234567890.5"),  # 1e-9 of it is more than one
    ("same 12 words", "same 12 words"),
    ("<td>3.14</td>", "<td>3.15</td>"),
    ("\u22120.5", "\u22120.6"),
])
def test_what_is_let_pass(a, b, tolerance):
    assert not differences(a, b, tolerance)


@pytest.mark.parametrize(("a", "b"), [
    ("0.994118", "0.994120"),
    ("rank 12", "rank 13"),  # a whole number
    ("12", "12.0"),
    ("1,343 rows", "1,344 rows"),
    ("2026-07-31", "2026-07-30"),
    ("0.5", "-0.5"),
    ("nova 0.5", "novo 0.5"),
    ("0.5", "0.5 0.5"),
    ("nan", "0.5"),
    ("sha 1e5a", "sha 1e6a"),  # letters and digits of a checksum are no number
    ("v1.0.0", "v1.0.1"),
    ("0.0", "0.2"),
    ("0.7", "0.6666666667"),  # fewer digits are no wider tolerance
])
def test_what_is_a_difference(a, b, tolerance):
    assert len(differences(a, b, tolerance)) == 1


def test_a_difference_says_where_and_how_far(tolerance):
    (found,) = differences("a 2.00 b", "a 2.50 b", tolerance)
    assert (found.cell, found.where, found.saved, found.found, found.off) == (2, "output 1, text/plain", "2.00", "2.50", 0.25)


def test_zero_tolerance_is_exact(tolerance):
    exact = tolerance.model_copy(update={"relative": 0.0, "last_place": 0})
    assert differences("0.994118", "0.994119", exact) and not differences("0.994118", "0.994118", exact)


def test_another_kind_of_output_is_a_difference_and_pixels_are_counted_as_not_compared(tolerance):
    assert compared(book("a"), book("a", kind="text/html"), tolerance).differences[0].where == "kinds of output"
    assert compared(book("a"), book("a", "b"), tolerance).differences
    seen = compared(book("AAAA", kind="image/png"), book("BBBB", kind="image/png"), tolerance)
    assert not seen.differences and seen.passed_over == 1


def test_streams_count_as_one_however_they_were_cut(tolerance):
    whole, cut = book(), book()
    whole.cells[1].outputs = [new_output("stream", name="stdout", text="a\nb\n")]
    cut.cells[1].outputs = [new_output("stream", name="stdout", text="a\n"), new_output("stream", name="stdout", text="b\n")]
    assert not compared(whole, cut, tolerance).differences


def saved(path, source, text):
    cell = new_code_cell(source)
    cell.outputs = [new_output("execute_result", data={"text/plain": text}, execution_count=1)]
    nbformat.write(new_notebook(cells=[cell]), path)
    return path


def test_a_notebook_is_run_again_and_its_file_stays(tmp_path, tolerance):
    path = saved(tmp_path / "mine.ipynb", "1 / 3", "0.3333333333333333")
    before = path.read_bytes()
    assert not recheck(path, tmp_path, tolerance).differences
    assert recheck(saved(tmp_path / "off.ipynb", "1 / 3", "0.3333343333333333"), tmp_path, tolerance).differences
    assert path.read_bytes() == before


@pytest.mark.parametrize(("source", "said"), [("raise ValueError('made to fail')", "cell 1 failed: ValueError: made to fail"), ("import os; os._exit(9)", "kernel died"), ("import time; time.sleep(60)", "longer than 2 s")])
def test_a_cell_that_fails_is_refused_by_name(tmp_path, tolerance, source, said):
    """Fault kind 20."""
    with pytest.raises(PublicationError, match=said):
        recheck(saved(tmp_path / "bad.ipynb", source, "1"), tmp_path, tolerance.model_copy(update={"timeout": 2}))


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"cells": 5, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}'])
def test_what_is_no_notebook_is_refused(tmp_path, content):
    path = tmp_path / "x.ipynb"
    path.write_bytes(content)
    with pytest.raises(PublicationError):
        read_notebook(path, 1000)


@pytest.mark.parametrize("change", [{"source": {"a": 1}}, {"outputs": [{"output_type": "stream", "name": "stdout", "text": 5}]}, {"outputs": [{"output_type": "stream", "text": "1"}]},
                                    {"outputs": [{"output_type": "alien"}]}, {"cell_type": "alien"}])
def test_a_notebook_with_a_part_of_no_known_form_is_refused(tmp_path, change):
    path = saved(tmp_path / "x.ipynb", "1", "1")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"][0].update(change)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(PublicationError, match="x.ipynb"):
        read_notebook(path, 10_000)


def test_nesting_without_end_and_another_language_are_refused(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(PublicationError, match="is no notebook"):
        read_notebook(path, 1_000_000)
    notebook = nbformat.read(saved(path, "1", "1"), as_version=4)
    notebook.metadata["language_info"] = {"name": "R"}
    nbformat.write(notebook, path)
    with pytest.raises(PublicationError, match="another language"):
        read_notebook(path, 10_000)


def test_what_a_failing_cell_says_moves_no_cursor(tmp_path, tolerance):
    """Fault kind 24."""
    with pytest.raises(PublicationError) as refusal:
        recheck(saved(tmp_path / "bad.ipynb", 'raise ValueError("\x1b[31m\u202e")', "1"), tmp_path, tolerance)
    assert str(refusal.value).isprintable()


def test_one_without_outputs_or_too_large_is_refused(tmp_path):
    path = tmp_path / "x.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1")]), path)
    with pytest.raises(PublicationError, match="without outputs"):
        read_notebook(path, 10_000)
    with pytest.raises(PublicationError, match="larger than 10"):
        read_notebook(path, 10)


def test_the_command_tells_and_its_exit_code_says(root, tmp_path):
    good, bad = saved(tmp_path / "good.ipynb", "2 / 3", "0.6666666666666667"), saved(tmp_path / "bad.ipynb", "2 / 3", "0.7")

    def done(*words):
        return subprocess.run([sys.executable, "-m", "siiq_core.cli", "recheck", *words], cwd=root, capture_output=True, text=True, timeout=120)

    assert done(str(good)).returncode == 0
    found = done(str(good), str(bad))
    assert found.returncode == 1 and "saved '0.7', now '0.6666666666666666'" in found.stdout
    found = done("none.ipynb", str(good))
    assert found.returncode == 1 and "refused" in found.stdout and "same" in found.stdout, "one that is refused keeps no other from being checked"
    assert done(str(good), "--relative", "2").returncode == 2
