"""The pages as they were written: the same in every language, each translation made from the English page as it stands,
every number defined and used (U11, fault 21).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from siiq_core.errors import PublicationError
from siiq_core.publish.book import slots
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import Generated


def page_names(root: Path) -> tuple[str, ...]:
    """The pages of _toc.yml, in order, the start page first."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    names: list[str] = [toc["root"]]

    def walk(entries: Iterable[Mapping[str, object]]) -> None:
        for entry in entries:
            if "file" in entry:
                names.append(str(entry["file"]))
            for key in ("chapters", "sections"):
                walk(entry.get(key) or ())  # type: ignore[arg-type]

    walk(toc.get("parts") or ())
    walk(toc.get("chapters") or ())
    return tuple(names)


def with_generated(root: Path, pages: Iterable[Generated]) -> Mapping[str, object]:
    """The table of contents with each generated page below the hand-written one it belongs to."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    below: dict[str, list[dict[str, str]]] = {}
    for page in pages:
        below.setdefault(page.parent, []).append({"file": page.name})
    for chapter in toc["chapters"]:
        if chapter["file"] in below:
            chapter["sections"] = [*chapter.get("sections", ()), *below.pop(chapter["file"])]
    if below:
        raise PublicationError("a generated page stands below no page of _toc.yml", file="_toc.yml", value=sorted(below))
    return toc


def version_of(page: str) -> str:
    """What a translation records of the English page it renders: the first 16 digits of its SHA-256."""
    return hashlib.sha256(page.replace("\r\n", "\n").encode("utf-8")).hexdigest()[:16]


def split_front(page: str) -> tuple[Mapping[str, object], str]:
    """A page's front matter and its text."""
    found = re.match(r"---\n(.*?)\n---\n", page, re.DOTALL)
    return (yaml.safe_load(found[1]) or {}, page[found.end():]) if found else ({}, page)


def read_pages(root: Path) -> dict[str, dict[str, str]]:
    """Language → page → Markdown text, as the sources stand.

    Raises
    ------
    PublicationError
        A page is missing in a language or stands in no table of contents; a translation is stale.
    """
    names = page_names(root)
    out: dict[str, dict[str, str]] = {}
    for lang in LANGUAGES:
        folder = root / "book" / lang
        there = {p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("*.md") if "_generated" not in p.parts}
        for name in sorted(set(names) ^ there):
            raise PublicationError("a page is missing" if name in names else "a page stands in no table of contents", file=f"book/{lang}/{name}.md",
                                   remedy="write it in every language and name it in _toc.yml" if name in names else "name it in _toc.yml or remove it")
        out[lang] = {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in names}
    for lang in LANGUAGES[1:]:
        for name in names:
            _fresh(out["en"][name], out[lang][name], f"book/{lang}/{name}.md")
    return out


def _fresh(english: str, translated: str, file: str) -> None:
    recorded, current = split_front(translated)[0].get("renders"), version_of(english)
    if str(recorded) != current:
        raise PublicationError("the translation renders another version of the English page", file=file, column="renders", value=recorded,
                               remedy=f"bring the page up to date with the English one, then write renders: \"{current}\"")


def check_names(pages: Mapping[str, Mapping[str, str]], known: Iterable[str]) -> None:
    """Every number is used, in every language and on the same pages; undefined ones are refused while rendering."""
    for name, english in pages["en"].items():
        for lang in LANGUAGES[1:]:
            differ = sorted(slots(english) ^ slots(pages[lang][name]))
            if differ:
                raise PublicationError("other numbers than on the English page", file=f"book/{lang}/{name}.md", value=differ)
    unused = sorted(set(known) - set().union(*(slots(text) for text in pages["en"].values())))
    if unused:
        raise PublicationError("unused number", file="siiq_core/publish/book.py", value=unused, remedy="use it on a page or take it out")
