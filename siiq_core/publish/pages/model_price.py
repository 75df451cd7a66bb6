"""What a model costs over its developer's own API, as public tables state it. Nothing of it enters the score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.tables import html_table, num, row, rowhead, td, th

_AMOUNTS = ("input", "cached_input", "output")


def price(view: View) -> str:
    """The price lists of every source; nothing where none is known."""
    known = view.site.prices.get(view.model["slug"], ())
    if not known:
        return ""
    say = view.say
    head = [th(say("price.tier")), *(th(say(f"price.{name}"), "n", "US$") for name in ("input", "cached", "output")), th(say("price.stated"))]
    alike: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}  # a price list that several sources state alike is one row
    for record in known:
        for tier in record["tiers"]:
            alike.setdefault((tier["name"], *(tier[k] for k in _AMOUNTS), _notes(view, record)), []).append(record)
    rows = [_tier(view, key, records) for key, records in alike.items()]
    pages = dict.fromkeys(record["pricing_page"] for record in known)
    links = [format.link(page, say("price.page", developer=format.text(view.model["developer"]))) for page in pages]
    context = next((record["context"] for record in known if record.get("context")), None)
    more = f' {say("price.context", n=format.whole(context, view.lang))}' if context else ""
    return f'<p>{say("price.lead")}</p>\n{html_table("price", say("price.caption"), head, [rows])}\n<p>{" · ".join(links)}.{more}</p>'


def _tier(view: View, key: tuple[Any, ...], records: list[Mapping[str, Any]]) -> str:
    name, *amounts, notes = key
    label = _name(view, name)
    cells = [td("–", "n") if x is None else num(format.shortest(x, view.lang), x) for x in amounts]
    return row([rowhead(label, notes), *cells, td("; ".join(_stated(view, record) for record in records), "wide")])


def _name(view: View, name: str) -> str:
    """A price list's name: the mode in words, and the tokens of input it begins at."""
    mode, _, above = name.rpartition("above ") if name.startswith("above ") or ", above " in name else (name, "", "")
    mode = mode.removesuffix(", ")
    parts = [view.say(f"price.{mode}") if mode in ("standard", "thinking") else format.text(mode)] if mode else []
    tokens = re.match(r"\d+", above)
    return ", ".join([*parts, view.say("price.above", n=format.whole(int(tokens[0]), view.lang))] if tokens else parts)


def _stated(view: View, record: Mapping[str, Any]) -> str:
    source = next((s["name"] for s in view.site.index["sources"] if s["id"] == record["source"]), record["source"])
    return format.link(record["url"], format.text(source)) + f', {view.say("price.as_of", day=view.day(record["date"]))}'


def _notes(view: View, record: Mapping[str, Any]) -> str:
    """What the flags say; and for another version's price, whose it is."""
    texts = [text for text in (_flag(view, flag) for flag in record["flags"]) if text]
    return "; ".join([*texts, *(f"<code>{format.text(name)}</code>" for name in record["names"] if "another_version" in record["flags"])])


def _flag(view: View, flag: str) -> str:
    """A flag in words; one that only says how the table was read has none."""
    code, _, detail = flag.partition(":")
    if f"model.price.{code}" not in view.site.words.keys():
        return ""
    values = {"setting": {"setting": format.text(detail)}, "retired": {"day": view.day(detail)}, "delisted": {"day": view.day(detail)}}
    return view.say(f"price.{code}", **values.get(code, {}))
