"""A made-up source beside the real ones: three models, one quiz, every column kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources.base import Adapter
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.sources import FileSpec, SourceSpec, load_sources
from siiq_core.records import Snapshot

HEADERS = ("Model version", "Score", "stderr", "Run date", "Name", "Reasoning effort", "Agent", "Runs", "Source", "id")


@pytest.fixture(scope="session")
def sources(root: Path) -> dict[str, SourceSpec]:
    """params/sources.yml."""
    return load_sources(root)


@pytest.fixture(scope="session")
def spec(sources: dict[str, SourceSpec]) -> SourceSpec:
    """A source of one file, quiz.csv, with the meanings of Epoch's headers."""
    return sources["epoch"].model_copy(update={
        "id": "quizzes", "files": {"quiz.csv": FileSpec(key=("Model version",), keep=HEADERS)}, "snapshots": {}})


@pytest.fixture(scope="session")
def reader(spec: SourceSpec) -> Adapter:
    return Adapter(spec)


@pytest.fixture
def quiz() -> Callable[..., BenchmarkSpec]:
    """A benchmark on quiz.csv; keyword arguments alter it."""
    def make(**changes: object) -> BenchmarkSpec:
        return BenchmarkSpec(**{
            "id": "quiz", "name": "Quiz", "source": "quizzes", "file": "quiz.csv", "score_column": "Score", "scale": 1.0,
            "error_column": "stderr", "error_kind": "se", "area": "math", "family": "quiz", "evaluator": "Quizzers",
            "licence_basis": "evaluator", "g": 0.0, "c": 1.0, "n": 100, "n_kind": "defined", "licence": "CC BY 4.0",
            "licence_url": "https://example.org/licence", "address": "https://example.org/quiz", **changes})
    return make


@pytest.fixture
def snap(reader: Adapter) -> Callable[..., Snapshot]:
    """A snapshot of quiz.csv from rows of cells by header; headers that no row has are left away."""
    def make(*rows: dict[str, str], day: str = "2026-09-01", source: Adapter = reader) -> Snapshot:
        headers = [h for h in HEADERS if any(h in row for row in rows)]
        lines = [",".join(f'"{row.get(h, "")}"' for h in headers) for row in rows]
        return build_snapshot(source, {"quiz.csv": "\n".join([",".join(headers), *lines]).encode()}, day)
    return make
