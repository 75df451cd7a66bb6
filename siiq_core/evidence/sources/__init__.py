"""Adapters: one publisher each, from its files to observations and readings. What is policy stands in params/sources.yml."""

from __future__ import annotations

from collections.abc import Mapping

from siiq_core.errors import SourceError
from siiq_core.evidence.sources.aider import Aider
from siiq_core.evidence.sources.arena import Arena
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.bfcl import Bfcl
from siiq_core.evidence.sources.epoch import Epoch
from siiq_core.evidence.sources.litellm import LiteLLM
from siiq_core.evidence.sources.modelsdev import ModelsDev
from siiq_core.evidence.sources.openrouter import OpenRouter
from siiq_core.params.loader import project_root
from siiq_core.params.sources import SourceSpec, load_sources, source_spec

ADAPTERS: dict[str, type[Adapter]] = {
    "epoch": Epoch, "aider": Aider, "bfcl": Bfcl, "openrouter": OpenRouter, "arena": Arena, "litellm": LiteLLM, "modelsdev": ModelsDev}


def adapter(source_id: str, sources: Mapping[str, SourceSpec] | None = None) -> Adapter:
    """The adapter of a source, bound to its entry in `sources` (default: the project's params/sources.yml)."""
    spec = source_spec(source_id, load_sources(project_root()) if sources is None else sources)
    if spec.adapter not in ADAPTERS:
        raise SourceError(f"nothing reads source {source_id} yet", remedy="add an adapter for its format")
    return ADAPTERS[spec.adapter](spec)
