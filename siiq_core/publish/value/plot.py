"""Quality against cost: every variant that may answer, the frontier as a line, the answers by name."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from siiq_core.publish import format
from siiq_core.publish.plots import Axis, curve, dots, plot, tag
from siiq_core.publish.site import Site
from siiq_core.publish.value.view import NAMES, Variant, View

ROOM = 1.25  # the cost axis reaches so far beyond its outermost points, as a factor
GRID = 20  # points between two lines of the quality axis


def value_plot(site: Site, lang: str) -> str:
    """The figure; nothing to draw is said in words."""
    view = View(site, lang)
    edition = view.say("plot.caption", as_of=format.day(site.index["as_of"], lang), version=format.plain(site.index["method_version"]))
    drawing = _drawing(view) if view.competing else f'<p>{view.say("plot.nothing")}</p>'
    return (f'<figure class="plotted" id="figure-value"><p class="finding">{view.some("plot.title", len(view.frontier), all=view.whole(len(view.competing)))}</p>\n'
            f'<p class="measure">{view.say("plot.measure")}</p>\n<div id="value-plot">{drawing}</div>\n<figcaption>{edition} {view.say("warning")}</figcaption></figure>')


def axes(view: View, own: Sequence[Variant]) -> tuple[Axis, Axis]:
    """The cost axis in decades, the quality axis in steps, as far as the points reach."""
    low, high = min(v["cost"] for v in own) / ROOM, max(v["cost"] for v in own) * ROOM
    ticks = [m * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in ((1, 2, 5) if high / low < 300 else (1,))]
    shown = tuple((t, format.shortest(t, view.lang)) for t in ticks if low <= t <= high)
    bottom = GRID * math.floor(min(v["quality"] for v in own) / GRID)
    top = max(GRID * math.ceil(max(v["quality"] for v in own) / GRID), bottom + GRID)
    grid = tuple((float(y), format.whole(y, view.lang)) for y in range(bottom, top + 1, GRID))
    return (Axis(low, high, shown, title=html.unescape(view.say("plot.cost")), log=True), Axis(bottom, top, grid, title=html.unescape(view.say("plot.quality"))))


def _drawing(view: View) -> str:
    x, y = axes(view, view.competing)
    on = {v["id"] for v in view.frontier}
    marks = [curve([(v["cost"], v["quality"]) for v in view.frontier], x, y),
             dots([(v["cost"], v["quality"]) for v in view.competing if v["id"] not in on], x, y, kind="dot faint"),
             dots([(v["cost"], v["quality"]) for v in view.frontier], x, y)]
    answers = view.data["answers"]
    for variant in dict.fromkeys(answers[name]["variant"] for name in NAMES if answers[name]["variant"]):
        v = view.variants[variant]
        names = ", ".join(html.unescape(view.say(f"answer.{name}")) for name in NAMES if answers[name]["variant"] == variant)
        marks.append(dots([(v["cost"], v["quality"])], x, y, kind="ring", r=5.5))
        left = x.at(v["cost"]) > 0.5
        marks.append(tag(v["cost"], v["quality"], names, x, y, anchor="end" if left else "start", dx=-9 if left else 9, dy=-8, kind="tag strong"))
    return plot(marks, x, y, html.unescape(view.say("plot.alternative")))
