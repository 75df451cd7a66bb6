"""Arena's text boards in their four shapes; ratings never become scores (T2)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siiq_core.errors import ParameterError, SourceError
from siiq_core.evidence.observations import build_snapshot, load_snapshot, snapshots
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.arena import counts, offsets, page
from siiq_core.params.benchmarks import load_benchmarks

CATALOGUE, MIRROR, TABLE = "leaderboard-text-style-control.json", "arena_reyamira.json", "lmarena_text.csv"
PAGE = "text_style_control-0.json"


def viewer(*rows: dict, **changes) -> bytes:
    whole = {"features": [], "rows": [{"row_idx": k, "row": row, "truncated_cells": []} for k, row in enumerate(rows)], "num_rows_total": len(rows),
             "num_rows_per_page": 100, "partial": False, **changes}
    return json.dumps(whole).encode()


def entry(name: str = "nova-1", category: str = "overall", rating: float = 1201.25) -> dict:
    return {"model_name": name, "organization": "o", "license": "l", "rating": rating, "rating_lower": 1190.0, "rating_upper": 1212.5, "variance": 2.5,
            "vote_count": 42, "rank": 7, "category": category, "leaderboard_publish_date": "2026-09-10"}


@pytest.fixture
def arena(sources):
    return adapter("arena", sources)


def rows_of(arena, name: str, content: bytes) -> list[dict]:
    return [dict(o.row) for o in build_snapshot(arena, {name: content}, "2026-09-10").observations]


def test_pages_of_the_dataset_viewer(arena) -> None:
    found = rows_of(arena, PAGE, viewer(entry(), entry("echo-2"), entry(category="math")))
    assert found == [{"model_name": name, "rating": "1201.25", "rating_lower": "1190.0", "rating_upper": "1212.5", "vote_count": "42", "rank": "7",
                      "category": "overall", "leaderboard_publish_date": "2026-09-10"} for name in ("echo-2", "nova-1")]
    with pytest.raises(SourceError, match="part of the rows"):
        arena.parse(PAGE, viewer(entry(), partial=True))
    with pytest.raises(SourceError, match="cut short.*row 1"):
        arena.parse(PAGE, viewer(rows=[{"row": entry(), "truncated_cells": ["rating"]}]))


def test_which_pages_there_are(arena) -> None:
    assert list(offsets(283, arena.spec)) == [0, 100, 200]
    assert list(offsets(100, arena.spec)) == [0] and not list(offsets(0, arena.spec))
    with pytest.raises(SourceError, match="bound rows"):  # fault kind 25
        offsets(10**8, arena.spec)
    assert counts(viewer(entry(), num_rows_total=283), arena.spec, PAGE) == (283, 1)
    with pytest.raises(SourceError, match="does not say how many rows"):
        counts(viewer(num_rows_total="many"), arena.spec, PAGE)
    name, address = page("https://viewer.example/filter?split=latest", 100)
    assert name == "text_style_control-100.json" and arena.spec.file(name)
    assert address == "https://viewer.example/filter?split=latest&offset=100&length=100"


def test_the_catalogue_the_mirror_and_the_table(arena) -> None:
    catalogue = {"full": {"nova-1": {"rating": 1200.5, "rating_q975": 1210, "rating_q025": 1190}}, "german": {"nova-1": {"rating": 1}}}
    assert rows_of(arena, CATALOGUE, json.dumps(catalogue).encode()) == [
        {"category": "full", "model": "nova-1", "rating": "1200.5", "rating_q975": "1210", "rating_q025": "1190"}]
    mirror = {"source": {}, "metrics": [], "models": [{"id": "n", "name": "nova-1", "display_name": "Nova 1", "creator": "c", "open_weights": False, "scores": {
        "elo_text": {"value": 1200.0, "date": "2026-07-27", "ci": 6.0, "votes": 16}, "elo_code": {"value": 1, "date": "2026-07-27", "ci": 1.0}}}]}
    assert rows_of(arena, MIRROR, json.dumps(mirror).encode()) == [
        {"name": "nova-1", "board": "elo_text", "value": "1200.0", "date": "2026-07-27", "ci": "6.0", "votes": "16"}]
    text = "rank,rank_stylectrl,model,arena_score,95_pct_ci,votes,organization,license,knowledge_cutoff,url\r\n1,2,Nova-1,1470,+5/-5,26019,o,l,,https://example.org\r\n"
    expected = [{"rank": "1", "rank_stylectrl": "2", "model": "Nova-1", "arena_score": "1470", "95_pct_ci": "+5/-5", "votes": "26019"}]
    for content in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.replace("\r\n", "\n").encode()):  # fault kind 11
        assert rows_of(arena, TABLE, content) == expected


@pytest.mark.parametrize(("name", "content", "says"), [
    (CATALOGUE, b"PAR1\x15\x04", "Parquet file.*JSON from the dataset viewer"),
    ("text_style_control-0.parquet", b"PAR1", "Parquet file"),
    (CATALOGUE, b"[]", "the board is no object"),
    (CATALOGUE, b'{"full": []}', "category 'full' is no object"),
    (CATALOGUE, b'{"full": {"nova-1": 1200}}', "model 'nova-1' is no object"),
    (CATALOGUE, b"{}", "key column is gone"),
    (CATALOGUE, b'{"full": {"nova-1": {"rating": 1}, "nova-1": {"rating": 2}}}', "stands twice.*nova-1"),  # fault kind 1
    (MIRROR, b'{"models": {"nova-1": {}}}', "models is no list"),
    (MIRROR, b'{"models": [{"name": "nova-1"}]}', "scores is no object.*row 1"),
    (MIRROR, b'{"models": [{"title": "nova-1", "scores": {"elo_text": {"value": 1}}}]}', "key column is gone.*'name'"),  # fault kind 6
    (PAGE, b'{"num_rows_total": 1}', "rows is no list"),
    (PAGE, b'{"num_rows_total": 1, "rows": [{"cells": {}}]}', "row's cells is no object.*row 1"),
    (TABLE, b"rank;model\n1;Nova\n", "not separated by commas"),
    (TABLE, b"rank,arena_score\n1,1470\n", "key column is gone"),
])
def test_anything_else_is_refused_by_name(name, content, says, arena) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        arena.parse(name, content)
    assert refusal.value.file == name and refusal.value.remedy


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "../../x", "nova\u202e1", " Nova 3.5, high ", "n" * 10_000])
def test_hostile_and_mangled_names_are_text(name, arena) -> None:  # fault kinds 10, 24
    assert rows_of(arena, PAGE, viewer(entry(name)))[0]["model_name"] == name


def test_hostile_sizes(arena) -> None:  # fault kind 25
    with pytest.raises(SourceError, match="bound rows"):
        arena.parse(CATALOGUE, json.dumps({"full": {f"m{k}": {"rating": 1} for k in range(arena.spec.common.bounds.rows + 1)}}).encode())
    with pytest.raises(SourceError, match="bound columns"):
        arena.parse(CATALOGUE, json.dumps({"full": {"m": {f"c{k}": 1 for k in range(10_000)}}}).encode())
    with pytest.raises(SourceError, match="nested too deeply|no valid JSON"):
        arena.parse(CATALOGUE, b'{"full":' * 100_000)


def test_a_rating_is_never_a_score(arena, root: Path) -> None:  # T2
    snapshot = build_snapshot(arena, {PAGE: viewer(entry())}, "2026-09-10")
    assert arena.readings(snapshot, load_benchmarks(root)) == ((), ())
    ours = load_benchmarks(root)[0].model_copy(update={"source": "arena", "file": PAGE, "score_column": "rating"})
    with pytest.raises(ParameterError, match="T2.*no fractions"):
        arena.readings(snapshot, [ours])


def test_every_real_date_and_shape_is_read(shared_sources: Path, arena) -> None:
    counted = {}
    for folder in sorted((shared_sources / "arena").iterdir()):
        for path in sorted(folder.iterdir()):
            name = arena.spec.member(path)
            if name is None:
                continue
            snapshot = build_snapshot(arena, {name: path.read_bytes()}, folder.name)
            names = [next(o.row[c] for c in arena.spec.columns.name if c in o.row) for o in snapshot.observations]
            ratings = [float(next(o.row[c] for c in ("rating", "value", "arena_score") if c in o.row)) for o in snapshot.observations]
            assert len(names) - len(set(names)) <= 1 and all(700 < r < 1700 for r in ratings)  # one name of 2025-08-06 stands twice
            counted[folder.name] = len(names)
    assert len(counted) == 15 and counted["2025-12-17"] == 283 and counted["2025-08-06"] == 266 and min(counted.values()) > 0, counted


def test_what_ships_is_one_board_a_shape_and_small(root: Path, arena) -> None:
    days = snapshots("arena", root)
    assert {day: len(load_snapshot("arena", day, root).observations) for day in days} == {"2025-08-06": 266, "2025-12-17": 283, "2026-07-28": 20}
    assert sum(p.stat().st_size for p in (root / "data/observations/arena").iterdir()) < 200_000
    kept = {column for day in days for o in load_snapshot("arena", day, root).observations for column in o.row}
    assert not kept & {"organization", "license", "url", "knowledge_cutoff", "creator"}
