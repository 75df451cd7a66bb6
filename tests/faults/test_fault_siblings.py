"""Entrance: what the methods beside SI-IQ read. Every benchmark of value and every board of the percentile composite, one kind of cell after the other."""

import importlib
from pathlib import Path

import pytest

from siiq_core.errors import DataError, DefinitionChange, SiiqError
from siiq_core.evidence.sources import adapter
from siiq_core.params.percentile import board_specs, load_percentile
from siiq_core.params.sources import load_sources
from siiq_core.params.value import load_value, value_specs
from siiq_core.records import Observation, Snapshot, SourceFile
from siiq_core.siblings.percentile.reading import read_benchmark

ROOT = Path(__file__).resolve().parents[2]
SOURCES = load_sources(ROOT)
VALUE = value_specs(ROOT, load_value(ROOT), SOURCES)
BOARDS = {b.benchmark: b for b in load_percentile(ROOT).boards if not b.rating}
SPECS = board_specs(ROOT, load_percentile(ROOT), SOURCES)
READ = [*(("value", key) for key in VALUE), *(("percentile", key) for key in BOARDS)]


def read(method, key, cell, columns=None):
    """Readings of a snapshot with one sound row and one with this score cell."""
    spec = (VALUE if method == "value" else SPECS)[key]
    source = SOURCES[spec.source]
    file = source.file(spec.file)
    sign = "%" if spec.score_column in source.percent_sign else ""
    row = {next(c for c in source.columns.name if c in file.keep): "nova-1", **dict([spec.row_filter] if spec.row_filter else []), **({spec.needed_header: "1"} if spec.needed_header else {})}
    rows = [{**row, spec.score_column: f"{0.5 / spec.scale:g}{sign}"}, {**row, next(c for c in source.columns.name if c in file.keep): "nova-2", spec.score_column: cell and cell + sign}]
    seen = tuple(Observation(source.id, "2026-01-01", spec.file, line, f'["nova-{line}"]', x) for line, x in enumerate(rows, start=1))
    facts = SourceFile(spec.file, "https://example.org", "0" * 64, 1, 2, columns or tuple(rows[0]))
    snapshot, reader = Snapshot(source.id, "2026-01-01", "0" * 64, {spec.file: facts}, seen), adapter(spec.source, SOURCES)
    return reader.readings(snapshot, [spec])[0] if method == "value" else read_benchmark(reader, snapshot, BOARDS[key], spec).readings


def scale(method, key):
    return (VALUE if method == "value" else SPECS)[key].scale


@pytest.mark.parametrize(("method", "key"), READ)
def test_a_score_of_another_kind_is_refused_with_its_place(method, key):
    """Kinds 2, 8, 11: a percentage where a fraction belongs (or a hundred times one), above one, a decimal comma, no number."""
    times = 1 / scale(method, key)
    assert [r.score for r in read(method, key, f"{0.25 * times:g}")] == [0.5, 0.25]
    for cell in (f"{85 * times:g}", f"{1.02 * times:g}", f"{-0.1 * times:g}", "0,71", "nan", "\u0660"):
        with pytest.raises(DataError) as refusal:
            read(method, key, cell)
        assert refusal.value.row == 2 and refusal.value.column and refusal.value.file


@pytest.mark.parametrize(("method", "key"), READ)
def test_a_missing_score_is_none_and_never_zero(method, key):
    """Kind 4."""
    assert [r.score for r in read(method, key, "")] == [0.5]


@pytest.mark.parametrize(("method", "key"), READ)
def test_a_score_column_that_is_gone_is_said(method, key):
    """Kind 6."""
    with pytest.raises(DefinitionChange, match="U6b"):
        read(method, key, "0.5", columns=("some", "other"))


@pytest.mark.parametrize("name", ["value", "percentile"])
def test_a_full_disk_leaves_what_was_published(name, root, tmp_path, monkeypatch):
    """Kind 23."""
    stage = importlib.import_module(f"siiq_core.siblings.{name}.run")
    run = getattr(stage, f"prepare_{name}")({}, str(tmp_path), root)
    done = getattr(stage, f"{name}_stage")(run)
    (tmp_path / f"{name}.json").write_bytes(b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(SiiqError, match="No space left"):
        done.save()
    assert (tmp_path / f"{name}.json").read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == [f"{name}.json"]
