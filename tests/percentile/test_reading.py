"""Boards as they are read: logs, versions within a snapshot, names that wait, ratings, and what is refused."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from siiq_core.errors import DataError
from siiq_core.evidence.identity import build_index, extend_registry
from siiq_core.evidence.sources import adapter
from siiq_core.params.names import load_names
from siiq_core.params.percentile import Board, board_specs
from siiq_core.params.sources import load_sources
from siiq_core.records import ModelVersion, Observation, Snapshot, SourceFile
from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.evidence import board_rows
from siiq_core.siblings.percentile.reading import newest_version, read_benchmark, read_ratings


@pytest.fixture(scope="module")
def names(root):
    """An index of two made-up models, one of them with settings of its own."""
    table = [ModelVersion("nova-1", "Nova 1", "2025-01-01", "Nova Labs", "API"), ModelVersion("nova-1_high", "Nova 1", "2025-01-01", "Nova Labs", "API"),
             ModelVersion("orb-2", "Orb 2", "2025-01-01", "Orb Labs", "API")]
    known = load_names(root)
    return build_index(table, known, extend_registry((), table, "2026-01-01"))


def snapshot_of(source, file, rows, columns, day="2026-01-01"):
    seen = tuple(Observation(source, day, file, line, str([row.get("model") or row.get("name") or row.get("Model version"), row.get("effort", "")]), row) for line, row in enumerate(rows, start=1))
    return Snapshot(source, day, "0" * 64, {file: SourceFile(file, "https://example.org", "0" * 64, 1, len(rows), columns)}, seen)


@pytest.fixture
def log(root, params, names):
    """Rows of an append-log → the board."""
    def read(*rows):
        sources = load_sources(root)
        spec = board_specs(root, params, sources)["aider-polyglot"]
        board = next(b for b in params.boards if b.benchmark == "aider-polyglot")
        cells = [{"model": m, "pass_rate_2": score, "date": day, "test_cases": "225"} for m, score, day in rows]
        snapshot = snapshot_of("aider", "polyglot_leaderboard.yml", cells, ("model", "pass_rate_2", "date", "test_cases"))
        return board_rows(board, spec, read_benchmark(adapter("aider", sources), snapshot, board, spec), snapshot, names, "all", params, False)[0]
    return read


def test_of_a_log_all_rows_are_the_population_and_the_latest_entry_counts(log):  # M4
    rows = log(("nova-1", "60.0", "2025-05-01"), ("nova-1", "40.0", "2025-06-01"), ("orb-2", "50.0", "2025-05-02"))
    assert rows.population == (Decimal("40.0"), Decimal("50.0"), Decimal("60.0")) and rows.superseded == 1
    assert {e.configuration: (e.value, e.date) for e in rows.entries} == {"nova-1@default": (Decimal("40.0"), "2025-06-01"), "orb-2@default": (Decimal("50.0"), "2025-05-02")}


def test_of_a_log_the_later_line_wins_a_tie_of_dates(log):
    rows = log(("nova-1", "60.0", "2025-05-01"), ("nova-1", "40.0", "2025-05-01"))
    assert [str(e.value) for e in rows.entries] == ["40.0"]
    assert [str(e.value) for e in log(("nova-1", "40.0", "2025-05-01"), ("nova-1", "60.0", "2025-05-01")).entries] == ["60.0"]


def test_of_a_log_an_entry_without_a_date_is_the_oldest(log):
    assert [str(e.value) for e in log(("nova-1", "60.0", "2025-05-01"), ("nova-1", "40.0", "")).entries] == ["60.0"]


def test_efforts_of_a_log_are_configurations_of_their_own(log):  # choice: per configuration
    assert [e.configuration for e in log(("nova-1 (high)", "60.0", "2025-05-01"), ("nova-1", "40.0", "2025-06-01")).entries] == ["nova-1@default", "nova-1@high"]


def test_two_models_at_work_and_names_that_wait_are_on_the_board_and_no_configuration(log):
    rows = log(("nova-1", "60.0", "2025-05-01"), ("nova-1 + orb-2", "90.0", "2025-05-01"), ("stranger-7", "70.0", "2025-05-01"))
    assert [str(x) for x in rows.population] == ["60.0", "70.0", "90.0"] and [e.model for e in rows.entries] == ["nova-1"] and rows.waiting == 1


def test_a_missing_score_is_not_in_the_population(log):
    assert len(log(("nova-1", "", "2025-05-01"), ("orb-2", "50.0", "2025-05-01")).population) == 1


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", "high", "50,5", "50%", "500"])
def test_a_score_that_is_none_is_refused_with_its_place(log, cell):
    with pytest.raises(DataError) as refused:
        log(("nova-1", "60.0", "2025-05-01"), ("orb-2", cell, "2025-05-01"))
    assert (refused.value.file, refused.value.row, refused.value.column) == ("polyglot_leaderboard.yml", 2, "pass_rate_2")


@pytest.fixture
def arena(root, params, names):
    """Rows of a board of ratings → the board."""
    def read(*rows):
        board = next(b for b in params.boards if b.rating)
        cells = [{"name": m, "value": value, "leaderboard_publish_date": day} for m, value, day in rows]
        snapshot = snapshot_of("arena", "arena_reyamira.json", cells, ("name", "value"))
        return board_rows(board, None, read_ratings(adapter("arena", load_sources(root)), snapshot, board), snapshot, names, "all", params, False)[0]
    return read


def test_of_two_versions_in_one_snapshot_the_newest_is_the_population(arena):  # M4
    rows = arena(("nova-1", "1500", "2025-12-01"), ("orb-2", "1400", "2025-11-01"), ("old-9", "1300", "2025-11-01"))
    assert (rows.population, rows.excluded) == ((Decimal("1500"),), {"2025-11-01": 2}) and [e.model for e in rows.entries] == ["nova-1"]


def test_ratings_are_no_fractions_and_stand_on_their_own_board(arena, params):  # M3
    rows = arena(("nova-1", "1500.5", "2025-12-01"), ("orb-2", "1400", "2025-12-01"), ("stranger", "1600", "2025-12-01"))
    found = configurations({"arena-text": rows}, params)
    assert {c.model: c.percentiles["arena-text"] for c in found} == {"nova-1": 50, "orb-2": pytest.approx(100 / 6)}


@pytest.mark.parametrize("cell", ["nan", "Infinity", "1e999", "good"])
def test_a_rating_that_is_no_number_is_refused_with_its_place(arena, cell):
    with pytest.raises(DataError) as refused:
        arena(("nova-1", "1500", "2025-12-01"), ("orb-2", cell, "2025-12-01"))
    assert (refused.value.row, refused.value.column) == (2, "value")


def test_a_version_is_newer_by_its_numbers():
    board = Board(benchmark="b", dimension="coding", family="b", version_column="v")
    reading = lambda v: SimpleNamespace(observation=SimpleNamespace(row={"v": v}))  # noqa: E731
    kept, excluded = newest_version([reading(v) for v in ("v1.9", "v1.10", "", "v1.9")], board)
    assert [r.observation.row["v"] for r in kept] == ["v1.10"] and excluded == {"": 1, "v1.9": 2}
    assert newest_version([], board) == ((), {})


@pytest.mark.parametrize(("digits", "found"), [("0.35700000000000004", "0.357"), ("0.357", "0.357"), ("1500", "1500"), ("0.1234567890123", "0.123456789012"), ("0.47600000000000003", "0.476")])
def test_equal_is_equal_up_to_the_twelfth_digit(digits, found):  # M3, C11
    from siiq_core.evidence.numbers import significant_decimal

    assert significant_decimal(digits) == Decimal(found)
