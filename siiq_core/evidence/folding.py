"""How a written name folds (I2, I3, I6): pure text work, no model table needed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from siiq_core.params.names import SLUG, Names

MAX_SLUG = 100  # characters; a slug is a file name on every reader's disk

_MINUS = "\u2212"  # the mathematical minus is no dash by category, but is typed as one


def fold(name: str, names: Names) -> tuple[str, tuple[str, ...]]:
    """The folded form of a written name, and the settings taken off its right end (I2, steps in data.md's order).

    Returns
    -------
    folded : str
        Lower case; blanks, "_", "/", "-", "(", ")" and "," are one "-" a run. A bracket that is no setting keeps its
        closing mark as a last "-": "R1 (0528)" and "R1-0528" stay two, as a date in brackets is not certain.
    settings : tuple of str
        In the order written, lower case; budgets as "32k".
    """
    text = _prepared(name)
    prefix = max((p for p in names.prefixes if text.startswith(p)), key=len, default="")
    text, settings = text[len(prefix):], ()
    pattern = _written_setting(names.settings, names.budget_words, names.glued_tiers)
    while found := pattern.search(text):
        word, tier = found["bracket"] or found["plain"], found["tier1"] or found["tier2"]
        settings = (_one_setting(word), *settings)
        text = text[:found.start()] + (f"-{tier}" if tier else "")
    return _joined(text), settings


def as_it_stands(name: str) -> str:
    """The folded form with prefix and settings left on: the other key of a registered name."""
    return _joined(_prepared(name))


def hyphen_suffixes(folded: str, names: Names) -> tuple[tuple[str, str], ...]:
    """Every (rest, setting) that a hyphen at the right end could part (I3); longest setting first."""
    budget = re.fullmatch(rf"(?P<rest>.+)-(?P<word>\d{{1,4}}k)(?:-(?:{_any_of(names.budget_words, '-')}))?", folded)
    found = [(budget["rest"], budget["word"])] if budget else []
    for word in sorted(names.settings, key=lambda w: (-len(w), w)):
        tail = "-" + _joined(word)
        if folded.endswith(tail) and len(folded) > len(tail):
            found.append((folded[:-len(tail)], word))
    return tuple(found)


def with_suffix(folded: str, setting: str) -> str:
    """The folded name that would carry the setting after a hyphen."""
    return f"{folded}-{_joined(setting)}"


def product_words(folded: str, names: Names) -> frozenset[str]:
    """Tiers and modalities in a folded name (I1, P2). A "+" glued to a part ("command-aplus") is the tier "plus"."""
    parts = re.split(r"[-:]+", folded)
    text = "-" + "-".join(parts) + "-"
    words = {word for word in names.product_words if f"-{word.replace(' ', '-')}-" in text}
    if "plus" in names.product_words and any(part.endswith("plus") for part in parts):
        words.add("plus")
    return frozenset(words)


def slug_of(name: str) -> str | None:
    """The slug a group's name would be given (I6); None where nothing usable is left of it, or too much."""
    plain = unicodedata.normalize("NFKD", as_it_stands(name))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    slug = re.sub(r"-+", "-", re.sub(r"[^a-z0-9.]+", "-", plain)).strip("-.")
    return slug if len(slug) <= MAX_SLUG and re.fullmatch(SLUG, slug) else None


def _prepared(name: str) -> str:
    text = unicodedata.normalize("NFKC", name)
    text = "".join("-" if c == _MINUS or unicodedata.category(c) == "Pd" else c for c in text)
    return text.strip().casefold()


def _joined(text: str) -> str:
    return re.sub(r"[\s_/\-(),]+", "-", text).replace("+", "plus").replace("ü", "u")


def _one_setting(word: str) -> str:
    word = " ".join(word.split())
    return word.split()[0] if re.match(r"\d+k\b", word) else word


def _any_of(words: tuple[str, ...], blank: str) -> str:
    """Alternatives, longest first, so that "thinking tokens" is not read as "thinking"."""
    return "|".join(blank.join(map(re.escape, w.split())) for w in sorted(words, key=lambda w: (-len(w), w)))


@lru_cache(maxsize=8)
def _written_setting(settings: tuple[str, ...], budgets: tuple[str, ...], tiers: tuple[str, ...]) -> re.Pattern[str]:
    """One listed setting in a written form at the right end: `_x`, ` (x)`, `(x)`, `, x`, `:x`; never "-x" (I3)."""
    blank = r"\s+"
    word = rf"{_any_of(settings, blank)}|\d{{1,4}}k(?:\s+(?:{_any_of(budgets, blank)}))?"
    tier = _any_of(tiers, blank) or r"(?!)"
    bracket = rf"\(\s*(?P<tier1>{tier})?(?P<bracket>{word})\s*\)"
    plain = rf"[_:,]\s*(?P<tier2>{tier})?(?P<plain>{word})"
    return re.compile(rf"\s*(?:{bracket}|{plain})\Z")
