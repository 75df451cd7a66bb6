"""The page of the multiverse: what was varied, which choices matter, how far scores and ranks move, and where the method refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.publish import figures, format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, rank_range, row, rowhead, td, th

Row = Mapping[str, Any]
_TOP = 20  # models in the figure
_STRONGEST = 12  # single choices shown before the fold
_REFUSED = 40  # refused cells listed


class View:
    """multiverse.json in the words and numbers of one language."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.multiverse
        self._words = frozenset(site.words.keys())
        self.axes: Sequence[Row] = self.data["axes"]
        self.models: Mapping[str, Row] = {m["slug"]: m for m in self.data["models"]}
        self.names = {b["id"]: b["name"] for b in site.index["benchmarks"]} | {m["slug"]: m["name"] for m in site.index["models"]}
        self.ranked: Sequence[Row] = [m for m in site.index["models"] if m["ranked"]]

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"multiverse.{key}", self.lang, **values)

    def _known(self, key: str) -> bool:
        return f"multiverse.{key}" in self._words

    def axis(self, axis: Row) -> str:
        """A choice by its name; one that has no words goes by its parameter's."""
        return self.say(f"axis.{axis['name']}") if self._known(f"axis.{axis['name']}") else self.say("axis.other", name=f"<code>{format.plain(axis['name'])}</code>")

    def depends_on(self, axis: Row) -> str:
        """The same as a clause: what scores depend on."""
        return self.say(f"clause.{axis['name']}") if self._known(f"clause.{axis['name']}") else self.say("clause.other", name=f"<code>{format.plain(axis['name'])}</code>")

    def level(self, axis: Row, number: int) -> str:
        """What is chosen on an axis, by itself."""
        level = axis["levels"][number]
        if "leave_out" not in level:
            return self._value(axis["name"], level["value"])
        if level["leave_out"] == "area":
            return self.say("without.area", name=self.site.words(f"area.{level['name']}", self.lang))
        return self.say(f"without.{level['leave_out']}", name=format.text(self.names.get(level["name"], level["name"])))

    def _value(self, name: str, value: Any) -> str:
        if isinstance(value, bool):
            key = f"value.{name}.{'yes' if value else 'no'}"
            return self.say(key) if self._known(key) else self.say("value.yes" if value else "value.no")
        if isinstance(value, (int, float)):
            return format.shortest(value, self.lang)
        return f"<code>{format.plain(json.dumps(value, ensure_ascii=False))}</code>"

    def choice(self, axis: Row, number: int) -> str:
        """What is chosen, where nothing beside it names the axis."""
        level = axis["levels"][number]
        return self.level(axis, number) if "leave_out" in level else self.say("choice", name=self.axis(axis), value=self.level(axis, number))

    def point(self, point: Sequence[int]) -> str:
        """A cell: all that is chosen otherwise there."""
        other = [self.choice(axis, number) for axis, number in zip(self.axes, point, strict=True) if number != axis["own"]]
        return "; ".join(other) or self.say("as_shipped")

    def points(self, value: float) -> str:
        """A difference of scores, with its sign."""
        return format.signed(value, 1, self.lang)

    def share(self, part: Row) -> str:
        """A share of the variance; one that would be rounded to nothing is said to be below a thousandth."""
        share = part["share"]
        if share is None:
            return "–"
        return "&lt;\u202f" + format.percent(0.001, self.lang, 1) if 0 < share < 0.0005 else format.percent(share, self.lang, 1)


def multiverse_finding(site: Site, lang: str) -> str:
    """The main finding in one sentence."""
    view = View(site, lang)
    shares, overall = view.data["shares"]["score"], view.data["overall"]
    if not shares["size"] or overall["inside"] is None:
        return f'<p class="lead">{view.say("finding.nothing", cells=format.whole(view.data["counts"]["cells"], lang))}</p>'
    parts = [x["share"] for x in shares["axes"]]
    top = max(range(len(parts)), key=lambda k: (parts[k], -k))
    said = view.say("finding.main", clause=view.depends_on(view.axes[top]), share=format.percent(parts[top], lang), others=format.percent(sum(parts) - parts[top], lang),
                    cells=format.whole(view.data["counts"]["cells"], lang), inside=format.percent(overall["inside"], lang))
    return f'<p class="lead">{said}</p>'


def multiverse_choices(site: Site, lang: str) -> str:
    """What was varied, and the share of each choice in the variance of scores and of ranks."""
    view = View(site, lang)
    shares = view.data["shares"]
    head = [th(view.say("column.choice"), below=view.say("column.compared")), th(view.say("column.scores"), "n", view.say("column.of_variance")),
            th(view.say("column.points"), "n", view.say("column.typical")), th(view.say("column.ranks"), "n", view.say("column.of_variance"))]
    rows = [row([rowhead(view.axis(axis), _compared(view, axis)), *_share_cells(view, score, rank)])
            for axis, score, rank in zip(view.axes, shares["score"]["axes"], shares["rank"]["axes"], strict=True)]
    rows.append(row([rowhead(view.say("interactions")), *_share_cells(view, shares["score"]["interactions"], shares["rank"]["interactions"])]))
    caption = view.say("table.choices", scores=format.whole(shares["score"]["models"], lang), ranks=format.whole(shares["rank"]["models"], lang))
    return html_table("multiverse-choices", caption, head, [rows])


def _compared(view: View, axis: Row) -> str:
    """The level of an axis that others are compared with, and the others; what is left out in turn is counted by kind."""
    other = [number for number in range(len(axis["levels"])) if number != axis["own"]]
    kinds = [axis["levels"][number].get("leave_out") for number in other]
    if any(kinds):
        return ", ".join(view.say(f"count.{kind}", n=format.whole(kinds.count(kind), view.lang)) for kind in dict.fromkeys(kinds) if kind != "none")
    return view.say("compared", own=view.level(axis, axis["own"]), others="; ".join(view.level(axis, number) for number in other) or "–")


def _share_cells(view: View, score: Row, rank: Row) -> list[str]:
    return [num(view.share(score), score["share"]), num(format.number(score["size"], 2, view.lang), score["size"]), num(view.share(rank), rank["share"])]


def multiverse_levels(site: Site, lang: str) -> str:
    """Every single choice by itself, from the one that moves scores most; the weaker ones in a fold."""
    view = View(site, lang)
    levels = sorted((x for x in view.data["levels"] if x["size"] is not None), key=lambda x: (-x["size"], x["axis"], x["level"]))
    rows = [_level_row(view, x) for x in levels]
    head = [th(view.say("column.single")), th(view.say("column.moves"), "n", view.say("column.points_unit")), th(view.say("column.most")), th(view.say("column.refused"), "n", view.say("column.of_cells"))]
    table = html_table("multiverse-levels", view.say("table.levels", n=format.whole(min(_STRONGEST, len(rows)), lang)), head, [rows[:_STRONGEST]])
    if rows[_STRONGEST:]:
        rest = html_table("multiverse-weaker", view.say("table.weaker"), head, [rows[_STRONGEST:]])
        table += f'\n<details class="fold list"><summary>{view.say("weaker", n=format.whole(len(rows) - _STRONGEST, lang))}</summary>{rest}</details>'
    return table


def _level_row(view: View, x: Row) -> str:
    most, lang = x["most"], view.lang
    name = format.text(view.names.get(most["model"], most["model"]))
    refused = f'{format.whole(x["refused"], lang)} / {format.whole(x["cells"], lang)}' if x["refused"] else "–"
    return row([rowhead(view.choice(view.axes[x["axis"]], x["level"])), num(format.number(x["size"], 2, lang), x["size"]),
                td(f'{name} {view.points(most["points"])}', "wide"), num(refused, x["refused"])])


def multiverse_figure(site: Site, lang: str) -> str:
    """The leading models: published interval, and range of scores over all cells, on the scale."""
    view = View(site, lang)
    shown = [(m, view.models[m["slug"]]) for m in view.ranked[:_TOP] if m["slug"] in view.models and view.models[m["slug"]]["score"]]
    scale = _scale(site, shown)
    head = [th(_pair(site.words("column.model", lang), figures.axis(scale))), th(site.words("column.interval", lang), "n"), th(view.say("column.range"), "n")]
    rows = [row([rowhead(_pair(model_link(m), figures.interval_and_range(scale, m, found["score"]))), num(format.span(m["shown"]["low"], m["shown"]["high"]), f'{m["low"]} {m["high"]}'),
                 num(_span(found["score"]["min"], found["score"]["max"], lang), f'{found["score"]["min"]} {found["score"]["max"]}')]) for m, found in shown]
    beyond = sum(found["score"]["max"] > m["high"] or found["score"]["min"] < m["low"] for m, found in shown)
    title = view.say("figure.title", n=format.whole(len(shown), lang), beyond=format.whole(beyond, lang))
    low, _, high = view.data["quantiles"]
    table = html_table("multiverse-ranges", view.say("figure.measure", share=format.percent(high - low, lang)), head, [rows], kind="scale-table")
    return f'<figure class="scale-figure" id="figure-multiverse"><p class="finding">{title}</p>\n{table}\n<figcaption>{_edition(view)}</figcaption></figure>'


def _scale(site: Site, shown: Sequence[tuple[Row, Row]]) -> figures.Scale:
    """The axis of all pages, cut to what these models need."""
    whole = figures.scale_of(site.index)
    points = [x for m, found in shown for x in (m["low"], m["high"], found["score"]["min"], found["score"]["max"])]
    low = min(points, default=whole.low)
    return figures.Scale(10 * (low // 10), max([whole.high, *points]), whole.mean, tuple(x for x in whole.reference if x >= 10 * (low // 10)))


def _pair(label: str, drawing: str) -> str:
    return f'<div class="pair"><span>{label}</span>{drawing}</div>'


def _span(low: float, high: float, lang: str) -> str:
    first, last = format.whole(round(low), lang), format.whole(round(high), lang)
    return first if first == last else format.span(first, last)


def _edition(view: View) -> str:
    return view.say("edition", as_of=format.day(view.data["as_of"], view.lang), version=format.plain(view.data["method_version"]))


def multiverse_ranks(site: Site, lang: str) -> str:
    """Every ranked model: ranks its interval allows, ranks over the cells, and the cell that moves its score most."""
    view = View(site, lang)
    low, _, high = view.data["quantiles"]
    head = [th(site.words("column.model", lang)), th(site.words("column.rank", lang), "n"), th(site.words("column.rank_range", lang), "n"),
            th(view.say("column.middle", share=format.percent(high - low, lang)), "n"), th(view.say("column.all"), "n")]
    bodies = []
    for m in view.ranked:
        found = view.models.get(m["slug"])
        ranks = row([rowhead(model_link(m)), num(format.whole(m["rank"], lang), m["rank"]), num(rank_range(m, lang)), *_rank_cells(view, found)], anchor=f'multiverse-{format.plain(m["slug"])}')
        bodies.append([ranks, row([f'<td colspan="{len(head)}">{_farthest(view, found)}</td>'], kind="why")])
    return html_table("multiverse-ranks", view.say("table.ranks"), head, bodies)


def _farthest(view: View, found: Row | None) -> str:
    most = found["most"] if found else None
    return view.say("farthest", points=view.points(most["points"]), where=view.point(most["point"])) if most else "–"


def _rank_cells(view: View, found: Row | None) -> list[str]:
    ranks = found["ranks"] if found else None
    if not ranks:
        return [num("–"), num("–")]
    lang, cells = view.lang, view.data["counts"]["cells"] - sum(view.data["counts"]["refused"].values())
    seldom = "" if ranks["cells"] == cells else f'<span class="below">{view.say("ranked_in", n=format.whole(ranks["cells"], lang))}</span>'
    return [num(_span(ranks["low"], ranks["high"], lang), f'{ranks["low"]:g} {ranks["high"]:g}'), num(_span(ranks["min"], ranks["max"], lang) + seldom, f'{ranks["min"]:g} {ranks["max"]:g}')]


def multiverse_refused(site: Site, lang: str) -> str:
    """Cells in which the method refuses to calibrate, with the rule and its words."""
    view = View(site, lang)
    refused = view.data["refused"]
    if not refused:
        return f'<p>{view.say("none_refused")}</p>'
    head = [th(view.say("column.cell")), th(view.say("column.rule")), th(view.say("column.reason"))]
    rows = [row([rowhead(view.point(x["point"])), td(f'<span class="rule">{format.plain(x["rule"])}</span>'), td(f'<span lang="en">{format.text(x["reason"].removeprefix(x["rule"] + ": "))}</span>', "wide")])
            for x in refused[:_REFUSED]]
    return html_table("multiverse-refused", view.say("table.refused", n=format.whole(len(refused), lang), cells=format.whole(view.data["counts"]["cells"], lang)), head, [rows])


def multiverse_grid(site: Site, lang: str) -> str:
    """The grid as its file says it."""
    lines = ["axes:"]
    for axis in site.multiverse["axes"]:
        values = list(dict.fromkeys(x.get("leave_out") or json.dumps(x["value"], ensure_ascii=False) for x in axis["levels"]))
        lines.append(f"  {axis['name']}: [{', '.join(values)}]")
    text = "\n".join(" " * (len(line) - len(line.lstrip())) + format.plain(line) for line in lines)
    return f'<div class="code"><pre tabindex="0" aria-label="params/multiverse.yml"><code>{text}</code></pre></div>'


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    data = site.multiverse
    numbers = {"cells": data["counts"]["cells"], "axes": len(data["axes"]), "refused": sum(data["counts"]["refused"].values())}
    sizes = {"median_range": data["overall"]["median_range"], "median_interval": data["overall"]["median_interval"]}
    first = data["overall"]["first"]
    view = View(site, lang)
    names = [format.text(view.names.get(x["model"], x["model"])) for x in first[:1]]
    return {**{f"multiverse_{key}": f'<data value="{x}">{format.whole(x, lang)}</data>' for key, x in numbers.items()},
            **{f"multiverse_{key}": "–" if x is None else f'<data value="{x}">{format.number(x, 1, lang)}</data>' for key, x in sizes.items()},
            "multiverse_leaders": f'<data value="{len(first)}">{format.whole(len(first), lang)}</data>', "multiverse_leader": names[0] if names else "–",
            "multiverse_leads": format.whole(first[0]["cells"], lang) if first else "–"}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {
    f.__name__: f for f in (multiverse_finding, multiverse_choices, multiverse_levels, multiverse_figure, multiverse_ranks, multiverse_refused, multiverse_grid)
}
