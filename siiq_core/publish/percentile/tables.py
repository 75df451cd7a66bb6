"""The tables of the percentile page: who has a score, a line for every model, dimensions, boards, sources."""

from __future__ import annotations

from siiq_core.publish import format
from siiq_core.publish.percentile.view import Row, View
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th


def percentile_table(site: Site, lang: str) -> str:
    """Every configuration with a score, the best first."""
    view = View(site, lang)
    rows = [_line(view, c, td(view.say("yes" if c["main"] else "no"))) for c in view.scored]
    return html_table("percentile", view.say("table", n=view.whole(len(rows))), [*_head(view), th(view.say("column.main"))], [rows])


def percentile_models(site: Site, lang: str) -> str:
    """A line for every model, by its main configuration; why most have no score."""
    view = View(site, lang)
    lines = view.lines
    rows = [_line(view, c, td("–" if c["score"] is not None else view.say("insufficient", n=view.some("reached", len(c["counted"]))), "wide")) for c in lines]
    table = html_table("percentile-models", view.say("models", n=view.whole(len(rows))), [*_head(view), th(view.say("column.why"))], [rows], kind="quiet")
    return f'<details class="fold list"><summary>{view.say("show_models", n=view.whole(len(rows)))}</summary>\n{table}\n</details>'


def percentile_dimensions(site: Site, lang: str) -> str:
    """Per dimension: its share of the score, its boards, how many configurations it is sure about, and why it may be empty."""
    view = View(site, lang)
    levels = ("high", "medium", "low", "insufficient")
    head = [th(view.say("column.dimension")), th(view.say("column.weight"), "n"), th(view.say("column.boards"), "n"), *(th(view.say(f"confidence.{x}"), "n") for x in levels), th(view.say("column.note"))]
    names = {x["id"]: x for x in view.data["sources"]}
    rows = []
    for d in view.data["dimensions"]:
        empty = [view.say("empty_because", name=format.text(names[x]["name"]), reason=view.say(f"reason.{names[x]['reason']}")) for x in d["inactive_sources"]]
        note = [] if d["weight"] else [view.say("beside")]
        note += [view.say("empty"), *empty] if not d["boards"] else []
        rows.append(row([rowhead(view.dimension(d["id"])), num(format.percent(d["weight"], lang) if d["weight"] else "–", d["weight"]), num(view.whole(d["boards"]), d["boards"]),
                         *(num(view.whole(d["confidence"][x]), d["confidence"][x]) for x in levels), td(" ".join(note), "wide")], anchor=f"dimension-{d['id']}"))
    return html_table("percentile-dimensions", view.say("dimensions"), head, [rows])


def percentile_boards(site: Site, lang: str) -> str:
    """Per board: its dimension and family, its own snapshot, its population, its weight, what is particular about it."""
    view = View(site, lang)
    head = [th(view.say("column.board"), below=view.say("column.evaluator")), th(view.say("column.dimension")), th(view.say("column.snapshot")), th(view.say("column.n"), "n"),
            th(view.say("column.configurations"), "n"), th(view.say("column.board_weight"), "n"), th(view.say("column.status")), th(view.say("column.note"))]
    rows = [row([rowhead(format.link(b["address"], format.text(b["name"])), format.text(b["evaluator"])), td(view.dimension(b["dimension"])), td(view.day(b["snapshot"])), num(view.whole(b["n"]), b["n"]),
                 num(view.whole(b["configurations"]), b["configurations"]), num(format.shortest(b["quality_weight"] * b["overlap_factor"], lang)), td(view.say(f"status.{b['status']}")),
                 td(" ".join(_notes(view, b)), "wide")], anchor=f"board-{format.plain(b['id'])}") for b in view.data["boards"]]
    return html_table("percentile-boards", view.say("boards", n=view.whole(len(rows))), head, [rows])


def _notes(view: View, b: Row) -> list[str]:
    told = next((x for x in view.data["overlaps"] if x["board"] == b["id"]), None)
    names = {x["id"]: x["name"] for x in view.data["boards"]}
    out = [view.say("note.log")] if b["log"] else []
    out += [view.say("note.rating")] if b["rating"] else []
    out += [view.say(f"note.{told['kind']}", names=", ".join(format.text(names[x]) for x in told["with"]))] if told else []
    out += [view.some("note.excluded", sum(b["excluded_versions"].values()))] if b["excluded_versions"] else []
    out += [view.some("note.waiting", b["waiting_rows"])] if b["waiting_rows"] else []
    return out + ([view.say("note.lower")] if b["direction"] == "lower" else [])


def percentile_sources(site: Site, lang: str) -> str:
    """Per source: licence, cadence, status, and since when and why one is off (M14)."""
    view = View(site, lang)
    head = [th(view.say(f"column.{x}")) for x in ("source", "licence", "cadence", "snapshot", "status", "note")]
    rows = []
    for s in view.data["sources"]:
        why = "" if s["reason"] is None else view.say("off_since", day=view.day(s["since"]), reason=view.say(f"reason.{s['reason']}"))
        licence = format.link(s["license_url"], format.text(s["license"])) if s["license"] != "none stated" else view.say("no_licence")
        rows.append(row([rowhead(format.link(s["url"], format.text(s["name"])), format.text(s["attribution"])), td(licence), td(view.say(f"cadence.{s['cadence']}")), td(view.day(s["snapshot"])),
                         td(view.say(f"status.{s['status']}")), td(why, "wide")], anchor=f"source-{format.plain(s['id'])}"))
    return html_table("percentile-sources", view.say("sources"), head, [rows])


def _head(view: View) -> list[str]:
    return [th(view.say("column.model"), below=view.say("column.configuration")), th(view.say("column.score"), "n"), *(th(view.dimension(d["id"]), "n") for d in view.data["dimensions"]),
            th(view.say("column.coverage"), "n")]


def _line(view: View, c: Row, last: str) -> str:
    return row([rowhead(view.model(c), view.identity(c)), num(view.place(c["score"]), c["score"]), *(view.cell(c["dimensions"][d["id"]]) for d in view.data["dimensions"]),
                num(format.percent(c["coverage"], view.lang), c["coverage"]), last])
