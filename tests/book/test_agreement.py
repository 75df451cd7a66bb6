"""The page of the methods side by side: what it shows is what agreement.json says."""

import json
import re
from dataclasses import replace

import jsonschema
import pytest

from siiq_core.publish import agreement, book, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    """A site of the made-up run, whose ECI has the order of SI-IQ turned round."""
    from made_up import write_run

    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)


def test_the_file_is_what_its_schema_says(root, made):
    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "agreement.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(made.agreement)), schema)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_renders_in_every_language(root, made, lang):
    page = written.read_pages(root)[lang]["agreement"]
    blocks = {name: make(made, lang) for name, make in agreement.BLOCKS.items()}
    out = book.render(page, {**book.facts(made.index, made.words, lang), **book.links(), **agreement.facts(made, lang)}, blocks, "agreement.md")
    assert "{{" not in out and blocks["agreement_pairs"].count("<tr>") == 11 and "agreement.json" in out


def test_every_case_of_the_file_has_its_row_and_its_reason(made):
    block = agreement.BLOCKS["agreement_cases"](made, "en")
    assert re.findall(r'id="case-([^"]+)"', block) == [d["model"] for d in made.agreement["disagreements"]]
    assert made.agreement["disagreements"] and block.count("SI-IQ’s interval allows ranks") == len(made.agreement["disagreements"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_slopes_show_every_order_in_a_chart_and_in_a_table(made, lang):
    block, orders = agreement.BLOCKS["agreement_slopes"](made, lang), made.agreement["orders"]
    assert orders and block.count('class="slope"') == len(orders) and block.count('role="img"') == len(orders)
    shown = re.findall(r'data-v="([^"]+)"', block)
    assert [float(x) for x in shown] == [x for o in orders for r in o["models"] for x in (r["siiq"], r["other"], r["siiq"] - r["other"])]
    assert "<img" not in block and block.count("&lt;img") >= 2  # a hostile name, in the chart and in the table


def test_without_orders_there_is_no_chart(made):
    assert agreement.BLOCKS["agreement_slopes"](replace(made, agreement={**made.agreement, "orders": []}), "en") == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_moves_is_what_the_file_says(made, lang):
    data = made.agreement["newcomers"]
    figure, table = (agreement.BLOCKS[name](made, lang) for name in ("newcomers_figure", "newcomers_table"))
    rows = sorted(data["moved"], key=lambda m: (-m["score"], m["configuration"]))
    wanted = [x for m in rows for x in (m["siiq"], m["down"] and m["down"]["move"], m["up"] and m["up"]["move"], m["score"]) if x is not None]
    assert rows and [float(x) for x in re.findall(r'data-v="([^"]+)"', figure)] == wanted
    told = [*data["invented"], *data["arrivals"]]
    assert len(data["invented"]) == 6 and table.count("<tr>") == len(told) + 1
    assert [float(x) for x in re.findall(r'class="n" data-v="([^"]+)"', table)] == [
        x for row in told for x in (row["percentile"]["moved"], row["siiq"]["moved"], row["percentile"]["largest"], row["siiq"]["largest"], row["percentile"]["median"], len(row["siiq"]["swaps"])) if x is not None]
    assert all(row["siiq"]["moved"] == 0 for row in told) and any(row["percentile"]["moved"] for row in told)
    assert "<img" not in figure + table


def test_a_si_iq_that_moved_would_be_shown(made):
    spoilt = json.loads(json.dumps(made.agreement))
    spoilt["newcomers"]["all_at_once"]["siiq"] |= {"moved": 3, "largest": -0.25}
    site = replace(made, agreement=spoilt)
    assert "SI-IQ by 0.25" in agreement.BLOCKS["newcomers_figure"](site, "en") and ">3<" in agreement.facts(site, "en")["newcomers_crowd_moved"]


def test_nobody_with_a_score_is_said_in_words(made):
    empty = {**made.agreement, "newcomers": {**made.agreement["newcomers"], "moved": []}}
    assert agreement.BLOCKS["newcomers_figure"](replace(made, agreement=empty), "en").startswith("<p>No configuration")
