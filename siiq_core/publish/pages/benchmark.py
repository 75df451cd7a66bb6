"""A page per configured benchmark: what it asks, its curve with the models on it, what it weighs, and what would make it leave or join."""

from __future__ import annotations

import datetime
import html
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from siiq_core.publish import figures, fitted, format, plots
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Generated, Site
from siiq_core.publish.tables import html_table, num, question_count, reason_out, row, rowhead, td, th

_HEAD = '<link rel="stylesheet" href="../_static/benchmark.css">'
_LABELLED = 5  # models named in the drawing; the table names all that lie far


class View:
    """One benchmark in one language; links are relative to the folder of benchmarks' pages."""

    def __init__(self, site: Site, lang: str, bench: Mapping[str, Any]) -> None:
        self.site, self.lang, self.bench, self.index = site, lang, bench, site.index
        self.spots = fitted.spots(site.index, bench) if bench["in_index"] else ()

    def say(self, key: str, **values: str) -> str:
        """A text of benchmark.yml, as HTML."""
        return self.site.words(f"benchmark.{key}", self.lang, **values)

    def plain(self, key: str, **values: str) -> str:
        """The same as plain text, for a drawing."""
        return html.unescape(self.say(key, **values))

    def counted(self, key: str, n: int, **values: str) -> str:
        """A text that differs for none, one and many."""
        return self.say(f'{key}_{"none" if n == 0 else "one" if n == 1 else "many"}', n=format.whole(n, self.lang), **values)

    def number(self, value: float, places: int) -> str:
        """With exactly so many decimals."""
        return format.number(value, places, self.lang)

    def percent(self, value: float) -> str:
        """A score or share, which is a fraction, in per cent."""
        return format.percent(value, self.lang, 1)

    def model(self, model: Mapping[str, Any]) -> str:
        """A model's name, linked to its page."""
        return f'<a href="../models/{format.plain(model["slug"])}.html">{format.text(model["name"])}</a>'


def address(bench: Mapping[str, Any]) -> str:
    """Where a benchmark's page stands, without language and ending."""
    return f'benchmarks/{bench["id"]}'


def pages(site: Site, lang: str) -> Iterable[Generated]:
    """The pages of all configured benchmarks, those of the index set first, each in the order of the tables."""
    for bench in sorted(site.index["benchmarks"], key=lambda b: (not b["in_index"], b["name"].casefold(), b["id"])):
        yield Generated(address(bench), bench["name"], body(View(site, lang, bench)), "benchmarks")


def body(view: View) -> str:
    """One page below its title; a part that has nothing to say is left out."""
    parts = {name: markup for name, make in PARTS.items() if (markup := make(view))}
    title = format.plain(view.site.words.raw("ui.heading", view.lang))
    sections = [f'<h2 id="{name}">{view.say("part." + name)}<a class="headerlink" href="#{name}" title="{title}">#</a></h2>\n{markup}' for name, markup in parts.items()]
    return "\n".join([_HEAD, head(view), *sections])


# --- the first screen ------------------------------------------------------------------------------------------------


def head(view: View) -> str:
    """Who runs it in which area, what it asks, and whether it counts."""
    b, words = view.bench, view.site.words
    about = [words(f'area.{b["area"]}', view.lang), view.say("by", evaluator=format.text(b["evaluator"])),
             format.link(b.get("address") or "", view.say("address"))]
    basis = words("basis.bundle" if b["license_basis"] == "bundle" else "basis.evaluator", view.lang)
    about.insert(2, f'{format.link(b.get("license_url") or "", format.text(b["license"]))} ({basis})')
    asks = words(f'about.{b["id"]}', view.lang)
    return f'<p class="about">{" · ".join(x for x in about if x)}</p>\n<p class="lead">{asks}</p>\n<p>{standing(view)}</p>'


def standing(view: View) -> str:
    """In the index and with which weight, or out and why."""
    if not view.bench["in_index"]:
        return view.say("out", reason=reason_out(view.bench, view.site.words, view.lang))
    found = fitted.weighing(view.index, view.bench)
    if found is None:
        return view.say("in_unranked")
    return view.say("in", n=format.whole(found.models, view.lang), median=f"<strong>{view.percent(found.median)}</strong>", least=view.percent(found.least), most=view.percent(found.most))


# --- the curve -------------------------------------------------------------------------------------------------------


def curve(view: View) -> str:
    """Raw scores against the whole index: the fitted curve, chance and ceiling, every model, those far from it named."""
    if not view.spots:
        return ""
    b, spots, scale = view.bench, view.spots, figures.scale_of(view.index)
    x = Axis(min(scale.low, 10 * math.floor(min(s.model["siiq"] for s in spots) / 10)), max(scale.high, 10 * math.ceil(max(s.model["siiq"] for s in spots) / 10)),
             tuple((v, format.whole(v, view.lang)) for v in range(-100, 300, 20) if scale.low <= v <= scale.high), view.plain("siiq_axis"))
    y = Axis(0, 1, tuple((v / 100, format.whole(v, view.lang)) for v in (0, 25, 50, 75, 100)), view.plain("score_axis"))
    line = fitted.curve(view.index, b, x.low, x.high)
    marks = []
    for name, value, end in (("chance", b["g"], 0), ("ceiling", b["c"], 1)):
        if value != end:
            marks += [plots.across(value, y), plots.tag(x.low, value, view.plain(name, value=view.percent(value)), x, y, dx=4, dy=-5 if name == "ceiling" else 14)]
    groups = {"dot": [s for s in spots if s.model["ranked"] and not s.far], "ring": [s for s in spots if not s.model["ranked"] and not s.far], "dot far": [s for s in spots if s.far]}
    marks.append(plots.curve(line, x, y))
    marks += [plots.dots([(s.model["siiq"], s.result["score"]) for s in own], x, y, kind, 4 if kind == "dot far" else 3) for kind, own in groups.items()]
    for s in _apart(groups["dot far"], x):
        left = x.at(s.model["siiq"]) > 0.6
        marks.append(plots.tag(s.model["siiq"], s.result["score"], format.shortened(s.model["name"], 26), x, y, "end" if left else "start", -8 if left else 8, 4, "tag name"))
    at = [line[0], line[-1]]
    alternative = view.plain("curve_alternative", n=format.whole(len(spots), view.lang), low_x=view.number(at[0][0], 0), low_y=view.percent(at[0][1]),
                             high_x=view.number(at[1][0], 0), high_y=view.percent(at[1][1]))
    half = fitted.halfway(view.index, b)
    text = view.say("halfway", siiq=f'<data value="{half.siiq:.12g}">{view.number(half.siiq, 0)}</data>', sd=format.whole(int(view.index["constants"]["sd"]), view.lang),
                    slope=f'<data value="{half.slope:.12g}">{view.number(100 * half.slope, 0)}</data>')
    caption = view.say("curve_caption", as_of=format.day(view.index["as_of"], view.lang), version=format.plain(view.index["method_version"]))
    figure = _figure("curve", view, plots.plot(marks, x, y, alternative), _spot_table(view, "curve-table", spots, view.say("table_caption", n=format.whole(len(spots), view.lang))),
                     view.counted("curve_title", sum(s.far for s in spots), all=format.whole(len(spots), view.lang)), view.say("curve_measure"), caption)
    return f"<p>{text}</p>\n{figure}"


def _apart(spots: Iterable[fitted.Spot], x: Axis) -> list[fitted.Spot]:
    """The farthest of them whose names do not cover one another."""
    out: list[fitted.Spot] = []
    for s in sorted(spots, key=lambda s: (-abs(s.deviations), s.model["slug"])):
        if len(out) < _LABELLED and all(abs(s.result["score"] - o.result["score"]) > 0.05 or abs(x.at(s.model["siiq"]) - x.at(o.model["siiq"])) > 0.5 for o in out):
            out.append(s)
    return out


def _figure(name: str, view: View, drawing: str, table: str, title: str, measure: str, caption: str) -> str:
    return (f'<figure class="scale-figure plotted" id="figure-{name}"><p class="finding">{title}</p>\n<p class="measure">{measure}</p>\n{drawing}\n<figcaption>{caption}</figcaption>\n'
            f'<details class="fold"><summary>{view.say("as_table")}</summary>\n{table}\n</details></figure>')


def _spot_table(view: View, name: str, spots: Iterable[fitted.Spot], caption: str) -> str:
    words = view.site.words
    head = [th(words("column.model", view.lang)), th(words("column.siiq", view.lang), "n keep"), th(view.say("result"), "n"), th(view.say("expected"), "n"), th(view.say("deviations"), "n", view.say("deviations_below"))]
    rows = [row([rowhead(view.model(s.model)), num(format.plain(s.model["shown"]["siiq"]), s.model["shown"]["siiq"]), num(view.percent(s.result["score"]), s.result["score"]),
                 num(view.percent(s.expected), f"{s.expected:.6g}"), num(format.signed(s.deviations, 1, view.lang), f"{s.deviations:.6g}")]) for s in spots]
    return html_table(name, caption, head, [rows], kind="quiet narrow")


def far(view: View) -> str:
    """Who lies far from the curve, and what far means."""
    if not view.spots:
        return ""
    own = sorted((s for s in view.spots if s.far), key=lambda s: (-abs(s.deviations), s.model["slug"]))
    lead = f'<p>{view.say("far_means", cut=format.shortest(fitted.FAR, view.lang))}</p>'
    return lead + "\n" + (_spot_table(view, "far", own, view.say("far_caption")) if own else f'<p>{view.say("far_nobody")}</p>')


# --- parameters, coverage --------------------------------------------------------------------------------------------


def parameters(view: View) -> str:
    """g, c, n with where n is from; α, β, σ², ω and the number of models that set them."""
    b, words = view.bench, view.site.words
    fixed = [("<i>g</i>", "chance_level", view.number(b["g"], 4), b["g"], ""), ("<i>c</i>", "ceiling_level", view.number(b["c"], 4), b["c"], ""),
             ("<i>n</i>", "questions", question_count(b, view.lang), b["n"], view.say(f'n_{b["n_kind"]}'))]
    if b["in_index"]:
        floor = view.index["constants"]["residual_variance_floor"]
        at_floor = view.say("at_floor", floor=view.number(floor, 2)) if b["sigma2"] <= floor else ""
        fixed += [("<i>α</i>", "loading", view.number(b["alpha"], 4), b["alpha"], ""), ("<i>β</i>", "intercept", view.number(b["beta"], 4), b["beta"], ""),
                  ("<i>σ</i>²", "residual", view.number(b["sigma2"], 4), b["sigma2"], at_floor), ("<i>ω</i>", "area_weight", view.number(b["omega"], 4), b["omega"], ""),
                  ("", "models_in_fit", format.whole(b["models_in_fit"], view.lang), b["models_in_fit"], "")]
    rows = [row([rowhead(view.say(f"parameter.{key}") + (f" {symbol}" if symbol else "")), num(shown, value), td(more)]) for symbol, key, shown, value, more in fixed]
    head = [th(view.say("parameter_column")), th(view.say("value_column"), "n"), th(view.say("note_column"))]
    glossary = f'<p class="small"><a href="../glossary.html">{view.say("glossary")}</a></p>'
    return html_table("parameters", view.say("parameters_caption", name=format.text(b["name"])), head, [rows], kind="narrow") + "\n" + glossary


def coverage(view: View) -> str:
    """How many models had a result at the end of each day with a snapshot."""
    days = fitted.coverage(view.site.history, view.bench)
    if not days:
        return ""
    at = [(datetime.date.fromisoformat(day).toordinal(), n) for day, n in days]
    span = max(1, at[-1][0] - at[0][0])
    x = Axis(at[0][0] - 0.14 * span, at[-1][0] + 0.14 * span, tuple((v, format.day(day, view.lang)) for (v, _), (day, _) in zip(at, days) if day in (days[0][0], days[-1][0])))
    top = max(n for _, n in days)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, top) if top <= 5 * s or s == top)
    y = Axis(0, step * math.ceil(top / step), tuple((v, format.whole(v, view.lang)) for v in range(0, top + step, step)), view.plain("models_axis"))
    steps = [p for (a, n), (later, _) in zip(at, at[1:]) for p in ((a, n), (later, n))] + [at[-1]]
    marks = [plots.curve(steps, x, y), plots.dots(at, x, y, "dot", 3)]
    rows = [row([f'<th scope="row" class="keep"><time datetime="{format.plain(day)}">{format.day(day, view.lang)}</time></th>', num(format.whole(n, view.lang), n)]) for day, n in days]
    table = html_table("coverage-table", view.say("coverage_measure"), [th(view.say("day")), th(view.say("models"), "n")], [rows], kind="quiet narrow")
    first, last = (format.whole(days[k][1], view.lang) for k in (0, -1))
    when = {"first_day": format.day(days[0][0], view.lang), "last_day": format.day(days[-1][0], view.lang)}
    alternative = view.plain("coverage_alternative", first=first, last=last, **when)
    return _figure("coverage", view, plots.plot(marks, x, y, alternative, "small"), table, view.say("coverage_title", first=first, last=last, **when), view.say("coverage_measure"), view.say("coverage_caption"))


# --- what would make it leave; how it is read ------------------------------------------------------------------------


def leave(view: View) -> str:
    """Of a benchmark in the index: E3 and E4 against their limits, and what else would take it out."""
    source = next((s for s in view.index["sources"] if s["id"] == view.bench["source"]), {})
    more = [view.say("leave_licence")] + ([view.say("leave_archived")] if source.get("archived") else [])
    return f'{_conditions("leave", view)}\n<p>{" ".join(more)}</p>' if view.bench["in_index"] else ""


def join(view: View) -> str:
    """Of one outside: the same conditions, and what else it would need."""
    if view.bench["in_index"]:
        return ""
    return f'{_conditions("join", view)}\n<p>{view.say("join_more", floor=view.number(view.index["constants"]["loading_floor"], 2))}</p>'


def _conditions(name: str, view: View) -> str:
    b, limits = view.bench, view.index["constants"]
    models, reference = fitted.overlap(view.index, b)
    checks = [("E3", "leave_models", format.whole(models, view.lang), models, format.whole(limits["min_models_per_benchmark"], view.lang), models >= limits["min_models_per_benchmark"]),
              ("E3", "leave_reference", format.whole(reference, view.lang), reference, format.whole(limits["min_reference_per_benchmark"], view.lang), reference >= limits["min_reference_per_benchmark"])]
    if b["in_index"]:
        checks.append(("E4", "leave_loading", view.number(b["alpha"], 4), b["alpha"], view.number(limits["loading_floor"], 2), b["alpha"] > limits["loading_floor"]))
    head = [th(view.say("condition")), th(view.say("now"), "n"), th(view.say("least"), "n"), th(view.say("met"))]
    rows = [row([rowhead(f"{view.say(key)} ({rule})"), num(now, value), num(least), td(view.say("yes" if met else "no"))]) for rule, key, now, value, least, met in checks]
    return html_table(name, view.say("leave_caption"), head, [rows], kind="narrow")


def configuration(view: View) -> str:
    """File, column, scale, filter, and what the error column really is (T3, T4)."""
    found = view.site.facts.get("configuration", {}).get(view.bench["id"])
    if found is None:
        return ""
    source = next((s for s in view.index["sources"] if s["id"] == view.bench["source"]), {"name": view.bench["source"], "url": ""})
    error = view.say("error." + (found["error_kind"].replace("%", "").replace(";", "").replace(",", "").replace("-", "_").replace(" ", "_") or "none"))
    items = [("source", format.link(source["url"], format.text(source["name"]))), ("file", _code(found["file"])), ("column", _code(found["score_column"])),
             ("scale", format.shortest(found["scale"], view.lang)), ("filter", _code(found["filter"]) if found["filter"] else view.say("no_filter")),
             ("error_column", f'{_code(found["error_column"])} ({error})' if found["error_column"] else error)]
    return '<dl class="facts">' + "".join(f'<dt>{view.say(f"config.{key}")}</dt><dd>{value}</dd>' for key, value in items) + "</dl>"


def _code(text: str) -> str:
    return f"<code>{format.plain(text)}</code>"


def rows_left_out(view: View) -> str:
    """Rows of the newest snapshot that give no result, by rule."""
    found = fitted.left_out(view.site.facts, view.bench)
    if not found:
        return ""
    head = [th(view.say("why")), th(view.say("rows"), "n")]
    rows = [row([f'<th scope="row" class="wide">{view.say(f"rule.{rule}")}</th>', num(format.whole(n, view.lang), n)]) for rule, n in found]
    return html_table("left-out", view.say("left_out_caption", n=format.whole(sum(n for _, n in found), view.lang)), head, [rows], kind="narrow")


def results(view: View) -> str:
    """Of a benchmark outside the index: its results, which count nowhere."""
    own = fitted.results_on(view.index, view.bench)
    if view.bench["in_index"] or not own:
        return ""
    head = [th(view.site.words("column.model", view.lang)), th(view.say("result"), "n")]
    rows = [row([rowhead(view.model(m)), num(view.percent(r["score"]), r["score"])]) for m, r in sorted(own, key=lambda x: (-x[1]["score"], x[0]["slug"]))]
    return html_table("results", view.say("results_caption", n=format.whole(len(rows), view.lang)), head, [rows], kind="quiet narrow")


PARTS: Mapping[str, Callable[[View], str]] = {"curve": curve, "far": far, "results": results, "parameters": parameters, "coverage": coverage, "leave": leave, "join": join,
                                              "configuration": configuration, "left-out": rows_left_out}
