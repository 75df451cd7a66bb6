"""No page holds a script of its own, and its policy lets none run that a text could smuggle in (fault kind 24)."""

import html
import re
from html.parser import HTMLParser

import pytest
from test_browser import Watched, browser  # noqa: F401

from siiq_core.publish import metadata
from siiq_core.publish.format import LANGUAGES

_DATA = ("application/json", "application/ld+json")


@pytest.fixture(scope="module")
def site(root, request):
    """The built book where there is one made with these templates, else the small one."""
    built = root / "_build" / "html"
    whole = (built / "index.html").is_file() and "Content-Security-Policy" in (built / "index.html").read_text(encoding="utf-8")
    return built if whole else request.getfixturevalue("small_book").site


def test_every_page_states_the_policy_first_and_holds_no_script(site):
    pages = [site / "index.html", *(p for lang in LANGUAGES for p in (site / lang).rglob("*.html"))]
    assert len(pages) > 60
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert html.unescape(text[: text.index("</head>")]).count(f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{metadata.POLICY}">') == 1, path
        assert not scripts_in(text), path


def scripts_in(text):
    """What of a page would run by itself: scripts without an address that are no data, handlers, addresses that are scripts."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            own = dict(attributes)
            if tag == "script" and "src" not in own and own.get("type") not in _DATA:
                found.append("script")
            found.extend(name for name, value in attributes if name.startswith("on") or (value or "").strip().casefold().startswith("javascript:"))

    Reader().feed(text)
    return found


@pytest.mark.parametrize(("text", "found"), [
    ("<script>1</script>", ["script"]), ('<a onclick="x">', ["onclick"]), ('<a href=" JavaScript:x">', ["href"]), ('<script type="module">', ["script"]),
    ('<script src="a.js"></script>', []), ('<script type="application/json">{}</script>', []), ('<p title="one = on">', [])])
def test_the_look_sees_what_runs(text, found):
    assert scripts_in(text) == found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_search_finds_in_the_language_of_the_page(browser, site, lang):  # noqa: F811
    one = Watched(browser, site)
    page = one.open(f"{lang}/search.html")
    page.fill("#q", "SI-IQ")
    page.press("#q", "Enter")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    text = page.inner_text("#search-results")
    one.context.close()
    assert not one.said and not one.asked
    if lang != "en":
        assert "Search finished" not in text


def test_what_a_text_would_smuggle_in_does_not_run(browser, site, tmp_path):  # noqa: F811
    """Were a name ever written unescaped: neither its script, its handler nor its address runs, from a disk or not."""
    text = (site / "en" / "index.html").read_text(encoding="utf-8")
    hostile = '<script>document.title = "ran"</script><img src="none.png" onerror="document.title = \'ran\'"><a id="bad" href="javascript:document.title=\'ran\'">x</a>'
    (tmp_path / "en").mkdir()
    for name, page in (("bad.html", text.replace("<main", hostile + "<main", 1)), ("free.html", re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace("<main", hostile + "<main", 1))):
        (tmp_path / "en" / name).write_text(page, encoding="utf-8")
    one = Watched(browser, tmp_path)
    page = one.open("en/bad.html")
    page.evaluate("document.getElementById('bad').click()")
    page.wait_for_timeout(200)
    assert page.title() != "ran" and any("Content Security Policy" in x for x in one.said)
    page = one.open("en/free.html")
    page.wait_for_timeout(200)
    assert page.title() == "ran", "the same texts run where no policy forbids it: the test can fail"
    one.context.close()
