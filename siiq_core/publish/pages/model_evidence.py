"""Evidence cards (U12): for each result the raw source row, where it is from, and where to dispute it."""

from __future__ import annotations

from urllib.parse import quote

from siiq_core.publish import format
from siiq_core.publish.pages.model_results import evidence, setting
from siiq_core.publish.pages.model_view import Result, View, percentage

_SHIPPED = "shipped, not AI-checked"  # the checker's outcome of what no checker has read


def cards(view: View) -> str:
    """One folded card for each result, in the order of the table of results."""
    made = [_card(view, result) for _, own in view.by_area() for result in own]
    return f'<p>{view.say("evidence.lead")}</p>\n<div class="cards">{"".join(made)}</div>'


def _card(view: View, result: Result) -> str:
    """The address stands inside the fold: following it opens the card."""
    bench, line, say = view.benches[result["benchmark"]], evidence(view, result), view.say
    ident = f'evidence-{format.plain(bench["id"])}'
    summary = (f'<summary>{format.text(bench["name"])}: <strong>{percentage(result["score"], view.lang)}</strong> '
               f'<span class="quiet">{format.text(result["version"])}, {setting(view, result)}</span></summary>')
    cells = "".join(f'<tr><th scope="row">{_code(header)}</th><td>{_code(cell)}</td></tr>' for header, cell in sorted(line["row"].items()))
    caption = say("evidence.row", name=format.text(bench["name"]))
    table = (f'<div class="box" role="region" aria-labelledby="{ident}-row" tabindex="0"><table class="data raw"><caption id="{ident}-row">{caption}</caption>'
             f"<tbody>{cells}</tbody></table></div>")
    link = f'<a href="#{ident}">{say("evidence.link")}</a>'
    return f'<details>{summary}<div id="{ident}">{table}{_facts(view, result)}<p class="actions">{link} · {dispute(view, result)}</p></div></details>'


def _code(text: str) -> str:
    """A header or cell as it stands in the source; the style sheet keeps its writing direction inside."""
    return f"<code>{format.plain(text)}</code>"


def _facts(view: View, result: Result) -> str:
    line, say = evidence(view, result), view.say
    source = next((s["name"] for s in view.site.index["sources"] if s["id"] == line["source"]), line["source"])
    number = f' ({say("evidence.line", n=format.whole(line["line"], view.lang))})' if line.get("line") else ""
    facts = [("source", format.text(source)), ("file", format.link(line["url"], _code(line["file"])) + number)]
    facts += [("copy", format.link(line["copy"], _code(_short(line["copy"]))))] if line.get("copy") else []
    facts += [("SHA-256", f'<code class="hash">{format.plain(line["sha256"])}</code>'),
              ("snapshot", say("evidence.since", since=view.day(line["since"]), seen=view.day(line["observed_at"]))),
              ("released", view.day(result["version_released"]) if result["version_released"] else say("evidence.unknown_day")),
              ("checked", _checked(view, line["checker"])), ("id", f'<code>{format.plain(line["id"])}</code>')]
    items = "".join(f'<dt>{key if key.startswith("SHA") else say(f"evidence.{key}")}</dt><dd>{value}</dd>' for key, value in facts)
    return f"<dl>{items}</dl>"


def _short(url: str) -> str:
    """Host and last part of an address, to read; the link has all of it."""
    host, _, rest = url.partition("://")[2].partition("/")
    return f"{host}/…/{rest.rpartition('/')[2]}" if "/" in rest else f"{host}/{rest}"


def _checked(view: View, checker: dict[str, str | None]) -> str:
    if checker["outcome"] == _SHIPPED:
        return view.say("evidence.shipped")
    return view.say("evidence.verdict", who=format.text(checker["who"] or "–"), when=view.day(checker["when"]), outcome=f'<span lang="en">{format.text(checker["outcome"] or "–")}</span>')


def dispute(view: View, result: Result) -> str:
    """A link that carries the evidence id to where numbers are disputed; without such a place, the id to quote."""
    url = view.site.dispute_url
    if not url:
        return view.say("evidence.quote", id=f'<code>{format.plain(result["evidence"])}</code>')
    for slot, value in (("evidence", result["evidence"]), ("model", view.model["slug"]), ("benchmark", result["benchmark"])):
        url = url.replace("{" + slot + "}", quote(value, safe=""))
    return format.link(url, view.say("evidence.dispute"))
