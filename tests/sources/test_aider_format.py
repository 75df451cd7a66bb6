"""Aider's YAML list: scalars as written, nothing acted on, two models at work are none."""

from __future__ import annotations

import pytest

from siiq_core.errors import DataError, SourceError
from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import load_benchmarks

NAME = "polyglot_leaderboard.yml"
ENTRY = "- model: nova-1\n  pass_rate_2: 61.0\n  test_cases: 225\n  date: 2025-03-01\n  total_cost: 0.0000\n"


@pytest.fixture
def aider(sources):
    return adapter("aider", sources)


def read(aider, root, text: str):
    snapshot = build_snapshot(aider, {NAME: text.encode()}, "2025-10-04")
    return aider.readings(snapshot, load_benchmarks(root))


def test_scalars_are_kept_as_they_are_written(aider) -> None:
    row = aider.parse(NAME, (ENTRY + "  extra: yes\n  empty:\n").encode()).rows[0]
    assert row == {"model": "nova-1", "pass_rate_2": "61.0", "test_cases": "225", "date": "2025-03-01",
                   "total_cost": "0.0000", "extra": "yes", "empty": ""}


def test_percent_by_configuration_and_the_run_date(aider, root) -> None:  # T4
    used, _ = read(aider, root, ENTRY)
    assert [(r.name, r.score, r.run_date) for r in used] == [("nova-1", 0.61, "2025-03-01")]


@pytest.mark.parametrize("entry", [
    ENTRY.replace("61.0", "0.61"), ENTRY.replace("61.0", "0.610"), ENTRY.replace("61.0", "1.0"),  # no count of 225 gives this percentage
    ENTRY.replace("61.0", "0.4") + "  pass_num_2: 100\n", ENTRY.replace("61.0", "0.444") + "  pass_num_2: 100\n", ENTRY + "  pass_num_2: 61\n",
])
def test_a_fraction_in_the_column_of_percent_is_refused(aider, entry) -> None:
    """Fault kind 2: it lies within [0, 1] as a percentage too, so the row's own counts tell."""
    with pytest.raises(DataError, match="T4: the rate is no percentage.*row 2, column 'pass_rate_2'"):
        aider.parse(NAME, (ENTRY + entry).encode())


@pytest.mark.parametrize("entry", [
    ENTRY.replace("61.0", "0.4"), ENTRY.replace("61.0", "0.9"), ENTRY.replace("61.0", "0.0"),  # 1, 2 and none of 225
    ENTRY.replace("225", "224") + "  pass_num_2: 136\n", ENTRY.replace("61.0", "61.3") + "  pass_num_2: 138\n", ENTRY.replace("225", "0"),
])
def test_a_low_percentage_that_the_counts_bear_out_is_one(aider, entry) -> None:
    assert len(aider.parse(NAME, (ENTRY + entry).encode()).rows) == 2


def test_two_models_at_work_are_no_model(aider, root) -> None:
    used, left = read(aider, root, ENTRY + ENTRY.replace("nova-1", "nova-1 + echo-2"))
    assert [r.name for r in used] == ["nova-1"]
    assert [(out.rule, "two models" in out.reason) for out in left] == [("I1", True)]


def test_no_case_was_run_so_there_is_no_result(aider, root) -> None:  # fault kind 4
    used, left = read(aider, root, ENTRY.replace("61.0", "0.0").replace("225", "0"))
    assert not used and left[0].rule == "missing"


@pytest.mark.parametrize(("text", "says"), [
    ("model: nova-1\n", "no list of runs"),
    ("- just text\n", "no mapping.*row 1"),
    (ENTRY + "- model: [a, b]\n", "list or mapping.*row 2.*'model'"),
    (ENTRY + "  model: nova-2\n", "stands twice.*'model'"),
    ("- model: 'open\n", "no valid YAML"),
    ("- &a !!python/object/apply:os.getcwd []\n", "no mapping"),
    ("- a: &a [x, x]\n  b: &b [*a, *a]\n  c: [*b, *b]\n", "list or mapping"),
    ("[" * 5000, "nested too deeply|no valid YAML"),
    ("", "no list of runs"),
    ("- pass_rate_2: 61.0\n", "key column is gone .U6a.*'model'"),
])
def test_anything_else_is_refused_by_name(text: str, says: str, aider) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        aider.parse(NAME, text.encode())
    assert refusal.value.file == NAME
