"""What the text says, worked out anew from everything that was ever shown: slow, and with no code of the gate's own.

Nothing is carried along here but the history: what each source listed when, and what was published at each time.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from siiq_core.gate.state import Key, Snapshot, State
from tests.gate.properties.worlds import BENCHMARKS, CALIBRATION, FAMILY, RULES, SOURCE_OF, Step

SIX = 6.0


def hours(a: str, b: str) -> float:
    return (datetime.datetime.fromisoformat(b) - datetime.datetime.fromisoformat(a)).total_seconds() / 3600


def far(a: float, b: float) -> float:
    return round(abs(a - b), 12)


@dataclass(frozen=True)
class Taken:
    """A content of a source that was good, and what was published when it was seen."""

    at: str
    content: Snapshot
    published: Mapping[Key, tuple[float, str]]


def history(steps: Sequence[Step], source: str) -> list[Taken]:
    """Good contents of a source up to the last step's look, oldest first; which of them were good is asked of the state (U6, U7).

    A content comes by a look, or by a person who takes a smaller file or a new baseline. The same content twice is no snapshot.
    """
    out: list[Taken] = []
    for step in steps:
        for old, new in ((step.before, step.operated), (step.operated, step.seen), *(((step.seen, step.after),) if step is not steps[-1] else ())):
            there, before = new.sources.get(source), old.sources.get(source)
            if there is not None and there.failure is None and (before is None or there.good is not before.good) and (not out or out[-1].content.sha256 != there.good.sha256):
                out.append(Taken(step.now, there.good, {k: (x.value.score, x.value.run) for k, x in old.published.items()}))
    return out


def appeared(taken: Sequence[Taken], key: Key, published: Mapping[Key, tuple[float, str]]) -> str:
    """When the value that is listed last first appeared as the pending value it is."""
    at = taken[-1].at
    for older, newer in zip(reversed(taken[:-1]), reversed(taken)):
        was, now = older.content.values.get(key), newer.content.values[key]
        pending = was is not None and newer.published.get(key) != (was.score, was.run)
        same = was is not None and (far(was.score, now.score) <= 0.02)
        if not (pending and same):
            break
        at = older.at
    return at


def confirmed(taken: Sequence[Taken], key: Key, now: str) -> bool:
    """U: the newest content that differs from the current one, six hours old but no older than the value, had it within 0.02."""
    current = taken[-1].content
    since = appeared(taken, key, taken[-1].published)
    for x in reversed(taken):
        if x.content.sha256 != current.sha256 and hours(x.at, now) >= SIX:
            return x.at >= since and key in x.content.values and far(x.content.values[key].score, current.values[key].score) <= 0.02
    return False


def z(key: Key, score: float, others: Mapping[str, float]) -> float | None:
    """U3b, from the formulas of T, S and U3."""
    model, benchmark = key
    used = {b: s for b, s in others.items() if FAMILY[b] != FAMILY[benchmark]}
    if len({FAMILY[b] for b in used}) < 2:
        return None

    def logit(b: str, s: float) -> tuple[float, float]:
        x = BENCHMARKS[b]
        p = (min(max((s - x.g) / (x.c - x.g), 0), 1) * x.n + 0.5) / (x.n + 1)
        smooth = x.g + (x.c - x.g) * p
        return math.log(p / (1 - p)), smooth * (1 - smooth) * x.n / ((x.n + 1) ** 2 * (x.c - x.g) ** 2 * p**2 * (1 - p) ** 2)

    top = bottom = spread = 0.0
    for b, s in used.items():
        y, v = logit(b, s)
        w = CALIBRATION.omega[b] / sum(FAMILY[x] == FAMILY[b] for x in used) / (CALIBRATION.sigma2[b] + v)
        top += w * CALIBRATION.alpha[b] * (y - CALIBRATION.beta[b])
        bottom += w * CALIBRATION.alpha[b] ** 2
        spread += w**2 * CALIBRATION.alpha[b] ** 2 * (CALIBRATION.sigma2[b] + v)
    d = RULES.method.lam + bottom
    y, v = logit(benchmark, score)
    return (y - CALIBRATION.alpha[benchmark] * top / d - CALIBRATION.beta[benchmark]) / math.sqrt(
        CALIBRATION.sigma2[benchmark] + v + CALIBRATION.alpha[benchmark] ** 2 * spread / d**2)


def loses_rows(good: Snapshot, seen: Snapshot, frozen: set[str]) -> bool:
    """U6a: more than 30 % fewer rows, in the source or on one benchmark; those defined otherwise do not count."""
    pairs = [(good.rows_on.get(b, 0), seen.rows_on.get(b, 0)) for b in good.rows_on if b not in frozen]
    whole = sum(n for n, _ in pairs), sum(n for _, n in pairs)
    return any(had > 0 and round(1 - has / had, 12) > 0.3 for had, has in (*pairs, whole))


def source_failed(state: State, key: Key) -> bool:
    source = state.sources.get(SOURCE_OF[key[1]])
    return source is None or source.failure is not None
