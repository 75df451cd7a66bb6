"""What stands alike on many pages is put in after Sphinx, so that another edition does not make every page another one.

Version and day of the data stand on every page, the ticks of the reference group on every axis. In ready HTML a sign takes
their place: one character that no text of a page holds. Sphinx passes it on as it is and leaves a page alone whose source
is what it was; the built page then gets what the sign stands for. What comes out is what would have come out without
signs, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jinja2.utils import htmlsafe_json_dumps

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format, metadata
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.site import Site

_SIGN = re.compile("[\ue000-\uf8ff]")  # characters that Unicode leaves to those who use them; foreign text on a page is printable and has none
VERSION, _ISO_DAY, _DAY, _DATASET, _TICKS = "\ue000", "\ue001", 0xE010, 0xE020, 0xE100


def day_sign(lang: str) -> str:
    """The sign for the day of the data as a language writes it."""
    return chr(_DAY + format.LANGUAGES.index(lang))


def dataset_sign(lang: str) -> str:
    """The sign for what search engines are told of the index."""
    return chr(_DATASET + format.LANGUAGES.index(lang))


@dataclass(frozen=True)
class Shared:
    """Sign → what it stands for, in one publication."""

    pieces: Mapping[str, str]

    def hidden(self, markup: str) -> str:
        """HTML with signs in it.

        Raises
        ------
        PublicationError
            There is one in it already.
        """
        if found := _SIGN.search(markup):
            raise PublicationError("a text holds a character that stands for something else while the book is built", value=f"U+{ord(found[0]):04X}",
                                   remedy="take the character out of the text; foreign text goes through format.text")
        for sign, piece in self.pieces.items():
            markup = markup.replace(piece, sign)
        return markup

    def shown(self, markup: str) -> str:
        """The same with what the signs stand for; PublicationError where one stands for nothing."""
        try:
            return _SIGN.sub(lambda found: self.pieces[found[0]], markup)
        except KeyError as error:
            raise PublicationError("a built page holds a sign that stands for nothing", value=f"U+{ord(error.args[0]):04X}",
                                   remedy="remove the working folder of the build beside the book; the next build begins anew") from None


def shared_of(site: Site, site_url: str) -> Shared:
    """What the pages of a site have in common."""
    index = site.index
    scales = {figures.scale_of(index), *(View(site, "en", model).scale for model in index["models"])}
    ticks = sorted({figures.ticks(scale) for scale in scales} - {""})
    return Shared({
        **{chr(_TICKS + k): x for k, x in enumerate(ticks)},
        **{dataset_sign(lang): _json(metadata.dataset(index, site.words, lang, site_url)) for lang in format.LANGUAGES},
        **{day_sign(lang): format.day(index["as_of"], lang) for lang in format.LANGUAGES},
        _ISO_DAY: format.plain(index["as_of"]), VERSION: format.plain(index["method_version"]),
    })


def _json(value: Any) -> str:
    """JSON for a <script>: no character in it ends one."""
    return str(htmlsafe_json_dumps(value, sort_keys=True))
