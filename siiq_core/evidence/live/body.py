"""The body of an answer: read within a bound, decoded within the same bound, whole or refused."""

from __future__ import annotations

import re
import zlib

import httpx

from siiq_core.evidence.live.refusals import AnswerRefused, TooLarge, plain

_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.{0,500}?-->\s*)?(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]",
                       re.IGNORECASE | re.DOTALL)
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


class CutShort(Exception):
    """The answer ended before it was whole. That may pass: the client tries again."""


def read_body(answer: httpx.Response, url: str, max_bytes: int) -> bytes:
    """The decoded body, complete.

    No charset is applied: the exact bytes are what is hashed and archived, and adapters read UTF-8 or refuse. A label
    (Content-Type) decides nothing either, but that of a web page, since no source is one.

    Raises
    ------
    TooLarge
        More than `max_bytes` declared, sent, or after decoding.
    AnswerRefused
        A web page, an encoding nobody asked for, a body that is not what its encoding says, one without an end that
        could be told from a cut, nothing at all.
    CutShort
        It ended early.
    """
    coding = answer.headers.get("content-encoding", "").strip().lower()
    media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    declared = answer.headers.get("content-length", "")
    if media in _PAGE_TYPES:
        raise _page(url, f"labelled {media}")
    if coding not in ("", "identity", "gzip", "x-gzip"):
        raise AnswerRefused(f"is encoded as {plain(coding, 60)}, which was not asked for", url, "tell the publisher; gzip or nothing was asked for")
    if declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(url, f"declares {int(declared):,} bytes", max_bytes)
    zipped = coding in ("gzip", "x-gzip")
    chunked = "chunked" in answer.headers.get("transfer-encoding", "").lower()
    if not (declared or chunked or zipped):  # the connection's end would be the only sign, and a cut looks the same
        raise AnswerRefused("states neither its length nor its end, so that a cut would not show", url,
                            "tell the publisher; the last good data stays", answer.status_code)
    content = (_Gunzip(url, max_bytes) if zipped else _Plain(url, max_bytes)).all(answer)
    if not content:
        raise AnswerRefused("is empty", url, "try later; the last good data stays", answer.status_code)
    if _WEB_PAGE.match(content[:2_000]):
        raise _page(url, "by its first bytes")
    return content


def _page(url: str, how: str) -> AnswerRefused:
    return AnswerRefused(f"answers with a web page ({how}) where a data file was expected", url,
                         "look at the address in a browser: the file may have moved, or a log-in stands before it", 200)


def _too_large(url: str, what: str, max_bytes: int) -> TooLarge:
    return TooLarge(f"{what}, more than the bound max_bytes of {max_bytes:,}", url,
                    "if the file has really grown so much, raise max_bytes of the source in params/live.yml")


class _Plain:
    def __init__(self, url: str, max_bytes: int) -> None:
        self.url, self.max_bytes, self.sent, self.content = url, max_bytes, 0, bytearray()

    def all(self, answer: httpx.Response) -> bytes:
        for piece in answer.iter_raw():
            self.sent += len(piece)
            if self.sent > self.max_bytes:
                raise _too_large(self.url, f"sent {self.sent:,} bytes so far", self.max_bytes)
            self.take(piece)
        self.end()
        return bytes(self.content)

    def take(self, piece: bytes) -> None:
        self.content += piece

    def end(self) -> None:
        """Nothing to check: the length or the chunks told the end."""


class _Gunzip(_Plain):
    """gzip, one or several members, never unpacked further than the bound plus one byte."""

    def __init__(self, url: str, max_bytes: int) -> None:
        super().__init__(url, max_bytes)
        self.member = zlib.decompressobj(wbits=31)
        self.started = False

    def take(self, piece: bytes) -> None:
        while piece:
            if self.member.eof:
                self.member = zlib.decompressobj(wbits=31)
            room = self.max_bytes - len(self.content) + 1
            try:
                self.content += self.member.decompress(piece, room)
            except zlib.error as error:
                raise AnswerRefused(f"is labelled gzip and is none ({error})", self.url, "tell the publisher; the last good data stays") from error
            if len(self.content) > self.max_bytes:
                raise _too_large(self.url, f"unpacks from {self.sent:,} to more than {self.max_bytes:,} bytes", self.max_bytes)
            self.started = True
            piece = self.member.unused_data if self.member.eof else self.member.unconsumed_tail

    def end(self) -> None:
        if self.started and not self.member.eof:
            raise CutShort("ended in the middle of its gzip stream")
