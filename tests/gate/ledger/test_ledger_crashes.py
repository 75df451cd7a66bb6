"""Processes that are killed, that write at the same time, or that find the disk full: nothing acknowledged is lost."""

import json

import pytest
from ledger_books import fill

from siiq_core.gate.ledger import Ledger


def test_killed_at_every_call_to_the_system(tmp_path, program):
    """A writer that finds a torn line and adds twelve entries, killed before each of its calls in turn, and in and after each write."""
    killed = program("at", tmp_path)
    points = [json.loads(line) for line in killed.communicate()[0].splitlines()]
    assert killed.returncode == 0 and len(points) >= 100 and [x["killed"] for x in points] == [True] * (len(points) - 1) + [False]
    assert points[-1]["told"] == list(range(2, 14)) and {len(x["told"]) for x in points} == set(range(13))
    for x in points:
        path = tmp_path / f"{x['point']:03d}" / "ledger.jsonl"
        ledger = Ledger.open(path)
        found = [entry.n for entry in ledger.entries()]
        told = [1, *x["told"]]
        assert found[: len(told)] == told and len(found) <= len(told) + 1, x  # at the most one more, whole, not yet told
        with ledger.writing(seconds=0):
            ledger.append("after", "2026-08-01T09:00:00Z", {})
        assert ledger.verify().n == len(found) + 1 and path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("told", [1, 2, 3, 7, 20, 61])
def test_killed_from_outside(told, path, program):
    writer = program("on", path, "writer", 100_000)
    lines = [int(writer.stdout.readline()) for _ in range(told)]
    writer.kill()
    lines += [int(line) for line in writer.communicate()[0].splitlines()]
    ledger = Ledger.open(path)
    found = [entry.n for entry in ledger.entries()]
    assert found[: len(lines)] == lines and len(found) <= len(lines) + 1
    with ledger.writing(seconds=30):
        ledger.append("after", "2026-08-01T09:00:00Z", {})
    assert ledger.verify().n == len(found) + 1


def test_two_writers_and_a_reader(path, program):
    """Every entry of both is there once, the chain is whole, and who reads meanwhile sees a beginning of it."""
    writers = [program("on", path, name, 150) for name in ("one", "two")]
    seen, ledger = [], Ledger.open(path)
    while any(x.poll() is None for x in writers):
        new = list(ledger.entries(after=seen[-1].head)) if seen else list(ledger.entries())
        assert ledger.head.n >= len(seen) + len(new)
        seen += new
    assert [x.wait() for x in writers] == [0, 0] and ledger.verify().n == 300
    whole = list(ledger.entries())
    assert whole[: len(seen)] == seen
    told = [[int(n) for n in x.stdout.read().split()] for x in writers]
    for name, numbers in zip(("one", "two"), told):
        assert [x.n for x in whole if x.kind == name] == numbers and [x.body["n"] for x in whole if x.kind == name] == list(range(150))
    assert sorted(sum(told, [])) == list(range(1, 301)) and not list(path.parent.glob("*.torn-*"))


@pytest.mark.parametrize("more", [0, 1, 150, 1000])
def test_a_full_disk(more, path, program):
    """The system lets the file grow by so many bytes only, and takes a part of the line that goes beyond."""
    before = list(fill(path, 3).entries())
    most = path.stat().st_size + more
    writer = program("full", path, most)
    *told, refusal = writer.communicate()[0].splitlines()
    assert writer.returncode == 0 and "cannot be written to" in refusal and "Remedy: free some space" in refusal
    ledger = Ledger.open(path)
    entries = list(ledger.entries())
    assert entries[:3] == before and [x.n for x in entries[3:]] == [int(x) for x in told]
    assert path.read_bytes().endswith(b"\n") and path.stat().st_size <= most and not list(path.parent.glob("*.torn-*"))
    with ledger.writing():
        ledger.append("entry", "2026-08-02T09:00:00Z", {})
    assert ledger.verify().n == len(entries) + 1
