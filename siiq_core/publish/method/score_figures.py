"""Figures of scores: what freezing spares, and how one result moves a score, drawn from method_figures.json (C9, C10, S)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.publish import format, plots
from siiq_core.publish.figures import change_axis, change_bar
from siiq_core.publish.method.frame import Say, benchmark_name, figure, model_name, number_table
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th


def method_recalibration(site: Site, lang: str) -> str:
    """C9, C10: today's results under an earlier day's parameters and today's."""
    say = Say(site, "recalibration", lang)
    d, models = say.data, say.data["models"]
    if not models:
        return f"<p>{say('none')}</p>"
    changes = [m["change"] for m in models]
    most = max(1.0, math.ceil(max(map(abs, changes))))
    low, high = 10 * math.floor(min(m["after"] for m in models) / 10), 10 * math.ceil(max(m["after"] for m in models) / 10)
    x = Axis(low, high, say.numbers(*(v for v in range(low, high + 1) if v % 20 == 0)), say.plain("x_axis"))
    y = Axis(-most, most, tuple((v, format.signed(v, 0, say.lang)) for v in (-most, 0, most)), say.plain("y_axis"))
    marks = [plots.across(0, y, "limit soft"), plots.dots([(m["after"], m["change"]) for m in models], x, y, "dot", 3)]
    far = max(models, key=lambda m: (abs(m["change"]), m["model"]))
    anchor, dx = ("end", -8) if x.at(far["after"]) > 0.5 else ("start", 8)
    marks.append(plots.tag(far["after"], far["change"], far["name"], x, y, anchor, dx, 4))
    day, median = format.day(d["from"], lang), say.number(d["median_change"], 2)
    alternative = say.plain("alternative", n=say.whole(len(models)), low=format.signed(min(changes), 1, say.lang), high=format.signed(max(changes), 1, say.lang), median=median)
    largest = sorted(models, key=lambda m: (-abs(m["change"]), m["model"]))[:10]
    head = [th(say(".model")), th(say("before", before=day), "n"), th(say("after"), "n"), th(say("change"), "n")]
    rows = [row([rowhead(model_name(m)), num(say.number(m["before"], 2), m["before"]), num(say.number(m["after"], 2), m["after"]),
                 num(format.signed(m["change"], 2, say.lang), m["change"])]) for m in largest]
    return figure(say, plots.plot(marks, x, y, alternative), html_table("recalibration-table", say("caption_table"), head, [rows]),
                  title=say("title", before=day, median=median), measure=say("measure", before=day))


def method_leverage(site: Site, lang: str) -> str:
    """S: what five percentage points on each benchmark do to the leader; a figure that is a table, so that it reads aloud."""
    say = Say(site, "leverage", lang)
    d, step = say.data, format.shortest(100 * say.data["step"], lang)
    moved = [max(abs(r["down"]), abs(r["up"])) for r in d["results"]]
    most = math.ceil(max(*moved, *(abs(r["without"] or 0.0) for r in d["results"])))
    head = [th(say(".benchmark")), th(change_axis(most, lang) + f'<span class="hidden">{say(".siiq_points")}</span>', "on-scale"), th(say("score"), "n"), th(say("share"), "n"),
            th(say("down", step=step), "n"), th(say("up", step=step), "n"), th(say("without"), "n")]
    rows = [row([rowhead(benchmark_name(r)), td(change_bar(r["down"], r["up"], most, r["without"]), "on-scale"), num(say.percent(r["score"], 1), r["score"]), num(say.percent(r["share"], 0), r["share"]),
                 *(num(format.signed(r[k], 1, say.lang), r[k]) if r[k] is not None else td("–", "n") for k in ("down", "up", "without"))]) for r in d["results"]]
    title = say("title", step=step, name=format.text(d["name"]), small=say.number(min(moved), 1), large=say.number(max(moved), 1))
    return figure(say, html_table("leverage-table", say("caption_table"), head, [rows]), "", title=title, measure=say("measure", step=step))


def method_response(site: Site, lang: str) -> str:
    """S: one result from 0 to 100 %, all others as they are."""
    say = Say(site, "leverage", lang, words="response")
    d, one = say.data, say.data["curve"]
    points = one["points"]
    values = [v for _, v in points]
    low, high = 5 * math.floor(min(values) / 5), 5 * math.ceil(max(values) / 5)
    x = Axis(0, 1, say.percents(0, 0.25, 0.5, 0.75, 1), say.plain(".score_axis"))
    y = Axis(low, high, say.numbers(*range(low, high + 1, 5)), say.plain(".siiq_points"))
    now = [(one["score"], d["siiq"])]
    marks = [plots.curve(points, x, y), plots.dots(now, x, y, "dot", 4.5), plots.tag(*now[0], say.plain("now"), x, y, "end", -8, -6, "tag strong")]
    table = number_table("response-table", say("caption_table"), [say.site.words("method.leverage.score", lang), "SI-IQ"],
                         [[(s, say.percent(s)), (v, say.number(v, 2))] for s, v in points[::10]])
    bench = format.text(one["name"])
    title = say("title", benchmark=bench, name=format.text(d["name"]), low=say.number(min(values), 0), high=say.number(max(values), 0))
    return figure(say, plots.plot(marks, x, y, say.plain("alternative", score=say.percent(one["score"]))), table, title=title,
                  measure=say("measure", benchmark=bench), address="response")


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (method_recalibration, method_leverage, method_response)}
