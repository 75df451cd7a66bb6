"""What built pages were found to hold, kept from one build to the next: a page with the same bytes is not parsed again.

Pages are known by their bytes with signs for what all of them share (shared.py), so that another edition makes no other page
of one; what a sign stands for is put into the addresses and names that were found. The file lies in the working folder of the
build, keyed by those bytes and by the code that reads them; one that is missing, torn or of another code is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from siiq_core.errors import PublicationError
from siiq_core.files import replace_bytes, sha256
from siiq_core.publish.parsed import Page, parse_page
from siiq_core.publish.shared import Shared


@dataclass(frozen=True)
class Seen:
    """Where pages are remembered, and what this publication's pages have in common."""

    kept: Path
    shared: Shared

    def pages(self, paths: Sequence[Path], read: Callable[[Sequence[Path], Shared], Sequence[Page]], code: bytes) -> list[Page]:
        """The pages at `paths`, in their order.

        Parameters
        ----------
        read : parses pages with signs in them; called for those that are not remembered
        code : that reads them
        """
        _require_harmless(self.shared)
        by_code = sha256(code)
        known = _known(self.kept, by_code)
        digests = [sha256(self.shared.hidden(path.read_text(encoding="utf-8")).encode("utf-8")) for path in paths]
        new = {digest: path for digest, path in zip(digests, paths, strict=True) if digest not in known}
        pages = known | dict(zip(new, read(list(new.values()), self.shared), strict=True))
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(self.kept, json.dumps({"code": by_code, "pages": {x: {**asdict(pages[x]), "ids": sorted(pages[x].ids)} for x in digests}}).encode("utf-8"))
        return [_shown(pages[digest], self.shared) for digest in digests]


def _require_harmless(shared: Shared) -> None:
    """What is put in after a page was parsed may hold text and drawing, and nothing that a check would look at."""
    found = parse_page("<main>" + " ".join(shared.pieces.values()) + "</main>")
    if replace(found, words=0) != Page():
        raise PublicationError("what pages share holds more than text", file="siiq_core/publish/shared.py", value=found.faults[:1], remedy="leave it in the pages")


def _shown(page: Page, shared: Shared) -> Page:
    shown = shared.shown
    return replace(page, title=shown(page.title), ids=set(map(shown, page.ids)), links=list(map(shown, page.links)), loads=list(map(shown, page.loads)),
                   alternates={lang: shown(x) for lang, x in page.alternates.items()}, faults=list(map(shown, page.faults)))


def _known(kept: Path, code: str) -> dict[str, Page]:
    try:
        found: Mapping[str, dict] = json.loads(kept.read_text(encoding="utf-8"))
        return {digest: Page(**{**page, "ids": set(page["ids"])}) for digest, page in found["pages"].items()} if found["code"] == code else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
