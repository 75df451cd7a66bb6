"""The scale, drawn once and used everywhere: SI-IQ points from left to right, a tick for each reference model, 100 marked,
a dot with a 90 % bar for a model.

Positions are percentages of the width, so that the same few marks serve a table cell, a figure and a phone without being
squeezed; colours are left to the style sheet. Text alternatives stand beside the marks, as the numbers of the table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.publish.format import plain, shortened, signed, span

_STEP = 20  # points between labelled positions


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis: its ends, the centre and the reference group, all in SI-IQ points."""

    low: float
    high: float
    mean: float
    reference: tuple[float, ...]

    def x(self, points: float) -> float:
        """Position in per cent of the width, kept inside the drawing."""
        return min(100.0, max(0.0, 100 * (points - self.low) / (self.high - self.low)))


def scale_of(index: Mapping[str, Any]) -> Scale:
    """One axis for every page: it holds the intervals of all ranked models and the reference group."""
    members, mean = set(index["reference_group"]["members"]), float(index["constants"]["mean"])
    reference = tuple(sorted(m["siiq"] for m in index["models"] if m["slug"] in members))
    points = [mean, *reference, *(m[end] for m in index["models"] if m["ranked"] for end in ("low", "high"))]
    low, high = math.floor(min(points) / 10) * 10, math.ceil(max(points) / 10) * 10
    return Scale(low - 10 * (low == min(points)), high + 10 * (high == max(points)), mean, reference)


def _p(value: float) -> str:
    return f"{value:.2f}%"


def marks(scale: Scale, siiq: float, low: float, high: float, kind: str = "") -> str:
    """A model on the scale: bar from `low` to `high`, dot at `siiq`, line at the centre. One table cell."""
    centre = _p(scale.x(scale.mean))
    return (f'<svg class="scale{" " + kind if kind else ""}" aria-hidden="true" focusable="false">'
            f'<line class="centre" x1="{centre}" x2="{centre}" y1="0" y2="100%"/>'
            f'<line class="bar" x1="{_p(scale.x(low))}" x2="{_p(scale.x(high))}" y1="50%" y2="50%"/>'
            f'<circle class="dot" cx="{_p(scale.x(siiq))}" cy="50%" r="4"/></svg>')


def axis(scale: Scale) -> str:
    """The axis above a column of marks: reference ticks and the round numbers below them."""
    return f'<svg class="scale axis" aria-hidden="true" focusable="false">{ticks(scale)}{_labels(scale)}</svg>'


def ticks(scale: Scale) -> str:
    """A tick for each reference model."""
    return "".join(f'<line class="ref" x1="{_p(scale.x(r))}" x2="{_p(scale.x(r))}" y1="1" y2="11"/>' for r in scale.reference)


def _positions(scale: Scale) -> range:
    return range(math.ceil(scale.low / _STEP) * _STEP, math.floor(scale.high) + 1, _STEP)


def _labels(scale: Scale) -> str:
    out = []
    for value in _positions(scale):
        x = scale.x(value)
        anchor = "start" if x < 4 else "end" if x > 96 else "middle"
        mark = " mean" if value == scale.mean else ""
        out.append(f'<line class="grid{mark}" x1="{_p(x)}" x2="{_p(x)}" y1="13" y2="18"/>'
                   f'<text class="label{mark}" x="{_p(x)}" y="31" text-anchor="{anchor}">{value}</text>')
    return "".join(out)


def change_axis(most: float, lang: str) -> str:
    """The axis above a column of changes, from −`most` to `most`, with 0 in the middle."""
    labels = "".join(f'<text class="label" x="{x}%" y="31" text-anchor="{anchor}">{text}</text>' for x, anchor, text in
                     ((0, "start", signed(-most, 0, lang)), (50, "middle", "0"), (100, "end", signed(most, 0, lang))))
    return f'<svg class="scale axis" aria-hidden="true" focusable="false">{labels}</svg>'


def change_bar(low: float, high: float, most: float, ring: float | None = None) -> str:
    """Changes on that axis: a bar from `low` to `high`, and a ring. One table cell."""
    def at(value: float) -> str:
        return _p(50 + 50 * value / most)

    more = f'<circle class="ring" cx="{at(ring)}" cy="50%" r="4"/>' if ring is not None else ""
    return (f'<svg class="scale" aria-hidden="true" focusable="false"><line class="centre" x1="50%" x2="50%" y1="0" y2="100%"/>'
            f'<line class="bar" x1="{at(low)}" x2="{at(high)}" y1="50%" y2="50%"/>{more}</svg>')


def interval_and_range(scale: Scale, model: Mapping[str, Any], found: Mapping[str, float]) -> str:
    """A model's published interval, and below it the range that its score has elsewhere: all of it thin, the middle thick.

    Parameters
    ----------
    found : min, low, high and max of the score, SI-IQ points
    """
    def line(kind: str, low: float, high: float, y: str) -> str:
        return f'<line class="{kind}" x1="{_p(scale.x(low))}" x2="{_p(scale.x(high))}" y1="{y}" y2="{y}"/>'

    return ('<svg class="scale" aria-hidden="true" focusable="false">' + line("bar", model["low"], model["high"], "32%") + f'<circle class="dot" cx="{_p(scale.x(model["siiq"]))}" cy="32%" r="4"/>'
            + line("range", found["min"], found["max"], "72%") + line("range middle", found["low"], found["high"], "72%") + "</svg>")


_PICTURE_STYLE = """
  text { font-family: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-size: 14px; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; } .quiet { fill: #59636e; font-size: 13px; }
  .bar { stroke: #20639b; stroke-width: 5; stroke-linecap: round; opacity: .38; } .dot { fill: #20639b; }
  .ref { stroke: #8a939c; stroke-width: 1.2; } .grid { stroke: #8a939c; opacity: .3; } .mean { opacity: .9; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e8ea; } .quiet { fill: #a4adb6; } .bar { stroke: #7db4e3; } .dot { fill: #7db4e3; }
  }"""


def picture(scale: Scale, models: Sequence[Mapping[str, Any]], title: str, measure: str, reference: str, source: str,
            alternative: str) -> str:
    """The scale as a picture of its own (README, previews): the same marks at fixed size, its texts given by the caller.

    Parameters
    ----------
    models : models of the index, in the order they are drawn
    title, measure, reference, source : the finding, what is drawn in which unit, what the ticks are, data date and version
    alternative : the picture in words
    """
    left, right, top, row = 232, 700, 104, 27
    width, height = 820, top + row * len(models) + 62

    def x(points: float) -> float:
        return round(left + (right - left) * scale.x(points) / 100, 1)

    bottom = top + row * len(models)
    body = [f'<text class="title" x="16" y="30">{plain(title)}</text>', f'<text class="quiet" x="16" y="52">{plain(measure)}</text>',
            f'<text class="quiet" x="{left - 12}" y="84" text-anchor="end">{plain(reference)}</text>']
    body += [f'<line class="ref" x1="{x(r)}" x2="{x(r)}" y1="73" y2="86"/>' for r in scale.reference]
    for value in _positions(scale):
        mean = " mean" if value == scale.mean else ""
        body += [f'<line class="grid{mean}" x1="{x(value)}" x2="{x(value)}" y1="{top - 8}" y2="{bottom}"/>',
                 f'<text class="quiet" x="{x(value)}" y="{bottom + 18}" text-anchor="middle">{value}</text>']
    for k, model in enumerate(models):
        y, shown = top + row * k + row // 2, model["shown"]
        body += [f'<text x="{left - 12}" y="{y + 5}" text-anchor="end">{plain(shortened(model["name"], 28))}</text>',
                 f'<line class="bar" x1="{x(model["low"])}" x2="{x(model["high"])}" y1="{y}" y2="{y}"/>',
                 f'<circle class="dot" cx="{x(model["siiq"])}" cy="{y}" r="4.5"/>',
                 f'<text x="{right + 20}" y="{y + 5}">{plain(shown["siiq"])} <tspan class="quiet">({span(shown["low"], shown["high"])})</tspan></text>']
    body.append(f'<text class="quiet" x="16" y="{height - 14}">{plain(source)}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-labelledby="t d"><title id="t">{plain(title)}</title><desc id="d">{plain(alternative)}</desc>'
            f"<style>{_PICTURE_STYLE}\n</style>\n" + "\n".join(body) + "\n</svg>\n")
