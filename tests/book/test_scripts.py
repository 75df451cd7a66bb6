"""What scripts are given, and that they and the words agree."""

import json
import re

import pytest

from siiq_core.files import canonical_bytes
from siiq_core.publish import metadata, scripts
from siiq_core.publish.book import leading_picture
from siiq_core.publish.format import LANGUAGES, number


def _sources(root):
    return {p.name: p.read_text(encoding="utf-8") for p in sorted((root / "book" / "_static").glob("*.js"))}


def _words(words, lang):
    text = scripts.words_script(words, lang).decode("ascii")
    return json.loads(text.removeprefix("window.SIIQ = ").removesuffix(";\n"))


def test_the_index_as_a_script_is_the_index(index):
    content = canonical_bytes(index)
    script = scripts.index_script(content)
    assert script == b"window.SIIQ_INDEX = " + content[:-1] + b";\n"
    assert json.loads(script.removeprefix(b"window.SIIQ_INDEX = ").removesuffix(b";\n")) == index


def test_the_built_script_says_what_the_built_index_says(small_book):
    data = small_book.site / "data"
    assert (data / "index.js").read_bytes() == scripts.index_script((data / "index.json").read_bytes())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_and_numbers_of_a_language(words, lang):
    found = _words(words, lang)
    assert found["lang"] == lang and found["words"]["area.math"] == words.raw("area.math", lang)
    numbers = found["numbers"]
    assert numbers["decimal"] == ("." if lang == "en" else ",") and numbers["group"] == ("," if lang == "en" else ".")
    assert numbers["groupFrom"] == (10000 if lang == "es" else 1000) and number(1234, 0, "es") == "1234"
    assert numbers["percent"] == ("{n}%" if lang == "en" else "{n}\u00a0%")


def test_scripts_use_every_word_and_no_other(root, words):
    """A key is either written out in a script, or begun there and ended by a name that the script lists."""
    code = "".join(_sources(root).values())
    python = "".join((root / "siiq_core" / "publish" / name).read_text(encoding="utf-8") for name in ("ranking.py", "compare.py", "pages/model_close.py"))
    known = _words(words, "en")["words"]
    written = set(re.findall(r'"([a-z_.]+)"', code)) | set(re.findall(r'"(?:interactive\.)?([a-z_.]+)"', python))
    short = {f"{head}.{x}" for head in ("compare", "all", "tools") for x in re.findall(r'"([a-z_]+)"', code + python)}
    counted = {x + y for x in written for y in ("_one", "_many")}
    unused = {k for k in known if k not in written | short | counted and k.split(".")[0] not in ("area", "unranked", "column")}
    assert not unused, unused
    begun = {"area", "unranked", "compare", "all", "recompute", "row", "tools", "column"}
    wanted = {x for x in re.findall(r'(?:word|say|count)\("([a-z_]+\.[a-z_]+)"', code) if x.split(".")[0] in begun}
    assert wanted and not {x for x in wanted if x not in known and x + "_one" not in known}


def test_scripts_write_no_markup_and_ask_nothing_of_the_network(root):
    for name, code in _sources(root).items():
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(|XMLHttpRequest|https?:(?!//www\.w3\.org/2000/svg)", code), name
        assert len(code.splitlines()) < 300, name


def test_pages_load_only_the_scripts_they_want():
    assert scripts.wanted("<p>text</p>") == ()
    assert scripts.wanted('<div id="recompute" data-slug="x"></div>') == ("words.js", "siiq-method.js", "siiq-page.js", "recompute.js")
    assert scripts.wanted('<form class="tools" id="ranking-tools" hidden>')[-1] == "ranking.js"


# --- for programs and previews ---------------------------------------------------------------------------------------


def _described(site, page):
    return [json.loads(x) for x in re.findall(r'<script type="application/ld\+json">(.*?)</script>', (site / page).read_text(encoding="utf-8"), re.DOTALL)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_start_and_data_describe_the_dataset(small_book, index, lang):
    for page in ("index", "data"):
        found, = _described(small_book.site, f"{lang}/{page}.html")
        assert found["@type"] == "Dataset" and found["inLanguage"] == lang and found["version"] == index["method_version"] and len(found["description"]) >= 50
        for file in found["distribution"]:
            assert (small_book.site / file["contentUrl"].removeprefix("https://example.org/siiq/")).is_file()
    assert not _described(small_book.site, f"{lang}/ranking.html")


def test_a_hostile_description_cannot_leave_its_script(index, words):
    from jinja2 import Environment

    hostile = {**index, "as_of": "</script><script>alert(1)</script>", "sources": [{**index["sources"][0], "url": "</script><!--"}]}
    text = Environment(autoescape=True).from_string("{{ x|tojson }}").render(x=metadata.dataset(hostile, words, "en"))
    assert "<" not in text and json.loads(text)["dateModified"] == hostile["as_of"]


def test_previews_have_a_title_and_a_picture(small_book):
    page = (small_book.site / "de" / "ranking.html").read_text(encoding="utf-8")
    assert '<meta property="og:title" content="Rangliste">' in page and '<meta property="og:url" content="https://example.org/siiq/de/ranking.html">' in page
    assert '<meta property="og:image" content="https://example.org/siiq/de/_static/preview.png">' in page
    picture = (small_book.site / "de" / "_static" / "preview.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n" and (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1200, 630)


def test_a_preview_is_the_same_every_time(index, words):
    picture = leading_picture(index, words, "es")
    assert metadata.preview(picture) == metadata.preview(picture) and len(metadata.preview(picture)) > 5000
