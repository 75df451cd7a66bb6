"""The page of the criticism: a second dimension and who would move, residuals by kind, differential functioning, saturation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from siiq_core.publish import format, plots
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.studies.view import Row, View, figure, histogram
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th


def criticism_noise_figure(site: Site, lang: str) -> str:
    """The share of the leading pair beside those that noise gives."""
    view = View(site, "criticism", lang)
    d = view.data["dimension"]
    noise = d["noise"]
    drawing = histogram(view, noise["shares"], 0.005, [(d["share"], view.plain("observed")), *([(noise["limit"], view.plain("limit", q=view.percent(view.data["parameters"]["noise_quantile"], 0)))] if noise["limit"] else [])],
                        view.plain("axis_share"), view.plain("axis_worlds"), view.plain("alternative_noise", share=view.percent(d["share"]), low=view.percent(noise["shares"][0]), high=view.percent(noise["shares"][-1])), percent=True)
    title = view.say("title_noise_told" if d["told"] else "title_noise_not", share=view.percent(d["share"]), median=view.percent(noise["median"]))
    return figure(view, "noise", drawing, title=title, measure=view.say("measure_noise", worlds=view.whole(len(noise["shares"]))))


def criticism_loadings_figure(site: Site, lang: str) -> str:
    """Which benchmarks load on the second dimension, with which sign."""
    view = View(site, "criticism", lang)
    own = view.data["dimension"]["loadings"]
    reach = max(1.0, *(abs(x["loading"]) for x in own))
    x = Axis(-1.1 * reach, 1.1 * reach, tuple((v, view.signed(v, 1)) for v in (-1.0, -0.5, 0.0, 0.5, 1.0) if abs(v) <= reach), view.plain("axis_loading"))
    y = Axis(0.3, len(own) + 0.7, tuple((float(k), "") for k in range(1, len(own) + 1)))
    marks = [plots.upright(0.0, x, "limit soft")]
    for k, entry in enumerate(own):
        at = float(len(own) - k)
        marks += [plots.curve([(0.0, at), (entry["loading"], at)], x, y), plots.dots([(entry["loading"], at)], x, y, "ring" if entry["loading"] < 0 else "dot", 4.5),
                  plots.tag(x.low, at, entry["name"], x, y, dx=0, dy=-8)]
    head = [th(view.say("column.benchmark")), th(view.say("column.area")), th(view.say("column.models"), "n"), th(view.say("column.loading"), "n")]
    rows = [row([rowhead(view.benchmark(e)), td(view.area(e["area"])), num(view.whole(e["models"]), e["models"]), num(view.signed(e["loading"], 2), e["loading"])]) for e in own]
    return figure(view, "loadings", plots.plot(marks, x, y, view.plain("alternative_loadings"), "ladder"), title=view.say("title_loadings", plus=_leads(view, 1), minus=_leads(view, -1)),
                  measure=view.say("measure_loadings"), table=html_table("criticism-loadings", view.say("table_loadings"), head, [rows]))


def _leads(view: View, sign: int) -> str:
    """The benchmark that loads most at one end."""
    own = max(view.data["dimension"]["loadings"], key=lambda x: (sign * x["loading"], x["benchmark"]))
    return format.text(own["name"])


def _end(view: View, sign: int) -> str:
    """All benchmarks at one end, the strongest first."""
    limit = view.data["parameters"]["end_loading"]
    own = sorted((x for x in view.data["dimension"]["loadings"] if sign * x["loading"] >= limit), key=lambda x: -abs(x["loading"]))
    return ", ".join(view.benchmark(x) for x in own) or "–"


def criticism_movers(site: Site, lang: str) -> str:
    """SI-IQ from the benchmarks of either end alone."""
    view = View(site, "criticism", lang)
    head = [th(view.say("column.model")), *(th(view.say(f"column.{x}"), "n") for x in ("siiq", "plus", "minus", "gap"))]
    rows = [row([rowhead(view.model(m)), *(num(view.number(m[k], 0), m[k]) for k in ("siiq", "plus", "minus")), view.mean_cell(m["gap"], m["error"], 1)]) for m in view.data["dimension"]["movers"]]
    return html_table("criticism-movers", view.say("table_movers", n=view.whole(len(rows)), all=view.whole(view.data["dimension"]["looked_at"])), head, [rows])


def criticism_areas(site: Site, lang: str) -> str:
    """Size and trend of residuals by area."""
    view = View(site, "criticism", lang)
    head = [th(view.say("column.area")), th(view.say("column.results"), "n"), th(view.say("column.rms"), "n"), th(view.say("column.mean"), "n"), th(view.say("column.trend"), "n")]
    rows = [row([rowhead(view.area(x["area"])), num(view.whole(x["results"]), x["results"]), num(view.number(x["rms"], 2), x["rms"]), view.mean_cell(x["mean"], x["error"]),
                 view.mean_cell(x["trend"]["slope"], x["trend"]["error"])]) for x in view.data["areas"]]
    return html_table("criticism-areas", view.say("table_areas"), head, [rows])


def criticism_developers(site: Site, lang: str) -> str:
    """Mean residual of a developer's models on an area's benchmarks; what stands out after Holm is strong."""
    view = View(site, "criticism", lang)
    cells = {(x["developer"], x["area"]): x for x in view.data["developers_by_area"]}
    areas = [x["area"] for x in view.data["areas"]]
    head = [th(view.say("column.developer")), th(view.say("column.results"), "n"), th(view.say("column.rms"), "n"), *(th(view.area(a), "n") for a in areas)]
    rows = [row([rowhead(format.text(x["developer"])), num(view.whole(x["results"]), x["results"]), num(view.number(x["rms"], 2), x["rms"]), *(_cell(view, cells.get((x["developer"], a))) for a in areas)])
            for x in view.data["developers"]]
    return html_table("criticism-developers", view.say("table_developers"), head, [rows])


def _cell(view: View, x: Row | None) -> str:
    if x is None:
        return num("–")
    shown = view.signed(x["mean"], 2)
    below = "" if x["error"] is None else f'<span class="below">±\u202f{view.number(x["error"], 2)}</span>'
    return num((f"<strong>{shown}</strong>" if x["told"] else shown) + below, x["mean"])


def criticism_releases(site: Site, lang: str) -> str:
    """Residuals by half-year of release."""
    view = View(site, "criticism", lang)
    head = [th(view.say("column.half_year")), th(view.say("column.models"), "n"), th(view.say("column.results"), "n"), th(view.say("column.rms"), "n"), th(view.say("column.mean"), "n")]
    rows = [row([rowhead(view.say(f"half.{x['half_year'][-1]}", year=format.plain(x["half_year"][:4]))), num(view.whole(x["models"]), x["models"]), num(view.whole(x["results"]), x["results"]),
                 num(view.number(x["rms"], 2), x["rms"]), view.mean_cell(x["mean"], x["error"])]) for x in view.data["releases"]]
    return html_table("criticism-releases", view.say("table_releases"), head, [rows])


def criticism_differential(site: Site, lang: str) -> str:
    """Open-weights against closed models, benchmark by benchmark."""
    view = View(site, "criticism", lang)
    head = [th(view.say("column.benchmark")), *(th(view.say(f"column.{x}"), "n") for x in ("open", "closed", "difference", "p", "holm"))]
    rows = [row([rowhead(view.benchmark(x)), num(view.whole(x["open"]), x["open"]), num(view.whole(x["closed"]), x["closed"]), view.mean_cell(x["difference"], x["error"]), num(view.p(x["p"]), x["p"]),
                 num(f"<strong>{view.p(x['holm'])}</strong>" if x["told"] else view.p(x["holm"]), x["holm"])]) for x in view.data["differential"]["benchmarks"]]
    return html_table("criticism-differential", view.say("table_differential", n=view.whole(len(rows))), head, [rows])


def criticism_saturation(site: Site, lang: str) -> str:
    """Share of results near the ceiling by release year: all benchmarks, then those where there are any."""
    view = View(site, "criticism", lang)
    s = view.data["saturation"]
    years = [x["year"] for x in s["all"]]
    head = [th(view.say("column.benchmark")), *(th(format.plain(y), "n") for y in years)]
    shown = [x for x in s["benchmarks"] if any(y["near"] for y in x["years"])]
    rows = [row([rowhead(name), *(_near(view, next((x for x in own if x["year"] == y), None)) for y in years)])
            for name, own in ((view.say("all_benchmarks"), s["all"]), *((view.benchmark(x), x["years"]) for x in shown))]
    return html_table("criticism-saturation", view.say("table_saturation", margin=view.percent(view.data["parameters"]["ceiling_margin"], 0)), head, [rows])


def _near(view: View, x: Row | None) -> str:
    if x is None:
        return num("–")
    return num(f'{view.percent(x["near"] / x["results"], 0)}<span class="below">{view.say("near", n=view.whole(x["near"]), all=view.whole(x["results"]))}</span>', x["near"] / x["results"])


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    view = View(site, "criticism", lang)
    data, d, differential = view.data, view.data["dimension"], view.data["differential"]
    shares = {"share": d["share"], "noise_median": d["noise"]["median"] or 0.0, "noise_limit": d["noise"]["limit"] or 0.0}
    counts = {"results": data["results"], "models": data["models"], "benchmarks": data["benchmarks"], "worlds": data["parameters"]["worlds"], "looked_at": d["looked_at"], "beyond": d["beyond"],
              "tested": differential["tested"], "least_end": data["parameters"]["min_results_end"], "least_group": data["parameters"]["min_models_group"],
              "least_side": data["parameters"]["min_models_side"]}
    newest = data["saturation"]["all"][-1] if data["saturation"]["all"] else {"year": "–", "near": 0, "results": 1}
    unlike = ", ".join(view.benchmark(x) for x in differential["benchmarks"] if x["told"])
    out = {f"criticism_{name}": view.data_value(x, view.percent(x)) for name, x in shares.items()}
    out |= {f"criticism_{name}": view.data_value(x, view.whole(x)) for name, x in counts.items()}
    return out | {
        "criticism_p": view.p(d["noise"]["p"]), "criticism_median_gap": view.number(d["median_gap"] or 0.0, 1), "criticism_plus": _end(view, 1), "criticism_minus": _end(view, -1),
        "criticism_rms": view.data_value(data["rms"], view.number(data["rms"], 2)), "criticism_slope": view.signed(data["trend"]["slope"], 2), "criticism_slope_error": view.number(data["trend"]["error"] or 0.0, 2),
        "criticism_end": format.shortest(data["parameters"]["end_loading"], lang), "criticism_level": view.percent(data["parameters"]["level"], 0), "criticism_margin": view.percent(data["parameters"]["ceiling_margin"], 0),
        "criticism_newest_year": format.plain(newest["year"]), "criticism_newest_near": view.percent(newest["near"] / newest["results"], 0),
        "criticism_verdict": view.say("verdict_told" if d["told"] else "verdict_not"), "criticism_unlike_verdict": view.say("unlike_told", names=unlike) if unlike else view.say("unlike_none"),
    }


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (
    criticism_noise_figure, criticism_loadings_figure, criticism_movers, criticism_areas, criticism_developers, criticism_releases, criticism_differential, criticism_saturation)}
