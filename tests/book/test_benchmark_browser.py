"""Pages of benchmarks, and the pages around the data, in a real Chromium, opened from the disk, with no network."""

import json

import pytest
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish.format import LANGUAGES

HEAVIEST = 150_000  # bytes of a page without the shared files
AROUND = ("glossary", "data", "status", "changes", "versions")


@pytest.fixture
def site(small_book):
    """The small book: what is looked at here does not depend on how many models there are."""
    return small_book.site


@pytest.fixture
def names(site):
    index = json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))
    return [f'benchmarks/{b["id"]}' for b in index["benchmarks"]]


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_every_page_loads_quietly_and_fits_the_window(browser, site, names, width):  # noqa: F811
    one = Watched(browser, site, viewport={"width": width, "height": 800})
    for name in (*names, *AROUND):
        for lang in LANGUAGES:
            page = one.open(f"{lang}/{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (lang, name)
            assert (site / lang / f"{name}.html").stat().st_size < HEAVIEST
    one.context.close()
    assert not one.asked and not [x for x in one.said if "icon.svg" not in x]  # a page left early has no use for its icon


def test_the_table_of_a_figure_opens_by_keyboard(browser, site):  # noqa: F811
    one = Watched(browser, site)
    page = one.open("de/benchmarks/quiz-a.html")
    table, fold = page.locator("#t-curve-table"), page.locator("#figure-curve summary")
    assert not table.is_visible()
    fold.focus()
    page.keyboard.press("Enter")
    assert table.is_visible() and table.locator("tbody tr").count() == page.locator("#figure-curve circle").count() == 12
    one.context.close()


def test_a_term_leads_to_its_entry(browser, site):  # noqa: F811
    one = Watched(browser, site)
    page = one.open("es/worked-example.html")
    page.locator('a.term[href$="#g-loading"]').click()
    page.wait_for_url("**/es/glossary.html#g-loading")
    assert page.locator("#g-loading").evaluate("x => x === document.querySelector(':target') && x.textContent.includes('Carga')")
    one.context.close()
