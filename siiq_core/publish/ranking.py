"""The two tables of the ranking, and the form that a script turns into search and filters.

Without scripts they are plain tables. What a script needs stands in data attributes: on a row who made the model, how it
can be had and which areas it has a score in; on a cell its number at full precision; on a column how it is sorted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import figures, format
from siiq_core.publish.tables import AREAS, Index, data_enough, html_table, model_link, num, rank_range, reason_unranked, rowhead, score_cells, td
from siiq_core.publish.words import Words

Model = Mapping[str, Any]
_UP, _DOWN = "1", "-1"  # which way a column is sorted first


def ranked(index: Index) -> list[Model]:
    """The ranked models by rank."""
    return sorted((m for m in index["models"] if m["ranked"]), key=lambda m: m["rank"])


def groups(index: Index) -> list[list[Model]]:
    """The ranked models in groups within which every interval overlaps every other.

    From the top down a model joins the group above while its interval overlaps all of that group; else it begins the next.
    Two models in neighbouring groups may still overlap: a group says what is open, its end does not say what is settled.
    """
    out: list[list[Model]] = []
    for m in ranked(index):
        if out and max(x["low"] for x in (*out[-1], m)) <= min(x["high"] for x in (*out[-1], m)):
            out[-1].append(m)
        else:
            out.append([m])
    return out


# --- the tables ------------------------------------------------------------------------------------------------------


def ranking(index: Index, words: Words, lang: str) -> str:
    """The ranked models: rank range before rank, score with interval, the same on the scale; a group of rows per group."""
    scale = figures.scale_of(index)
    head = [_sorted(words("column.rank_range", lang), "range", _UP, "n"), _sorted(words("column.rank", lang), "rank", _UP, "n"), _named(words, lang),
            _sorted(words("column.siiq", lang), "siiq", _DOWN, "n keep"), _sorted(words("column.interval", lang), "width", _UP, "n"),
            f'<th scope="col" class="on-scale">{figures.axis(scale)}<span class="hidden">{words("column.scale", lang)}</span></th>',
            _sorted(words("interactive.released", lang), "released", _DOWN, "n")]

    def cells(m: Model) -> list[str]:
        return [num(rank_range(m, lang), f'{m["best_rank"]} {m["worst_rank"]}'), num(format.whole(m["rank"], lang), m["rank"]), _name(m), *score_cells(m),
                td(figures.marks(scale, m["siiq"], m["low"], m["high"]), "on-scale"), _released(m, lang)]

    bodies = [[_group(group, len(head), words, lang), *(_row(m, cells(m)) for m in group)] for group in groups(index)]
    return html_table("ranking", words("ranking.caption", lang, n=format.whole(len(ranked(index)), lang)), head, bodies, kind="sortable")


def unranked(index: Index, words: Words, lang: str) -> str:
    """Models without a rank, by name: first those with too little data (K1), then those whose versions lie too far apart (I5)."""
    head = [_named(words, lang), _sorted(words("column.provisional", lang), "siiq", _DOWN, "n"), _sorted(words("column.interval", lang), "width", _UP, "n"),
            _sorted(words("column.results", lang), "results", _DOWN, "n"), f'<th scope="col">{words("column.why_unranked", lang)}</th>',
            _sorted(words("interactive.released", lang), "released", _DOWN, "n")]
    on_index = {b["id"] for b in index["benchmarks"] if b["in_index"]}
    kinds: dict[str, list[str]] = {"too_little": [], "too_far": []}
    for m in sorted((m for m in index["models"] if not m["ranked"]), key=lambda m: (m["name"].casefold(), m["slug"])):
        if not m["not_ranked_because"]:
            raise PublicationError("an unranked model without a reason", file="index.json", column="not_ranked_because", value=m["slug"])
        used = sum(r["benchmark"] in on_index for r in m["results"])
        why = " · ".join(reason_unranked(x, words, lang) for x in m["not_ranked_because"])
        kinds["too_far" if data_enough(m) else "too_little"].append(
            _row(m, [_name(m), *score_cells(m), num(format.whole(used, lang), used), td(why, "wide"), _released(m, lang)]))
    bodies = [[_band(words(f"unranked.{kind}", lang, n=format.whole(len(rows), lang)), len(head)), *rows] for kind, rows in kinds.items() if rows]
    n = format.whole(sum(map(len, kinds.values())), lang)
    return html_table("unranked", words("unranked.caption", lang, n=n), head, bodies, kind="quiet sortable")


def _sorted(label: str, key: str, first: str, kind: str = "", below: str = "") -> str:
    """A column header by which a reader may sort; without a script a header like any other."""
    small = f'<span class="below">{below}</span>' if below else ""
    return f'<th scope="col"{f""" class="{kind}" """.rstrip() if kind else ""} data-sort="{key}" data-first="{first}">{label}{small}</th>'


def _named(words: Words, lang: str) -> str:
    return _sorted(words("column.model", lang), "name", _UP, below=words("interactive.developer_below", lang))


def _row(m: Model, cells: Sequence[str]) -> str:
    """A model's row, with an address of its own and what the filters ask for."""
    facts = {"slug": m["slug"], "developer": m["developer"], "access": m["access"], "areas": " ".join(area for area in AREAS if area in m["areas"])}
    attributes = " ".join(f'data-{name}="{format.plain(value or "")}"' for name, value in facts.items())
    return f'<tr id="m-{format.plain(m["slug"])}" {attributes}>{"".join(cells)}</tr>\n'


def _group(group: Sequence[Model], columns: int, words: Words, lang: str) -> str:
    one = len(group) == 1
    text = words("interactive.group_one" if one else "interactive.group_many", lang, n=format.whole(len(group), lang))
    return _band(text, columns)


def _band(text: str, columns: int) -> str:
    return f'<tr class="band"><th scope="rowgroup" colspan="{columns}"><span>{text}</span></th></tr>\n'


def _name(m: Model) -> str:
    developer = format.text(m["developer"]) if m["developer"] else ""
    return rowhead(model_link(m), developer)


def _released(m: Model, lang: str) -> str:
    return num(format.day(m["released"], lang), m["released"])


# --- the form --------------------------------------------------------------------------------------------------------


def access_label(access: str, words: Words, lang: str) -> str | None:
    """The source's word for access in the reader's language; None where it is not known."""
    key = "model.access." + re.sub(r"\W+", "_", access.casefold()).strip("_")
    return words(key, lang) if key in words.keys() else None


def ranking_tools(index: Index, words: Words, lang: str) -> str:
    """Search, filters and the count, hidden until a script shows them; it fills in the developers from the rows."""
    def say(key: str) -> str:
        return words(f"interactive.{key}", lang)

    def choice(name: str, options: Iterable[str]) -> str:
        return f'<label>{say(f"tools.{name}")} <select name="{name}"><option value="">{say("tools.all")}</option>{"".join(options)}</select></label>'

    known = sorted({m["access"] for m in index["models"] if m["access"]})
    access = [f'<option value="{format.plain(x)}">{label}</option>' if (label := access_label(x, words, lang))
              else f'<option value="{format.plain(x)}" lang="en">{format.plain(x)}</option>' for x in known]
    areas = [f'<option value="{area}">{words(f"area.{area}", lang)}</option>' for area in AREAS]
    standing = [f'<option value="{key}">{say(f"tools.{key}")}</option>' for key in ("ranked", "unranked")]
    return (f'<form class="tools" id="ranking-tools" hidden>\n<label class="wide-field">{say("tools.search")} <input type="search" name="q" autocomplete="off" '
            f'autocapitalize="off" spellcheck="false"></label>\n{choice("developer", ())}\n{choice("access", access)}\n{choice("area", areas)}\n'
            f'{choice("standing", standing)}\n<button type="reset">{say("tools.reset")}</button>\n<p class="count" role="status"></p>\n</form>')


BLOCKS: Mapping[str, Callable[[Index, Words, str], str]] = {f.__name__: f for f in (ranking_tools, ranking, unranked)}
