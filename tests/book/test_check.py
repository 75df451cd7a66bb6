"""The page half of U11: faults that must stop a book (fault 21)."""

import shutil

import pytest
from made_up import copy_book

from siiq_core.errors import PublicationError
from siiq_core.publish import check, written
from siiq_core.publish.format import LANGUAGES

NAMES = ("index", "limits")


def _page(lang, name, body="", head=""):
    others = "".join(f'<link rel="alternate" hreflang="{x}" href="../{x}/{name}.html">' for x in LANGUAGES)
    return (f'<!DOCTYPE html><html lang="{lang}"><head><title>{name}</title>{others}<link rel="alternate" hreflang="x-default" href="../en/{name}.html">{head}'
            f'</head><body><main id="main"><p>one two three four five six</p>{body}</main></body></html>')


@pytest.fixture
def built(tmp_path):
    """A whole little site, which passes."""
    site = tmp_path / "html"
    for lang in LANGUAGES:
        (site / lang).mkdir(parents=True)
        for name in (*NAMES, "search"):
            (site / lang / f"{name}.html").write_text(_page(lang, name), encoding="utf-8")
    (site / "index.html").write_text(_page("en", "index").replace("../", ""), encoding="utf-8")
    return site


def _refused(site, says):
    with pytest.raises(PublicationError, match=says):
        check.check_html(site, NAMES)


def test_a_whole_site_passes(built):
    assert len(check.check_html(built, NAMES)) == 10


def test_an_empty_site_fails(tmp_path):
    _refused(tmp_path, "index.html: missing")


def test_an_empty_page_fails(built):
    (built / "de" / "limits.html").write_text(_page("de", "limits").replace("one two three four five six", ""), encoding="utf-8")
    _refused(built, "de/limits.html: empty")


def test_a_page_missing_in_one_language_fails(built):
    (built / "es" / "limits.html").unlink()
    _refused(built, "es/limits.html: missing")


@pytest.mark.parametrize(("body", "says"), [
    ('<a href="missing.html">x</a>', "links to missing.html"),
    ('<a href="limits.html#nothing">x</a>', "where nothing has this name"),
    ('<a href="../../outside.html">x</a>', "which is not there"),
    ('<a href="javascript:alert(1)">x</a>', "no address of a page"),
    ('<img src="https://example.org/a.png">', "from outside"),
    ('<script src="//example.org/a.js"></script>', "from outside"),
    ('<img src="missing.png">', "which is not there"),
    ('<div style="background: url(https://example.org/a.png)"></div>', "from outside"),
    ('<p onclick="x()">x</p>', "script in 'onclick'"),
    ('<p id="main">x</p>', "stands twice"),
    ("<p><em>x</p>", "closes em"),
    ("<div>x", "closes div"),
])
def test_a_faulty_page_fails(built, body, says):
    (built / "en" / "index.html").write_text(_page("en", "index", body), encoding="utf-8")
    _refused(built, says)


def test_loads_in_the_head_count_too(built):
    (built / "en" / "index.html").write_text(_page("en", "index", head='<link rel="stylesheet" href="https://example.org/a.css">'), encoding="utf-8")
    _refused(built, "from outside")


def test_a_style_sheet_that_loads_from_elsewhere_fails(built):
    (built / "en" / "a.css").write_text("@import 'https://example.org/b.css';", encoding="utf-8")
    _refused(built, "en/a.css: loads https")


def test_links_to_elsewhere_are_fine(built):
    (built / "en" / "index.html").write_text(_page("en", "index", '<a href="https://example.org/">x</a>'), encoding="utf-8")
    check.check_html(built, NAMES)


def test_the_wrong_language_fails(built):
    (built / "de" / "index.html").write_text(_page("en", "index"), encoding="utf-8")
    _refused(built, "says it is in 'en'")


def test_a_missing_alternate_fails(built):
    page = _page("de", "index").replace('<link rel="alternate" hreflang="es" href="../es/index.html">', "")
    (built / "de" / "index.html").write_text(page, encoding="utf-8")
    _refused(built, "has the alternates")


def test_an_alternate_that_leads_nowhere_fails(built):
    page = _page("de", "index").replace("../es/index.html", "../es/nowhere.html")
    (built / "de" / "index.html").write_text(page, encoding="utf-8")
    _refused(built, "alternate es")


def test_absolute_alternates_are_looked_up_in_the_site(built):
    for lang in LANGUAGES:
        for name in (*NAMES, "search"):
            path = built / lang / f"{name}.html"
            path.write_text(path.read_text(encoding="utf-8").replace('href="../', 'href="https://example.org/siiq/'), encoding="utf-8")
    check.check_html(built, NAMES, "https://example.org/siiq")
    with pytest.raises(PublicationError, match="alternate"):
        check.check_html(built, NAMES, "https://example.org/other")


# --- sources ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def sources(root, tmp_path):
    return copy_book(root, tmp_path)


def test_the_sources_are_whole(root):
    pages = written.read_pages(root)
    assert set(pages) == set(LANGUAGES) and set(pages["en"]) == set(written.page_names(root))


def test_a_stale_translation_fails(sources):
    page = sources / "book" / "en" / "limits.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nOne more thing.\n", encoding="utf-8")
    with pytest.raises(PublicationError, match="renders another version.*book/de/limits.md"):
        written.read_pages(sources)


def test_a_translation_that_records_nothing_fails(sources):
    page = sources / "book" / "es" / "index.md"
    page.write_text(written.split_front(page.read_text(encoding="utf-8"))[1], encoding="utf-8")
    with pytest.raises(PublicationError, match="renders another version.*book/es/index.md"):
        written.read_pages(sources)


def test_a_page_missing_in_one_language_fails_before_building(sources):
    (sources / "book" / "es" / "limits.md").unlink()
    with pytest.raises(PublicationError, match="a page is missing.*book/es/limits.md"):
        written.read_pages(sources)


def test_a_page_outside_the_contents_fails(sources):
    shutil.copyfile(sources / "book" / "en" / "limits.md", sources / "book" / "en" / "extra.md")
    with pytest.raises(PublicationError, match="no table of contents"):
        written.read_pages(sources)
