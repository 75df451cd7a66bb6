"""The end of a model's page: the ranked models that cannot be told from it, and how to cite it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siiq_core.publish import figures, format
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.tables import html_table, num, rank_range, row, rowhead, td, th

_NEAREST = 8  # drawn; the others are named


def overlapping(view: View) -> list[Mapping[str, Any]]:
    """The other ranked models whose interval overlaps this one's, by rank."""
    m = view.model
    return sorted((x for x in view.site.index["models"] if x["ranked"] and x["slug"] != m["slug"] and x["low"] <= m["high"] and x["high"] >= m["low"]),
                  key=lambda x: x["rank"])


def close(view: View) -> str:
    """The nearest on the scale, with this model's interval behind each; the others as a list; and a way to compare with any."""
    address = f'../compare.html#a={format.plain(view.model["slug"])}'
    return f'{_close(view)}\n<p><a href="{address}">{view.site.words("interactive.compare.with_any", view.lang)}</a></p>'


def _close(view: View) -> str:
    m, name = view.model, format.text(view.model["name"])
    if not m["ranked"]:
        return f'<p>{view.say("close.provisional")}</p>'
    others = overlapping(view)
    if not others:
        return f'<p>{view.say("close.none", name=name)}</p>'
    near = {x["slug"] for x in sorted(others, key=lambda x: (abs(x["siiq"] - m["siiq"]), x["rank"]))[:_NEAREST]}
    rest = [x for x in others if x["slug"] not in near]
    drawn = _table(view, [x for x in others if x["slug"] in near])
    return f'<p>{view.count("close.lead", len(others), name=name)}</p>\n{drawn}{_rest(view, rest)}'


def _table(view: View, models: Sequence[Mapping[str, Any]]) -> str:
    words, lang, m = view.site.words, view.lang, view.model
    head = [th(words("column.rank_range", lang), "n"), th(words("column.model", lang)), th(words("column.siiq", lang), "n keep"), th(words("column.interval", lang), "n"),
            th(figures.axis(view.scale) + f'<span class="hidden">{words("column.scale", lang)}</span>', "on-scale")]
    x1, x2 = (f"{view.scale.x(m[end]):.2f}%" for end in ("low", "high"))
    ghost = f'<svg class="scale ghost" aria-hidden="true" focusable="false"><line x1="{x1}" x2="{x2}" y1="50%" y2="50%"/></svg>'
    rows = [row([num(rank_range(x, lang), f'{x["best_rank"]} {x["worst_rank"]}'), rowhead(view.to_model(x), _compare(view, x)), num(format.plain(x["shown"]["siiq"]), x["shown"]["siiq"]),
                 num(view.interval(x["shown"]), f'{x["shown"]["low"]} {x["shown"]["high"]}'),
                 td(ghost + figures.marks(view.scale, x["siiq"], x["low"], x["high"]), "on-scale")]) for x in models]
    caption = view.say("close.caption_near", n=format.whole(len(models), lang), name=format.text(m["name"]))
    return html_table("close", caption, head, [rows])


def _compare(view: View, other: Mapping[str, Any]) -> str:
    """A link to both side by side."""
    words, address = view.site.words, f'../compare.html#a={format.plain(view.model["slug"])}&amp;b={format.plain(other["slug"])}'
    label = words("interactive.row.compare", view.lang, name=format.plain(other["name"]))
    return f'<a href="{address}" aria-label="{label}">{words("interactive.compare.link", view.lang)}</a>'


def _rest(view: View, models: Sequence[Mapping[str, Any]]) -> str:
    if not models:
        return ""
    items = "".join(f'<li>{view.to_model(x)} <span class="quiet">{format.plain(x["shown"]["siiq"])} ({view.interval(x["shown"])})</span></li>' for x in models)
    return f'\n<details class="fold"><summary>{view.say("close.rest", n=format.whole(len(models), view.lang))}</summary><ul class="names">{items}</ul></details>'


def cite(view: View) -> str:
    """A citation to copy: model, score, method version and day, which name the index it was read from."""
    m, index, say = view.model, view.site.index, view.say
    text = say("cite.text", year=format.plain(index["as_of"][:4]), name=format.text(m["name"]), **{k: format.plain(m["shown"][k]) for k in ("siiq", "low", "high")},
               version=format.plain(index["method_version"]), as_of=view.day(index["as_of"]))
    base = view.site.site_url.rstrip("/")
    address = f' {format.plain(f"{base}/{view.lang}/models/")}{format.plain(m["slug"])}.html' if base else ""
    button = f'<button type="button" class="copy" hidden data-copies="citation" data-done="{say("cite.copied")}">{say("cite.copy")}</button>'
    return f'<p id="citation" class="citation">{text}{address}</p>\n<p class="small">{view.linked("cite.lead", "../versions.html")} {button}</p>'
