"""Published against recomputed: what a verification says in the end."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from .refit import TROUBLE

Pair = tuple[str, object, object]  # path, published, recomputed


@dataclass(frozen=True)
class Mismatch:
    """One published value that does not follow. `difference` is published − recomputed, None where that has no meaning."""

    path: str  # e.g. models[some-slug].areas.math.se
    published: object
    recomputed: object
    difference: float | None


@dataclass(frozen=True)
class Check:
    """One rule looked at, over the whole file."""

    name: str
    rule: str
    passed: bool
    notes: str


@dataclass(frozen=True)
class Report:
    """All checks, and every value that is off, by its path."""

    checks: tuple[Check, ...]
    mismatches: tuple[Mismatch, ...] = ()

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def summary(self) -> str:
        """A line for people."""
        failed = [check.name for check in self.checks if not check.passed]
        if not failed:
            return f"{len(self.checks)} checks, all passed"
        return f"{len(failed)} of {len(self.checks)} checks failed: {', '.join(failed)}; {len(self.mismatches)} values are off"


def allowance(value: float, tolerance: float) -> float:
    """How far a published number may be off: `tolerance`, or one unit of its 12th digit where that is more (from 1000 on)."""
    return max(tolerance, 10.0 ** (math.floor(math.log10(abs(value))) - 11)) if value else tolerance


def mismatch(path: str, published: object, recomputed: object, tolerance: float) -> Mismatch | None:
    """What is off, if anything is. Only two numbers, one of them a float, are compared with the tolerance."""
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (published, recomputed))
    if not numbers:
        return None if published == recomputed else Mismatch(path, published, recomputed, None)
    difference = published - recomputed
    exact = isinstance(published, int) and isinstance(recomputed, int)
    return None if abs(difference) <= (0 if exact else allowance(recomputed, tolerance)) else Mismatch(path, published, recomputed, difference)


def compare(name: str, rule: str, pairs: Iterable[Pair], tolerance: float) -> tuple[Check, list[Mismatch]]:
    """One check over `pairs`; a computation that leaves the finite numbers fails it too."""
    count, off = 0, []
    try:
        for path, published, recomputed in pairs:
            count += 1
            wrong = mismatch(path, published, recomputed, tolerance)
            if wrong:
                off.append(wrong)
    except (*TROUBLE, RecursionError) as trouble:
        return Check(name, rule, False, f"cannot be recomputed: {trouble}"), off
    named = ", ".join(m.path for m in off[:3]) + (" …" if len(off) > 3 else "")
    return Check(name, rule, not off, f"{len(off)} of {count} off: {named}" if off else f"{count} compared"), off
