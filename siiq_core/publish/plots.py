"""Plots with two axes as inline SVG: curves, bands, dots and direct labels, as few marks as will do.

Positions are percentages of the plotting area and texts keep their size, so that the same marks serve a phone and a wide
window; only curves are stretched, with lines that are not. Colours are left to the style sheet (classes), so that dark mode
and print need nothing here. Every plot carries its text alternative; its numbers stand in a table beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from siiq_core.publish.format import plain

_UNITS = 1000  # of the stretched drawing, in each direction


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its ends, its labelled positions, what it measures; logarithmic where asked for."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]  # position and label, a label being plain text
    title: str = ""
    log: bool = False

    def at(self, value: float) -> float:
        """Position as a share of the axis; beyond 0 … 1 outside its ends."""
        f = math.log10 if self.log else float
        return (f(value) - f(self.low)) / (f(self.high) - f(self.low))

    def holds(self, value: float) -> bool:
        """Does the value lie within the ends?"""
        return self.low <= value <= self.high


def _pc(share: float) -> str:
    return f"{100 * min(1.0, max(0.0, share)):.2f}%"


def _said(text: str) -> str:
    """Text of a drawing, escaped; a percent sign stays with its number."""
    return plain(text).replace(" %", "\u00a0%")


def _units(share: float) -> str:
    return f"{_UNITS * min(3.0, max(-2.0, share)):.1f}".removesuffix(".0")  # what leaves the area is cut off by it


def _stretched(path: str, kind: str) -> str:
    return (f'<svg viewBox="0 0 {_UNITS} {_UNITS}" preserveAspectRatio="none" width="100%" height="100%">'
            f'<path class="{kind}" vector-effect="non-scaling-stroke" d="{path}"/></svg>')


def curve(points: Iterable[tuple[float, float]], x: Axis, y: Axis, kind: str = "curve") -> str:
    """A line through (x, y) points; `kind` is its class."""
    steps = [f"{_units(x.at(a))} {_units(1 - y.at(b))}" for a, b in points]
    return _stretched("M" + "L".join(steps), kind)


def band(points: Iterable[tuple[float, float, float]], x: Axis, y: Axis, kind: str = "area") -> str:
    """The area between two lines: (x, lower, upper) points."""
    rows = list(points)
    there = [f"{_units(x.at(a))} {_units(1 - y.at(high))}" for a, _, high in rows]
    back = [f"{_units(x.at(a))} {_units(1 - y.at(low))}" for a, low, _ in reversed(rows)]
    return _stretched("M" + "L".join(there + back) + "Z", kind)


def segments(bars: Iterable[tuple[float, float, float]], x: Axis, y: Axis, kind: str = "segments") -> str:
    """Upright strokes: (x, lower, upper) each."""
    return _stretched("".join(f"M{_units(x.at(a))} {_units(1 - y.at(low))}L{_units(x.at(a))} {_units(1 - y.at(high))}" for a, low, high in bars), kind)


def dots(points: Iterable[tuple[float, float]], x: Axis, y: Axis, kind: str = "dot", r: float = 3.5) -> str:
    """A dot at each (x, y) inside the plotting area."""
    return "".join(f'<circle class="{kind}" cx="{_pc(x.at(a))}" cy="{_pc(1 - y.at(b))}" r="{r:g}"/>' for a, b in points if x.holds(a) and y.holds(b))


def shapes(points: Iterable[tuple[float, float]], x: Axis, y: Axis, outline: str, kind: str) -> str:
    """At each (x, y) the same small drawing: `outline` is a path around 0 0, in pixels, which keeps its size."""
    return "".join(f'<svg class="{kind}" x="{_pc(x.at(a))}" y="{_pc(1 - y.at(b))}" overflow="visible"><path d="{outline}"/></svg>' for a, b in points)


def across(value: float, y: Axis, kind: str = "limit") -> str:
    """A level line over the whole width."""
    at = _pc(1 - y.at(value))
    return f'<line class="{kind}" x1="0" x2="100%" y1="{at}" y2="{at}"/>'


def upright(value: float, x: Axis, kind: str = "limit") -> str:
    """An upright line over the whole height."""
    at = _pc(x.at(value))
    return f'<line class="{kind}" x1="{at}" x2="{at}" y1="0" y2="100%"/>'


def tag(a: float, b: float, text: str, x: Axis, y: Axis, anchor: str = "start", dx: int = 6, dy: int = -6, kind: str = "tag") -> str:
    """A direct label at (a, b), moved by a few pixels."""
    return f'<text class="{kind}" x="{_pc(x.at(a))}" y="{_pc(1 - y.at(b))}" dx="{dx}" dy="{dy}" text-anchor="{anchor}">{_said(text)}</text>'


def plot(marks: Sequence[str], x: Axis, y: Axis, alternative: str, kind: str = "") -> str:
    """Axes, grid and marks in one SVG; `alternative` is the picture in words, as plain text."""
    grid = [f'<line class="grid" x1="0" x2="100%" y1="{_pc(1 - y.at(v))}" y2="{_pc(1 - y.at(v))}"/>'
            f'<text class="label" x="0" dx="-7" y="{_pc(1 - y.at(v))}" dy="4" text-anchor="end">{_said(label)}</text>' for v, label in y.ticks]
    grid += [f'<line class="grid" x1="{_pc(x.at(v))}" x2="{_pc(x.at(v))}" y1="100%" y2="0"/>'
             f'<text class="label" x="{_pc(x.at(v))}" y="100%" dy="18" text-anchor="middle">{_said(label)}</text>' for v, label in x.ticks]
    titles = [f'<text class="label title" x="0" y="0" dx="-44" dy="-12">{_said(y.title)}</text>' if y.title else "",
              f'<text class="label title" x="100%" y="100%" dy="38" text-anchor="end">{_said(x.title)}</text>' if x.title else ""]
    return (f'<div class="plot{" " + kind if kind else ""}"><svg role="img" aria-label="{_said(alternative)}" focusable="false">'
            + "".join([*grid, *marks, *titles]) + "</svg></div>")
