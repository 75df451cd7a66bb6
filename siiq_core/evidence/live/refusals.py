"""What live reading refuses. Every one is a SourceError: the source's last good data stays (U6a)."""

from __future__ import annotations

from urllib.parse import urlsplit

from siiq_core.errors import SourceError


class FetchRefused(SourceError):
    """An address was not read.

    Parameters
    ----------
    what : what is wrong, in one sentence
    url : the address it is about; shown without its query, which may hold a signature
    remedy : what would mend it
    """

    def __init__(self, what: str, url: str, remedy: str) -> None:
        self.url = url
        super().__init__(what, value=shown(url), remedy=remedy)


class AddressRefused(FetchRefused):
    """An address that may not be asked: scheme, host, port, credentials, or where its name leads."""


class AnswerRefused(FetchRefused):
    """An answer that is final and no file: an error status, a web page, an encoding nobody asked for."""

    def __init__(self, what: str, url: str, remedy: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(what, url, remedy)


class TooLarge(FetchRefused):
    """More bytes than a bound allows; the bound is named."""


class Unreachable(FetchRefused):
    """No whole answer in the attempts or the time allowed.

    Attributes
    ----------
    attempts : requests made
    retry_after : seconds the publisher asked to be left alone, None where it did not say
    """

    def __init__(self, what: str, url: str, remedy: str, attempts: int, retry_after: float | None = None) -> None:
        self.attempts, self.retry_after = attempts, retry_after
        super().__init__(what, url, remedy)


class ZipRefused(SourceError):
    """A zip archive that is damaged, hostile or beyond a bound; nothing of it is used."""


class ArchiveError(SourceError):
    """A file of the archive that is damaged, or a content that may not enter it."""


class TookTooLong(SourceError):
    """A source that had not been read when its time was up."""


class ReaderFailed(SourceError):
    """A defect in a source's reader, kept from the other sources."""


def shown(url: str) -> str:
    """An address for messages: no credentials, no query, no fragment."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return url.partition("?")[0].rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else url.partition("?")[0]


def plain(value: object, limit: int = 120) -> str:
    """Text that a stranger may have written, for messages: printable ASCII, and not much of it."""
    return ascii(str(value))[1:-1][:limit]
