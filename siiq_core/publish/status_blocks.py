"""Blocks of the status page, from status.json alone: sources, names that wait, the calibration's checks, reports (V5).

What the gate holds back stands in gate_blocks.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.saying import english, moment, sentence
from siiq_core.publish.site import Site
from siiq_core.publish.status import build_status, waiting_by_source
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th
from siiq_core.publish.words import Words


def _status(site: Site) -> Mapping[str, Any]:
    return build_status(site.index, site.facts)


def status_sources(site: Site, lang: str) -> str:
    """Per source: last check, last success, rows, share kept, licence, and how it stands. A script brings the times up to date (status.js)."""
    words, found = site.words, _status(site)
    head = [th(words("column.source", lang), below=words("column.licence", lang)), th(words("status.last_check", lang), "n"), th(words("status.last_success", lang), "n"),
            th(words("status.rows", lang), "n"), th(words("status.kept", lang), "n"), th(words("status.state", lang))]
    rows = []
    for x in sorted(found["sources"], key=lambda x: x["id"]):
        rows.append(row([rowhead(format.text(x["name"]), format.text(x["license"])), *(_when(x[key], key, found["gate"]["runs"], lang) for key in ("last_check", "last_success")),
                         _count(x["rows"], lang), num("–" if x["kept_share"] is None else format.percent(x["kept_share"], lang, 1), x["kept_share"]),
                         f'<td class="wide" data-live="state" data-failed="{format.plain(x["failure"]["since"]) if x["failure"] else ""}">{_state(x, site, lang)}</td>'], anchor=f's-{format.plain(x["id"])}'))
    return html_table("status-sources", words("status.sources_caption", lang), head, [rows])


def _when(at: str | None, key: str, exactly: bool, lang: str) -> str:
    """A cell with a time; without the gate only its day is known."""
    shown = "–" if at is None else moment(at, lang) if exactly else format.day(at, lang)
    return f'<td class="n" data-live="{key}">{shown}</td>'


def _state(x: Mapping[str, Any], site: Site, lang: str) -> str:
    words, failure = site.words, x["failure"]
    if not failure:
        return words("status.state_" + ("none" if x["last_snapshot"] is None else "archived" if x["archived"] else "read"), lang)
    said = {name: sentence(coded, site, lang) for name, coded in failure["coded"].items()}
    return words("status.state_failed", lang, rule=format.plain(failure["rule"]), since=moment(failure["since"], lang), what=said["what"], until=said["waiting_for"])


def _count(value: int | None, lang: str) -> str:
    return num("–" if value is None else format.whole(value, lang), value)


_NAMES, _LONGEST = 300, 200  # names of a source that a page lists, and characters of one: a publisher's file may hold any number of any length


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}… ({len(name)})"


def status_names(site: Site, lang: str) -> str:
    """Names that match no model, a fold per source."""
    words, names = site.words, {x["id"]: x["name"] for x in site.index["sources"]}
    found = _status(site)
    if not found["waiting_names"]:
        return f'<p>{words("status.no_names", lang)}</p>'
    out = [f'<p>{words("status.names", lang, n=format.whole(len(found["waiting_names"]), lang), rows=format.whole(sum(x["rows"] for x in found["waiting_names"]), lang))}</p>']
    for source, own in waiting_by_source(found):
        head = [th(words("status.name", lang)), th(words("status.rows", lang), "n"), th(words("status.since", lang), "n")]
        rows = [row([rowhead(format.text(_cut(x["name"]))), num(format.whole(x["rows"], lang), x["rows"]), num(format.day(x["since"], lang), x["since"])]) for x in own[:_NAMES]]
        if own[_NAMES:]:
            rows.append(row([f'<td colspan="3">{words("status.more_names", lang, n=format.whole(len(own) - _NAMES, lang))}</td>']))
        label = words("status.names_of", lang, source=format.text(names.get(source, source)), n=format.whole(len(own), lang))
        out.append(f'<details class="fold list" id="w-{format.plain(source)}"><summary>{label}</summary>\n{html_table(f"waiting-{format.plain(source)}", label, head, [rows], kind="quiet")}\n</details>')
    return "\n".join(out)


def status_calibration(site: Site, lang: str) -> str:
    """What had to hold before the calibration in force was accepted, and what was found."""
    words, found = site.words, _status(site)["calibration"]
    at, limits = site.index["calibration"], site.index["constants"]
    inside = [b for b in site.index["benchmarks"] if b["in_index"]]
    values = {
        "convergence": dict(rounds=format.whole(at["rounds"], lang), limit=_power(limits["convergence_tolerance"])),
        "loadings": dict(least=format.number(min(b["alpha"] for b in inside), 4, lang), floor=format.number(limits["loading_floor"], 2, lang)),
        "null_directions": dict(n=format.whole(at["null_directions"], lang)),
        "folds": dict(n=format.whole(at["folds"], lang), least=format.whole(limits["min_folds"], lang)),
        "pairs": dict(n=format.whole(at["pairs"], lang), least=format.whole(limits["min_pairs"], lang)),
        "reference_group": dict(n=format.whole(len(site.index["reference_group"]["members"]), lang)),
    }
    head = [th(words("status.rule", lang)), th(words("status.found", lang)), th(words("status.outcome", lang))]
    rows = [row([rowhead(format.plain(x["rule"])), td(words("status.check." + x["name"], lang, **values[x["name"]]), "wide"),
                 td(words("status.passed" if x["passed"] else "status.not_passed", lang))]) for x in found["checks"]]
    lead = words("status.calibration", lang, id=f'<code>{format.plain(found["id"])}</code>', day=format.day(found["at"], lang))
    return f'<p>{lead}</p>\n{html_table("status-checks", words("status.checks_caption", lang), head, [rows])}'


def _power(value: float) -> str:
    """A small tolerance as 10 to a power."""
    return f"10<sup>−{-int(f'{value:e}'.partition('e')[2])}</sup>"


# What the build reports, word for word (OddVersion.reason, gather.py); another report stays as it is, marked as English.
_ODD = re.compile(r"(?P<name>.+): version (?:has (?P<has>'.+?'))?(?: and )?(?:lacks (?P<lacks>'.+?'))?, unlike its group (['\"])(?P<group>.+)\4", re.DOTALL)
_IDLE = re.compile(r"decided, and no row of (?P<source>[a-z0-9-]+) has it: (['\"])(?P<name>.+)\2", re.DOTALL)
_VOID = re.compile(r"key (['\"])(?P<written>.+)\1 is void: it could name (?P<models>.+)", re.DOTALL)


def status_reports(site: Site, lang: str) -> str:
    """What a person should look at, under each rule what a person may do about it."""
    words, found = site.words, _status(site)["reports"]
    if not found:
        return f'<p>{words("status.no_reports", lang)}</p>'
    out = []
    for rule in sorted({x["rule"] for x in found}):
        known = f"status.may.{rule}" in words.keys()
        out.append(f'<p>{format.plain(rule)}{": " + words(f"status.may.{rule}", lang) if known else ""}</p>')
        out.append('<ul class="plain">' + "".join(f'<li>{_gate_report(x, site, lang) if "coded" in x else _report(x["what"], words, lang)}</li>' for x in found if x["rule"] == rule) + "</ul>")
    label = words("status.reports", lang, n=format.whole(len(found), lang))
    return f'<details class="fold list" id="reports"{" open" if any("coded" in x for x in found) else ""}><summary>{label}</summary>\n{"".join(out)}\n</details>'


def _report(what: str, words: Words, lang: str) -> str:
    if idle := _IDLE.fullmatch(what):
        return words("status.report.idle", lang, source=format.text(idle["source"]), name=format.text(_cut(idle["name"])))
    odd, void = _ODD.fullmatch(what), _VOID.fullmatch(what)
    given = {k: format.text(v.replace("'", "") if k in ("has", "lacks") else v) for k, v in (odd or void).groupdict().items() if v} if odd or void else {}
    key = "void" if void else "both" if {"has", "lacks"} <= set(given) else "has" if "has" in given else "lacks" if "lacks" in given else ""
    return words(f"status.report.{key}", lang, **given) if key else english(what)


def _gate_report(x: Mapping[str, Any], site: Site, lang: str) -> str:
    said = {name: sentence(coded, site, lang) for name, coded in x["coded"].items()}
    return site.words("status.gate_report", lang, what=said["what"], since=moment(x["since"], lang), may=said["operator_may"])


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (status_sources, status_names, status_calibration, status_reports)}
