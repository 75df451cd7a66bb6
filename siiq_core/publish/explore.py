"""Every score by release date: a Vega-Lite chart that a reader can search by eye, filter and zoom, and its numbers as a table.

Altair writes the chart when the book is built, with its data inside (rounded, names as data and never as expressions); the
browser draws it with book/_static/explore.js and `library`, the Vega scripts as one local file. Colours are the variables of
siiq.css, so that dark mode needs nothing here. Without scripts the page is a picture that stands still, and the table.
"""

from __future__ import annotations

import datetime
import html
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.publish import format, plots
from siiq_core.publish.plots import Axis
from siiq_core.publish.ranking import access_label
from siiq_core.publish.scripts import json_in_page
from siiq_core.publish.tables import Index, html_table, leading, model_link, num, row, rowhead, score_cells, th
from siiq_core.publish.words import Words

LIBRARY = "assets/vega.js"  # once for all languages
_PLACES = 2  # of a point in the chart, in SI-IQ points
_HEIGHT = 440  # px
_NAMED = 6  # models named in the picture that stands still, at most
_COLOURS, _SHAPES = {"api": "var(--data)", "open": "var(--marked)", "other": "var(--tick)"}, {"api": "circle", "open": "diamond", "other": "square"}
_NOTICE = ("/* Vega, Vega-Lite, Vega-Embed and Vega-Tooltip, (c) University of Washington Interactive Data Lab and contributors, BSD-3-Clause;\n"
           "   with D3, (c) Mike Bostock, ISC, and their other dependencies. Bundled by vl-convert, BSD-3-Clause. Nothing here was changed. */\n")


def points(index: Index, words: Words, lang: str) -> list[dict[str, Any]]:
    """The dots of the chart, in the order of the index: every model whose release day is known."""
    def access(m: Mapping[str, Any]) -> str:
        return html.unescape(access_label(m["access"], words, lang) or "") or _plain(m["access"]) or "–"

    return [{"slug": m["slug"], "name": _plain(m["name"]), "developer": _plain(m["developer"] or "") or "–", "by": _developers(m), "released": m["released"][:10],
             "day": format.day(m["released"], lang), "siiq": round(m["siiq"], _PLACES), "low": round(m["low"], _PLACES), "high": round(m["high"], _PLACES),
             "score": _plain(m["shown"]["siiq"]), "interval": format.span(_plain(m["shown"]["low"]), _plain(m["shown"]["high"])),
             "access": access(m), "kind": words.raw(f"explore.kind.{_kind(m)}", lang), "ranked": m["ranked"]} for m in index["models"] if m["released"]]


def _plain(value: object) -> str:
    return html.unescape(format.plain(value))


def _developers(m: Mapping[str, Any]) -> list[str]:
    return [_plain(x) for x in (m["developer"] or "").split(", ") if x.strip()]


def _kind(m: Mapping[str, Any]) -> str:
    return "api" if m["access"] == "API access" else "open" if (m["access"] or "").startswith("Open weights") else "other"


def spec(index: Index, words: Words, lang: str) -> dict[str, Any]:
    """The chart as Vega-Lite. Names are given, none is drawn by chance, so that the same index gives the same bytes."""
    import altair as alt  # imported late: only the book needs it

    def say(key: str) -> str:
        return words.raw(f"explore.{key}", lang)

    kinds = [say(f"kind.{k}") for k in _COLOURS]
    chosen = alt.selection_point(name="chosen", fields=["kind"], bind="legend")
    # The wheel scrolls the page and a finger too; with Ctrl, or by dragging with a mouse, the chart moves.
    zoom = alt.selection_interval(name="zoom", bind="scales", zoom="wheel![event.ctrlKey || event.metaKey]",
                                  translate="[pointerdown[event.pointerType !== 'touch'], window:pointerup] > window:pointermove!")
    x = alt.X("released:T", title=None, scale=alt.Scale(type="utc", padding=14), axis=alt.Axis(
        grid=False, labelExpr=f"utcdate(datum.value) == 1 ? [utcFormat(datum.value, '%b'), utcmonth(datum.value) == 0 ? utcFormat(datum.value, '%Y') : ''] "
        f": utcFormat(datum.value, '{'%-d. %b' if lang == 'de' else '%-d %b'}')", labelFlush=False, labelOverlap="greedy", labelSeparation=8, tickCount=12))
    y_axis = alt.Axis(format="d", tickCount=8, gridColor=alt.condition(f"datum.value == {index['constants']['mean']:g}", alt.value("var(--quiet)"), alt.value("var(--line)")))
    y, scale = alt.Y("low:Q", title=None, scale=alt.Scale(zero=False, nice=False, padding=14), axis=y_axis), alt.Scale(domain=kinds, range=list(_COLOURS.values()))
    colour = alt.Color("kind:N", scale=scale, legend=alt.Legend(orient="top", title=None, direction="horizontal", symbolOpacity=1, symbolSize=90, columnPadding=16, labelLimit=0))
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=list(_SHAPES.values())))
    tips = [alt.Tooltip(f"{key}:N", title=say(f"tip.{key}")) for key in ("name", "developer", "day", "score", "interval", "access")]
    base = alt.Chart().encode(x=x, color=colour)
    bars = base.mark_rule(clip=True, strokeWidth=2, strokeCap="round", aria=False).properties(name="bars").encode(
        y=y, y2="high:Q", opacity=alt.condition(chosen, alt.value(0.32), alt.value(0.05)))
    dots = base.mark_point(clip=True, filled=True, cursor="pointer", aria=False).properties(name="dots").encode(
        y=alt.Y("siiq:Q", title=None), shape=shape, size=alt.condition("datum.ranked", alt.value(64), alt.value(24)), tooltip=tips,
        opacity=alt.condition(chosen, alt.value(1), alt.value(0.12))).add_params(chosen, zoom)
    given = [alt.param(name="unranked", value=False), alt.param(name="developer", value=""), alt.param(name="since", value="")]
    shown = ["datum.ranked || unranked", "developer == '' || indexof(datum.by, developer) >= 0", "since == '' || utcyear(toDate(datum.released)) >= toNumber(since)"]
    chart = alt.layer(bars, dots, data=alt.InlineData(values=points(index, words, lang), name="models")).add_params(*given).properties(
        width="container", height=_HEIGHT, autosize=alt.AutoSizeParams(type="fit-x", contains="padding"), background="transparent", padding=0)
    for test in shown:
        chart = chart.transform_filter(test)
    font = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
    made = chart.configure(font=font, locale=locale(lang)).configure_view(stroke=None).configure_axis(
        labelColor="var(--quiet)", tickColor="var(--tick)", domainColor="var(--tick)", labelFontSize=12, labelPadding=6).configure_legend(labelColor="var(--ink)", labelFontSize=13)
    return made.to_dict()


def locale(lang: str) -> dict[str, Any]:
    """How Vega writes numbers and dates, from the formats of all pages (D3's form)."""
    from babel import Locale

    own, wide, short = Locale.parse({"en": "en_GB"}.get(lang, lang)), "wide", "abbreviated"
    months, days, sunday_first = own.months["format"], own.days["format"], (6, 0, 1, 2, 3, 4, 5)
    day = {"en": "%-d %b %Y", "de": "%-d. %b %Y", "es": "%-d %b %Y"}[lang]
    return {"number": {"decimal": format.number(0.5, 1, lang)[1], "thousands": format.number(12345, 0, lang)[2], "grouping": [3], "currency": ["", ""], "minus": "−"},
            "time": {"dateTime": f"{day}, %H:%M", "date": day, "time": "%H:%M", "periods": ["AM", "PM"],
                     "days": [days[wide][k] for k in sunday_first], "shortDays": [days[short][k] for k in sunday_first],
                     "months": [months[wide][k] for k in range(1, 13)], "shortMonths": [months[short][k].rstrip(".") for k in range(1, 13)]}}


def library() -> bytes:
    """Vega, Vega-Lite and Vega-Embed as one script that asks for nothing else; takes seconds to make."""
    import vl_convert  # imported late: only the book needs it

    return (_NOTICE + vl_convert.javascript_bundle()).encode("utf-8")


def library_name() -> str:
    """A file name for a copy of `library`, another one for another version of it."""
    import vl_convert

    return f"vega-{vl_convert.__version__}.js"


# --- the page --------------------------------------------------------------------------------------------------------


def finding(index: Index, words: Words, lang: str) -> str:
    """The title: since when the leading models have been out."""
    group = leading(index)
    if not group or not all(m["released"] for m in group):
        return words("explore.title_plain", lang, n=format.whole(sum(m["ranked"] for m in index["models"]), lang))
    since = format.day(min(m["released"] for m in group), lang)
    return words("explore.title_one" if len(group) == 1 else "explore.title_many", lang, n=format.whole(len(group), lang), day=since)


def explore_chart(index: Index, words: Words, lang: str) -> str:
    """The figure: finding, measure, controls (shown by the script), chart, caption, and all of its numbers as a table."""
    def say(key: str, **values: str) -> str:
        return words(f"explore.{key}", lang, **values)

    without, undated = ([m for m in index["models"] if test(m)] for test in (lambda m: not m["ranked"], lambda m: not m["released"]))
    caption = say("caption", as_of=format.day(index["as_of"], lang), version=format.plain(index["method_version"]), undated=format.whole(len(undated), lang))
    data = json_in_page(spec(index, words, lang))
    return (f'<link rel="stylesheet" href="_static/interactive.css">\n<link rel="stylesheet" href="_static/explore.css">\n'
            f'<script src="../{LIBRARY}" defer></script>\n<script src="_static/explore.js" defer></script>\n'
            f'<figure class="explore">\n<p class="finding">{finding(index, words, lang)}</p>\n<p class="measure">{say("measure")}</p>\n'
            f'{_tools(index, len(without), words, lang)}\n<div id="explore-chart" data-label="{say("alternative")}"><div class="plotted">{still(index, words, lang)}</div><p>{say("no_script")}</p></div>\n'
            f'<p class="hint" hidden>{say("hint")}</p>\n<figcaption>{caption}</figcaption>\n'
            f'<details class="fold list"><summary>{say("table")}</summary>\n{_table(index, words, lang)}</details>\n</figure>\n'
            f'<script type="application/json" id="explore-spec">{data}</script>')


def still(index: Index, words: Words, lang: str) -> str:
    """The ranked models as a picture for readers without scripts: interval bars, a dot or (open weights) a ring, who led named."""
    own = sorted((m for m in index["models"] if m["ranked"] and m["released"]), key=lambda m: (m["released"], m["slug"]))
    if not own:
        return ""
    day = lambda m: datetime.date.fromisoformat(m["released"][:10]).toordinal()  # noqa: E731
    first, last = day(own[0]), day(own[-1])
    edge = max(20, (last - first) // 40)
    years = [(datetime.date(y, 1, 1).toordinal(), str(y)) for y in range(int(own[0]["released"][:4]), int(own[-1]["released"][:4]) + 1)]
    x = Axis(first - edge, last + edge, tuple(t for t in years if t[0] >= first - edge) or ((first, own[0]["released"][:4]),))
    low, high = 20 * math.floor(min(m["low"] for m in own) / 20), 20 * math.ceil(max(m["high"] for m in own) / 20)
    y = Axis(low, high, tuple((v, format.whole(v, lang)) for v in range(low, high + 1, 20)), words.raw("column.siiq", lang))
    marks = [plots.across(index["constants"]["mean"], y, "limit soft"), plots.segments([(day(m), m["low"], m["high"]) for m in own], x, y)]
    marks += [plots.dots([(day(m), m["siiq"]) for m in own if (_kind(m) == "open") is hollow], x, y, kind) for kind, hollow in (("dot", False), ("ring", True))]
    named: list[tuple[float, float]] = []
    for m in reversed([m for k, m in enumerate(own) if all(m["siiq"] > o["siiq"] for o in own[:k])]):  # who led, the latest first
        at = x.at(day(m)), y.at(m["siiq"])
        if len(named) < _NAMED and all(abs(at[1] - b) > 0.07 or abs(at[0] - a) > 0.6 for a, b in named):
            named.append(at)
            left = at[0] > 0.4
            marks.append(plots.tag(day(m), m["siiq"], _plain(m["name"])[:26], x, y, "end" if left else "start", -8 if left else 8, 4))
    return plots.plot(marks, x, y, words.raw("explore.alternative", lang))


def _tools(index: Index, without: int, words: Words, lang: str) -> str:
    dated = [m for m in index["models"] if m["released"]]
    names = sorted({x for m in dated for x in _developers(m)}, key=lambda x: (x.casefold(), x))
    years = sorted({m["released"][:4] for m in dated})

    def choice(name: str, first: str, options: Sequence[tuple[str, str]]) -> str:
        inner = "".join(f'<option value="{format.plain(value)}">{format.plain(label)}</option>' for value, label in options)
        return f'<label>{words(f"explore.tools.{name}", lang)} <select name="{name}" autocomplete="off"><option value="">{first}</option>{inner}</select></label>'

    everything = words("explore.tools.all", lang)
    return (f'<form class="tools" id="explore-tools" hidden>\n{choice("developer", everything, [(x, x) for x in names])}\n'
            f'{choice("since", everything, [(year, year) for year in years])}\n'
            f'<label class="tick"><input type="checkbox" name="unranked" autocomplete="off"> {words("explore.tools.unranked", lang, n=format.whole(without, lang))}</label>\n'
            f'<button type="reset">{words("explore.tools.reset", lang)}</button>\n</form>')


def _table(index: Index, words: Words, lang: str) -> str:
    head = [th(words("column.model", lang), below=words("explore.tip.developer", lang)), th(words("explore.tip.day", lang), "n"),
            th(words("column.siiq", lang), "n"), th(words("column.interval", lang), "n")]
    bodies = []
    for key, wanted in (("ranked", True), ("unranked", False)):
        own = sorted((m for m in index["models"] if m["ranked"] is wanted), key=lambda m: (m["released"] or "", m["slug"]), reverse=True)
        if own:
            bodies.append([row([f'<th scope="rowgroup" colspan="{len(head)}">{words(f"explore.rows.{key}", lang)}</th>'], kind="group"),
                           *(row([rowhead(model_link(m), format.text(m["developer"] or "")), num(format.day(m["released"], lang), m["released"] or ""), *score_cells(m)]) for m in own)])
    return html_table("explore", words("explore.table_caption", lang), head, bodies)


BLOCKS: Mapping[str, Callable[[Index, Words, str], str]] = {"explore_chart": explore_chart}
