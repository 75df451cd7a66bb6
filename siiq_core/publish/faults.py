"""The page of what was tried against SI-IQ: kinds of broken input by entrance, random input, and adverse conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from siiq_core.params.faults import Condition, Faults, Fuzzed, Told
from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th


def faults_finding(site: Site, lang: str) -> str:
    """How many kinds at how many entrances."""
    told = site.faults
    numbers = {"kinds": len(told.kinds), "entrances": len(told.entrances), "cells": sum(len(kind.tests) for kind in told.kinds)}
    return f'<p class="lead">{site.words("faults.finding", lang, **{key: format.whole(x, lang) for key, x in numbers.items()})}</p>'


def faults_table(site: Site, lang: str) -> str:
    """Kind × entrance: the number of tests at each; headings stand upright, so that all entrances fit a phone."""
    told, words = site.faults, site.words
    head = [f'<th scope="col"><span class="upright">{words(f"faults.entrance.{e}.name", lang)}</span></th>' for e in told.entrances]
    bodies = []
    for number, kind in enumerate(told.kinds, start=1):
        name, then = (words(f"faults.kind.{kind.id}.{part}", lang) for part in ("name", "then"))
        title = f'<th scope="rowgroup" colspan="{len(told.entrances)}"><span class="place">{number}</span> {name}<span class="below">{then}</span></th>'
        cells = [num(format.whole(len(kind.tests[e]), lang), len(kind.tests[e])) if e in kind.tests else td("", "n") for e in told.entrances]
        bodies.append([row([title], anchor=f"fault-{number}", kind="over"), row(cells)])
    return html_table("faults", words("faults.table", lang), head, bodies, kind="grid") + "\n" + _legend(told, site, lang)


def _legend(told: Faults, site: Site, lang: str) -> str:
    items = "".join(f'<li><strong>{site.words(f"faults.entrance.{e}.name", lang)}:</strong> {site.words(f"faults.entrance.{e}.what", lang)}</li>' for e in told.entrances)
    return f'<details class="fold list"><summary>{site.words("faults.entrances", lang)}</summary><ul class="plain">{items}</ul></details>'


def faults_fuzzing(site: Site, lang: str) -> str:
    """What random input found; nothing while nothing was run."""
    found = site.faults.fuzzing
    if not found:
        return ""
    words = site.words
    columns = ("executions", "minutes", "finds", *(("mended",) if any(x.mended < x.finds for x in found) else ()))  # where all is mended, the caption says so
    head = [th(words("faults.column.target", lang)), *(th(words(f"faults.column.{x}", lang), "n") for x in columns)]
    sums = {x: format.whole(sum(getattr(one, x) for one in found), lang) for x in ("executions", "finds", "mended")}
    return _section("fuzzing", site, lang) + html_table("fuzzing", words("faults.fuzzing.table", lang, **sums), head, [[_fuzzed(one, columns, site, lang) for one in found]])


def _fuzzed(one: Fuzzed, columns: Sequence[str], site: Site, lang: str) -> str:
    numbers = [num(format.number(one.minutes, 1, lang) if x == "minutes" else format.whole(getattr(one, x), lang), getattr(one, x)) for x in columns]
    return row([rowhead(site.words(f"faults.target.{one.target}", lang)), *numbers], kind="over") + row([f'<td colspan="{1 + len(numbers)}">{_told(one.note, lang)}</td>'], kind="why")


def faults_conditions(site: Site, lang: str) -> str:
    """What became of runs in adverse conditions; nothing while none was tried."""
    found = site.faults.conditions
    return _section("conditions", site, lang) + f'<dl class="told">{"".join(_condition(one, lang) for one in found)}</dl>' if found else ""


def _condition(one: Condition, lang: str) -> str:
    test = one.test.rpartition("::")[2]
    return f'<dt>{_told(one.name, lang)}</dt><dd>{_told(one.outcome, lang)}<span class="below"><code class="hash">{format.plain(test)}</code></span></dd>\n'


def _told(text: Told, lang: str) -> str:
    """A sentence of the table as HTML, `code` in it marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", format.plain(getattr(text, lang)))


def _section(name: str, site: Site, lang: str) -> str:
    title = format.plain(site.words.raw("ui.heading", lang))
    return f'<h2 id="{name}">{site.words(f"faults.{name}.title", lang)}<a class="headerlink" href="#{name}" title="{title}">#</a></h2>\n<p>{site.words(f"faults.{name}.text", lang)}</p>\n'


def facts(site: Site, lang: str) -> dict[str, str]:
    """What prose may name inside a line."""
    tests = len(site.faults.in_cells)
    return {"faults_tests": f'<data value="{tests}">{format.whole(tests, lang)}</data>'}


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (faults_finding, faults_table, faults_fuzzing, faults_conditions)}
