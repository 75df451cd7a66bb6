"""The status page in a real Chromium, from the disk: what the last run said appears on a page that was made earlier."""

import copy
import json
import shutil

import pytest
from made_up import HOSTILE
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish import format, scripts
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.status import status_script
from siiq_core.publish.words import Words

AT = "2027-03-01T06:05:00Z"
SAYS = {"en": "Results held back".lower(), "de": "zurückgehaltene Ergebnisse", "es": "resultados retenidos"}


@pytest.fixture
def site(small_book, tmp_path):
    """A copy of the small book, whose status says what a test lets it say."""
    return shutil.copytree(small_book.site, tmp_path / "html", ignore=shutil.ignore_patterns("models", "releases"))


@pytest.fixture
def status(small_book):
    found = json.loads((small_book.site / "status.json").read_text(encoding="utf-8"))
    source = found["sources"][0]
    source |= {"last_check": AT, "last_success": "2027-03-01T05:05:00Z", "failure": {"rule": "U6a", "since": AT, "what": HOSTILE[0], "waiting_for": "", "coded": {}}}
    return found | {"gate": {"runs": True, "note": ""}, "generated_at": AT, "published_at": "2027-02-28T00:00:00Z", "held": [{}] * 3, "frozen": [{}], "refused": []}


@pytest.fixture
def open_page(browser, site):  # noqa: F811
    opened = []

    def open_(status, lang="en"):
        if status is not None:
            (site / "data" / "status.js").write_bytes(status_script(status))
        opened.append(Watched(browser, site))
        page = opened[-1].open(f"{lang}/status.html")
        page.wait_for_load_state("networkidle")
        return page

    yield open_
    for one in opened:
        one.context.close()
        assert not one.said and not one.asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_times_counts_and_failures_are_brought_up_to_date(open_page, status, lang):
    page = open_page(status, lang)
    line = page.locator("#status-live")
    assert line.is_visible() and SAYS[lang] in line.inner_text().lower() if lang == "en" else SAYS[lang] in line.inner_text()
    assert "3" in line.inner_text() and format.moment(AT, lang) in line.inner_text() and format.moment("2027-02-28T00:00:00Z", lang) in line.inner_text()
    row = page.locator(f'#s-{status["sources"][0]["id"]}')
    assert row.locator('[data-live="last_check"]').inner_text() == format.moment(AT, lang)
    assert row.locator('[data-live="last_success"]').inner_text() == format.moment("2027-03-01T05:05:00Z", lang)
    assert "U6a" in row.locator('[data-live="state"]').inner_text() and page.locator("main img").count() == 0


def test_a_stop_shows(open_page, status):
    status["publication"] |= {"state": "stopped", "since": AT}
    assert f"Publication has been stopped since {format.moment(AT, 'en')}" in open_page(status).locator("#status-live").inner_text()


def test_what_is_no_newer_changes_nothing(open_page, status):
    before = open_page(None).locator("main").inner_html()
    for change in ({"gate": {"runs": False, "note": ""}}, {"generated_at": "2001-01-01T00:00:00Z"}):
        assert open_page(copy.deepcopy(status) | change).locator("main").inner_html() == before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_days_are_written_as_on_the_pages(root, lang):
    found = json.loads(scripts.words_script(Words.load(root), lang).decode("ascii").removeprefix("window.SIIQ = ").removesuffix(";\n"))["dates"]
    for month in range(1, 13):
        day = f"2026-{month:02}-05"
        assert found["day"].replace("{d}", "5").replace("{m}", found["months"][month - 1]).replace("{y}", "2026") == format.day(day, lang)
