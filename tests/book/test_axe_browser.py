"""axe on every kind of page in every language, light and dark: no violation. Pages of the small book, where a page has few rows."""

import json

import pytest
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish.written import page_names
from siiq_core.publish.format import LANGUAGES

LIGHT = {"preload": False, "resultTypes": ["violations"]}  # a page from the disk may not read its style sheets again
DARK = {**LIGHT, "runOnly": ["color-contrast"]}  # the dark page is the same page
# What a script writes into a page, which is looked at with the rest.
WRITTEN = {"compare": "#compare-tools:not([hidden])", "explore": "#explore-tools:not([hidden])", "ranking": "#ranking-tools:not([hidden])"}


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed").Axe()


def _kinds(root, site):
    """A page of every kind: each that is written by hand, and of the generated ones each shape."""
    index = json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))
    models, benchmarks = index["models"], index["benchmarks"]
    at_random = {"ranked": next(m for m in models if m["ranked"] and m["best_rank"] != m["worst_rank"]), "provisional": next(m for m in models if not m["ranked"])}
    old = next(m for m in models if any(x["rule"] == "I5" for x in m["not_ranked_because"] or ()))
    shapes = [f'models/{m["slug"]}' for m in (*at_random.values(), old)]
    shapes += [f'benchmarks/{next(b["id"] for b in benchmarks if b["in_index"] is inside)}' for inside in (True, False)]
    chapters = [name for name in page_names(root) if name.startswith("method-")]
    return [*(name for name in page_names(root) if name not in chapters), "search", *shapes], chapters


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_kind_of_page_has_a_violation(browser, small_book, root, axe, lang):  # noqa: F811
    """Each kind in each language; the chapters of the method, which are alike, and the dark colours, which are the same, in turn."""
    one, found, turn = Watched(browser, small_book.site, color_scheme="light"), {}, LANGUAGES.index(lang)
    kinds, chapters = _kinds(root, small_book.site)
    for k, name in enumerate([*kinds, *chapters[turn::len(LANGUAGES)]]):
        page = one.open(f"{lang}/{name}.html")
        if name in WRITTEN:
            page.locator(WRITTEN[name]).wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true; })")
        for scheme, options in (("light", LIGHT), ("dark", DARK)):
            if scheme == "light" or k % len(LANGUAGES) == turn:
                page.emulate_media(color_scheme=scheme)
                result = axe.run(page, options=options)
                if result.violations_count:
                    found[name, scheme] = result.generate_report()[:1500]
        page.emulate_media(color_scheme="light")
    one.context.close()
    assert not found and not one.said and not one.asked


def test_the_page_above_the_languages_has_none(browser, small_book, axe):  # noqa: F811
    for scheme in ("light", "dark"):
        one = Watched(browser, small_book.site, color_scheme=scheme)
        result = axe.run(one.open("index.html"), options=LIGHT)
        assert not result.violations_count, result.generate_report()[:1500]
        one.context.close()


def test_a_violation_is_noticed(browser, tmp_path, axe):  # noqa: F811
    (tmp_path / "bad.html").write_text("<p style='color:#eee;background:#fff'>faint</p><img src='data:,'>", encoding="utf-8")
    one = Watched(browser, tmp_path)
    assert {"color-contrast", "image-alt"} <= {x["id"] for x in axe.run(one.open("bad.html"), options=LIGHT).response["violations"]}
    one.context.close()
