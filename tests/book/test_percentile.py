"""The percentile page: what it shows is what percentile.json says, in every language, and what cannot be filled is said."""

import html
import re

import pytest

from siiq_core.publish import book, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.percentile.blocks import BLOCKS, facts
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    """A site of the made-up run, without building a book."""
    from made_up import write_run

    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)


def _text(markup):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", markup).split()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_block_stands_in_every_language_and_hostile_names_stay_text(made, lang):  # fault 24
    blocks = {name: make(made, lang) for name, make in BLOCKS.items()}
    assert all(blocks.values())
    for block in blocks.values():
        assert "<b>" not in block and "<i>" not in block and "<img src=x" not in block
    assert "&lt;b&gt;Tiny 9" in blocks["percentile_models"] and "models/tiny-9" not in blocks["percentile_models"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_renders_and_names_only_what_there_is(root, made, lang):
    page = written.read_pages(root)[lang]["percentile"]
    out = book.render(page, {**book.facts(made.index, made.words, lang), **facts(made, lang)}, {name: make(made, lang) for name, make in BLOCKS.items()}, "percentile.md")
    assert "{{" not in out and "percentile.json" in out


def test_rows_are_the_configurations_with_a_score_the_best_first_with_their_ids(made):  # M8, M10
    block = BLOCKS["percentile_table"](made, "en")
    scored = sorted((c for c in made.percentile["configurations"] if c["score"] is not None), key=lambda c: -c["score"])
    assert scored and re.findall(r"<code>([^<]+)</code>", block) == [c["id"] for c in scored]
    for c in scored:
        for d in c["dimensions"].values():
            if d["score"] is not None:
                assert f'data-v="{d["score"]}"' in block and f"{d['confidence']} · {d['families']} famil" in _text(block)


def test_every_model_has_one_line_and_why_it_has_no_score(made):  # M10
    block = BLOCKS["percentile_models"](made, "en")
    main = [c for c in made.percentile["configurations"] if c["main"]]
    assert sorted(re.findall(r"<code>([^<]+)</code>", block)) == sorted(c["id"] for c in main)
    assert block.count("insufficient: ") == sum(c["score"] is None for c in main)


@pytest.mark.parametrize(("lang", "said"), [("en", "Empty for every model: no board ships. LiveBench would fill it"), ("de", "Für alle Modelle leer"), ("es", "Vacía para todos los modelos")])
def test_a_dimension_that_nothing_fills_says_so(made, lang, said):
    text = _text(BLOCKS["percentile_dimensions"](made, lang))
    assert text.count(said) == 1


def test_inactive_sources_are_listed_with_reason_and_day_and_no_number(made):  # M14
    text = _text(BLOCKS["percentile_sources"](made, "en"))
    assert "Artificial Analysis" in text and "Off since 13 Sept 2026: by decision of the operator" in text.replace("Sep 2026", "Sept 2026")
    assert "Artificial Analysis" not in "".join(_text(BLOCKS[name](made, "en")) for name in BLOCKS if name != "percentile_sources")


def test_notes_of_boards(made):
    text = _text(BLOCKS["percentile_boards"](made, "en"))
    assert "Same family as Riddles : counts half beside it." in text and "2 rows of an older version left out." in text and "Ratings from votes" in text
