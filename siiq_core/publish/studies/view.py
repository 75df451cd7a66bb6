"""A study's file as its page shows it: words and numbers of one language, and the frame of its figures."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.plots import Axis, band, plot, tag, upright
from siiq_core.publish.site import Site
from siiq_core.publish.tables import model_link, num

Row = Mapping[str, Any]
_WORDS = {"intervals": lambda key: f"intervals.{key}", "criticism": lambda key: f"criticism.{key}"}  # spelled out: a search for a key's file finds it


class View:
    """What every part of a page asks for."""

    def __init__(self, site: Site, name: str, lang: str) -> None:
        self.site, self.name, self.lang, self.data = site, name, lang, getattr(site, name)
        self._pages = {m["slug"] for m in site.index["models"]} | {b["id"] for b in site.index["benchmarks"]}

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(_WORDS[self.name](key), self.lang, **values)

    def plain(self, key: str, **values: str) -> str:
        """The same as plain text, for a drawing."""
        return html.unescape(self.say(key, **values))

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def number(self, value: float, places: int) -> str:
        """With exactly so many decimals."""
        return format.number(value, places, self.lang)

    def signed(self, value: float, places: int) -> str:
        """With a plus in front where it is one."""
        return ("+" if round(value, places) > 0 else "") + self.number(value, places)

    def percent(self, share: float, places: int = 1) -> str:
        """A share in per cent."""
        return format.percent(share, self.lang, places)

    def p(self, value: float) -> str:
        """A p-value; very small ones as less than a thousandth."""
        return "&lt;\u202f" + self.number(0.001, 3) if value < 0.001 else self.number(value, 3)

    def model(self, entry: Row) -> str:
        """A model, as a link where it has a page."""
        return model_link({"slug": entry["model"], "name": entry["name"]}) if entry["model"] in self._pages else format.text(entry["name"])

    def benchmark(self, entry: Row) -> str:
        """A benchmark, likewise."""
        if entry["benchmark"] not in self._pages:
            return format.text(entry["name"])
        return f'<a href="benchmarks/{format.plain(entry["benchmark"])}.html">{format.text(entry["name"])}</a>'

    def area(self, name: str) -> str:
        """An area's name."""
        return self.site.words(f"area.{name}", self.lang)

    def mean_cell(self, value: float | None, error: float | None, places: int = 2, sign: bool = True) -> str:
        """A mean, with its standard error below."""
        if value is None:
            return num("–")
        below = "" if error is None else f'<span class="below">±\u202f{self.number(error, places)}</span>'
        return num((self.signed if sign else self.number)(value, places) + below, value)

    def data_value(self, value: float, shown: str) -> str:
        """A number inside a line."""
        return f'<data value="{value:.6g}">{shown}</data>'


def figure(view: View, name: str, drawing: str, *, title: str, measure: str, legend: str = "", table: str = "") -> str:
    """A figure as a whole: what it finds, what it measures, the drawing, its edition, and its numbers one fold away."""
    caption = view.site.words("method.caption", view.lang, as_of=format.day(view.data["as_of"], view.lang), version=format.plain(view.data["method_version"]))
    fold = f'\n<details class="fold"><summary>{view.site.words("method.table", view.lang)}</summary>\n{table}</details>' if table else ""
    return (f'<figure class="plotted" id="figure-{view.name}-{name}"><p class="finding">{title}</p>\n<p class="measure">{measure}</p>\n{legend}'
            f"{drawing}\n<figcaption>{caption}</figcaption>{fold}</figure>")


def histogram(view: View, values: Sequence[float], step: float, marked: Sequence[tuple[float, str]], x_title: str, y_title: str, alternative: str, percent: bool = False) -> str:
    """Bars of `step` width over values, with upright lines at the marked places."""
    count = Counter(round(v // step) for v in values)
    edges = [*count, *(round(m // step) for m, _ in marked)]
    low, high = min(edges) - 1, max(edges) + 2
    every = max(1, round((high - low) / 5))
    scale = 100 if percent else 1
    x = Axis(low * step, high * step, tuple((k * step, format.shortest(round(scale * k * step, 6), view.lang)) for k in range(low + 1, high, every)), x_title)
    most = max(count.values(), default=1)
    y = Axis(0, 1.35 * most, tuple((float(v), view.whole(v)) for v in (0, round(most / 2), most)), y_title)
    marks = [band([(k * step, 0, n), ((k + 1) * step, 0, n)], x, y, "bars") for k, n in sorted(count.items())]
    for place, (at, text) in enumerate(marked):
        first = len(marked) > 1 and at == min(m for m, _ in marked)
        anchor, dx = ("end", -6) if first or x.at(at) > 0.6 else ("start", 6)  # away from the other line, and from the edge
        marks += [upright(at, x, "limit" if place == 0 else "limit soft"), tag(at, (1.27 - 0.14 * place) * most, text, x, y, anchor, dx, 0)]
    return plot(marks, x, y, alternative, "small")
