"""The fault feed's kinds 1 to 8, for every adapter, from the publisher's answer to status and readings.

A test names the kind of fault; its table has a line for each adapter, or says why an adapter has none.
"""

from __future__ import annotations

from collections import Counter

import pytest
from bench import changed
from kinds import KINDS, METADATA, PRICED, SCORED, TABLE, table
from world import SOURCES, openrouter_export

from siiq_core.evidence.effective_n import effective_n

# --- 1: duplicate rows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SCORED)
def test_1_the_same_row_twice_is_one_and_counted(source, bench):
    here = bench(source)
    rows = here.kind.copy()
    used, left = here.readings(here.accepted(here.kind.write([*rows, dict(rows[0])])))
    assert len(used) == len(rows) and [out.rule for out in left] == ["duplicate"]


@pytest.mark.parametrize("source", SCORED)
def test_1_the_same_key_with_another_score(source, bench):
    here = bench(source)
    rows, kind = here.kind.copy(), here.kind
    undated = [{**row, kind.date: ""} if kind.date else row for row in rows]
    used, left = here.readings(here.accepted(kind.write([*undated, {**undated[0], kind.score: kind.number(0.41), **({"id": "r9"} if source == "epoch" else {})}])))
    assert len(used) == len(rows) - 1 and Counter(out.rule for out in left)["duplicate"] == 2  # both quarantined
    if kind.date:
        later = {**rows[0], kind.score: kind.number(0.41), kind.date: "2026-03-01"}
        assert 0.41 in [score for _, score in here.scores(here.accepted(kind.write([*rows, later])))]


def test_1_two_origin_names_under_one_version_are_settings(bench):
    here = bench("epoch")
    files = {**here.kind.content(), "hle_external.csv": table([
        {"Model version": "nova-2", "Accuracy": "0.2", "Name": name, "Accuracy Standard Error": "0.01", "id": ""} for name in ("Nova 2", "Nova 2 (deep)")])}
    used, _ = here.readings(here.accepted(files))
    assert {r.origin_name for r in used if r.benchmark == "hle"} == {"Nova 2", "Nova 2 (deep)"}


@pytest.mark.parametrize("source", PRICED)
def test_1_a_name_twice_in_a_table_of_prices_is_refused(source, bench):
    here = bench(source)
    rows = here.kind.copy()
    here.refused(here.kind.write([*rows, dict(rows[0])]), "stands twice", "U6a", column="nova-1")


def test_1_a_rating_twice_is_kept_twice(bench):
    here = bench("arena")
    rows = here.kind.copy()
    assert len(here.rows(here.accepted([*rows, dict(rows[0])]))) == 3


# --- 2, 8: impossible scores, and scores above the ceiling -----------------------------------------------------------------------


@pytest.mark.parametrize(("source", "cell", "says"), [
    ("epoch", "61.0", "T2"), ("epoch", "85", "T2"), ("epoch", "1.02", "T2"), ("epoch", "-0.1", "T2"), ("epoch", "nan", "T4"),
    ("aider", "161.0", "T2"), ("aider", "102", "T2"), ("aider", "60%", "T4"), ("bfcl", "161.00%", "T2"), ("bfcl", "0.60", "T4"), ("bfcl", "102%", "T2"),
    ("openrouter", 61.0, "T2"), ("openrouter", 1.02, "T2"), ("openrouter", "60%", "T4"),
    ("arena", "60%", "T4"), ("arena", "many", "T4"),  # a rating has no range
])
def test_2_8_a_number_of_another_kind_is_refused_before_any_clip(source, cell, says, bench):
    here = bench(source)
    failure = here.refused(changed(here.kind, 2, score=cell), says, says, row=2, column=here.kind.score)
    assert failure.file == here.kind.file and str(cell).rstrip("0").rstrip(".") in failure.what


def test_8_above_the_ceiling_is_accepted_and_flagged(bench):
    here = bench("epoch")
    used, _ = here.readings(here.accepted({**here.kind.content(), "frontiermath.csv": table([{**here.kind.copy()[0], here.kind.score: "0.61"}])}))
    assert [(r.score, r.flags) for r in used if r.benchmark == "frontiermath"] == [(0.61, ("above ceiling",))]


# --- 3: errors in another unit -------------------------------------------------------------------------------------------------


def test_3_an_error_in_another_unit_or_of_zero_never_enters_the_effective_n(bench):
    here = bench("epoch")  # the one publisher whose errors are read; OpenRouter's is scatter between runs, the others have none
    row = {"Model version": "nova-1", "Best score (across scorers)": "0.6", "stderr": "0.034", "id": "1"}
    rows = [row, {**row, "Model version": "nova-2", "stderr": "3.4"}, {**row, "Model version": "nova-3", "Best score (across scorers)": "1.0", "stderr": "0"}]
    used, _ = here.readings(here.accepted({**here.kind.content(), "chess_puzzles.csv": table(rows)}))
    chess = [r for r in used if r.benchmark == "chess-puzzles"]
    assert [r.se for r in chess] == [0.034, None, None] and effective_n(chess) == round(0.24 / 0.034**2)
    there = bench("openrouter", name="other")
    assert [r.se for r in there.readings(there.accepted(changed(there.kind, 1, accuracy_std_dev=0.034)))[0]] == [None, None]


# --- 4: missing written as zero --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "cells"), [
    ("epoch", {"score": ""}), ("epoch", {"score": "N/A"}), ("aider", {"score": "0.0", "test_cases": "0"}), ("aider", {"score": ""}), ("bfcl", {"score": "N/A"}),
    ("bfcl", {"score": ""}), ("openrouter", {"score": 0, "run_count": 0, "total_questions": 0}), ("openrouter", {"score": None})])
def test_4_missing_is_no_result_never_zero(source, cells, bench):
    here = bench(source)
    used, left = here.readings(here.accepted(changed(here.kind, 1, **cells)))
    assert len(used) == 1 and "missing" in {out.rule for out in left} and here.world.state(source).kept_share < 1


def test_4_nothing_run_in_a_file_that_counts_its_runs(bench):
    here = bench("epoch")
    rows = [{"Model version": "nova-1", "Pass@1": "0.00", "Runs": runs, "Reasoning effort": "", "Name": "", "Source": ""} for runs in ("0", "4")]
    used, left = here.readings(here.accepted({**here.kind.content(), "deepswe_external.csv": table(rows)}))
    assert [r.score for r in used if r.benchmark == "deepswe"] == [0.0] and [out.rule for out in left if out.benchmark == "deepswe"] == ["missing"]


def test_4_a_rating_that_is_missing_is_none(bench):
    here = bench("arena")
    assert [row["rating"] for row in here.rows(here.accepted(changed(here.kind, 1, score=None)))] == ["", "1180.5"]


# --- 5, 6: definitions and columns -------------------------------------------------------------------------------------------------


def frozen(here, content, benchmark, says):
    """The content is used, one benchmark of it stands still, and no other."""
    found = here.read(content)
    assert found.outcome == "new", found.what
    assert [x.benchmark for x in found.content.judged.frozen] == [benchmark] and says in found.what
    (entry,) = here.world.status.frozen
    assert (entry.benchmark, entry.rule, entry.since) == (benchmark, "U6b", found.checked_at) and here.world.state(here.source).failure is None


@pytest.mark.parametrize(("cells", "says"), [("Best score (across scorers),1.0,0.25,1.0,2023-11-20,Quiz v2", "successor"), ("mean_score,1.0,0.25,1.0,,", "another column"),
                                             ("Best score (across scorers),0.01,0.25,1.0,,", "scale"), ("Best score (across scorers),1.0,0.2,1.0,,", "random baseline"),
                                             ("Best score (across scorers),1.0,0.25,0.9,,", "score ceiling")])
def test_5_what_the_publisher_defines_otherwise_freezes_that_benchmark_only(cells, says, bench):
    here = bench("epoch")
    files = {**here.kind.content(), "simpleqa_verified.csv": table(here.kind.copy())}
    calm = METADATA + "GPQA,True,gpqa_diamond.csv,Best score (across scorers),1.0,0.25,1.0,2023-11-20,\nSimpleQA,True,simpleqa_verified.csv,,1.0,0.0,1.0,,\n"
    here.accepted({**files, "benchmark_metadata.csv": calm.encode()})
    frozen(here, {**files, "benchmark_metadata.csv": f"{METADATA}GPQA,True,gpqa_diamond.csv,{cells}\n".encode()}, "gpqa-diamond-epoch", says)


def test_5_openrouter_says_another_schema_or_licence(bench):
    here = bench("openrouter")
    rows = here.kind.copy()
    here.refused(openrouter_export(*rows, schema_version="v2"), "schema_version is not 'v1'", "U6a")
    here.refused(openrouter_export(*rows, license={"name": "CC BY-NC 4.0", "url": "https://creativecommons.org/licenses/by-nc/4.0/"}), "not the recorded one", "E2")


@pytest.mark.parametrize("source", SCORED)
def test_6_the_score_column_is_renamed(source, bench):
    here = bench(source)
    rows = [{("mean " + key if key == here.kind.score else key): value for key, value in row.items()} for row in here.kind.copy()]
    frozen(here, here.kind.write(rows), here.kind.benchmark, "score column is gone")


@pytest.mark.parametrize(("source", "says"), [("arena", "no column of ratings"), ("litellm", "states no price"), ("modelsdev", "states no price")])
def test_6_the_number_that_is_read_has_another_name(source, says, bench):
    here = bench(source)
    rows = [{("mean " + key if key == here.kind.score else key): value for key, value in row.items()} for row in here.kind.copy()]
    here.refused(here.kind.write(rows), says, "U6a")


@pytest.mark.parametrize("source", [source for source in SOURCES if KINDS[source].key])
def test_6_a_key_column_is_gone(source, bench):
    here = bench(source)
    rows = [{("new " + key if key == here.kind.key else key): value for key, value in row.items()} for row in here.kind.copy()]
    here.refused(here.kind.write(rows), "key column is gone", "U6a", column=here.kind.key)


def test_6_the_table_of_models_is_gone_or_has_no_groups(bench):
    here = bench("epoch")
    here.refused({"gpqa_diamond.csv": table(here.kind.copy())}, "no table of models", "U6a")
    here.refused({**here.kind.content(), "epoch_capabilities_index.csv": TABLE.replace(b"Model name", b"Group")}, "key column is gone", "U6a", column="Model name")
    here.refused({"elsewhere/gpqa_diamond.csv": b"a,b\n"}, "holds no file of the source", "U6a")


def test_6_a_table_of_prices_without_models_of_a_provider(bench):
    here = bench("modelsdev")
    here.refused(here.kind.content().replace(b'"models"', b'"list"'), "models of 'openai' is no object", "U6a")


@pytest.mark.parametrize("source", SOURCES)
def test_6_any_other_column_comes_goes_and_moves(source, bench):  # U6c
    here = bench(source)
    rows = [dict(reversed([*((k, v) for k, v in row.items() if k != here.kind.other), ("brand new", "x")])) for row in here.kind.copy()]
    before = here.rows(here.snapshot)
    after = here.rows(here.accepted(here.kind.write(rows)))
    strip = lambda found: [{k: v for k, v in row.items() if k != here.kind.other} for row in found]  # noqa: E731
    assert strip(after) == strip(before)
    if here.kind.benchmark:
        assert len(here.scores(here.snapshot)) == 2


# --- 7: impossible for the n -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "cell"), [("epoch", "0.2873"), ("aider", "28.73"), ("openrouter", 0.2873)])  # BFCL's n is assumed
def test_7_a_value_that_is_impossible_for_the_n_is_accepted_and_flagged(source, cell, bench):
    here = bench(source)
    used, _ = here.readings(here.accepted(changed(here.kind, 1, score=cell)))
    assert [r.flags for r in used if r.score == 0.2873] == [("impossible for n",)]
