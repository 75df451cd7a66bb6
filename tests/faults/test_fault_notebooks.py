"""Entrance: notebooks of others, given to `siiq recheck`."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from siiq_core.commands import recheck as command
from siiq_core.errors import PublicationError
from siiq_core.params.recheck import load_recheck
from siiq_core.workbench.recheck import compared, read_notebook

HOSTILE = "\x1b[2J\u202e<img src=x onerror=alert(1)>\x9b31m"


def saved(text, source="1"):
    cell = new_code_cell(source)
    cell.outputs = [new_output("display_data", data={"text/plain": text})]
    return new_notebook(cells=[cell])


@pytest.mark.parametrize(("kind", "content"), [
    (6, b'{"worksheets": [], "nbformat": 3, "nbformat_minor": 0, "metadata": {}}'),
    (6, b'{"cells": [{"cell_type": "code"}], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}'),
    (6, b'{"cells": [], "nbformat": 99, "nbformat_minor": 0, "metadata": {}}'),
    (11, b"\xff\xfe" + json.dumps(saved("1")).encode("utf-16-le")),
    (21, b'{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}'),
    (25, b"[" * 100_000),
    (25, b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b', "nbformat": 4, "nbformat_minor": 5, "metadata": {}}'),
    (25, b'{"cells": [], "nbformat": ' + b"9" * 5000 + b', "nbformat_minor": 5, "metadata": {}}'),
])
def test_what_is_no_notebook_of_ours_is_refused_by_name(tmp_path, kind, content):
    path = tmp_path / "prüf ling.ipynb"
    path.write_bytes(content)
    with pytest.raises(PublicationError) as refusal:
        read_notebook(path, 10_000_000)
    assert refusal.value.file == "prüf ling.ipynb" and refusal.value.remedy


def test_line_ends_of_another_system_change_no_number(tmp_path, root):
    """Kind 11."""
    path = tmp_path / "x.ipynb"
    nbformat.write(saved("0.5"), path)
    before = read_notebook(path, 10_000)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert not compared(before, read_notebook(path, 10_000), load_recheck(root)).differences


def test_hostile_text_of_a_notebook_acts_in_no_terminal(tmp_path, root, monkeypatch, capsys):
    """Kind 24: in an output that differs, and in the message of a cell that fails."""
    monkeypatch.chdir(root)
    path = tmp_path / "x.ipynb"
    nbformat.write(saved(HOSTILE, f"print({HOSTILE!r} * 2)"), path)
    assert command.run([path], {}, None, lambda text: None) == 1
    nbformat.write(saved("1", f"raise ValueError({HOSTILE!r})"), path)
    assert command.run([path], {}, None, lambda text: None) == 1
    shown = capsys.readouterr().out
    assert "img src" in shown and not [c for c in shown if not c.isprintable() and c != "\n"]
