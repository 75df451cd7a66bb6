"""Pages of models in a real Chromium, opened from the disk, with no network."""

import json

import pytest
from test_browser import Watched, browser, until  # noqa: F401

from siiq_core.publish.format import LANGUAGES

HEAVIEST = 150_000  # bytes of a page without the shared files


@pytest.fixture(scope="module")
def published(site):
    return json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))


@pytest.fixture
def watched(browser, site):  # noqa: F811
    one = Watched(browser, site)
    yield one
    one.context.close()
    assert not one.said and not one.asked


def test_every_page_is_small_enough(site):
    pages = list(site.glob("*/models/*.html"))
    assert len(pages) >= 3 * 12
    heavy = {p.relative_to(site).as_posix(): p.stat().st_size for p in pages if p.stat().st_size >= HEAVIEST}
    assert not heavy


def test_an_address_of_a_card_opens_it(watched, published):
    model = published["models"][0]
    one, other = (r["benchmark"] for r in model["results"][:2])
    page = watched.page
    page.goto((watched.site / "de" / "models" / f'{model["slug"]}.html').as_uri() + f"#evidence-{one}")
    assert page.locator(f"#evidence-{one}").is_visible() and not page.locator(f"#evidence-{other}").is_visible()
    page.locator(f'#result-{other} a[href="#evidence-{other}"]').click()
    page.locator(f"#evidence-{other}").wait_for(state="visible")


@pytest.mark.parametrize("mark", ["%", "%E0%A4%A", "evidence-%zz", "%00", ""])
def test_an_odd_address_is_no_error(watched, published, mark):
    """Nothing opens, nothing is said on the console, and the rest of the page works."""
    page = watched.page
    page.goto((watched.site / "en" / "models" / f'{published["models"][0]["slug"]}.html').as_uri() + "#" + mark)
    assert page.locator("button.copy").first.is_visible() and not page.locator(".cards details[open]").count()
    page.evaluate("location.hash = '#%E0%A4%A'")
    until(page, "location.hash === '#%E0%A4%A'")


def test_cards_and_calculation_open_by_keyboard(watched, published):
    page = watched.open(f'en/models/{published["models"][0]["slug"]}.html')
    assert not page.locator("#t-worked-weights").is_visible()
    page.locator("details.whole > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#t-worked-weights").is_visible()
    card = page.locator(".cards summary").first
    card.focus()
    page.keyboard.press("Space")
    assert page.locator(".cards details > div").first.is_visible()


def test_the_calculation_is_printed(watched, published):
    page = watched.open(f'en/models/{published["models"][0]["slug"]}.html')
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#t-worked-weights").is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#t-worked-weights").is_visible()


def test_the_citation_is_copied_by_keyboard(browser, site, published):  # noqa: F811
    one = Watched(browser, site)
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = one.open(f'es/models/{published["models"][0]["slug"]}.html')
    page.locator("button.copy").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Copiada").wait_for()
    assert published["models"][0]["name"] in page.evaluate("navigator.clipboard.readText()")
    one.context.close()
    assert not one.said and not one.asked


def test_without_scripts_all_is_there_but_the_button(browser, site, published):  # noqa: F811
    plain = Watched(browser, site, java_script_enabled=False)
    page = plain.open(f'en/models/{published["models"][0]["slug"]}.html')
    assert page.locator("button.copy").is_hidden()
    page.locator("details.whole > summary").click()
    assert page.locator("#t-worked-weights").is_visible()
    plain.context.close()


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(browser, site, published, width):  # noqa: F811
    narrow = Watched(browser, site, viewport={"width": width, "height": 800})
    for k, model in enumerate(published["models"][:: max(1, len(published["models"]) // 12)]):
        page = narrow.open(f'{LANGUAGES[k % 3]}/models/{model["slug"]}.html')
        page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, model["slug"]
    narrow.context.close()


def test_contrast_and_landmarks(browser, site, published):  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    models = published["models"]
    unranked = next(m for m in models if not m["ranked"])
    for scheme, lang, model in (("light", "en", models[0]), ("dark", "de", models[0]), ("dark", "es", unranked)):
        one = Watched(browser, site, color_scheme=scheme)
        page = one.open(f'{lang}/models/{model["slug"]}.html')
        page.evaluate("document.querySelectorAll('details').forEach(x => { x.open = true; })")
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()[:3000]
        one.context.close()
