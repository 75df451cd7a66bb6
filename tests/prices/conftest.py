"""A project with the shipped parameters and an empty store, and made-up price files for it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siiq_core.evidence.observations import build_snapshot, write_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.params.sources import load_sources

Put = Callable[..., None]


@pytest.fixture
def project(tmp_path: Path, root: Path) -> Path:
    (tmp_path / "params").symlink_to(root / "params")
    return tmp_path


@pytest.fixture
def put(project: Path) -> Put:
    """Store a snapshot of made-up files."""
    def store(source: str, day: str, **files: bytes) -> None:
        reader = adapter(source, load_sources(project))
        write_snapshot(build_snapshot(reader, {NAMES.get(name, name): content for name, content in files.items()}, day), project)
    return store


NAMES = {"table": "model_prices_and_context_window.json", "ledger": "llmledger.json.gz", "api": "api.json", "history": "model_prices_snapshot.json"}


def table(**entries: dict[str, Any]) -> bytes:
    """LiteLLM's table: name → cells; "__" in a name stands for "/"."""
    return json.dumps({name.replace("__", "/"): {"litellm_provider": "openai", "mode": "chat", **cells} for name, cells in entries.items()}).encode()


def per_token(given: Any = 1.25e-06, taken: Any = 1e-05, **more: Any) -> dict[str, Any]:
    return {"input_cost_per_token": given, "output_cost_per_token": taken, **more}


def ledger(now: dict[str, Any], *events: list[Any], key: str = "nova-1", host: str = "openai") -> bytes:
    whole = {"units": {"prices": "dollars per 1M tokens"}, "sources": [f"commit{k}" for k in range(9)], "events": {key: list(events)},
             "models": [{"key": key, "host": host, "mode": "chat", "context": 1000, "cache_read": None, **now}]}
    return gzip.compress(json.dumps(whole).encode(), mtime=0)


def api(provider: str = "openai", **models: dict[str, Any]) -> bytes:
    return json.dumps({provider: {"models": models}}).encode()


def per_million(given: Any = 1.25, taken: Any = 10, context: int = 200000, weights: bool = False, **more: Any) -> dict[str, Any]:
    return {"cost": {"input": given, "output": taken, **more}, "limit": {"context": context}, "open_weights": weights}


def history(*periods: tuple[str | None, dict[str, Any] | None], model: str = "nova-1", provider: str = "openai", status: str | None = None,
            **tiers: list) -> bytes:
    def listed(found):
        return [{"start": start, "rates": None if rates is None else {"source": "https://example.org/c", "valid_from": start or "2026-01-01T00:00:00Z", **rates}}
                for start, rates in found]
    return json.dumps({"schema": 1, "status": {provider: {model: status}} if status else {},
                       "prices": {provider: {model: {"standard": listed(periods), **{tier: listed(found) for tier, found in tiers.items()}}}}}).encode()
