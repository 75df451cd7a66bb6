"""Epoch's table of models and its definitions, in both layouts (fault kinds 5 and 10)."""

from __future__ import annotations

import pytest

from siiq_core.errors import DataError, IdentityError, SourceError
from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources import adapter

OLD = "Model version,ECI Score,Release date,Organization,Country,Model accessibility,Model name\n"
NEW = "model_version,model_group,date,display_name,organization,country,accessibility,training_compute_flop\n"
DEFINITIONS = "benchmark,in_eci,source_file,score_column,scale,random_baseline,score_ceiling,release_date,superseded_by\n"


@pytest.fixture
def epoch(sources):
    return adapter("epoch", sources)


def snapshot(epoch, **files: str):
    return build_snapshot(epoch, {f"{name}.csv": text.encode() for name, text in files.items()}, "2026-09-16")


def test_both_layouts_give_the_same_models(epoch) -> None:
    old = snapshot(epoch, epoch_capabilities_index=OLD + 'nova-1_high,140.5,2026-01-02,Novalab,X,API access,"Nova 1\n"\n'
                   "nova-0,,,Novalab,X,Open weights,\n,,2026-01-02,Novalab,X,,\n")
    new = snapshot(epoch, model_metadata=NEW + "nova-1_high,Nova 1 ,2026-01-02,Nova 1 (high),Novalab,X,API access,1e25\n"
                   "nova-0,,,,Novalab,X,Open weights,\n")
    first, second = epoch.model_table(old), epoch.model_table(new)
    assert [(v.version, v.group, v.released, v.developer, v.access) for v in first] == [
        ("nova-0", "", None, "Novalab", "Open weights"), ("nova-1_high", "Nova 1", "2026-01-02", "Novalab", "API access")]
    assert [(v.version, v.group, v.released, v.developer, v.access) for v in second] == [
        (v.version, v.group, v.released, v.developer, v.access) for v in first]
    assert [v.eci for v in first] == [None, 140.5] and [v.eci for v in second] == [None, None]
    assert (epoch.blank_versions(old), epoch.blank_versions(new)) == (1, 0)


def test_the_newer_table_counts_where_both_stand(epoch) -> None:
    both = snapshot(epoch, epoch_capabilities_index=OLD + "a,,,,,,Old\n", model_metadata=NEW + "a,New,,,,,,\n")
    assert [v.group for v in epoch.model_table(both)] == ["New"]


def test_a_day_that_is_none_is_unknown(epoch) -> None:
    table = snapshot(epoch, model_metadata=NEW + "a,A,02/01/2026,,,,,\nb,B,2026-02-30,,,,,\n")
    assert [v.released for v in epoch.model_table(table)] == [None, None]


def test_one_version_in_two_groups_is_refused_and_twice_in_one_is_one(epoch) -> None:
    with pytest.raises(IdentityError, match="two groups.*model_metadata.csv, row 2.*a: A and B"):
        epoch.model_table(snapshot(epoch, model_metadata=NEW + "a,A,,,,,,\na ,B,,,,,,\n"))
    assert len(epoch.model_table(snapshot(epoch, model_metadata=NEW + "a,A,,,,,,\na ,A,,,,,,\n"))) == 1


def test_no_table_of_models_is_refused(epoch) -> None:
    with pytest.raises(SourceError, match="no table of models .U6a"):
        epoch.model_table(snapshot(epoch, gpqa_diamond="Model version,Best score (across scorers)\na,0.5\n"))


def test_definitions_tell_what_superseded_a_benchmark(epoch) -> None:  # fault kind 5
    found = epoch.definitions(snapshot(epoch, benchmark_metadata=DEFINITIONS
                              + "Quiz,True,quiz.csv,Score,0.01,0.25,0.9,2025-01-01,Quiz v2\nOther,False,,,1.0,,,,\n"))
    assert [(d.benchmark, d.scale, d.random_baseline, d.score_ceiling, d.superseded_by) for d in found] == [
        ("Other", 1.0, None, None, ""), ("Quiz", 0.01, 0.25, 0.9, "Quiz v2")]
    with pytest.raises(DataError, match="benchmark_metadata.csv, row 1, column 'scale', value '1,0'"):
        epoch.definitions(snapshot(epoch, benchmark_metadata=DEFINITIONS + 'Quiz,True,quiz.csv,Score,"1,0",0,1,,\n'))
