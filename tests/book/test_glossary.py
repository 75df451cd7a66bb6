"""Terms: explained once in every language, and linked from where they first stand on a hand-written page."""

import copy
import re

import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish import glossary, parsed, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.words import Words


def test_the_glossary_is_whole(root, words):
    glossary.check_glossary(written.read_pages(root), words)
    assert len(glossary.terms(words, "en")) > 45


@pytest.mark.parametrize(("change", "says"), [
    (lambda page: page.replace("(g-loading)=", "(g-load)="), "terms and glossary differ"),
    (lambda page: page + "\n(g-loading)=\nLoading\n: Again.\n", "explained twice")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_term_that_is_not_explained_in_a_language_stops_the_book(root, words, lang, change, says):
    pages = copy.deepcopy(written.read_pages(root))
    pages[lang]["glossary"] = change(pages[lang]["glossary"])
    with pytest.raises(PublicationError, match=f"{says}.*book/{lang}/glossary.md"):
        glossary.check_glossary(pages, words)


def test_two_terms_cannot_claim_one_form(root):
    words = Words({"glossary.term.a": {x: "loading" for x in LANGUAGES}, "glossary.term.b": {x: "Loading|b" for x in LANGUAGES}})
    pages = {x: {"glossary": "(g-a)=\n(g-b)=\n"} for x in LANGUAGES}
    with pytest.raises(PublicationError, match="two terms claim one form"):
        glossary.check_glossary(pages, words)


def _linked(text, words, lang="en", name="limits"):
    return re.findall(r'<a class="term" href="([^"]*)">([^<]*)</a>', glossary.link_terms(text, name, words, lang))


def test_a_term_is_linked_where_it_first_stands_and_only_there(words):
    assert _linked("The loading says more. Loadings differ, and a loading falls.", words) == [("glossary.html#g-loading", "loading")]
    assert _linked("Die Ladungen und die Restvarianz.", words, "de") == [("glossary.html#g-loading", "Ladungen"), ("glossary.html#g-residual-variance", "Restvarianz")]


def test_the_longer_term_wins(words):
    assert [x for _, x in _linked("its residual variance and its residual", words)] == ["residual variance", "residual"]
    assert [x for _, x in _linked("a method version, then a version", words)] == ["method version", "version"]
    assert [x for _, x in _linked("one rank\nrange over two lines", words)] == ["rank\nrange"]


def test_pages_in_a_folder_find_the_glossary(words):
    assert _linked("a loading", words, name="method/fit") == [("../glossary.html#g-loading", "loading")]


@pytest.mark.parametrize("kept", [
    "# About loading\n", "`loading`", "$loading$", "$$\nloading\n$$", "[the loading](benchmarks.md)", "{{ loading }}", "| loading | x |", "```\nloading\n```", "````{raw} html\nloading\n````",
    "(loading)=\n", "<a href=\"x\">loading</a>", '<img alt="loading">', "unloading", "loading-bay", ":::{note} loading\n"])
def test_what_is_no_running_text_is_left_alone(words, kept):
    assert glossary.link_terms(kept, "limits", words, "en") == kept
    assert [x for _, x in _linked(f"{kept}\n\nThe loading is here.", words)] == ["loading"]


def test_the_glossary_does_not_link_itself(words):
    assert glossary.link_terms("a loading", "glossary", words, "en") == "a loading"


def test_every_link_to_the_glossary_finds_its_entry(small_book):  # by the check of built pages too
    for lang in LANGUAGES:
        entries = parsed.read_page(small_book.site / lang / "glossary.html").ids
        for page in (small_book.site / lang).glob("*.html"):
            for target in re.findall(r'class="term" href="glossary\.html#([^"]*)"', page.read_text(encoding="utf-8")):
                assert target in entries, (page.name, target)


def test_common_terms_are_linked_on_the_pages_that_use_them(small_book):
    for lang in LANGUAGES:
        page = (small_book.site / lang / "worked-example.html").read_text(encoding="utf-8")
        for term in ("logit", "loading", "intercept", "residual-variance", "calibration", "chance-level", "ceiling", "ability"):
            assert len(re.findall(f'href="glossary.html#g-{term}"', page)) == 1, (lang, term)
