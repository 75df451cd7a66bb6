"""Two models side by side: what separates them, and whether the data can tell them apart.

The page is made for the first two models of the ranking; book/_static/compare.js makes the same for any two, and a test
holds both to the same page. With the published θ and SE of both, z = (θ_a − θ_b)/√(SE_a² + SE_b²).

What a benchmark adds to the difference is counted from the midpoint M of both unmapped abilities, so that it says for
whom a result speaks: (Σ w·α·(y − β) − Σ w·α²·M)/D of the first minus the same of the second. With the start value, −λ·M/D,
the parts add up to the difference, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format
from siiq_core.publish.ranking import ranked
from siiq_core.publish.tables import AREAS, Index, html_table, model_link, num, rank_range, reason_unranked, row, rowhead, td, th
from siiq_core.publish.words import Words
from siiq_core.publish.worked import work

Model = Mapping[str, Any]
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """What one benchmark adds to the difference, in SI-IQ points; `bench` is None for the start value λ."""

    bench: Mapping[str, Any] | None
    scores: tuple[float | None, float | None]  # fractions
    shares: tuple[float | None, float | None]  # of each model's whole weight D
    points: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models and their difference, first minus second, in SI-IQ points."""

    index: Index
    a: Model
    b: Model
    difference: float
    half: float  # half of the difference's 90 % interval
    z: float
    parts: tuple[Part, ...]

    @property
    def higher(self) -> Model:
        """The one that scores higher; the first where both score the same."""
        return self.a if self.difference >= 0 else self.b

    @property
    def lower(self) -> Model:
        """The other one."""
        return self.b if self.difference >= 0 else self.a

    @property
    def verdict(self) -> str:
        """apart: the intervals do not touch; lean: that of the difference leaves zero out; open: it does not."""
        if self.higher["low"] > self.lower["high"]:
            return "apart"
        return "lean" if abs(self.z) > self.index["constants"]["z90"] else "open"


def pair(index: Index, a: Model, b: Model) -> Pair:
    """Everything the page shows of two models.

    Raises
    ------
    PublicationError
        The parts do not add up to the difference of the published scores.
    """
    k, at = index["constants"], index["calibration"]
    spread = math.sqrt(a["se"] ** 2 + b["se"] ** 2)
    middle, points = (a["theta0"] + b["theta0"]) / 2, k["sd"] / at["scale"]
    own = [{x.bench["id"]: x for x in work(index, m).lines} for m in (a, b)]
    start = Part(None, (None, None), (k["lam"] / a["d"], k["lam"] / b["d"]), points * (k["lam"] * middle / b["d"] - k["lam"] * middle / a["d"]))
    parts = []
    for ident in sorted({*own[0], *own[1]}):
        found = [x.get(ident) for x in own]
        carried = [(x.pull - x.information * middle) / m["d"] if x else 0.0 for x, m in zip(found, (a, b), strict=True)]
        parts.append(Part(next(x.bench for x in found if x), tuple(x.result["score"] if x else None for x in found),
                          tuple(x.information / m["d"] if x else None for x, m in zip(found, (a, b), strict=True)), points * (carried[0] - carried[1])))
    difference = a["siiq"] - b["siiq"]
    if not abs(math.fsum([start.points, *(x.points for x in parts)]) - difference) <= _TOLERANCE:
        raise PublicationError("the parts do not add up to the difference", file="index.json", column="siiq", value=(a["slug"], b["slug"]))
    parts.sort(key=lambda x: (-abs(x.points), x.bench["id"]))
    return Pair(index, a, b, difference, k["sd"] * k["z90"] * spread, (a["theta"] - b["theta"]) / spread, (*parts, start))


def first_two(index: Index) -> Pair:
    """What the page shows before a reader chooses."""
    a, b = ranked(index)[:2]
    return pair(index, a, b)


# --- the page --------------------------------------------------------------------------------------------------------


def _name(m: Model) -> str:
    return format.text(m["name"])


def compare_tools(index: Index, words: Words, lang: str) -> str:
    """The two choices, hidden until a script fills and shows them."""
    def say(key: str) -> str:
        return words(f"interactive.compare.{key}", lang)

    return (f'<form class="tools" id="compare-tools" hidden>\n<label class="wide-field">{say("first")} <select name="a"></select></label>\n'
            f'<label class="wide-field">{say("second")} <select name="b"></select></label>\n<button type="button">{say("swap")}</button>\n</form>')


def compare_head(index: Index, words: Words, lang: str) -> str:
    """Whether the data can tell the two apart, by how much they differ, and both on the scale."""
    two = first_two(index)
    return f'<div id="compare-head">{_verdict(two, words, lang)}{_scale(two, words, lang)}</div>'


def _verdict(two: Pair, words: Words, lang: str) -> str:
    def say(key: str, **values: str) -> str:
        return words(f"interactive.compare.{key}", lang, **values)

    away, z = abs(two.difference), abs(two.z)
    sure = say("numbers", points=format.number(away, 1, lang), low=format.number(away - two.half, 1, lang), high=format.number(away + two.half, 1, lang),
               z=format.number(z, 2, lang))
    notes = [f'<p>{say("provisional", name=_name(m), why=" · ".join(reason_unranked(x, words, lang) for x in m["not_ranked_because"]))}</p>'
             for m in (two.a, two.b) if not m["ranked"]]
    return f'<p class="lead" role="status">{say(two.verdict, high=_name(two.higher), low=_name(two.lower))}</p><p>{sure}</p>{"".join(notes)}'


def _pair(label: str, drawing: str) -> str:
    return f'<div class="pair"><span>{label}</span>{drawing}</div>'


def _scale(two: Pair, words: Words, lang: str) -> str:
    scale = figures.scale_of(two.index)
    head = [th(_pair(words("column.model", lang), figures.axis(scale))), th(words("column.siiq", lang), "n", words("column.interval", lang)),
            th(words("column.rank_range", lang), "n")]
    rows = [row([rowhead(_pair(model_link(m), _with_ghost(scale, m, other))), _score(m), num(rank_range(m, lang) if m["ranked"] else "–")])
            for m, other in ((two.a, two.b), (two.b, two.a))]
    return f'<figure class="scale-figure">{html_table("pair", words("interactive.compare.scale", lang), head, [rows], kind="scale-table")}</figure>'


def _with_ghost(scale: figures.Scale, m: Model, other: Model) -> str:
    drawn = figures.marks(scale, m["siiq"], m["low"], m["high"])
    x1, x2 = (f"{scale.x(other[end]):.2f}%" for end in ("low", "high"))
    return drawn.replace('<line class="bar"', f'<line class="ghost-bar" x1="{x1}" x2="{x2}" y1="50%" y2="50%"/><line class="bar"', 1)


def _interval(shown: Mapping[str, str]) -> str:
    return format.span(format.plain(shown["low"]), format.plain(shown["high"]))


def compare_areas(index: Index, words: Words, lang: str) -> str:
    """Area by area; an area score is shown with results on enough question sets (A1)."""
    two = first_two(index)
    head = [th(words("column.area", lang)), *(th(_name(m), "n", words("column.siiq", lang)) for m in (two.a, two.b)),
            th(words("interactive.compare.difference", lang), "n", words("interactive.compare.points", lang))]
    rows = []
    for area in AREAS:
        x, y = (m["areas"].get(area) for m in (two.a, two.b))
        difference = x["siiq"] - y["siiq"] if x and y else None
        last = num(format.signed(difference, 1, lang)) if difference is not None else td("–", "n")
        rows.append(row([rowhead(words(f"area.{area}", lang)), *(_score(v) for v in (x, y)), last]))
    return f'<div id="compare-areas">{html_table("areas", words("interactive.compare.areas", lang), head, [rows])}</div>'


def _score(value: Mapping[str, Any] | None) -> str:
    """A score as published with its interval beside it, of a model or of an area."""
    if value is None:
        return td("–", "n")
    return num(f'<strong>{format.plain(value["shown"]["siiq"])}</strong> <span class="interval">{_interval(value["shown"])}</span>', value["siiq"])


def compare_benchmarks(index: Index, words: Words, lang: str) -> str:
    """Benchmark by benchmark: both scores, their weights, and the part of the difference; those with most first."""
    two = first_two(index)
    def say(key: str, **values: str) -> str:
        return words(f"interactive.compare.{key}", lang, **values)

    names = [_name(m) for m in (two.a, two.b)]
    head = [th(words("column.benchmark", lang), below=words("column.evaluator", lang)), *(th(name, "n", say("score")) for name in names),
            th(say("difference"), "n", say("percentage_points")), *(th(name, "n", say("weight")) for name in names), th(say("part"), "n", say("points"))]
    longest = max(abs(x.points) for x in two.parts) or 1.0
    measured, start = two.parts[:-1], two.parts[-1]
    bodies = []
    for label, own in ((say("both"), [x for x in measured if None not in x.scores]), (say("only", name=names[0]), [x for x in measured if x.scores[1] is None]),
                       (say("only", name=names[1]), [x for x in measured if x.scores[0] is None])):
        if own:
            bodies.append([_group(label, len(head)), *(_part(x, longest, words, lang) for x in own)])
    bodies.append([_group(say("start"), len(head)), _part(start, longest, words, lang)])
    foot = [row([rowhead(say("sum")), '<td colspan="5"></td>', num(format.signed(two.difference, 2, lang))])]
    return f'<div id="compare-benchmarks">{html_table("parts", say("parts"), head, bodies, foot)}</div>'


def _group(label: str, columns: int) -> str:
    return row([f'<th scope="rowgroup" colspan="{columns}">{label}</th>'], kind="group")


def _part(part: Part, longest: float, words: Words, lang: str) -> str:
    def percent(value: float | None) -> str:
        return td("–", "n") if value is None else num(format.percent(value, lang, 1))

    both = None not in part.scores
    gap = num(format.signed(100 * (part.scores[0] - part.scores[1]), 1, lang)) if both else td("–", "n")
    bench = part.bench
    label = (rowhead(f'<a href="benchmarks/{format.plain(bench["id"])}.html">{format.text(bench["name"])}</a>', format.text(bench["evaluator"])) if bench
             else rowhead(f'<i>λ</i> {words("interactive.compare.start_name", lang)}'))
    return row([label, *(percent(x) for x in part.scores), gap, *(percent(x) for x in part.shares), num(format.signed(part.points, 2, lang) + _bar(part.points / longest))])


def _bar(share: float) -> str:
    """Right of the middle where a part speaks for the first model, left of it for the second."""
    half = 50 * abs(share)
    x, kind = (50.0, "first") if share >= 0 else (50 - half, "second")
    return (f'<svg class="pull" aria-hidden="true" focusable="false"><rect class="{kind}" x="{x:.1f}%" width="{half:.1f}%" height="100%"></rect>'
            '<line x1="50%" x2="50%" y1="0" y2="100%"></line></svg>')


BLOCKS: Mapping[str, Callable[[Index, Words, str], str]] = {f.__name__: f for f in (compare_tools, compare_head, compare_areas, compare_benchmarks)}
