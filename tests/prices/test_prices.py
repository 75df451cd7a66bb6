"""Prices by model: whose they are, on which day, by which name, and where two sources disagree."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from siiq_core.errors import ParameterError
from siiq_core.evidence.prices import as_published, prices, read_prices
from siiq_core.params.prices import load_prices
from siiq_core.records import Tier
from tests.naming import decision, index
from tests.prices.conftest import api, history, ledger, per_million, per_token, table

NOVA = index(("nova-1-2026-01-01", "Nova 1", "2026-01-01", "OpenAI"), ("nova-1-mini", "Nova 1 mini", "2026-01-01", "OpenAI"),
             ("echo-2", "Echo 2", "2026-02-01", "DeepSeek"), ("nova-9", "Nova 9", "2026-12-01", "OpenAI"))
DAY = "2026-09-01"


def by(found, source: str, model: str = "nova-1"):
    return [p for p in found if (p.source, p.model) == (source, model)]


# --- two sources ----------------------------------------------------------------------------------------------------------

def test_two_units_one_price_both_shown(project, put) -> None:  # fault kind 13: 3.0 per million beside 3e-6 per token
    put("litellm", DAY, table=table(**{"nova-1": per_token(3e-06, 1.5e-05, cache_read_input_token_cost=3e-07, max_input_tokens=128000)}))
    put("modelsdev", DAY, api=api(**{"nova-1": per_million(3.0, 15, cache_read=0.3, weights=True)}))
    found = prices(project, NOVA, DAY)
    assert [(p.model, p.source, p.date, p.tiers, p.flags) for p in found] == [
        ("nova-1", source, DAY, (Tier("standard", 3.0, 0.3, 15.0),), ()) for source in ("litellm", "modelsdev")]
    assert [(p.context, p.open_weights) for p in found] == [(128000, None), (200000, True)]
    assert {p.pricing_page for p in found} == {"https://developers.openai.com/api/docs/pricing"}
    assert found[0].url.startswith("https://raw.githubusercontent.com/BerriAI/litellm/") and len(found[0].sha256) == 64


@pytest.mark.parametrize(("other", "flags"), [
    (per_million(3.0, 15, cache_read=0.3), ()),
    (per_million(3.0, 15), ()),  # one says more than the other: no disagreement
    (per_million(3.0, 16, cache_read=0.3), ("differs",)),
    (per_million(3.0, 15, cache_read=0.5), ("differs",)),
    (per_million(3.0, 300, cache_read=0.3), ("differs", "unit_in_doubt")),
    (per_million(0.02, 15, cache_read=0.002), ("differs", "unit_in_doubt")),
])
def test_sources_that_disagree_are_both_shown_and_flagged(other, flags, project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1": per_token(3e-06, 1.5e-05, cache_read_input_token_cost=3e-07)}))
    put("modelsdev", DAY, api=api(**{"nova-1": other}))
    found = prices(project, NOVA, DAY)
    assert [p.source for p in found] == ["litellm", "modelsdev"] and {p.flags for p in found} == {flags}


def test_tiers_are_named_and_compared(project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1": per_token(input_cost_per_token_above_200k_tokens=2.5e-06, output_cost_per_token_above_200k_tokens=1.5e-05,
                                                           cache_read_input_token_cost_above_200k_tokens=2.5e-07)}))
    upper = {"input": 2.5, "output": 15, "cache_read": 0.25}
    put("modelsdev", DAY, api=api(**{"nova-1": per_million(tiers=[{"tier": {"type": "context", "size": 200000}, **upper}], context_over_200k={**upper, "input": 9})}))
    found = prices(project, NOVA, DAY)
    assert {p.tiers[1:] for p in found} == {(Tier("above 200000 tokens", 2.5, 0.25, 15.0),)} and {p.flags for p in found} == {()}
    put("modelsdev", "2026-09-02", api=api(**{"nova-1": per_million(context_over_200k={**upper, "output": 18})}))  # the older form
    found = prices(project, NOVA, "2026-09-02")
    assert by(found, "modelsdev")[0].tiers[1] == Tier("above 200000 tokens", 2.5, 0.25, 18.0) and {p.flags for p in found} == {("differs",)}


def test_ranges_of_the_other_form_are_tiers_too(project, put) -> None:
    ranges = [{"range": [0, 32000.0], "input_cost_per_token": 1e-06, "output_cost_per_token": 5e-06},
              {"range": [32000.0, 128000.0], "input_cost_per_token": 2e-06, "output_cost_per_token": 1e-05}]
    put("litellm", DAY, table=table(**{"nova-1": {"tiered_pricing": ranges}}))
    assert prices(project, NOVA, DAY)[0].tiers == (Tier("standard", 1.0, None, 5.0), Tier("above 32000 tokens", 2.0, None, 10.0))


# --- whose price, which model ---------------------------------------------------------------------------------------------

def test_only_the_developers_own_services_and_models(project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1": per_token(), "echo-2": per_token(), "dashscope__nova-1": {**per_token(), "litellm_provider": "dashscope"},
                                       "deepseek__echo-2": {**per_token(2e-06), "litellm_provider": "deepseek"}}))
    found = read_prices(project, NOVA, DAY)
    assert [(p.model, p.names, p.tiers[0].input) for p in found.prices] == [("echo-2", ("deepseek/echo-2",), 2.0), ("nova-1", ("nova-1",), 1.25)]
    assert not found.unmatched  # models of others at a service are no names that wait


def test_names_are_matched_exactly_and_unmatched_ones_are_listed(project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1-preview": per_token(), "nova-11": per_token(), "nova 1 max": per_token(), "nova-1-mini": per_token()}))
    put("modelsdev", DAY, api=api(**{"nova-9": per_million()}))
    found = read_prices(project, NOVA, DAY)
    assert [p.model for p in found.prices] == ["nova-1-mini"]
    assert [(source, name) for source, name, _ in found.unmatched] == [
        ("litellm", "nova 1 max"), ("litellm", "nova-1-preview"), ("litellm", "nova-11"), ("modelsdev", "nova-9")]
    assert found.unmatched[-1][2] == "the model it would mean was released later"


def test_a_person_decides_about_the_name_as_the_source_writes_it(project, put) -> None:  # I4
    entry = {**per_token(), "litellm_provider": "deepseek"}
    put("litellm", DAY, table=table(**{"deepseek__echo-2-0214": entry, "deepseek__echo-2": entry}))
    lines = ("echo-2", "Echo 2", "2026-02-01", "DeepSeek")
    confirmed = index(lines, decisions=(decision("deepseek/echo-2-0214", "echo-2", source="litellm"),))
    assert prices(project, confirmed, DAY)[0].names == ("deepseek/echo-2", "deepseek/echo-2-0214")
    rejected = index(lines, decisions=(decision("deepseek/echo-2", "", "rejected", source="litellm"),))
    assert read_prices(project, rejected, DAY).prices == ()


def test_names_that_mean_another_model_from_time_to_time_have_no_price(project, put) -> None:
    echo = index(("deepseek-chat", "Echo 2", "2026-02-01", "DeepSeek"))
    put("litellm", DAY, table=table(**{"deepseek__deepseek-chat": {**per_token(), "litellm_provider": "deepseek"}}))
    found = read_prices(project, echo, DAY)
    assert not found.prices and found.unmatched == (("litellm", "deepseek/deepseek-chat", "means another model from time to time"),)


def test_several_names_of_one_model(project, put) -> None:
    """The plain name speaks first; names of one price share a record; another price is another version's."""
    put("litellm", DAY, table=table(**{"nova-1-2026-01-01": per_token(), "nova-1": per_token(), "openai/nova-1": per_token(2e-06)}))
    first, other = prices(project, NOVA, DAY)
    assert first.names == ("nova-1", "nova-1-2026-01-01") and first.flags == ()
    assert other.names == ("openai/nova-1",) and other.flags == ("another_version",) and other.tiers[0].input == 2.0


def test_a_name_with_a_setting_says_so(project, put) -> None:
    put("modelsdev", DAY, api=api(**{"nova-1 (high)": per_million()}))
    assert prices(project, NOVA, DAY)[0].flags == ("setting:high",)


# --- units and missing values -----------------------------------------------------------------------------------------------

def test_a_price_in_another_unit_is_refused_and_the_last_good_one_stays(project, put) -> None:  # fault kind 13
    put("litellm", "2026-08-01", table=table(**{"nova-1": per_token()}))
    put("litellm", DAY, table=table(**{"nova-1": per_token(0.071, 0.1), "nova-1-mini": per_token(3.0, 15.0)}))
    found = read_prices(project, NOVA, DAY)
    assert [(p.model, p.date, p.tiers[0].input) for p in found.prices] == [("nova-1", "2026-08-01", 1.25)]
    assert [(x.rule, x.observation.row["model"]) for x in found.refused] == [("price", "nova-1"), ("price", "nova-1-mini")]
    assert "71000 US dollars per million tokens" in found.refused[0].reason and "another unit" in found.refused[0].reason


def test_no_price_is_no_record(project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1": {}, "nova-1-mini": per_token(0.0, 0.0)}))
    put("modelsdev", DAY, api=api(**{"nova-1": {"name": "Nova 1"}}))
    found = read_prices(project, NOVA, DAY)
    assert found.prices == () and len(found.refused) == 3


def test_a_listed_free_model_costs_nothing(project, put, root: Path) -> None:
    (project / "params").unlink()
    (project / "params").mkdir()
    for path in (root / "params").iterdir():
        if path.name != "prices.yml":
            (project / "params" / path.name).symlink_to(path)
    text = (root / "params" / "prices.yml").read_text(encoding="utf-8")
    (project / "params" / "prices.yml").write_text(text.replace("free: []", "free: [nova-1]"), encoding="utf-8")
    put("litellm", DAY, table=table(**{"nova-1": per_token(0.0, 0.0)}))
    put("modelsdev", DAY, api=api(**{"nova-1": per_million()}))
    found = prices(project, NOVA, DAY)
    assert by(found, "litellm")[0].flags == ("differs", "unit_in_doubt", "free")


# --- days -----------------------------------------------------------------------------------------------------------------

def test_the_newest_table_up_to_the_day_counts(project, put) -> None:
    for day, given in (("2026-07-01", 1e-06), ("2026-08-01", 2e-06), ("2026-10-01", 3e-06)):
        put("litellm", day, table=table(**{"nova-1": per_token(given)}))
    assert [(p.date, p.since, p.tiers[0].input) for p in prices(project, NOVA, DAY)] == [("2026-08-01", None, 2.0)]
    assert prices(project, NOVA, "2026-06-30") == ()


def test_the_ledger_is_taken_back_to_the_day(project, put) -> None:
    events = (["2026-05-01", "added", "", None, None, "", 0], ["2026-07-01", "price", "input_cost_per_token", 1e-06, 2e-06, "", 1],
              ["2026-08-01", "price", "cache_read_input_token_cost", None, 2e-07, "", 2], ["2026-09-15", "price", "input_cost_per_token", 2e-06, 4e-06, "", 3],
              ["2026-09-15", "price", "output_cost_per_token", 8e-06, 9e-06, "", 3])
    put("litellm", "2026-10-01", ledger=ledger({"input": 4.0, "output": 9.0, "cache_read": 0.2}, *events))

    def on(day: str):
        return [(p.date, p.since, p.url[-7:], p.tiers[0].input, p.tiers[0].cached_input, p.tiers[0].output) for p in prices(project, NOVA, day)]

    assert on("2026-04-30") == []  # not in the table yet
    assert on("2026-06-30") == [("2026-06-30", "2026-05-01", "commit0", 1.0, None, 8.0)]
    assert on("2026-07-01") == [("2026-07-01", "2026-07-01", "commit1", 2.0, None, 8.0)]
    assert on(DAY) == [(DAY, "2026-08-01", "commit2", 2.0, 0.2, 8.0)]
    assert on("2026-09-15") == [("2026-09-15", "2026-09-15", "commit3", 4.0, 0.2, 9.0)]
    assert on("2027-01-01") == [("2026-10-01", "2026-09-15", "commit3", 4.0, 0.2, 9.0)]  # it speaks of its own day at the most


def test_an_entry_that_was_taken_out_has_no_price_until_it_is_back(project, put) -> None:
    events = (["2026-05-01", "added", "", None, None, "", 0], ["2026-07-01", "removed", "", None, None, "", 1], ["2026-09-01", "added", "", None, None, "", 2])
    put("litellm", "2026-10-01", ledger=ledger({"input": 4.0, "output": 9.0, "retire": "2026-09-20"}, *events))
    assert [len(prices(project, NOVA, day)) for day in ("2026-06-01", "2026-08-01", DAY)] == [1, 0, 1]
    assert prices(project, NOVA, "2026-09-19")[0].flags == () and prices(project, NOVA, "2026-09-20")[0].flags == ("retired:2026-09-20",)


def test_a_wrong_unit_of_that_day_is_refused_on_that_day(project, put) -> None:
    events = (["2026-05-01", "added", "", None, None, "", 0], ["2026-08-01", "price", "input_cost_per_token", 4.0, 4e-06, "unit", 1])
    put("litellm", "2026-10-01", ledger=ledger({"input": 4.0, "output": 9.0}, *events))
    assert not prices(project, NOVA, "2026-07-01") and len(prices(project, NOVA, DAY)) == 1


def test_the_history_gives_what_had_begun(project, put) -> None:
    periods = ((None, {"input": 3.0, "output": 15.0}), ("2026-08-01T23:00:00Z", {"input": 2.0, "output": 10.0, "tiers": [{"above": 200000, "input": 4.0, "output": 20.0}]}),
               ("2026-09-15T00:00:00Z", None))
    put("modelsdev", "2026-10-01", history=history(*periods, status="removed", thinking=[("2026-08-01T00:00:00Z", {"input": 2.0, "output": 30.0})]))

    def on(day: str):
        return [(p.since, p.url, [(t.name, t.input, t.output) for t in p.tiers]) for p in prices(project, NOVA, day)]

    assert on("2025-12-31") == []
    assert on("2026-07-31") == [("2026-01-01", "https://example.org/c", [("standard", 3.0, 15.0)])]
    assert on("2026-08-01") == [("2026-08-01", "https://example.org/c", [("standard", 2.0, 10.0), ("above 200000 tokens", 4.0, 20.0), ("thinking", 2.0, 30.0)])]
    assert prices(project, NOVA, DAY)[0].flags == ("delisted:2026-10-01",)


def test_the_history_beats_an_older_table_which_adds_what_it_lacks(project, put) -> None:
    put("modelsdev", "2026-07-02", api=api(**{"nova-1": per_million(9.0, 9.0, context=400000, weights=True)}))
    put("modelsdev", "2026-10-01", history=history((None, {"input": 3.0, "output": 15.0})))
    (found,) = prices(project, NOVA, DAY)
    assert (found.tiers[0].input, found.date, found.context, found.open_weights, found.snapshot) == (3.0, DAY, 400000, True, "2026-10-01")


def test_an_address_that_is_none_gives_way_to_the_files(project, put) -> None:  # fault kind 24
    put("modelsdev", "2026-10-01", history=history((None, {"input": 3.0, "output": 15.0, "source": "javascript:alert(1)"})))
    assert prices(project, NOVA, DAY)[0].url == "https://models.dev/model_prices_snapshot.json"


def test_a_day_has_no_time_zone(project, put, monkeypatch) -> None:  # fault kind 12
    put("modelsdev", "2026-10-01", history=history((None, {"input": 3.0, "output": 15.0}), ("2026-09-01T23:59:59Z", {"input": 2.0, "output": 10.0})))
    for zone in ("UTC", "America/Los_Angeles", "Pacific/Auckland"):
        monkeypatch.setenv("TZ", zone)
        assert prices(project, NOVA, DAY)[0].tiers[0].input == 2.0 and prices(project, NOVA, "2026-08-31")[0].tiers[0].input == 3.0


def test_the_order_of_stored_rows_does_not_matter(project, put) -> None:  # C11
    put("litellm", "2026-10-01", ledger=ledger({"input": 4.0, "output": 9.0}, ["2026-05-01", "added", "", None, None, "", 0],
                                               *(["2026-09-15", "price", "input_cost_per_token", k * 1e-06, (k + 1) * 1e-06, "", 3] for k in range(1, 4))))
    before = prices(project, NOVA, DAY)
    path = project / "data/observations/litellm/2026-10-01.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([head, *random.Random(2).sample(rows, len(rows))]), encoding="utf-8", newline="")
    assert prices(project, NOVA, DAY) == before and before[0].tiers[0].input == 1.0


# --- parameters -----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("old", "new", "says"), [
    ("least: 0.005", "least: 5", "'least'"), ("most: 2000", "most: 0", "'most'"), ("doubtful_ratio: 20", "doubtful_ratio: 1", "'doubtful_ratio'"),
    ("pricing_page: https://cohere.com/pricing", "pricing_page: cohere.com", "Cohere.pricing_page"),
    ("modelsdev: [cohere]", "modelsdev: [openai]", "under two developers in modelsdev: openai"),
    ("litellm: {xai: xai/}", "litelm: {xai: xai/}", "xAI.litelm"),
])
def test_a_wrong_parameter_is_refused_by_key_and_line(old, new, says, root: Path, tmp_path: Path) -> None:
    text = (root / "params" / "prices.yml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "prices.yml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ParameterError, match=says) as refusal:
        load_prices(tmp_path)
    assert refusal.value.file == "prices.yml"


def test_as_published_is_plain_json(project, put) -> None:
    put("litellm", DAY, table=table(**{"nova-1": per_token()}))
    record = json.loads(json.dumps(as_published(prices(project, NOVA, DAY)[0])))
    assert {"model", "source", "date", "url", "pricing_page", "tiers", "context", "flags"} <= set(record)
    assert record["tiers"] == [{"name": "standard", "input": 1.25, "cached_input": None, "output": 10.0}]
