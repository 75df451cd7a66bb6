"""E1, E2, P1, P2: which reading counts and which one score is used, whatever the order."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naming import DAY, NAMES, ROOT, benchmark, decision, files, index, reading

from siiq_core.errors import DataError
from siiq_core.evidence.observations import evidence_id
from siiq_core.evidence.selection import NOT_CHECKED, select

INDEX = index(("nova-3-a_high", "Nova 3", "2025-03-01"), ("nova-3-a_low", "Nova 3", "2025-03-01"), ("nova-3-b_high", "Nova 3", "2025-04-01"),
              ("nova-3-c", "Nova 3"), ("nova-3_pro", "Nova 3"), ("nova-3-promo_promax", "Nova 3"), ("star-1", "Star 1", "2025-01-01", "Examiner Labs,Acme"),
              ("nova-4-pro", "Nova 4 Pro", "2025-06-01"))


def chosen(*readings, specs=(benchmark(),), policy="all", ix=INDEX, names=NAMES):
    return select(readings, ix, specs, names, policy, files(*readings))


def one(*readings, **more):
    (result,) = chosen(*readings, **more).results
    return result


# --- P1 --------------------------------------------------------------------------------------------------------------


def test_the_best_score_over_settings_and_versions():
    result = one(reading("nova-3-a_high", 0.5), reading("nova-3-b_high", 0.7), reading("nova-3-a_low", 0.6))
    assert (result.model, result.score, result.version, result.version_released, result.setting) == ("nova-3", 0.7, "nova-3-b_high", "2025-04-01", "high")


def test_equal_scores_go_to_the_newest_version_unknown_day_is_oldest():
    assert one(reading("nova-3-a_high", 0.5), reading("nova-3-b_high", 0.5), reading("nova-3-c", 0.5)).version == "nova-3-b_high"
    assert one(reading("nova-3-c", 0.5), reading("nova-3-a_high", 0.5)).version == "nova-3-a_high"


def test_then_to_the_setting_by_code_point_then_version_then_evidence():
    assert one(reading("nova-3-a_low", 0.5), reading("nova-3-a_high", 0.5)).setting == "high"
    upper, lower = reading("nova-3-a_high", 0.5, setting="Zeta"), reading("nova-3-a_low", 0.5, setting="alpha")
    assert one(upper, lower).setting == "Zeta"  # code points, not the alphabet
    twins = [reading("nova-3-a_high", 0.5, origin=name) for name in ("one", "two", "three")]
    assert one(*twins).evidence == min(evidence_id(twin.observation) for twin in twins)


def test_a_higher_score_of_an_older_version_still_wins():
    assert one(reading("nova-3-b_high", 0.5), reading("nova-3-a_high", 0.500000000001)).version == "nova-3-a_high"


def test_each_benchmark_and_model_by_itself():
    specs = (benchmark("quiz"), benchmark("maze"))
    found = chosen(reading("nova-3-a_high", 0.5), reading("star-1", 0.4), reading("nova-3-c", 0.3, benchmark="maze"), specs=specs)
    assert [(r.model, r.benchmark) for r in found.results] == [("nova-3", "maze"), ("nova-3", "quiz"), ("star-1", "quiz")]


def test_what_lost_is_listed_with_its_reason():
    found = chosen(reading("nova-3-b_high", 0.7), reading("nova-3-a_high", 0.5), reading("nova-3-c", 0.7))
    assert sorted(out.reason.split(": ")[1] for out in found.left_out) == ["equal score, newer version", "it scored higher"]
    assert {out.rule for out in found.left_out} == {"P1"}


# --- settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "column", "setting", "flagged"), [
    ("nova-3-c", "", "default", False), ("nova-3-a_high", "", "high", False), ("nova-3-a_high", "High", "High", False),
    ("nova-3-a_high", "xhigh", "xhigh", True), ("nova-3-c", "xhigh", "xhigh", False), ("nova-3-a_unknown", "high", "high", False),
])
def test_the_effort_column_comes_before_the_suffix(name, column, setting, flagged):
    result = one(reading(name, 0.5, setting=column))
    assert (result.setting, "effort column and suffix differ" in result.flags) == (setting, flagged)


def test_flags_of_the_reading_stay():
    assert one(replace(reading("nova-3-c", 0.5), flags=("below chance",))).flags == ("below chance",)


# --- E1, E2, I1, P2, I4 ----------------------------------------------------------------------------------------------


def test_an_evaluator_that_builds_models_loses_its_own_only():
    names = NAMES.model_copy(update={"evaluator_owns": {"Examiner": ("Examiner Labs",)}})
    found = chosen(reading("star-1", 0.9), reading("nova-3-c", 0.5), names=names)
    assert [r.model for r in found.results] == ["nova-3"]
    assert [out.rule for out in found.left_out] == ["E1"]
    other = (benchmark(evaluator="Somebody Else"),)
    assert [r.model for r in chosen(reading("star-1", 0.9), names=names, specs=other).results] == ["star-1"]


def test_the_shipped_list_knows_that_berkeley_builds_models():
    ix = index(("bear-1", "Bear 1", "2025-01-01", "NVIDIA,University of California (UC) Berkeley"))
    found = chosen(reading("bear-1", 0.5), ix=ix, specs=(benchmark(evaluator="Gorilla (UC Berkeley)"),))
    assert [out.rule for out in found.left_out] == ["E1"]


def test_the_strict_index_keeps_what_its_own_evaluator_licenses():
    specs = (benchmark("quiz", licence_basis="bundle"), benchmark("maze", licence_basis="evaluator"))
    rows = reading("nova-3-c", 0.5), reading("nova-3-c", 0.5, benchmark="maze")
    assert [r.benchmark for r in chosen(*rows, specs=specs).results] == ["maze", "quiz"]
    strict = chosen(*rows, specs=specs, policy="strict")
    assert [r.benchmark for r in strict.results] == ["maze"] and [out.rule for out in strict.left_out] == ["E2"]


@pytest.mark.parametrize("name", ["nova-3_pro", "nova-3-promo_promax"])
def test_a_tier_inside_a_group_is_another_model(name):
    found = chosen(reading(name, 0.9), reading("nova-3-c", 0.5))
    assert [r.score for r in found.results] == [0.5] and "I1" in {out.rule for out in found.left_out}


def test_a_tier_in_the_effort_column_is_another_model():
    found = chosen(reading("nova-3-c", 0.9, setting="Deep Think"), reading("nova-3-c", 0.8, setting="Pro"), reading("nova-3-c", 0.5, setting="max"))
    assert [(r.score, r.setting) for r in found.results] == [(0.5, "max")]
    assert [out.rule for out in found.left_out] == ["P2", "P2"]
    assert one(reading("nova-4-pro", 0.9, setting="Pro")).model == "nova-4-pro"


def test_a_name_that_matches_nothing_waits_and_is_not_scored():
    found = chosen(reading("nova-9", 0.9), reading("nova-3-c", 0.5))
    assert [r.model for r in found.results] == ["nova-3"] and [w.name for w in found.waiting] == ["nova-9"]


def test_a_name_cannot_mean_a_version_of_a_later_day():
    """An undated name of an old list has moved on since; it waits, unless the source names the version itself or a person decided."""
    ix = index(("nova-chat", "Nova 9", "2026-08-01"))
    early, late = (reading("Nova Chat", 0.5, source="aider", day=day) for day in ("2026-07-31", "2026-08-01"))
    found = chosen(early, ix=ix)
    assert not found.results and "released on 2026-08-01, after this snapshot" in found.waiting[0].reason
    assert one(late, ix=ix).model == "nova-9"
    assert one(reading("nova-chat", 0.5), ix=ix).model == "nova-9"  # the table's own source names versions by their ids
    decided = index(("nova-chat", "Nova 9", "2026-08-01"), decisions=(decision("Nova Chat", "nova-9"),))
    assert one(early, ix=decided).model == "nova-9"


def test_a_row_without_a_version_goes_by_its_name_at_the_origin():
    assert one(reading("", 0.5, origin="Nova 3 (high)")).setting == "high"
    (waits,) = chosen(reading("", 0.5, origin="Mystery (2/26)")).waiting
    assert waits.name == "Mystery (2/26)"


def test_a_benchmark_that_is_not_configured_is_refused():
    with pytest.raises(DataError, match="quiz.csv.*maze"):
        chosen(replace(reading("nova-3-c", 0.5), benchmark="maze"))


# --- evidence, order -------------------------------------------------------------------------------------------------


def test_the_evidence_of_a_result_is_its_raw_row_and_where_it_stands():
    row = reading("nova-3-a_high", 0.5, row={"Model version": "nova-3-a_high ", "Score": "0.50"})
    found = chosen(row)
    (record,) = found.evidence
    assert record == {
        "id": found.results[0].evidence, "model": "nova-3", "benchmark": "quiz", "source": "epoch", "file": "quiz.csv",
        "url": "https://example.org/quiz.csv", "copy": "", "sha256": "ab" * 32, "snapshot": DAY, "observed_at": DAY, "line": 1,
        "row": {"Model version": "nova-3-a_high ", "Score": "0.50"}, "version": "nova-3-a_high", "setting": "high", "checker": dict(NOT_CHECKED),
    }


_ROWS = [reading(name, score, setting=setting, origin=origin, line=k)
         for k, (name, score, setting, origin) in enumerate([
             ("nova-3-a_high", 0.5, "", ""), ("nova-3-a_high", 0.5, "", "twin"), ("nova-3-b_high", 0.5, "low", ""), ("nova-3-c", 0.5, "", ""),
             ("nova-3_pro", 0.9, "", ""), ("nova-9", 0.4, "", ""), ("nova-9", 0.3, "", "again"), ("star-1", 0.2, "", ""), ("", 0.1, "", "Mystery")], start=1)]


@given(st.permutations(_ROWS))
@settings(max_examples=40)
def test_the_order_of_the_readings_does_not_matter(rows):
    assert chosen(*rows) == chosen(*_ROWS)


def test_days_have_no_time_zone():
    # Fault 12: "2025-03-01" read in Los Angeles must stay the first of March.
    code = ("import sys; sys.path.insert(0, 'tests')\n"
            "from naming import *\nfrom siiq_core.evidence.selection import select\n"
            "ix = index(('a', 'Nova 3', '2025-03-01'), ('b', 'Nova 3', '2025-03-02'))\n"
            "rows = [reading('a', 0.5), reading('b', 0.5)]\n"
            "r = select(rows, ix, [benchmark()], NAMES, 'all', files(*rows)).results[0]\nprint(r.version, r.version_released)")
    said = {subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "TZ": zone, "PYTHONHASHSEED": seed}, check=True,
                           capture_output=True, text=True).stdout for zone, seed in (("America/Los_Angeles", "1"), ("Pacific/Kiritimati", "2"))}
    assert said == {"b 2025-03-02\n"}
