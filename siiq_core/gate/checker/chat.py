"""Asking a chat endpoint in OpenAI's format: one host, bounded in time and size, and its key shown nowhere.

Requests go through live reading's network layer: addresses are judged, certificates verified, proxies and redirects not
followed. What an endpoint says about its failures is not repeated, since it may echo what it was sent.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from siiq_core.errors import SiiqError
from siiq_core.evidence.live.body import CutShort, read_body
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.waiting import Clock, Deadline, DeadlinePassed, retry_after
from siiq_core.gate.checker.key import Key
from siiq_core.gate.checker.prompt import SCHEMA, Nonsense
from siiq_core.params.checker import CheckerParams

_PATH = "/chat/completions"
_NO_SCHEMA = (400, 415, 422, 501)  # what endpoints answer that do not know response_format
_FINAL = (401, 404, 405, 407)  # no row is to blame for these, and no other request would end otherwise
_FORMAT = {"type": "json_schema", "json_schema": {"name": "readings", "strict": True, "schema": SCHEMA}}


class OutOfReach(Exception):
    """No answer was to be had; `final` where asking anything else is pointless."""

    def __init__(self, what: str, final: bool = False) -> None:
        self.final = final
        super().__init__(what)


class _MayPass(Exception):
    def __init__(self, what: str, wanted_wait: float | None = None) -> None:
        self.wanted_wait = wanted_wait
        super().__init__(what)


@dataclass(frozen=True)
class Endpoint:
    """Where an AI model is asked.

    Parameters
    ----------
    base_url : checked address, without "/" at its end
    key : sent to that address alone
    network : what may be reached
    clock : the time; its `sleep` makes the waits between attempts
    """

    params: CheckerParams
    base_url: str
    key: Key
    network: Network
    clock: Clock


class Conversation:
    """One reading's requests, under one deadline; remembers that an endpoint knows no response_format."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint, self.structured = endpoint, True
        self.until = Deadline(endpoint.clock.monotonic() + endpoint.params.timeouts.reading, endpoint.clock)

    def say(self, messages: Sequence[Mapping[str, str]], attempts: int | None = None) -> str:
        """What the model answers, as text.

        Raises
        ------
        Nonsense
            There was an answer, and it is no chat answer; or the endpoint will not have this very request.
        OutOfReach
            There was none in the attempts and the time of params/checker.yml.
        """
        retries, clock, attempt = self.endpoint.params.retries, self.endpoint.clock, 0
        attempts = attempts or retries.attempts
        while True:
            attempt += 1
            try:
                return self._ask(messages)
            except DeadlinePassed:
                failure = _MayPass("the time for a request is up")
            except _MayPass as passing:
                failure = passing
            wanted = failure.wanted_wait or 0.0
            if attempt >= attempts or wanted > retries.longest_retry_after:  # who asks to be left alone is: not even the control follows
                raise OutOfReach(f"{failure} (attempts: {attempt})", final=failure.wanted_wait is not None)
            seconds = max(retries.wait(attempt), wanted)
            if self.until.left() <= seconds:
                raise OutOfReach(f"{failure}; the {self.endpoint.params.timeouts.reading:g} s for a reading are up", final=True)
            clock.sleep(seconds)

    def _ask(self, messages: Sequence[Mapping[str, str]]) -> str:
        status, body = self._post(messages, self.structured)
        if status in _NO_SCHEMA and self.structured:
            status, body = self._post(messages, False)
            self.structured = status != 200
        if status != 200:
            raise Nonsense(f"the endpoint turns the request away with status {status}")
        return self._content(body)

    def _post(self, messages: Sequence[Mapping[str, str]], structured: bool) -> tuple[int, bytes]:
        """Status and, with 200, the whole body."""
        end = self.endpoint
        seconds = end.params.timeouts
        deadline = Deadline(min(end.clock.monotonic() + seconds.request, self.until.at), end.clock)
        wanted = {"model": end.params.ai.model, "messages": list(messages), **({"response_format": _FORMAT} if structured else {})}
        headers = httpx.Headers([("Content-Type", "application/json"), ("Accept", "application/json"), ("Accept-Encoding", "gzip"),
                                 ("User-Agent", "siiq"), ("Connection", "close"), *end.key.headers()])
        timeout = httpx.Timeout(connect=seconds.connect, read=seconds.read, write=seconds.read, pool=seconds.connect)
        try:
            host = httpx.URL(end.base_url).netloc.decode("ascii")
            url = end.network.checked(end.base_url + _PATH, (host,))
            request = httpx.Request("POST", url, headers=headers, content=json.dumps(wanted).encode(), extensions={"timeout": timeout.as_dict()})
            with end.key.unlogged(), end.network.transport(deadline) as transport, contextlib.closing(transport.handle_request(request)) as answer:
                if answer.status_code != 200:
                    self._refused(answer)
                    return answer.status_code, b""
                return 200, read_body(answer, end.base_url, end.params.largest_answer)
        except (CutShort, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise _MayPass(f"the connection fails ({type(error).__name__})") from None
        except SiiqError as error:  # of the network layer: an address that may not be asked, or a body that is none
            what = type(error).__name__
        if what == "AddressRefused":
            raise OutOfReach("the address may not be asked, or its name leads where it may not", final=True) from None
        raise Nonsense(f"the answer is too large, a web page, or otherwise no JSON ({what})") from None

    def _refused(self, answer: httpx.Response) -> None:
        """Statuses that no other wording of the request would change; the others return."""
        status, params = answer.status_code, self.endpoint.params
        if status in params.retries.statuses or status >= 500 and status not in _NO_SCHEMA:
            raise _MayPass(f"answers with status {status}", retry_after(answer.headers.get("retry-after"), self.endpoint.clock.now()))
        if status < 400 or status in _FINAL:
            raise OutOfReach(f"answers with status {status}", final=True)

    def _content(self, body: bytes) -> str:
        """The text of the first choice of a chat answer."""
        try:
            whole: Any = json.loads(body)
            named, content = whole.get("model"), whole["choices"][0]["message"]["content"]
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise Nonsense("the answer is no chat answer") from None
        if not isinstance(content, str):
            raise Nonsense("the answer holds no text")
        if isinstance(named, str) and self.endpoint.params.of_the_writer(named):  # U2: an endpoint may route elsewhere than asked
            raise OutOfReach("another model answered than was asked, of the family of the writer of the site's texts", final=True)
        return content
