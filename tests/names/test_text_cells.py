"""Outside text in tables that programs read back and people open: exact, and never a formula (fault kind 24)."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smallworld import TABLE, small_world

from siiq_core import pipeline
from siiq_core.files import cell_text, csv_bytes, text_cell

HOSTILE = ["<img src=x onerror=alert(1)>", '=HYPERLINK("https://x.example","y")', "../../x", "N" * 10_000, "Nova \u202e1", "\u200fNova", "a,b",
           'quo"ted', '"a JSON string"', '"', "line\nbreak", "carriage\rreturn", "tab\tstop", "nul-free \x1b[31mred", "ünïcødé 漢字 😀", "-dash", "+1", "@sum",
           "＝1+1", "nb\u00a0space", "\u2028separator", "None", "null", "1e5", "{}", "\\u202e", "'=1"]


def through_csv(cells):
    return list(csv.reader(io.StringIO(csv_bytes(("a", "b"), [cells]).decode("utf-8"), newline="")))[1]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_reads_back_and_shows_nothing_that_acts(text):
    cell, other = through_csv((text_cell(text), "x"))
    assert cell_text(cell) == text and other == "x"
    assert cell.lstrip()[:1] not in tuple("=+-@＝") and not any(ord(c) < 32 or c in "\u202e\u200f\u2028" for c in cell)


@given(st.text())
def test_any_text_reads_back(text):
    assert cell_text(through_csv((text_cell(text), "x"))[0]) == text


def test_plain_text_stays_plain():
    for text in ("DeepSeek R1 (0528)", "gpt-4.5-preview", "Nova, the 2nd", "ü"):
        assert text_cell(text) == text


@pytest.mark.parametrize("cell", ['"open', '"a" b', '"a""'])
def test_a_quotation_mark_that_opens_nothing_is_refused(cell):
    with pytest.raises(ValueError):
        cell_text(cell)


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "a\nb", '"', ",", ""])
def test_every_line_end_inside_a_cell_survives(text):
    assert through_csv((text, "x")) == [text, "x"]


def test_results_csv_holds_no_formula_and_reads_back(root, tmp_path):
    """A version id is a publisher's text: neutral in results.csv, exact in what the next stage reads."""
    names = [name.strip() for name in HOSTILE if name.strip() and len(name) < 300]
    project = small_world(root, tmp_path / "project", table=[("-=1+1", "Nova 1", "2025-01-01"), *TABLE[1:], *((n, f"Odd {k}", "2025-01-01") for k, n in enumerate(names))])
    run = pipeline.prepare({}, str(tmp_path / "run"), project)
    stage = pipeline.fetch(run)
    stage.save()
    rows = list(csv.DictReader(io.StringIO(stage.files["results.csv"].decode("utf-8"), newline="")))
    assert rows and not [cell for row in rows for cell in row.values() if cell[:1] in tuple("=+-@")]
    assert pipeline.fetched(run, pipeline.quiet)[1] == stage.value.results and "-=1+1" in {r.version for r in stage.value.results}
