"""U6b: the publisher's own definitions against the configured ones (fault kind 5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.definitions import definition_changes
from siiq_core.evidence.sources.epoch import Definition
from siiq_core.params.benchmarks import load_benchmarks


def says(**changes) -> Definition:
    """The quiz as it is configured, in its publisher's words."""
    return Definition(**{"benchmark": "Quiz", "source_file": "quiz.csv", "score_column": "Score", "scale": 1.0, "random_baseline": 0.25,
                         "score_ceiling": 1.0, "superseded_by": "", **changes})


@pytest.fixture
def spec(quiz):
    return quiz(g=0.25)


@pytest.mark.parametrize("same", [{}, {"scale": None, "random_baseline": None, "score_ceiling": None, "score_column": ""}, {"random_baseline": 0.25005},
                                  {"source_file": "other.csv", "superseded_by": "Quiz v2"}, {"source_file": "", "scale": 7.0}])
def test_what_is_not_said_or_said_of_another_file_changes_nothing(same, spec) -> None:
    assert definition_changes([says(**same)], [spec]) == ()


@pytest.mark.parametrize(("change", "column"), [
    ({"superseded_by": "Quiz v2"}, "superseded_by"), ({"scale": 0.01}, "scale"), ({"random_baseline": 0.2}, "random_baseline"),
    ({"random_baseline": 0.0}, "random_baseline"), ({"score_ceiling": 0.9}, "score_ceiling"), ({"score_column": "Score v2"}, "score_column")])
def test_each_change_freezes_that_benchmark_and_names_the_cell(change, column, spec, quiz) -> None:
    other = quiz(id="other", file="other.csv")
    found = definition_changes([says(**change), says(benchmark="Other", source_file="other.csv", random_baseline=0.0)], [spec, other])
    assert [(x.rule, x.benchmark, x.file, x.column) for x in found] == [("U6b", "quiz", "benchmark_metadata.csv", column)]
    assert found[0].remedy and repr(change[column]) in str(found[0])


def test_one_of_two_benchmarks_in_a_file_is_enough(spec) -> None:
    older = says(benchmark="Quiz v0", random_baseline=0.5)
    assert definition_changes([older, says()], [spec]) == () == definition_changes([says(), older], [spec])
    assert len(definition_changes([older, older], [spec])) == 1


def test_the_transcribed_sample_freezes_what_was_superseded_and_nothing_else(shared_sources: Path, root: Path, sources) -> None:
    folder = shared_sources / "epoch" / "metadata_layout_2026-09"
    epoch = adapter("epoch", sources)
    snapshot = build_snapshot(epoch, {"benchmark_metadata.csv": (folder / "benchmark_metadata.sample6.transcribed.csv").read_bytes()}, "2026-09-16")
    found = definition_changes(epoch.definitions(snapshot), [b for b in load_benchmarks(root) if b.source == "epoch"])
    assert [(x.benchmark, x.column, x.value) for x in found] == [("frontiermath", "superseded_by", "FrontierMath-Tiers-1-3-v2-Private")]
