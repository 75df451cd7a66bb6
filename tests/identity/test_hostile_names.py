"""Faults 9, 10, 24: hostile and mangled names wait and are harmless, in sources and in the model table alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naming import DAY, NAMES, benchmark, files, index, reading, table

from siiq_core.evidence.folding import slug_of
from siiq_core.evidence.identity import Match, Unmatched, build_index, extend_registry
from siiq_core.evidence.inbox import inbox_csv, inbox_json, safe_cell
from siiq_core.evidence.selection import select
from siiq_core.params.names import SLUG

HOSTILE = ["<img src=x onerror=alert(1)>", "=HYPERLINK(\"https://example.org\",\"x\")", "../../x", "n" * 10_000, " (high)" * 2_000, "\u202enova-3",
           "nova\u200f-3", "nova-3\x00", "+1", "-1", "@nova", "\t", "(high)", "_high", ":", "nova-3\u200b", "Nova-3; DROP TABLE models"]
INDEX = index(("nova-3", "Nova 3"), ("nova-3_high", "Nova 3"))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("source", ["epoch", "aider"])
def test_hostile_names_wait(name, source):
    found = INDEX.match(source, name)
    assert isinstance(found, Unmatched) and found.waits


@given(st.text(max_size=400))
def test_any_text_is_answered(name):
    assert isinstance(INDEX.match("aider", name), (Match, Unmatched))


@given(st.lists(st.text(min_size=1, max_size=30), unique_by=lambda s: slug_of(s) or s.strip(), max_size=6))
def test_slugs_of_any_table_are_file_names_and_nothing_else(groups):
    for row in extend_registry((), table(*((f"v{k}", group) for k, group in enumerate(groups))), DAY):
        assert re.fullmatch(SLUG, row.slug) and not re.search(r"[^a-z0-9.-]", row.slug) and row.slug not in (".", "..")


def test_hostile_groups_of_the_table_get_no_slug_and_stop_nobody():
    rows = table(("nova-3", "Nova 3"), ("evil", "n" * 10_000), ("evil-2", ".."), ("n" * 10_000, "Nova 3"))
    registry = extend_registry((), rows, DAY)
    assert [row.slug for row in registry] == ["nova-3"]
    ix = build_index(rows, NAMES, registry)
    assert ix.match("epoch", "nova-3").slug == "nova-3"
    assert ix.match("epoch", "evil").waits


def test_the_inbox_shows_hostile_names_as_text():
    rows = [reading(name, 0.5, source="aider", line=k) for k, name in enumerate(HOSTILE, start=1)]
    found = select(rows, INDEX, [benchmark()], NAMES, "all", files(*rows))
    assert found.results == () and {w.name for w in found.waiting} == {name.strip() for name in HOSTILE}
    for line in inbox_csv(found.waiting).decode("utf-8").splitlines():
        for cell in line.split(","):
            assert cell.strip('"')[:1] not in ("=", "+", "-", "@")
    assert "\u202e" not in inbox_csv(found.waiting).decode("utf-8")
    assert "\u202enova-3" in inbox_json(found.waiting).decode("utf-8")  # the raw row is kept


@pytest.mark.parametrize(("cell", "safe"), [
    ("=1+1", "'=1+1"), (" =1", "' =1"), ("-nova", "'-nova"), ("nova-3", "nova-3"), (7, 7), ("a\u202eb", "a\\u202eb"), ("a\r\nb", "a\\u000d\\u000ab"),
    ("n" * 201, "n" * 200 + "\u2026 (201 characters)"),
])
def test_safe_cells(cell, safe):
    assert safe_cell(cell) == safe
