"""I2: the folded form, step by step in data.md's order; product words (I1); slugs (I6)."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naming import NAMES

from siiq_core.evidence.folding import MAX_SLUG, as_it_stands, fold, hyphen_suffixes, product_words, slug_of
from siiq_core.params.names import SLUG


@pytest.mark.parametrize(("written", "folded", "settings"), [
    ("Nova\u20113", "nova-3", ()),  # non-breaking hyphen
    ("Nova \u2013 3", "nova-3", ()),  # en dash; a run of blanks and dashes is one
    ("Nova \u2212 3", "nova-3", ()),  # minus
    ("\uff2e\uff4f\uff56\uff41 3", "nova-3", ()),  # full-width letters (NFKC)
    (" \tNova 3\n", "nova-3", ()),
    ("NOVA 3", "nova-3", ()),
    ("Stra\u00dfe", "strasse", ()),  # case-folding, not lower-casing
    ("Nova 3.5", "nova-3.5", ()),  # "." stays
    ("Nova+", "novaplus", ()),
    ("T\u00fcr 7", "tur-7", ()),
    ("Tu\u0308r 7", "tur-7", ()),  # composed first
    ("nova_3/x", "nova-3-x", ()),
    ("nova, x", "nova-x", ()),
    ("chutes/nova-3", "nova-3", ()),  # one listed prefix …
    ("chutes/chutes/nova-3", "chutes-nova-3", ()),  # … and only one
    ("accounts/fireworks/models/nova-3", "nova-3", ()),
    ("CHUTES/Nova-3", "nova-3", ()),
    ("stranger/nova-3", "stranger-nova-3", ()),  # not listed: part of the name
])
def test_steps(written, folded, settings):
    assert fold(written, NAMES) == (folded, settings)


@pytest.mark.parametrize(("written", "settings"), [
    ("nova-3_high", ("high",)),
    ("nova-3 (high)", ("high",)),
    ("nova-3(high)", ("high",)),
    ("Nova-3 (FC)", ("fc",)),
    ("nova-3, high", ("high",)),
    ("nova-3:high", ("high",)),
    ("nova-3_high (FC)", ("high", "fc")),  # any number …
    ("nova-3 (FC)_high", ("fc", "high")),  # … any order
    ("nova-3 (Prompt + Thinking)", ("prompt + thinking",)),
    ("nova-3 (no thinking)", ("no thinking",)),
    ("nova-3_unknown", ("unknown",)),
    ("nova-3_32K", ("32k",)),
    ("nova-3 (32k think)", ("32k",)),
    ("nova-3 (32k thinking tokens)", ("32k",)),
    ("nova-3 (24K thinking)", ("24k",)),
    ("nova-3, 8k", ("8k",)),
])
def test_settings_in_their_written_forms(written, settings):
    assert fold(written, NAMES) == ("nova-3", settings)


@pytest.mark.parametrize("written", [
    "nova-3-high", "nova-3-max", "nova-3 high", "nova-3_higher", "nova-3 (high", "nova-3 (quality)", "high nova-3",
    "nova-3_99999k", "nova-3 (high), reviewed",
])
def test_what_is_no_setting_stays(written):
    assert fold(written, NAMES) == (as_it_stands(written), ())


def test_settings_come_off_before_blanks_become_hyphens():
    # The other order would leave nothing to tell "_high" from "-high".
    assert fold("nova_high", NAMES) != fold("nova-high", NAMES)


def test_prefix_comes_off_before_slashes_become_hyphens():
    assert fold("chutes/nova", NAMES)[0] == "nova" != fold("chutes-nova", NAMES)[0]


def test_dates_are_never_stripped_and_brackets_are_not_hyphens():
    forms = {fold(name, NAMES)[0] for name in ("Nova-R1", "Nova-R1 (May 2025)", "Nova-R1 (0528)", "Nova-R1-0528")}
    assert len(forms) == 4


def test_glued_tier_is_tier_and_setting():
    assert fold("nova-5_promax", NAMES) == ("nova-5-pro", ("max",))
    assert fold("nova-5_prounknown", NAMES) == ("nova-5-pro", ("unknown",))
    assert fold("nova-5_minimax", NAMES) == ("nova-5-minimax", ())  # "mini" is no glued tier


def test_hyphen_suffixes_try_the_longest_setting_first():
    assert hyphen_suffixes("nova-no-think", NAMES) == (("nova", "no think"), ("nova-no", "think"))
    assert hyphen_suffixes("nova-32k", NAMES) == (("nova", "32k"),)
    assert hyphen_suffixes("max", NAMES) == ()  # nothing would be left


_text = st.text(alphabet=st.sampled_from(string.ascii_letters + string.digits + " _-/().,:+\u2011\u00a0"), max_size=40)


@given(_text)
def test_folding_a_folded_form_changes_nothing(name):
    folded, _ = fold(name, NAMES)
    assert fold(folded, NAMES) == (folded, ())


@given(_text, st.sampled_from(NAMES.settings), st.sampled_from(["_{}", " ({})", "({})", ", {}", ":{}"]))
def test_a_listed_setting_changes_no_name(name, setting, form):
    plain = fold(name.strip() or "nova", NAMES)
    assert fold((name.strip() or "nova") + form.format(setting), NAMES) == (plain[0], (*plain[1], setting))


@given(st.text(max_size=60))
def test_any_text_folds_and_slugs_stay_in_their_letters(name):
    fold(name, NAMES)
    slug = slug_of(name)
    assert slug is None or (re.fullmatch(SLUG, slug) and slug not in (".", "..") and len(slug) <= MAX_SLUG)


@pytest.mark.parametrize(("group", "slug"), [
    ("GPT\u20115-Codex", "gpt-5-codex"), ("DeepSeek-R1 (May 2025)", "deepseek-r1-may-2025"), ("GPT-3.5 (davinci-002)\n", "gpt-3.5-davinci-002"),
    ("Command R+", "command-rplus"), ("Nova 3 (high)", "nova-3-high"), ("T\u00fclu \u00e9", "tulu-e"),
    ("../../x", "x"), ("..", None), (".", None), ("", None), ("\u202e\u200f", None), ("n" * 10_000, None),
    ("<img src=x onerror=alert(1)>", "img-src-x-onerror-alert-1"), ("=HYPERLINK(1)", "hyperlink-1"),
])
def test_slugs(group, slug):
    assert slug_of(group) == slug


@pytest.mark.parametrize(("folded", "words"), [
    ("nova-5-pro", {"pro"}), ("nova-5-professional", set()), ("nova-deep-think-5", {"deep think"}), ("nova-deep-thinker", set()),
    ("nova-vl-7b", {"vl"}), ("command-aplus", {"plus"}), ("nova-instruct-preview-thinking-it", set()), ("qwen-max", {"max"}),
    ("acme.nova-lite-v1:0", {"lite"}),
])
def test_product_words_are_whole_parts(folded, words):
    assert product_words(folded, NAMES) == words
