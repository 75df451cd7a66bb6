"""What pages are made of: slots, facts, tables and the worked example, from the index alone."""

import copy
import re

import pytest
from made_up import HOSTILE

from siiq_core.errors import PublicationError
from siiq_core.publish import book, figures, ranking, tables, worked, written
from siiq_core.publish.format import LANGUAGES


def _text(markup):
    return re.sub(r"<[^>]+>", " ", markup)


def test_an_undefined_number_is_refused_with_its_line():  # fault 21
    with pytest.raises(PublicationError, match="undefined number.*row 2"):
        book.render("one\ntwo {{ nowhere }}", {}, {}, "book/en/x.md")


def test_a_block_stands_alone():
    with pytest.raises(PublicationError, match="alone"):
        book.render("text {{ ranking }}", {}, {"ranking": "<p>"}, "book/en/x.md")
    assert book.render("{{ ranking }}", {}, {"ranking": "a ``` b"}, "x").split("\n")[1] == "````{raw} html"


def test_an_unused_number_is_refused(root):
    pages = written.read_pages(root)
    with pytest.raises(PublicationError, match="unused number.*nowhere"):
        written.check_names(pages, ["nowhere"])


def test_a_number_missing_in_one_language_is_refused(root):
    pages = copy.deepcopy(written.read_pages(root))
    pages["de"]["index"] = pages["de"]["index"].replace("{{ two_sd }}", "130")
    with pytest.raises(PublicationError, match="other numbers.*book/de/index.md"):
        written.check_names(pages, [])


def test_shown_scores_are_the_strings_of_the_index(index, words):
    changed = copy.deepcopy(index)
    changed["models"][0]["shown"] = {"siiq": "777", "low": "776", "high": "778"}  # whatever the file says is shown
    for lang in LANGUAGES:
        shown = _text(ranking.ranking(changed, words, lang))
        assert "777" in shown and "776–778" in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_model_stands_in_one_of_the_tables(index, words, lang):
    above, below = ranking.ranking(index, words, lang), ranking.unranked(index, words, lang)
    for model in index["models"]:
        mark = f'id="m-{model["slug"]}"'
        assert (mark in above) is model["ranked"] and (mark in below) is not model["ranked"]


def test_an_unranked_model_says_why(index, words):
    assert "2 of 5 question sets" in ranking.unranked(index, words, "en")
    assert "2 von 5 Fragensammlungen" in ranking.unranked(index, words, "de")
    changed = copy.deepcopy(index)
    changed["models"][-1]["not_ranked_because"] = []
    with pytest.raises(PublicationError, match="without a reason"):
        ranking.unranked(changed, words, "en")


def test_a_benchmark_that_is_out_says_why(index, words):
    assert "(E3)" in tables.left_out(index, words, "es")
    changed = copy.deepcopy(index)
    changed["benchmarks"][-1]["reason"] = "some new reason"
    with pytest.raises(PublicationError, match="missing translation"):
        tables.left_out(changed, words, "es")


def test_every_known_benchmark_that_is_not_used_is_listed_with_its_reason(index, words):  # E
    known = [{"name": "Abacus", "rule": "E1"}, {"name": "Zither", "rule": "E1"}, {"name": "Lute", "rule": "set"}]
    shown = tables.not_configured({**index, "benchmarks_not_configured": known}, words, "de")
    assert "Abacus</bdi> · <bdi>Zither" in shown and "Lute" in shown and "3 weitere Benchmarks" in shown
    with pytest.raises(PublicationError, match="missing translation"):
        tables.not_configured({**index, "benchmarks_not_configured": [{"name": "Lute", "rule": "X9"}]}, words, "de")


def test_marks_of_n(index):
    shown = {b["id"]: tables.question_count(b, "de") for b in index["benchmarks"]}
    assert shown["quiz-b"] == "1.500" and shown["riddles"] == "≈\u202f213" and shown["loops"] == "100*"


def test_the_leading_group_is_what_no_interval_lies_wholly_above(index):
    group = tables.leading(index)
    ranked = [m for m in index["models"] if m["ranked"]]
    assert [m["slug"] for m in group] == [m["slug"] for m in ranked if not any(x["low"] > m["high"] for x in ranked)]
    assert 1 < len(group) < len(ranked)


def test_the_worked_example_follows_from_the_index(index, words):
    found = worked.work(index, worked.top_model(index))
    assert len(found.lines) == 6 and abs(sum(x.share for x in found.lines) - 1) < 1e-12
    for key, where in (("d", "models"), ("siiq", "models"), ("low", "models")):
        changed = copy.deepcopy(index)
        changed[where][0][key] += 1e-6
        with pytest.raises(PublicationError, match=f"column '{key}'"):
            worked.work(changed, worked.top_model(changed))
    changed = copy.deepcopy(index)
    changed["models"][0]["results"][0]["w"] *= 1.000001
    with pytest.raises(PublicationError, match="w of"):
        worked.work(changed, worked.top_model(changed))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_worked_arithmetic_shows_the_decimals_of_the_rules(index, words, lang):  # S2
    comma = "." if lang == "en" else ","
    score, interval = worked.worked_score(index, words, lang), worked.worked_interval(index, words, lang)
    numbers = re.findall(r"<mn>([^<]+)</mn>", score)
    assert numbers[0] == f"0{comma}10"  # λ
    assert f"0{comma}002384" in numbers and f"0{comma}994117" in numbers  # shift and scale: six
    m = worked.top_model(index)
    assert f'{m["siiq"]:.2f}'.replace(".", comma) in numbers and m["shown"]["siiq"] in numbers
    assert f"1{comma}0512" in interval and f'{m["low"]:.1f}'.replace(".", comma) in interval


def test_one_scale_for_all(index):
    scale = figures.scale_of(index)
    assert 0 < scale.x(scale.mean) < 100 and len(scale.reference) == 8
    for m in index["models"]:
        assert 0 <= scale.x(m["low"]) <= scale.x(m["siiq"]) <= scale.x(m["high"]) <= 100


def test_hostile_names_are_text_everywhere(index, words):  # fault 24
    for lang in LANGUAGES:
        blocks = "".join(make(index, words, lang) for make in book.BLOCKS.values())
        assert "<img" not in blocks and "&lt;img src=x onerror=alert(1)&gt;" in blocks and "\u202e" not in blocks
    assert "<img" not in book.leading_picture(index, words)
    page = book.render("{{ top_model }}", {"top_model": book.format.text(HOSTILE[1])}, {}, "x")
    assert "*" not in page and "[" not in page and "`" not in page


def test_the_picture_is_the_same_every_time(index, words):
    assert book.leading_picture(index, words) == book.leading_picture(copy.deepcopy(index), words)


def test_the_book_reads_the_published_index_and_nothing_else(root):
    allowed = {"siiq_core.errors", "siiq_core.files", "siiq_core.publish", "siiq_core.verify"}
    for name in ("book", "bookbuild", "building", "changes", "check", "compare", "data_blocks", "datafiles", "datapackage", "explore", "figures", "fitted", "format", "glossary", "metadata", "ranking",
                 "releases", "scripts", "sphinx_ext", "status_blocks", "tables", "words", "worked"):
        code = (root / "siiq_core" / "publish" / f"{name}.py").read_text(encoding="utf-8")
        for module in re.findall(r"^\s*(?:from|import) (siiq_core[\w.]*)", code, re.MULTILINE):
            assert any(module == a or module.startswith(a + ".") for a in allowed), f"{name}.py imports {module}"
            assert module != "siiq_core.publish.index"
