"""U12: from a published number back to the very row and file: number → evidence → shipped snapshot → row → publisher's file.

Two hundred numbers each of the index and of history's earlier days, drawn by rule: evenly spaced over all, sorted by
source, benchmark and model.
"""

import csv
import hashlib
import io
import json
from urllib.parse import quote

import pytest
import yaml

DRAWN = 200


def drawn(items):
    """`DRAWN` of them, evenly spaced."""
    return [items[k * len(items) // DRAWN] for k in range(DRAWN)]


@pytest.fixture(scope="module")
def published(shipped):
    read = lambda name: json.loads((shipped.folder / name).read_text(encoding="utf-8"))  # noqa: E731
    lines = (shipped.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return {"index": read("index.json"), "history": read("history.json"), "evidence": {x["id"]: x for x in map(json.loads, lines)}}


@pytest.fixture(scope="module")
def numbers(published):
    """(score, model, benchmark, evidence id, published in) of the drawn ones."""
    evidence = published["evidence"]
    order = lambda x: (evidence[x[3]]["source"], x[2], x[1], x[4])  # noqa: E731
    index = [(r["score"], m["slug"], r["benchmark"], r["evidence"], "index.json") for m in published["index"]["models"] for r in m["results"]]
    past = [(c["score"], c["model"], c["benchmark"], c["evidence"], d["day"]) for d in published["history"]["days"] for c in d["changes"]
            if c["evidence"] is not None and not evidence[c["evidence"]]["current"]]
    assert len(index) > 1300 and len(past) > 300
    return [*drawn(sorted(index, key=order)), *drawn(sorted(past, key=order))]


@pytest.fixture(scope="module")
def stored(root):
    """(source, snapshot) → its rows by (file, line), and its sidecar; read with nothing of the project's own code."""
    found = {}
    for path in sorted((root / "data" / "observations").rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            rows = {(r["file"], int(r["line"])): json.loads(r["row"]) for r in csv.DictReader(stream)}
        found[path.parent.name, path.stem] = rows, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def specs(root):
    with (root / "params" / "benchmarks.csv").open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row for row in csv.DictReader(stream)}


def test_the_draw_covers_all_sources_and_many_files(numbers, published):
    assert len(numbers) == 2 * DRAWN
    records = [published["evidence"][x[3]] for x in numbers]
    assert {x["source"] for x in records} == {"epoch", "aider", "bfcl"}
    assert len({x["benchmark"] for x in records}) >= 20 and len({(x["source"], x["snapshot"]) for x in records}) >= 10


def test_number_to_evidence_to_shipped_row(numbers, published, stored, specs):
    for score, model, benchmark, id, _ in numbers:
        record = published["evidence"][id]
        assert (record["model"], record["benchmark"]) == (model, benchmark)
        rows, sidecar = stored[record["source"], record["snapshot"]]
        assert rows[record["file"], record["line"]] == record["row"]
        spec = specs[benchmark]
        assert (spec["source"], spec["file"]) == (record["source"], record["file"])
        cell = record["row"][spec["score_column"]].strip().removesuffix("%")
        assert float(f"{float(cell) * float(spec['scale']):.12g}") == score
        (file,) = [f for f in sidecar["files"] if f["name"] == record["file"]]
        assert (file["url"], file["copy"], file["sha256"]) == (record["url"], record["copy"], record["sha256"])


def test_every_number_has_an_address_that_outlives_its_source(numbers, published):
    """Either the publisher's own address at a commit, or a public copy at one."""
    for *_, id, _ in numbers:
        record = published["evidence"][id]
        lasting = record["copy"] or record["url"]
        assert lasting.startswith("https://raw.githubusercontent.com/") and quote(record["file"]) in lasting
        assert any(len(part) == 40 and set(part) <= set("0123456789abcdef") for part in lasting.split("/"))


def rows_of(path):
    """A publisher's file, read with plain libraries."""
    content = path.read_bytes()
    if path.suffix == ".yml":
        return yaml.load(content, Loader=yaml.BaseLoader)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_number_to_the_publishers_own_file(numbers, published, shared_sources):
    files = {}
    for source in ("epoch", "aider", "bfcl"):
        for path in sorted((shared_sources / source).rglob("*")):
            if path.is_file():
                files.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    read = {}
    for *_, id, _ in numbers:
        record = published["evidence"][id]
        path = files.get(record["sha256"])
        assert path is not None, f"no real file has the SHA-256 of {record['file']} {record['snapshot']}"
        if path not in read:
            read[path] = rows_of(path)
        row = read[path][record["line"] - 1]
        assert {key: row[key] for key in record["row"]} == record["row"], (path.name, record["line"])
