"""A built page as a check sees it: its names, links, what it loads, and what is wrong with its markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

from siiq_core.publish.shared import Shared

_MANY, _AT_A_TIME = 60, 2  # pages; processes
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "object": "data", "embed": "src", "image": "href", "use": "href"}
_LOADING_RELS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}


@dataclass
class Page:
    """What a check needs to know of one page."""

    lang: str = ""
    title: str = ""
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    alternates: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    words: int = 0  # of running text inside <main>


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self._open = Page(), []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._take(tag, attrs)
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._take(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if not self._open or self._open[-1] != tag:
            self.page.faults.append(f"</{tag}> closes {self._open[-1] if self._open else 'nothing'} in line {self.getpos()[0]}")
            if tag in self._open:
                del self._open[len(self._open) - 1 - self._open[::-1].index(tag):]
            return
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "svg" not in self._open:
            self.page.title += data
        if "main" in self._open:
            self.page.words += len(data.split())

    def _take(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not attrs:
            return
        page, given = self.page, {k: v or "" for k, v in attrs}
        if tag == "html":
            page.lang = given.get("lang", "")
        if "id" in given:
            if given["id"] in page.ids:
                page.faults.append(f"id {given['id']!r} stands twice")
            page.ids.add(given["id"])
        for name in given:
            if name.startswith("on"):
                page.faults.append(f"<{tag}> has a script in {name!r}")
        if loaded := given.get(_LOADS.get(tag, "")):
            page.loads.append(loaded)
        if "style" in given:
            page.loads += re.findall(r"url\(['\"]?([^'\")]+)", given["style"])
        if tag == "link":
            rels = set(given.get("rel", "").split())
            if rels & _LOADING_RELS:
                page.loads.append(given.get("href", ""))
            elif "alternate" in rels and "hreflang" in given:
                page.alternates[given["hreflang"]] = given.get("href", "")
        if tag in ("a", "form"):
            page.links += [given[k] for k in ("href", "action") if given.get(k)]

    def close(self) -> None:
        super().close()
        self.page.faults += [f"<{tag}> is never closed" for tag in self._open]


def parse_page(markup: str) -> Page:
    """One built page; what is wrong with it stands in `faults`."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.page


def read_page(path: Path, shared: Shared | None = None) -> Page:
    """The page in a file, with signs in place of what pages share where that is given."""
    markup = path.read_text(encoding="utf-8")
    return parse_page(shared.hidden(markup) if shared else markup)


def parse_pages(paths: Sequence[Path], shared: Shared | None = None) -> list[Page]:
    """Pages parsed; many at a time on both cores."""
    read = partial(read_page, shared=shared)
    if len(paths) < _MANY:
        return list(map(read, paths))
    with ProcessPoolExecutor(_AT_A_TIME) as pool:
        return list(pool.map(read, paths, chunksize=8))
