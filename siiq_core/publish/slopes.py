"""Slope charts: the places of the same models by SI-IQ on the left and by another method on the right, a line for each.

Heights are pixels and widths per cent, so that texts keep their size and stay apart at every width; colours are left to the
style sheet. Where there are too many lines for names, the marked ones are named and the others only drawn.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.params.agreement import AgreementParams, load_agreement
from siiq_core.publish import format
from siiq_core.publish.format import plain
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, th

_TOP, _ROW, _TALL, _GAP = 34, 23, 300, 15  # px: above the first place, between two named lines, all lines where few are named, between two labels
_LETTERS = 26  # of a name at most
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Slope:
    """One model: its places, 1 the first; a name where it is labelled; "up" or "down" where it is marked."""

    left: float
    right: float
    name: str = ""
    mark: str = ""


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions at least `gap` apart and between `low` and `high`, in the order of `wanted`, as near to it as can be.

    Least squares: with i·gap taken off the i-th, what remains may only not fall, so that neighbours that would are averaged.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    runs: list[tuple[float, int]] = []  # mean and length
    for k, i in enumerate(order):
        runs.append((wanted[i] - k * gap, 1))
        while len(runs) > 1 and runs[-2][0] > runs[-1][0]:
            (a, m), (b, n) = runs[-2:]
            runs[-2:] = [((a * m + b * n) / (m + n), m + n)]
    top = max(low, high - (len(wanted) - 1) * gap)
    level = [min(max(mean, low), top) for mean, n in runs for _ in range(n)]
    out = [0.0] * len(wanted)
    for k, i in enumerate(order):
        out[i] = level[k] + k * gap
    return out


def slope_chart(slopes: Sequence[Slope], heads: tuple[str, str], alternative: str, lang: str) -> str:
    """The chart of one pair of methods; `heads` and `alternative` are plain text."""
    named = [s for s in slopes if s.name]
    last = max((max(s.left, s.right) for s in slopes), default=1.0)
    step = _ROW if len(named) == len(slopes) else _TALL / max(last - 1, 1)

    def y(place: float) -> float:
        return _TOP + (place - 1) * step

    height = round(y(last)) + 12
    parts = [_lines([s for s in slopes if not s.mark], y, height, "line" if len(named) == len(slopes) else "line fine"), *(_lines([s], y, height, f"line {s.mark}") for s in slopes if s.mark)]
    parts += [f'<circle class="{_class("end", s.mark)}" cx="{x}" cy="{y(place):.1f}" r="3"/>' for s in named for x, place in (("0", s.left), ("100%", s.right))]
    left, right = [(s.left, s.mark) for s in named], sorted({s.right: s.mark for s in sorted(named, key=lambda s: s.mark)}.items())  # where some share a place, a mark shows
    if len(named) < len(slopes):  # the ends of the scale, which no name tells
        left, right = (own + [(place, "") for place in (1.0, last) if place not in dict(own)] for own in (left, right))
    heights = spread([y(place) for place, _ in left], _GAP, _TOP - 6, height)
    parts += [_text(_class("place", mark), "0", -9, at, format.shortest(place, lang), "end") for (place, mark), at in zip(left, heights, strict=True)]
    parts += [_text(_class("name", s.mark), "0", -32, at, plain(format.shortened(s.name, _LETTERS)), "end") for s, at in zip(named, heights)]
    parts += [_text(_class("place", mark), "100%", 9, at, format.shortest(place, lang))
              for (place, mark), at in zip(right, spread([y(place) for place, _ in right], _GAP, _TOP - 6, height), strict=True)]
    parts += [_text("head", "0", -9, 9, plain(heads[0]), "end"), _text("head", "100%", 30, 9, plain(heads[1]), "end")]
    return f'<div class="slope"><svg role="img" aria-label="{plain(alternative)}" focusable="false" width="100%" height="{height}">{"".join(parts)}</svg></div>'


def _class(kind: str, mark: str) -> str:
    return f"{kind} {mark}" if mark else kind


def _text(kind: str, x: str, dx: int, y: float, shown: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x}" dx="{dx}" y="{y + 4:.1f}" text-anchor="{anchor}">{shown}</text>'


def _lines(slopes: Iterable[Slope], y: Callable[[float], float], height: int, kind: str) -> str:
    path = "".join(f"M0 {y(s.left):.1f}L100 {y(s.right):.1f}" for s in slopes)
    return f'<svg viewBox="0 0 100 {height}" preserveAspectRatio="none" width="100%" height="{height}"><path class="{kind}" vector-effect="non-scaling-stroke" d="{path}"/></svg>' if path else ""


def marked(rows: Sequence[Json], params: AgreementParams) -> list[Json]:
    """The models whose place changes most, the farthest first, with those that change as much as the last of them."""
    far = sorted((r for r in rows if _change(r) >= params.least_change), key=lambda r: (-_change(r), r["siiq"], r["model"]))
    least = min((_change(r) for r in far[:params.marked]), default=None)
    return [r for r in far if least is not None and _change(r) >= least]


def _change(r: Json) -> float:
    return abs(r["siiq"] - r["other"])


def agreement_slopes(site: Site, lang: str) -> str:
    """SI-IQ against each other method, as one figure; nothing where no method shares models enough."""
    say, params, orders = _say(site, lang), load_agreement(site.root), site.agreement["orders"]
    if not orders:
        return ""
    most = max(orders, key=lambda o: (o["mean_change"], o["other"]))
    others = [o["mean_change"] for o in orders if o is not most]
    title = say("title" if others else "title_one", name=say(f"subject.{most['other']}"), most=format.percent(most["mean_change"], lang), **({"rest": format.percent(max(others), lang)} if others else {}))
    edition = site.words("method.caption", lang, as_of=format.day(site.index["as_of"], lang), version=format.plain(site.index["method_version"]))
    panels = "\n".join(_panel(site, order, params, lang) for order in sorted(orders, key=lambda o: (o["n"] > params.named, -o["mean_change"], o["other"])))
    return (f'<figure class="plotted" id="figure-slopes"><p class="finding">{title}</p>\n<p class="measure">{say("measure", least=format.whole(params.least_change, lang))}</p>\n'
            f'<div class="panels two">{panels}</div>\n<figcaption>{edition}</figcaption>\n'
            f'<details class="fold"><summary>{site.words("method.table", lang)}</summary>\n{_table(site, lang)}</details></figure>')


def _panel(site: Site, order: Json, params: AgreementParams, lang: str) -> str:
    say, far = _say(site, lang), marked(order["models"], params)
    name = site.words(f"agreement.method.{order['other']}", lang)
    changed = [_change(r) for r in order["models"] if _change(r)]
    head = say("panel", name=name, moved=format.whole(len(changed), lang), n=format.whole(order["n"], lang), most=format.shortest(max(changed, default=0), lang))
    slopes = [Slope(r["siiq"], r["other"], _plain(r["name"]) if r in far or order["n"] <= params.named else "", ("up" if r["other"] < r["siiq"] else "down") if r in far else "") for r in order["models"]]
    told = "; ".join(f'{_plain(r["name"])}: {format.shortest(r["siiq"], lang)} → {format.shortest(r["other"], lang)}' for r in far)
    alternative = html.unescape(say("alternative", name=name)) + " " + (told or html.unescape(say("alternative_none", least=format.whole(params.least_change, lang)))) + "."
    chart = slope_chart(slopes, ("SI-IQ", html.unescape(say(f"head.{order['other']}"))), alternative, lang)
    return f'<div><p class="panel">{head}</p>\n{chart}</div>'


def _plain(name: str) -> str:
    return html.unescape(plain(name))  # on one line, nothing unprintable


def _table(site: Site, lang: str) -> str:
    say = _say(site, lang)
    head = [th(say("model")), th("SI-IQ", "n"), th(say("there"), "n"), th(say("change"), "n")]
    name = {o["other"]: site.words(f"agreement.method.{o['other']}", lang) for o in site.agreement["orders"]}
    bodies = [[row([f'<th scope="rowgroup" colspan="4">{name[o["other"]]}</th>'], kind="group"),
               *(row([rowhead(model_link({"slug": r["model"], "name": r["name"]})), num(format.shortest(r["siiq"], lang), r["siiq"]), num(format.shortest(r["other"], lang), r["other"]),
                      num(format.signed(r["siiq"] - r["other"], 0 if (r["siiq"] - r["other"]) % 1 == 0 else 1, lang), r["siiq"] - r["other"])]) for r in o["models"])]
              for o in site.agreement["orders"]]
    return html_table("slopes", say("table"), head, bodies)


def _say(site: Site, lang: str) -> Callable[..., str]:
    return lambda key, **values: site.words(f"agreement.slopes.{key}", lang, **values)


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (agreement_slopes,)}
