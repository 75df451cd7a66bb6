"""Times are text: UTC, ISO 8601 with Z, whole seconds. Of one width, so their order as text is their order in time."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache

from siiq_core.errors import SiiqError

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@lru_cache(maxsize=65536)
def moment(at: str) -> datetime.datetime:
    """The time that `at` says; SiiqError where it is of another form."""
    try:
        if not _FORM.fullmatch(at):
            raise ValueError
        return datetime.datetime.fromisoformat(at)
    except (TypeError, ValueError):
        raise SiiqError("is no time in UTC", value=at, remedy="write it as 2026-09-01T06:00:00Z") from None


def stamp(when: datetime.datetime) -> str:
    """The text of a time."""
    return when.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def at_least(earlier: str, now: str, *, hours: float = 0, days: float = 0) -> bool:
    """Have so many hours and days passed? Exactly so many have."""
    return moment(now) - moment(earlier) >= datetime.timedelta(hours=hours, days=days)


def latest_boundary(now: str, day: int, hour: int) -> str:
    """The newest time at or before `now` that is the given day of a month at the given hour (C9)."""
    when = moment(now)
    found = when.replace(day=day, hour=hour, minute=0, second=0)
    if found > when:
        found = (found.replace(day=1) - datetime.timedelta(days=1)).replace(day=day)
    return stamp(found)
