"""Figures to take away: whole, the same every time, in each language, and with nothing foreign in them but text."""

import copy
import re
import xml.etree.ElementTree as ET

import pytest
from made_up import HOSTILE

from siiq_core.publish import prints
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.ranking import ranked

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn(index, words):
    return prints.prints(index, words)


def _texts(content):
    return ["".join(x.itertext()) for x in ET.fromstring(content).iter(f"{SVG}text")]


def test_each_figure_is_there_in_each_language_and_the_same_again(index, words, drawn):
    assert set(drawn) == {f"{name}-{lang}.svg" for name in prints.FIGURES for lang in LANGUAGES}
    assert prints.prints(copy.deepcopy(index), words) == drawn
    assert all(b"<dc:date>" not in x and b"href=\"http" not in x for x in drawn.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_scale_says_every_ranked_model_with_its_published_numbers(index, drawn, lang):
    texts, own = _texts(drawn[f"scale-{lang}.svg"]), ranked(index)
    for m in own:
        assert f'{m["shown"]["siiq"]} ({m["shown"]["low"]}–{m["shown"]["high"]})' in texts
    assert len(re.findall(r"<use ", drawn[f"scale-{lang}.svg"].decode())) >= len(own)
    assert HOSTILE[0] in texts and not any(m["name"] in texts for m in index["models"] if not m["ranked"])


def test_names_are_text_not_formulas_and_control_characters_are_gone(index, drawn):
    text = drawn["scale-en.svg"].decode()
    assert "<img" not in text and "\u202e" not in text and any("$x$" in x for x in _texts(text))


def test_the_curves_have_a_panel_for_each_benchmark_of_the_index_and_no_other(index, drawn):
    groups = {x.get("id") for x in ET.fromstring(drawn["curves-en.svg"]).iter(f"{SVG}g")}
    ids = {b["id"]: b["in_index"] for b in index["benchmarks"]}
    assert {x for x in groups if x in ids} == {x for x, inside in ids.items() if inside}


def test_words_and_percent_signs_are_those_of_the_language(drawn):
    said = {lang: " ".join(_texts(drawn[f"curves-{lang}.svg"])) for lang in LANGUAGES}
    assert "100%" in said["en"] and "100\u00a0%" in said["de"] and "100\u00a0%" in said["es"]
    assert all(x in said[lang] for lang, x in (("en", "benchmarks expect"), ("de", "Benchmarks bei einem Wert"), ("es", "pruebas según la puntuación")))


def test_the_data_page_leads_to_them(small_book):
    for lang in LANGUAGES:
        page = (small_book.site / lang / "data.html").read_text(encoding="utf-8")
        for name in prints.FIGURES:
            assert f'href="../{prints.file_name(name, lang)}"' in page and (small_book.site / prints.file_name(name, lang)).is_file()
