"""Building: aside, checked, swapped in as a whole; what fails leaves the earlier book."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_up import write_run

from siiq_core.errors import PublicationError
from siiq_core.publish import book, bookbuild, parsed, swap, written
from siiq_core.publish.bookbuild import build_book
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.pages import generated
from siiq_core.publish.site import load_site
from siiq_core.publish.words import Words


def _silent(text):
    pass


def _build(small, index, run=None):
    return build_book(index, run or small.run, small.site, small.root, "https://example.org/siiq", _silent)


def _content(site):
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}


def test_the_book_is_whole(small_book, index):
    made = generated(load_site(index, small_book.run, small_book.root, Words.load(small_book.root)), "en")
    assert {f'models/{m["slug"]}' for m in index["models"]} <= set(made)
    names = [*written.page_names(small_book.root), *made]
    assert set(small_book.pages) == {"index.html", *(f"{lang}/{n}.html" for lang in LANGUAGES for n in (*names, "search"))}
    assert json.loads((small_book.site / "data" / "index.json").read_text(encoding="utf-8")) == index
    schemas = {p.name for p in (Path(bookbuild.__file__).parent / "schemas").glob("*.schema.json")}
    assert {p.name for p in (small_book.site / "data").iterdir()} == {*book.DATA_FILES, *book.MADE_FILES, *schemas, "datapackage.json", "index.js", "status.js", "releases"}


def test_every_page_names_the_method_version(small_book, index):  # V1
    for page in small_book.pages:
        assert index["method_version"] in (small_book.site / page).read_text(encoding="utf-8")


def test_alternates_are_absolute_where_the_address_is_known(small_book):
    page = parsed.read_page(small_book.site / "de" / "ranking.html")
    assert page.alternates == {"en": "https://example.org/siiq/en/ranking.html", "de": "https://example.org/siiq/de/ranking.html",
                               "es": "https://example.org/siiq/es/ranking.html", "x-default": "https://example.org/siiq/en/ranking.html"}


def test_a_what_if_run_becomes_no_page(small_book, index):
    before = _content(small_book.site)
    with pytest.raises(PublicationError, match="what-if"):
        _build(small_book, {**index, "what_if": {"lam": [0.1, 0.2]}})
    assert _content(small_book.site) == before


def test_another_index_than_the_file_is_refused(small_book, index, tmp_path):
    before = _content(small_book.site)
    run = write_run(tmp_path / "run", {**index, "as_of": "2020-01-01"})
    with pytest.raises(PublicationError, match="another index"):
        _build(small_book, index, run)
    (run / "evidence.jsonl").unlink()
    with pytest.raises(PublicationError, match="the run is not whole.*evidence.jsonl"):
        _build(small_book, index, run)
    assert _content(small_book.site) == before


def test_a_page_that_does_not_parse_stops_the_build_and_nothing_is_lost(small_book, index):
    before = _content(small_book.site)
    page = small_book.root / "book" / "en" / "limits.md"
    kept = {lang: (small_book.root / "book" / lang / "limits.md").read_text(encoding="utf-8") for lang in LANGUAGES}
    try:
        page.write_text(kept["en"] + "\nsee [this](missing.md)\n", encoding="utf-8")
        for lang in LANGUAGES[1:]:
            version = written.version_of(page.read_text(encoding="utf-8"))
            (small_book.root / "book" / lang / "limits.md").write_text(re.sub(r'renders: "\w+"', f'renders: "{version}"', kept[lang]), encoding="utf-8")
        with pytest.raises(PublicationError, match="does not build.*limits.md.*missing"):
            _build(small_book, index)
        assert _content(small_book.site) == before
    finally:
        for lang, text in kept.items():
            (small_book.root / "book" / lang / "limits.md").write_text(text, encoding="utf-8")
    _build(small_book, index)
    assert _content(small_book.site) == before  # same input, same bytes


def test_a_change_of_looks_or_words_alone_reaches_the_pages(small_book, index):
    style, words = small_book.root / "book" / "_static" / "siiq.css", small_book.root / "book" / "translations.yml"
    kept = style.read_bytes(), words.read_bytes()
    try:
        style.write_bytes(kept[0] + b"\n/* looks */\n")
        words.write_bytes(kept[1].replace(b"en: Contents", b"en: Table of contents"))
        _build(small_book, index)
        assert "looks" in (small_book.site / "es" / "_static" / "siiq.css").read_text(encoding="utf-8")
        assert "Table of contents" in (small_book.site / "en" / "limits.html").read_text(encoding="utf-8")
    finally:
        style.write_bytes(kept[0])
        words.write_bytes(kept[1])
        _build(small_book, index)


def test_an_interrupted_swap_is_mended(tmp_path):  # fault 23
    site, old = tmp_path / "html", tmp_path / ".html-old"
    old.mkdir()
    (old / "index.html").write_text("whole", encoding="utf-8")
    swap.repair(site)
    assert (site / "index.html").read_text(encoding="utf-8") == "whole" and not old.exists()


def test_an_equal_file_is_left_alone(tmp_path):
    path = tmp_path / "a.md"
    bookbuild.replace_if_changed(path, b"x")
    before = path.stat().st_mtime_ns
    bookbuild.replace_if_changed(path, b"x")
    assert path.stat().st_mtime_ns == before


class _Texts(HTMLParser):
    """Texts and labels of a page that are its own language's: no code, formulas, foreign names or marked other languages."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self._skipped = set(), []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("link", "meta", "img", "input", "br"):
            return
        own = tag == "html"
        if self._skipped or tag in ("script", "style", "code", "pre", "bdi", "math", "svg", "time", "data") or (not own and "lang" in given):
            self._skipped.append(tag)
            return
        self.found |= {given[k] for k in ("title", "aria-label", "placeholder", "alt", "data-auto", "data-light", "data-dark") if given.get(k)}

    def handle_endtag(self, tag):
        if self._skipped and self._skipped[-1] == tag:
            self._skipped.pop()

    def handle_data(self, data):
        if not self._skipped:
            self.found.add(" ".join(data.split()))


def _texts(path):
    reader = _Texts()
    reader.feed(path.read_text(encoding="utf-8"))
    return {x for x in reader.found if len(re.findall(r"[^\W\d_]{2,}", x)) >= 2}


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_no_english_is_left_in_a_translation(small_book, index, lang):
    developers = {m["developer"] for m in index["models"]}  # names, the same in every language; in a list to choose from they carry no mark
    for name in (*written.page_names(small_book.root), "search"):
        same = _texts(small_book.site / "en" / f"{name}.html") & _texts(small_book.site / lang / f"{name}.html")
        assert not {x for x in same - developers if "SI-IQ" not in x}, name


def test_german_addresses_nobody(root):
    texts = [p.read_text(encoding="utf-8") for p in sorted((root / "book" / "de").glob("*.md"))]
    assert not [x for text in texts for x in re.findall(r"[^.:!?\n#*-] (?:Sie|Ihnen|Ihr|Ihre[mnrs]?)\b", text)]
