"""Files as tables: awkward encodings read alike, everything else refused by name (fault kinds 6, 10, 11, 25; U6a, U6c)."""

from __future__ import annotations

import pytest

from siiq_core.errors import DataError, SourceError
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.table import read_csv
from siiq_core.params.sources import SourceSpec

PLAIN = 'Model version,Score,Name\nnova-1,0.71,"Nova\n1"\nnova-2,0.5,Nova 2\n'


def test_bom_crlf_and_quoted_line_breaks_read_alike(spec: SourceSpec) -> None:
    plain = read_csv("quiz.csv", PLAIN.encode(), spec)
    assert [row["Score"] for row in plain.rows] == ["0.71", "0.5"]
    assert plain.rows[0]["Name"] == "Nova\n1"
    bom = read_csv("quiz.csv", b"\xef\xbb\xbf" + PLAIN.encode(), spec)
    assert bom == plain
    crlf = read_csv("quiz.csv", PLAIN.replace("0.71,", "0.71,").replace('1"\n', '1"\r\n').replace("Name\n", "Name\r\n")
                    .replace("Nova 2\n", "Nova 2\r\n").encode(), spec)
    assert crlf == plain


@pytest.mark.parametrize("text", [
    "Model version;Score\nNova-1;0,71\n",  # the whole table in another convention
    "Model version\tScore\nNova-1\t0.71\n",
])
def test_another_delimiter_is_refused(text: str, spec: SourceSpec) -> None:
    with pytest.raises(SourceError, match="not separated by commas.*quiz.csv.*Remedy"):
        read_csv("quiz.csv", text.encode(), spec)


def test_a_row_cut_at_its_decimal_comma_is_refused(spec: SourceSpec) -> None:
    with pytest.raises(SourceError, match="cut at a decimal comma.*row 2.*Model version.*Nova-1;0"):
        read_csv("quiz.csv", b"Model version,Score\nnova-0,0.5\nNova-1;0,71\n", spec)


def test_a_decimal_comma_is_refused_never_0_or_71(snap, quiz, reader: Adapter) -> None:
    with pytest.raises(DataError, match="comma where a decimal point belongs.*quiz.csv, row 1, column 'Score', value '0,71'"):
        reader.readings(snap({"Model version": "Nova-1", "Score": "0,71"}), [quiz()])
    with pytest.raises(SourceError, match="3 cells under 2 headers.*row 1"):
        read_csv("quiz.csv", b"Model version,Score\nNova-1,0,71\n", reader.spec)


@pytest.mark.parametrize(("content", "says"), [
    (b"Score,Name\n0.71,Nova 1\n", "key column is gone .U6a.*column 'Model version'"),
    (b"", "key column is gone"),
    (b"Model version,Score,Score\nnova-1,0.7,0.7\n", "header stands twice.*'Score'"),
    (b"Model version,Score\nnova-1\n", "1 cells under 2 headers.*row 1"),
    (b'Model version,Score\n"nova-1,0.7\n', "no valid CSV"),
    (b"Model version,Score\n\xff\xfe,0.7\n", "not UTF-8"),
    (b"Model version,Score\nno\0va,0.7\n", "NUL"),
])
def test_what_cannot_be_read_is_refused_by_name(content: bytes, says: str, spec: SourceSpec) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        read_csv("quiz.csv", content, spec)
    assert refusal.value.file == "quiz.csv" and refusal.value.remedy


def test_a_file_that_params_do_not_name_is_refused(spec: SourceSpec) -> None:
    with pytest.raises(SourceError, match="no file that source quizzes imports.*did you mean 'quiz.csv'"):
        read_csv("quizz.csv", PLAIN.encode(), spec)


@pytest.mark.parametrize(("bound", "value", "content"), [
    ("file_bytes", 40, PLAIN.encode()),
    ("rows", 1, PLAIN.encode()),
    ("columns", 2, PLAIN.encode()),
    ("cell_characters", 5, PLAIN.encode()),
    ("columns", 300, b"Model version" + b",x" * 100_000 + b"\n"),
    ("cell_characters", 20_000, b"Model version,Score\n" + b"n" * 30_000 + b",0.5\n"),
])
def test_every_bound_is_named_when_it_refuses(bound: str, value: int, content: bytes, spec: SourceSpec) -> None:
    bounds = spec.common.bounds.model_copy(update={bound: value})
    small = spec.model_copy(update={"common": spec.common.model_copy(update={"bounds": bounds})})
    with pytest.raises(SourceError, match=f"bound {bound} = {value}"):
        read_csv("quiz.csv", content, small)


def test_a_cell_longer_than_the_csv_module_reads_is_refused_too(spec: SourceSpec) -> None:
    with pytest.raises(SourceError, match="field larger than field limit"):
        read_csv("quiz.csv", b"Model version,Score\n" + b"n" * 200_000 + b",0.5\n", spec)


def test_other_columns_and_another_order_change_nothing(snap, quiz, reader: Adapter) -> None:  # U6c
    from siiq_core.evidence.observations import build_snapshot

    before = b"Model version,Score,id\nnova-1,0.7,r1\n"
    after = b"Country,id,Score,Model version,Notes\nX,r1,0.7,nova-1,words\n"
    one, two = (build_snapshot(reader, {"quiz.csv": text}, "2026-09-01") for text in (before, after))
    assert [(o.key, o.row) for o in one.observations] == [(o.key, o.row) for o in two.observations]
    assert [r.score for r in reader.readings(two, [quiz()])[0]] == [0.7]


def test_names_are_trimmed_for_the_key_and_kept_raw(snap, quiz, reader: Adapter) -> None:  # fault kind 10
    snapshot = snap({"Model version": "Nova 7B\n", "Score": "0.7", "Name": " Nova 3.5, high "},
                    {"Model version": "Nova3 .5 Plus", "Score": "0.6", "Name": ""})
    assert {o.row["Model version"] for o in snapshot.observations} == {"Nova 7B\n", "Nova3 .5 Plus"}
    used, _ = reader.readings(snapshot, [quiz()])
    assert {(r.name, r.origin_name) for r in used} == {("Nova 7B", "Nova 3.5, high"), ("Nova3 .5 Plus", "")}
    assert '["Nova 7B","Nova 3.5, high"' in used[0].observation.key
