"""I1–I4, I6: which model a name means, and when it waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naming import DAY, NAMES, decision, index, table

from siiq_core.errors import IdentityError, ParameterError
from siiq_core.evidence.identity import Match, Unmatched, build_index, extend_registry, models, odd_versions


def means(ix, name, source="aider"):
    found = ix.match(source, name)
    return (found.slug, found.setting) if isinstance(found, Match) else None


def why(ix, name, source="aider"):
    found = ix.match(source, name)
    assert isinstance(found, Unmatched)
    return found


# --- I1: groups, versions, product words -----------------------------------------------------------------------------


def test_the_version_id_in_the_table_decides_for_its_own_source():
    ix = index(("nova-3_high", "Nova 3", "2025-03-01"), ("nova-3.5", "Nova 3.5"))
    found = ix.match("epoch", "nova-3_high ")  # trimmed
    assert found == Match("nova-3", "nova-3_high", "2025-03-01", "high", "version id")


def test_a_version_of_an_older_day_folds_onto_the_newest_table():
    assert means(index(("nova-3-2025-03-01_high", "Nova 3")), "nova-3_high", "epoch") == ("nova-3", "high")


def test_a_version_without_a_group_waits_and_so_does_an_unknown_one():
    ix = index(("nova-3", "Nova 3"), ("nova-x", ""))
    assert why(ix, "nova-x", "epoch").waits and why(ix, "nova-x").waits
    assert why(ix, "nova-9", "epoch").waits


def test_a_version_in_two_groups_waits():
    ix = index(("nova-3", "Nova 3"), ("nova-3", "Nova III"))
    assert why(ix, "nova-3", "epoch").waits


@pytest.mark.parametrize(("version", "group", "more", "fewer"), [
    ("nova-vl-7b", "Nova 7B", ("vl",), ()), ("nova-5_promax", "Nova 5", ("pro",), ()), ("nova-1206", "Nova Flash", (), ("flash",)),
    ("nova-deep-think", "Nova", ("deep think",), ()),
])
def test_odd_versions_are_left_out_and_reported(version, group, more, fewer):
    plain = fold_words(group)
    ix = index((plain, group), (version, group))
    assert [(o.version, o.more, o.fewer) for o in ix.odd_versions] == [(version, more, fewer)]
    found = why(ix, version, "epoch")
    assert found.rule == "I1" and not found.waits
    assert means(ix, plain, "epoch") is not None


def fold_words(group):
    return group.lower().replace(" ", "-")


def test_neutral_words_and_settings_make_no_other_product():
    lines = [(f"nova-3{tail}", "Nova 3") for tail in ("-instruct", "-chat", "-base", "-thinking", "-preview", "-exp", "-turbo", "-it", "_high", "_max")]
    assert odd_versions(table(*lines), NAMES) == ()


def test_a_modality_of_all_versions_is_the_groups_a_tier_never():
    assert odd_versions(table(("nova-90b-vision", "Nova 90B"), ("nova-90b-vision-instruct", "Nova 90B")), NAMES) == ()
    assert [o.version for o in odd_versions(table(("nova-pro", "Nova")), NAMES)] == ["nova-pro"]
    assert [o.version for o in odd_versions(table(("nova-vl", "Nova"), ("nova", "Nova")), NAMES)] == ["nova-vl"]


def test_a_left_out_version_is_no_key_of_its_group():
    ix = index(("nova-1206", "Nova Flash"), ("nova-flash-1", "Nova Flash"))
    assert why(ix, "nova-1206").rule == "I1"
    assert means(ix, "Nova Flash") == ("nova-flash", "")


# --- I2: exact, keys, void keys --------------------------------------------------------------------------------------


def test_keys_are_versions_and_groups_as_they_stand_and_stripped():
    ix = index(("chutes/nova-3-2025_high", "Nova Three (beta)"))
    for name in ("chutes/nova-3-2025_high", "nova-3-2025", "NOVA 3 2025 (low)", "nova three (beta)", "chutes-nova-3-2025-high"):
        assert means(ix, name)[0] == "nova-three-beta", name
    for name in ("nova-3", "nova 2025", "nova three", "nova three beta"):
        assert means(ix, name) is None, name


def test_version_tokens_compare_whole():
    ix = index(("nova-4-6", "Nova 4.6"), ("nova-coder-highspeed", "Nova Coder Highspeed"))
    assert means(ix, "nova-4-60") is None
    assert means(ix, "nova-coder:high") is None  # never the highspeed one
    ix = index(("nova-coder", "Nova Coder"), ("nova-coder-highspeed", "Nova Coder Highspeed"))
    assert means(ix, "nova-coder:high") == ("nova-coder", "high")
    assert means(ix, "nova-coder-highspeed") == ("nova-coder-highspeed", "")


def test_a_date_makes_another_model_and_a_missing_one_waits():
    ix = index(("Nova-R1", "Nova-R1"), ("Nova-R1-0528", "Nova-R1 (May 2025)"), ("nova-4.5-preview-2025-02-27", "Nova 4.5"))
    assert means(ix, "Nova R1") == ("nova-r1", "")
    assert means(ix, "Nova-R1 (May 2025)") == ("nova-r1-may-2025", "")
    assert means(ix, "nova-r1-0528") == ("nova-r1-may-2025", "")
    for name in ("Nova R1 (0528)", "nova-4.5-preview", "Nova-R1 (June 2025)"):
        assert why(ix, name).waits, name


def test_mangled_names_are_trimmed_or_wait():
    ix = index(("nova-7b", "Nova 7B"), ("nova-3.5", "Nova 3.5"), ("nova-3.5-plus", "Nova 3.5 Plus"))
    assert means(ix, "Nova 7B\n") == ("nova-7b", "")
    assert means(ix, "Nova 3.5, high") == ("nova-3.5", "high")
    assert why(ix, "Nova3 .5 Plus").waits


def test_a_key_of_two_groups_is_void_and_reported():
    ix = index(("chutes/nova-3", "Nova 3"), ("fireworks/nova-3", "Nova 3 Hosted"))
    assert ix.void_keys == {"nova-3": ("nova-3", "nova-3-hosted")}
    assert why(ix, "nova-3").waits
    assert means(ix, "chutes/nova-3", "epoch") == ("nova-3", "")  # the table itself is sure
    assert means(ix, "Nova 3 Hosted") == ("nova-3-hosted", "")


def test_a_key_of_a_group_and_a_version_without_one_is_void():
    ix = index(("sonata", ""), ("sonata-2", "Sonata"))
    assert "sonata" in ix.void_keys and why(ix, "Sonata").waits


def test_the_version_a_name_points_to_carries_its_day():
    ix = index(("chutes/nova-3-0301", "Nova 3", "2025-03-05"), ("nova-3-0301", "Nova 3", "2025-03-01"),
               ("nova-3-0301_high", "Nova 3", "2025-03-02"), ("nova-4-a_low", "Nova 4", "2025-04-01"), ("nova-4-a_high", "Nova 4", "2025-04-01"))
    find = lambda name: (ix.match("aider", name).version, ix.match("aider", name).released)  # noqa: E731
    assert find("nova-3-0301 (high)") == ("nova-3-0301_high", "2025-03-02")  # same setting first
    assert find("nova-3-0301 (FC)") == ("nova-3-0301", "2025-03-01")  # else the bare one, unprefixed before prefixed
    assert find("nova-4-a (FC)") == (None, "2025-04-01")  # else none, with the day they share
    assert find("Nova 3") == (None, None)  # the group alone: unknown day


# --- I3: a suffix after a hyphen -------------------------------------------------------------------------------------


def test_step_1_a_listed_setting_of_that_model():
    ix = index(("glm-5.2_max", "GLM-5.2"), ("glm-5.2_none", "GLM-5.2"))
    assert means(ix, "glm-5.2-max") == ("glm-5.2", "max")
    assert ix.match("aider", "glm-5.2-max").version == "glm-5.2_max"
    assert means(ix, "glm-5.2-none (FC)") == ("glm-5.2", "none, fc")


def test_step_1_wins_over_step_2():
    ix = index(("glm-5-0801_max", "GLM-5"), ("glm-5-max-2025", "GLM-5-Max"))
    assert means(ix, "glm-5-max") == ("glm-5", "max")


def test_a_void_key_waits_before_any_step():
    ix = index(("glm-5_max", "GLM-5"), ("glm-5-max-2025", "GLM-5-Max"))
    assert why(ix, "glm-5-max").waits  # "glm-5_max" as it stands is the same key


def test_step_2_the_full_name_where_the_setting_is_not_the_models_own():
    ix = index(("nova-5-codex", "Nova-5-Codex"), ("nova-5-codex-max", "Nova-5-Codex-Max"), ("qwen9-max", "Qwen9-Max"))
    assert means(ix, "nova-5-codex-max") == ("nova-5-codex-max", "")
    assert means(ix, "qwen9-max") == ("qwen9-max", "")


def test_step_3_it_waits():
    ix = index(("nova-5", "Nova 5"), ("nova-6_high", "Nova 6"))
    assert why(ix, "nova-5-high").waits  # listed, but no version of Nova 5 carries it
    assert why(ix, "nova-6-low").waits
    assert why(ix, "nova-6-quality").waits


def test_thinking_and_non_thinking_registered_apart_are_never_folded():
    ix = index(("nova-k2", "Nova K2"), ("nova-k2-thinking", "Nova K2 Thinking"), ("nova-k2-0905_thinking", "Nova K2"))
    assert means(ix, "nova-k2-thinking") == ("nova-k2-thinking", "")  # although Nova K2 has that setting too
    assert why(ix, "nova-k2 (thinking)").rule == "I3"
    assert means(ix, "nova-k2 (no thinking)") == ("nova-k2", "no thinking")


def test_a_written_setting_that_could_be_a_tier_registered_apart_waits():
    ix = index(("nova-5-codex", "Nova-5-Codex"), ("nova-5-codex-max", "Nova-5-Codex-Max"))
    assert why(ix, "nova-5-codex (max)").rule == "I3"
    ix = index(("nova-5-a_max", "Nova-5"), ("nova-5-b-max", "Nova-5-Max"))
    assert means(ix, "Nova-5 (max)") == ("nova-5", "max")  # a setting of its own


# --- I4: a person's word ---------------------------------------------------------------------------------------------


def test_a_confirmed_name_matches_at_once_and_keeps_its_setting():
    ix = index(("nova-r1-0528", "Nova R1"), decisions=(decision("Nova R1 (0528) (high)", "nova-r1"),))
    assert means(ix, " Nova R1 (0528) (high)\n") == ("nova-r1", "high")
    assert why(ix, "Nova R1 (0528) (high)", "bfcl").waits  # decided for one source only


def test_a_rejected_name_is_out_at_once_even_where_the_rules_would_match():
    ix = index(("nova-3", "Nova 3"), decisions=(decision("Nova 3", "nova-3", "rejected"),))
    found = why(ix, "Nova 3")
    assert found.rule == "I4" and not found.waits


def test_a_later_decision_replaces_an_earlier():
    lines = (("nova-3", "Nova 3"), ("nova-4", "Nova 4"))
    ix = index(*lines, decisions=(decision("mystery", "nova-3"), decision("mystery", "nova-4")))
    assert means(ix, "mystery") == ("nova-4", "")


def test_a_decision_for_an_unknown_model_is_refused():
    with pytest.raises(ParameterError, match="decisions.csv.*nova-9"):
        index(("nova-3", "Nova 3"), decisions=(decision("mystery", "nova-9"),))


# --- I6: the registry ------------------------------------------------------------------------------------------------


def test_slugs_are_given_once():
    first = extend_registry((), table(("a", "Nova 3")), "2026-01-01")
    second = extend_registry(first, table(("a", "Nova 3"), ("b", "Nova 4")), "2026-02-01")
    assert [(r.slug, r.name, r.first_seen.isoformat()) for r in second] == [("nova-3", "Nova 3", "2026-01-01"), ("nova-4", "Nova 4", "2026-02-01")]
    assert extend_registry(second, table(("b", "Nova 4")), "2026-03-01") == second  # nothing is lost either


def test_a_clash_of_slugs_is_an_error():
    with pytest.raises(IdentityError, match="I6"):
        extend_registry((), table(("a", "Nova 3"), ("b", "Nova/3")), DAY)
    registry = extend_registry((), table(("a", "Nova 3")), DAY)
    with pytest.raises(IdentityError, match="I6"):
        build_index(table(("a", "Nova 3"), ("b", "nova_3")), NAMES, registry)


def test_another_spelling_of_a_group_keeps_its_slug():
    registry = extend_registry((), table(("a", "Nova\u20113")), DAY)
    renamed = table(("nova-3", "Nova-3"))
    assert extend_registry(registry, renamed, DAY) == registry
    assert means(build_index(renamed, NAMES, registry), "nova-3") == ("nova-3", "")


def test_a_group_without_a_slug_waits():
    lines = table(("nova-3", "Nova 3"), ("nova-4", "Nova 4"))
    ix = build_index(lines, NAMES, extend_registry((), lines[:1], DAY))
    assert why(ix, "nova-4", "epoch").rule == "I6" and why(ix, "nova-4").waits


def test_models_date_from_their_earliest_version_that_counts():
    rows = table(("nova-3-b", "Nova 3", "2025-05-01", "Google"), ("nova-3-a", "Nova 3", "2025-03-01", "Google DeepMind,Google"),
                 ("nova-3-pro", "Nova 3", "2024-01-01"), ("nova-3-c", "Nova 3"))
    found = models(rows, extend_registry((), rows, DAY), NAMES)
    assert list(found) == ["nova-3"]
    assert (found["nova-3"].released, found["nova-3"].developer) == ("2025-03-01", "Google DeepMind")


@given(st.permutations(list(table(("nova-3", "Nova 3", "2025-01-01"), ("chutes/nova-3", "Nova 3"), ("nova-3_high", "Nova 3"), ("nova-3-pro", "Nova 3"),
                                  ("nova-4", "Nova 4"), ("chutes/nova-4", "Nova 4 Hosted"), ("nova-5", "")))))
def test_the_order_of_the_table_does_not_matter(rows):
    registry = extend_registry((), rows, DAY)
    ordered = sorted(rows, key=lambda r: r.version)
    assert registry == extend_registry((), ordered, DAY)
    assert build_index(rows, NAMES, registry) == build_index(ordered, NAMES, registry)
