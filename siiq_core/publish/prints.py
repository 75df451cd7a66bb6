"""Figures to take away: the scale with every ranked model, and every benchmark's curve, as SVG for print, slides and papers.

matplotlib draws them on white at the size of a page; texts stay texts, and the same index gives the same bytes. Figures
inside pages are not these but plots.py and figures.py, which follow dark mode and a phone's width.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from siiq_core.publish import figures, fitted, format
from siiq_core.publish.ranking import ranked
from siiq_core.publish.tables import AREAS
from siiq_core.publish.words import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Index = Mapping[str, Any]
FOLDER = "figures"  # of the site
_DATA, _GREY, _INK, _QUIET = "#20639b", "#8a939c", "#1f2328", "#59636e"  # blue and grey, apart for every kind of colour vision and in print
_PAGE = (8.27, 11.69)  # inches: A4
_SETTINGS = {"svg.hashsalt": "si-iq", "svg.fonttype": "none", "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial", "sans-serif"],
             "text.color": _INK, "axes.edgecolor": _GREY, "axes.labelcolor": _QUIET, "xtick.color": _GREY, "ytick.color": _GREY, "xtick.labelcolor": _QUIET,
             "ytick.labelcolor": _QUIET, "axes.linewidth": 0.5, "axes.spines.top": False, "axes.spines.right": False, "xtick.major.width": 0.5, "ytick.major.width": 0.5,
             "text.parse_math": False}


def prints(index: Index, words: Words) -> dict[str, bytes]:
    """File name → SVG, of every figure in every language."""
    return {f"{name}-{lang}.svg": _svg(make, index, words, lang) for lang in format.LANGUAGES for name, make in FIGURES.items()}


def file_name(name: str, lang: str) -> str:
    """Address of a figure inside the site."""
    return f"{FOLDER}/{name}-{lang}.svg"


def _svg(make: Callable[[Index, Words, str], Figure], index: Index, words: Words, lang: str) -> bytes:
    import matplotlib  # imported late: only a build of the book needs it
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_SETTINGS, "backend": "svg"}):
        out, drawn = io.BytesIO(), make(index, words, lang)
        FigureCanvasSVG(drawn).print_svg(out, metadata={"Date": None, "Creator": "SI-IQ", "Title": drawn.get_label(), "Language": lang,
                                                       "Rights": "CC BY 4.0", "Description": _plain(words("prints.source", lang, **_edition(index, lang)))})
    return out.getvalue().replace(b"<svg ", b'<svg role="img" ', 1)


def _edition(index: Index, lang: str) -> dict[str, str]:
    return {"as_of": format.day(index["as_of"], lang), "version": format.plain(index["method_version"])}


def _plain(text: object) -> str:
    return html.unescape(format.plain(text))


def _page(index: Index, words: Words, lang: str, title: str, measure: str, height: float) -> Figure:
    """A sheet with its finding, measure and source in place."""
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(_PAGE[0], height), label=title)
    inch = 1 / height
    sheet.text(0.05, 1 - 0.34 * inch, title, size=12, weight="bold")
    for k, line in enumerate(measure.split("; ", 1)):
        sheet.text(0.05, 1 - (0.55 + 0.17 * k) * inch, line, size=8, color=_QUIET)
    sheet.text(0.05, 0.22 * inch, _plain(words("prints.source", lang, **_edition(index, lang))), size=6.5, color=_QUIET)
    return sheet


def scale(index: Index, words: Words, lang: str) -> Figure:
    """Every ranked model with its interval, highest first; the reference group as ticks above."""
    own, axis = ranked(index), figures.scale_of(index)
    height = max(3.0, 1.55 + 0.1 * len(own))
    sheet = _page(index, words, lang, _plain(words("prints.scale", lang, n=format.whole(len(own), lang))), words.raw("figure.measure", lang), height)
    inch = 1 / height
    ax = sheet.add_axes((0.3, 0.62 * inch, 0.55, 1 - 1.5 * inch))
    rows = range(len(own))
    ax.hlines(rows, [m["low"] for m in own], [m["high"] for m in own], color=_DATA, alpha=0.4, linewidth=2.2, gid="intervals")
    ax.plot([m["siiq"] for m in own], rows, "o", color=_DATA, markersize=2.8, gid="scores")
    ax.plot(axis.reference, [-1.6] * len(axis.reference), "|", color=_GREY, markersize=5, markeredgewidth=0.7, clip_on=False, gid="reference")
    ax.axvline(axis.mean, color=_GREY, linewidth=0.6)
    ax.set(xlim=(axis.low, axis.high), ylim=(len(own) - 0.3, -0.9), yticks=[])
    ax.tick_params(labelsize=7)
    ax.spines["left"].set_visible(False)
    left, right = axis.low - 0.02 * (axis.high - axis.low), axis.high + 0.02 * (axis.high - axis.low)
    ax.text(left, -1.6, words.raw("figure.reference", lang), size=6, color=_QUIET, ha="right", va="center")
    for k, m in enumerate(own):
        shown = {key: _plain(value) for key, value in m["shown"].items()}
        ax.text(left, k, _plain(m["name"])[:40], size=6, ha="right", va="center")
        ax.text(right, k, f'{shown["siiq"]} ({format.span(shown["low"], shown["high"])})', size=6, va="center")
    return sheet


def curves(index: Index, words: Words, lang: str) -> Figure:
    """The fitted curve of every benchmark in the index, with the ranked models on it; one panel each, by area."""
    inside = sorted((b for b in index["benchmarks"] if b["in_index"]), key=lambda b: (AREAS.index(b["area"]), b["name"].casefold(), b["id"]))
    across, axis = 4, figures.scale_of(index)
    down = -(-len(inside) // across)
    height = 1.4 + 1.72 * down
    sheet = _page(index, words, lang, _plain(words("prints.curves", lang, n=format.whole(len(inside), lang))), words.raw("prints.curves_measure", lang), height)
    models = ranked(index)
    for k, bench in enumerate(inside):
        row, column = divmod(k, across)
        ax = sheet.add_axes((0.09 + 0.23 * column, 1 - (0.95 + 1.72 * (row + 1) - 0.42) / height, 0.19, 1.22 / height), gid=bench["id"])
        found = [(m["siiq"], r["score"]) for m in models for r in m["results"] if r["benchmark"] == bench["id"]]
        ax.plot(*zip(*fitted.curve(index, bench, axis.low, axis.high)), color=_INK, linewidth=0.9)
        ax.plot([a for a, _ in found], [b for _, b in found], "o", color=_DATA, alpha=0.55, markersize=2.1, markeredgewidth=0)
        for level in {bench["g"], bench["c"]} - {0.0, 1.0}:
            ax.axhline(level, color=_GREY, linewidth=0.6, linestyle=(0, (4, 3)))
        ax.set(xlim=(axis.low, axis.high), ylim=(-0.02, 1.02), xticks=[v for v in range(-100, 300, 40) if (v - 100) % 40 == 0 and axis.low <= v <= axis.high])
        ax.set_yticks([0, 0.5, 1], [format.percent(v, lang) if not column else "" for v in (0, 0.5, 1)])
        ax.tick_params(labelsize=6, length=2)
        ax.set_title(_plain(bench["name"])[:38], size=6.2, loc="left", pad=3)
    return sheet


FIGURES: Mapping[str, Callable[[Index, Words, str], Figure]] = {"scale": scale, "curves": curves}
