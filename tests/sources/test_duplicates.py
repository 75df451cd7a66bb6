"""data.md, Duplicates: fault kind 1, and calendar days (kind 12)."""

from __future__ import annotations

import time

import pytest

from siiq_core.evidence.duplicates import deduplicate


def row(score: str, run: str = "", version: str = "nova-1", name: str = "", **more: str) -> dict[str, str]:
    return {"Model version": version, "Score": score, "Run date": run, "Name": name, **more}


@pytest.fixture
def kept(snap, quiz, reader):
    def result(*rows: dict[str, str]):
        used, left = deduplicate(reader.readings(snap(*rows), [quiz()])[0])
        return [r.score for r in used], [out.reason for out in left], {out.rule for out in left}
    return result


def test_the_same_row_twice_is_one_and_counted(kept) -> None:
    assert kept(row("0.71"), row("0.71")) == ([0.71], ["the same row again, counted once"], {"duplicate"})


def test_equal_within_1e_9_is_equal(kept) -> None:
    assert kept(row("0.357"), row("0.35700000000000004"))[0] == [0.357]
    assert len(kept(row("0.357"), row("0.3570000005"))[0]) == 1
    assert kept(row("0.357"), row("0.35700001"))[0] == []


def test_other_scores_without_a_date_are_both_set_aside(kept) -> None:
    scores, reasons, _ = kept(row("0.71"), row("0.41"))
    assert scores == [] and len(reasons) == 2 and all("set aside" in reason for reason in reasons)


def test_one_date_is_not_two(kept) -> None:
    assert kept(row("0.71", "2026-01-02"), row("0.41"))[0] == []


def test_of_two_dated_runs_the_newest_counts(kept) -> None:
    scores, reasons, _ = kept(row("0.71", "2026-01-01"), row("0.41", "2026-01-02"))
    assert scores == [0.41] and "older run" in reasons[0]
    assert kept(row("0.41", "2026-02-18T20:07:57.705Z"), row("0.71", "2026-02-10T22:23:09.876Z"))[0] == [0.41]


def test_times_are_compared_as_moments(kept) -> None:
    assert kept(row("0.71", "2026-01-02T01:00:00+02:00"), row("0.41", "2026-01-01T23:30:00Z"))[0] == [0.41]


def test_runs_of_one_day_cannot_be_told_apart(kept) -> None:
    scores, reasons, _ = kept(row("0.71", "2026-01-01"), row("0.41", "2026-01-01"))
    assert scores == [] and "same run date" in reasons[0]
    assert kept(row("0.71", "2026-01-01"), row("0.41", "2026-01-01T10:00:00Z"))[0] == []
    assert kept(row("0.71", "2026-01-01"), row("0.41", "2026-01-02T00:00:00Z"))[0] == [0.41]


def test_three_runs_the_newest_stands_twice(kept) -> None:
    scores, reasons, _ = kept(row("0.5", "2026-01-01"), row("0.6", "2026-01-03"), row("0.6", "2026-01-03"))
    assert scores == [0.6] and sorted(reasons) == ["an older run of the same setting; the newest counts",
                                                   "the same row again, counted once"]


@pytest.mark.parametrize("other", [
    {"name": "Nova 1 (High)"},  # two origin names under one version are settings (P1)
    {"version": "nova-1_high"},
    {"Reasoning effort": "high"},
])
def test_another_key_is_no_duplicate(other: dict[str, str], kept) -> None:
    assert sorted(kept(row("0.71", name="Nova 1"), row("0.41", **{"name": "Nova 1", **other}))[0]) == [0.41, 0.71]


def test_blanks_around_a_key_do_not_make_another(kept) -> None:
    assert kept(row("0.71", version=" nova-1 "), row("0.71"))[0] == [0.71]


def test_row_order_does_not_decide(kept) -> None:
    rows = [row("0.5", "2026-01-01"), row("0.6", "2026-01-03"), row("0.7", "2026-01-02")]
    assert kept(*rows)[0] == kept(*rows[::-1])[0] == [0.6]


def test_dates_have_no_time_zone(kept, monkeypatch: pytest.MonkeyPatch) -> None:  # fault kind 12
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        assert kept(row("0.71", "2026-03-01"), row("0.41", "2026-03-01T23:59:00Z"))[0] == []
        assert kept(row("0.71", "2026-03-01"), row("0.41", "2026-03-02"))[0] == [0.41]
    finally:
        monkeypatch.undo()
        time.tzset()
