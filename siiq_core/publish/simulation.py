"""The page of the simulation: worlds with known abilities, how well each method found them, and what that says of each."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.analysis.simulation.recovery import BETTER, SAME, WORSE, YARDSTICK
from siiq_core.publish import format
from siiq_core.publish.plots import Axis, plot, shapes, tag
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th

Row = Mapping[str, Any]
PLACES = {"order": 4, "spacing": 3}  # decimals of an error
ENDS = {"order": (0.003, 0.3, (0.003, 0.01, 0.03, 0.1, 0.3)), "spacing": (0.05, 0.6, (0.05, 0.1, 0.2, 0.4))}  # of the axis, and its labels
_CIRCLE, _DIAMOND, _SQUARE = "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", "M0-5.5L5.5 0L0 5.5L-5.5 0z", "M-3.8-3.8h7.6v7.6h-7.6z"
# Method → outline and classes: told apart by shape and filling where there is no colour.
MARKS = {"siiq": (_CIRCLE, "mark first"), "percentile": (_DIAMOND, "mark second"), "value": (_DIAMOND, "mark second open"),
         "mean": (_SQUARE, "mark"), "z": (_SQUARE, "mark open")}
_SHARES = ("share", "least", "most", "strongest")


class View:
    """simulation.json in the words and numbers of one language."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.simulation
        self.parameters: Row = site.simulation["parameters"]

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"simulation.{key}", self.lang, **values)

    def method(self, name: str) -> str:
        """A method's name; those that have a page of their own are called as there."""
        return self.say(f"method.{name}") if name in ("mean", "z") else self.site.words(f"agreement.method.{name}", self.lang)

    def scenario(self, name: str) -> str:
        """A kind of world, as a link to what is other in it."""
        return f'<a href="#world-{name}">{self.say(f"name.{name}")}</a>'

    def error(self, value: float, measure: str) -> str:
        """An error with as many decimals as its measure has."""
        return format.number(value, PLACES[measure], self.lang)

    def other(self, scenario: Row) -> str:
        """What is other in a kind of world, with its strengths."""
        said = {name: format.percent(x, self.lang) if name in _SHARES else format.shortest(100 * x, self.lang) if name == "slope" else format.shortest(x, self.lang)
                for change in scenario["altered"].values() for name, x in change.items() if not isinstance(x, str)}
        return self.say(f"what.{scenario['id']}", **said)


def simulation_scenarios(site: Site, lang: str) -> str:
    """Every kind of world: what is other in it, and how many results a world holds."""
    view = View(site, lang)
    head = [th(view.say("column.world")), th(view.say("column.other")), th(view.say("column.results"), "n")]
    rows = [row([rowhead(view.say(f"name.{s['id']}")), td(view.other(s), "wide"), num(format.whole(round(s["results"]), lang), s["results"])], anchor=f"world-{s['id']}")
            for s in site.simulation["scenarios"]]
    return html_table("simulation-worlds", view.say("worlds", n=format.whole(len(rows), lang)), head, [rows], kind="text")


def simulation_order(site: Site, lang: str) -> str:
    """Error of the order, by kind of world and method."""
    return _table(View(site, lang), "order")


def simulation_spacing(site: Site, lang: str) -> str:
    """The same of the spacing."""
    return _table(View(site, lang), "spacing")


def _table(view: View, measure: str) -> str:
    head = [th(view.say("column.world")), *(th(view.method(name), "n") for name in view.data["methods"])]
    rows = [row([rowhead(view.scenario(s["id"])), *(_cell(view, s["methods"][name], measure) for name in view.data["methods"])]) for s in view.data["scenarios"]]
    models = format.whole(view.parameters["models"], view.lang)
    return html_table(f"simulation-{measure}", view.say(f"table.{measure}", models=models), head, [rows])


def _cell(view: View, m: Row, measure: str) -> str:
    """Mean error, its standard error, how many models were placed where not all were, and what is told of it beside SI-IQ."""
    p, found = view.parameters, m[measure]
    if found["mean"] is None:
        return num("–")
    below = ["±\u202f" + view.error(found["error"] or 0.0, measure)]
    if m["worlds"] < p["replications"]:
        below.append(view.say("refused", n=format.whole(p["replications"] - m["worlds"], view.lang), all=format.whole(p["replications"], view.lang)))
    elif m["placed"]["mean"] < p["models"]:
        below.append(view.say("placed", n=format.shortest(m["placed"]["mean"], view.lang, 2), all=format.whole(p["models"], view.lang)))
    verdict = m["against"]["verdict"][measure] if m["against"] else SAME
    if verdict != SAME:
        below.append(f"<strong>{view.say(f'verdict.{verdict}')}</strong>" if verdict == BETTER else view.say(f"verdict.{verdict}"))
    return num(f'{view.error(found["mean"], measure)}<span class="below">{"<br>".join(below)}</span>', found["mean"])


def simulation_order_figure(site: Site, lang: str) -> str:
    """Error of the order as marks on one line for each kind of world."""
    return _figure(View(site, lang), "order")


def simulation_spacing_figure(site: Site, lang: str) -> str:
    """The same of the spacing."""
    return _figure(View(site, lang), "spacing")


def _figure(view: View, measure: str) -> str:
    scenarios, (low, high, ticks) = view.data["scenarios"], ENDS[measure]
    x = Axis(low, high, tuple((t, format.shortest(t, view.lang)) for t in ticks), title=html.unescape(view.say(f"axis.{measure}")), log=True)
    y = Axis(0.4, len(scenarios) + 0.6, tuple((float(k), "") for k in range(1, len(scenarios) + 1)))
    drawn = []
    for k, s in enumerate(scenarios):
        at = float(len(scenarios) - k)
        drawn.append(tag(low, at, html.unescape(view.say(f"name.{s['id']}")), x, y, dx=0, dy=-9))
        for name in reversed(view.data["methods"]):  # the first lies on top
            error = s["methods"][name][measure]["mean"]
            if error is not None:
                drawn.append(shapes([(min(high, max(low, error)), at)], x, y, *MARKS[name]))
    ahead = sum(not any(m["against"] and m["against"]["verdict"][measure] == BETTER for m in s["methods"].values()) for s in scenarios)
    title = view.say(f"title.{measure}", n=format.whole(ahead, view.lang), all=format.whole(len(scenarios), view.lang))
    legend = "".join(f'<li><svg viewBox="-7 -7 14 14" aria-hidden="true"><path class="{kind}" d="{outline}"/></svg>{view.method(name)}</li>' for name, (outline, kind) in MARKS.items())
    edition = view.say("caption", version=format.plain(view.data["method_version"]), seed=format.plain(view.parameters["seed"]))
    return (f'<figure class="plotted" id="figure-simulation-{measure}"><p class="finding">{title}</p>\n<p class="measure">{view.say(f"measure.{measure}")}</p>\n<ul class="marks">{legend}</ul>\n'
            f'{plot(drawn, x, y, html.unescape(view.say(f"alternative.{measure}")), "rows")}\n<figcaption>{edition}</figcaption></figure>')


def simulation_verdicts(site: Site, lang: str) -> str:
    """Per method and measure: the worlds in which it beats SI-IQ, and how many it loses or is not told from it."""
    view = View(site, lang)
    head = [th(view.say("column.method")), th(view.say("column.measure")), th(view.say("column.better")), th(view.say("column.same"), "n"), th(view.say("column.worse"), "n")]
    rows = [row([rowhead(view.method(name)), td(view.say(f"of.{measure}")), *_verdicts(view, name, measure)]) for name in view.data["methods"] if name != YARDSTICK for measure in PLACES]
    caption = view.say("verdicts", n=format.shortest(view.parameters["separation"], lang), all=format.whole(len(view.data["scenarios"]), lang))
    return html_table("simulation-verdicts", caption, head, [rows])


def _verdicts(view: View, name: str, measure: str) -> list[str]:
    told = [(s["id"], s["methods"][name]["against"]["verdict"][measure]) for s in view.data["scenarios"]]
    count = [sum(said == verdict for _, said in told) for verdict in (SAME, WORSE)]
    return [td(", ".join(view.scenario(x) for x, said in told if said == BETTER) or "–"), *(num(format.whole(n, view.lang), n) for n in count)]


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    p = site.simulation["parameters"]
    numbers = {"models": p["models"], "boards": site.simulation["scenarios"][0]["boards"], "worlds": p["replications"], "kinds": len(site.simulation["scenarios"])}
    return {**{f"simulation_{key}": f'<data value="{x}">{format.whole(x, lang)}</data>' for key, x in numbers.items()},
            "simulation_separation": f'<data value="{p["separation"]}">{format.shortest(p["separation"], lang)}</data>', "simulation_seed": f'<data value="{p["seed"]}">{p["seed"]}</data>'}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (simulation_scenarios, simulation_order_figure, simulation_order, simulation_spacing_figure,
                                                                              simulation_spacing, simulation_verdicts)}
