"""The built book in a real Chromium, opened from the disk, with no network."""

import re
import shutil
import time
from pathlib import Path

import pytest

from siiq_core.publish.written import page_names
from siiq_core.publish.format import LANGUAGES

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


@pytest.fixture(scope="module")
def browser():
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium here: install Debian's package chromium to run the tests of the built book in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


def until(page, expression: str, seconds: float = 30) -> None:
    """Waits until a JavaScript expression is true. Asked from here: wait_for_function asks again inside
    the page with eval, which the pages' content-security policy refuses."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not true after {seconds} s: {expression}"
        page.wait_for_timeout(20)


class Watched:
    """A page whose complaints and outside requests are written down."""

    def __init__(self, browser, site: Path, **options):
        self.site, self.said, self.asked = site, [], []
        self.context = browser.new_context(offline=True, **options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else self.asked.append(request.url))
        self.page.on("requestfailed", self._failed)

    def _failed(self, request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what the page before still asked for when the next one was opened
            self.said.append(f"failed: {request.url} {request.failure}")

    def open(self, address: str):
        self.page.goto((self.site / address).as_uri())
        return self.page


@pytest.fixture
def watched(browser, site):
    one = Watched(browser, site)
    yield one
    one.context.close()
    assert not one.said and not one.asked


def _addresses(root):
    return ["index.html", *(f"{lang}/{name}.html" for lang in LANGUAGES for name in (*page_names(root), "search"))]


def test_the_page_above_the_languages_loads_quietly(watched):
    page = watched.open("index.html")
    assert page.evaluate("document.documentElement.lang") == "en" and page.locator("main").inner_text().strip()
    assert page.locator("link[hreflang='x-default']").count() == 1


def test_the_language_switch_stays_on_the_page(watched, root):
    for name in page_names(root):
        page = watched.open(f"en/{name}.html")
        for lang in ("de", "es", "en"):
            page.locator(f".languages a[hreflang={lang}]").click()
            page.wait_for_url(f"**/{lang}/{name}.html")
            assert page.evaluate("document.documentElement.lang") == lang


def test_the_switch_works_by_keyboard(watched):
    page = watched.open("en/ranking.html")
    page.locator(".languages a[hreflang=de]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/de/ranking.html")


def test_numbers_are_the_same_in_every_language(watched, root):
    read = "[...document.querySelectorAll('data, td[data-v]')].map(x => x.value || x.dataset.v)"
    shown = "[...document.querySelectorAll('td.n strong')].map(x => x.textContent).filter(x => /^\\d+$/.test(x))"  # scores and ranks
    for name in page_names(root):
        found = {}
        for lang in LANGUAGES:
            page = watched.open(f"{lang}/{name}.html")
            found[lang] = (sorted(page.evaluate(read)), page.evaluate(shown))
        assert found["en"] == found["de"] == found["es"], name
        assert found["en"][0] or name in ("limits", "workbench"), name


def test_decimals_are_written_as_the_language_writes_them(watched):
    cell = "document.querySelector('#t-worked-weights tbody td').textContent"
    assert re.fullmatch(r"\d\.\d{4}", watched.open("en/worked-example.html").evaluate(cell))
    for lang in ("de", "es"):
        page = watched.open(f"{lang}/worked-example.html")
        assert re.fullmatch(r"\d,\d{4}", page.evaluate(cell))
        assert page.evaluate("[...document.querySelectorAll('.arithmetic mn')].every(x => !x.textContent.includes('.'))")


@pytest.mark.parametrize(("lang", "word", "found"), [("en", "interval", "Pages found"), ("de", "Intervall", "Gefundene Seiten"), ("es", "intervalo", "Páginas encontradas")])
def test_search_finds_pages_in_its_language(watched, lang, word, found):
    page = watched.open(f"{lang}/search.html")
    page.locator("#q").fill(word)
    page.keyboard.press("Enter")
    page.get_by_text(found).wait_for()
    assert page.locator("#search-results li a").count() >= 1


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(browser, site, root, width):
    narrow = Watched(browser, site, viewport={"width": width, "height": 800})
    for address in _addresses(root):
        page = narrow.open(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    narrow.context.close()


def test_tables_scroll_in_their_own_box_and_can_be_reached(browser, site):
    narrow = Watched(browser, site, viewport={"width": 360, "height": 800})
    page = narrow.open("en/benchmarks.html")
    box = page.locator(".box").first
    assert box.evaluate("x => x.scrollWidth > x.clientWidth && getComputedStyle(x).overflowX === 'auto'")
    box.focus()
    assert box.evaluate("x => x === document.activeElement && !!x.getAttribute('aria-labelledby')")
    assert page.evaluate("[...document.querySelectorAll('table')].every(t => t.caption && [...t.querySelectorAll('th')].every(h => h.scope))")
    narrow.context.close()


def test_the_phone_menu_opens_and_closes_by_keyboard(browser, site):
    narrow = Watched(browser, site, viewport={"width": 360, "height": 800})
    page = narrow.open("de/index.html")
    page.locator(".menu summary").focus()
    page.keyboard.press("Enter")
    assert page.locator(".menu nav a").first.is_visible()
    page.keyboard.press("Escape")
    assert not page.locator(".menu nav a").first.is_visible()
    narrow.context.close()


def test_light_and_dark_follow_the_system_and_the_button(browser, site):
    paper = "getComputedStyle(document.body).backgroundColor"
    seen = {}
    for scheme in ("light", "dark"):
        one = Watched(browser, site, color_scheme=scheme)
        page = one.open("en/index.html")
        seen[scheme] = page.evaluate(paper)
        if scheme == "light":
            for _ in range(2):  # as the system, light, dark
                page.locator("button.theme").click()
            assert page.evaluate("document.documentElement.dataset.theme") == "dark"
            chosen = page.evaluate(paper)
            page.reload()
            assert page.evaluate(paper) == chosen
        one.context.close()
    assert seen["light"] != seen["dark"] == chosen


def test_pages_read_without_scripts(browser, site):
    plain = Watched(browser, site, java_script_enabled=False)
    page = plain.open("es/ranking.html")
    assert page.locator("#t-ranking tbody tr").count() > 5 and page.locator("button.theme").is_hidden()
    page.locator(".languages a[hreflang=en]").click()
    page.wait_for_url("**/en/ranking.html")
    plain.context.close()
