"""The evidence store: same files, same bytes; any row order, the same snapshot; damage named; nothing half written."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
from pathlib import Path

import pytest

from siiq_core.errors import DataError, DefinitionChange, ParameterError, SourceError
from siiq_core.evidence.importing import import_command, import_files
from siiq_core.evidence.observations import build_snapshot, evidence_id, load_snapshot, snapshot_sha256, snapshots, write_snapshot
from siiq_core.evidence.sources import adapter

DAY = "2026-09-01"
TABLE = b"Model version,Model name,Release date,Organization,Model accessibility,ECI Score\nnova-1_high,Nova 1,2026-01-02,Novalab,API access,140.5\n"
SCORES = (b"\xef\xbb\xbfModel version,Best score (across scorers),stderr,Started at,id,Notes\r\n"
          b"nova-1_high,0.35700000000000004,0.03,2026-02-20T01:57:10.547Z,r1,\"words,\nwords\"\r\n nova-2 ,0.5,,,r2,\r\n")


@pytest.fixture
def project(tmp_path: Path, root: Path) -> Path:
    """A project with the shipped parameters and an empty store."""
    folder = tmp_path / "project"
    (folder / "params").mkdir(parents=True)
    for name in ("sources.yml", "benchmarks.csv", "models.csv"):
        shutil.copy(root / "params" / name, folder / "params" / name)
    return folder


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / DAY
    folder.mkdir()
    (folder / "epoch_capabilities_index.csv").write_bytes(TABLE)
    (folder / "gpqa_diamond.csv").write_bytes(SCORES)
    (folder / "README.md").write_text("words")
    return folder


def stored(project: Path) -> dict[str, bytes]:
    return {str(p.relative_to(project)): p.read_bytes() for p in sorted((project / "data").rglob("*")) if p.is_file()}


def test_round_trip_keeps_raw_cells_and_facts(project: Path, bundle: Path, sources) -> None:
    made = import_command("epoch", [bundle], None, project)
    assert made.ignored == ("README.md",) and "epoch 2026-09-01: 3 rows of 2 files" in str(made)
    snapshot = load_snapshot("epoch", DAY, project)
    built = build_snapshot(adapter("epoch", sources), {n: (bundle / n).read_bytes() for n in made.snapshot.files}, DAY)
    assert snapshot == built
    row = next(o for o in snapshot.observations if o.row.get("id") == "r1").row
    assert row == {"Model version": "nova-1_high", "Best score (across scorers)": "0.35700000000000004", "stderr": "0.03",
                   "Started at": "2026-02-20T01:57:10.547Z", "id": "r1"}  # raw, and no notes
    assert any(o.row["Model version"] == " nova-2 " for o in snapshot.observations)
    file = snapshot.files["gpqa_diamond.csv"]
    assert (file.size, file.rows, file.columns[-1]) == (len(SCORES), 2, "Notes")
    assert file.url == "https://epoch.ai/data/benchmark_data.zip#gpqa_diamond.csv"
    assert snapshots("epoch", project) == (DAY,) and snapshots("aider", project) == ()


def test_same_files_same_bytes_in_any_order_from_anywhere(project: Path, bundle: Path, tmp_path: Path) -> None:
    paths = [bundle / "gpqa_diamond.csv", bundle / "epoch_capabilities_index.csv"]
    import_files("epoch", paths, DAY, project)
    first = stored(project)
    import_files("epoch", paths[::-1], DAY, project)
    assert stored(project) == first
    for path in (project / "data").rglob("*.*"):
        path.unlink()
    moved = shutil.copytree(bundle, tmp_path / "elsewhere")
    import_command("epoch", [moved], DAY, project)
    assert stored(project) == first
    assert b"\r" not in b"".join(first.values()) and str(tmp_path).encode() not in b"".join(first.values())


def test_shuffled_rows_load_to_the_identical_snapshot(project: Path, bundle: Path) -> None:
    path = import_command("epoch", [bundle], None, project).path
    before = load_snapshot("epoch", DAY, project)
    header, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""))
    random.Random(3).shuffle(rows)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([header, *rows[::-1]])
    assert load_snapshot("epoch", DAY, project) == before


def test_a_snapshot_is_known_by_names_and_bytes_alone() -> None:
    files = {"a.csv": b"1", "b.csv": b"2"}
    known = snapshot_sha256(files)
    assert known == snapshot_sha256(dict(reversed(files.items())))
    assert known != snapshot_sha256({"a.csv": b"2", "b.csv": b"1"})
    assert snapshot_sha256({"ab": b"c"}) != snapshot_sha256({"a": b"bc"})


def test_evidence_is_known_by_what_the_row_says(sources) -> None:
    reader = adapter("epoch", sources)

    def ids(content: bytes, day: str = DAY) -> list[str]:
        return sorted(map(evidence_id, build_snapshot(reader, {"gpqa_diamond.csv": content}, day).observations))

    plain = SCORES.replace(b"\r\n", b"\n")
    lines = plain[3:].replace(b'"words,\nwords"', b"x").splitlines()
    turned = b"\n".join([lines[0], lines[2], lines[1]])
    assert ids(SCORES) == ids(plain) == ids(turned) == ids(SCORES, "2026-09-02")  # not by line, order, day or notes
    assert len(set(ids(SCORES))) == 2 and all(len(i) == 16 for i in ids(SCORES))
    assert ids(SCORES.replace(b"0.5,", b"0.50,")) != ids(SCORES)


def test_the_day_comes_from_the_folder_or_is_asked_for(project: Path, bundle: Path) -> None:
    assert import_command("epoch", [bundle / "epoch_capabilities_index.csv", bundle / "gpqa_diamond.csv"], None, project
                          ).snapshot.day == DAY
    renamed = bundle.rename(bundle.with_name("bundle"))
    with pytest.raises(SourceError, match="day of the snapshot is not known.*give it"):
        import_command("epoch", [renamed], None, project)
    with pytest.raises(SourceError, match="no ISO day.*'1 Sept'"):
        import_command("epoch", [renamed], "1 Sept", project)


def test_another_content_under_a_day_is_refused_and_the_old_one_stays(project: Path, bundle: Path) -> None:
    import_command("epoch", [bundle], None, project)
    before = stored(project)
    (bundle / "gpqa_diamond.csv").write_bytes(SCORES.replace(b"0.5,", b"0.6,"))
    with pytest.raises(SourceError, match="another content stands under this day"):
        import_command("epoch", [bundle], None, project)
    assert stored(project) == before


@pytest.mark.parametrize(("name", "content", "kind", "says"), [
    ("gpqa_diamond.csv", SCORES.replace(b"0.5,", b"50.0,"), DataError, "T2.*row 2.*'50.0'"),
    ("gpqa_diamond.csv", SCORES.replace(b"0.5,", b"\"0,5\","), DataError, "comma where a decimal point"),
    ("gpqa_diamond.csv", SCORES.replace(b"(across scorers)", b"(mean)"), DefinitionChange, "U6b: gpqa-diamond-epoch"),
    ("gpqa_diamond.csv", SCORES.replace(b"Model version", b"Model"), SourceError, "U6a.*'Model version'"),
    ("epoch_capabilities_index.csv", TABLE + TABLE.splitlines()[1].replace(b"Nova 1", b"Nova 2"), SourceError.__base__,
     "one version stands under two groups"),
])
def test_a_refused_import_writes_nothing(name, content, kind, says, project: Path, bundle: Path) -> None:
    (bundle / name).write_bytes(content)
    with pytest.raises(kind, match=says):
        import_command("epoch", [bundle], None, project)
    assert not (project / "data").exists()


def test_what_is_given_is_checked(project: Path, bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no such source.*did you mean 'epoch'"):
        import_command("epohc", [bundle], None, project)
    with pytest.raises(SourceError, match="no file that source openrouter imports.*gpqa_diamond.csv"):
        import_command("openrouter", [bundle / "gpqa_diamond.csv"], None, project)
    with pytest.raises(SourceError, match="no file that source epoch imports.*scicode_external.csv"):
        import_command("epoch", [bundle / "scicode_external.csv"], DAY, project)
    with pytest.raises(SourceError, match="cannot be read.*simpleqa_verified.csv"):
        import_command("epoch", [bundle / "simpleqa_verified.csv"], DAY, project)
    with pytest.raises(SourceError, match="holds no file of source aider"):
        import_command("aider", [bundle], None, project)
    with pytest.raises(SourceError, match="several folders"):
        import_command("epoch", [bundle, tmp_path], None, project)
    with pytest.raises(SourceError, match="given twice"):
        import_command("epoch", [bundle / "gpqa_diamond.csv"] * 2, None, project)
    with pytest.raises(SourceError, match="no table of models"):
        import_command("epoch", [bundle / "gpqa_diamond.csv"], None, project)
    assert not (project / "data").exists()


def damage(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")


@pytest.mark.parametrize(("suffix", "old", "new", "says"), [
    (".csv", "file,line", "file,row", "headers are not"),
    (".csv", "gpqa_diamond.csv,1", "other.csv,1", "file that the sidecar does not.*'other.csv'"),
    (".csv", "gpqa_diamond.csv,1", "gpqa_diamond.csv,one", "no row number.*'one'"),
    (".csv", "gpqa_diamond.csv,1", "gpqa_diamond.csv,2", "fewer rows of gpqa_diamond.csv than the 2"),
    (".csv", '""0.5""', "0.5", "no object of text cells"),
    (".csv", '""}"', '"""', "no JSON"),
    (".csv", '""id"":', '""Grade"":', "header that .* does not have.*'Grade'"),
    (".csv", ',"{', ',x,"{', "has 5 cells"),
    (".json", '"sha256": "', '"sha256": "x', "sha256"),
    (".json", '"rows": 2', '"rows": "two"', "files.1.rows"),
    (".json", '"source": "epoch"', '"source": "aider"', "speaks of aider"),
    (".json", '"size"', '"sizes"', "size"),
    (".json", "{", "[", "JSON"),
])
def test_a_damaged_store_is_refused_by_name(suffix, old, new, says, project: Path, bundle: Path) -> None:
    path = import_command("epoch", [bundle], None, project).path
    damage(path.with_suffix(suffix), old, new)
    with pytest.raises(SourceError, match=says) as refusal:
        load_snapshot("epoch", DAY, project)
    assert refusal.value.file == f"epoch/{DAY}{suffix}" and "version control" in refusal.value.remedy


def test_a_row_lost_or_a_snapshot_missing_is_named(project: Path, bundle: Path) -> None:
    path = import_command("epoch", [bundle], None, project).path
    path.write_text("".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8", newline="")
    with pytest.raises(SourceError, match="fewer rows"):
        load_snapshot("epoch", DAY, project)
    with pytest.raises(SourceError, match="cannot be read.*epoch/2020-01-01.json|file epoch/2020-01-01.json"):
        load_snapshot("epoch", "2020-01-01", project)


def test_the_two_files_are_replaced_as_wholes(project: Path, bundle: Path, sources, monkeypatch: pytest.MonkeyPatch) -> None:
    made = import_command("epoch", [bundle], None, project)
    before = stored(project)
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(Exception, match="No space left"):
        write_snapshot(made.snapshot, project)
    assert stored(project) == before


def test_the_sidecar_says_where_each_file_can_be_had(root: Path) -> None:
    sidecar = json.loads((root / "data/observations/epoch/2025-12-02.json").read_text(encoding="utf-8"))
    file = next(f for f in sidecar["files"] if f["name"] == "gpqa_diamond.csv")
    assert file["copy"] == ("https://raw.githubusercontent.com/LucaDeLeo/aiobituaries/49a5a8b6672d2e7907f9f2943fc7cdd42c8163ee/"
                            "epoch_data/AI%20Trajectory%20Benchmark%20Data/gpqa_diamond.csv")
    pinned = json.loads((root / "data/observations/aider/2025-10-04.json").read_text(encoding="utf-8"))["files"][0]
    assert "cb6a152e5ee27fbc77ac499d5e628ccd74a5fa2a" in pinned["url"] and pinned["copy"] == ""
