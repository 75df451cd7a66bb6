"""The page half of U11: what must hold before a book replaces the one in place (fault 21).

Sources: the same pages in every language, each translation made from the English page as it stands, every number defined
and used. Built pages: they parse, every inner link and language alternate resolves, nothing is loaded from elsewhere.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlsplit

import yaml

from siiq_core.errors import PublicationError
from siiq_core.publish.book import slots
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import Generated

if TYPE_CHECKING:
    from siiq_core.publish.seen import Seen
    from siiq_core.publish.shared import Shared

_MANY, _AT_A_TIME = 60, 2  # pages; processes
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "object": "data", "embed": "src", "image": "href", "use": "href"}
_LOADING_RELS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
_OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//|^(?:https?|ftp|ws|wss):", re.IGNORECASE)


# --- sources ---------------------------------------------------------------------------------------------------------


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


# --- built pages -----------------------------------------------------------------------------------------------------


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


def _parse(paths: Sequence[Path], shared: Shared | None = None) -> list[Page]:
    """Pages parsed; many at a time on both cores."""
    read = partial(read_page, shared=shared)
    if len(paths) < _MANY:
        return list(map(read, paths))
    with ProcessPoolExecutor(_AT_A_TIME) as pool:
        return list(pool.map(read, paths, chunksize=8))


def check_html(site: Path, names: Sequence[str], site_url: str = "", seen: Seen | None = None) -> list[str]:
    """Check a built site; returns its pages as addresses inside it. Pages that `seen` remembers are not parsed again.

    Raises
    ------
    PublicationError
        The first ten faults, by page.
    """
    files = frozenset(p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file())
    addresses = sorted(name for name in files if name.endswith(".html"))
    paths = [site / name for name in addresses]
    pages = dict(zip(addresses, seen.pages(paths, _parse, Path(__file__).read_bytes()) if seen else _parse(paths), strict=True))
    faults: list[str] = []
    for address in ["index.html", *(f"{lang}/{name}.html" for lang in LANGUAGES for name in (*names, "search"))]:
        if address not in pages:
            faults.append(f"{address}: missing")
        elif pages[address].words < 5 or not pages[address].title.strip():
            faults.append(f"{address}: empty")
    for address, page in pages.items():
        faults += [f"{address}: {x}" for x in (*page.faults, *_addresses(files, address, page, pages, site_url), *_languages(address, page))]
    faults += [f"{p.relative_to(site).as_posix()}: loads {x}" for p in sorted(site.rglob("*.css"))
               for x in re.findall(r"(?:url\(|@import\s+)['\"]?([^'\")\s;]+)", p.read_text(encoding="utf-8")) if _OUTSIDE.match(x)]
    if faults:
        more = f" … and {len(faults) - 10} more" if len(faults) > 10 else ""
        raise PublicationError("the book has faults: " + "; ".join(faults[:10]) + more, remedy="mend the page or what it is made from; the earlier book stays")
    return list(pages)


def _addresses(files: Set[str], address: str, page: Page, pages: Mapping[str, Page], site_url: str) -> Iterable[str]:
    for target in page.loads:
        if _OUTSIDE.match(target):
            yield f"loads {target} from outside"
        elif not target.startswith("data:") and _inside(address, target)[0] not in files:
            yield f"loads {target}, which is not there"
    for target in page.links:
        parts = urlsplit(target)
        if parts.scheme in ("http", "https", "mailto"):
            continue
        if parts.scheme or parts.netloc:
            yield f"links to {target[:80]!r}, which is no address of a page"
            continue
        name, fragment = _inside(address, target)
        if name not in files:
            yield f"links to {target}, which is not there"
        elif fragment and "=" not in fragment and name in pages and fragment not in pages[name].ids:  # name=value is a choice that a script reads
            yield f"links to {target}, where nothing has this name"
    for lang, target in page.alternates.items():
        base = site_url.rstrip("/") + "/" if site_url else ""
        name = unquote(target.removeprefix(base)) if base and target.startswith(base) else _inside(address, target)[0]
        if name not in files:
            yield f"alternate {lang} {target} is not there"


def _inside(address: str, target: str) -> tuple[str, str]:
    """Where a link of the page at `address` leads: an address inside the site ("../…" where it leaves it), and the fragment."""
    path, fragment = unquote(urlsplit(target).path), unquote(urldefrag(target).fragment)
    return posixpath.normpath(posixpath.join(posixpath.dirname(address), path)) if path else address, fragment


def _languages(address: str, page: Page) -> Iterable[str]:
    lang = address.partition("/")[0]
    if lang not in LANGUAGES:
        return
    if page.lang != lang:
        yield f"says it is in {page.lang!r}"
    if set(page.alternates) != {*LANGUAGES, "x-default"}:
        yield f"has the alternates {sorted(page.alternates)}"
