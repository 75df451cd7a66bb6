"""The page on performance: what `make bench` recorded, beside its targets; without a record it says that there is none."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence

from siiq_core.params.performance import load_performance
from siiq_core.publish import format, plots
from siiq_core.publish.performance.record import FITTED_FROM, OTHERS, RATIOS, SINGLE, Record
from siiq_core.publish.plots import Axis
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, th

DRAWN = {"one-pass": "curve quiet", "round": "curve", "whole-fit": "curve", "sigmoid-fit": "curve other"}  # group → class of its line, from the fastest
LISTED = ("one-pass", "round", "rank-check", "whole-fit", "calibrate-kappa", "score-all", "plain-loop", "sigmoid-fit", "sigmoid-draws")
_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


class View:
    """The record in the words and numbers of one language."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang = site, lang

    @property
    def record(self) -> Record:
        """What was recorded; only asked for where there is something."""
        assert self.site.performance is not None
        return self.site.performance

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"performance.{key}", self.lang, **values)

    def plain(self, key: str, **values: str) -> str:
        """The same as plain text, for a drawing."""
        return html.unescape(self.say(key, **values))

    def digits(self, value: float, figures: int = 2) -> str:
        """With so many significant digits, no power of ten."""
        places = max(0, figures - 1 - math.floor(math.log10(abs(value)))) if value else 0
        return format.number(value, places, self.lang)

    def seconds(self, value: float) -> str:
        """In the unit that suits it."""
        for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
            if value >= size or unit == "µs":
                return f"{self.digits(value / size)}\u202f{unit}"
        raise AssertionError

    def times(self, value: float) -> str:
        """A ratio."""
        return f"{self.digits(value)}\u202f×"

    def size(self, results: int) -> str:
        """How many results."""
        return format.whole(results, self.lang)


def or_nothing(block: Callable[[View], str]) -> Callable[[Site, str], str]:
    """A block that is empty without a record; the page's first block says why."""
    def made(site: Site, lang: str) -> str:
        return block(View(site, lang)) if site.performance is not None else ""

    made.__name__, made.__doc__ = block.__name__, block.__doc__
    return made


def performance_finding(site: Site, lang: str) -> str:
    """How many targets are met; or that nothing was recorded."""
    view = View(site, lang)
    if site.performance is None:
        return f'<p class="lead">{view.say("nothing")}</p>'
    found = [target for target in _targets(view) if target[2] is not None]
    met = sum(_met(*target[1:4]) for target in found)
    return f'<p class="lead">{view.say("finding", met=format.whole(met, lang), all=format.whole(len(found), lang))}</p>'


# --- against the targets -----------------------------------------------------------------------------------------------------------

Target = tuple[str, str, float | None, float, Callable[[float], str]]  # name, "most" or "least", measured, limit, how it is written


def _targets(view: View) -> list[Target]:
    """Every target with what was measured of it; None where it was not."""
    record, limits = view.record, load_performance(view.site.root)

    def only(group: str, results: int = 0) -> float | None:
        last = record.last(group)
        return last.seconds if last and last.results >= results else None

    large = [bytes_ for results, bytes_ in record.bytes_per_result if results >= 0.9 * 10**7]
    shipped, made_up = ([*record.ratio(name).values()] for name in ("shipped-sigmoid-over-fit", "sigmoid-over-fit"))

    def exponent(value: float) -> str:
        return format.number(value, 2, view.lang)

    return [
        ("kappa", "most", only("shipped-kappa"), limits.kappa_seconds, view.seconds),
        ("round", "most", only("round", 9 * 10**6), limits.round_seconds, view.seconds),
        ("memory", "most", large[0] if large else None, limits.bytes_per_result, lambda x: view.size(round(x))),
        ("exponent", "most", record.last_exponent("round"), limits.exponent, exponent),
        ("sigmoid_shipped", "least", min(shipped, default=None), limits.sigmoid_times, view.times),
        ("sigmoid", "least", min(made_up, default=None), limits.sigmoid_times, view.times),
        ("one_model", "most", only("shipped-one-model"), limits.one_model_seconds, view.seconds),
        ("help", "most", only("start-help"), limits.help_seconds, view.seconds),
        ("update", "most", only("start-update"), limits.update_seconds, view.seconds),
    ]


def _met(kind: str, measured: float | None, limit: float) -> bool:
    return measured is not None and (measured <= limit if kind == "most" else measured >= limit)


@or_nothing
def performance_targets(view: View) -> str:
    """Measured against target, those missed too."""
    rows = []
    for name, kind, measured, limit, written in _targets(view):
        verdict = "unmeasured" if measured is None else "met" if _met(kind, measured, limit) else "missed"
        said = view.say(f"verdict.{verdict}")
        below = f'<span class="below">{f"<strong>{said}</strong>" if verdict == "missed" else said}</span>'
        rows.append(row([rowhead(view.say(f"target.{name}")), num(f'{written(limit)}<span class="below">{view.say(f"bound.{kind}")}</span>', limit), num(("–" if measured is None else written(measured)) + below, measured)]))
    head = [th(view.say("column.what")), th(view.say("column.target"), "n"), th(view.say("column.measured"), "n")]
    return html_table("performance-targets", view.say("table.targets"), head, [rows])


# --- time by size ------------------------------------------------------------------------------------------------------------------


def _powers(values: Sequence[float]) -> tuple[int, int]:
    return math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)


def _power(k: int) -> str:
    return "10" + ("⁻" if k < 0 else "") + "".join(_DIGITS[int(d)] for d in str(abs(k)))


@or_nothing
def performance_figure(view: View) -> str:
    """Seconds against results, both logarithmic, with the slope of what grows with the data and nothing else."""
    record = view.record
    lines = {group: [(float(x.results), x.seconds) for x in record.of(group)] for group in DRAWN if len(record.of(group)) > 1}
    if not lines:
        return ""
    (x0, x1), (y0, y1) = (_powers([point[k] for line in lines.values() for point in line]) for k in (0, 1))
    x = Axis(10.0**x0, 10.0**max(x1, x0 + 1), tuple((10.0**k, _power(k)) for k in range(x0, max(x1, x0 + 1) + 1)), view.plain("axis_results"), log=True)
    y = Axis(10.0**y0, 10.0**max(y1, y0 + 1), tuple((10.0**k, _power(k)) for k in range(y0, max(y1, y0 + 1) + 1)), view.plain("axis_seconds"), log=True)
    marks, tags = [], []
    for group, line in lines.items():
        marks += [plots.curve(line, x, y, DRAWN[group]), plots.dots(line, x, y, "dot" if "other" not in DRAWN[group] else "dot other")]
        full = x.at(line[-1][0]) > 0.75  # no room beside its end: below its beginning, where a rising line leaves some
        tags.append(plots.tag(*line[0 if full else -1], view.plain(f"short.{group}"), x, y, "start", -5 if full else 9, 18 if full else -9))
    exponent = record.exponent("round")
    title = view.say("figure.title", exponent=format.number(exponent, 2, view.lang)) if exponent is not None else view.say("figure.untitled")
    drawing = plots.plot(marks + tags, x, y, view.plain("figure.alternative"))
    return (f'<figure class="plotted" id="figure-performance"><p class="finding">{title}</p>\n<p class="measure">{view.say("figure.measure")}</p>\n{drawing}\n'
            f"<figcaption>{_edition(view)}</figcaption></figure>")


def _edition(view: View) -> str:
    machine = view.record.machine
    return view.say("edition", day=format.day(view.record.day.isoformat(), view.lang), cores=format.whole(machine.cores, view.lang), system=format.plain(machine.system),
                    processor=format.plain(machine.processor), python=format.plain(machine.python), numpy=format.plain(machine.numpy))


@or_nothing
def performance_sizes(view: View) -> str:
    """Every group that was measured at several sizes: seconds, and the exponent."""
    record = view.record
    sizes = sorted({x.results for group in LISTED for x in record.of(group)})
    rows = []
    for group in LISTED:
        found = {x.results: x.seconds for x in record.of(group)}
        if not found:
            continue
        exponent = record.exponent(group)
        rows.append(row([rowhead(view.say(f"group.{group}")), *(num(view.seconds(found[n]), found[n]) if n in found else num("–") for n in sizes),
                         num("–" if exponent is None else format.number(exponent, 2, view.lang), exponent)]))
    if record.bytes_per_result:
        memory = dict(record.bytes_per_result)
        rows.append(row([rowhead(view.say("group.memory")), *(num(view.size(round(memory[n])), memory[n]) if n in memory else num("–") for n in sizes), num("–")]))
    head = [th(view.say("column.what"), below=view.say("column.by_results")), *(th(view.size(n), "n") for n in sizes), th(view.say("column.exponent"), "n", view.say("column.fitted", n=view.size(FITTED_FROM)))]
    return html_table("performance-sizes", view.say("table.sizes"), head, [rows])


# --- ratios ------------------------------------------------------------------------------------------------------------------------


@or_nothing
def performance_ratios(view: View) -> str:
    """Time over time by size, and other packages, with the reason where there is no number."""
    record = view.record
    found = {name: record.ratio(name) for name in RATIOS}
    sizes = sorted({n for name, ratios in found.items() if not name.startswith("shipped-") for n in ratios} | {n for name in record.others for n in record.other_ratio(name)})
    rows = []
    for name, ratios in found.items():
        if not name.startswith("shipped-"):
            shipped = next(iter(found.get(f"shipped-{name}", {}).values()), None)
            rows.append(row([rowhead(view.say(f"ratio.{name}")), _ratio(view, shipped), *(_ratio(view, ratios.get(n)) for n in sizes)]))
    for name in OTHERS:
        other = record.others.get(name)
        why = view.say(f"why.{other.why}") if other and other.why else "" if other else view.say("why.not-tried")
        named = view.say(f"ratio.{name}", version=format.plain(other.version) if other and other.version else "–")
        rows.append(row([rowhead(named, why), num("–"), *(_ratio(view, record.other_ratio(name).get(n)) for n in sizes)]))
    head = [th(view.say("column.ratio"), below=view.say("column.by_results")), th(view.say("column.shipped"), "n"), *(th(view.size(n), "n") for n in sizes)]
    return html_table("performance-ratios", view.say("table.ratios"), head, [rows])


def _ratio(view: View, value: float | None) -> str:
    return num("–") if value is None else num(view.times(value), value)


@or_nothing
def performance_program(view: View) -> str:
    """What was measured at one size: the shipped data, the gate, pages, notebooks, the start of a process."""
    rows = [row([rowhead(view.say(f"group.{group}")), num(view.seconds(last.seconds), last.seconds)]) for group in SINGLE if (last := view.record.last(group))]
    return html_table("performance-program", view.say("table.program"), [th(view.say("column.what")), th(view.say("column.time"), "n")], [rows])


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    limits = load_performance(site.root)
    exponent = round(math.log10(limits.stop))
    return {"performance_stop": f'<data value="{limits.stop:g}">{_power(exponent) if math.isclose(limits.stop, 10.0**exponent) else format.plain(f"{limits.stop:g}")}</data>',
            "performance_draws": f'<data value="{limits.draws}">{format.whole(limits.draws, lang)}</data>'}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (performance_finding, performance_targets, performance_figure, performance_sizes, performance_ratios, performance_program)}
