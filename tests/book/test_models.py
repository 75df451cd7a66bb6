"""The page of a model: every part of it, in every language, on the made-up index."""

import html
import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest
import yaml
from made_up import HOSTILE, copy_book, write_run
from test_build import _texts

from siiq_core.errors import PublicationError
from siiq_core.publish import format
from siiq_core.publish.parsed import read_page
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.history import CAUSES
from siiq_core.publish.pages import model as model_pages
from siiq_core.publish.pages.model_close import overlapping
from siiq_core.publish.pages.model_evidence import cards, dispute
from siiq_core.publish.pages.model_head import sentence
from siiq_core.publish.pages.model_history import curve, history
from siiq_core.publish.pages.model_price import price
from siiq_core.publish.pages.model_results import results, support
from siiq_core.publish.pages.model_sum import arithmetic
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made_up_site(root, index, words, tmp_path_factory):
    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words, "https://example.org/siiq")


@pytest.fixture
def view(made_up_site):
    """A view of a model by its slug."""
    return lambda slug, lang="en", **changes: View(replace(made_up_site, **changes), lang, made_up_site.model(slug))


def values(markup):
    """Numbers that carry their full value, in the order of the page."""
    return re.findall(r'(?:data-v|data value)="([^"]*)"', markup)


def column(markup, number):
    """A column of numbers of the first table's body, full values; cells without one are left out."""
    body = re.search(r"<tbody>(.*?)</tbody>", markup, re.DOTALL)[1]
    rows = [re.findall(r'<td class="n"(?: data-v="([^"]*)")?', r) for r in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]
    return [float(r[number]) for r in rows if len(r) > number and r[number]]


# --- the whole page --------------------------------------------------------------------------------------------------


def test_pages_follow_the_ranks_and_then_the_names(made_up_site):
    names = [p.name for p in model_pages.pages(made_up_site, "en")]
    models = {f'models/{m["slug"]}': m for m in made_up_site.index["models"]}
    ranked = [models[n]["rank"] for n in names if models[n]["ranked"]]
    assert set(names) == set(models) and ranked == sorted(ranked)
    assert [models[n]["ranked"] for n in names] == [True] * len(ranked) + [False] * (len(names) - len(ranked))


@pytest.mark.parametrize("slug", ["nova-9", "nova-2", "tiny-1"])
def test_a_page_says_the_same_numbers_in_every_language(view, slug):
    pages = {lang: model_pages.body(view(slug, lang)) for lang in LANGUAGES}
    assert values(pages["en"]) == values(pages["de"]) == values(pages["es"]) and len(values(pages["en"])) > 30
    ids = {lang: re.findall(r'\bid="([^"]*)"', page) for lang, page in pages.items()}
    assert ids["en"] == ids["de"] == ids["es"] and len(ids["en"]) == len(set(ids["en"]))


def test_the_parts_stand_in_the_order_of_a_doubting_reader(view):
    page = model_pages.body(view("nova-9", prices={}))
    parts = re.findall(r'<h2 id="([^"]*)"', page)
    assert parts == ["support", "results", "evidence", "history", "arithmetic", "close", "cite"]  # no price: none is known here
    assert re.findall(r'<li><a href="#([^"]*)">', page)[: len(parts)] == parts
    assert page.index('id="recompute"') < page.index('<details class="fold whole">')


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_place_to_recompute_is_empty(view, lang):
    assert '<div id="recompute" data-slug="nova-9"></div>' in arithmetic(view("nova-9", lang))


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_no_english_is_left(small_book, index, lang):
    names = {html.unescape(format.plain(m["name"])) for m in index["models"]}  # links to neighbours
    for model in index["models"]:
        same = _texts(small_book.site / "en" / "models" / f'{model["slug"]}.html') & _texts(small_book.site / lang / "models" / f'{model["slug"]}.html')
        assert not {x for x in same - names if "SI-IQ" not in x}, model["slug"]


def test_hostile_text_stays_text(view):
    for slug in ("nova-8", "nova-6", "tiny-1", "tiny-2"):
        page = model_pages.body(view(slug))
        assert "<img" not in page and "javascript:" not in re.sub(r"<bdi>.*?</bdi>", "", page) and "\u202e" not in page
        assert f"<code>{format.plain(HOSTILE[0])}</code>" in page  # a cell of the made-up rows


def test_the_ranking_leads_to_every_page(small_book, index):
    links = set(read_page(small_book.site / "es" / "ranking.html").links)
    assert {f'models/{m["slug"]}.html' for m in index["models"]} <= links


def test_a_page_turns_to_its_neighbours_and_back_to_the_ranking(small_book, made_up_site):
    order = [m["slug"] for m in model_pages.ordered(made_up_site)]
    for before, slug, after in zip(["", *order], order, [*order[1:], ""]):
        page = (small_book.site / "en" / "models" / f"{slug}.html").read_text(encoding="utf-8")
        turn = re.findall(r'<a class="(prev|next)" rel="\1" href="([^"]*)"', page)
        assert turn == [(k, f"{x}.html") for k, x in (("prev", before), ("next", after)) if x]
        assert '<nav class="crumbs"' in page and '<a href="../ranking.html">' in page


# --- the first screen ------------------------------------------------------------------------------------------------


def test_the_sentence_says_what_is_shown(view, index):
    for model in index["models"]:
        text = sentence(view(model["slug"]))
        assert all(f"<strong>{model['shown'][k]}</strong>" in text for k in ("siiq", "low", "high"))
        away = int(model["shown"]["siiq"]) - 100
        assert (f"{abs(away)} point" in text) is (away != 0)
        assert ("above the mean" in text, "below the mean" in text) == (away > 0, away < 0)
        assert ("provisional" in text) is (not model["ranked"])


def test_one_point_is_one_point_and_none_is_none(view, made_up_site):
    model = made_up_site.model("nova-9")
    def said(score, lang):
        return sentence(View(made_up_site, lang, {**model, "shown": {**model["shown"], "siiq": score}}))

    assert "1 point above" in said("101", "en") and "1 Punkt unter" in said("99", "de") and "1 punto por encima" in said("101", "es")
    assert "point" not in said("100", "en") and "Punkt" not in said("100", "de") and "punto" not in said("100", "es")


def test_where_the_rank_would_stand_is_the_reason(view):
    unranked = sentence(view("tiny-3"))
    assert "Its rank range is 1 to 2 among 8 ranked models; by the score alone it stands at 1." in sentence(view("nova-9"))
    assert "Its rank is 3 among 8 ranked models; no other interval overlaps its own." in sentence(view("nova-7"))
    assert "No rank, because there is too little data: 2 of 5 question sets · 1 of 3 areas." in unranked
    assert "Kein Rang, weil die Daten nicht reichen: 2 von 5 Fragensammlungen · 1 von 3 Gebieten." in sentence(view("tiny-3", "de"))


@pytest.mark.parametrize(("lang", "true", "untrue"), [("en", "although there is enough data", "too little"), ("de", "obwohl die Daten reichen", "nicht reichen"), ("es", "aunque hay datos suficientes", "insuficientes")])
def test_versions_too_far_apart_are_no_lack_of_data(view, lang, true, untrue):  # I5
    said = sentence(view("long-1", lang))
    assert true in said and untrue not in said and "120" in said and "60" in said


def test_the_axis_holds_every_model(view, index):
    for model in index["models"]:
        scale = view(model["slug"]).scale
        assert all(0 <= 100 * (x - scale.low) / (scale.high - scale.low) <= 100 for x in (model["low"], model["siiq"], model["high"]))


# --- weight and results ----------------------------------------------------------------------------------------------


def test_bars_and_sums(view, index):
    for model in index["models"]:
        markup = support(view(model["slug"]))
        shares, pulls, _, carried = (column(markup, k) for k in range(4))
        assert abs(math.fsum(shares) - 1) < 1e-9 and abs(math.fsum(pulls)) < 1e-9
        assert abs(math.fsum(carried) - model["siiq"]) < 1e-8  # twelve digits of each
        assert all(0 <= float(w) <= 100 for w in re.findall(r'width="([\d.]+)%"', markup))


def test_a_result_outside_the_index_is_marked_and_has_no_weight(view):
    markup = results(view("nova-2"))
    outside = markup[markup.index("Outside the index at present"):]
    assert 'id="result-levers"' in outside and outside.count('<td class="n">–</td>') == 4
    assert "Outside" not in results(view("nova-9"))


def test_every_flag_has_words(root, words):
    code = "".join((root / "siiq_core" / "evidence" / name).read_text(encoding="utf-8") for name in ("selection.py", "numbers.py", "sources/base.py"))
    flags = {"below chance", "above ceiling", "impossible for n", "error cell is no number", "error is in another unit than the score",
             "run date is no ISO date", "effort column and suffix differ"}
    assert all(f'"{flag}"' in code for flag in flags)
    appended = re.findall(r'flags\.append\("([^"]*)"\)|return None, \("([^"]*)",\)|\bflag = "([^"]*)"', code)
    assert {x for found in appended for x in found if x} == flags
    assert {"model.flag." + flag.replace(" ", "_") for flag in flags} <= set(words.keys())


def test_flags_and_undated_versions_are_said(view, made_up_site):
    model = made_up_site.model("nova-9")
    first, *rest = model["results"]
    odd = {**model, "results": [{**first, "flags": ["below chance"], "version_released": None, "setting": "default"}, *rest]}
    markup = results(View(made_up_site, "en", odd))
    assert "no setting named · below chance · version of unknown day" in markup


# --- evidence --------------------------------------------------------------------------------------------------------


def test_every_result_has_a_card_with_its_row(view, index):
    model = next(m for m in index["models"] if m["slug"] == "nova-9")
    markup = cards(view("nova-9"))
    for result in model["results"]:
        start = markup.index(f'<div id="evidence-{result["benchmark"]}">')
        card = markup[start: markup.index("</details>", start)]
        assert f"<code>{result['score']!r}</code>" in card and "0" * 64 in card
        assert "https://example.org/table.csv" in card and "https://example.org/copy.csv" in card
        assert "nobody yet: shipped, not AI-checked" in card and f"<code>{result['evidence']}</code>" in card
    assert markup.count("<details>") == len(model["results"])
    assert all(f'href="#evidence-{r["benchmark"]}"' in results(view("nova-9")) for r in model["results"])


def test_a_verdict_is_shown_as_it_was_given(view, made_up_site):
    evidence = {key: {**line, "checker": {"who": "Reader <2>", "when": "2026-08-01", "outcome": "agrees"}} for key, line in made_up_site.evidence.items()}
    assert "<bdi>Reader &lt;2&gt;</bdi>, <time" in cards(view("nova-9", evidence=evidence))


def test_a_dispute_carries_the_evidence_id(view):
    one = view("nova-9", dispute_url="https://example.org/new?title={evidence}&body={model}+{benchmark}")
    result = one.model["results"][0]
    assert 'href="https://example.org/new?title=' + result["evidence"].replace("/", "%2F") + f'&amp;body=nova-9+{result["benchmark"]}"' in dispute(one, result)
    assert f'<code>{result["evidence"]}</code>' in dispute(view("nova-9"), result) and "<a" not in dispute(view("nova-9"), result)


@pytest.mark.parametrize("url", ["https://example.org/new", "javascript:alert('{evidence}')", "https://example.org/{evidence}/{who}", "https://example.org/ {evidence}"])
def test_a_dispute_address_that_is_none_is_refused(root, index, words, tmp_path, url):
    copy_book(root, tmp_path)
    config = tmp_path / "_config.yml"
    settings = yaml.safe_load(config.read_text(encoding="utf-8")) | {"dispute_url": url}
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    with pytest.raises(PublicationError, match="carries an evidence id"):
        load_site(index, write_run(tmp_path / "run", index), tmp_path, words)


# --- history ---------------------------------------------------------------------------------------------------------


def test_the_parts_of_a_step_stand_on_the_page_and_add_up(view, made_up_site):
    steps = 0
    for slug, days in made_up_site.scores.items():
        markup = history(view(slug))
        for day in days:
            if day["change"] is None:
                continue
            row = next(r for r in re.findall(r"<tr>.*?</tr>", markup, re.DOTALL) if f'datetime="{day["day"]}"' in r)
            change = float(re.findall(r'data-v="([^"]*)"', row)[1])
            parts = [float(x) for x in re.findall(r'<data value="([^"]*)"', row)]
            assert len(parts) == len(day["parts"]) and abs(math.fsum(parts) - change) < 1e-9
            steps += 1
    assert steps > 5


def test_every_cause_has_words(words):
    for cause in ({*CAUSES, "re-match", "recalibration"} - {"other row"}):
        assert f'model.cause.{cause.replace(" ", "_")}' in words.keys()


def _day(day, siiq, enough=True):
    ends = {"siiq": siiq, "low": siiq and siiq - 5, "high": siiq and siiq + 5}
    return {"day": day, **ends, "enough": enough, "shown": siiq and {k: str(round(v)) for k, v in ends.items()}}


def test_the_curve_is_drawn_to_scale():
    days = [_day("2026-01-01", 100.0, enough=False), _day("2026-01-11", None), _day("2026-01-21", 110.0), _day("2026-01-31", 105.0)]
    drawing = curve(days, "2026-02-10", "en")
    line, band = (re.search(rf'<path class="{k}" d="([^"]*)"', drawing)[1] for k in ("line", "band"))
    low, high = (int(x) for x in (re.findall(r">(-?\d+)</text>", drawing)[0], re.findall(r">(-?\d+)</text>", drawing)[-1]))
    y = lambda points: f"{100 - 100 * (points - low) / (high - low):.2f}"  # noqa: E731
    assert line == f"M0.00 {y(100)}H25.00M50.00 {y(110)}H75.00V{y(105)}H100.00"  # a gap where there was no score
    assert band.count("Z") == 3 and drawing.count("<circle") == 3 and drawing.count('class="dot thin"') == 1
    assert all(0 <= float(v) <= 100 for v in re.findall(r"[MHV ](-?[\d.]+)", line + band))


def test_one_day_alone_is_no_curve(view, made_up_site):
    scores = {slug: days[-1:] for slug, days in made_up_site.scores.items()}
    markup = history(view("nova-9", scores=scores))
    assert "<svg" not in markup and "there is no step to show" in markup


# --- price, neighbours, citation -------------------------------------------------------------------------------------


def _price(source, **changes):
    tiers = [{"name": "standard", "input": 1.25, "cached_input": None, "output": 10.0}, {"name": "thinking, above 200000 tokens", "input": 2.5, "cached_input": 0.25, "output": 15.0}]
    return {"model": "nova-9", "source": source, "date": "2026-07-31", "since": None, "url": f"https://example.org/{source}", "pricing_page": "https://example.org/pricing",
            "names": [HOSTILE[0]], "tiers": tiers, "context": 128000, "open_weights": None, "flags": [], **changes}


def test_without_a_price_there_is_no_part(view):
    assert price(view("nova-9", prices={})) == ""


def test_sources_that_agree_share_a_row_and_others_have_their_own(view):
    agreed = price(view("nova-9", prices={"nova-9": [_price("nowhere"), _price("elsewhere")]}))
    assert agreed.count("<tr>") == 3 and "https://example.org/nowhere" in agreed and "https://example.org/elsewhere" in agreed
    assert "thinking, above 200,000 tokens" in agreed and "128,000 tokens" in agreed and 'href="https://example.org/pricing"' in agreed
    apart = price(view("nova-9", prices={"nova-9": [_price("nowhere", flags=["differs"]), _price("elsewhere", flags=["differs", "delisted:2026-08-01", "another_version", "unheard"])]}))
    assert apart.count("<tr>") == 5 and apart.count("the sources disagree") == 4 and "1 Aug 2026" in apart
    assert format.text(HOSTILE[0]) in apart and "<img" not in apart


def test_neighbours_are_those_whose_intervals_overlap(view, index):
    ranked = [m for m in index["models"] if m["ranked"]]
    for model in ranked:
        found = {x["slug"] for x in overlapping(view(model["slug"]))}
        assert found == {x["slug"] for x in ranked if x is not model and max(x["low"], model["low"]) <= min(x["high"], model["high"])}
        assert len(found) == model["worst_rank"] - model["best_rank"]  # K3 counts the same
    assert not any("<table" in model_pages.PARTS["close"](view(m["slug"])) for m in index["models"] if not m["ranked"])


def test_a_citation_names_version_and_day(view, index):
    text = model_pages.PARTS["cite"](view("nova-9"))
    assert f'Method {index["method_version"]}' in text and f'datetime="{index["as_of"]}"' in text and "https://example.org/siiq/en/models/nova-9.html" in text
    assert "https" not in model_pages.PARTS["cite"](view("nova-9", site_url="")).partition("</p>")[0]


def test_rows_of_history_scores_are_those_of_the_page(made_up_site):
    for slug, days in made_up_site.scores.items():
        assert all(a["day"] < b["day"] for a, b in pairwise(days)), slug
        assert days[-1]["shown"] == made_up_site.model(slug)["shown"]
