"""The ranking's tables: groups, what scripts are told, and the form."""

import copy
import re

import pytest
from made_up import HOSTILE

from siiq_core.publish import ranking
from siiq_core.publish.format import LANGUAGES


def test_groups_hold_models_whose_intervals_all_overlap_and_end_where_one_does_not(index):
    groups = ranking.groups(index)
    assert [m["slug"] for g in groups for m in g] == [m["slug"] for m in ranking.ranked(index)]
    for group in groups:
        assert all(x["low"] <= y["high"] for x in group for y in group)
    for above, below in zip(groups, groups[1:]):
        assert any(below[0]["high"] < x["low"] for x in above)  # joins the group above unless it misses one of it
    assert len(groups) > 2 and max(map(len, groups)) > 1


def test_intervals_that_touch_overlap(index):  # K3: high ≥ low
    changed = copy.deepcopy(index)
    first, second = ranking.ranked(changed)[:2]
    second["high"] = first["low"]
    assert [len(g) for g in ranking.groups(changed)][0] >= 2
    second["high"] = first["low"] - 1e-9
    assert len(ranking.groups(changed)[0]) == 1


@pytest.mark.parametrize(("lang", "little", "far"), [("en", "Too little data: 3", "Enough data, but"), ("de", "Zu wenig Daten: 3", "Genug Daten, aber"), ("es", "Datos insuficientes: 3", "Datos suficientes, pero")])
def test_models_without_a_rank_stand_under_the_true_reason(index, words, lang, little, far):  # K1, I5
    table = ranking.unranked(index, words, lang)
    first, second = table.index(little), table.index(far)
    assert first < table.index('id="m-tiny-3"') < second < table.index('id="m-long-1"') and table.count('class="band"') == 2
    changed = copy.deepcopy(index)
    changed["models"] = [m for m in changed["models"] if m["slug"] != "long-1"]
    assert far not in ranking.unranked(changed, words, lang)  # no heading of nothing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rows_tell_scripts_what_filters_ask_for_and_nothing_breaks_out_of_them(index, words, lang):
    changed = copy.deepcopy(index)
    changed["models"][0] |= {"developer": f'{HOSTILE[0]}" onclick="x', "access": '"><script>'}
    table, form = ranking.ranking(changed, words, lang), ranking.ranking_tools(changed, words, lang)
    assert "<img" not in table + form and "<script" not in table + form and not re.search(r'"\s+onclick=', table + form)
    row = re.search(r'<tr id="m-nova-9" ([^>]*)>', table)[1]
    assert 'data-slug="nova-9"' in row and 'data-areas="knowledge' in row


def test_numbers_that_are_sorted_have_full_precision(index, words):
    table, best = ranking.ranking(index, words, "de"), ranking.ranked(index)[0]
    assert f'data-v="{best["siiq"]}"' in table and f'data-v="{best["low"]} {best["high"]}"' in table


def test_access_is_said_in_the_readers_language_and_an_unknown_word_is_marked(index, words):
    form = ranking.ranking_tools(index, words, "de")
    assert '<option value="API access">Zugang über API</option>' in form
    changed = copy.deepcopy(index)
    changed["models"][0]["access"] = "On loan"
    assert '<option value="On loan" lang="en">On loan</option>' in ranking.ranking_tools(changed, words, "de")
