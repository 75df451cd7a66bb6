"""The chart of scores by release date: its data are the index's, and it draws from a disk with no network."""

import copy
import json
import re

import pytest
from made_up import HOSTILE
from test_browser import Watched, browser, until  # noqa: F401

from siiq_core.publish import explore
from siiq_core.publish.format import LANGUAGES


def _points(spec):
    return spec["data"]["values"]


def _embedded(block):
    return json.loads(re.search(r'<script type="application/json" id="explore-spec">(.*?)</script>', block, re.DOTALL)[1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_points_are_those_of_the_index(index, words, lang):
    changed = copy.deepcopy(index)
    changed["models"][0]["shown"] = {"siiq": "777", "low": "776", "high": "778"}  # whatever the file says is shown
    changed["models"][1]["released"] = None
    found, dated = _points(explore.spec(changed, words, lang)), [m for m in changed["models"] if m["released"]]
    assert [x["slug"] for x in found] == [m["slug"] for m in dated] and len(dated) == len(index["models"]) - 1
    for x, m in zip(found, dated, strict=True):
        assert [x[k] for k in ("siiq", "low", "high")] == [round(m[k], 2) for k in ("siiq", "low", "high")]
        assert (x["released"], x["ranked"], x["score"]) == (m["released"], m["ranked"], m["shown"]["siiq"])
    assert found[0]["interval"] == "776–778"
    assert 'id="t-explore"' in (block := explore.explore_chart(changed, words, lang)) and block.count('<th scope="row">') == len(index["models"])


def test_the_same_index_gives_the_same_bytes(index, words):
    assert explore.explore_chart(index, words, "de") == explore.explore_chart(copy.deepcopy(index), words, "de")


def test_a_hostile_name_is_data_and_cannot_end_its_element(index, words):  # fault 24
    changed = copy.deepcopy(index)
    changed["models"][0] |= {"name": "</script><script>alert(1)</script>", "developer": "<!--"}
    block = explore.explore_chart(changed, words, "en")
    assert "<script>" not in block and "<!--" not in block and HOSTILE[0] not in block
    assert _points(_embedded(block))[0]["name"] == "</script><script>alert(1)</script>"


@pytest.mark.parametrize(("lang", "decimal", "month"), [("en", ".", "Oct"), ("de", ",", "Okt"), ("es", ",", "oct")])
def test_numbers_and_months_are_those_of_the_language(index, words, lang, decimal, month):
    made = explore.spec(index, words, lang)["config"]["locale"]
    assert made["number"]["decimal"] == decimal and made["time"]["shortMonths"][9] == month and len(made["time"]["months"]) == 12
    assert made["time"]["days"][0] == {"en": "Sunday", "de": "Sonntag", "es": "domingo"}[lang]


def test_the_title_says_since_when_the_leading_have_been_out(index, words):
    changed = copy.deepcopy(index)
    changed["models"][1]["released"] = "2024-12-24"
    assert "24 Dec 2024" in explore.finding(changed, words, "en")
    changed["models"][1]["released"] = None  # not known, so not said
    assert "2025" not in explore.finding(changed, words, "en") and "8 ranked models" in explore.finding(changed, words, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_picture_without_scripts_has_every_ranked_model_of_known_day(index, words, lang):
    ranked = [m for m in index["models"] if m["ranked"] and m["released"]]
    drawn = explore.still(index, words, lang)
    assert drawn.count("<circle") == len(ranked)
    assert re.search(r'class="segments"[^>]* d="([^"]*)"', drawn)[1].count("M") == len(ranked)
    assert words.raw("explore.alternative", lang) in drawn and "<img" not in drawn and explore.still({**index, "models": []}, words, lang) == ""


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def book(root, request):
    """The built book of the project where it has this page, else the small one."""
    built = root / "_build" / "html"
    whole = all((built / x).is_file() for x in (explore.LIBRARY, "en/explore.html"))
    return built if whole else request.getfixturevalue("small_book").site


@pytest.fixture
def watched(browser, book):  # noqa: F811
    one = Watched(browser, book, viewport={"width": 360, "height": 800})
    yield one
    one.context.close()
    assert not one.said and not one.asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chart_draws_from_a_disk(watched, book, lang):
    models = json.loads((book / "data" / "index.json").read_text(encoding="utf-8"))["models"]
    page = watched.open(f"{lang}/explore.html")
    page.locator("#explore-tools").wait_for()
    assert page.locator("#explore-chart[role=img][aria-label] svg").count() == 1
    assert page.locator("#explore-chart .mark-symbol[class*=dots] path").count() == sum(m["ranked"] and m["released"] is not None for m in models)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("[name=unranked]").check()
    until(page, f"document.querySelectorAll('#explore-chart .mark-symbol[class*=dots] path').length === {sum(m['released'] is not None for m in models)}")
    page.locator("[name=since]").select_option(max(m["released"][:4] for m in models if m["released"]))
    page.locator("[name=developer]").select_option(index=1)
    name, year = page.locator("[name=developer]").input_value(), page.locator("[name=since]").input_value()
    left = sum(name in m["developer"].split(", ") and (m["released"] or "")[:4] >= year for m in models)
    until(page, f"document.querySelectorAll('#explore-chart .mark-symbol[class*=dots] path').length === {left}")


def test_a_dot_shows_its_numbers_and_opens_its_page(browser, book):  # noqa: F811
    one = Watched(browser, book, viewport={"width": 1280, "height": 900})
    page = one.open("de/explore.html")
    page.locator("#explore-tools").wait_for()
    dot = page.locator("#explore-chart .mark-symbol[class*=dots] path").last
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("#vg-tooltip-element.visible").wait_for()
    assert "90-%-Intervall" in page.locator("#vg-tooltip-element").inner_text()
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"], steps=4)
    page.mouse.up()  # dragged with the chart: no click
    page.wait_for_timeout(200)
    assert page.url.endswith("/de/explore.html")
    box = dot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/de/models/*.html")
    one.context.close()
    assert not one.said and not one.asked


def test_without_scripts_there_is_a_picture_and_the_table(browser, book):  # noqa: F811
    ranked = [m for m in json.loads((book / "data" / "index.json").read_text(encoding="utf-8"))["models"] if m["ranked"] and m["released"]]
    one = Watched(browser, book, java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = one.open("es/explore.html")
    assert "JavaScript" in page.locator("#explore-chart").inner_text() and page.locator("#explore-tools").is_hidden()
    drawn = page.locator("#explore-chart svg[role=img]")
    assert drawn.is_visible() and drawn.get_attribute("aria-label").startswith("Gráfico") and drawn.locator("circle").count() == len(ranked)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".explore summary").click()
    assert page.locator("#t-explore tbody tr").last.is_visible()
    one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(browser, book, scheme):  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    one = Watched(browser, book, color_scheme=scheme)
    page = one.open("en/explore.html")
    page.locator("#explore-tools").wait_for()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()[:3000]
    one.context.close()
