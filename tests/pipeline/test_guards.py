"""What a hostile look found: each guard, and that it says what it refuses."""

import pytest

from siiq_core import pipeline
from siiq_core.errors import CalibrationRefused, ParameterError, PublicationError, SiiqError, SourceError
from siiq_core.evidence.numbers import NotANumber, iso_moment, plain_number
from siiq_core.evidence.sources import adapter
from siiq_core.files import replace_all
from siiq_core.params.benchmarks import check_columns, load_benchmarks
from siiq_core.params.sources import load_sources
from siiq_core.publish.bookbuild import _require_own_folder


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_a_folder_that_is_no_book_is_never_replaced(root, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    for folder in (tmp_path, root, tmp_path / "thesis.txt"):
        with pytest.raises(PublicationError, match="no earlier book"):
            _require_own_folder(folder, root)
    _require_own_folder(tmp_path / "new", root)


@pytest.mark.parametrize("folder", [".", "notebooks", "params/calibrations", "data", "_build/html", "_build/html/data", "_build/../notebooks"])
def test_a_run_writes_beside_nothing_of_the_project_or_published(project, folder):
    """There, a stage would replace its own notebook, or the published index."""
    for place in (folder, str(project / folder)):
        with pytest.raises(ParameterError, match="name another folder"):
            pipeline.prepare({"lam": 0.2}, place, project)
    assert pipeline.prepare({"lam": 0.2}, "mine", project).folder == project / "mine"
    assert pipeline.prepare({}, str(project.parent / "mine"), project).folder == project.parent / "mine"


def test_an_altered_method_file_is_a_what_if(project):
    edit(project / "params" / "method.yml", "lam: 0.1 ", "lam: 0.2 ")
    run = pipeline.prepare({}, "", project)
    assert run.params.lam == 0.2 and run.what_if == {"lam": [0.1, 0.2]} and run.folder.name == "what-if"


def test_the_frozen_group_is_guarded(project):
    with pytest.raises(CalibrationRefused, match="G1.*gpt-5"):
        pipeline._require_frozen_group(pipeline.prepare({}, "", project), [x for x in pipeline.in_force(project)["reference"]["members"] if x != "gpt-5"])


def test_a_slip_in_a_benchmarks_column_is_named(project):
    edit(project / "params" / "benchmarks.csv", "Scaffold=OpenHands", "Scaffol=OpenHands")
    with pytest.raises(ParameterError, match="keeps no such column.*Scaffol"):
        check_columns(load_benchmarks(project), load_sources(project))


def test_an_empty_table_and_odd_cells_are_no_data(root):
    with pytest.raises(SourceError, match="holds no rows"):
        adapter("epoch", load_sources(root)).parse("gpqa_diamond.csv", b"Model version,Best score (across scorers)\n")
    assert iso_moment("9999-12-31") is None and iso_moment("0001-01-01T00:00:00+14:00") is None and iso_moment("2026-07-01")
    for cell in ("1e400", "\u0661"):
        with pytest.raises(NotANumber):
            plain_number(cell, percent_sign=False)


def test_files_swap_together_or_not_at_all(tmp_path):
    first = tmp_path / "a.txt"
    first.write_bytes(b"old")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SiiqError, match="cannot be written"):
        replace_all({first: b"new", tmp_path / "file" / "b.txt": b"new"})
    assert first.read_bytes() == b"old" and sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "file"]
