"""The page that asks whether it predicts: hidden results, how far off each method was, how sure SI-IQ was, and the worst misses."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.publish import format, plots, releases
from siiq_core.publish.method.frame import number_table
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.tables import AREAS, html_table, model_link, num, row, rowhead, td, th

Row = Mapping[str, Any]
OWN, PLAIN = "siiq", "mean"  # the method in question, and the one that knows nothing of a model
_STEP = 5  # percentage points between labelled positions


class View:
    """prediction.json in the words and numbers of one language."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.prediction
        self.designs: Mapping[str, Row] = {d["id"]: d for d in site.prediction["designs"]}
        self._names = {m["slug"]: m["name"] for m in site.index["models"]}
        self._benches = {b["id"]: b["name"] for b in site.index["benchmarks"]}

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"prediction.{key}", self.lang, **values)

    def plain(self, key: str, **values: str) -> str:
        """The same as plain text, for a drawing."""
        return html.unescape(self.say(key, **values))

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def points(self, error: float | None, places: int = 1) -> str:
        """A share as percentage points, without the unit."""
        return "–" if error is None else format.number(100 * error, places, self.lang)

    def signed(self, error: float, places: int = 1) -> str:
        """The same with its sign: +1.2, −0.5, 0.0."""
        return format.signed(100 * error, places, self.lang)

    def share(self, value: float | None) -> str:
        """A share in per cent; a dash where there is none."""
        return "–" if value is None else format.percent(value, self.lang)

    def method(self, design: Row, name: str) -> Row:
        """What a design says of a method."""
        return next(m for m in design["methods"] if m["id"] == name)

    def model(self, slug: str) -> str:
        """A model, as a link to its page."""
        return model_link({"slug": slug, "name": self._names[slug]}) if slug in self._names else format.text(slug)

    def benchmark(self, bench: str) -> str:
        """A benchmark, as a link to its page."""
        return f'<a href="benchmarks/{format.plain(bench)}.html">{format.text(self._benches.get(bench, bench))}</a>'

    def edition(self) -> str:
        """The date of the data and the version of the method."""
        index = self.site.index
        return self.say("edition", as_of=format.day(index["as_of"], self.lang), version=format.plain(index["method_version"]))


def prediction_errors(site: Site, lang: str) -> str:
    """Mean and median error of every method in every design: a dot plot that is a table, so that it reads aloud and fits a phone."""
    view = View(site, lang)
    found = [m["mean"] for d in view.data["designs"] for m in d["methods"] if m["mean"] is not None]
    most = _STEP * (int(100 * max(found, default=0.0)) // _STEP + 1)
    head = [th(view.say("column.method")), th(_axis(most, view) + f'<span class="hidden">{view.say("axis")}</span>', "on-scale"), th(view.say("column.mean"), "n"), th(view.say("column.median"), "n"),
            th(view.say("column.covered"), "n", view.say("column.covered_below")), th(view.say("column.beside"), "n", view.say("column.beside_below")), th(view.say("column.cannot"), "n")]
    bodies = [[_group(view, design, len(head)), *(_line(view, design, m, most) for m in design["methods"])] for design in view.data["designs"]]
    main, plain_one = (view.method(view.designs["cells"], name) for name in (OWN, PLAIN))
    title = view.say("title", mean=view.points(main["mean"]), plain=view.points(plain_one["mean"]))
    table = html_table("prediction-errors", view.say("errors"), head, bodies)
    return f'<figure class="plotted" id="figure-prediction-errors"><p class="finding">{title}</p>\n<p class="measure">{view.say("measure")}</p>\n{table}\n<figcaption>{view.edition()}</figcaption></figure>'


def _group(view: View, design: Row, columns: int) -> str:
    name = design["id"]
    compared = f'<span class="below">{view.say("cells", n=view.whole(design["compared"]))}</span>'
    return row([f'<th scope="rowgroup" colspan="{columns}"><a href="#design-{name}">{view.say(f"design.{name}")}</a>{compared}</th>'], kind="group")


def _line(view: View, design: Row, m: Row, most: float) -> str:
    name, against = view.say(f"method.{m['id']}"), m["against"]
    beside = "–"
    if against:
        verdict = view.say("verdict." + against["verdict"])
        beside = f'{view.signed(against["difference"])} ± {view.points(against["error"])}<span class="below">{verdict}</span>'
    return row([rowhead(f"<strong>{name}</strong>" if m["id"] == OWN else name), td(_dots(m, most), "on-scale"), num(view.points(m["mean"]), m["mean"]), num(view.points(m["median"]), m["median"]),
                num(view.share(m["coverage"]), m["coverage"]), num(beside, against and against["difference"]), num(view.whole(m["cannot"]), m["cannot"])])


def _at(points: float, most: float) -> str:
    return f"{min(100.0, 100 * points / most):.2f}%"


def _axis(most: int, view: View) -> str:
    marks = []
    for v in range(0, most + 1, _STEP):
        x, anchor = _at(v, most), "start" if v == 0 else "end" if v == most else "middle"
        marks.append(f'<line class="grid" x1="{x}" x2="{x}" y1="13" y2="18"/><text class="label" x="{x}" y="31" text-anchor="{anchor}">{view.whole(v)}</text>')
    return f'<svg class="scale axis" aria-hidden="true" focusable="false">{"".join(marks)}</svg>'


def _dots(m: Row, most: float) -> str:
    if m["mean"] is None:
        return ""
    mean, median = (_at(100 * m[name], most) for name in ("mean", "median"))
    return (f'<svg class="scale" aria-hidden="true" focusable="false"><line class="grid" x1="0" x2="100%" y1="50%" y2="50%"/>'
            f'<circle class="ring" cx="{median}" cy="50%" r="3.5"/><circle class="dot" cx="{mean}" cy="50%" r="4.5"/></svg>')


def prediction_designs(site: Site, lang: str) -> str:
    """What was hidden in each design, and how much of it could be compared."""
    view = View(site, lang)
    head = [th(view.say("column.design")), th(view.say("column.how")), th(view.say("column.rounds"), "n"), th(view.say("column.hidden"), "n"), th(view.say("column.nothing_known"), "n"),
            th(view.say("column.compared"), "n")]
    p = view.data["parameters"]
    numbers = {"rounds": view.whole(p["rounds"]), "folds": view.whole(p["folds"]), "per_half": view.whole(p["min_models_per_half"])}
    rows = [row([rowhead(view.say(f"design.{d['id']}")), td(view.say(f"how.{d['id']}", **_wanted(site, d["id"], numbers)), "wide"), *(num(view.whole(d[k]), d[k]) for k in ("rounds", "hidden", "nothing_known", "compared"))],
                anchor="design-" + d["id"]) for d in view.data["designs"]]
    return html_table("prediction-designs", view.say("designs"), head, [rows], kind="text")


def _wanted(site: Site, design: str, numbers: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in numbers.items() if "{" + k + "}" in site.words.raw(f"prediction.how.{design}", "en")}


def prediction_calibration(site: Site, lang: str) -> str:
    """Share of hidden results inside intervals of a level, against the level."""
    view = View(site, lang)
    levels = [x["level"] for x in view.data["designs"][0]["calibration"]]
    ticks = tuple((v, format.shortest(100 * v, lang)) for v in (0, 0.25, 0.5, 0.75, 1))
    x, y = Axis(0, 1, ticks, view.plain("x_axis")), Axis(0, 1, ticks, view.plain("y_axis"))
    marks = [plots.curve([(0, 0), (1, 1)], x, y, "curve quiet"), plots.tag(0.38, 0.38, view.plain("promised"), x, y, "end", -8, -8)]
    for name, kind, anchor, dx, dy, part in (("later", "ring", "start", 8, 15, 3), ("cells", "dot", "end", -9, -9, 8)):  # twelfths of the curve: the long word needs the room to the right
        own = [(c["level"], c["covered"]) for c in view.designs[name]["calibration"] if c["covered"] is not None]
        marks += [plots.curve(own, x, y), plots.dots(own, x, y, kind, 4)] if own else []
        marks += [plots.tag(*own[len(own) * part // 12], view.plain(f"design.{name}"), x, y, anchor, dx, dy, "tag strong")] if own else []
    heads = [view.say("column.level"), *(view.say(f"design.{d['id']}") for d in view.data["designs"])]
    shown = [[(level, view.share(level)), *((d["calibration"][k]["covered"], view.share(d["calibration"][k]["covered"])) for d in view.data["designs"])] for k, level in enumerate(levels)]
    table = number_table("prediction-levels", view.say("levels"), heads, [[(0.0 if v is None else v, s) for v, s in cells] for cells in shown])
    main = view.method(view.designs["cells"], OWN)
    title = view.say("title_calibration", level=view.share(0.9), covered=view.share(main["coverage"]))
    alternative = view.plain("alternative", level=view.share(0.9), cells=view.share(main["coverage"]), later=view.share(view.method(view.designs["later"], OWN)["coverage"]))
    fold = f'<details class="fold"><summary>{view.site.words("method.table", lang)}</summary>\n{table}</details>'
    return (f'<figure class="plotted" id="figure-prediction-calibration"><p class="finding">{title}</p>\n<p class="measure">{view.say("measure_calibration")}</p>\n'
            f"{plots.plot(marks, x, y, alternative)}\n<figcaption>{view.edition()}</figcaption>\n{fold}</figure>")


def prediction_benchmarks(site: Site, lang: str) -> str:
    """Errors of hidden results by area and benchmark."""
    view = View(site, lang)
    design = view.designs["cells"]
    head = [th(view.say("column.benchmark")), th(view.say("column.results"), "n"), th(view.say("column.mean"), "n"), th(view.say("column.median"), "n"), th(view.say("column.bias"), "n", view.say("column.bias_below")),
            th(view.say("column.covered"), "n", view.say("column.covered_below")), th(view.say("column.plain"), "n", view.say("column.plain_below"))]
    areas = {x["id"]: x for x in design["areas"]}
    bodies = []
    for area in (x for x in AREAS if x in areas):
        own = sorted((b for b in design["benchmarks"] if b["area"] == area), key=lambda b: (-b["mean"][OWN], b["id"]))
        total = row([f'<th scope="rowgroup">{site.words(f"area.{area}", lang)}</th>', *_part(view, areas[area])], kind="group")
        bodies.append([total, *(row([rowhead(view.benchmark(b["id"])), *_part(view, b)]) for b in own)])
    return html_table("prediction-benchmarks", view.say("benchmarks"), head, bodies)


def _part(view: View, x: Row) -> list[str]:
    return [num(view.whole(x["cells"]), x["cells"]), num(view.points(x["mean"][OWN]), x["mean"][OWN]), num(view.points(x["median"]), x["median"]), num(view.signed(x["bias"]), x["bias"]),
            num(view.share(x["coverage"]), x["coverage"]), num(view.points(x["mean"][PLAIN]), x["mean"][PLAIN])]


def prediction_worst(site: Site, lang: str) -> str:
    """The predictions farthest off, each with the row that was hidden."""
    view = View(site, lang)
    head = [th(view.say("column.model"), below=view.say("column.benchmark")), th(view.say("column.score"), "n"), th(view.say("column.predicted"), "n", view.say("column.interval")), th(view.say("column.missed"), "n"),
            th(view.say("column.known"), "n"), th(view.say("column.evidence"))]
    rows = []
    for x in view.data["worst"]:
        predicted = x["predicted"][OWN]
        span = format.span(format.percent(x["low"], lang, 1), format.percent(x["high"], lang, 1))
        label = view.say("show_for", model=format.plain(x["model"]), benchmark=format.plain(x["benchmark"]))
        link = f'<a href="models/{format.plain(x["model"])}.html#evidence-{format.plain(x["benchmark"])}" aria-label="{label}">{view.say("show")}</a>'
        rows.append(row([rowhead(view.model(x["model"]), view.benchmark(x["benchmark"])), num(f'<strong>{format.percent(x["score"], lang, 1)}</strong>', x["score"]),
                         num(f'{format.percent(predicted, lang, 1)}<span class="below">{span}</span>', predicted), num(view.signed(x["score"] - predicted)), num(view.whole(x["known"]), x["known"]), td(link)],
                        anchor=f"miss-{format.plain(x['model'])}-{format.plain(x['benchmark'])}"))
    return html_table("prediction-worst", view.say("worst", n=view.whole(len(rows))), head, [rows])


def prediction_releases(site: Site, lang: str) -> str:
    """The held-out error of every permanent release that kept one, the newest first."""
    view = View(site, lang)
    head = [th(view.say("column.release")), th(view.say("column.day"), "n"), th(view.say("column.results"), "n"), th(view.say("column.mean"), "n"), th(view.say("column.median"), "n"), th(view.say("column.covered"), "n")]
    rows = [row([rowhead(f'<a href="data.html#r-{format.plain(x.release)}"><code>{format.plain(x.release)}</code></a>'), num(format.day(x.as_of, lang), x.as_of), num(view.whole(x.compared), x.compared),
                 num(view.points(x.mean), x.mean), num(view.points(x.median), x.median), num(view.share(x.coverage), x.coverage)]) for x in _kept(site)]
    return html_table("prediction-releases", view.say("releases"), head, [rows])


def _kept(site: Site) -> Sequence[releases.HeldOut]:
    return sorted(site.held_out, key=lambda x: (x.as_of, x.release), reverse=True)


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    view = View(site, lang)
    p, cells, later = view.data["parameters"], view.designs["cells"], view.designs["later"]
    own, then = view.method(cells, OWN), view.method(later, OWN)
    counts = {"rounds": p["rounds"], "hidden": cells["hidden"], "left_out": cells["hidden"] - cells["compared"], "later_hidden": later["hidden"], "later_compared": later["compared"],
              "later_new": later["nothing_known"], "neighbours": p["neighbours"], "min_shared": p["min_shared"]}
    errors = {"mean": own["mean"], "median": own["median"], "width": own["width"], "plain": view.method(cells, PLAIN)["mean"], "sigmoid": view.method(cells, "sigmoid")["mean"], "later_mean": then["mean"]}
    shares = {"covered": own["coverage"], "later_covered": then["coverage"]}
    return {**{f"prediction_{key}": f'<data value="{x}">{view.whole(x)}</data>' for key, x in counts.items()},
            **{f"prediction_{key}": "–" if x is None else f'<data value="{x}">{view.points(x)}</data>' for key, x in errors.items()},
            **{f"prediction_{key}": "–" if x is None else f'<data value="{x}">{view.share(x)}</data>' for key, x in shares.items()},
            "prediction_separation": f'<data value="{p["separation"]}">{format.shortest(p["separation"], lang)}</data>'}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (prediction_errors, prediction_designs, prediction_calibration, prediction_benchmarks, prediction_worst, prediction_releases)}
