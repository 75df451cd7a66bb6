"""Every page of all languages in a real Chromium, opened from the disk with the network closed: no complaint, no outside request."""

import json

import pytest
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish.format import LANGUAGES

PARTS = 2  # of a language, so that two workers have the same to do
# What a page must have when its scripts have run, read in one question.
_LOOK = """() => ({lang: document.documentElement.lang, headings: document.querySelectorAll("main h1").length, default: document.querySelectorAll("link[hreflang='x-default']").length,
  words: (document.querySelector("main") || document.body).textContent.trim().length, images: [...document.images].every(i => i.complete && i.naturalWidth > 0),
  recompute: document.querySelectorAll("#recompute").length})"""


def pages_of(site, lang):
    """Every page of a language, by name."""
    return sorted(x.relative_to(site).as_posix() for x in (site / lang).rglob("*.html"))


def test_every_model_and_every_benchmark_has_its_page_in_every_language(site):
    index = json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))
    wanted = {f'models/{m["slug"]}.html' for m in index["models"]} | {f'benchmarks/{b["id"]}.html' for b in index["benchmarks"]}
    for lang in LANGUAGES:
        assert wanted <= {x.removeprefix(f"{lang}/") for x in pages_of(site, lang)}, lang


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_loads_quietly(browser, site, lang, part):  # noqa: F811
    one, faults = Watched(browser, site), {}
    for address in pages_of(site, lang)[part::PARTS]:
        found = one.open(address).evaluate(_LOOK)
        model = "/models/" in address
        right = {"lang": lang, "headings": 1, "default": 1, "images": True, "recompute": int(model)}
        if one.said or one.asked or not found["words"] or any(found[k] != v for k, v in right.items()):
            faults[address] = (one.said[:3], one.asked[:3], found)
            one.said.clear(), one.asked.clear()
    one.context.close()
    assert not faults and not one.said and not one.asked


def test_a_page_that_complains_or_asks_outside_is_noticed(browser, site, tmp_path):  # noqa: F811
    """The watch itself: an error, a failed file, an outside request."""
    (tmp_path / "bad.html").write_text("<script>console.error('so'); null.x</script><img src='none.png'><img src='https://example.org/x.png'>", encoding="utf-8")
    one = Watched(browser, tmp_path)
    one.open("bad.html")
    one.context.close()
    assert one.asked == ["https://example.org/x.png"] and any("so" == x for x in one.said)
    assert any("null" in x for x in one.said) and any("none.png" in x for x in one.said)
