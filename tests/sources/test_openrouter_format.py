"""OpenRouter's exports: manifest to file to rows to one reading a model; on rows made for the test, with made-up names."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from siiq_core.errors import DataError, DefinitionChange, ParameterError, SourceError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources import adapter
from siiq_core.evidence.sources.openrouter import Dated, manifest_address, plan, verified
from siiq_core.files import sha256
from siiq_core.params.benchmarks import load_benchmarks

NAME, DAY = "benchmark-leaderboard", "2026-11-21"
ADDRESS = f"https://openrouter.ai/api/v1/datasets/exports/{NAME}/{DAY}.json"
LICENCE = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}


def row(model: str = "nova-lab/nova-1-20260101", provider: str = "Hoster A", accuracy: float | str | None = 0.6, runs: int | None = 1,
        asked: int | None = None, **more: Any) -> dict[str, Any]:
    return {"benchmark": "gpqa_diamond", "model_permaslug": model, "model_slug": model.rsplit("-", 1)[0], "model_name": "Nova One", "provider_name": provider,
            "accuracy": accuracy, "accuracy_std_dev": None, "run_count": runs, "total_questions": 198 * (runs or 0) if asked is None else asked,
            "avg_cost_per_task_usd": 0.01, "avg_duration_per_task_ms": 900, "avg_output_tokens_per_task": 50, **more}


def export(*rows: dict[str, Any], **changes: Any) -> bytes:
    whole = {"dataset": NAME, "title": "t", "description": "d", "schema_version": "v1", "snapshot_date": DAY, "retrieved_at": f"{DAY}T01:45:14.949Z",
             "update_cadence": "daily", "license": LICENCE, "attribution": "a", "harness": {"name": "h", "url": "https://example.org"},
             "source_pages": [], "methodology": "m", "readme_url": "https://example.org",
             "columns": [{"name": column, "type": "string"} for column in row()], "rows": list(rows), **changes}
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


def as_csv(*rows: dict[str, Any], end: str = "\r\n") -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def manifest(**changes: Any) -> bytes:
    whole = {"dataset": NAME, "schema_version": "v1", "snapshot_date": DAY, "retrieved_at": f"{DAY}T01:45:15Z", "row_count": 1, "license": LICENCE,
             "files": {"csv": {"url": ADDRESS.replace(".json", ".csv"), "bytes": 9, "sha256": "cd" * 32},
                       "json": {"url": ADDRESS, "encoding_format": "application/json", "bytes": 9, "sha256": "AB" * 32}}, **changes}
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


@pytest.fixture
def spec(sources):
    return sources["openrouter"]


@pytest.fixture
def read(sources, root: Path):
    """Readings and rows left out of an export."""
    reader, benchmarks = adapter("openrouter", sources), load_benchmarks(root)

    def of(content: bytes):
        return reader.readings(build_snapshot(reader, {NAME: content}, DAY), benchmarks)
    return of


# --- manifest and catalogue ---------------------------------------------------------------------------------------------

def test_the_manifest_names_the_dated_file_and_its_hash(spec) -> None:
    assert plan(manifest(), spec) == Dated(ADDRESS, "ab" * 32, DAY)
    address, digest, _ = plan(manifest(), spec)
    assert address.endswith(f"/{DAY}.json") and digest == "ab" * 32


@pytest.mark.parametrize(("changes", "says"), [
    ({"dataset": "rankings-daily"}, "dataset is not 'benchmark-leaderboard'"),
    ({"schema_version": "v2"}, "schema_version is not 'v1'"),
    ({"schema_version": ...}, "schema_version"),
    ({"license": {"name": "CC BY-NC 4.0", "url": LICENCE["url"]}}, "E2.*CC BY-NC 4.0"),
    ({"license": ...}, "license is no object"),
    ({"snapshot_date": "21 Nov"}, "no ISO day"),
    ({"files": ...}, "files is no object"),
    ({"files": {"csv": {}}}, "files.json is no object"),
    ({"files": {"json": {"url": ADDRESS}}}, "text is missing.*'sha256'"),
    ({"files": {"json": {"url": ADDRESS, "sha256": "xyz"}}}, "no SHA-256"),
    ({"files": {"json": {"href": ADDRESS, "digest": "ab" * 32}}}, "text is missing.*'url'"),  # other names than assumed
    ({"files": [{"url": ADDRESS}]}, "files is no object"),
    ({"files": {"json": {"url": "https://elsewhere.example/x.json", "sha256": "ab" * 32}}}, "another address.*elsewhere"),
    ({"files": {"json": {"url": ADDRESS.replace(DAY, "latest"), "sha256": "ab" * 32}}}, "another address"),
    ({"snapshot_date": "2026-11-22"}, "another address"),  # file and day must agree
])
def test_a_manifest_of_another_form_is_refused_by_name(changes, says, spec) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        plan(manifest(**changes), spec)
    assert refusal.value.file == "manifest.json" and refusal.value.remedy


def test_other_bytes_than_the_manifest_pinned_are_refused(spec) -> None:  # fault kind 22
    content = export(row())
    assert verified(content, Dated(ADDRESS, sha256(content), DAY)) == content
    with pytest.raises(SourceError, match="other bytes than its manifest promised.*2026-11-21.json"):
        verified(content + b" ", Dated(ADDRESS, sha256(content), DAY))


def test_the_catalogue_names_the_newest_manifest(spec) -> None:
    catalogue = {"schema_version": "v1", "datasets": [{"id": "rankings-daily", "latest_manifest_url": "x"},
                                                      {"id": NAME, "latest_manifest_url": "https://openrouter.ai/m.json"}]}
    assert manifest_address(json.dumps(catalogue).encode(), spec) == "https://openrouter.ai/m.json"
    with pytest.raises(SourceError, match="lists no dataset"):
        manifest_address(json.dumps({**catalogue, "datasets": []}).encode(), spec)


# --- the envelope ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("content", "says"), [
    (export(row(), dataset="search-benchmark-lanes"), "dataset is not"),
    (export(row(), schema_version="v2"), "schema_version is not 'v1'.*'v2'"),  # fault kind 5: another definition
    (export(row(), license={"name": "CC BY-NC 4.0", "url": "https://creativecommons.org/licenses/by-nc/4.0/"}), "E2.*not the recorded one"),
    (export(row(), license="CC BY 4.0"), "license is no object"),
    (export(row(), snapshot_date=...), "text is missing.*'snapshot_date'"),
    (export(row(), rows={"a": 1}), "rows is no list"),
    (export(row(), rows=["a"]), "a row is no object.*row 1"),
    (export(row(), columns=...), "columns is no list"),
    (export(row(), columns=[{"title": "x"}]), "text is missing.*'name'"),
    (export(row(accuracy=[0.5])), "list or mapping.*row 1.*'accuracy'"),
    (export({k: v for k, v in row().items() if k != "provider_name"}, columns=[]), "key column is gone .U6a.*'provider_name'"),  # fault kind 6
    (b'{"dataset": "a", "dataset": "b"}', "stands twice.*'dataset'"),
    (b'{"dataset": NaN}', "JSON does not know"),
    (b'{"dataset": ', "no valid JSON"),
    (b'{"a":' * 100_000, "nested too deeply|no valid JSON"),  # fault kind 25
    (b"[]", "the export is no object"),
    (b"\xff{}", "not UTF-8"),
])
def test_an_export_of_another_form_is_refused_by_name(content: bytes, says: str, read) -> None:
    with pytest.raises(SourceError, match=says) as refusal:
        read(content)
    assert refusal.value.file == NAME and refusal.value.remedy


def test_cells_stay_as_they_are_written(sources) -> None:
    content = export(row(accuracy=0.5)).replace(b'"accuracy": 0.5', b'"accuracy": 0.500')
    snapshot = build_snapshot(adapter("openrouter", sources), {NAME: content}, DAY)
    kept = snapshot.observations[0].row
    assert kept["accuracy"] == "0.500" and kept["run_count"] == "1" and kept["accuracy_std_dev"] == ""
    assert "avg_duration_per_task_ms" not in kept  # not kept, so not shipped
    assert snapshot.files[NAME].url == ADDRESS


def test_json_csv_bom_and_line_ends_read_alike(read) -> None:  # fault kind 11
    rows = [row(provider="A", accuracy=0.7), row(provider="B", accuracy=0.5), row(model="echo/echo-2", provider="B", accuracy=0.25)]
    plain = [(r.name, r.score) for r in read(export(*rows))[0]]
    assert plain == [("echo/echo-2", 0.25), ("nova-lab/nova-1-20260101", 0.5)]
    for content in (b"\xef\xbb\xbf" + export(*rows), as_csv(*rows), as_csv(*rows, end="\n"), b"\xef\xbb\xbf" + as_csv(*rows)):
        assert [(r.name, r.score) for r in read(content)[0]] == plain


# --- rows -----------------------------------------------------------------------------------------------------------------

def test_one_reading_a_model_the_others_with_the_reason(read) -> None:  # P3
    used, left = read(export(row(provider="A", accuracy=0.9), row(provider="B", accuracy=0.5), row(provider="C", accuracy=0.6),
                             row(provider="auto-routing", accuracy=0.99), row(provider="D", accuracy=0.95, asked=100)))
    assert [(r.observation.row["provider_name"], r.score, r.se) for r in used] == [("C", 0.6, None)]
    assert sorted((out.rule, out.observation.row["provider_name"]) for out in left) == [("P3", p) for p in ("A", "B", "D", "auto-routing")]


def test_the_developers_own_hosting_by_the_shipped_table(read) -> None:
    used, _ = read(export(row("openai/nova-x", "OpenAI", 0.4), row("openai/nova-x", "Hoster A", 0.9), row("openai/nova-x", "Hoster B", 0.8)))
    assert [r.score for r in used] == [0.4]


def test_other_benchmarks_of_the_file_are_filtered(read) -> None:
    used, left = read(export(row(), row(benchmark="tau_bench_verified_airline")))
    assert len(used) == 1 and [out.rule for out in left] == ["filter"]


def test_versions_are_apart_by_their_permanent_slug(read) -> None:  # fault kind 9
    used, _ = read(export(row("nova-lab/nova-1-20260101"), row("nova-lab/nova-1-20260801", accuracy=0.8), row("nova-lab/nova-1-20260801:free", accuracy=0.7)))
    assert {(r.name, r.score) for r in used} == {
        ("nova-lab/nova-1-20260101", 0.6), ("nova-lab/nova-1-20260801", 0.8), ("nova-lab/nova-1-20260801:free", 0.7)}


def test_a_provider_that_stands_twice_is_one_voice_or_none(read) -> None:  # fault kind 1
    others = [row(provider="B", accuracy=0.1), row(provider="C", accuracy=0.2)]
    used, left = read(export(row(provider="A", accuracy=0.9), row(provider="A", accuracy=0.9), *others))
    assert [r.score for r in used] == [0.2] and [out.rule for out in left].count("duplicate") == 1
    used, left = read(export(row(provider="A", accuracy=0.9), row(provider="A", accuracy=0.8), *others))
    assert [r.score for r in used] == [0.1] and [out.rule for out in left].count("duplicate") == 2  # both set aside
    assert deduplicate(used)[0] == used


def test_nothing_run_is_no_result_and_an_earned_zero_is_one(read) -> None:  # fault kind 4
    used, left = read(export(row("a/x", accuracy=0, runs=0), row("b/y", accuracy=0, runs=2), row("c/z", accuracy=None)))
    assert [(r.name, r.score) for r in used] == [("b/y", 0.0)]
    assert sorted(out.rule for out in left) == ["missing", "missing"]


def test_no_provider_qualifies_no_result(read) -> None:
    used, left = read(export(row(asked=150), row(provider="auto-routing")))
    assert not used and {out.rule for out in left} == {"P3"}


@pytest.mark.parametrize(("cell", "says"), [(61.0, "T2.*61 as a fraction"), (1.02, "T2"), ("0,71", "comma where a decimal point"), ("n. a.", "no finite number")])
def test_a_score_of_another_kind_is_refused_before_the_clip(cell, says, read) -> None:  # fault kinds 2, 8, 11
    with pytest.raises(DataError, match=f"{says}.*benchmark-leaderboard, row 2, column 'accuracy'"):
        read(export(row(), row(provider="B", accuracy=cell)))


@pytest.mark.parametrize(("changes", "says"), [({"total_questions": "many"}, "P3: a count"), ({"total_questions": -5}, "negative"), ({"run_count": "1,5"}, "comma")])
def test_a_count_of_another_kind_is_refused(changes, says, read) -> None:
    with pytest.raises(DataError, match=says):
        read(export(row(**changes) if "run_count" not in changes else {**row(), **changes}))


def test_a_blank_count_says_that_nothing_was_asked(read) -> None:
    used, left = read(export({**row(), "total_questions": None}, {**row(provider="B"), "run_count": None}))
    assert not used and [out.rule for out in left] == ["P3", "P3"]


def test_scatter_between_runs_is_no_standard_error(read) -> None:  # fault kind 3
    used, _ = read(export({**row(), "accuracy_std_dev": 0.034}))
    assert used[0].se is None


def test_remarkable_scores_are_flagged(read) -> None:  # fault kinds 7, 8
    used, _ = read(export(row("a/x", accuracy=0.8901), row("b/y", accuracy=0.8838383838383839), row("c/z", accuracy=0.2)))
    assert {r.name: r.flags for r in used} == {"a/x": ("impossible for n",), "b/y": (), "c/z": ("below chance",)}


def renamed(old: str, new: str) -> bytes:
    rows = [{new if key == old else key: value for key, value in row().items()}]
    return export(*rows, columns=[{"name": column} for column in rows[0]])


@pytest.mark.parametrize("column", ["accuracy", "run_count", "total_questions"])
def test_a_column_that_is_read_is_renamed(column: str, read) -> None:  # fault kind 6
    with pytest.raises(DefinitionChange, match=f"U6b: gpqa-diamond-openrouter.*{column}"):
        read(renamed(column, "mean_" + column))


def test_any_other_column_comes_and_goes(read) -> None:  # U6c
    assert [r.score for r in read(renamed("avg_duration_per_task_ms", "seconds"))[0]] == [0.6]
    shuffled = list(row().items())
    random.Random(1).shuffle(shuffled)
    assert [r.score for r in read(export(dict(shuffled), columns=[]))[0]] == [0.6]


def test_names_are_trimmed_for_matching_and_kept_raw(read) -> None:  # fault kind 10
    used, _ = read(export(row(" nova-lab/Nova 7B\n")))
    assert used[0].name == "nova-lab/Nova 7B" and used[0].observation.row["model_permaslug"] == " nova-lab/Nova 7B\n"


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=HYPERLINK(\"x\")", "../../x", "n" * 10_000, "nova\u202elab/1"])
def test_hostile_names_are_text(name: str, read) -> None:  # fault kind 24
    used, _ = read(export(row(name)))
    assert used[0].name == name


def test_hostile_sizes_are_refused_by_the_bound(sources) -> None:  # fault kind 25
    bounds = sources["openrouter"].common.bounds.model_copy(update={"file_bytes": 2_000, "rows": 10, "columns": 30})
    spec = sources["openrouter"].model_copy(update={"common": sources["openrouter"].common.model_copy(update={"bounds": bounds})})
    reader = adapter("openrouter", {"openrouter": spec})
    with pytest.raises(SourceError, match="bound file_bytes = 2000"):
        reader.parse(NAME, export(*[row()] * 20))
    roomy = reader.spec.model_copy(update={"common": spec.common.model_copy(update={"bounds": bounds.model_copy(update={"file_bytes": 10**7})})})
    reader = adapter("openrouter", {"openrouter": roomy})
    with pytest.raises(SourceError, match="bound rows = 10"):
        reader.parse(NAME, export(*[row()] * 11))
    with pytest.raises(SourceError, match="bound columns = 30"):
        reader.parse(NAME, export({**row(), **{f"c{k}": 1 for k in range(50)}}))


def test_p3_cannot_be_judged_without_rules_or_questions(sources, root: Path) -> None:
    reader = adapter("openrouter", sources)
    snapshot = build_snapshot(reader, {NAME: export(row())}, DAY)
    ours = next(b for b in load_benchmarks(root) if b.source == "openrouter")
    with pytest.raises(ParameterError, match="needs the number of questions"):
        reader.readings(snapshot, [ours.model_copy(update={"n": None, "n_kind": "effective"})])
    bare = adapter("openrouter", {"openrouter": sources["openrouter"].model_copy(update={"providers": None})})
    with pytest.raises(ParameterError, match="no rules for hosting providers"):
        bare.readings(snapshot, [ours])


def test_the_order_of_rows_does_not_matter(read) -> None:
    rows = [row(f"lab/m{k}", f"H{p}", (k * p % 7) / 10) for k in range(1, 5) for p in range(1, 6)]
    plain = read(export(*rows))
    mixed = read(export(*random.Random(5).sample(rows, len(rows))))
    assert [(r.name, r.score, r.observation.row["provider_name"]) for r in plain[0]] == [
        (r.name, r.score, r.observation.row["provider_name"]) for r in mixed[0]]
    assert sorted(out.reason for out in plain[1]) == sorted(out.reason for out in mixed[1])


# --- plausibility: rows of the other interface, one a model over all providers ----------------------------------------------

def test_the_transcribed_rows_read_plausibly(shared_sources: Path, read) -> None:
    path = shared_sources / "openrouter" / "2026-10-03" / "gpqa_diamond_openrouter_benchmarks.transcribed.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [row(r["model_permaslug"], "All", r["accuracy"], max(1, round(int(r["total_tasks"]) / 198)), int(r["total_tasks"])) for r in csv.DictReader(stream)]
    used, left = read(export(*rows))
    assert len(rows) == 155 and len(used) + len(left) == 155
    assert {out.rule for out in left} == {"P3"} and 0 < len(left) < 10  # partly run
    score = {r.name: r.score for r in used}
    assert score["amazon/nova-micro-v1"] == 0.890011  # implausible, and known to be: no matter of reading (the gate's, U3)
    assert score["openai/gpt-4o-mini"] < score["openai/gpt-4.1-mini-2025-04-14"] < score["openai/gpt-5-mini-2025-08-07"]


def test_the_transcribed_envelope_is_the_assumed_one(shared_sources: Path, read) -> None:
    path = shared_sources / "openrouter" / "2026-11-21" / "benchmark-leaderboard.header.json"
    header = json.loads(path.read_text(encoding="utf-8"))
    assert [r.score for r in read(export(row(), **header))[0]] == [0.6]
