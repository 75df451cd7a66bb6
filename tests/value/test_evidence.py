"""Rows of the value method as they are read: settings apart, costs and errors of the right kind, and what is refused."""

import pytest

from siiq_core.errors import DataError, ParameterError
from siiq_core.evidence.identity import Match
from siiq_core.evidence.selection import Candidate
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.loader import validate
from siiq_core.params.sources import load_sources
from siiq_core.params.value import ValueParams, value_specs, with_value_changes
from siiq_core.records import Observation, Price, Reading, Tier
from siiq_core.siblings.value.evidence import ANOTHER_SETTING, UNKNOWN_COST, list_prices, variant_rows

MISSING = ("", "N/A")
SPEC = {"id": "quiz", "name": "Quiz", "source": "nowhere", "file": "quiz.csv", "score_column": "Score", "scale": 0.01, "area": "coding", "family": "quiz", "evaluator": "E",
        "licence_basis": "evaluator", "g": 0, "c": 1, "n": 10, "n_kind": "assumed", "licence": "x", "licence_url": "https://example.org", "address": "https://example.org"}


@pytest.fixture
def read(params):
    """Cells of rows → rows of the value method."""
    def rows(*cells, source=None, spec=None, version=lambda c: c.get("Name", "nova")):
        own = params.sources[0].model_copy(update={"benchmark": "quiz", "family": "quiz", "cost": None, **(source or {})})
        told = params.model_copy(update={"sources": (own,)})
        specs = {"quiz": BenchmarkSpec(**{**SPEC, **(spec or {})})}
        found = []
        for line, cell in enumerate(cells, start=1):
            cell = {k: v for k, v in cell.items()}
            suffix, column = cell.pop("suffix", ""), cell.pop("Effort", "")
            seen = Observation("nowhere", "2026-01-01", "quiz.csv", line, str(line), cell)
            reading = Reading("quiz", version(cell), "", column, float(cell["Score"]) * 0.01, cell.pop("se", None), None, seen)
            found.append(Candidate(reading, Match(cell.get("model", "nova"), version(cell), None, suffix, "version id"), column or suffix or "default", (), f"e{line}"))
        return variant_rows(found, told, specs, MISSING)
    return rows


COST = {"cost": {"column": "Cost", "comparable": True, "tasks": ""}}


def _cost(**more):
    from siiq_core.params.value import Cost
    return {"cost": Cost(**{**COST["cost"], **more})}


def test_every_setting_is_a_variant_and_the_column_wins_with_a_flag(read):
    rows, _ = read({"Score": "10", "suffix": "max", "Effort": "High"}, {"Score": "20", "suffix": "max"}, {"Score": "30"}, {"Score": "40", "suffix": "xhigh", "Effort": "Extra High"},
                   {"Score": "50", "suffix": "unknown"})
    assert {r.setting: r.score for r in rows} == pytest.approx({"high": 0.1, "max": 0.2, "default": 0.3, "xhigh": 0.4, "unknown": 0.5})
    assert {r.setting for r in rows if ANOTHER_SETTING in r.flags} == {"high"}


def test_of_two_versions_at_one_setting_the_higher_score_counts_with_its_own_cost(read):  # P1
    rows, left = read({"Score": "10", "Cost": "1"}, {"Score": "20", "Cost": "5"}, source=_cost())
    assert [(r.score, r.cost, r.evidence) for r in rows] == [(0.2, 5.0, "e2")] and [x.rule for x in left] == ["P1"]


@pytest.mark.parametrize(("cell", "cost", "flag"), [("2.5", 2.5, False), ("0", None, True), ("0.0", None, True), ("", None, False), ("N/A", None, False)])
def test_a_cost_of_zero_says_unknown(read, cell, cost, flag):  # D1
    rows, _ = read({"Score": "10", "Cost": cell}, source=_cost())
    assert rows[0].cost == cost and (UNKNOWN_COST in rows[0].flags) is flag


@pytest.mark.parametrize(("cell", "said"), [("-0.5", "negative"), ("free", "no finite number"), ("1,5", "comma"), ("12%", "%"), ("inf", "no finite number"), ("nan", "no finite number")])
def test_a_cost_that_is_none_is_refused_with_its_place(read, cell, said):
    with pytest.raises(DataError) as refused:
        read({"Score": "10", "Cost": "1"}, {"Score": "10", "Cost": cell}, source=_cost())
    assert said in str(refused.value) and (refused.value.file, refused.value.row, refused.value.column) == ("quiz.csv", 2, "Cost")


@pytest.mark.parametrize(("total", "tasks", "cost"), [("45", "225", 0.2), ("0", "225", None), ("45", "0", None), ("45", "", None)])
def test_a_total_is_divided_by_its_tasks(read, total, tasks, cost):  # D1: Aider
    rows, _ = read({"Score": "10", "Cost": total, "Tasks": tasks}, source=_cost(tasks="Tasks"))
    assert rows[0].cost == cost


def test_only_sampling_errors_count_as_errors(read):  # Q6
    half = {"error_column": "Error", "error_kind": "95% half-width"}
    assert read({"Score": "50", "Error": "9.8"}, spec=half)[0][0].error == pytest.approx(0.05)  # ÷ 1.96, in the score's unit
    assert read({"Score": "50", "Error": "0"}, spec=half)[0][0].error is None
    for kind in ("run-to-run", "implausible, not used", "percent; not used"):
        assert read({"Score": "50", "Error": "9.8"}, spec={**half, "error_kind": kind})[0][0].error is None
    assert read({"Score": "50", "Error": "3", "se": 0.03}, spec={**half, "error_kind": "se"})[0][0].error == 0.03
    with pytest.raises(DataError, match="negative"):
        read({"Score": "50", "Error": "-1"}, spec=half)


def test_an_interval_gives_half_its_width(read):  # Q6
    rows, _ = read({"Score": "50", "Low": "40.2", "High": "59.8"}, source={"interval": ("Low", "High")})
    assert rows[0].error == pytest.approx(0.05)
    assert read({"Score": "50", "Low": "", "High": "60"}, source={"interval": ("Low", "High")})[0][0].error is None


@pytest.mark.parametrize(("low", "high", "said"), [("60", "40", "swapped"), ("51", "60", "beside its own score"), ("10", "49", "beside its own score")])
def test_an_interval_that_cannot_be_is_refused(read, low, high, said):
    with pytest.raises(DataError, match=said) as refused:
        read({"Score": "50", "Low": low, "High": high}, source={"interval": ("Low", "High")})
    assert refused.value.row == 1 and "Low" in refused.value.column


def _price(source, date, amount, *flags, cached=0.1):
    return Price("nova", source, date, None, "", "", ("nova",), (Tier("standard", amount, cached, 2 * amount),), None, None, flags, "", date, "")


def test_which_list_price_speaks_for_a_model():  # D3; fault kind 13
    assert list_prices([_price("litellm", "2026-01-01", 1.0), _price("modelsdev", "2026-02-01", 2.0)])["nova"].input == 2
    assert list_prices([_price("modelsdev", "2026-01-01", 2.0), _price("litellm", "2026-01-01", 1.0)])["nova"].input == 1
    assert list_prices([_price("litellm", "2026-03-01", 1.0, "another_version"), _price("modelsdev", "2026-01-01", 2.0)])["nova"].input == 2
    assert list_prices([_price("litellm", "2026-03-01", 1.0, "differs", "unit_in_doubt"), _price("modelsdev", "2026-01-01", 40.0, "differs", "unit_in_doubt")]) == {}
    assert list_prices([_price("litellm", "2026-03-01", 0.0, "free")]) == {}  # free is no price to estimate a cost from
    assert list_prices([]) == {} and list_prices([_price("litellm", "2026-01-01", 1.0, cached=None)])["nova"].cache_read is None


# --- params/value.yml --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("changes", "said"), [
    ({"min_benchmark": 1}, "did you mean 'min_benchmarks'"), ({"min_benchmarks": 3}, "less than or equal to 2"), ({"min_benchmarks": "2"}, "a number is needed"),
    ({"cheap_floor": 1.5}, "less than or equal to 1"), ({"level": 1}, "bool"), ({"mix_output": 0.2}, "add up to 1"), ({"seed": -1}, "greater than or equal to 0"),
    ({"sources": []}, "unknown parameter"),
])
def test_an_alteration_is_checked(params, changes, said):
    with pytest.raises(ParameterError, match=said):
        with_value_changes(params, changes)


def test_the_shipped_sources(params, root):
    assert params.default_set == ("deepswe", "cursorbench", "terminal-bench-2")  # Q8a
    assert {s.benchmark: s.family for s in params.sources if s.family != s.benchmark} == {"arc-agi-1": "arc-agi", "arc-agi-2": "arc-agi"}
    assert [s.benchmark for s in params.sources if s.cost is None] == ["terminal-bench-2"]
    specs = value_specs(root, params, load_sources(root))
    assert list(specs) == [s.benchmark for s in params.sources] and specs["aider-polyglot"].source == "aider"


def test_a_known_hole_belongs_to_a_version(params):  # Q8
    cursor = next(s for s in params.sources if s.benchmark == "cursorbench")
    assert cursor.hole is None
    assert "OpenAI" in cursor.model_copy(update={"version": "4.0"}).hole.text


@pytest.mark.parametrize(("alter", "said"), [
    (lambda s: {"benchmark": "no-such"}, "no such benchmark"), (lambda s: {"cost": s.cost.model_copy(update={"column": "Mean cost"})}, "did you mean 'Mean cost"),
    (lambda s: {"interval": ("Low", "High")}, "keeps no such column"),
])
def test_a_slip_in_the_sources_is_named(params, root, alter, said):
    first = params.sources[0]
    with pytest.raises(ParameterError, match=said):
        value_specs(root, params.model_copy(update={"sources": (first.model_copy(update=alter(first)),)}), load_sources(root))


@pytest.mark.parametrize(("alter", "said"), [
    (lambda v: v["sources"].append(v["sources"][0]), "stands twice"), (lambda v: v["sources"][1]["definition"].update(id="other"), "another id"),
    (lambda v: v.update(drows=3), "Extra inputs"), (lambda v: v["sources"][0].pop("family"), "Field required"),
])
def test_a_damaged_file_is_refused(params, alter, said):
    values = params.model_dump(mode="json")
    alter(values)
    with pytest.raises(ParameterError, match=said):
        validate(values, ValueParams, "value.yml", {})
