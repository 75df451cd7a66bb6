"""Time in live reading: the clock is an argument, a deadline holds for all that one request does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_DATE = re.compile(r"[A-Za-z]{3,9}, [ -~]{10,40}|[A-Za-z]{3} [A-Za-z]{3} [ -~]{10,30}")  # the three forms of HTTP


@dataclass(frozen=True, slots=True)
class Clock:
    """What live reading knows of time. `now` is aware; `monotonic` and `sleep` are in seconds."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]

    def stamp(self) -> str:
        """`now` as the project writes times: UTC, whole seconds, Z."""
        return self.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def system_clock() -> Clock:
    """The machine's own; handed over by whoever starts a live run (command line, pipeline)."""
    return Clock(lambda: datetime.now(UTC), time.monotonic, time.sleep)


class DeadlinePassed(Exception):
    """The time for a request is up; becomes Unreachable in the client."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock after which nothing more is waited for."""

    at: float
    clock: Clock

    def left(self) -> float:
        """Seconds left; negative when it has passed."""
        return self.at - self.clock.monotonic()

    def cap(self, seconds: float | None) -> float:
        """A timeout of at most `seconds` that ends with the deadline; DeadlinePassed where that has been."""
        left = self.left()
        if left <= 0:
            raise DeadlinePassed
        return left if seconds is None else min(seconds, left)


def http_date(text: str) -> datetime | None:
    """An HTTP date as a moment in UTC; None where it is none."""
    if not _DATE.fullmatch(text):
        return None
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def retry_after(text: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or as a date (past: 0); None where it says nothing."""
    text = (text or "").strip()
    if re.fullmatch(r"[0-9]{1,10}", text):
        return float(text)
    moment = http_date(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())
