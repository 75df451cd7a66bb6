"""What browsers, search engines and previews are told: what a page may run; the index as a Dataset of schema.org, and a picture of the leading models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from siiq_core.publish import releases
from siiq_core.publish.words import Words

# What a page may load and run: the book's own files and nothing else; no script that stands in a page, so that no text of a
# source can become one. "file:" is for readers who open the book from their disk. Drawings carry inline styles.
POLICY = ("default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; font-src 'self' file:; "
          "connect-src 'self' file:; form-action 'self' file:; base-uri 'none'; object-src 'none'")
PREVIEW = "preview.png"  # among the static files of each language
WIDTH, HEIGHT = 1200, 630  # pixels; what previews are cut to
_MARGIN, _PAPER = 60, "#fffefb"
_FILES = {"index.json": "application/json", "evidence.jsonl": "application/jsonl", "results.csv": "text/csv", "datapackage.json": "application/json"}


def dataset(index: Mapping[str, Any], words: Words, lang: str, site_url: str = "") -> dict[str, Any]:
    """The Dataset as JSON-LD, for the pages Start and Data. Addresses are relative to them where the site's own is not known."""
    base = f"{site_url.rstrip('/')}/" if site_url else "../"
    return {
        "@context": "https://schema.org", "@type": "Dataset", "name": "SI-IQ", "description": words.raw("ui.description", lang), "inLanguage": lang,
        "version": index["method_version"], "dateModified": index["as_of"], "isAccessibleForFree": True,
        "license": re.search(r"https://\S+", releases.LICENCE)[0], "creator": {"@type": "Organization", "name": releases.AUTHOR},
        "isBasedOn": sorted({x["url"] for x in index["sources"] if x["url"]}), **({"url": f"{base}{lang}/index.html"} if site_url else {}),
        "distribution": [{"@type": "DataDownload", "name": name, "encodingFormat": kind, "contentUrl": f"{base}data/{name}"} for name, kind in _FILES.items()],
    }


def preview(picture: str) -> bytes:
    """A picture of figures.picture as a PNG of the size that previews show, centred on paper."""
    import vl_convert  # imported late: only a build of the book needs it

    width, height = (float(x) for x in re.search(r'viewBox="0 0 (\S+) (\S+)"', picture).groups())
    scale = min((WIDTH - 2 * _MARGIN) / width, (HEIGHT - 2 * _MARGIN) / height)
    place = f'<svg x="{(WIDTH - width * scale) / 2:.1f}" y="{(HEIGHT - height * scale) / 2:.1f}" width="{width * scale:.1f}" height="{height * scale:.1f}"'
    inner = re.sub(r'<svg ([^>]*?) width="\d+" height="\d+"', rf"{place} \1", picture, count=1)
    return vl_convert.svg_to_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"><rect width="100%" height="100%" fill="{_PAPER}"/>{inner}</svg>', scale=1)
