"""A page per benchmark: every configured one has a description and a page, and what stands on it follows from the index."""

import copy
import csv
import math
import re

import pytest
import yaml
from made_up import HOSTILE

from siiq_core.errors import PublicationError
from siiq_core.publish import fitted
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.pages import benchmark
from siiq_core.publish.site import load_site
from siiq_core.publish.words import Words


@pytest.fixture(scope="module")
def site(small_book, index):
    return load_site(index, small_book.run, small_book.root, Words.load(small_book.root))


def _page(site, lang, name):
    return {p.name: p.body for p in benchmark.pages(site, lang)}[f"benchmarks/{name}"]


def _bench(index, name):
    return next(b for b in index["benchmarks"] if b["id"] == name)


def test_every_configured_benchmark_has_its_two_sentences_and_nothing_else_has(root):
    with open(root / "params" / "benchmarks.csv", encoding="utf-8", newline="") as table:
        configured = {row["id"] for row in csv.DictReader(table)}
    about = yaml.safe_load((root / "book" / "translations" / "about.yml").read_text(encoding="utf-8"))["about"]
    assert set(about) == configured
    for name, texts in about.items():
        for lang in LANGUAGES:
            assert len(re.findall(r"\.(?:\s|$)", texts[lang])) == 2 and 60 < len(texts[lang]) < 400, (name, lang)


def test_every_benchmark_has_a_page_in_every_language(site, index):
    for lang in LANGUAGES:
        pages = list(benchmark.pages(site, lang))
        assert sorted(p.name for p in pages) == sorted(f'benchmarks/{b["id"]}' for b in index["benchmarks"])
        assert {p.parent for p in pages} == {"benchmarks"}


def test_a_benchmark_without_a_description_stops_the_book(site, index):
    changed = copy.deepcopy(index)
    changed["benchmarks"][0]["id"] = "unheard-of"
    with pytest.raises(PublicationError, match="missing translation.*about.unheard-of"):
        list(benchmark.pages(load_site_like(site, changed), "en"))


def load_site_like(site, index):
    from dataclasses import replace

    return replace(site, index=index)


def test_hostile_text_stays_text(site, index):  # fault 24
    for lang in LANGUAGES:
        pages = "".join(p.body for p in benchmark.pages(site, lang))
        assert "<img" not in pages and "\u202e" not in pages and HOSTILE[0].replace("<", "&lt;").replace(">", "&gt;") in pages


def test_the_curve_gives_back_a_score_that_lies_on_it(index):
    bench = _bench(index, "sums")
    at, constants = index["calibration"], index["constants"]
    for siiq, share in fitted.curve(index, bench, 60, 180, 40):
        assert bench["g"] <= share <= bench["c"]
        p = (share - bench["g"]) / (bench["c"] - bench["g"])
        if 0 < p < 1:
            p_star = (p * bench["n"] + 0.5) / (bench["n"] + 1)
            theta0 = at["shift"] + at["scale"] * (siiq - constants["mean"]) / constants["sd"]
            assert math.isclose(math.log(p_star / (1 - p_star)), bench["alpha"] * theta0 + bench["beta"], abs_tol=1e-9)


def test_half_way_is_where_the_curve_is_half_way(index):
    bench = _bench(index, "riddles")
    half = fitted.halfway(index, bench)
    (_, share), *_ = fitted.curve(index, bench, half.siiq, half.siiq + 1, 1)
    assert math.isclose(share, (bench["g"] + bench["c"]) / 2, abs_tol=1e-9)
    low, high = (fitted.curve(index, bench, half.siiq + d, half.siiq + d + 1, 1)[0][1] for d in (-0.1, 0.1))
    per_sd = (high - low) / 0.2 * index["constants"]["sd"]
    assert math.isclose(per_sd, half.slope, rel_tol=0.01)  # the continuity correction makes the raw curve a little steeper


def test_who_is_far_is_counted_in_standard_deviations(index):
    bench = _bench(index, "quiz-a")
    for spot in fitted.spots(index, bench):
        residual = spot.result["y"] - bench["alpha"] * spot.model["theta0"] - bench["beta"]
        assert math.isclose(spot.deviations, residual / math.sqrt(bench["sigma2"] + spot.result["v"]), abs_tol=1e-12)
        assert spot.far is (abs(spot.deviations) > 2)


def test_the_weight_is_a_share_of_the_whole(index):
    total = [0.0] * sum(m["ranked"] for m in index["models"])
    inside = [b for b in index["benchmarks"] if b["in_index"]]
    found = [fitted.weighing(index, b) for b in inside]
    assert all(x.models == len(total) and 0 < x.least <= x.median <= x.most < 1 for x in found)
    assert math.isclose(sum(x.median for x in found), 1, abs_tol=0.2)


def test_overlap_counts_models_of_the_calibration_only(index):  # E3
    assert fitted.overlap(index, _bench(index, "quiz-a")) == (12, 8)
    assert fitted.overlap(index, _bench(index, "levers")) == (1, 1)
    changed = copy.deepcopy(index)
    changed["calibration"]["models_in_fit"].remove("nova-9")
    assert fitted.overlap(changed, _bench(index, "quiz-a")) == (11, 7)


def test_coverage_follows_the_history():
    history = {"days": [{"day": "2025-01-01", "changes": []},
                        {"day": "2025-02-01", "changes": [{"model": "a", "benchmark": "x", "score": 0.5}, {"model": "b", "benchmark": "x", "score": 0.5}, {"model": "c", "benchmark": "y", "score": 0.1}]},
                        {"day": "2025-03-01", "changes": [{"model": "a", "benchmark": "x", "score": None}]}, {"day": "2025-04-01", "changes": []}]}
    assert fitted.coverage(history, {"id": "x"}) == [("2025-02-01", 2), ("2025-03-01", 1), ("2025-04-01", 1)]
    assert fitted.coverage(history, {"id": "z"}) == []


def test_rows_that_are_not_used_are_counted_by_rule(site):
    assert fitted.left_out(site.facts, {"id": "quiz-b"}) == [("P1", 2), ("I1", 1)]
    shown = _page(site, "en", "quiz-b")
    assert "3 rows of the newest snapshot" in shown and "(P1)" in shown
    assert 'id="left-out"' not in _page(site, "en", "quiz-a")


def test_a_benchmark_in_the_index_shows_curve_weight_and_conditions(site):
    shown = _page(site, "en", "sums")
    assert 'id="figure-curve"' in shown and "ceiling 57.0%" in shown and "0.5700" in shown
    assert "by the definition of the benchmark" in shown and "half of a 95% interval, not used" in shown
    assert re.search(r"loading, above \(E4\)</th><td class=\"n\"[^>]*>1.3000", shown)
    assert "≈" in _page(site, "de", "riddles") and "angenommen, da nichts" in _page(site, "de", "loops")


def test_a_benchmark_outside_says_why_and_draws_no_curve(site):
    shown = _page(site, "de", "levers")
    assert "(E3)" in shown and "figure-curve" not in shown and "derzeit nicht in den Index eingehen" in shown and ">nein<" in shown


@pytest.mark.parametrize(("lang", "leaves", "joins"), [("en", "What would make it leave", "What would bring it in"), ("de", "Was zum Ausscheiden führen würde", "Was zur Aufnahme führen würde"), ("es", "Qué haría que saliera", "Qué haría que entrara")])
def test_one_inside_says_what_would_make_it_leave_and_one_outside_what_would_bring_it_in(site, lang, leaves, joins):
    inside, outside = _page(site, lang, "sums"), _page(site, lang, "levers")
    assert leaves in inside and joins not in inside and leaves not in outside and joins in outside and "0" + ("." if lang == "en" else ",") in outside[outside.index('id="join"'):]


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_percent_sign_in_a_drawing_stays_with_its_number(site, lang):
    drawn = " ".join(re.findall(r"<svg role=.*?</svg>", _page(site, lang, "sums"), re.DOTALL))
    assert "57,0\u00a0%" in drawn and not re.search(r"\d ?%[^\"]*(</text>|focusable)", drawn)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_are_the_same_in_every_language(site, lang):
    read = lambda x: sorted(re.findall(r'data-v="([^"]*)"|<data value="([^"]*)"', _page(site, x, "sums")))  # noqa: E731
    assert read(lang) == read("en")


def test_the_tables_lead_to_the_pages(small_book):
    for lang in LANGUAGES:
        page = (small_book.site / lang / "benchmarks.html").read_text(encoding="utf-8")
        assert 'href="benchmarks/quiz-a.html"' in page and 'href="benchmarks/levers.html"' in page
