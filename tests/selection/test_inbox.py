"""I4: the inbox of waiting names, written the same whatever the order."""

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st
from naming import reading

from siiq_core.evidence.inbox import inbox_csv, inbox_json, inbox_records, since_first_seen, waiting_names

ROWS = [("Nova X", "no name", reading("Nova X", 0.5, source="aider", line=3)), ("Nova X", "no name", reading("Nova X", 0.4, source="aider", line=1)),
        ("Nova X", "no name", reading("Nova X", 0.4, source="bfcl")), ("Alpha", "no name", reading("Alpha", 0.4, source="bfcl"))]


def test_one_record_per_source_and_name_sorted():
    assert [(r["source"], r["name"], r["rows"]) for r in inbox_records(waiting_names(ROWS))] == [("aider", "Nova X", 2), ("bfcl", "Alpha", 1), ("bfcl", "Nova X", 1)]


def test_a_name_waits_since_the_first_snapshot_that_has_it():
    older = [reading("Nova X", 0.4, source="aider", day="2025-01-24"), reading("Nova X", 0.4, source="bfcl", day="2024-01-01")]
    assert [w.since for w in since_first_seen(waiting_names(ROWS[:2]), older)] == ["2025-01-24"]


@given(st.permutations(ROWS))
def test_same_names_same_bytes(rows):
    assert inbox_json(waiting_names(rows)) == inbox_json(waiting_names(ROWS))
    assert inbox_csv(reversed(waiting_names(rows))) == inbox_csv(waiting_names(ROWS))


def test_it_reads_back():
    rows = list(csv.DictReader(io.StringIO(inbox_csv(waiting_names(ROWS)).decode("utf-8"))))
    assert [row["rows"] for row in rows] == ["2", "1", "1"]
    assert json.loads(inbox_json(waiting_names(ROWS)))[0]["observations"][0]["row"]["Model version"] == "Nova X"
