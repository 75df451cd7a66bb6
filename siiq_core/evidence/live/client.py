"""One polite client for all publishers: conditional requests, bounded retries, nothing but listed hosts (U1).

It is synchronous, and each source is read in a thread of its own (together.py), because what must not wait for each
other are a handful of publishers, not thousands of requests. So adapters stay plain functions, the same code runs in a
notebook (whose kernel already has an event loop), and a thread that hangs in a name look-up holds up nobody. Every wait
on a socket is capped by the request's deadline, which is what an event loop would otherwise be wanted for.

A request opens one connection and closes it; a `Client` holds no state and may be shared by threads.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass

import httpcore
import httpx

from siiq_core.evidence.live.body import CutShort, read_body
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.refusals import AddressRefused, AnswerRefused, Unreachable, plain
from siiq_core.evidence.live.validators import Validators, clean, validators_of
from siiq_core.evidence.live.waiting import Clock, Deadline, DeadlinePassed, retry_after
from siiq_core.params.live import LiveParams, LiveSource

_REDIRECTS = (301, 302, 303, 307, 308)
_LATER = "nothing to do: the last good data stays, and the next run tries again"
_REMEDIES = {
    401: "the publisher asks for a key now; see how the file is offered today",
    403: "the publisher turns us away; write to them, or fill in contact in params/live.yml",
    404: "look for the file's new address and mend params/sources.yml",
    410: "the publisher took the file away; mark the source as archived in params/sources.yml",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer. Times in UTC, ISO 8601 with Z."""

    url: str  # as asked for
    final_url: str  # after redirects
    status: int  # 200: `content` is the whole file; 304: nothing new, which is no snapshot
    content: bytes | None  # exact bytes, after Content-Encoding; None with 304
    etag: str | None  # of this content; with 304 those that were asked with, whatever the answer carried
    last_modified: str | None
    retrieved_at: str

    @property
    def unchanged(self) -> bool:
        """True where the publisher said that nothing is new."""
        return self.status == 304

    @property
    def validators(self) -> Validators:
        """What to ask with the next time."""
        return Validators(self.etag, self.last_modified)


class _MayPass(Exception):
    """A failure after which another attempt makes sense."""

    def __init__(self, what: str, wanted_wait: float | None = None) -> None:
        self.what, self.wanted_wait = what, wanted_wait
        super().__init__(what)


@dataclass(frozen=True)
class Client:
    """Reads publishers' files.

    Parameters
    ----------
    params : params/live.yml
    network : what may be reached
    clock : the time; its `sleep` makes the waits between attempts
    """

    params: LiveParams
    network: Network
    clock: Clock

    def fetch(self, source: str, url: str, known: Validators = Validators(), max_bytes: int | None = None) -> Fetched:
        """The file at `url`, or word that it is still the one known by `known`.

        Parameters
        ----------
        source : id in params/live.yml, whose hosts and size hold
        known : validators of the content we have; none: the file is asked for without a condition
        max_bytes : a bound tighter than the source's, for a file known to be small

        Raises
        ------
        AddressRefused, AnswerRefused, TooLarge
            Final: another attempt would end alike.
        Unreachable
            No whole answer in the attempts and the time of params/live.yml.
        """
        place = self.params.source(source)
        deadline = Deadline(self.clock.monotonic() + self.params.timeouts.deadline, self.clock)
        bound = place.max_bytes if max_bytes is None else min(max_bytes, place.max_bytes)
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._follow(url, place, clean(known), bound, deadline)
            except DeadlinePassed:
                raise self._too_late(url, attempt) from None
            except _MayPass as failure:
                if deadline.left() <= 0:
                    raise self._too_late(url, attempt, failure) from failure
                self._wait(url, attempt, failure, deadline)

    def _too_late(self, url: str, attempts: int, failure: _MayPass | None = None) -> Unreachable:
        last = f"; last: {failure.what}" if failure else ""
        return Unreachable(f"not read within the deadline of {self.params.timeouts.deadline:g} s{last}", url, _LATER, attempts)

    def _wait(self, url: str, attempt: int, failure: _MayPass, deadline: Deadline) -> None:
        """Wait before the next attempt; Unreachable where there is none, or its wait would be too long."""
        retries, wanted = self.params.retries, failure.wanted_wait
        if attempt == retries.attempts:
            raise Unreachable(f"{failure.what} (attempts: {attempt})", url, _LATER, attempt, wanted) from failure
        if wanted is not None and wanted > retries.longest_retry_after:
            raise Unreachable(f"{failure.what}; asks to be left alone for {wanted:.0f} s, longer than the {retries.longest_retry_after:g} s "
                              "of longest_retry_after", url, _LATER, attempt, wanted) from failure
        seconds = max(retries.wait(attempt), wanted or 0.0)
        if seconds >= deadline.left():
            raise Unreachable(f"{failure.what}; the deadline ends before the next attempt could start", url, _LATER, attempt, wanted) from failure
        self.clock.sleep(seconds)

    def _follow(self, url: str, place: LiveSource, known: Validators, bound: int, deadline: Deadline) -> Fetched:
        """One attempt: the request and its redirects, each of them checked like the first address."""
        here, seen = self.network.checked(url, place.hosts), []
        while True:
            if here in seen:
                raise AddressRefused("redirects in a circle", url, "tell the publisher; the last good data stays")
            seen.append(here)
            answer = self._ask(url, here, known, bound, deadline)
            if answer is None:  # a 304 about another content than ours: read the file anew
                seen.pop()
                known = Validators()
            elif isinstance(answer, Fetched):
                return answer
            elif len(seen) > self.params.redirects:
                raise AddressRefused(f"redirects more than {self.params.redirects} times", url, "find the file's new address, or raise redirects in params/live.yml")
            else:
                here = self.network.checked(answer, place.hosts)

    def _ask(self, url: str, here: httpx.URL, known: Validators, bound: int, deadline: Deadline) -> Fetched | str | None:
        """One request: the file, or where it is said to be (text), or None for a 304 that is not about `known`."""
        headers = {"User-Agent": self.params.agent, "Accept": "*/*", "Accept-Encoding": "gzip", "Connection": "close", **known.headers}
        seconds = self.params.timeouts
        timeout = httpx.Timeout(connect=seconds.connect, read=seconds.read, write=seconds.read, pool=seconds.connect)
        request = httpx.Request("GET", here, headers=headers, extensions={"timeout": timeout.as_dict()})
        try:
            # The transport alone: httpx's Client would keep cookies, and follow in thought where a redirect leads.
            with self.network.transport(deadline) as transport, contextlib.closing(transport.handle_request(request)) as answer:
                if answer.status_code == 200:
                    content, news = read_body(answer, str(here), bound), validators_of(answer.headers)
                    return Fetched(url, str(here), 200, content, news.etag, news.last_modified, self.clock.stamp())
                return self._without_content(answer, url, here, known)
        except CutShort as error:
            raise _MayPass(f"the answer {error}") from error
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise self._failure(error, str(here)) from error

    def _without_content(self, answer: httpx.Response, url: str, here: httpx.URL, known: Validators) -> Fetched | str | None:
        status, headers = answer.status_code, answer.headers
        if status == 304 and known:
            if known.contradicts(validators_of(headers)):
                return None
            return Fetched(url, str(here), 304, None, known.etag, known.last_modified, self.clock.stamp())
        if status in _REDIRECTS:
            return _target(here, headers)
        if status in self.params.retries.statuses:
            raise _MayPass(f"answers with status {status}", retry_after(headers.get("retry-after"), self.clock.now()))
        raise AnswerRefused(f"answers with status {status}", str(here), _REMEDIES.get(status, "look at the address; the last good data stays"), status)

    def _failure(self, error: Exception, here: str) -> Exception:
        """A transport's exception as a refusal, or as one that may pass."""
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return AnswerRefused(f"its certificate is not accepted ({cause.verify_message})", here,
                                     "nothing was read; look at the publisher's certificate and at this machine's clock")
            cause = cause.__cause__ or cause.__context__
        if isinstance(error, httpcore.TimeoutException):
            return _MayPass(f"is silent for too long ({type(error).__name__})")
        return _MayPass(f"the connection fails ({type(error).__name__}: {plain(error)})")


def _target(here: httpx.URL, headers: Mapping[str, str]) -> str:
    """Where a redirect leads, as an absolute address that is still to be checked."""
    location = headers.get("location", "").strip()
    try:
        return str(here.join(location)) if location else ""
    except (httpx.InvalidURL, ValueError):
        return location
