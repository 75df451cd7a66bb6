"""The slope charts in a real Chromium: no text over another or out of its figure, on a phone and in a wide window."""

import pytest
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish.format import LANGUAGES

COVERED = """() => [...document.querySelectorAll('.slope > svg')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(x => [x.textContent, x.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], i) => boxes.slice(0, i).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2).map(([other]) => [name, other]));
})"""
OUTSIDE = """() => [...document.querySelectorAll('.slope text')].filter(x => {
  const a = x.getBoundingClientRect(), b = x.closest('figure').getBoundingClientRect();
  return a.left < b.left || a.right > b.right;
}).map(x => x.textContent)"""


@pytest.mark.parametrize("width", [360, 760, 1280])
def test_no_label_covers_another_or_leaves_its_figure(browser, site, width):  # noqa: F811
    one = Watched(browser, site, viewport={"width": width, "height": 900})
    for lang in LANGUAGES:
        page = one.open(f"{lang}/agreement.html")
        assert page.locator(".slope svg[role=img]").count() and page.evaluate("document.documentElement.scrollWidth") <= width
        assert (lang, page.evaluate(COVERED), page.evaluate(OUTSIDE)) == (lang, [], [])
    one.context.close()


def test_what_covers_or_leaves_is_noticed(browser, site):  # noqa: F811
    one = Watched(browser, site, viewport={"width": 360, "height": 900})
    page = one.open("en/agreement.html")
    page.evaluate("() => { const [a, b] = document.querySelectorAll('.slope text'); b.setAttribute('y', a.getAttribute('y')); b.setAttribute('x', a.getAttribute('x')); b.setAttribute('dx', -300); a.setAttribute('dx', -300); }")
    assert page.evaluate(COVERED) and page.evaluate(OUTSIDE)
    one.context.close()
