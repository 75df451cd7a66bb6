"""The worked example (S3): a model's score from its results, row by row, from nothing but the published index.

The blocks show the model they are given, `found`, and the one of rank 1 by themselves.
Every term is formed here from published numbers; where a sum does not meet the published value, no page is made.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format
from siiq_core.publish.tables import Index, html_table, num, question_count, row, rowhead, td, th
from siiq_core.publish.words import Words

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Line:
    """One result on its way into the score."""

    result: Mapping[str, Any]
    bench: Mapping[str, Any]
    p: float  # share of the span between chance and ceiling, clipped
    p_star: float  # the same, drawn half a question towards the middle
    f: float  # 1 over the results of the family
    information: float  # w α²
    pull: float  # w α (y − β)
    noise: float  # w² α² (σ² + v)
    share: float  # of the information of all results


@dataclass(frozen=True, slots=True)
class Worked:
    """A model's score, with its lines and sums."""

    model: Mapping[str, Any]
    lines: tuple[Line, ...]
    information: float
    pull: float
    noise: float


def top_model(index: Index) -> Mapping[str, Any]:
    """The model of rank 1."""
    return next(m for m in index["models"] if m["rank"] == 1)


def work(index: Index, model: Mapping[str, Any]) -> Worked:
    """All terms of `model`, most information first.

    Raises
    ------
    PublicationError
        A published value does not follow from the published terms.
    """
    benches = {b["id"]: b for b in index["benchmarks"] if b["in_index"]}
    used = [r for r in model["results"] if r["benchmark"] in benches]
    family = Counter(benches[r["benchmark"]]["family"] for r in used)
    lines = [_line(r, benches[r["benchmark"]], family) for r in used]
    total = math.fsum(x.information for x in lines)
    lines = [Line(x.result, x.bench, x.p, x.p_star, x.f, x.information, x.pull, x.noise, x.information / total) for x in lines]
    found = Worked(model, tuple(sorted(lines, key=lambda x: (-x.share, x.bench["id"]))), total,
                   math.fsum(x.pull for x in lines), math.fsum(x.noise for x in lines))
    _agrees(index, found)
    return found


def _line(result: Mapping[str, Any], bench: Mapping[str, Any], family: Mapping[str, int]) -> Line:
    span = bench["c"] - bench["g"]
    p = min(1.0, max(0.0, (result["score"] - bench["g"]) / span))
    p_star = (p * bench["n"] + 0.5) / (bench["n"] + 1)
    alpha, variance, f = bench["alpha"], bench["sigma2"] + result["v"], 1 / family[bench["family"]]
    w = bench["omega"] * f / variance
    s = bench["g"] + span * p_star
    v = s * (1 - s) * bench["n"] / ((bench["n"] + 1) * span * p_star * (1 - p_star)) ** 2
    for name, mine in (("y", math.log(p_star / (1 - p_star))), ("v", v), ("w", w)):
        _same(mine, result[name], f'{name} of {bench["id"]}')
    return Line(result, bench, p, p_star, f, w * alpha**2, w * alpha * (result["y"] - bench["beta"]), w**2 * alpha**2 * variance, 0.0)


def _agrees(index: Index, found: Worked) -> None:
    model, lam, at = found.model, index["constants"]["lam"], index["calibration"]
    d = lam + found.information
    theta0 = found.pull / d
    theta = (theta0 - at["shift"]) / at["scale"]
    se = at["kappa"] * math.sqrt(found.noise) / d / at["scale"]
    mean, sd, z = (index["constants"][k] for k in ("mean", "sd", "z90"))
    for name, mine in (("d", d), ("theta0", theta0), ("theta", theta), ("se", se), ("siiq", mean + sd * theta),
                       ("low", mean + sd * (theta - z * se)), ("high", mean + sd * (theta + z * se))):
        _same(mine, model[name], name)


def _same(mine: float, published: float, name: str) -> None:
    if not abs(mine - published) <= _TOLERANCE * max(1.0, abs(published)):
        raise PublicationError("a worked value differs from the published one", file="index.json", column=name, value=(mine, published))


def worked_head(index: Index, words: Words, lang: str) -> str:
    """The model and its score: a sentence, and the scale."""
    m, scale = top_model(index), figures.scale_of(index)
    sentence = words("worked.sentence", lang, name=format.text(m["name"]), developer=format.text(m["developer"]),
                     **{k: f'<strong>{format.plain(m["shown"][k])}</strong>' for k in ("siiq", "low", "high")})
    marks = figures.marks(scale, m["siiq"], m["low"], m["high"])
    return f'<p class="lead">{sentence}</p>\n<div class="alone">{figures.axis(scale)}{marks}</div>'


def worked_scores(index: Index, words: Words, lang: str, found: Worked | None = None) -> str:
    """From each score to y and its variance (T)."""
    head = [th(words("column.benchmark", lang), below=words("column.version", lang)), th("<i>s</i>", "n", words("column.score", lang)),
            th("<i>g</i>", "n", words("column.chance", lang)), th("<i>c</i>", "n", words("column.ceiling", lang)),
            th("<i>n</i>", "n", words("column.questions", lang)), th("<i>p</i>*", "n", words("column.share_above_chance", lang)),
            th("<i>y</i>", "n", words("column.logit", lang)), th("<i>v</i>", "n", words("column.variance", lang))]
    rows = []
    for x in (found or work(index, top_model(index))).lines:
        r, b = x.result, x.bench
        numbers = [num(format.number(v, 4, lang), v) for v in (r["score"], b["g"], b["c"])] + [num(question_count(b, lang), b["n"])]
        numbers += [num(format.number(v, 4, lang), v) for v in (x.p_star, r["y"], r["v"])]
        rows.append(row([rowhead(format.text(b["name"]), format.text(_run(r))), *numbers], anchor=f'r-{format.plain(b["id"])}'))
    return html_table("worked-scores", words("worked.scores_caption", lang), head, [rows])


def _run(result: Mapping[str, Any]) -> str:
    setting = result["setting"]
    return result["version"] if setting in ("", "default") else f'{result["version"]} · {setting}'


def worked_weights(index: Index, words: Words, lang: str, found: Worked | None = None) -> str:
    """What each result weighs and where it pulls, with the sums (S)."""
    found = found or work(index, top_model(index))
    head = [th(words("column.benchmark", lang)), th("<i>α</i>", "n", words("column.loading", lang)), th("<i>β</i>", "n", words("column.intercept", lang)),
            th("<i>σ</i>²", "n", words("column.residual", lang)), th("<i>ω</i>", "n", words("column.area_weight", lang)),
            th("<i>f</i>", "n", words("column.family_share", lang)), th("<i>w</i>", "n", words("column.weight", lang)), th("<i>wα</i>²", "n"),
            th("<i>wα</i>(<i>y</i>−<i>β</i>)", "n"), th("<i>w</i>²<i>α</i>²(<i>σ</i>²+<i>v</i>)", "n"), th(words("column.weight_share", lang), "n")]
    rows = []
    for x in found.lines:
        values = [x.bench["alpha"], x.bench["beta"], x.bench["sigma2"], x.bench["omega"], x.f, x.result["w"], x.information, x.pull, x.noise]
        rows.append(row([rowhead(format.text(x.bench["name"])), *(num(format.number(v, 4, lang), v) for v in values),
                         num(format.percent(x.share, lang, 1), x.share)]))
    sums = [num(format.number(v, 4, lang), v) for v in (found.information, found.pull, found.noise)]
    foot = [row([rowhead(words("worked.sum", lang)), '<td colspan="6"></td>', *sums, td(format.percent(1, lang), "n")])]
    return html_table("worked-weights", words("worked.weights_caption", lang), head, [rows], foot)


def arithmetic(steps: Sequence[str], words: Words, lang: str) -> str:
    """Lines of worked arithmetic in a box of their own, which scrolls sideways where it must."""
    lines = "\n".join(format.mathml(step, lang) for step in steps)
    return f'<div class="arithmetic" role="group" aria-label="{words("worked.arithmetic", lang)}" tabindex="0">\n{lines}\n</div>'


def factor(value: float) -> str:
    """A number behind a multiplication dot: a negative one in brackets."""
    return f"{value:.4f}" if value >= 0 else f"({value:.4f})"


def worked_first(index: Index, words: Words, lang: str, found: Worked | None = None) -> str:
    """The first row in full: chance and ceiling, half a question, logit, variance."""
    x = (found or work(index, top_model(index))).lines[0]
    b, r = x.bench, x.result
    s, g, c, p, ps = (f"{v:.4f}" for v in (r["score"], b["g"], b["c"], x.p, x.p_star))
    st = f'{b["g"] + (b["c"] - b["g"]) * x.p_star:.4f}'
    n = b["n"]
    steps = [rf"p = \frac{{{s} - {g}}}{{{c} - {g}}} = {p}" if 0 < x.p < 1 else rf"p = {p}",
             rf"p^* = \frac{{{p} \cdot {n} + 0.5}}{{{n} + 1}} = {ps}", rf"y = \ln\frac{{{ps}}}{{1 - {ps}}} = {r['y']:.4f}",
             rf"v = \frac{{{st} \cdot (1 - {st}) \cdot {n}}}{{({n} + 1)^2 \cdot ({c} - {g})^2 \cdot {ps}^2 \cdot (1 - {ps})^2}} = {r['v']:.4f}"]
    lead = words("worked.first", lang, name=format.text(b["name"]))
    return f"<p>{lead}</p>\n{arithmetic(steps, words, lang)}"


def worked_score(index: Index, words: Words, lang: str, found: Worked | None = None) -> str:
    """The sums become θ₀, θ and the score."""
    found = found or work(index, top_model(index))
    m, lam, at = found.model, index["constants"]["lam"], index["calibration"]
    mean, sd = (f"{index['constants'][k]:g}" for k in ("mean", "sd"))
    sign = "-" if at["shift"] >= 0 else "+"
    steps = [rf"D = {lam:.2f} + {found.information:.4f} = {m['d']:.4f}", rf"\theta_0 = \frac{{{found.pull:.4f}}}{{{m['d']:.4f}}} = {m['theta0']:.4f}",
             rf"\theta = \frac{{{m['theta0']:.4f} {sign} {abs(at['shift']):.6f}}}{{{at['scale']:.6f}}} = {m['theta']:.4f}",
             rf"{mean} + {sd} \cdot {factor(m['theta'])} = {m['siiq']:.2f} \;\to\; {m['shown']['siiq']}"]
    return arithmetic(steps, words, lang)


def worked_interval(index: Index, words: Words, lang: str, found: Worked | None = None) -> str:
    """The standard error and the two ends of the interval."""
    found = found or work(index, top_model(index))
    m, at, constants = found.model, index["calibration"], index["constants"]
    mean, sd = (f"{constants[k]:g}" for k in ("mean", "sd"))
    z = f"{constants['z90']:.6f}"
    steps = [rf"SE = {at['kappa']:.4f} \cdot \frac{{\sqrt{{{found.noise:.4f}}}}}{{{m['d']:.4f} \cdot {at['scale']:.6f}}} = {m['se']:.4f}"]
    steps += [rf"{mean} + {sd} \cdot ({m['theta']:.4f} {sign} {z} \cdot {m['se']:.4f}) = {m[end]:.1f} \;\to\; {m['shown'][end]}"
              for end, sign in (("low", "-"), ("high", "+"))]
    return arithmetic(steps, words, lang)


def worked_rank(index: Index, words: Words, lang: str) -> str:
    """The rank range, counted from the intervals (K3)."""
    m = top_model(index)
    ranked = [x for x in index["models"] if x["ranked"]]
    above, reach = sum(x["low"] > m["high"] for x in ranked), sum(x["high"] >= m["low"] for x in ranked)
    _same(1 + above, m["best_rank"], "best_rank")
    _same(reach, m["worst_rank"], "worst_rank")
    return "<p>" + words("worked.rank", lang, name=format.text(m["name"]), best=format.whole(m["best_rank"], lang), reach=format.whole(reach, lang),
                         worst=format.whole(m["worst_rank"], lang)) + "</p>"


BLOCKS: Mapping[str, Callable[[Index, Words, str], str]] = {
    f.__name__: f for f in (worked_head, worked_first, worked_scores, worked_weights, worked_score, worked_interval, worked_rank)
}
