"""What the gate works with in every cycle: limits, the method's numbers, and what belongs to what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from siiq_core.gate.state import Published, Value
from siiq_core.params.gate import GateParams
from siiq_core.params.method import MethodParams
from siiq_core.records import Benchmark


@dataclass(frozen=True)
class Rules:
    """The same for all cycles of a method version."""

    limits: GateParams
    method: MethodParams
    benchmarks: Mapping[str, Benchmark]
    source_of: Mapping[str, str]  # benchmark → source
    keeps: frozenset[str]  # sources of which what leaves keeps its last value (U8)


def apart(a: float, b: float) -> float:
    """How far two scores are apart, rounded to 12 decimals before it meets a limit."""
    return round(abs(a - b), 12)


def differs(published: Published | None, value: Value) -> bool:
    """Is a listed value another one than the published? Another run of the same score is."""
    return published is None or published.value.score != value.score or published.value.run != value.run
