"""The page of the multiverse shows what multiverse.json says, in every language, and the file what was swept."""

import itertools
import json
import re

import jsonschema
import pytest
from made_up import write_run

from siiq_core.errors import PublicationError
from siiq_core.publish import format, multiverse
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def site(root, index, words, tmp_path_factory):
    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)


@pytest.fixture(scope="module")
def found(site):
    return site.multiverse


def rows(html):
    return re.findall(r"<tr.*?</tr>", html, flags=re.DOTALL)[1:]


def test_the_file_fits_its_schema_and_the_schema_says_no(root, found):
    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "multiverse.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)
    for spoilt in ({**found, "more": 1}, {**found, "as_of": "yesterday"}, {**found, "counts": {**found["counts"], "cells": "many"}}, {**found, "models": [{**found["models"][0], "slug": "../x"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, schema)


def test_ranges_and_extremes_by_hand(found, index):
    """A model moves by 2 and its number for each step of what is left out, up or down by turns, and by 0.5 with the other λ. One of 32 cells is refused."""
    own = {m["slug"]: m for m in found["models"]}
    k = sorted(own).index("nova-9")
    sign = 1 if k % 2 else -1
    nova, at = own["nova-9"], next(m for m in index["models"] if m["slug"] == "nova-9")["siiq"]
    most = sign * (2 + k) * 3 + (0.5 if sign > 0 else 0)
    assert nova["most"]["points"] == pytest.approx(most, abs=1e-9)
    ends = sorted([at + most, at + (0 if sign > 0 else 0.5)])
    assert [nova["score"]["min"], nova["score"]["max"]] == pytest.approx(ends, abs=1e-9) and nova["score"]["cells"] == 31
    assert nova["ranks"]["cells"] == 30, "not ranked in one cell, refused in another"
    assert found["counts"] == {"cells": 32, "refused": {"C8": 1}, "other_benchmarks": 0}
    moved = [at + 0.5 * lam + sign * (2 + k) * out for lam, _, _, out in itertools.product(range(2), range(2), range(2), range(4))]
    del moved[2]  # the refused cell
    assert nova["inside"] == pytest.approx(sum(nova["low"] <= x <= nova["high"] for x in moved) / 31)


def test_models_stand_by_rank_and_then_by_slug(found):
    ranks = [m["rank"] for m in found["models"]]
    assert ranks[:8] == list(range(1, 9)) and ranks[8:] == [None] * 4
    assert [m["slug"] for m in found["models"][8:]] == sorted(m["slug"] for m in found["models"][8:])


def test_shares_are_of_the_complete_part_and_add_up(found):
    """The refused cell is the third: λ, ω and questions as they are, a benchmark's evaluator out; that level is set aside."""
    score = found["shares"]["score"]
    assert found["refused"] == [{"point": [0, 0, 0, 2], "rule": "C8", "reason": "C8: no convergence in <500> rounds"}]
    assert found["shares"]["out"] == [[3, 2]]
    assert sum(x["share"] for x in score["axes"]) + score["interactions"]["share"] == pytest.approx(1)
    assert score["axes"][1]["share"] == score["axes"][2]["share"] == 0 < score["axes"][0]["share"] < 0.01 < score["axes"][3]["share"]
    assert score["axes"][0]["size"] == pytest.approx(0.25), "half of 0.5 to either side of the mean"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_finding_is_one_sentence_with_the_largest_share(site, found, lang):
    said = multiverse.multiverse_finding(site, lang)
    share = found["shares"]["score"]["axes"][3]["share"]
    assert site.words("multiverse.clause.leave_out", lang) in said and format.percent(share, lang) in said and format.whole(32, lang) in said
    assert said.count("<p") == 1 and len(re.findall(r"\.(?:\s|</p>)", said)) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_choices_and_levels_show_every_share_and_the_strongest_first(site, found, lang):
    table = rows(multiverse.multiverse_choices(site, lang))
    assert len(table) == len(found["axes"]) + 1
    for line, part in zip(table, [*found["shares"]["score"]["axes"], found["shares"]["score"]["interactions"]], strict=True):
        assert f'data-v="{part["share"]}"' in line and format.number(part["size"], 2, lang) in line
    assert "questions" in table[2] and "<b>" not in table[2].replace("<bdi>", ""), "an axis without words goes by its parameter, escaped"
    sizes = [float(x) for x in re.findall(r'<td class="n" data-v="([0-9.e-]+)">[^<]*</td><td class="wide">', multiverse.multiverse_levels(site, lang))]
    assert sizes == sorted((x["size"] for x in found["levels"]), reverse=True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ranked_model_has_its_ranks_and_the_figure_both_bars(site, found, index, lang):
    ranked = [m for m in index["models"] if m["ranked"]]
    table = rows(multiverse.multiverse_ranks(site, lang))
    assert len(table) == 2 * len(ranked), "below each what moves its score most"
    assert [site.words("multiverse.ranked_in", lang, n="30") in line for line in table[::2]] == ["nova-9" in line for line in table[::2]]
    figure = multiverse.multiverse_figure(site, lang)
    assert figure.count('class="bar"') == figure.count('class="range"') == figure.count('class="range middle"') == len(ranked)
    beyond = sum(m["score"]["max"] > m["high"] or m["score"]["min"] < m["low"] for m in found["models"] if m["rank"])
    assert site.words("multiverse.figure.title", lang, n=format.whole(len(ranked), lang), beyond=format.whole(beyond, lang)) in figure


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refused_cells_are_named_and_hostile_text_stays_text(site, lang):
    shown = multiverse.multiverse_refused(site, lang)
    assert "&lt;500&gt;" in shown and "&lt;i&gt;Hall of Quizzes" in shown and len(rows(shown)) == 1
    everything = "".join(block(site, lang) for block in multiverse.BLOCKS.values())
    assert "<img" not in everything and "<i>Hall" not in everything


def test_the_grid_is_shown_as_its_file_says_it(site):
    shown = re.sub(r"<[^>]+>", "", multiverse.multiverse_grid(site, "en"))
    assert shown.splitlines()[:3] == ["axes:", "  lam: [0.1, 0.5]", "  omega: [false, true]"]
    assert shown.splitlines()[-1] == "  leave_out: [none, benchmark, evaluator, area]"


def test_a_sweep_of_an_earlier_day_is_shown_with_its_day_and_a_what_if_is_not(root, index, words, tmp_path):
    run = write_run(tmp_path / "run", index)
    found = json.loads((run / "multiverse.json").read_text(encoding="utf-8"))
    earlier = {**found, "as_of": "2020-02-29", "models": found["models"][1:]}
    (run / "multiverse.json").write_text(json.dumps(earlier), encoding="utf-8")
    site = load_site(index, run, root, words)
    assert "29 Feb 2020" in multiverse.multiverse_figure(site, "en") and len(rows(multiverse.multiverse_ranks(site, "en"))) == 16, "a model it does not know has a dash"
    (run / "multiverse.json").write_text(json.dumps({**found, "what_if": {"lam": [0.1, 0.2]}}), encoding="utf-8")
    with pytest.raises(PublicationError, match="what-if"):
        load_site(index, run, root, words)
