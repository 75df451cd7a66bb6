"""What built pages were found to hold, kept from one build to the next: a page with the same bytes is not parsed again.

The file lies in the working folder of the build. It is keyed by the bytes of each page and of the code that reads it; one
that is missing, torn or of another code is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from siiq_core.files import replace_bytes, sha256
from siiq_core.publish.check import Page


def read_changed(paths: Sequence[Path], read: Callable[[Sequence[Path]], Sequence[Page]], kept: Path, code: bytes) -> list[Page]:
    """The pages at `paths`, in their order; `read` parses those that `kept` does not know, and `kept` then knows these alone."""
    known, by_code = _known(kept, sha256(code)), sha256(code)
    digests = [sha256(path.read_bytes()) for path in paths]
    new = {digest: path for digest, path in zip(digests, paths, strict=True) if digest not in known}
    pages = known | dict(zip(new, read(list(new.values())), strict=True))
    out = [pages[digest] for digest in digests]
    kept.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(kept, json.dumps({"code": by_code, "pages": {x: {**asdict(pages[x]), "ids": sorted(pages[x].ids)} for x in digests}}).encode("utf-8"))
    return out


def _known(kept: Path, code: str) -> dict[str, Page]:
    try:
        found: Mapping[str, dict] = json.loads(kept.read_text(encoding="utf-8"))
        return {digest: Page(**{**page, "ids": set(page["ids"])}) for digest, page in found["pages"].items()} if found["code"] == code else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
