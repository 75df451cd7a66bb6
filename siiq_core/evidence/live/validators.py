"""Validators of a conditional request (RFC 9110, 8.8 and 13.1): what tells whether a file is still the one we have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from siiq_core.evidence.live.waiting import http_date

_ETAG = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,500}"')


@dataclass(frozen=True, slots=True)
class Validators:
    """An ETag, weak (``W/"a"``) or strong (``"a"``), and a Last-Modified date, both as the publisher wrote them."""

    etag: str | None = None
    last_modified: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The condition as request headers. Both go out; a server that knows If-None-Match passes the date over."""
        pairs = (("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified))
        return {name: value for name, value in pairs if value}

    def __bool__(self) -> bool:
        return bool(self.headers)

    def contradicts(self, other: Validators) -> bool:
        """True where both have an ETag and the two are not even weakly the same."""
        return bool(self.etag and other.etag) and not same_etag(self.etag, other.etag)


def validators_of(headers: Mapping[str, str]) -> Validators:
    """The validators of an answer; what is none by the standard's grammar is passed over, never sent back."""
    etag, date = headers.get("etag", "").strip(), headers.get("last-modified", "").strip()
    return Validators(etag if _ETAG.fullmatch(etag) else None, date if http_date(date) else None)


def clean(known: Validators) -> Validators:
    """`known` without what could not be sent (it may come from a file that somebody edited)."""
    return validators_of({"etag": known.etag or "", "last-modified": known.last_modified or ""})


def same_etag(one: str, other: str) -> bool:
    """Weak comparison, the one If-None-Match asks for: ``W/"a"`` and ``"a"`` are the same."""
    return one.removeprefix("W/") == other.removeprefix("W/")
