"""Blocks of the changes page: what each day with a snapshot changed, why, and whom it moved, from history.json and its scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, td, th

CAUSES = ("new", "revised", "other version", "other setting", "other row", "removed", "left out")
MOVERS = 5  # models named per day


def changes_days(site: Site, lang: str) -> str:
    """A row per day, the newest first: sources, changes by cause, results in force; and a fold with the benchmarks concerned."""
    words = site.words
    head = [th(words("changes.day", lang)), th(words("changes.sources", lang)), th(words("changes.what", lang)), th(words("changes.results", lang), "n")]
    standing: set[tuple[str, str]] = set()
    rows = []
    for entry in site.history["days"]:
        for c in entry["changes"]:
            (standing.discard if c["score"] is None else standing.add)((c["model"], c["benchmark"]))
        day = format.plain(entry["day"])
        rows.append(row([f'<th scope="row" class="keep"><time datetime="{day}">{format.day(entry["day"], lang)}</time></th>', td(_sources(entry, site), "wide"),
                         td(_causes(entry["changes"], site, lang), "wide"), num(format.whole(len(standing), lang), len(standing))], anchor=f"d-{day}"))
    return html_table("changes", words("changes.caption", lang, n=format.whole(len(rows), lang)), head, [rows[::-1]])


def _sources(entry: Mapping[str, Any], site: Site) -> str:
    """Sources whose snapshot is of this day."""
    names = {x["id"]: x["name"] for x in site.index["sources"]}
    own = [names.get(key, key) for key, day in sorted(entry["snapshots"].items()) if day == entry["day"]]
    return "<br>".join(format.text(x) for x in own) or "–"


def _causes(changes: Sequence[Mapping[str, Any]], site: Site, lang: str) -> str:
    """Changes by cause, with the benchmarks of each in a fold."""
    words = site.words
    if not changes:
        return words("changes.nothing", lang)
    names = {b["id"]: b["name"] for b in site.index["benchmarks"]}
    count = Counter(c["cause"] for c in changes)
    said = " · ".join(_cause(cause, count[cause], site, lang) for cause in CAUSES if count[cause])
    by_benchmark: dict[str, Counter[str]] = {}
    for c in changes:
        by_benchmark.setdefault(c["benchmark"], Counter())[c["cause"]] += 1
    items = "".join(f'<li>{format.text(names.get(b, b))}: {" · ".join(_cause(x, own[x], site, lang) for x in CAUSES if own[x])}</li>'
                    for b, own in sorted(by_benchmark.items(), key=lambda x: (-x[1].total(), x[0])))
    label = words("changes.benchmarks", lang, n=format.whole(len(by_benchmark), lang))
    return f'{said}<details class="fold list"><summary>{label}</summary><ul class="plain">{items}</ul></details>'


def _cause(cause: str, n: int, site: Site, lang: str) -> str:
    return site.words("changes.cause." + cause.replace(" ", "_"), lang, n=format.whole(n, lang))


def changes_movers(site: Site, lang: str) -> str:
    """Per day, those whose re-scored curve moved most and who had been tested broadly enough before and after (V4)."""
    words, models = site.words, {m["slug"]: m for m in site.index["models"]}
    moved: dict[str, list[tuple[float, str, Mapping[str, Any], Mapping[str, Any]]]] = {}
    for slug, days in site.scores.items():
        for was, now in zip(days, days[1:], strict=False):
            if now["change"] is not None and was["enough"] and now["enough"]:
                moved.setdefault(now["day"], []).append((now["change"], slug, was, now))
    if not moved:
        return f'<p>{words("changes.no_movers", lang)}</p>'
    head = [th(words("column.model", lang)), th(words("changes.before", lang), "n"), th(words("changes.after", lang), "n"), th(words("changes.points", lang), "n"),
            th(words("changes.by", lang))]
    bodies = []
    for day in sorted(moved, reverse=True):
        own = sorted(moved[day], key=lambda x: (-abs(x[0]), x[1]))[:MOVERS]
        lead = f'<tr class="group"><th scope="rowgroup" colspan="{len(head)}"><time datetime="{format.plain(day)}">{format.day(day, lang)}</time></th></tr>\n'
        bodies.append([lead, *(row([rowhead(model_link(models[slug])), num(format.plain(was["shown"]["siiq"]), was["shown"]["siiq"]),
                                    num(format.plain(now["shown"]["siiq"]), now["shown"]["siiq"]), num(format.signed(change, 1, lang), f"{change:.1f}"),
                                    td(_by(now, site, lang), "wide")]) for change, slug, was, now in own)])
    return html_table("movers", words("changes.movers_caption", lang, n=format.whole(MOVERS, lang)), head, bodies)


def _by(now: Mapping[str, Any], site: Site, lang: str) -> str:
    """The change that did most, and what it did."""
    names = {b["id"]: b["name"] for b in site.index["benchmarks"]}
    part = max(now["parts"], key=lambda x: (abs(x["points"] or 0), x["benchmark"]))
    return f'{format.text(names.get(part["benchmark"], part["benchmark"]))}: {_cause_word(part["cause"], site, lang)} ({format.signed(part["points"] or 0, 1, lang)})'


def _cause_word(cause: str, site: Site, lang: str) -> str:
    return site.words("changes.kind." + cause.replace(" ", "_"), lang)


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (changes_days, changes_movers)}
