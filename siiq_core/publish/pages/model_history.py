"""A model's history (V4): the curve over the shipped snapshots, and what caused each step."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.pages.model_view import View, percentage
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th

Day = Mapping[str, Any]  # of history_scores.json
_STEPS = (5, 10, 20, 50)  # SI-IQ points between labels
_LINES = 5  # at most


def history(view: View) -> str:
    """The curve with its table of steps; a line of text where there is no step."""
    days = view.site.scores[view.model["slug"]]
    lead = f'<p>{view.say("history.lead")}</p>'
    if len(days) == 1:
        return f'{lead}\n<p>{view.say("history.single", day=view.day(days[0]["day"]))}</p>'
    return f'{lead}\n{_figure(view, days)}\n{_steps(view, days)}\n<p class="small">{view.say("history.split")}</p>'


# --- the curve -------------------------------------------------------------------------------------------------------


def _figure(view: View, days: Sequence[Day]) -> str:
    index = view.site.index
    first, last = next(d for d in days if d["siiq"] is not None), days[-1]
    end = index["as_of"]

    def said(day: Day) -> str:
        return f'{format.plain(day["shown"]["siiq"])} ({view.interval(day["shown"])})'

    finding = view.say("history.finding", first=said(first), day=view.day(first["day"]), last=said(last), end=view.day(end))
    caption = view.say("history.caption", as_of=view.day(end), version=format.plain(index["method_version"]))
    return (f'<figure class="curve"><p class="finding">{finding}</p><p class="measure">{view.say("history.measure")}</p>\n'
            f'<div class="plot" aria-hidden="true">{curve(days, end, view.lang)}</div>\n<figcaption>{caption}</figcaption></figure>')


def curve(days: Sequence[Day], end: str, lang: str) -> str:
    """The drawing: positions are percentages, so that letters and lines keep their size on every screen."""
    start, stop = _ordinal(days[0]["day"]), max(_ordinal(end), _ordinal(days[0]["day"]) + 1)
    low, high, step = _range(days)

    def x(day: str) -> float:
        return 100 * (_ordinal(day) - start) / (stop - start)

    def y(points: float) -> float:
        return 100 - 100 * (min(high, max(low, points)) - low) / (high - low)

    level = [f'<line class="grid" x1="0" x2="100%" y1="{y(v):.2f}%" y2="{y(v):.2f}%"/><text class="label" x="0" y="{y(v):.2f}%" dy="-3">{v}</text>'
             for v in range(low, high + 1, step)]
    areas, line = _paths([(d, x(d["day"]), x(after)) for d, after in zip(days, [*(d["day"] for d in days[1:]), end], strict=True)], y)
    dots = [f'<circle class="{"dot" if d["enough"] else "dot thin"}" cx="{x(d["day"]):.2f}%" cy="{y(d["siiq"]):.2f}%" r="4"/>' for d in days if d["siiq"] is not None]
    stretched = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%"><path class="band" d="{areas}"/><path class="line" d="{line}"/></svg>'
    ends = (f'<text class="label" x="0" y="100%" dy="18">{format.day(days[0]["day"], lang)}</text>'
            f'<text class="label" x="100%" y="100%" dy="18" text-anchor="end">{format.day(end, lang)}</text>')
    return f'<svg class="history" focusable="false">{"".join(level)}{stretched}{"".join(dots)}{ends}</svg>'


def _ordinal(day: str) -> int:
    return datetime.date.fromisoformat(day).toordinal()


def _range(days: Sequence[Day]) -> tuple[int, int, int]:
    """Ends and step of the vertical axis: every score, and the intervals of days with enough results and of the last one.

    The wide band of a day with one or two results may run out of the drawing; the table has its ends.
    """
    points = [d["siiq"] for d in days if d["siiq"] is not None]
    for day in days:
        if day["siiq"] is not None and (day["enough"] or day is days[-1]):
            points += [day["low"], day["high"]]
    span = max(points) - min(points)
    step = next((s for s in _STEPS if span / s <= _LINES - 1), _STEPS[-1])
    return int(min(points) // step * step), int(-(-max(points) // step) * step), step


def _paths(stretches: Sequence[tuple[Day, float, float]], y: Any) -> tuple[str, str]:
    """Band and step line; a stretch without a score is a gap."""
    areas, line, before = [], [], None
    for day, left, right in stretches:
        if day["siiq"] is None:
            before = None
            continue
        top, bottom, at = y(day["high"]), y(day["low"]), y(day["siiq"])
        areas.append(f"M{left:.2f} {top:.2f}H{right:.2f}V{bottom:.2f}H{left:.2f}Z")
        line.append(f"V{at:.2f}H{right:.2f}" if before is not None else f"M{left:.2f} {at:.2f}H{right:.2f}")
        before = at
    return "".join(areas), "".join(line)


# --- the steps -------------------------------------------------------------------------------------------------------


def _steps(view: View, days: Sequence[Day]) -> str:
    """A row a day, the newest first: score, change, and every part of the change."""
    say, lang = view.say, view.lang
    head = [th(say("history.day")), th(view.site.words("column.siiq", lang), "n keep", view.site.words("column.interval", lang)),
            th(say("history.change"), "n", say("history.change_below")), th(say("history.cause"))]
    rows = [_step(view, None, days[0])] + [_step(view, before, day) for before, day in pairwise(days)]
    table = html_table("steps", say("history.steps_caption"), head, [reversed(rows)])
    return f'<details class="fold" open><summary>{say("history.fold")}</summary>{table}</details>'


def _step(view: View, before: Day | None, day: Day) -> str:
    lang, shown = view.lang, day["shown"]
    score = num(f'{format.plain(shown["siiq"])}<span class="below">{view.interval(shown)}</span>', shown["siiq"]) if shown else td("–", "n")
    change = num(format.signed(day["change"], 2, lang), f'{day["change"]:.12g}') if day["change"] is not None else td("–", "n")
    opening = "" if day["change"] is not None else view.say("history.ends") if shown is None else view.say("history.begins")
    parts = _causes(view, day["parts"])
    causes = (f"{opening}: " if opening and parts else opening) + parts
    thin = view.say("history.thin") if shown and not day["enough"] else ""
    return row([rowhead(view.day(day["day"]), thin), score, change, td(causes, "wide")])


def _causes(view: View, parts: Sequence[Mapping[str, Any]]) -> str:
    """The parts by cause; where a score begins, the benchmarks alone."""
    if all(p["points"] is None and p["cause"] == "new" for p in parts):
        return ", ".join(_result(view, p) for p in parts)
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for part in parts:
        groups.setdefault((part["cause"], part.get("rule", "")), []).append(part)
    texts = []
    for (cause, rule), own in sorted(groups.items()):
        what = ", ".join(_result(view, p) for p in sorted(own, key=lambda p: (-abs(p["points"] or 0), p["benchmark"])))
        texts.append(view.say("cause." + cause.replace(" ", "_"), what=what, **({"rule": format.text(rule)} if cause == "left out" else {})))
    return "; ".join(texts)


def _result(view: View, part: Mapping[str, Any]) -> str:
    """Benchmark, the score before and after, and the points it moved."""
    bench = view.benches[part["benchmark"]]
    scores = [percentage(s, view.lang) for s in (part["before"], part["score"]) if s is not None]
    points = "" if part["points"] is None else f' <data value="{part["points"]:.12g}">({format.signed(part["points"], 2, view.lang)})</data>'
    return f'{format.text(bench["name"])} <span class="keep">{" → ".join(scores)}</span>{points}'
