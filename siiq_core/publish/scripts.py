"""What the scripts of the book are given: words and number formats of a language, and the index, as script files.

Files opened from a disk may load scripts but not fetch data, so that what a script needs is a script too. Everything in
them is data: a script puts it on a page as text, never as markup.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.tables import AREAS
from siiq_core.publish.words import Words

INDEX = "index.js"  # beside index.json
WORDS = "words.js"  # among the static files of each language
_BEFORE, _AFTER = b"window.SIIQ_INDEX = ", b";\n"
_COLUMNS = ("model", "benchmark", "evaluator", "area", "siiq", "interval", "rank_range", "scale")  # column.* that a script writes
_REASONS = ("families", "areas", "evaluators", "version_span_days")
_BOTH = ("siiq-method.js", "siiq-page.js")
# What a page holds → the scripts it wants, in order; each finds the ones before it.
_WANTED: Mapping[str, tuple[str, ...]] = {
    'id="ranking-tools"': (*_BOTH, "ranking.js"),
    'id="compare-tools"': (*_BOTH, "compare.js"),
    'id="recompute': (*_BOTH, "recompute.js"),
    'id="status-live"': (*_BOTH, "status.js"),
    'id="value-tools"': (*_BOTH, "value-rules.js", "value-view.js", "value.js"),
}


def index_script(content: bytes) -> bytes:
    """The bytes of index.json as a script that names them; nothing else is changed."""
    return _BEFORE + content.removesuffix(b"\n") + _AFTER


def words_script(words: Words, lang: str) -> bytes:
    """The texts that scripts write, and how the language writes numbers (from the formats of all pages)."""
    texts = words.group("interactive", lang)
    texts |= {f"area.{x}": words.raw(f"area.{x}", lang) for x in AREAS}
    texts |= {f"column.{x}": words.raw(f"column.{x}", lang) for x in _COLUMNS}
    texts |= {f"unranked.{x}": words.raw(f"unranked.{x}", lang) for x in _REASONS}
    grouped = format.number(12345, 0, lang)
    numbers = {"decimal": format.number(0.5, 1, lang)[1], "group": grouped[2], "groupFrom": 1000 if len(format.number(1234, 0, lang)) > 4 else 10000,
               "percent": format.percent(0.12, lang).replace("12", "{n}")}
    day, months = format.day_pattern(lang)
    return f"window.SIIQ = {_literal({'lang': lang, 'words': texts, 'numbers': numbers, 'dates': {'day': day, 'months': months}})};\n".encode("ascii")


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, indent=1)


def json_in_page(value: Any) -> str:
    """JSON for a script element: nothing in it can end the element it stands in."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.translate({ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&"})


def wanted(body: str) -> tuple[str, ...]:
    """The script files that a page's content asks for, its words first; none for most pages."""
    names = dict.fromkeys(name for mark, own in _WANTED.items() if mark in body for name in own)
    return (WORDS, *names) if names else ()
