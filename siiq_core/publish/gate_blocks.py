"""Blocks of what the gate holds back and of what persons decided, from status.json alone (V5): pages status, changes, updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.saying import benchmark_name, english, model_name, moment, sentence, source_name
from siiq_core.publish.site import Site
from siiq_core.publish.status import build_status
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th

Record = Mapping[str, Any]


def _status(site: Site) -> Record:
    return build_status(site.index, site.facts)


def gate_passed(site: Site, lang: str) -> str:
    """What the numbers of this book have been through: a direct build, or the gate."""
    found = _status(site)
    key = "updates_gate" if found["gate"]["runs"] else "updates_direct"
    return f'<p>{site.words("status." + key, lang, at=moment(found["generated_at"], lang))}</p>'


def status_publication(site: Site, lang: str) -> str:
    """How publication stands, and the line that a script brings up to date every hour (status.js)."""
    words, found = site.words, _status(site)
    live = f'<p id="status-live" role="status" data-at="{format.plain(found["generated_at"])}" hidden></p>'
    if not found["gate"]["runs"]:
        return f'<p>{words("status.gate_off", lang)}</p>\n{live}'
    stop = found["publication"]
    if stop["state"] == "published":
        return f'<p>{words("status.published", lang, at=moment(found["generated_at"], lang), since=moment(found["published_at"], lang))}</p>\n{live}'
    said = {name: sentence(coded, site, lang) for name, coded in stop["coded"].items()}
    text = words("status.stopped", lang, rule=format.plain(stop["rule"]), since=moment(stop["since"], lang), what=said["what"], until=said["waiting_for"], published=moment(found["published_at"], lang))
    affected = ", ".join(model_name(x, site) for x in stop["affected"])
    return f'<p>{text}</p>\n{f"""<p>{words("status.affected", lang, models=affected)}</p>""" if affected else ""}\n{live}'


def status_held(site: Site, lang: str) -> str:
    """What is held back, each value with rule, numbers, since when, and what would release it (U3, U5)."""
    words, held = site.words, _status(site)["held"]
    if not held:
        return f'<p>{words("status.none_held", lang)}</p>'
    head = [*_value_heads(site, lang), th(words("status.why_held", lang)), th(words("status.since", lang), "n"), th(words("status.waits_for", lang))]
    rows = [row([*_value_cells(x, site, lang), td(_why(x, site, lang), "wide"), _time(x["since"], lang), td(sentence(x["coded"]["released_by"], site, lang), "wide")]) for x in held]
    return html_table("held", words("status.held_caption", lang, n=format.whole(len(held), lang)), head, [rows])


def _value_heads(site: Site, lang: str) -> list[str]:
    words = site.words
    return [th(words("column.model", lang), below=words("column.benchmark", lang)), th(words("status.value", lang), "n"), th(words("status.published_value", lang), "n")]


def _value_cells(x: Record, site: Site, lang: str) -> list[str]:
    return [rowhead(model_name(x["model"], site), benchmark_name(x["benchmark"], site)), *(_score(x[key], lang) for key in ("value", "published"))]


def _score(value: float | None, lang: str) -> str:
    return num("–") if value is None else num(format.percent(value, lang, 1), value)


def _time(at: str, lang: str) -> str:
    return f'<td class="n">{moment(at, lang)}</td>'


def _why(x: Record, site: Site, lang: str) -> str:
    """The rule, and the numbers that it compared."""
    words, rule, numbers = site.words, x["rule"], x["numbers"]
    if rule == "U3a":
        return words("status.why.U3a", lang, move=format.shortest(100 * numbers["move"], lang, 2))
    if rule == "U3b":
        before = words("status.why.z_before", lang, z=format.number(numbers["z_published"], 1, lang)) if "z_published" in numbers else ""
        return words("status.why.U3b", lang, z=format.number(numbers["z"], 1, lang)) + before
    return words("status.why.U5", lang, siiq=format.number(numbers["siiq"], 1, lang), leader=format.number(numbers["leader"], 1, lang))


def status_frozen(site: Site, lang: str) -> str:
    """Benchmarks that stand still, why, and until what (U6b, U9)."""
    words, frozen = site.words, _status(site)["frozen"]
    if not frozen:
        return f'<p>{words("status.none_frozen", lang)}</p>'
    head = [th(words("column.benchmark", lang)), th(words("status.why_frozen", lang)), th(words("status.results_changed", lang), "n"), th(words("status.since", lang), "n"), th(words("status.waits_for", lang))]
    rows = []
    for x in frozen:
        approved = f'<span class="below">{words("status.approved", lang, at=moment(x["approved"], lang))}</span>' if x["approved"] else ""
        rows.append(row([rowhead(benchmark_name(x["benchmark"], site)), td(f'{format.plain(x["rule"])}: {sentence(x["coded"]["what"], site, lang)}{approved}', "wide"),
                         num(format.whole(x["members"], lang), x["members"]), _time(x["since"], lang), td(sentence(x["coded"]["waiting_for"], site, lang), "wide")]))
    return html_table("frozen", words("status.frozen_caption", lang, n=format.whole(len(frozen), lang)), head, [rows])


def status_refused(site: Site, lang: str) -> str:
    """Values that are not used: refused by the second reader (U2), rejected or taken back by a person. Nothing where there are none."""
    words, refused = site.words, _status(site)["refused"]
    if not refused:
        return f'<p>{words("status.none_refused", lang)}</p>'
    head = [*_value_heads(site, lang), th(words("status.outcome", lang)), th(words("status.since", lang), "n"), th(words("status.waits_for", lang))]
    rows = [row([*_value_cells(x, site, lang), td(_outcome(x, site, lang), "wide"), _time(x["since"], lang), td(sentence(x["coded"]["released_by"], site, lang), "wide")]) for x in refused]
    return html_table("refused", words("status.refused_caption", lang, n=format.whole(len(refused), lang)), head, [rows])


def _outcome(x: Record, site: Site, lang: str) -> str:
    by = ": ".join(show(text) for show, text in ((format.text, x["who"]), (english if x["rule"] == "U2" else format.text, x["reason"])) if text)
    return site.words("status.outcome_" + x["outcome"], lang) + (f'<span class="below">{by}</span>' if by else "")


def status_attempt(site: Site, lang: str) -> str:
    """The last recalibration that was tried, and why it was refused (C8, C9)."""
    words, tried = site.words, _status(site)["calibration"]["last_attempt"]
    if "coded" not in tried:
        return f'<p>{words("status.no_attempt", lang)}</p>'
    text = words("status.attempt_" + tried["outcome"], lang, at=moment(tried["at"], lang), why=sentence(tried["coded"]["why"], site, lang))
    return f"<p>{text}</p>" + (_list(_reason(x, site, lang) for x in tried["coded"]["reasons"]) if tried["coded"]["reasons"] else "")


def _reason(said: Record, site: Site, lang: str) -> str:
    return f'{format.plain(said["of"]["rule"] if said["code"] == "refused_fit" else "C9")}: {sentence(said, site, lang)}'


def _list(items: Iterable[str]) -> str:
    return f'\n<ul class="plain">{"".join(f"<li>{x}</li>" for x in items)}</ul>'


def corrections(site: Site, lang: str) -> str:
    """What persons decided about single values, benchmarks, sources and publications, with name and reason; newest first."""
    words, log = site.words, _status(site)["corrections"]
    if not log:
        return f'<p>{words("status.no_corrections", lang)}</p>'
    head = [th(words("status.when", lang)), th(words("status.decision", lang)), th(words("status.who", lang)), th(words("status.reason", lang))]
    rows = [row([f'<th scope="row" class="keep">{moment(x["at"], lang)}</th>', td(words("status.action." + x["action"], lang, what=_about(x, site, lang)), "wide"), td(format.text(x["who"])),
                 td(format.text(x["reason"]), "wide")]) for x in reversed(log)]
    return html_table("corrections", words("status.corrections_caption", lang, n=format.whole(len(log), lang)), head, [rows])


def _about(x: Record, site: Site, lang: str) -> str:
    parts = [show(x[key], site) for key, show in (("model", model_name), ("benchmark", benchmark_name), ("source", source_name)) if key in x]
    return " · ".join(parts) or site.words("status.the_publication", lang)


def feed_links(site: Site, lang: str) -> str:
    """Where the decisions can be followed."""
    links = {name: f'<a href="../feed.{ending}">{label}</a>' for name, ending, label in (("rss", "xml", "RSS"), ("json", "json", "<bdi>JSON Feed</bdi>"))}
    return f'<p>{site.words("status.feeds", lang, **links)}</p>'


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {
    f.__name__: f for f in (gate_passed, status_publication, status_held, status_frozen, status_refused, status_attempt, corrections, feed_links)
}
