"""Pages that were read before are not read again; what is remembered wrongly is not believed."""

import json

import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish import parsed
from siiq_core.publish.parsed import Page, read_page
from siiq_core.publish.seen import Seen
from siiq_core.publish.shared import VERSION, Shared

TEXT = '<html lang="en"><title>A</title><body><main id="m"><p>{}</p><a href="b.html#x">b</a><img src="c.png"></main></body></html>'
EDITION = '<html lang="en"><title>{0}</title><body><main id="v{0}"><p>{0}</p><a href="old/{0}/b.html">b</a><img src="c-{0}.png"></b></main></body></html>'


@pytest.fixture
def pages(tmp_path):
    out = [tmp_path / f"{k}.html" for k in range(3)]
    for k, path in enumerate(out):
        path.write_text(TEXT.format(f"page {k}"), encoding="utf-8")
    return out


def _read(pages, kept, code=b"1", pieces=None):
    """The pages, and the names of those that were parsed."""
    asked = []

    def read(paths, shared):
        asked.extend(p.name for p in paths)
        return parsed.parse_pages(paths, shared)

    return Seen(kept, Shared(pieces or {})).pages(pages, read, code), asked


def test_only_what_changed_is_read_and_the_answer_is_the_same(pages, tmp_path):
    kept = tmp_path / "work" / "pages.json"
    first, asked = _read(pages, kept)
    assert asked == ["0.html", "1.html", "2.html"] and first == [read_page(p) for p in pages]
    assert _read(pages, kept) == (first, [])
    pages[1].write_text(TEXT.format("new words, and </b> a fault"), encoding="utf-8")
    second, asked = _read(pages, kept)
    assert asked == ["1.html"] and second == [read_page(p) for p in pages] and second[1].faults


def test_another_edition_is_no_other_page_and_is_seen_all_the_same(tmp_path):
    page, kept = tmp_path / "a.html", tmp_path / "pages.json"
    for version, parsed in (("1.0.0", ["a.html"]), ("1.0.1", []), ("2.17.3", [])):
        page.write_text(EDITION.format(version), encoding="utf-8")
        (found,), asked = _read([page], kept, pieces={VERSION: version})
        assert asked == parsed and found == read_page(page)
        assert found.links == [f"old/{version}/b.html"] and found.loads == [f"c-{version}.png"] and found.ids == {f"v{version}"} and found.title == version and found.faults
    page.write_text(EDITION.format("1.0.0"), encoding="utf-8")
    assert _read([page], kept, pieces={VERSION: "3.0.0"})[1] == ["a.html"], "an edition that is not this one's is the page's own text"


@pytest.mark.parametrize("piece", ['<a href="x.html">x</a>', '<p id="x">x</p>', '<img src="x.png">', "</main>", "<b>x"])
def test_nothing_that_a_check_looks_at_is_shared(pages, tmp_path, piece):
    with pytest.raises(PublicationError, match="more than text"):
        _read(pages, tmp_path / "pages.json", pieces={VERSION: piece})


def test_a_page_that_is_gone_is_forgotten(pages, tmp_path):
    kept = tmp_path / "pages.json"
    _read(pages, kept)
    _read(pages[:1], kept)
    assert len(json.loads(kept.read_text(encoding="utf-8"))["pages"]) == 1


def test_another_code_reads_all_again(pages, tmp_path):
    kept = tmp_path / "pages.json"
    _read(pages, kept)
    assert len(_read(pages, kept, b"2")[1]) == 3


@pytest.mark.parametrize("torn", [b"", b"{", b"[]", b"null", b'{"code": "x"}', b'{"code": 1, "pages": 2}', bytes([255])])
def test_a_torn_memory_is_as_good_as_none(pages, tmp_path, torn):
    kept = tmp_path / "pages.json"
    kept.write_bytes(torn)
    found, asked = _read(pages, kept)
    assert len(asked) == 3 and all(isinstance(x, Page) for x in found)
