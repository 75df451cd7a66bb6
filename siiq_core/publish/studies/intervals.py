"""The page of the intervals: coverage by class, errors with the parameters' share, κ over other folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from siiq_core.publish import format, plots
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.studies.view import Row, View, figure, histogram
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th

KINDS = {"known": ("dot faint", -0.22), "published": ("dot", 0.0), "widened": ("ring", 0.22)}  # kind of interval → mark, place beside its class
ERRORS = 1.96  # of whiskers, standard errors


def intervals_coverage_figure(site: Site, lang: str) -> str:
    """Share of intervals that hold the truth, by class of models and kind of interval."""
    view = View(site, "intervals", lang)
    found, nominal = view.data["coverage"]["classes"], view.data["coverage"]["nominal"]
    ends = [c["kinds"][k]["covered"] for c in found for k in KINDS]
    low, high = min(nominal, *(x["share"] - ERRORS * x["error"] for x in ends)), max(nominal, *(x["share"] + ERRORS * x["error"] for x in ends))
    step = 0.01 if high - low < 0.08 else 0.05
    first, last = int(low / step), int(high / step) + 1
    x = Axis(0.5, len(found) + 0.5, tuple((float(k), view.plain(f"short.{c['id']}") if c["least"] is None else _families(view, c)) for k, c in enumerate(found, 1)), view.plain("axis_classes"))
    y = Axis(first * step, last * step, tuple((k * step, format.shortest(round(100 * k * step, 6), lang)) for k in range(first, last + 1)), view.plain("axis_covered"))
    marks = [plots.across(nominal, y)]
    for kind, (mark, beside) in KINDS.items():
        spots = [(k + beside, c["kinds"][kind]["covered"]) for k, c in enumerate(found, 1)]
        marks += [plots.segments([(at, s["share"] - ERRORS * s["error"], s["share"] + ERRORS * s["error"]) for at, s in spots], x, y), plots.dots([(at, s["share"]) for at, s in spots], x, y, mark, 4.5)]
    legend = "".join(f'<li><svg viewBox="-7 -7 14 14" aria-hidden="true"><circle class="{mark}" r="5"/></svg>{view.say(f"kind.{kind}")}</li>' for kind, (mark, _) in KINDS.items())
    ranked = _ranked(view)["kinds"]
    title = view.say("title_coverage", nominal=view.percent(nominal, 0), **{k: view.percent(ranked[k]["covered"]["share"]) for k in ("published", "widened")})
    return figure(view, "coverage", plots.plot(marks, x, y, view.plain("alternative_coverage", nominal=view.percent(nominal, 0))), title=title,
                  measure=view.say("measure_coverage", worlds=view.whole(view.data["coverage"]["worlds"])), legend=f'<ul class="keys">{legend}</ul>')


def _families(view: View, c: Row) -> str:
    return f"{c['least']}+" if c["most"] is None else format.span(view.whole(c["least"]), view.whole(c["most"]))


def _class(view: View, c: Row) -> str:
    return view.say(f"class.{c['id']}") if c["least"] is None else view.say("class.families", n=_families(view, c))


def intervals_coverage(site: Site, lang: str) -> str:
    """Per class: models, coverage of each kind of interval, half-width, and ranges of ranks."""
    view = View(site, "intervals", lang)
    head = [th(view.say("column.models")), th(view.say("column.number"), "n"), *(th(view.say(f"kind.{k}"), "n") for k in KINDS), th(view.say("column.half_width"), "n"), th(view.say("column.ranks"), "n")]
    rows = []
    for c in view.data["coverage"]["classes"]:
        kinds = c["kinds"]
        rows.append(row([rowhead(_class(view, c)), num(view.whole(c["models"]), c["models"]), *(_share(view, kinds[k]["covered"]) for k in KINDS),
                         num(view.number(kinds["published"]["half_width"], 1), kinds["published"]["half_width"]), _share(view, kinds["published"]["rank_covered"])]))
    return html_table("intervals-coverage", view.say("table_coverage"), head, [rows])


def _share(view: View, x: Row | None) -> str:
    if x is None:
        return num("–")
    return num(f'{view.percent(x["share"])}<span class="below">±\u202f{view.percent(x["error"], 2)}</span>', x["share"])


def intervals_errors(site: Site, lang: str) -> str:
    """Every ranked model: standard error as published, by the sandwich over all parameters, and by the jackknife."""
    view = View(site, "intervals", lang)
    own = [x for x in view.data["errors"] if x["rank"] is not None]
    head = [th(view.say("column.model")), th("SI-IQ", "n"), th(view.say("column.families"), "n"), th(view.say("column.se"), "n"), th(view.say("column.sandwich"), "n"), th(view.say("column.jackknife"), "n"),
            th(view.say("column.wider"), "n")]
    rows = [row([rowhead(view.model(x)), num(view.number(x["siiq"], 0), x["siiq"]), num(view.whole(x["families"]), x["families"]), *(num(view.number(x[k], 2), x[k]) for k in ("se", "with_parameters", "jackknife")),
                 num(view.signed(100 * (x["with_parameters"] / x["se"] - 1), 0), x["with_parameters"] / x["se"] - 1)]) for x in own]
    table = html_table("intervals-errors", view.say("table_errors", n=view.whole(len(rows))), head, [rows], kind="quiet")
    return f'<details class="fold list"><summary>{view.say("show_errors", n=view.whole(len(rows)))}</summary>\n{table}\n</details>'


def intervals_kappa_figure(site: Site, lang: str) -> str:
    """How κ is spread over other folds, before it is kept from falling under 1."""
    view = View(site, "intervals", lang)
    k = view.data["kappa"]
    drawing = histogram(view, k["ratios"], 0.01, [(k["ratio"], view.plain("own_folds")), (1.0, view.plain("floor"))], view.plain("axis_ratio"), view.plain("axis_assignments"),
                        view.plain("alternative_kappa", low=view.number(k["ratios"][0], 2), high=view.number(k["ratios"][-1], 2)))
    head = [th(view.say("column.quantile")), th(view.say("column.ratio"), "n"), th("<i>κ</i>", "n"), th(view.say("column.worlds_kappa"), "n")]
    worlds = dict(map(tuple, view.data["coverage"]["kappa"]))
    rows = [row([rowhead(view.percent(q, 0)), num(view.number(ratio, 3), ratio), num(view.number(kappa, 3), kappa), num(view.number(worlds[q], 3) if q in worlds else "–", worlds.get(q))])
            for (q, ratio), (_, kappa) in zip(k["quantiles"], k["kappas"], strict=True)]
    title = view.say("title_kappa", n=view.whole(k["widen"]), all=view.whole(k["assignments"]))
    return figure(view, "kappa", drawing, title=title, measure=view.say("measure_kappa"), table=html_table("intervals-kappa", view.say("table_kappa"), head, [rows]))


def _ranked(view: View) -> Row:
    found = view.data["coverage"]["classes"]
    return next((c for c in found if c["id"] == "ranked"), found[0])


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    view = View(site, "intervals", lang)
    d, k = view.data, view.data["kappa"]
    classes, ranked = d["coverage"]["classes"], _ranked(view)["kinds"]
    every, few = classes[0]["kinds"], next((c for c in classes if c["least"] == 1), classes[0])["kinds"]
    shares = {"nominal": d["coverage"]["nominal"], "ranked_published": ranked["published"]["covered"]["share"], "ranked_widened": ranked["widened"]["covered"]["share"],
              "all_known": every["known"]["covered"]["share"], "all_published": every["published"]["covered"]["share"], "all_widened": every["widened"]["covered"]["share"],
              "few_published": few["published"]["covered"]["share"], "ranks": (ranked["published"]["rank_covered"] or {"share": 0.0})["share"]}
    out = {f"intervals_{name}": view.data_value(x, view.percent(x, 0 if name == "nominal" else 1)) for name, x in shares.items()}
    counts = {"worlds": d["coverage"]["worlds"], "assignments": k["assignments"], "deletions": d["jackknife"]["deletions"]}
    out |= {f"intervals_{name}": view.data_value(x, view.whole(x)) for name, x in counts.items()}
    for name in ("with_parameters", "jackknife"):
        median, most = (dict(map(tuple, d["ratios"][name])).get(q, 1.0) - 1 for q in (0.5, max(d["parameters"]["quantiles"])))
        out |= {f"intervals_{name}_median": view.data_value(median, view.percent(median, 0)), f"intervals_{name}_most": view.data_value(most, view.percent(most, 0))}
    low, high = k["ratios"][0], k["ratios"][-1]
    out |= {"intervals_ratio_low": view.data_value(low, view.number(low, 2)), "intervals_ratio_high": view.data_value(high, view.number(high, 2)),
            "intervals_most_wider": view.data_value(max(0.0, high / d["kappa"]["published"] - 1), view.percent(max(0.0, high / d["kappa"]["published"] - 1), 0)),
            "intervals_ratio": view.data_value(k["ratio"], view.number(k["ratio"], 2)), "intervals_kappa": view.data_value(k["published"], view.number(k["published"], 2))}
    worlds = (d["coverage"]["kappa"] or k["kappas"])[-1]
    return out | {"intervals_worlds_kappa": view.data_value(worlds[1], view.number(worlds[1], 2)), "intervals_seed": f'<data value="{d["parameters"]["seed"]}">{d["parameters"]["seed"]}</data>'}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (intervals_coverage_figure, intervals_coverage, intervals_errors, intervals_kappa_figure)}
