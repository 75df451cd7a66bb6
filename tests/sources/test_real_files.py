"""The publishers' real files against the shipped store. Skips where the folder of sources is missing."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from siiq_core.errors import DefinitionChange
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.effective_n import effective_n
from siiq_core.evidence.importing import import_command, read_files
from siiq_core.evidence.observations import build_snapshot, load_snapshot, snapshots
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.sources import load_sources
from siiq_core.records import Snapshot

ROOT = Path(__file__).resolve().parents[2]
SOURCES = load_sources(ROOT)
BENCHMARKS = {b.id: b for b in load_benchmarks(ROOT)}
SHIPPED = {  # rows kept of each snapshot
    ("epoch", "2025-12-02"): 1268, ("epoch", "2026-01-17"): 1403, ("epoch", "2026-01-20"): 1403, ("epoch", "2026-01-22"): 1403,
    ("epoch", "2026-03-12"): 1666, ("epoch", "2026-04-11"): 1966, ("epoch", "2026-04-19"): 1984, ("epoch", "2026-07-17"): 2628,
    ("epoch", "2026-07-31"): 2824, ("aider", "2024-12-21"): 6, ("aider", "2025-01-24"): 17, ("aider", "2025-03-17"): 30,
    ("aider", "2025-04-19"): 46, ("aider", "2025-07-11"): 62, ("aider", "2025-10-04"): 69, ("bfcl", "2025-08-28"): 118,
    ("bfcl", "2025-11-03"): 111, ("bfcl", "2025-12-16"): 109,
}


@pytest.fixture(scope="module")
def newest() -> dict[str, Snapshot]:
    """The newest shipped snapshot of each source, from the store."""
    return {source: load_snapshot(source, snapshots(source, ROOT)[-1], ROOT) for source in ("epoch", "aider", "bfcl")}


def readings(snapshot: Snapshot, benchmark: str):
    return adapter(snapshot.source, SOURCES).readings(snapshot, [BENCHMARKS[benchmark]])


# --- the store against the files --------------------------------------------------------------------------------------

def test_importing_every_file_again_gives_the_shipped_bytes(shared_sources: Path, tmp_path: Path) -> None:
    (tmp_path / "params").symlink_to(ROOT / "params")
    for source, day in SHIPPED:
        made = import_command(source, [shared_sources / source / day], None, tmp_path)
        for suffix in (".csv", ".json"):
            shipped = ROOT / "data" / "observations" / source / f"{day}{suffix}"
            assert made.path.with_suffix(suffix).read_bytes() == shipped.read_bytes(), f"{source} {day}"


def test_the_sidecars_hash_what_provenance_says(shared_sources: Path) -> None:
    text = (shared_sources / "PROVENANCE.md").read_text(encoding="utf-8")
    stated = {path: digest for digest, path in re.findall(
        r"^([0-9a-f]{64})\s+\d+\s+((?:epoch|aider|bfcl)/\d{4}-\d\d-\d\d/\S+)", text, re.M)}
    for source, day in SHIPPED:
        for name, file in load_snapshot(source, day, ROOT).files.items():
            assert file.sha256 == stated[f"{source}/{day}/{name}"]


@pytest.mark.parametrize("day", ["2025-04-30", "2025-06-14"])
def test_the_older_bfcl_files_are_another_benchmark(day: str, shared_sources: Path, tmp_path: Path) -> None:  # U6b
    (tmp_path / "params").symlink_to(ROOT / "params")
    with pytest.raises(DefinitionChange, match="U6b: bfcl: the file is another benchmark.*data_overall.csv.*'Web Search Acc'"):
        import_command("bfcl", [shared_sources / "bfcl" / day / "data_overall.csv"], None, tmp_path)
    assert not (tmp_path / "data").exists()


def test_the_transcribed_samples_of_the_newer_layout_are_read(shared_sources: Path) -> None:
    folder = shared_sources / "epoch" / "metadata_layout_2026-09"
    epoch = adapter("epoch", SOURCES)
    files = {"model_metadata.csv": (folder / "model_metadata.sample5.transcribed.csv").read_bytes(),
             "benchmark_metadata.csv": (folder / "benchmark_metadata.sample6.transcribed.csv").read_bytes()}
    snapshot = build_snapshot(epoch, files, "2026-09-16")
    groups = {v.version: (v.group, v.released) for v in epoch.model_table(snapshot)}
    assert groups["chutes/DeepSeek-R1-0528"] == ("DeepSeek-R1 (May 2025)", "2025-05-28") and len(groups) == 5
    found = {d.source_file: d for d in epoch.definitions(snapshot)}
    assert found["gpqa_diamond.csv"].random_baseline == BENCHMARKS["gpqa-diamond-epoch"].g
    assert found["frontiermath.csv"].score_ceiling == BENCHMARKS["frontiermath"].c
    assert found["frontiermath.csv"].superseded_by == "FrontierMath-Tiers-1-3-v2-Private"
    assert found["aider_polyglot_external.csv"].scale == 0.01


def test_every_epoch_bundle_is_within_the_bounds(shared_sources: Path) -> None:
    spec = SOURCES["epoch"]
    for source, day in SHIPPED:
        if source == "epoch":
            paths = [p for p in (shared_sources / source / day).iterdir() if p.name in spec.files]
            assert max(map(len, read_files(paths, spec).values())) * 10 < spec.common.bounds.file_bytes


# --- what the shipped store says --------------------------------------------------------------------------------------

def test_rows_of_each_snapshot_and_size_of_all() -> None:
    assert {(s, d): len(load_snapshot(s, d, ROOT).observations) for s, d in SHIPPED} == SHIPPED
    assert sum(p.stat().st_size for p in (ROOT / "data" / "observations").rglob("*.*")) < 8_000_000


def test_every_snapshot_can_be_read_on_every_benchmark() -> None:
    for source, day in SHIPPED:
        used, left = adapter(source, SOURCES).readings(load_snapshot(source, day, ROOT), BENCHMARKS.values())
        assert used and all(0 <= r.score <= 1 for r in used)
        assert not [out for out in left if out.rule not in ("filter", "I1", "missing", "E1")]


def test_no_prose_is_kept(newest: dict[str, Snapshot]) -> None:
    for snapshot in newest.values():
        kept = {column for o in snapshot.observations for column in o.row}
        assert not kept & {"Notes", "Description", "Training compute notes", "Logs", "Log viewer", "Country", "License", "command"}
        assert max(len(cell) for o in snapshot.observations for cell in o.row.values()) < 200


def test_terminus_rows_33_exact_53_trimmed(newest: dict[str, Snapshot]) -> None:
    agents = [o.row["Agent"] for o in newest["epoch"].observations if o.file == "terminalbench_external.csv"]
    assert (agents.count("Terminus 2"), sum(a.strip() == "Terminus 2" for a in agents)) == (33, 53)
    used, left = readings(newest["epoch"], "terminal-bench-2")
    assert len(used) + sum(out.rule == "I1" for out in left) == 53


def test_the_table_of_models_has_its_known_gaps(newest: dict[str, Snapshot]) -> None:
    epoch = adapter("epoch", SOURCES)
    table = epoch.model_table(newest["epoch"])
    assert (len(table), sum(not v.group for v in table), sum(v.released is None for v in table)) == (768, 100, 25)
    assert all(v.group == v.group.strip() and "\n" not in v.group for v in table)
    assert any("\n" in o.row["Model name"] for o in load_snapshot("epoch", "2026-03-12", ROOT).observations
               if o.file == "epoch_capabilities_index.csv")


@pytest.mark.parametrize(("benchmark", "n"), [("proofbench", 100), ("chess-puzzles", 99), ("mystery-game-puzzles", 99),
                                              ("balrog", 545)])
def test_effective_n_of_the_shipped_data(benchmark: str, n: int, newest: dict[str, Snapshot]) -> None:  # T3
    assert BENCHMARKS[benchmark].n_kind == "effective"
    assert effective_n(readings(newest["epoch"], benchmark)[0]) == n


def test_a_half_width_read_as_a_standard_error_would_give_another_n(newest: dict[str, Snapshot]) -> None:
    wrong = BENCHMARKS["hle"].model_copy(update={"error_kind": "se"})
    used, _ = adapter("epoch", SOURCES).readings(newest["epoch"], [wrong])
    assert effective_n(used) < 2500 / 3  # 1.96² too few: the column is a 95 % half-width


def test_duplicates_of_the_newest_bundle(newest: dict[str, Snapshot]) -> None:
    found = {}
    for benchmark, spec in BENCHMARKS.items():
        if spec.source == "epoch":
            _, left = deduplicate(readings(newest["epoch"], benchmark)[0])
            if left:
                found[benchmark] = Counter(out.reason.split(":")[0].split(";")[0] for out in left)
    assert found == {
        "arc-agi-2": {"the same row again, counted once": 1},
        "swe-bench-verified": {"an older run of the same setting": 2},
        "weirdml": {"same key, other score, no run date": 2},
        "terminal-bench-2": {"the same row again, counted once": 1},
        "balrog": {"an older run of the same setting": 1},
    }


def test_the_developers_own_claim_in_terminal_bench_is_out() -> None:  # E1
    snapshot = load_snapshot("epoch", "2025-12-02", ROOT)
    anything = BENCHMARKS["terminal-bench-2"].model_copy(update={"filter": ""})
    _, left = adapter("epoch", SOURCES).readings(snapshot, [anything])
    assert [out.observation.row["Source"] for out in left if out.rule == "E1"] == ["Anthropic announcement"]


def test_metr_reads_one_task_suite_only(newest: dict[str, Snapshot]) -> None:
    used, left = readings(newest["epoch"], "metr")
    assert (len(used), len(left)) == (17, 33)
    assert readings(load_snapshot("epoch", "2026-03-12", ROOT), "metr")[0] == ()  # no column yet: the older suite throughout


def test_aider_rows_and_the_pairs_left_out(newest: dict[str, Snapshot]) -> None:
    used, left = readings(newest["aider"], "aider-polyglot")
    assert len(used) == 66 and len({r.name for r in used}) == 65
    assert sorted(out.observation.row["model"] for out in left) == [
        "DeepSeek R1 + claude-3-5-sonnet-20241022", "QwQ-32B + Qwen 2.5 Coder Instruct", "o3 (high) + gpt-4.1"]
    kept, _ = deduplicate(used)
    assert [r.score for r in kept if r.name == "Qwen2.5-Coder-32B-Instruct"] == [0.164]  # the newer run
    assert next(r.score for r in used if r.name == "gpt-5 (high)") == 0.88


def test_bfcl_percent_strings(newest: dict[str, Snapshot]) -> None:
    used, left = readings(newest["bfcl"], "bfcl")
    assert len(used) == 109 and not left
    assert next(r.score for r in used if r.name == "Claude-Opus-4-5-20251101 (FC)") == 0.7747


def test_three_bundles_of_january_hold_the_same_scores() -> None:
    one, two, three = (
        {(r.benchmark, r.observation.key, r.score)
         for r in adapter("epoch", SOURCES).readings(load_snapshot("epoch", day, ROOT), BENCHMARKS.values())[0]}
        for day in ("2026-01-17", "2026-01-20", "2026-01-22"))
    assert one == two == three
