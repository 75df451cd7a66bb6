"""A book made of hostile texts alone, in a real Chromium (fault kind 24): with the policy lifted, so that escaping alone has to hold.

Contexts: text and attributes of every page, data in pages and in script files, drawings, the chart and its tooltip, feeds, CSV
tables, the address behind "#", the fields of the interactive pages, and what scripts write.
"""

import csv
import html
import io
import json
import re
import unicodedata
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from hostile_site import LONG, TEXTS, build_hostile
from test_browser import Watched, browser, until  # noqa: F401
from test_policy import scripts_in

from siiq_core.publish.format import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"
# What would stand in a page if a text were more than text. `__ran` says whether any of them has run.
_LOOK = """() => {
  const all = [...document.querySelectorAll("*")], address = e => ["href", "src", "action", "formaction", "data", "xlink:href"].map(n => e.getAttribute(n) || "");
  return {ran: window.ran === undefined ? "" : String(window.ran), handlers: all.filter(e => [...e.attributes].some(a => /^on/i.test(a.name))).length,
    scripts: [...document.scripts].filter(s => !s.getAttribute("src") && !/json/.test(s.type)).length, frames: document.querySelectorAll("iframe, object, embed, base, foreignObject").length,
    loads: all.filter(e => address(e).some(a => /^\\s*(javascript|vbscript):/i.test(a) || /^x$|evil\\.example/.test(a.replace(/#.*/, "")))).length,
    unseen: (document.documentElement.outerHTML.match(/[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u2028\\u2029]/g) || []).length};
}"""
_WORDS = ("content", "aria-label", "title", "alt", "value")  # attributes that are read and never followed
NOTHING = {"ran": "", "handlers": 0, "scripts": 0, "frames": 0, "loads": 0, "unseen": 0}


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    base = tmp_path_factory.mktemp("outer") / "inner" / "project"
    base.mkdir(parents=True)
    return build_hostile(root, base)


class Trap(Watched):
    """A watched page without the site's policy: what escaping lets through would run, and a dialog is written down."""

    def __init__(self, browser, site, **options):
        super().__init__(browser, site, bypass_csp=True, **options)
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()))

    def open(self, address):
        path, mark, state = address.partition("#")
        self.page.goto("about:blank")
        self.page.goto((self.site / path).as_uri() + mark + state)
        return self.page

    def quiet(self):
        return self.page.evaluate(_LOOK) == NOTHING and not self.said and not self.asked


@pytest.fixture
def trap(browser, made):  # noqa: F811
    one = Trap(browser, made.site, viewport={"width": 1280, "height": 900})
    yield one
    one.context.close()
    assert not one.said and not one.asked


def seen(text):
    """A text as a page may show it: no character that is not seen, runs of blanks as one."""
    return " ".join("".join(" " if c in "\n\t\u2028\u2029" else c for c in text if c in "\n\t\u2028\u2029" or unicodedata.category(c) not in ("Cc", "Cf")).split())


def straight(text):
    """With straight quotation marks: the title of a window has typographers' ones."""
    return text.translate(dict.fromkeys(map(ord, "“”„«»‘’‚‹›'"), '"'))


# --- the trap itself ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["image", "attribute", "end of script", "end of data", "drawing"])
def test_each_text_runs_where_nobody_escapes_it(browser, tmp_path, name):  # noqa: F811
    page = f'<!doctype html><meta charset="utf-8"><p title="{TEXTS[name]}">{TEXTS[name]}</p><svg><text>{TEXTS[name]}</text></svg><script>let a = "{TEXTS[name]}"</script>'
    (tmp_path / "bad.html").write_text(page, encoding="utf-8")
    one = Trap(browser, tmp_path)
    one.open("bad.html")
    until(one.page, "window.ran !== undefined", 5)
    assert not one.quiet()
    one.context.close()


# --- every page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_page_makes_more_of_a_text_than_text(trap, made, lang):
    pages = [*sorted((made.site / lang).rglob("*.html")), made.site / "index.html"]
    assert len(pages) > 45
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not [x for x in scripts_in(text) if x not in _WORDS], path
        trap.open(path.relative_to(made.site).as_posix())
        assert trap.quiet(), (path, trap.page.evaluate(_LOOK), trap.said[:3], trap.asked[:3])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_shown_as_they_are(trap, made, lang):
    """Of every kind of text, on a model's page: its name, its developer, versions, settings; and the raw row of an evidence card."""
    shown = {}
    for model in made.index["models"]:
        page = trap.open(f"{lang}/models/{model['slug']}.html")
        body = " ".join(page.evaluate("document.querySelector('main').textContent").split())
        shown[model["name"]] = seen(model["name"]) in body and all(seen(r["version"]) in body for r in model["results"])
        assert straight(seen(model["name"])) in straight(" ".join(page.title().split())), model["name"]
    assert all(shown.values()) and len(shown) >= 12, [name for name, right in shown.items() if not right]


def test_raw_rows_and_what_the_gate_tells_are_text(trap, made):
    every = "".join(path.read_text(encoding="utf-8") for path in (made.site / "en").rglob("*.html"))
    text = html.unescape(re.sub(r"<[^>]+>", "", every))
    for hostile in TEXTS.values():
        assert seen(hostile) in seen(text), hostile
    assert "root:x:0" not in every and "49#" not in every  # no file was included, no template filled in
    assert LONG in every


def test_a_text_without_a_blank_makes_no_page_wider(browser, made):  # noqa: F811
    """Names in headings, 10,000 characters as a waiting name and in a raw cell, on a phone."""
    one, long = Trap(browser, made.site, viewport={"width": 360, "height": 740}), 0
    for path in sorted((made.site / "en").rglob("*.html")):
        long += LONG in path.read_text(encoding="utf-8")
        page = one.open(path.relative_to(made.site).as_posix())
        page.evaluate("document.querySelectorAll('.cards details, details.list').forEach(x => { x.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= 362 and one.quiet(), path  # a formula's box may stand out by a pixel
    one.context.close()
    assert long >= 2


# --- what scripts write --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
def test_the_fields_and_the_address_take_any_text(trap, made, name):
    """Typed into every field, and as the value of every key of the address."""
    text = TEXTS[name]
    states = {"ranking": ("q", "developer", "access", "area", "standing", "sort"), "compare": ("a", "b"), "explore": ("developer", "since", "unranked"),
              "value": ("sources", "min", "open", "developer", "context", "cost"), "benchmarks": ("x",), "models/nova-9": ("x",), "data": ("x",)}
    for page, keys in states.items():
        trap.open(f"en/{page}.html#" + "&".join(f"{key}={quote(text)}" for key in keys))
        assert trap.quiet(), (page, trap.said)
        trap.open(f"en/{page}.html#{quote(text, safe='')}")
        assert trap.quiet(), (page, trap.said)
        for field in trap.page.locator("main input[type=search]:visible, main input[type=text]:visible, main input:not([type]):visible").all():
            field.fill(text)
        assert trap.quiet(), (page, trap.said)


@pytest.mark.parametrize("name", TEXTS)
def test_the_search_shows_what_it_finds_as_text(trap, made, name):
    """Headings that are names: the search library writes them as HTML, and is given them escaped."""
    trap.page.goto((made.site / "de" / "search.html").as_uri() + f"?q={quote(TEXTS[name])}")
    until(trap.page, "document.querySelector('.search-summary') && !/\\.\\.\\.|\u2026/.test(document.querySelector('.search-summary').textContent)")
    trap.page.wait_for_timeout(150)
    assert trap.quiet(), (trap.said, trap.page.inner_html("#search-results")[:2000])
    if name == "image":
        assert "<img src=x onerror=window.ran=1>" in trap.page.locator("#search-results").inner_text()


def test_rows_that_open_comparisons_and_recomputed_tables_are_text(trap, made):
    page = trap.open("de/ranking.html")
    for button in page.locator("#t-ranking button.opener").all():
        button.click()
    page.locator(".inside").last.wait_for()
    assert trap.quiet()
    slugs = [m["slug"] for m in made.index["models"]]
    for a, b in zip(slugs, slugs[1:] + slugs[:1], strict=True):
        page = trap.open(f"es/compare.html#a={a}&b={b}")
        page.locator("#compare-tools").wait_for()
        head = " ".join(page.locator("#compare-head").inner_text().split())
        assert trap.quiet() and seen(made.index["models"][slugs.index(a)]["name"])[:20] in head
    for slug in slugs[:6]:
        page = trap.open(f"en/models/{slug}.html")
        page.locator("#recompute button").click()
        page.locator("#recompute [role=status]").wait_for()
        page.locator("#t-recompute, .agrees").first.wait_for()
        for box in page.locator("#recompute input[type=checkbox]").all()[:2]:
            box.click()
        assert trap.quiet(), slug
    page = trap.open("en/data.html")
    page.locator("#recompute-all button").click()
    page.locator("#t-recomputed").wait_for()
    assert trap.quiet()


def test_the_chart_its_legend_and_its_tooltip_are_text(trap, made):
    page = trap.open("en/explore.html")
    page.locator("#explore-tools").wait_for()
    page.locator("[name=unranked]").check()
    dots = page.locator("#explore-chart .mark-symbol[class*=dots] path")
    until(page, f"document.querySelectorAll('#explore-chart .mark-symbol[class*=dots] path').length === {len(made.index['models'])}")
    told = set()
    for dot in dots.all():
        dot.scroll_into_view_if_needed()
        box = dot.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(60)
        if page.locator("#vg-tooltip-element.visible").count():
            told.add(" ".join(page.locator("#vg-tooltip-element").inner_text().split()))
        assert trap.quiet(), (trap.said, told)
    assert any(any(seen(text)[:12] in x for text in TEXTS.values()) for x in told), told
    options = page.locator("[name=developer] option").count()
    for number in range(0, options, 3):
        page.locator("[name=developer]").select_option(index=number)
        page.wait_for_timeout(30)
    assert trap.quiet()


def test_the_value_page_takes_its_texts_as_text(trap):
    page = trap.open("de/value.html")
    for box in page.locator("#value-tools input[type=checkbox]").all():
        box.click()
        page.wait_for_timeout(80)
        assert trap.quiet(), trap.said


# --- files ------------------------------------------------------------------------------------------------------------


def test_no_file_stands_outside_the_site_and_every_name_is_plain(made):
    outer = made.root.parent.parent
    assert sorted(p.name for p in outer.iterdir()) == ["inner"] and sorted(p.name for p in made.root.parent.iterdir()) == ["project"]
    assert sorted(p.name for p in made.root.iterdir()) == ["_build", "_config.yml", "_toc.yml", "book", "data", "notebooks", "params"]
    names = {part for path in made.site.rglob("*") for part in path.relative_to(made.site).parts}
    assert len(names) > 100 and not [name for name in names if not re.fullmatch(r"[A-Za-z0-9._-]+", name)]
    assert not [path for path in made.site.rglob("*") if path.is_symlink()]


def test_script_files_say_what_the_data_files_say_and_nothing_more(browser, made, tmp_path):  # noqa: F811
    """Names with line separators, ends of elements and names of every object's own parts among them."""
    (tmp_path / "page.html").write_text('<!doctype html><meta charset="utf-8"><script src="index.js"></script><script src="status.js"></script>', encoding="utf-8")
    for name in ("index.js", "status.js"):
        (tmp_path / name).write_bytes((made.site / "data" / name).read_bytes())
    one = Trap(browser, tmp_path)
    found = one.open("page.html").evaluate("[SIIQ_INDEX.models.map(m => m.name), Object.keys(window).filter(k => k.startsWith('SIIQ')).sort(), window.ran === undefined && Object.keys({}).length]")
    assert found == [[m["name"] for m in made.index["models"]], ["SIIQ_INDEX", "SIIQ_STATUS"], 0] and not one.said
    one.context.close()


def test_descriptions_for_search_engines_are_json(made):
    for path in sorted((made.site / "en").rglob("*.html")):
        for found in re.findall(r'<script type="application/(?:ld\+)?json"[^>]*>(.*?)</script>', path.read_text(encoding="utf-8"), flags=re.DOTALL):
            json.loads(found)
            assert "<" not in found, path


def test_drawings_are_drawings(made):
    files = sorted((made.site / "figures").glob("*.svg"))
    assert len(files) >= 6
    for path in files:
        for node in ElementTree.fromstring(path.read_bytes()).iter():
            assert node.tag.removeprefix(SVG) not in ("script", "foreignObject", "a", "image", "iframe") or node.get("href", "#").startswith("#"), path
            assert not [key for key in node.attrib if re.match(r"(\{.*\})?on", key)], path
            assert not [x for key, x in node.attrib.items() if "javascript:" in x], path


def test_feeds_parse_and_a_reader_that_takes_them_for_html_sees_text(made):
    tree = ElementTree.fromstring((made.site / "feed.xml").read_bytes())
    items = tree.findall(".//item")
    feed = json.loads((made.site / "feed.json").read_bytes())
    assert len(items) == len(feed["items"]) > 3 and not [x for x in feed["items"] if "content_html" in x]
    for item in items:
        assert {x.tag for x in item} <= {"title", "link", "description", "category", "guid", "pubDate"}
        assert not re.search(r"<\w", item.findtext("description")) and "<" not in item.findtext("title") and item.findtext("link").startswith("https://example.org/siiq/")
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028]", item.findtext("description") + item.findtext("title"))
    assert any("onerror" in item.findtext("title") + item.findtext("description") for item in items)


def test_tables_to_download_are_tables(made):
    """JSON files keep every text exactly; no CSV file of the site has a cell that a spreadsheet would run."""
    found = sorted(made.site.rglob("*.csv"))
    assert len(found) >= 2
    for path in found:
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")):
            assert not [cell for cell in row if cell.lstrip()[:1] in ("=", "+", "-", "@")], path
    assert [m["name"] for m in json.loads((made.site / "data" / "index.json").read_bytes())["models"]] == [m["name"] for m in made.index["models"]]
