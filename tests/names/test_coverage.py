"""Names of all real sources: what means a model, what does not, and that nothing of the latter is scored (I2, I4)."""

import json

import pytest
from test_names_command import siiq  # noqa: F401

from siiq_core.evidence.coverage import coverage
from siiq_core.evidence.identity import Match
from siiq_core.evidence.shelf import open_shelf
from siiq_core.evidence.sources.base import first
from siiq_core.params.method import load_method


@pytest.fixture(scope="module")
def shelf(root):
    return open_shelf(root, load_method(root))


@pytest.fixture(scope="module")
def found(root, shelf):
    return {x.source: x for x in coverage(shelf, root)}


def test_every_source_with_a_snapshot_is_counted(found):
    assert {key: (x.names, x.matched, x.waiting) for key, x in found.items() if key in ("epoch", "aider", "bfcl")} == {
        "epoch": (469, 455, 10), "aider": (65, 51, 13), "bfcl": (109, 60, 49)}
    assert {"arena", "litellm", "modelsdev"} < set(found) and all(150 < found[key].matched < found[key].names for key in ("arena", "litellm", "modelsdev"))


def test_unmatched_names_come_with_rows_and_a_reason(found):
    for x in found.values():
        assert len(x.unmatched) == x.names - x.matched > 0 and len({u.name for u in x.unmatched}) == len(x.unmatched)
        assert all(u.rows > 0 and u.reason for u in x.unmatched)
        assert [u.rows for u in x.unmatched] == sorted((u.rows for u in x.unmatched), reverse=True)


def test_the_inbox_and_the_coverage_agree(found, shelf):
    for key, reads in shelf.reads.items():
        assert {u.name for u in found[key].unmatched if u.waits} == {w.name for w in reads[-1].selection.waiting}


def test_none_of_them_is_scored(found, shelf, shipped):
    """No published result, of today or of any earlier day, stands on a row whose name means no model."""
    lines = (shipped.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    records = [json.loads(line) for line in lines]
    assert len(records) > 1500 and {x["source"] for x in records} == {"epoch", "aider", "bfcl"}
    unmatched = {(key, u.name) for key, x in found.items() for u in x.unmatched}
    for record in records:
        columns = shelf.sources[record["source"]].columns
        name = first(record["row"], columns.name) or first(record["row"], columns.origin_name)
        assert (record["source"], name) not in unmatched
        match = shelf.index.match(record["source"], name)
        assert isinstance(match, Match) and match.slug == record["model"]


def test_the_command(siiq, project):  # noqa: F811
    done = siiq(project, "names", "coverage")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert done.returncode == 0 and rows[0] == ["source", "names", "matched", "waiting", "out"] and ["bfcl", "109", "60", "49", "0"] in rows
    listed = siiq(project, "names", "coverage", "--unmatched", "--source", "bfcl").stdout.splitlines()
    assert len(listed) == 50 and all(line.startswith("bfcl") for line in listed[1:])
    assert siiq(project, "names", "coverage", "--source", "bflc").returncode == 2
