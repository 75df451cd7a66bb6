"""A rebuild after one changed result: the bytes of a fresh build, and most pages left alone."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import copy_book, made_up_index, write_run

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format, parsed, sphinx_pace
from siiq_core.publish.bookbuild import build_book
from siiq_core.publish.building import write_sources
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.shared import VERSION, Shared, day_sign, shared_of
from siiq_core.publish.site import load_site
from siiq_core.publish.words import Words

URL = "https://example.org/siiq"


def _content(site):
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def rebuilt(root, tmp_path_factory):
    """A book, then the book of an hour later built upon it, in which nova-4 has other results and another rank."""
    base = tmp_path_factory.mktemp("rebuilt")
    copy_book(root, base)
    before = made_up_index(root)
    after = made_up_index(root, {("nova-4", "quiz-b"): 0.95, ("nova-4", "sums"): 0.5}, "1.0.1")
    ranks = [{m["slug"]: m["rank"] for m in x["models"]} for x in (before, after)]
    assert ranks[0]["nova-4"] > ranks[1]["nova-4"], "the order of the pages is another"
    site, times = base / "_build" / "html", []
    for name, index in (("one", before), ("two", after)):
        build_book(index, write_run(base / "_build" / name, index), site, base, URL, lambda text: None)
        built = base / "_build" / ".html-work" / "out" / "en" / "_build" / "html"
        times.append({p.relative_to(built).as_posix(): p.stat().st_mtime_ns for p in built.rglob("*.html")})
    return base, after, times, _content(site)


def _again(rebuilt):
    base, after, _, _ = rebuilt
    build_book(after, base / "_build" / "two", base / "_build" / "html", base, URL, lambda text: None)
    return _content(base / "_build" / "html")


def test_a_rebuild_gives_the_bytes_of_a_fresh_build(rebuilt):
    shutil.rmtree(rebuilt[0] / "_build" / ".html-work")
    fresh = _again(rebuilt)
    assert fresh.keys() == rebuilt[3].keys() and [x for x in fresh if fresh[x] != rebuilt[3][x]] == []


def test_what_a_killed_build_left_is_not_built_upon(rebuilt):
    work = rebuilt[0] / "_build" / ".html-work"
    for page in ("glossary", "models/nova-2"):  # half written, and newer than their sources
        (work / "out" / "de" / "_build" / "html" / f"{page}.html").write_text("<main>half of", encoding="utf-8")
    (work / ".de-whole").unlink()
    assert _again(rebuilt) == rebuilt[3]


def test_pages_that_say_the_same_are_left_alone(rebuilt):
    first, second = rebuilt[2]
    assert first.keys() == second.keys()
    same = {x for x in first if first[x] == second[x]}
    assert {"glossary.html", "models/nova-9.html", "models/tiny-1.html", "benchmarks/levers.html"} <= same
    assert not same & {"index.html", "ranking.html", "data.html", "models/nova-4.html", "benchmarks/quiz-b.html"}


def test_a_page_left_alone_names_this_edition(rebuilt):  # V1
    for lang in LANGUAGES:
        for page in ("glossary", "models/tiny-1"):
            text = rebuilt[3][f"{lang}/{page}.html"].decode("utf-8")
            assert "SI-IQ 1.0.1" in text and format.day(rebuilt[1]["as_of"], lang) in text and "1.0.0" not in text


def test_neighbours_follow_the_new_order(rebuilt):
    _, after, _, content = rebuilt
    order = [m["slug"] for m in sorted(after["models"], key=lambda m: (not m["ranked"], m["rank"] or 0, m["name"].casefold(), m["slug"]))]
    for before, slug in zip(order, order[1:]):
        assert f'<a class="prev" rel="prev" href="{before}.html">' in content[f"es/models/{slug}.html"].decode("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_search_index_knows_words_of_this_book_alone(rebuilt, lang):
    found = json.loads(rebuilt[3][f"{lang}/searchindex.js"].decode("utf-8").removeprefix("Search.setIndex(").removesuffix(")"))
    assert all(pages != [] for words in (found["terms"], found["titleterms"]) for pages in words.values())
    assert {"errand", "errands"} & found["terms"].keys(), "a word of a table stands by itself"


# --- signs -------------------------------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["1.0.1", "2 Aug 2026", "<line/>", "1.0", ".1", "2", " ", "<p>x</p>", "ü", "1.0.12"]), max_size=12).map("".join))
def test_signs_change_nothing(text):
    shared = Shared({"\ue100": "<line/>", day_sign("en"): "2 Aug 2026", VERSION: "1.0.1"})
    assert shared.shown(shared.hidden(text)) == text and "1.0.1" not in shared.hidden(text)


def test_a_text_with_a_sign_of_its_own_is_refused():
    with pytest.raises(PublicationError, match="stands for something else.*U\\+E000"):
        Shared({}).hidden("a \ue000")


def test_a_sign_without_a_meaning_is_refused():
    with pytest.raises(PublicationError, match="stands for nothing.*U\\+E177"):
        Shared({VERSION: "1.0.1"}).shown("a \ue177 \ue000")


def test_every_axis_is_shared(small_book, index):
    site = load_site(index, small_book.run, small_book.root, Words.load(small_book.root), URL)
    shared = shared_of(site, URL)
    for page in [*small_book.site.glob("*/models/*.html"), *small_book.site.glob("*/ranking.html")]:
        text = page.read_text(encoding="utf-8")
        assert 'class="ref"' in text and 'class="ref"' not in shared.hidden(text), page.name
    assert figures.ticks(figures.scale_of(index)) in shared.pieces.values()


def test_a_built_page_is_read_with_signs_as_without(small_book, index):
    shared = shared_of(load_site(index, small_book.run, small_book.root, Words.load(small_book.root), URL), URL)
    for page in sorted((small_book.site / "en").rglob("*.html")):
        plain, hidden = parsed.read_page(page), parsed.read_page(page, shared)
        assert [shared.shown(x) for x in hidden.links] == plain.links and {shared.shown(x) for x in hidden.ids} == plain.ids, page.name
        assert shared.shown(hidden.title) == plain.title and hidden.faults == plain.faults and hidden.loads == plain.loads


# --- sources and blocks --------------------------------------------------------------------------------------------------------------


def test_only_other_sources_are_written_and_old_ones_leave(tmp_path):
    write_sources(tmp_path, {"a": "one", "models/b": "two", "models/c": "three"})
    times = {p.name: p.stat().st_mtime_ns for p in tmp_path.rglob("*.md")}
    write_sources(tmp_path, {"a": "one", "models/b": "other"})
    assert (tmp_path / "a.md").stat().st_mtime_ns == times["a.md"] and (tmp_path / "models" / "b.md").read_text(encoding="utf-8") == "other"
    assert not (tmp_path / "models" / "c.md").exists()


def test_a_block_as_text_is_its_words_each_once():
    block = sphinx_pace.ready_html(html='<table><td>GPQA</td><td>45.3%</td><td title="not this">GPQA &amp; co</td></table><script>no()</script><style>p{}</style>', format="html")
    assert block.astext() == "GPQA 45 3 co"
