"""The first screen of a model's page: who made it, the plain sentence, the rank range, the scale with the areas below."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from siiq_core.publish import figures, format
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.tables import AREAS, data_enough, html_table, num, rank_range, reason_unranked, row, rowhead, th


def about(view: View) -> str:
    """Developer, release, access."""
    m = view.model
    parts = [format.text(m["developer"])] if m["developer"] else []
    parts += [view.say("released", day=view.day(m["released"]))] if m["released"] else []
    parts += [_access(view)] if m["access"] else []
    return f'<p class="about">{" · ".join(parts)}</p>' if parts else ""


def _access(view: View) -> str:
    """The source's word for access, translated where it is known; else as it stands, marked as English."""
    access = view.model["access"]
    key = "access." + re.sub(r"\W+", "_", access.casefold()).strip("_")
    return view.say(key) if f"model.{key}" in view.site.words.keys() else f'<span lang="en">{format.text(access)}</span>'


def sentence(view: View) -> str:
    """What the score means and how sure it is, in one sentence; then the rank, or why there is none."""
    m, mean = view.model, view.site.index["constants"]["mean"]
    away = int(m["shown"]["siiq"]) - int(mean)
    side = "above" if away > 0 else "below" if away < 0 else "at"
    strong = {k: f'<strong>{format.plain(m["shown"][k])}</strong>' for k in ("siiq", "low", "high")}
    more = {} if side == "at" else {"points": view.count("points", abs(away))}
    first = view.say(f'{"sentence" if m["ranked"] else "provisional"}.{side}', name=format.text(m["name"]), **strong, **more)
    return f'<p class="lead">{first}</p>\n<p>{rank(view)}</p>'


def rank(view: View) -> str:
    """The rank range before the rank; for a model without one the reason stands in its place (K1, I5)."""
    m, whole = view.model, lambda n: format.whole(n, view.lang)
    if not m["ranked"] and data_enough(m):
        return view.say("no_rank_far", **{k: whole(m["not_ranked_because"][0][k]) for k in ("have", "need")})
    if not m["ranked"]:
        return view.say("no_rank", why=" · ".join(reason_unranked(x, view.site.words, view.lang) for x in m["not_ranked_because"]))
    n = whole(sum(x["ranked"] for x in view.site.index["models"]))
    if m["best_rank"] == m["worst_rank"]:
        return view.say("rank_alone", rank=whole(m["rank"]), n=n)
    return view.say("rank_open", best=whole(m["best_rank"]), worst=whole(m["worst_rank"]), rank=whole(m["rank"]), n=n)


def keys(view: View) -> str:
    """The figures of the first screen: rank range, score with interval, on how many results they rest."""
    m, used = view.model, len(view.found.lines)
    boxes = [("key.range", rank_range(m, view.lang) if m["ranked"] else view.say("key.none")),
             ("key.score", f'{format.plain(m["shown"]["siiq"])} <span class="quiet">{view.interval(m["shown"])}</span>'),
             ("key.basis_one" if used == 1 else "key.basis_many", format.whole(used, view.lang))]
    return '<dl class="keys">' + "".join(f"<div><dt>{view.say(key)}</dt><dd>{value}</dd></div>" for key, value in boxes) + "</dl>"


def scale(view: View) -> str:
    """The score on the scale and each area's below it on the same axis: a figure that is a table."""
    m, lang = view.model, view.lang
    words, scale = view.site.words, view.scale
    areas = [(area, m["areas"][area]) for area in AREAS if area in m["areas"]]
    head = [th(_pair(view.say("scale.column"), figures.axis(scale))), th(words("column.siiq", lang), "n keep"), th(words("column.interval", lang), "n")]
    rows = [_row(view, view.say("scale.all"), m, "")] + [_row(view, words(f"area.{area}", lang), value, "small") for area, value in areas]
    missing = [words(f"area.{area}", lang) for area in AREAS if area not in m["areas"]]
    caption = view.say("scale.caption", members=format.whole(len(view.site.index["reference_group"]["members"]), lang),
                       as_of=view.day(view.site.index["as_of"]), version=format.plain(view.site.index["method_version"]))
    if missing:
        caption += " " + view.say("scale.missing", need=format.whole(view.site.index["constants"]["min_families_area"], lang), areas=", ".join(missing))
    table = html_table("scale", words("figure.measure", lang), head, [rows], kind="scale-table")
    return f'<figure class="scale-figure"><p class="finding">{_finding(view, areas)}</p>\n{table}\n<figcaption>{caption}</figcaption></figure>'


def _pair(label: str, drawing: str) -> str:
    return f'<div class="pair"><span>{label}</span>{drawing}</div>'


def _row(view: View, label: str, value: Mapping[str, Any], kind: str) -> str:
    shown, marks = value["shown"], figures.marks(view.scale, value["siiq"], value["low"], value["high"], kind)
    score = format.plain(shown["siiq"])
    return row([rowhead(_pair(label, marks)), num(score if kind else f"<strong>{score}</strong>", shown["siiq"]),
                num(view.interval(shown), f'{shown["low"]} {shown["high"]}')], kind=kind)


def _finding(view: View, areas: list[tuple[str, Mapping[str, Any]]]) -> str:
    """What the areas say, from the strings that are shown."""
    if not areas:
        return view.say("scale.none")
    low, high = (pick(areas, key=lambda x: x[1]["siiq"]) for pick in (min, max))
    texts = {"low": format.plain(low[1]["shown"]["siiq"]), "low_area": view.site.words(f"area.{low[0]}", view.lang)}
    if len(areas) == 1:
        return view.say("scale.one", **texts)
    if low[1]["shown"]["siiq"] == high[1]["shown"]["siiq"]:
        return view.say("scale.equal", low=texts["low"])
    return view.say("scale.apart", **texts, high=format.plain(high[1]["shown"]["siiq"]), high_area=view.site.words(f"area.{high[0]}", view.lang))
