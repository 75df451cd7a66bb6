"""M6–M10 by hand: weights of families and composites, confidence, coverage, the score and who speaks for a model."""

from fractions import Fraction

import pytest

from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.weights import board_weights, overlap_factors

F = Fraction


def test_in_a_family_the_first_by_quality_then_id_keeps_its_weight(use):  # M6
    params = use({"b": ("coding", {"family": "arena"}), "a": ("coding", {"family": "arena"}), "c": ("coding", {"family": "arena"}), "d": "coding"})
    assert overlap_factors(["b", "c", "a", "d"], params) == {"a": 1, "b": F(1, 2), "c": F(1, 2), "d": 1}
    assert overlap_factors(["c", "b"], params) == {"b": 1, "c": F(1, 2)}  # who stands alone doubles nothing
    better = use({"a": ("coding", {"family": "arena", "quality_weight": "1/2"}), "b": ("coding", {"family": "arena"})})
    assert board_weights(["a", "b"], better) == {"b": 1, "a": F(1, 4)}


def test_a_composite_counts_half_beside_its_parts_only(use):  # M6
    params = use({"mix": "agent", "part": "agent", "else": "agent"}, [{"board": "mix", "kind": "composite", "with": ["part"]}])
    assert overlap_factors(["mix", "part", "else"], params) == {"mix": F(1, 2), "part": 1, "else": 1}
    assert overlap_factors(["mix", "else"], params) == {"mix": 1, "else": 1}


def test_a_further_board_of_a_family_that_is_a_composite_counts_half_once(use):
    params = use({"a": ("agent", {"family": "f"}), "b": ("agent", {"family": "f"})}, [{"board": "b", "kind": "composite", "with": ["a"]}])
    assert overlap_factors(["a", "b"], params)["b"] == F(1, 2)


def boards_with(made, dimensions, extra=None):
    """Boards r1, r2 … of three models each: nova first, then two others."""
    return made.boards({b: {"nova": "3", "orb": "2", "pike": "1"} | (extra or {}).get(b, {}) for b in dimensions})


@pytest.mark.parametrize(("families", "expected"), [(["x", "y", "z"], ("high", 3)), (["x", "y", "y"], ("medium", 2)), (["x", "x", "x"], ("low", 1))])
def test_confidence_counts_families_and_not_boards(use, made, families, expected):  # M7
    own = {f"b{k}": ("coding", {"family": f}) for k, f in enumerate(families)}
    found = configurations(boards_with(made, own), use(own))[0].dimensions["coding"]
    assert (found.confidence, found.families) == expected


def test_without_a_board_a_dimension_is_insufficient_and_never_zero(use, made):
    found = configurations(boards_with(made, ["b"]), use({"b": "coding"}))[0].dimensions["agent"]
    assert (found.score, found.confidence, found.families, found.newest) == (None, "insufficient", 0, None)


def test_coverage_counts_boards_that_have_a_population(use, made):  # M7: configured and active
    own = use({"a": "coding", "b": "coding", "empty": "coding"})
    boards = made.boards({"a": {"nova": "1", "orb": "2"}, "b": {"nova": "1"}, "empty": {}})
    nova, orb = configurations(boards, own)
    assert (nova.dimensions["coding"].coverage, orb.dimensions["coding"].coverage) == (1, F(1, 2))


SIX = {"r1": "reasoning", "r2": "reasoning", "c1": "coding", "c2": "coding", "a1": "agent", "a2": "agent"}


def test_the_score_is_weighted_over_the_dimensions_there_are(use, made):  # M8: (40·A + 25·B + 20·C)/85
    boards = made.boards({"r1": {"nova": "2", "orb": "1"}, "r2": {"nova": "2", "orb": "1"}, "c1": {"nova": "1", "orb": "2"}, "c2": {"nova": "1", "orb": "2"},
                          "a1": {"nova": "1", "orb": "1"}, "a2": {"nova": "1", "orb": "1"}})
    nova = configurations(boards, use(SIX))[0]
    assert [nova.dimensions[d].score for d in ("reasoning", "coding", "agent")] == [75, 25, 50]
    assert nova.score == F(40 * 75 + 25 * 25 + 20 * 50, 85) and nova.counted == ("reasoning", "coding", "agent")


def test_all_four_dimensions_use_the_whole_weight(use, made):
    own = SIX | {"i1": "instruction", "i2": "instruction"}
    nova = configurations(made.boards({b: {"nova": "1", "orb": "0" if b[0] == "r" else "1"} for b in own}), use(own))[0]
    assert nova.score == F(40 * 75 + 60 * 50, 100)


def test_a_dimension_at_low_is_shown_and_counts_for_nothing(use, made):
    own = SIX | {"i1": "instruction"}
    boards = made.boards({b: {"nova": "1"} for b in SIX} | {"i1": {"nova": "9", "orb": "1"}})
    nova = configurations(boards, use(own))[0]
    assert nova.dimensions["instruction"].score == 75 and nova.score == 50 and "instruction" not in nova.counted


def test_two_dimensions_are_too_few(use, made):
    own = {b: d for b, d in SIX.items() if b != "a2"}
    nova = configurations(boards_with(made, own), use(own))[0]
    assert nova.score is None and nova.counted == ("reasoning", "coding") and nova.dimensions["agent"].confidence == "low"


def test_preference_is_never_in_the_score(use, made):  # M9
    plain = configurations(boards_with(made, SIX), use(SIX))
    arenas = {"p1": "preference", "p2": "preference", "p3": "preference"}
    beside = configurations(boards_with(made, [*SIX, *arenas]), use(SIX | arenas))
    assert [c.score for c in plain] == [c.score for c in beside] and beside[0].dimensions["preference"].confidence == "high"
    fewer = {b: d for b, d in SIX.items() if d != "agent"} | arenas
    assert configurations(boards_with(made, fewer), use(fewer))[0].score is None


def test_two_efforts_of_a_model_stay_two(use, made):  # M2
    found = configurations(made.boards({"b": {"nova@low": "1", "nova@high": "2"}}), use({"b": "coding"}))
    assert [(c.id, c.percentiles["b"]) for c in found] == [("nova@high", 75), ("nova@low", 25)]


def main_of(found):
    own = [c.id for c in found if c.main]
    assert len(own) == len({c.model for c in found})
    return own


def test_the_default_configuration_speaks_for_its_model_even_if_another_is_better(use, made):  # M10
    boards = made.boards({b: {"nova@high": "2"} for b in SIX} | {"x": {"nova": "1"}})
    assert main_of(configurations(boards, use(SIX | {"x": "coding"}))) == ["nova@default"]


def test_without_a_default_the_best_score_then_coverage_then_id(use, made):
    score = made.boards({b: {"nova@low": "1", "nova@high": "2"} for b in SIX})
    assert main_of(configurations(score, use(SIX))) == ["nova@high"]
    covered = made.boards({"r1": {"nova@low": "1", "nova@high": "2"}, "c1": {"nova@low": "1"}})
    assert main_of(configurations(covered, use(SIX))) == ["nova@low"]
    alike = made.boards({"r1": {"nova@low": "1", "nova@high": "2"}})
    assert main_of(configurations(alike, use(SIX))) == ["nova@high"]


def test_who_is_on_a_board_without_a_known_name_is_in_its_population(use, made):  # M3
    nova = configurations(made.boards({"b": {"nova": "5"}}, others={"b": ["1", "2", "9"]}), use({"b": "coding"}))[0]
    assert nova.percentiles["b"] == F(100 * 5, 8)


def test_less_is_better_on_a_whole_board(use, made):
    found = configurations(made.boards({"b": {"nova": "1", "orb": "2"}}), use({"b": ("coding", {"direction": "lower"})}))
    assert [c.percentiles["b"] for c in found] == [75, 25]


def test_the_order_of_the_boards_is_of_no_matter(use, made):
    there = configurations(boards_with(made, SIX, {"r1": {"orb": "9"}}), use(SIX))
    back = configurations(dict(reversed(boards_with(made, SIX, {"r1": {"orb": "9"}}).items())), use(dict(reversed(SIX.items()))))
    assert [(c.id, c.score) for c in there] == [(c.id, c.score) for c in back]
