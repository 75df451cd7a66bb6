"""Permanent releases: made once, carried over, never overwritten; the archive of older major versions."""

import hashlib
import json
import shutil
import subprocess

import pytest

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes, with_digest
from siiq_core.publish import releases
from siiq_core.publish.bookbuild import build_book

NAME = "2026-07-31-1.0.0"


def _index(version="1.0.0", **more):
    return with_digest({"method_version": version, "as_of": "2026-07-31", "license_and_attribution": [{"attribution": "Nowhere, ‘Tables’ (CC BY 4.0)"}], **more})


def _data(folder, index):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.json").write_bytes(canonical_bytes(index))
    (folder / "evidence.jsonl").write_text("{}\n", encoding="utf-8")
    (folder / "calibration_inputs.csv").write_text("slug,benchmark,score\n", encoding="utf-8")
    return folder


def _content(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_release_holds_its_files_and_their_checksums(tmp_path):
    index = _index()
    assert releases.make_release(index, _data(tmp_path, index), "https://example.org/siiq/") == NAME
    folder = tmp_path / "releases" / NAME
    assert {p.name for p in folder.iterdir()} == {"index.json", "evidence.jsonl", "calibration_inputs.csv", "SHA256SUMS", "CITATION.txt", "citation.bib"}
    for line in (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    if shutil.which("sha256sum"):
        assert subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, capture_output=True).returncode == 0
    cited = (folder / "CITATION.txt").read_text(encoding="utf-8")
    assert "1.0.0" in cited and "2026-07-31" in cited and f"https://example.org/siiq/data/releases/{NAME}/index.json" in cited and "Nowhere" in cited and index["digest"] in cited
    assert (folder / "citation.bib").read_text(encoding="utf-8").startswith(f"@misc{{siiq-{NAME},")


def test_the_same_index_again_leaves_its_release_alone(tmp_path):
    index = _index()
    releases.make_release(index, _data(tmp_path, index))
    before = _content(tmp_path / "releases")
    assert releases.make_release(index, tmp_path, "https://example.org/elsewhere") == NAME
    assert _content(tmp_path / "releases") == before


def test_another_index_of_the_same_day_gets_a_release_of_its_own(tmp_path):
    index, other = _index(), _index(models=[])
    releases.make_release(index, _data(tmp_path, index))
    before = _content(tmp_path / "releases" / NAME)
    name = releases.make_release(other, _data(tmp_path, other))
    assert name.startswith(NAME + "-") and releases.make_release(other, tmp_path) == name
    assert _content(tmp_path / "releases" / NAME) == before and releases.releases(tmp_path) == (NAME, name)


def test_a_release_that_was_altered_is_not_handed_on(tmp_path):
    index = _index()
    releases.make_release(index, _data(tmp_path / "before", index))
    (tmp_path / "before" / "releases" / NAME / "evidence.jsonl").write_text("{ }\n", encoding="utf-8")
    with pytest.raises(PublicationError, match="not what its checksums say.*evidence.jsonl"):
        releases.carry_over(tmp_path / "before", tmp_path / "fresh")
    (tmp_path / "before" / "releases" / NAME / "evidence.jsonl").unlink()
    with pytest.raises(PublicationError, match="damaged"):
        releases.carry_over(tmp_path / "before", tmp_path / "again")


def test_checksums_reach_no_file_outside_the_release(tmp_path):
    index = _index()
    releases.make_release(index, _data(tmp_path / "before", index))
    sums = tmp_path / "before" / "releases" / NAME / "SHA256SUMS"
    sums.write_text(sums.read_text(encoding="ascii") + hashlib.sha256(b"x").hexdigest() + "  ../../x\n", encoding="ascii")
    (tmp_path / "before" / "x").write_bytes(b"x")
    with pytest.raises(PublicationError, match="not what its checksums say"):
        releases.carry_over(tmp_path / "before", tmp_path / "fresh")


def test_nothing_to_carry_over_is_fine(tmp_path):
    assert releases.carry_over(tmp_path / "nowhere", tmp_path / "fresh") == ()


def test_an_older_major_version_stays_in_the_archive(tmp_path):  # V2
    old, new = ({**_index(version), "benchmarks": [], "models": [{"slug": m, "siiq": x + points, "ranked": True} for m, x in (("a", 90.0), ("b", 120.0))]}
                for version, points in (("1.2.0", 0.0), ("2.0.0", 5.0)))
    before, fresh = _data(tmp_path / "before", old), _data(tmp_path / "fresh", new)
    releases.archive_major(new, before, fresh)
    assert json.loads((fresh / "archive" / "1.2.0" / "index.json").read_text(encoding="utf-8")) == old
    assert json.loads((fresh / "archive" / "1.2.0" / "conversion.json").read_text(encoding="utf-8"))["line"] == {"intercept": 5.0, "slope": 1.0, "residual_sd": 0.0}
    releases.archive_major(_index("1.3.0"), before, tmp_path / "minor")
    assert not (tmp_path / "minor").exists()
    newest = _data(tmp_path / "newest", new)
    releases.carry_over(fresh, newest)
    assert (newest / "archive" / "1.2.0" / "index.json").is_file()


def test_a_later_publication_never_touches_an_earlier_release(small_book, index):
    place = small_book.site / "data" / "releases"
    older = place / "2020-01-01-0.9.0"
    now = place / f'{index["as_of"]}-{index["method_version"]}'
    before = _content(now)
    old = with_digest({**index, "as_of": "2020-01-01", "method_version": "0.9.0"})
    try:
        data = _data(small_book.root / "older", old)
        releases.make_release(old, data)
        shutil.copytree(data / "releases" / older.name, older)
        kept = _content(older)
        build_book(index, small_book.run, small_book.site, small_book.root, "https://example.org/siiq", lambda text: None)
        assert _content(older) == kept and _content(now) == before
        assert older.name in (small_book.site / "es" / "data.html").read_text(encoding="utf-8")
    finally:
        shutil.rmtree(older, ignore_errors=True)
        build_book(index, small_book.run, small_book.site, small_book.root, "https://example.org/siiq", lambda text: None)
