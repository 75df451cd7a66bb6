"""The shipped lists on the shipped data: what I1 throws out, how many names match, who is in the reference group."""

from collections import Counter

import pytest
from naming import DAY, NAMES, ROOT

from siiq_core.errors import ParameterError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.identity import Match, build_index, extend_registry
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.selection import select
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.names import load_decisions, load_registry, registry_bytes
from siiq_core.params.reference_group import ReferenceGroup, check_registered, load_reference_group

GROUP = load_reference_group(ROOT)


@pytest.fixture(scope="module")
def snapshot():
    return {source: load_snapshot(source, snapshots(source, ROOT)[-1], ROOT) for source in ("epoch", "aider", "bfcl")}


@pytest.fixture(scope="module")
def table(snapshot):
    return adapter("epoch").model_table(snapshot["epoch"])


@pytest.fixture(scope="module")
def index(table):
    return build_index(table, NAMES, load_registry(ROOT), load_decisions(ROOT))


@pytest.fixture(scope="module")
def selection(snapshot, index):
    specs = load_benchmarks(ROOT)
    readings = [reading for source, content in snapshot.items() for reading in adapter(source).readings(content, specs)[0]]
    files = {(s.source, s.day, name): file for s in snapshot.values() for name, file in s.files.items()}
    return select(deduplicate(readings)[0], index, specs, NAMES, "all", files)


def test_no_decision_ships():
    assert load_decisions(ROOT) == ()


def test_every_group_of_the_newest_table_has_its_slug(table):
    registry = load_registry(ROOT)
    assert extend_registry(registry, table, DAY) == tuple(sorted(registry, key=lambda row: row.slug))
    assert registry_bytes(registry) == (ROOT / "params" / "models.csv").read_bytes()
    assert registry == extend_registry((), table, DAY)  # given by the rule, none by hand


def test_what_i1_throws_out_was_looked_at(index):
    assert {odd.version: odd.more or odd.fewer for odd in index.odd_versions} == {
        "DeepSeek-V3.2-Speciale": ("speciale",), "Qwen2.5-VL-72B-Instruct": ("vl",), "ada": ("medium",), "code-davinci-002": ("code",),
        "gemini-exp-1206": ("flash",), "gpt-5.6-sol_promax": ("pro",), "gpt-5.6-sol_prounknown": ("pro",), "sonar-pro": ("pro",)}
    assert set(index.void_keys) == {"sonar"}


def test_no_reference_model_loses_a_version(index):
    assert not {odd.group for odd in index.odd_versions} & set(GROUP.members.values())


@pytest.mark.parametrize(("source", "column", "names", "about"), [("aider", "model", 68, 50), ("bfcl", "Model", 109, 60)])
def test_how_many_names_match(snapshot, index, source, column, names, about):
    written = {seen.row[column].strip() for seen in snapshot[source].observations}
    assert len(written) == names
    assert abs(sum(isinstance(index.match(source, name), Match) for name in written) - about) <= 3


def test_models_with_a_result(selection):
    assert 214 <= len({result.model for result in selection.results}) <= 218


def test_what_data_md_says_waits_does_wait(selection):
    waiting = {(w.source, w.name) for w in selection.waiting}
    assert {("aider", "DeepSeek R1 (0528)"), ("aider", "gpt-4.5-preview")} <= waiting


def test_the_reference_group_is_what_the_data_can_hold(selection, index):
    counts = Counter(result.model for result in selection.results)
    assert len(GROUP.members) == 35 and all(counts[slug] >= GROUP.min_results for slug in GROUP.members)
    assert len(GROUP.not_qualified) == 9
    for model in GROUP.not_qualified:
        assert (model.slug in index.models, counts[model.slug]) == (model.reason == "too few", model.results), model.name
    check_registered(GROUP, load_registry(ROOT))


def test_a_member_that_lost_its_registration_is_named():
    registry = tuple(row for row in load_registry(ROOT) if row.slug != "o3")
    with pytest.raises(ParameterError, match="members.o3"):
        check_registered(GROUP, registry)


@pytest.mark.parametrize("change", [
    {"members": {**GROUP.members, "o3-again": "o3"}}, {"min_results": 2}, {"members": {"o3": "o3"}}, {"frozen": "yesterday"},
])
def test_a_group_that_cannot_be_is_refused(change):
    with pytest.raises(ValueError):
        ReferenceGroup.model_validate({**GROUP.model_dump(), **change})
