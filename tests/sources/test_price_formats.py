"""LiteLLM's table and its ledger, models.dev's entries and its history: rows as written, anything else refused by name."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from siiq_core.errors import ParameterError, SourceError
from siiq_core.evidence.importing import read_files
from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.jsonfile import gunzip, read_json
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.prices import load_prices

TABLE, LEDGER = "model_prices_and_context_window.json", "llmledger.json.gz"
TOML, API, HISTORY = "providers/openai/models/nova-1.toml", "api.json", "model_prices_snapshot.json"
DAY = "2026-09-01"


@pytest.fixture
def litellm(sources):
    return adapter("litellm", sources)


@pytest.fixture
def modelsdev(sources):
    return adapter("modelsdev", sources)


def rows_of(reader, name: str, content: bytes) -> list[dict]:
    snapshot = build_snapshot(reader, {name: content}, DAY)
    assert snapshot.files[name].rows == len(snapshot.observations)  # rows kept
    return [dict(o.row) for o in sorted(snapshot.observations, key=lambda o: o.line)]


def ledger(**changes) -> bytes:
    whole = {"schema": 1, "units": {"prices": "dollars per 1M tokens"}, "sources": ["aaa", "bbb"],
             "models": [{"key": "nova-1", "maker": "openai", "name": "nova-1", "host": "openai", "mode": "chat", "input": 1.25, "output": 10.0,
                         "cache_read": None, "context": 200000, "retire": ""},
                        {"key": "echo", "host": "somewhere", "mode": "chat", "input": 1.0, "output": 1.0}],
             "events": {"nova-1": [["2026-01-01", "added", "", None, None, "", 0], ["2026-08-01", "price", "input_cost_per_token", 2e-06, 1.25e-06, "", 1],
                                   ["2026-08-01", "price", "input_cost_per_token_batches", None, 1e-06, "", 1]]}, **changes}
    return gzip.compress(json.dumps({k: v for k, v in whole.items() if v is not ...}).encode(), mtime=0)


def history(**changes) -> bytes:
    rates = {"input": 1.0, "output": 4.50, "cache_read": 0.1, "source": "https://example.org/c", "valid_from": "2026-01-01T00:00:00Z",
             "valid_from_basis": "models.dev commit", "model": "nova-1-2026", "tiers": [{"above": 200000, "input": 2.0, "output": 9.0}]}
    whole = {"schema": 1, "status": {"openai": {"nova-1": "removed"}},
             "prices": {"openai": {"nova-1": {"standard": [{"rates": None, "start": None}, {"rates": rates, "start": "2026-02-01T00:00:00Z"}],
                                              "batch": [{"rates": rates, "start": None}]}}, "resale": {"nova-1": {"standard": [{"rates": rates, "start": None}]}}},
             **changes}
    return json.dumps({k: v for k, v in whole.items() if v is not ...}).encode()


# --- LiteLLM ------------------------------------------------------------------------------------------------------------

def test_the_table_keeps_developers_own_text_services(litellm) -> None:
    entry = {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05, "max_input_tokens": 200000,
             "input_cost_per_token_above_200k_tokens": 2.50e-06, "supports_vision": True, "source": "https://example.org"}
    table = {"sample_spec": {**entry, "litellm_provider": "one of these"}, "nova-1": entry, "azure/nova-1": {**entry, "litellm_provider": "azure"},
             "nova-embed": {**entry, "mode": "embedding"}, "gemini/nova-2": {**entry, "litellm_provider": "gemini", "mode": "responses"}}
    found = rows_of(litellm, TABLE, json.dumps(table).replace("1.25e-06", "1.25E-6").encode())
    assert [row["model"] for row in found] == ["nova-1", "gemini/nova-2"]
    assert found[0]["input_cost_per_token"] == "1.25E-6" and found[0]["input_cost_per_token_above_200k_tokens"] == "2.5e-06"  # as written
    assert not {"supports_vision", "source"} & set(found[0])


def test_the_ledger_gives_entries_and_changes_of_the_list_price(litellm) -> None:
    entry, added, change = rows_of(litellm, LEDGER, ledger())
    assert entry == {"key": "nova-1", "host": "openai", "mode": "chat", "input": "1.25", "output": "10.0", "cache_read": "", "context": "200000", "retire": ""}
    assert added["kind"] == "added" and added["source"] == "aaa"
    assert change == {"key": "nova-1", "host": "openai", "mode": "chat", "day": "2026-08-01", "kind": "price", "field": "input_cost_per_token",
                      "old": "2e-06", "new": "1.25e-06", "flag": "", "source": "bbb"}


@pytest.mark.parametrize(("name", "content", "says"), [
    (TABLE, b"[]", "the price table is no object"),
    (TABLE, b'{"nova-1": 3}', "entry 'nova-1' is no object"),
    (TABLE, b'{"nova-1": {"provider": "openai"}}', "key column is gone .U6a.*'litellm_provider'"),  # fault kind 6
    (TABLE, b'{"nova-1": {}, "nova-1": {}}', "stands twice.*nova-1"),  # fault kind 1
    (TABLE, b'{"nova-1": {"litellm_provider": "openai"', "no valid JSON"),
    (TABLE, b'{"nova-1": {"input_cost_per_token": Infinity}}', "JSON does not know"),
    (LEDGER, b"{}", "no valid gzip"),
    (LEDGER, ledger()[:-20], "cut short"),
    (LEDGER, ledger() + b"more", "something behind it"),
    (LEDGER, ledger(units={"prices": "dollars per token"}), "not in dollars per 1M tokens.*'dollars per token'"),  # fault kind 13
    (LEDGER, ledger(units=...), "units is no object"),
    (LEDGER, ledger(models={}), "models is no list"),
    (LEDGER, ledger(events={"nova-1": [["2026-01-01", "added"]]}), "an event is not"),
    (LEDGER, ledger(events={"nova-1": [["2026-01-01", "added", "", None, None, "", 99]]}), "an event is not"),
])
def test_litellm_in_another_form_is_refused_by_name(name, content, says, litellm) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        litellm.parse(name, content)
    assert refusal.value.file == name and refusal.value.remedy


def test_a_gzip_bomb_is_refused_by_its_bound(litellm) -> None:  # fault kind 25
    bomb = gzip.compress(b"0" * (litellm.spec.common.bounds.file_bytes + 1), mtime=0)
    assert len(bomb) < 20_000
    with pytest.raises(SourceError, match="unpacks to more than the bound file_bytes"):
        gunzip(LEDGER, bomb, litellm.spec)


def test_a_million_columns_are_refused_by_the_bound(litellm) -> None:  # fault kind 25
    with pytest.raises(SourceError, match="bound columns"):
        litellm.parse(TABLE, json.dumps({"nova-1": {f"c{k}": 1 for k in range(200_000)}}).encode())


def test_numbers_of_any_length_stay_text(litellm) -> None:
    assert read_json(TABLE, b'{"a": 1' + b"0" * 5000 + b', "b": 0.10}', litellm.spec) == {"a": "1" + "0" * 5000, "b": "0.10"}


# --- models.dev -----------------------------------------------------------------------------------------------------------

ENTRY = b"""name = "Nova 1"
release_date = "2026-01-01"
open_weights = false
[cost]
input = 1.250
output = 10
[[cost.tiers]]
tier = { size = 200_000 }
input = 2.50
output = 15.00
[limit]
context = 200_000
"""


def test_an_entry_of_the_repository_and_of_the_interface_are_the_same_row(modelsdev) -> None:
    expected = {"provider": "openai", "model": "nova-1", "name": "Nova 1", "release_date": "2026-01-01", "open_weights": "false", "cost.input": "1.250",
                "cost.output": "10", "cost.tiers": '[{"tier":{"size":"200000"},"input":"2.50","output":"15.00"}]', "limit.context": "200000"}
    assert rows_of(modelsdev, TOML, ENTRY) == [expected]
    facts = {"id": "nova-1", "name": "Nova 1", "release_date": "2026-01-01", "open_weights": False, "cost": {"input": 1.250, "output": 10, "tiers": [
        {"tier": {"size": 200000}, "input": 2.5, "output": 15.0}]}, "limit": {"context": 200000}}
    api = json.dumps({"openai": {"id": "openai", "models": {"nova-1": facts}}, "resale": {"models": {"nova-1": facts}}})
    content = api.replace("1.25", "1.250").replace("2.5,", "2.50,").replace("15.0}", "15.00}").encode()
    assert rows_of(modelsdev, API, content) == [expected]


def test_the_history_keeps_list_prices_with_their_days(modelsdev) -> None:
    none, price = rows_of(modelsdev, HISTORY, history())
    assert (none["start"], none.get("input", "")) == ("", "")
    assert price == {"provider": "openai", "model": "nova-1", "tier": "standard", "start": "2026-02-01T00:00:00Z", "status": "removed", "input": "1.0",
                     "output": "4.5", "cache_read": "0.1", "source": "https://example.org/c", "valid_from": "2026-01-01T00:00:00Z",
                     "valid_from_basis": "models.dev commit", "tiers": '[{"above":"200000","input":"2.0","output":"9.0"}]'}


@pytest.mark.parametrize(("name", "content", "says"), [
    (TOML, b"name = ", "no valid TOML"),
    (TOML, b'name = "a"\nname = "b"\n', "no valid TOML"),  # fault kind 1
    (TOML, b"cost = 3\n", "cost is no object"),
    (TOML, b"\xff = 1\n", "not UTF-8"),
    (API, b"[]", "the file is no object"),
    (API, b'{"openai": {"id": "openai"}}', "models of 'openai' is no object"),
    (API, b'{"openai": {"models": {"nova-1": 3}}}', "model 'nova-1' is no object"),
    (HISTORY, history(schema=2), "its schema is not 1.*'2'"),
    (HISTORY, history(prices=[]), "prices is no object"),
    (HISTORY, history(prices={"openai": {"nova-1": {"standard": {}}}}), "prices of 'nova-1' is no list"),
    (HISTORY, history(prices={"openai": {"nova-1": {"standard": [{"rates": 3}]}}}), "rates of 'nova-1' is no object"),
    (HISTORY, history(status=...), "status is no object"),
    (HISTORY, b"[" * 100_000, "nested too deeply|no valid JSON"),
])
def test_modelsdev_in_another_form_is_refused_by_name(name, content, says, modelsdev) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        modelsdev.parse(name, content)
    assert refusal.value.file == name and refusal.value.remedy


def test_a_files_name_is_the_end_of_its_path_and_nothing_else(sources, tmp_path: Path) -> None:  # fault kind 24
    spec = sources["modelsdev"]
    path = tmp_path / "any" / "where" / TOML
    assert spec.member(path) == TOML and spec.member(path.with_name("nova.json")) is None
    assert spec.member(Path("providers/openai/provider.toml")) is None and spec.member(Path("providers/resale/models/nova-1.toml")) is None
    assert spec.member(Path("providers/openai/models/../x.toml")) is None
    assert sources["litellm"].member(Path("x/model_prices_and_context_window_backup.json")) == TABLE
    assert sources["openrouter"].member(Path("benchmark-leaderboard/2026-11-21.json")) == "benchmark-leaderboard"
    path.parent.mkdir(parents=True)
    path.write_bytes(ENTRY)
    assert read_files([path], spec) == {TOML: ENTRY}
    with pytest.raises(SourceError, match="no file that source modelsdev imports.*provider.toml"):
        read_files([tmp_path / "provider.toml"], spec)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=HYPERLINK(1)", "../../x", "n" * 10_000, "nova\u202e1"])
def test_hostile_names_are_text(name, litellm, modelsdev) -> None:  # fault kind 24
    assert rows_of(litellm, TABLE, json.dumps({name: {"litellm_provider": "openai", "mode": "chat"}}).encode())[0]["model"] == name
    assert rows_of(modelsdev, API, json.dumps({"openai": {"models": {name: {}}}}).encode())[0]["model"] == name


# --- both ---------------------------------------------------------------------------------------------------------------

def test_a_price_is_never_a_score(litellm, modelsdev, root: Path) -> None:
    benchmarks = load_benchmarks(root)
    for reader, name, content in ((litellm, LEDGER, ledger()), (modelsdev, HISTORY, history())):
        snapshot = build_snapshot(reader, {name: content}, DAY)
        assert reader.readings(snapshot, benchmarks) == ((), ())
        with pytest.raises(ParameterError, match="no fractions of tasks"):
            reader.readings(snapshot, [benchmarks[0].model_copy(update={"source": reader.spec.id})])


def test_what_is_kept_is_what_has_an_owner(root: Path, sources) -> None:
    params = load_prices(root)
    kept = {"litellm": set(sources["litellm"].files[TABLE].only["litellm_provider"]), "modelsdev": set(sources["modelsdev"].files[API].only["provider"])}
    assert set(sources["litellm"].files[LEDGER].only["host"]) == kept["litellm"]
    assert set(sources["modelsdev"].files[HISTORY].only["provider"]) == kept["modelsdev"]
    for source, providers in kept.items():
        assert {name for developer in params.developers.values() for name in developer.services(source)} == providers
    assert {name.split("/")[1] for name in sources["modelsdev"].files if "/" in name} <= kept["modelsdev"]
