"""What must hold of built pages before a book replaces the one in place (U11, fault 21): they parse, none is missing or empty,
every inner link and language alternate resolves, nothing is loaded from elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from siiq_core.errors import PublicationError
from siiq_core.publish import parsed
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.parsed import Page, parse_pages
from siiq_core.publish.seen import Seen

_OUTSIDE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//|^(?:https?|ftp|ws|wss):", re.IGNORECASE)


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
    pages = dict(zip(addresses, seen.pages(paths, parse_pages, Path(parsed.__file__).read_bytes()) if seen else parse_pages(paths), strict=True))
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
