"""The full arithmetic of a model's score (S3), folded: the worked example of this model, its areas (A) and its rank range (K3)."""

from __future__ import annotations

import math
import re

from siiq_core.errors import PublicationError
from siiq_core.publish import format, worked
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.tables import AREAS


def arithmetic(view: View) -> str:
    """The place where a script lets readers recompute, then the whole calculation in a fold."""
    index, words, lang = view.site.index, view.site.words, view.lang
    blocks = [worked.worked_scores(index, words, lang, view.found), worked.worked_first(index, words, lang, view.found),
              worked.worked_weights(index, words, lang, view.found), f'<h3>{view.say("arithmetic.score")}</h3>',
              worked.worked_score(index, words, lang, view.found), f'<h3>{view.say("arithmetic.interval")}</h3>',
              worked.worked_interval(index, words, lang, view.found), _areas(view), _rank(view)]
    # Rows have their addresses in the table of results; full values stand in index.json.
    bare = re.sub(r'(<tr) id="r-[^"]*"|(<td class="n") data-v="[^"]*"', r"\1\2", "\n".join(blocks))
    return (f'<p>{view.linked("arithmetic.lead", "../worked-example.html")}</p>\n<div id="recompute" data-slug="{format.plain(view.model["slug"])}"></div>\n'
            f'<details class="fold whole"><summary>{view.say("arithmetic.fold")}</summary>\n{bare}</details>')


def _areas(view: View) -> str:
    """A: each shown area's sums, with the overall ability as a prior of weight 1."""
    m, index, words, lang = view.model, view.site.index, view.site.words, view.lang
    at, steps = index["calibration"], []
    for area in AREAS:
        if area not in m["areas"]:
            continue
        own = [x for x in view.found.lines if x.bench["area"] == area]
        pull, information = math.fsum(x.pull for x in own), math.fsum(x.information for x in own)
        ability = (pull + m["theta0"]) / (information + 1)
        theta, published = (ability - at["shift"]) / at["scale"], m["areas"][area]
        if not abs(theta - published["theta"]) <= 1e-9 * max(1.0, abs(theta)):
            raise PublicationError("a worked value differs from the published one", file="index.json", column=f'{m["slug"]}: {area}', value=(theta, published["theta"]))
        sign, last = ("+" if m["theta0"] >= 0 else "-"), "-" if at["shift"] >= 0 else "+"
        mean, sd = (f"{index['constants'][k]:g}" for k in ("mean", "sd"))
        name = rf"\text{{{words.raw(f'area.{area}', lang)}: }}"
        steps += [rf"{name} \frac{{{pull:.4f} {sign} {abs(m['theta0']):.4f}}}{{{information:.4f} + 1}} = {ability:.4f}, \quad "
                  rf"\frac{{{ability:.4f} {last} {abs(at['shift']):.6f}}}{{{at['scale']:.6f}}} = {theta:.4f}, \quad "
                  rf"{mean} + {sd} \cdot {worked.factor(theta)} = {published['siiq']:.2f} \;\to\; {published['shown']['siiq']}"]
    if not steps:
        return ""
    return f'<h3>{view.say("arithmetic.areas")}</h3>\n{worked.arithmetic(steps, words, lang)}'


def _rank(view: View) -> str:
    m = view.model
    if not m["ranked"]:
        return ""
    ranked = [x for x in view.site.index["models"] if x["ranked"]]
    above, reach = sum(x["low"] > m["high"] for x in ranked), sum(x["high"] >= m["low"] for x in ranked)
    if (1 + above, reach) != (m["best_rank"], m["worst_rank"]):
        raise PublicationError("a worked rank range differs from the published one", file="index.json", column=m["slug"], value=(1 + above, reach))
    return "<p>" + view.say("arithmetic.rank", **{k: format.whole(v, view.lang) for k, v in
                            (("above", above), ("best", m["best_rank"]), ("reach", reach), ("worst", m["worst_rank"]))}) + "</p>"
