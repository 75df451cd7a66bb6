"""What one source's publisher is asked in one run: with the validators the archive knows, nothing twice, and what of the
answers is to be kept. A plan (plans.py) asks through this, so that it says what it wants and nothing about conditions."""

from __future__ import annotations

from siiq_core.evidence.live.archive import Archive
from siiq_core.evidence.live.archive_records import Answer
from siiq_core.evidence.live.client import Client, Fetched
from siiq_core.evidence.live.refusals import ArchiveError


class Asking:
    """One run's questions to one publisher.

    Attributes
    ----------
    answers : addresses asked, with the validators of what they answered: what the next run asks with
    news : True once an answer was more than "nothing new"
    """

    def __init__(self, client: Client, archive: Archive, source: str) -> None:
        self.client, self.archive, self.source = client, archive, source
        self.answers: list[Answer] = []
        self.news = False

    def look(self, url: str, max_bytes: int | None = None) -> bytes | None:
        """The answer's bytes; None where the publisher says that nothing is new since the newest archived content."""
        return self._ask(url, max_bytes).content

    def file(self, url: str) -> bytes:
        """A file of the source: as it answers, or from the archive where the publisher says that it is still the same."""
        found = self._ask(url)
        return found.content if found.content is not None else self._archived(url)

    def fixed(self, url: str) -> bytes:
        """A file whose address promises the same bytes for ever: asked for only where the newest content has it not."""
        try:
            return self._archived(url)
        except ArchiveError:  # not there, or damaged: then a fresh copy mends it
            found = self.client.fetch(self.source, url)
            assert found.content is not None  # asked without a condition
            self.news = True
            return found.content

    def _ask(self, url: str, max_bytes: int | None = None) -> Fetched:
        found = self.client.fetch(self.source, url, self.archive.validators(self.source, url), max_bytes)
        self.answers.append(Answer(address=url, etag=found.etag, last_modified=found.last_modified))
        self.news = self.news or not found.unchanged
        return found

    def _archived(self, url: str) -> bytes:
        newest = self.archive.newest(self.source)
        kept = next((m for m in newest.members if m.address == url), None) if newest else None
        if kept is None:
            raise ArchiveError("the newest archived content has no file of this address", value=url, remedy="fetch it without a condition")
        return self.archive.read(kept.sha256)
