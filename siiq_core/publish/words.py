"""The words of tables, figures and page furniture in every language: book/translations.yml and book/translations/*.yml.

Each file is a tree; each leaf has one text per language. A file of the folder holds the words of one kind of page, below
one key of the file's name. `{name}` in a text is filled in by the caller with ready HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from siiq_core.errors import PublicationError
from siiq_core.publish.format import LANGUAGES

FILE = "book/translations.yml"
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it: every builder of a language reads these files
_SLOT = re.compile(r"(?<!\$)\{(\w+)\}")  # ${…} belongs to a script


class Words:
    """All texts, by dotted key; a missing one is an error, never an English stand-in."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]]) -> None:
        self._texts = {key: {lang: text.replace(" %", "\u00a0%") for lang, text in each.items()} for key, each in texts.items()}
        self._escaped: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}  # as HTML, with the slots in it

    @classmethod
    def load(cls, root: Path) -> Words:
        """Read and check book/translations.yml.

        Raises
        ------
        PublicationError
            A text lacks a language, or has other slots in one language than in English.
        """
        texts: dict[str, Mapping[str, str]] = {}
        for path in word_files(root):
            tree = yaml.load(path.read_text(encoding="utf-8"), Loader=_YAML)
            if path.name != Path(FILE).name and set(tree) != {path.stem}:
                raise PublicationError("a file of words has one key, its own name", file=path.name, value=sorted(tree), remedy=f"put all below {path.stem}:")
            texts |= dict(_leaves(tree, ""))
        for key, by_language in texts.items():
            _check(key, by_language)
        return cls(texts)

    def __call__(self, key: str, lang: str, **values: str) -> str:
        """The text as HTML, its slots filled in with the HTML given."""
        if (key, lang) not in self._escaped:
            raw = self.raw(key, lang)
            self._escaped[key, lang] = html.escape(raw, quote=True), frozenset(_SLOT.findall(raw))
        text, wanted = self._escaped[key, lang]
        if not wanted:
            return text
        if wanted - values.keys():
            raise PublicationError("a text wants a value it is not given", file=FILE, column=key, value=sorted(wanted - values.keys()))
        return _SLOT.sub(lambda m: values[m[1]], text)

    def raw(self, key: str, lang: str) -> str:
        """The text as it stands in the file."""
        if key not in self._texts:
            raise PublicationError("missing translation", file=FILE, column=key, remedy="add the text in every language")
        return self._texts[key][lang]

    def group(self, prefix: str, lang: str) -> dict[str, str]:
        """All texts under a prefix, by the rest of their key."""
        return {k.removeprefix(prefix + "."): v[lang] for k, v in self._texts.items() if k.startswith(prefix + ".")}

    def keys(self) -> tuple[str, ...]:
        """Every key of the file."""
        return tuple(self._texts)


def word_files(root: Path) -> list[Path]:
    """The files of words, in a fixed order."""
    return [root / FILE, *sorted((root / "book" / "translations").glob("*.yml"))]


def _leaves(node: Any, path: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    if not isinstance(node, dict):
        raise PublicationError("not a text in languages", file=FILE, column=path, value=node, remedy="write en, de and es below the key")
    if set(node) & set(LANGUAGES):
        yield path, node
        return
    for key, child in node.items():
        yield from _leaves(child, f"{path}.{key}" if path else str(key))


def _check(key: str, texts: Mapping[str, str]) -> None:
    for lang in LANGUAGES:
        if not isinstance(texts.get(lang), str) or not texts[lang].strip():
            raise PublicationError("missing translation", file=FILE, column=f"{key}.{lang}", remedy="add the text in this language")
    if set(texts) - set(LANGUAGES):
        raise PublicationError("unknown language", file=FILE, column=key, value=sorted(set(texts) - set(LANGUAGES)))
    slots = set(_SLOT.findall(texts["en"]))
    for lang in LANGUAGES:
        if set(_SLOT.findall(texts[lang])) != slots:
            raise PublicationError("other slots than in English", file=FILE, column=f"{key}.{lang}", value=texts[lang])
