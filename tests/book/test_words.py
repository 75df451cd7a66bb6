"""book/translations.yml: whole in every language, and nothing in it that no page says."""

import re

import pytest
import yaml

from siiq_core.errors import PublicationError
from siiq_core.publish.words import Words


def _written(tmp_path, tree):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "translations.yml").write_text(yaml.safe_dump(tree), encoding="utf-8")
    return tmp_path


def test_every_text_has_three_languages_and_the_same_slots(root):
    assert len(Words.load(root).keys()) > 50


@pytest.mark.parametrize(("texts", "says"), [
    ({"en": "a", "de": "b"}, "missing translation"), ({"en": "a", "de": " ", "es": "c"}, "missing translation"),
    ({"en": "{n} a", "de": "b", "es": "{n} c"}, "other slots"), ({"en": "a", "de": "b", "es": "c", "fr": "d"}, "unknown language")])
def test_a_gap_is_refused(tmp_path, texts, says):
    with pytest.raises(PublicationError, match=says):
        Words.load(_written(tmp_path, {"table": {"caption": texts}}))


def test_an_unknown_text_is_no_english_stand_in(words):
    with pytest.raises(PublicationError, match="missing translation"):
        words("table.nowhere", "de")


def test_a_text_is_escaped_and_its_slots_are_not(tmp_path):
    words = Words.load(_written(tmp_path, {"a": {"en": "x < {n}", "de": "y < {n}", "es": "z < {n}"}}))
    assert words("a", "de", n="<b>1</b>") == "y &lt; <b>1</b>"


def test_no_text_is_unused(root):
    code = "".join(p.read_text(encoding="utf-8") for p in sorted((root / "siiq_core" / "publish").rglob("*.py")))
    pages = "".join(p.read_text(encoding="utf-8") for p in sorted((root / "book" / "_templates").glob("*.html")))
    shown = set(re.findall(r't\["(\w+)"\]|\.t\.(\w+)', pages))
    shown = {a or b for a, b in shown} | set(re.findall(r'siiq_words\["(\w+)"\]', code))
    unused = []
    for key in Words.load(root).keys():
        group, _, name = key.partition(".")
        parts = key.split(".")
        heads = [".".join(parts[:k]) for k in range(1, len(parts))]
        by_full_name = f'"{key}"' in code or any(f"{x}." + "{" in code or f'"{x}." +' in code or f'group("{x}"' in code for x in heads)
        by_short_name = group == "column" and f'small("{name}")' in code
        if not (by_full_name or by_short_name or (group == "ui" and name in shown)):
            unused.append(key)
    assert not unused
