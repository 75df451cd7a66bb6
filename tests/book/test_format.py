"""Numbers, dates and foreign text as each language writes them."""

import pytest

from siiq_core.publish import format


@pytest.mark.parametrize(("lang", "decimal", "count", "share", "day"), [
    ("en", "24.4255", "1,324", "90%", "18 Oct 2026"),
    ("de", "24,4255", "1.324", "90\u00a0%", "18. Okt. 2026"),
    ("es", "24,4255", "1324", "90\u00a0%", "18 oct 2026"),
])
def test_each_language_writes_numbers_its_way(lang, decimal, count, share, day):
    assert format.number(24.4255, 4, lang) == decimal
    assert format.whole(1324, lang) == count
    assert format.percent(0.9, lang) == share
    assert format.day("2026-10-18", lang) == day
    assert format.number(-0.5, 2, lang)[0] == "−" and format.number(-0.00001, 2, lang)[0] == "0"


def test_halves_go_to_even_as_everywhere():
    assert format.number(148.5, 0, "en") == "148" and format.number(149.5, 0, "en") == "150"


def test_a_number_that_is_none_is_refused():
    with pytest.raises(ValueError):
        format.number(float("nan"), 2, "en")


def test_worked_arithmetic_has_the_comma_of_its_language():
    latex = r"\frac{3.2965 - 0.004024}{0.994832}"
    assert "<mn>3.2965</mn>" in format.mathml(latex, "en")
    for lang in ("de", "es"):
        shown = format.mathml(latex, lang)
        assert "<mn>3,2965</mn>" in shown and "<mn>0,994832</mn>" in shown and "." not in shown.replace("www.w3.org", "")


def test_foreign_text_stays_text():  # fault 24
    shown = format.text("<img src=x onerror=alert(1)>\n\u202e")
    assert shown == "<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>"
    inside_markdown = format.inline(format.text("*a* [x](y) `z` $q$ {{ n }}"))
    assert not set("*[]()`${}") & set(inside_markdown)


def test_only_web_addresses_become_links():
    assert format.link("https://example.org/a", "x").startswith("<a ")
    assert format.link("javascript:alert(1)", "x") == "x"
    assert format.link("https://example.org/\" onclick=\"y", "x") == "x"


def test_a_shown_interval_is_not_rounded_again():
    assert format.span("145", "153") == "145–153" and format.span("-3", "12") == "−3 … 12"
