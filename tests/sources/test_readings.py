"""Rows as readings: units, ranges, missing values, flags, definitions (fault kinds 2–4, 6–8; T2, T4, E1, U6b)."""

from __future__ import annotations

import random

import pytest

from siiq_core.errors import DataError, DefinitionChange
from siiq_core.evidence.effective_n import effective_n
from siiq_core.evidence.observations import build_snapshot
from siiq_core.evidence.sources.base import Adapter


def scores(*cells: str) -> list[dict[str, str]]:
    return [{"Model version": f"nova-{k}", "Score": cell} for k, cell in enumerate(cells, start=1)]


# --- T2, T4 -----------------------------------------------------------------------------------------------------------

def test_percent_read_as_fraction_is_refused_before_the_clip(snap, quiz, reader: Adapter) -> None:  # fault kind 2
    with pytest.raises(DataError, match="T2.*61 as a fraction.*file quiz.csv, row 3, column 'Score', value '61.0'.*scale 0.01"):
        reader.readings(snap(*scores("0.62", "0.58", "61.0")), [quiz()])


@pytest.mark.parametrize("cell", ["85", "1.02", "-0.001", "1.0000001"])  # fault kinds 2 and 8
def test_a_score_outside_0_to_1_is_refused(cell: str, snap, quiz, reader: Adapter) -> None:
    with pytest.raises(DataError, match="outside .0, 1.") as refusal:
        reader.readings(snap(*scores(cell)), [quiz()])
    assert (refusal.value.row, refusal.value.column, refusal.value.value) == (1, "Score", cell)


@pytest.mark.parametrize("cell", ["nan", "inf", "1e999", "0x1", "1_0", "0.7*", "≈0.7", "07:00", "1.2.3"])
def test_no_finite_number_is_refused(cell: str, snap, quiz, reader: Adapter) -> None:
    with pytest.raises(DataError, match="row 1, column 'Score'"):
        reader.readings(snap(*scores(cell)), [quiz()])


@pytest.mark.parametrize(("cell", "score"), [("0", 0.0), ("1", 1.0), ("1.0", 1.0), (".5", 0.5), ("7.5e-1", 0.75), (" 0.25 ", 0.25),
                                             ("0.35700000000000004", 0.357)])
def test_plain_numbers_are_read_at_12_digits(cell: str, score: float, snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*scores(cell)), [quiz()])
    assert used[0].score == score
    assert used[0].observation.row["Score"] == cell  # raw


def test_percent_signs_are_configuration(snap, quiz, spec) -> None:  # T4
    signed = Adapter(spec.model_copy(update={"percent_sign": ("Score",)}))
    bare = Adapter(spec)
    percent = quiz(scale=0.01)
    assert signed.readings(snap(*scores("77.47%"), source=signed), [percent])[0][0].score == 0.7747
    assert bare.readings(snap(*scores("77.47")), [percent])[0][0].score == 0.7747
    with pytest.raises(DataError, match='has a "%" in a column configured without'):
        bare.readings(snap(*scores("77.47%")), [percent])
    with pytest.raises(DataError, match='lacks the "%"'):
        signed.readings(snap(*scores("77.47"), source=signed), [percent])


# --- missing ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("cell", ["", "  ", "N/A", "-"])
def test_a_missing_score_is_no_result(cell: str, snap, quiz, reader: Adapter) -> None:
    used, left = reader.readings(snap(*scores(cell, "0.5")), [quiz()])
    assert [r.score for r in used] == [0.5]
    assert [out.rule for out in left] == ["missing"]


def test_zero_with_nothing_run_is_no_result_and_an_earned_zero_is_one(snap, quiz, reader: Adapter) -> None:  # fault kind 4
    used, left = reader.readings(snap({"Model version": "a", "Score": "0.00", "Runs": "0"},
                                      {"Model version": "b", "Score": "0.00", "Runs": "4"}), [quiz()])
    assert [(r.name, r.score) for r in used] == [("b", 0.0)]
    assert left[0].rule == "missing" and "not zero" in left[0].reason


def test_a_row_without_a_version_is_known_by_its_name_at_the_origin_or_not_at_all(snap, quiz, reader: Adapter) -> None:
    used, left = reader.readings(snap({"Model version": " ", "Score": "0.4", "Name": "Nova 1"},
                                      {"Model version": "", "Score": "0.5", "Name": ""}), [quiz()])
    assert [(r.name, r.origin_name) for r in used] == [("", "Nova 1")]
    assert [out.rule for out in left] == ["I1"]


# --- flags ------------------------------------------------------------------------------------------------------------

def test_above_the_ceiling_and_below_chance_are_legal_and_flagged(snap, quiz, reader: Adapter) -> None:  # fault kind 8
    used, _ = reader.readings(snap(*scores("0.61", "0.2", "0.57", "0.25")), [quiz(g=0.25, c=0.57)])
    assert {r.score: r.flags for r in used} == {0.61: ("above ceiling",), 0.2: ("below chance",), 0.57: (), 0.25: ()}


@pytest.mark.parametrize(("cell", "n", "scale", "flagged"), [
    ("0.2873", 500, 1, True),  # fault kind 7
    ("0.2860", 500, 1, False),
    ("0.287", 500, 1, True),  # 143.5 ± 0.25 holds no whole number
    ("0.29", 500, 1, False),  # 145 ± 2.5 does
    ("35.6", 225, 0.01, False),  # 80.1 ± 0.11
    ("35.4", 225, 0.01, True),
    ("0.8547979797979798", 198, 1, True),
    ("0.8535353535353535", 198, 1, False),
    ("1", 198, 1, False),
])
def test_impossible_for_the_n_is_accepted_and_flagged(cell, n, scale, flagged, snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*scores(cell)), [quiz(n=n, scale=scale)])
    expected = any(round(k / n / scale, len(cell.partition(".")[2])) == float(cell) for k in range(n + 1))
    assert ("impossible for n" in used[0].flags) == (not expected) == flagged


def test_only_a_defined_n_can_be_contradicted(snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*scores("0.2873")), [quiz(n_kind="assumed")])
    assert used[0].flags == ()


# --- standard errors (T3) ---------------------------------------------------------------------------------------------

def with_errors(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"Model version": f"nova-{k}", "Score": s, "stderr": e} for k, (s, e) in enumerate(pairs)]


def test_the_error_has_the_unit_of_its_score(snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*with_errors(("62.0", "4.85"))), [quiz(scale=0.01)])
    assert used[0].se == 0.0485
    assert effective_n(used) == 100


@pytest.mark.parametrize(("score", "error", "scale"), [("62.0", "0.034", 0.01), ("0.62", "3.4", 1)])  # fault kind 3
def test_an_error_in_another_unit_never_enters_the_effective_n(score, error, scale, snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*with_errors((score, error))), [quiz(scale=scale)])
    assert used[0].se is None and "error is in another unit than the score" in used[0].flags
    with pytest.raises(DataError, match="T3"):
        effective_n(used)


def test_zero_errors_and_full_marks_never_enter_the_effective_n(snap, quiz, reader: Adapter) -> None:  # fault kind 3
    rows = with_errors(("1.0", "0"), ("0.9", "0"), ("1.0", "0.1"), ("0.0", "0.1"), ("0.5", "0.05"), ("0.5", "n.a."))
    used, _ = reader.readings(snap(*rows), [quiz()])
    assert [r.se for r in used] == [None, None, None, None, 0.05, None]
    assert "error cell is no number" in used[-1].flags
    assert effective_n(used) == 100


def test_the_effective_n_is_a_rounded_median_of_at_least_1(snap, quiz, reader: Adapter) -> None:
    def n_of(*pairs: tuple[str, str]) -> int:
        return effective_n(reader.readings(snap(*with_errors(*pairs)), [quiz()])[0])

    assert n_of(("0.5", "0.05"), ("0.5", "0.1")) == 62  # 62.5: half to even
    assert n_of(("0.5", "0.05"), ("0.5", "0.1"), ("0.5", "0.25")) == 25
    assert n_of(("0.5", "0.5")) == 1
    assert n_of(("0.5", "0.4")) == 2  # 1.5625


@pytest.mark.parametrize("kind", ["run-to-run", "95% half-width", "percent; not used"])
def test_errors_of_other_kinds_are_not_read(kind: str, snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(*with_errors(("0.5", "0.05"))), [quiz(error_kind=kind)])
    assert used[0].se is None and used[0].flags == ()


# --- which rows -------------------------------------------------------------------------------------------------------

def test_filters_match_after_trimming(snap, quiz, reader: Adapter) -> None:
    rows = [{"Model version": v, "Score": "0.5", "Agent": agent} for v, agent in
            (("a", "Terminus 2"), ("b", " Terminus 2     "), ("c", "Terminus 2.1"), ("d", ""))]
    used, left = reader.readings(snap(*rows), [quiz(filter="Agent=Terminus 2")])
    assert sorted(r.name for r in used) == ["a", "b"]
    assert sorted((out.rule, out.observation.row["Model version"]) for out in left) == [("filter", "c"), ("filter", "d")]


def test_effort_and_run_date_come_from_their_columns(snap, quiz, reader: Adapter) -> None:
    used, _ = reader.readings(snap(
        {"Model version": "a", "Score": "0.5", "Reasoning effort": " high ", "Run date": "2026-02-20T01:57:10.547Z"},
        {"Model version": "b", "Score": "0.5", "Reasoning effort": "", "Run date": "2026-02-20"},
        {"Model version": "c", "Score": "0.5", "Reasoning effort": "", "Run date": "Feb 2026"}), [quiz()])
    assert [(r.setting, r.run_date, r.flags) for r in used] == [
        ("high", "2026-02-20T01:57:10.547Z", ()), ("", "2026-02-20", ()), ("", None, ("run date is no ISO date",))]


def test_a_developers_own_claim_is_never_used(snap, quiz, reader: Adapter) -> None:  # E1
    claims = ["Nova 3 System Card", "Novalab announcement", "https://www.anthropic.com/news/x", "Nova-V3 Technical Report"]
    others = ["Quiz Leaderboard", "https://www.tbench.ai/leaderboard", "https://arx.ai/", ""]
    rows = [{"Model version": f"m{k}", "Score": "0.5", "Source": s} for k, s in enumerate([*claims, *others])]
    used, left = reader.readings(snap(*rows), [quiz()])
    assert {out.observation.row["Source"] for out in left} == set(claims) and {out.rule for out in left} == {"E1"}
    assert {r.observation.row["Source"] for r in used} == set(others)


def test_a_file_not_in_the_snapshot_gives_no_readings(snap, quiz, reader: Adapter) -> None:
    assert reader.readings(snap(*scores("0.5")), [quiz(file="other.csv"), quiz(source="elsewhere")]) == ((), ())


# --- U6b --------------------------------------------------------------------------------------------------------------

def test_a_renamed_score_column_is_a_definition_change_of_that_benchmark_alone(quiz, reader: Adapter) -> None:  # fault kind 6
    snapshot = build_snapshot(reader, {"quiz.csv": b"Model version,Score v2,stderr\na,0.5,0.05\n"}, "2026-09-01")
    with pytest.raises(DefinitionChange, match="U6b: quiz: its score column is gone.*'Score'.*did you mean 'Score v2'") as change:
        reader.readings(snapshot, [quiz()])
    assert change.value.rule == "U6b" and change.value.benchmark == "quiz"
    assert len(reader.readings(snapshot, [quiz(id="other", score_column="stderr", error_column="", error_kind="")])[0]) == 1


def test_a_lost_error_column_changes_nothing_else(snap, quiz, reader: Adapter) -> None:  # U6c
    used, _ = reader.readings(snap(*scores("0.5")), [quiz()])
    assert used[0].se is None and used[0].score == 0.5


def test_a_needed_header_tells_another_benchmark(snap, quiz, reader: Adapter) -> None:
    with pytest.raises(DefinitionChange, match="another benchmark.*'Web Search Acc'"):
        reader.readings(snap(*scores("0.5")), [quiz(filter="header has Web Search Acc")])


# --- C11 --------------------------------------------------------------------------------------------------------------

def test_row_order_changes_nothing_but_line_numbers(snap, quiz, reader: Adapter) -> None:  # fault kind 18
    rows = scores(*(f"0.{k}" for k in range(10, 40)))
    first = reader.readings(snap(*rows), [quiz()])[0]
    random.Random(7).shuffle(rows)
    second = reader.readings(snap(*rows), [quiz()])[0]
    assert [(r.name, r.score, r.flags) for r in first] == [(r.name, r.score, r.flags) for r in second]
