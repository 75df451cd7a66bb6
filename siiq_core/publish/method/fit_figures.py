"""Figures of the transform, the fit, its identification and κ, drawn from method_figures.json (T, C3, C5, C7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any

from siiq_core.publish import format, plots
from siiq_core.publish.method.facts import power_of_ten
from siiq_core.publish.method.frame import Say, benchmark_name, figure, model_name, number_table
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, th

_SHOWN_IN_TABLE = 10  # every so-many-th point of a curve


def method_transform(site: Site, lang: str) -> str:
    """T, T1: score → logit with a band of one standard deviation."""
    say = Say(site, "transform", lang)
    d, curve = say.data, say.data["curve"]
    at = {round(s, 2): y for s, y, _ in curve}

    def worth(share: float) -> float:  # ten points, from `share` of the way up
        low = round(d["g"] + (d["c"] - d["g"]) * share, 2)
        return at[round(low + 0.1, 2)] - at[low]

    shares = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
    y = Axis(-6.2, 6.2, tuple((math.log(p / (1 - p)), say.percent(p)) for p in shares), say.plain("y_axis"))
    x = Axis(0, 1, say.percents(0, 0.25, 0.5, 0.75, 1), say.plain(".score_axis"))
    above = [p for p in curve if p[0] >= d["g"]]
    marks = [plots.band([(s, a - sd, a + sd) for s, a, sd in above], x, y), plots.curve([(s, a) for s, a, _ in curve], x, y)]
    if d["g"]:
        marks += [plots.upright(d["g"], x), plots.tag(d["g"], 5.2, say.plain("chance"), x, y, "end", -6, 0)]
    alternative = say.plain("alternative", g=say.percent(d["g"]), c=say.percent(d["c"]))
    table = number_table("transform-table", say("caption_table"), [say("score"), "<i>y</i>", say("sd")],
                         [[(s, say.percent(s)), (a, say.number(a, 4)), (sd, say.number(sd, 4))] for s, a, sd in curve[::_SHOWN_IN_TABLE]])
    title = say("title", high=say.number(worth(0.8), 2), middle=say.number(worth(0.4), 2))
    return figure(say, plots.plot(marks, x, y, alternative), table, title=title, measure=say("measure", name=format.text(d["name"])))


def method_precision(site: Site, lang: str) -> str:
    """T1, T3: the standard deviation of a logit, for few and many questions."""
    say = Say(site, "precision", lang)
    series = say.data["series"]
    y = Axis(0.03, 30, say.numbers(0.1, 1, 10), say.plain("y_axis"), log=True)
    x = Axis(0, 1, say.percents(0, 0.25, 0.5, 0.75, 1), say.plain("x_axis"))
    marks = []
    for place, one in zip((-7, 16, -7), series, strict=True):  # the middle label below its curve
        marks += [plots.curve(one["curve"], x, y), plots.tag(0.5, one["curve"][50][1], say.plain("label", n=say.whole(one["n"])), x, y, "middle", 0, place)]
    table = number_table("precision-table", say("caption_table"), [say("share"), *(format.text(one["name"]) for one in series)],
                         [[(s, say.percent(s)), *((one["curve"][k][1], say.number(one["curve"][k][1], 4)) for one in series)]
                          for k, (s, _) in list(enumerate(series[0]["curve"]))[::_SHOWN_IN_TABLE]])
    few, many = series[0], series[-1]
    title = say("title", few=say.whole(few["n"]), many=say.whole(many["n"]), wide=say.number(few["curve"][50][1], 2),
                narrow=say.number(many["curve"][50][1], 2))
    return figure(say, plots.plot(marks, x, y, say.plain("alternative")), table, title=title, measure=say("measure"))


def method_loadings(site: Site, lang: str) -> str:
    """C3a: three fitted curves on raw scores, with the models on them."""
    say = Say(site, "loadings", lang)
    benches = say.data["benchmarks"]
    x = Axis(40, 160, say.numbers(60, 100, 140), say.plain(".siiq_points"))
    y = Axis(0, 1, say.percents(0, 0.25, 0.5, 0.75, 1), say.plain(".score_axis"))
    panels = []
    for b in benches:
        at = dict(map(tuple, b["curve"]))
        alternative = say.plain("alternative", name=format.plain(b["name"]), low=say.percent(at[60]), high=say.percent(at[140]), n=say.whole(len(b["models"])))
        marks = [plots.dots([(m["siiq"], m["score"]) for m in b["models"]], x, y, "dot faint", 3), plots.curve(b["curve"], x, y)]
        heading = f'<p class="panel">{benchmark_name(b)}<span class="below">{say("panel", alpha=say.number(b["alpha"], 2))}</span></p>'
        panels.append(f"<div>{heading}{plots.plot(marks, x, y, alternative, 'small')}</div>")
    table = number_table("loadings-table", say("caption_table"), ["SI-IQ", *(format.text(b["name"]) for b in benches)],
                         [[(p, say.whole(p)), *((b["curve"][k][1], say.percent(b["curve"][k][1], 1)) for b in benches)]
                          for k, (p, _) in enumerate(benches[0]["curve"]) if p % _SHOWN_IN_TABLE == 0])

    def rise(b: Mapping[str, Any]) -> str:  # most that the expected score gains within 20 points
        scores = [s for _, s in b["curve"]]
        return say.number(100 * max(high - low for low, high in zip(scores, scores[10:])), 0)

    title = say("title", steep=rise(benches[-1]), flat=rise(benches[0]), steep_name=format.text(benches[-1]["name"]), flat_name=format.text(benches[0]["name"]))
    return figure(say, f'<div class="panels">{"".join(panels)}</div>', table, title=title, measure=say("measure"))


def method_rounds(site: Site, lang: str) -> str:
    """C3: how far abilities still move in each round."""
    say = Say(site, "rounds", lang)
    changes, tolerance = say.data["changes"], say.data["tolerance"]
    last = changes[-1][0]
    step = 10 if last <= 60 else 50
    x = Axis(0, last + 1, say.numbers(*range(step, last + 1, step)), say.plain("x_axis"))
    y = Axis(min(tolerance, changes[-1][1]) / 10, 10, tuple((10.0**k, power_of_ten(10.0**k)) for k in (-10, -8, -6, -4, -2, 0)), log=True)
    shown = power_of_ten(tolerance)
    marks = [plots.across(tolerance, y), plots.tag(0, tolerance, say.plain("limit", tolerance=shown), x, y), plots.dots(changes, x, y, "dot", 3)]
    table = number_table("rounds-table", say("measure"), [say("round"), say("move")],
                         [[(n, say.whole(n)), (v, _scientific(say, v))] for n, v in changes])
    title = say("title", n=say.whole(last), tolerance=shown)
    return figure(say, plots.plot(marks, x, y, say.plain("alternative")), table, title=title, measure=say("measure"))


def _scientific(say: Say, value: float) -> str:
    """0.0761 as 7.61·10⁻²."""
    exponent = math.floor(math.log10(value))
    return f"{say.number(value / 10.0**exponent, 2)}·{power_of_ten(10.0**exponent)}"


def method_halves(site: Site, lang: str) -> str:
    """C7: the differences of held-out models' halves against what the formula expects."""
    say = Say(site, "halves", lang)
    d, pairs = say.data, say.data["pairs"]
    n, far = len(pairs), max(p["z"] for p in pairs)
    x = Axis(0, max(3.0, math.ceil(far)), say.numbers(*range(0, int(max(3.0, math.ceil(far))) + 1)), say.plain("x_axis"))
    y = Axis(0, 1, say.percents(0, 0.25, 0.5, 0.75, d["quantile"], 1)[:-2] + say.percents(d["quantile"]), say.plain("y_axis"))
    expected = [(k / 20, 2 * NormalDist().cdf(k / 20) - 1) for k in range(int(20 * x.high) + 1)]
    marks = [plots.across(d["quantile"], y), plots.upright(d["z90"], x, "limit soft"), plots.curve(expected, x, y, "curve quiet"),
             plots.dots([(p["z"], k / n) for k, p in enumerate(pairs, start=1)], x, y, "dot", 2.5),
             plots.tag(1.0, expected[20][1], say.plain("expected"), x, y, "start", 14, 12), plots.tag(d["q"], d["quantile"], say.plain("found", q=say.number(d["q"], 2)), x, y, "end", -8, -7, "tag strong")]
    shown = {"q": say.number(d["q"], 2), "z": say.number(d["z90"], 3), "quantile": say.percent(d["quantile"])}
    table = html_table("halves-table", say("caption_table"), [th(say(".model")), th(say("fold"), "n"), th(say("z"), "n")],
                       [[row([rowhead(model_name(p)), num(say.whole(p["fold"]), p["fold"]), num(say.number(p["z"], 4), p["z"])]) for p in pairs[:-11:-1]]])
    key = "title_wide" if d["kappa"] > 1 else "title_one"
    title = say(key, share=say.percent(d["inside"] / n), z=say.number(d["z90"], 3), **({"ratio": say.number(d["kappa"], 2)} if key == "title_wide" else {}))
    return figure(say, plots.plot(marks, x, y, say.plain("alternative", **shown)), table, title=title, measure=say("measure", n=say.whole(n)))


def method_identification(site: Site, lang: str) -> str:
    """C5: singular values and the gap before the two that are zero."""
    say = Say(site, "identification", lang)
    d, shares = say.data, say.data["shares"]
    x = Axis(0, len(shares) + d["null"] + 1, say.numbers(*range(10, len(shares) + d["null"] + 1, 10)), say.plain("x_axis"))
    y = Axis(d["null_below"] / 100, 10, tuple((10.0**k, power_of_ten(10.0**k)) for k in (0, -4, -8, -12) if 10.0**k >= d["null_below"] / 10), log=True)
    limit, bound, share = power_of_ten(d["tolerance"]), power_of_ten(d["null_below"]), say.percent(shares[-1])
    bottom = d["null_below"] / 20
    marks = [plots.across(d["tolerance"], y), plots.tag(0, d["tolerance"], say.plain("limit", tolerance=limit), x, y),
             plots.dots([(k, v) for k, v in enumerate(shares, start=1)], x, y, "dot", 3),
             plots.dots([(len(shares) + k, bottom) for k in range(1, d["null"] + 1)], x, y, "ring", 3.5),
             plots.tag(len(shares) + 1, bottom, say.plain("zeros"), x, y, "end", -10, 4), plots.tag(len(shares), 1e-4, say.plain("gap"), x, y, "end", -2, 4, "tag strong")]
    rows = [[(k, say.whole(k)), (v, say.number(v, 4))] for k, v in enumerate(shares, start=1)]
    rows += [[(len(shares) + k, say.whole(len(shares) + k)), (0.0, say("below", bound=bound))] for k in range(1, d["null"] + 1)]
    table = number_table("identification-table", say("measure"), [say("place"), say("share")], rows)
    alternative = say.plain("alternative", n=say.whole(len(shares)), null=say.whole(d["null"]), share=share, tolerance=limit, bound=bound)
    title = say("title", share=share)
    return figure(say, plots.plot(marks, x, y, alternative), table, title=title, measure=say("measure"))


def method_bridges(site: Site, lang: str) -> str:
    """C5: what the weakest direction would lose without each model."""
    words, known = site.words, site.method["figures"]["identification"]
    head = [th(words("method.model", lang)), th(words("method.results", lang), "n"), th(words("method.bridges.fall", lang), "n")]
    mark = f' <span class="chosen">{words("method.bridges.bridge", lang)}</span>'
    rows = [row([rowhead(model_name(x) + (mark if x["fall"] > known["bridge"] else "")), num(format.whole(x["results"], lang), x["results"]),
                 num(format.percent(x["fall"], lang, 1), x["fall"])]) for x in known["bridges"]]
    return html_table("bridges", words("method.bridges.caption", lang), head, [rows], kind="quiet")


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {
    f.__name__: f for f in (method_transform, method_precision, method_loadings, method_rounds, method_halves, method_identification, method_bridges)
}
