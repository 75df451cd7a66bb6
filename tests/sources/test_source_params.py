"""params/sources.yml, benchmarks.csv and excluded.csv: complete, agreeing with each other, refused by name when wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from siiq_core.errors import ParameterError
from siiq_core.params.benchmarks import load_benchmarks, load_excluded
from siiq_core.params.sources import load_sources

ATTRIBUTIONS = {  # as data.md requires them
    "aider": "Aider polyglot leaderboard data (Apache-2.0), aider.chat/docs/leaderboards/",
    "arena": "Arena leaderboard dataset (CC BY 4.0), huggingface.co/datasets/lmarena-ai/leaderboard-dataset",
    "bfcl": "Berkeley Function Calling Leaderboard, Gorilla project (Apache-2.0), gorilla.cs.berkeley.edu/leaderboard.html",
    "epoch": "Epoch AI, ‘Capabilities & benchmarking’ (CC BY 4.0), epoch.ai/benchmarks",
    "litellm": "API list prices via LiteLLM's price table (MIT), github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json, "
               "each price with a link to the developer's own pricing page",
    "modelsdev": "models.dev (MIT)",
    "openrouter": "Source: OpenRouter (openrouter.ai), licensed under CC BY 4.0: reuse and republish with attribution to "
                  "OpenRouter, openrouter.ai/api/v1/datasets/exports/README.md",
}


def test_attributions_stand_word_for_word(sources) -> None:
    assert {key: spec.attribution for key, spec in sources.items()} == ATTRIBUTIONS


def test_every_benchmark_can_be_read_from_what_is_kept(root: Path, sources) -> None:
    for b in load_benchmarks(root):
        assert b.source in sources and b.licence == sources[b.source].license
        file = sources[b.source].files[b.file]
        assert b.score_column in file.keep and (not b.error_column or b.error_column in file.keep)
        assert not b.row_filter or b.row_filter[0] in (*file.key, *file.key_if_present)


def test_nothing_is_both_configured_and_left_out(root: Path, sources) -> None:
    used = {(b.source, b.file) for b in load_benchmarks(root)}
    left = load_excluded(root)
    assert all(e.reason and e.rule for e in left)
    assert {e.name for e in left if (e.source, e.file) in used} == {"BFCL before version 4"}
    assert {e.name: e.rule for e in left}.items() >= {"SciCode": "E2", "CritPt": "E2", "Cybench": "E1", "LiveBench": "E2"}.items()
    imported = {name for spec in sources.values() for name in spec.files}
    assert not imported & {"scicode_external.csv", "critpt_external.csv", "live_bench_external.csv"}


def test_the_set_is_that_of_method_1_0_0(root: Path, shared_sources: Path) -> None:
    import csv

    def rows(path: Path) -> list[dict[str, str]]:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    wanted = rows(shared_sources.parent / "spec" / "benchmarks.csv")
    assert [{key: row[key] for key in wanted[0]} for row in rows(root / "params" / "benchmarks.csv")] == wanted


@pytest.fixture
def broken(tmp_path: Path, root: Path):
    """Loads a parameter file after replacing one text in it."""
    def load(name: str, old: str, new: str):
        (tmp_path / "params").mkdir(exist_ok=True)
        text = (root / "params" / name).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "params" / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return {"sources.yml": load_sources, "benchmarks.csv": load_benchmarks, "excluded.csv": load_excluded}[name](tmp_path)
    return load


@pytest.mark.parametrize(("name", "old", "new", "says"), [
    ("benchmarks.csv", ",0.25,1,198,defined", ",1,1,198,defined", r"chance level g .1.0. must be below.*row 1"),
    ("benchmarks.csv", ",0.25,1,198,defined", ",0.25,1.5,198,defined", "row 1, column 'c', value '1.5'"),
    ("benchmarks.csv", ",0.25,1,198,defined", ",0.25,1,0,defined", "row 1, column 'n', value '0'"),
    ("benchmarks.csv", ",0.25,1,198,defined", ",0.25,1,,defined", "n is empty if and only if n_kind is effective.*row 1"),
    ("benchmarks.csv", ",0.25,1,198,defined", ",nan,1,198,defined", "row 1, column 'g'"),
    ("benchmarks.csv", "simpleqa-verified,SimpleQA", "gpqa-diamond-epoch,SimpleQA", "id stands in row 1 already.*row 3"),
    ("benchmarks.csv", "knowledge,simpleqa-verified", "wisdom,simpleqa-verified", "row 3, column 'area', value 'wisdom'"),
    ("benchmarks.csv", "knowledge,simpleqa-verified", "knowledge,SimpleQA", "row 3, column 'family'"),
    ("benchmarks.csv", "knowledge,gpqa-diamond,OpenRouter", "math,gpqa-diamond,OpenRouter", "one question set, so it lies in one area.*row 2"),
    ("benchmarks.csv", ",Epoch AI,evaluator,", ",Epoch AI,press,", "row 1, column 'licence_basis'"),
    ("benchmarks.csv", ",stderr,se,", ",stderr,SE,", "row 1, column 'error_kind'"),
    ("benchmarks.csv", ",stderr,se,", ",,se,", "error_column and error_kind go together"),
    ("benchmarks.csv", "Scaffold=OpenHands", "Scaffold: OpenHands", "column 'filter'.*Scaffold: OpenHands"),
    ("benchmarks.csv", ",1,,stderr", ",0,,stderr", "row 1, column 'scale'"),
    ("benchmarks.csv", "https://epoch.ai/benchmarks/gpqa-diamond,", "javascript:alert(1),", "row 1, column 'address'"),
    ("excluded.csv", ",E2,", ",E9,", "column 'rule', value 'E9'"),
    ("sources.yml", "leaving: remove_after_6h", "leaving: at_once", "sources.epoch.leaving"),
    ("sources.yml", "rows: 50000", "rows: 5", "bounds.rows"),
    ("sources.yml", "adapter: epoch", "adapter: epoh", "sources.epoch.adapter"),
    ("sources.yml", "archived: false", "archive: false", "archive"),
    ("sources.yml", "commit: ec4485064618f7f3e6fb96507db6144d9f339e25", "commit: main", "2024-12-21.commit"),
    ("sources.yml", '"2024-12-21"', '"21 Dec 2024"', "snapshots"),
    ("sources.yml", "keep: [Model, Overall Acc", "keep: [Overall Acc", "key columns must be kept too: Model"),
])
def test_a_wrong_value_is_refused_by_file_row_and_key(name, old, new, says, broken) -> None:
    with pytest.raises(ParameterError, match=says) as refusal:
        broken(name, old, new)
    assert refusal.value.file == name and refusal.value.row is not None and refusal.value.remedy


def test_the_shipped_snapshots_are_the_named_ones(root: Path, sources) -> None:
    for key, spec in sources.items():
        there = sorted(p.stem for p in (root / "data" / "observations" / key).glob("*.csv"))
        assert there == sorted(spec.snapshots)
