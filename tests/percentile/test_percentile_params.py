"""params/percentile.yml: what it must say, and what is refused."""

import pytest
import yaml

from siiq_core.errors import ParameterError
from siiq_core.params.loader import validate
from siiq_core.params.percentile import PercentileParams, board_specs, with_percentile_changes
from siiq_core.params.sources import load_sources


@pytest.fixture
def text(root):
    return yaml.safe_load((root / "params" / "percentile.yml").read_text(encoding="utf-8"))


def refused(values):
    with pytest.raises(ParameterError) as error:
        validate(values, PercentileParams, "percentile.yml", {})
    return str(error.value)


def test_weights_and_dimensions_are_those_of_the_rules(params):  # M8, M9
    assert {d.id: d.weight for d in params.dimensions} == {"reasoning": 40, "coding": 25, "agent": 20, "instruction": 15, "preference": 0}
    assert (params.high_families, params.medium_families, params.min_dimensions, params.overlap_factor) == (3, 2, 3, 0.5)


def test_inactive_sources_have_reason_day_and_attribution_and_no_board(params, root):  # M14
    found = {x.id: x for x in params.inactive}
    assert (found["artificial-analysis"].since, found["artificial-analysis"].reason) == ("2026-09-13", "operator") and all(x.attribution for x in found.values())
    specs = board_specs(root, params, load_sources(root))
    assert not set(found) & ({s.source for s in specs.values()} | {b.rating.source for b in params.boards if b.rating})


@pytest.mark.parametrize("weight", [1.5, 0, "0", "3/2", "1/0", "half", True, -1, None])
def test_a_weight_is_an_exact_fraction_above_zero_to_one(text, weight):
    text["boards"][0]["quality_weight"] = weight
    assert "fraction" in refused(text)


def test_weights_that_do_not_add_up_are_refused(text):
    text["dimensions"][0]["weight"] = 41
    assert "100" in refused(text)


def test_a_board_twice_of_no_dimension_or_in_a_family_without_a_reason_is_refused(text):
    assert "twice" in refused({**text, "boards": [*text["boards"], text["boards"][0]]})
    assert "no dimension: hle" in refused({**text, "boards": [{**b, "dimension": "none"} if b["benchmark"] == "hle" else b for b in text["boards"]]})
    assert "arc-agi-2" in refused({**text, "overlaps": []})


def test_the_register_names_boards_only(text):
    text["overlaps"].append({"board": "hle", "kind": "composite", "with": ["nothing"], "reason": "a reason long enough"})
    assert "nothing" in refused(text)


def test_a_board_that_nobody_configured_is_refused(root, params):
    other = params.model_copy(update={"boards": (params.boards[0].model_copy(update={"benchmark": "gpqa-diamond-epok"}),)})
    with pytest.raises(ParameterError, match="gpqa-diamond-epoch"):
        board_specs(root, other, load_sources(root))


@pytest.mark.parametrize(("changes", "said"), [({"min_dimension": 2}, "min_dimensions"), ({"min_dimensions": 5}, "1 to 4"), ({"high_families": True}, "families"), ({"medium_families": 3}, "below")])
def test_changes_are_checked(params, changes, said):
    with pytest.raises(ParameterError, match=said):
        with_percentile_changes(params, changes)
