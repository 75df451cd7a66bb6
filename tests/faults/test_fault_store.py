"""Entrance: observations on the disk. Whatever becomes of a stored file, it is read as it was stored or refused by name."""

import csv
import io
import re
import shutil

import pytest

from siiq_core import pipeline
from siiq_core.errors import SourceError
from siiq_core.evidence.observations import MAX_BYTES, load_snapshot

SOURCE, DAY = "aider", "2025-10-04"


@pytest.fixture
def stored(root, tmp_path):
    """A project that holds one stored snapshot; the path of its rows."""
    folder = tmp_path / "prüf ling" / "data" / "observations" / SOURCE
    folder.mkdir(parents=True)
    for suffix in (".csv", ".json"):
        shutil.copy(root / "data" / "observations" / SOURCE / f"{DAY}{suffix}", folder)
    return folder / f"{DAY}.csv"


def read(path):
    return load_snapshot(SOURCE, DAY, path.parents[3])


def first(pattern, new):
    return lambda t: re.sub(pattern, new, t, count=1)


ROW = re.compile(r"^polyglot[^\n]*\n", re.M)
EDITS = [
    (1, "a row twice", lambda t: t + ROW.findall(t)[0]),
    (1, "a row twice, with another score", lambda t: t + re.sub(r'""pass_rate_2"":""[\d.]+', '""pass_rate_2"":""99.1', ROW.findall(t)[0])),
    (2, "a fraction for a percentage", first(r'(""pass_rate_2"":"")\d\d\.\d', r"\g<1>0.61")),
    (2, "a percentage of another size", first(r'(""pass_rate_2"":"")\d\d\.\d', r"\g<1>611")),
    (4, "a score that was none", first(r'(""pass_rate_2"":"")\d\d\.\d', r"\g<1>0")),
    (7, "one digit", first(r'(""pass_rate_2"":"")\d', r"\g<1>9")),
    (8, "a score above one", first(r'(""pass_rate_2"":"")\d\d\.\d', r"\g<1>102.0")),
    (9, "a setting more in a name", first(r'(""model"":""[^"]+)""', r'\1 (high)""')),
    (10, "a blank in a name", first(r'(""model"":"")(\w)', r"\1 \2")),
    (11, "a decimal comma", first(r'(""pass_rate_2"":""\d\d)\.', r"\1,")),
    (12, "another day of a run", first(r'(""date"":""20)\d\d', r"\g<1>31")),
    (24, "a name that is markup", first(r'""model"":""[^"]+""', '""model"":""<img src=x onerror=alert(1)>""')),
    (24, "another key", first(r'"\[""[^"]+""', '"[""../../x""')),
]


@pytest.mark.parametrize(("kind", "what", "edit"), EDITS, ids=[f"{x[0]}: {x[1]}" for x in EDITS])
def test_an_edited_row_is_refused(stored, kind, what, edit):
    text = stored.read_text(encoding="utf-8")
    assert read(stored).observations and edit(text) != text
    stored.write_text(edit(text), encoding="utf-8", newline="")
    with pytest.raises(SourceError, match="its rows are not those that were stored|fewer rows") as refusal:
        read(stored)
    assert refusal.value.file == f"{SOURCE}/{DAY}.csv" and "version control" in refusal.value.remedy


def turned(content):
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([header, *rows[::-1]])
    return out.getvalue().encode("utf-8")


@pytest.mark.parametrize(("kind", "alter"), [(11, lambda x: b"\xef\xbb\xbf" + x), (11, lambda x: x.replace(b"\n", b"\r\n")), (11, lambda x: x + b"\n\n"), (18, turned)])
def test_the_same_rows_in_another_spelling_are_the_same(stored, kind, alter):
    """As a version-control system or an editor may leave them."""
    before = read(stored)
    stored.write_bytes(alter(stored.read_bytes()))
    assert read(stored) == before


def test_rows_of_one_import_beside_the_sidecar_of_another_are_refused(stored, root):
    """Kind 23: killed between the two files."""
    shutil.copy(root / "data" / "observations" / SOURCE / "2025-07-11.csv", stored)
    with pytest.raises(SourceError, match="evidence store"):
        read(stored)


@pytest.mark.parametrize("cut", [0, 1, 30, -1, -30])
def test_a_file_that_was_cut_off_is_refused(stored, cut):
    """Kind 23."""
    for path in (stored, stored.with_suffix(".json")):
        content = path.read_bytes()
        path.write_bytes(content[:cut] if cut else b"")
        if cut == -1:
            assert read(stored).observations  # the last line end says nothing
        else:
            with pytest.raises(SourceError, match="evidence store"):
                read(stored)
        path.write_bytes(content)
    assert read(stored).observations


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_a_stored_file_of_any_size_is_bounded(stored, suffix):
    """Kind 25: a hole of 2 GB, which takes no room."""
    with stored.with_suffix(suffix).open("r+b") as stream:
        stream.truncate(2_000_000_000)
    with pytest.raises(SourceError, match=f"larger than {MAX_BYTES} bytes"):
        read(stored)


@pytest.mark.parametrize("gone", ["aider", "bfcl", "modelsdev/2026-07-02.csv"])
def test_what_ships_and_is_gone_stops_the_run(project, tmp_path, gone):
    """Kind 21: a run without a source would be green, and its index would lack that source's results."""
    path = project / "data" / "observations" / gone
    shutil.rmtree(path) if path.is_dir() else [x.unlink() for x in (path, path.with_suffix(".json"))]
    with pytest.raises(SourceError, match=f"params/sources.yml names is gone.*{gone.split('/')[0]}/") as refusal:
        pipeline.fetch(pipeline.prepare({}, str(tmp_path / "run"), project))
    assert "snapshots" in refusal.value.remedy
