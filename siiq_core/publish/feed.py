"""What the gate decided, as feeds that any reader can follow: RSS 2.0 and JSON Feed 1.1, the newest first, in English.

Items, their order, times and ids follow from the ledger alone; addresses are given only where the site's own is known.
"""

from __future__ import annotations

import datetime
import email.utils
import uuid
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from siiq_core.files import canonical_bytes, json_line

RSS, JSON = "feed.xml", "feed.json"  # at the root of the site, beside status.json
TITLE = "SI-IQ: what the gate decided"
ABOUT = "Publications of the index, what is held back and released, frozen and switched, recalibrations, stops, reports, and decisions of persons with their reasons."
_PAGE, _LOG = "en/status.html", "en/changes.html"
_TITLES = {
    "publication": "Published: version {version}", "held": "Held: {subject}", "released": "Released: {subject}", "refused": "Refused by the second reader: {subject}",
    "rejected": "Rejected: {subject}", "frozen": "Frozen: {subject}", "approved": "Approved: {subject}", "switched": "Switched: {subject}", "taken back": "Revision taken back: {subject}",
    "recalibrated": "Recalibrated: {subject}", "recalibration refused": "Recalibration refused", "waits": "A newcomer waits: {subject}", "waits no more": "A newcomer waits no more: {subject}",
    "stopped": "Publication stopped", "goes on": "Publication goes on", "failed": "Source fails: {subject}", "healed": "Source is read again: {subject}", "reported": "For the operator: {subject}",
    "decided": "A person decided: {action}, {subject}",
}
_NO_MARKUP = {ord("<"): "‹", ord(">"): "›"}  # some readers take a title for HTML, whatever it says
_FIRST = ("value", "published")
_ABSENT = ("action", "who", "reason", "reasons", "affected", "version")  # numbers that are told otherwise


def feeds(gate: Mapping[str, Any] | None, index: Mapping[str, Any], site_url: str = "") -> dict[str, bytes]:
    """Both files by name.

    Parameters
    ----------
    gate : what the gate tells (gate/telling.py); None where no update passes through it: feeds without items
    index : index.json, for the names of models, benchmarks and sources
    site_url : where the site stands; "" where that is not known
    """
    items = [_item(x, _names(index), site_url) for x in reversed(gate["news"])] if gate else []
    return {RSS: _rss(items, site_url), JSON: _json(items, site_url)}


def _names(index: Mapping[str, Any]) -> dict[str, str]:
    return {**{x["slug"]: x["name"] for x in index["models"]}, **{x["id"]: x["name"] for x in (*index["sources"], *index["benchmarks"])}}


def _item(x: Mapping[str, Any], names: Mapping[str, str], site_url: str) -> dict[str, Any]:
    model, slash, benchmark = x["subject"].rpartition("/")
    subject = f"{names.get(model, model)} on {names.get(benchmark, benchmark)}" if slash else names.get(x["subject"], x["subject"])
    numbers = x["numbers"]
    title = _TITLES.get(x["what"], x["what"] + ": {subject}").format(subject=subject, action=numbers.get("action", ""), version=numbers.get("version", ""))
    return {"id": _id(x), "title": _clean(title).translate(_NO_MARKUP), "text": _clean(_text(x)), "at": x["at"], "tags": [x["what"], x["rule"]],
            "url": _at(site_url, _LOG + "#corrections" if x["what"] == "decided" else _PAGE) if site_url else ""}


def _at(site_url: str, path: str) -> str:
    return f"{site_url.rstrip('/')}/{path}"


def _id(x: Mapping[str, Any]) -> str:
    """Of what was decided, when and on which numbers, so that the same decision has the same id for ever."""
    return uuid.uuid5(uuid.NAMESPACE_URL, json_line([x[k] for k in ("at", "what", "rule", "subject", "since", "numbers")])).urn


def _text(x: Mapping[str, Any]) -> str:
    numbers = x["numbers"]
    found = [f"By {numbers['who']}: {numbers['reason']}"] if x["what"] == "decided" else [str(numbers[k]) for k in ("who", "reason") if numbers.get(k)]
    shown = [f"{k} {_number(numbers[k])}" for k in sorted(numbers, key=lambda k: (k not in _FIRST, k == "published", k)) if k not in _ABSENT]
    parts = [x.get("because", ""), *found, *numbers.get("reasons", ()), ", ".join(numbers.get("affected", ())), ", ".join(shown)]
    rule = "by a person" if x["rule"] == "operator" else f"rule {x['rule']}" if x["rule"] != "twin" else "rule U4, by the other run of the same questions"
    return "; ".join([rule, *(p for p in parts if p), f"since {x['since']}", *([f"until {x['until']}"] if x.get("until") else [])])


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _clean(text: str) -> str:
    """Foreign text on one line, without what XML cannot hold and readers do not see."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _rss(items: list[dict[str, Any]], site_url: str) -> bytes:
    def one(x: Mapping[str, Any]) -> str:
        link = f"<link>{escape(x['url'])}</link>" if x["url"] else ""
        tags = "".join(f"<category>{escape(tag)}</category>" for tag in x["tags"])
        return (f'<item><title>{escape(x["title"])}</title>{link}<description>{escape(escape(x["text"]))}</description>{tags}'
                f'<guid isPermaLink="false">{x["id"]}</guid><pubDate>{_rfc822(x["at"])}</pubDate></item>\n')

    own = f'<atom:link href="{escape(_at(site_url, RSS), {chr(34): "&quot;"})}" rel="self" type="application/rss+xml"/>\n' if site_url else ""
    built = f'<lastBuildDate>{_rfc822(items[0]["at"])}</lastBuildDate>\n' if items else ""
    head = f"<title>{escape(TITLE)}</title>\n<link>{escape(_at(site_url, _PAGE) if site_url else _PAGE)}</link>\n<description>{escape(ABOUT)}</description>\n<language>en</language>\n"
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">\n<channel>\n'
            f"{head}{own}{built}{''.join(map(one, items))}</channel>\n</rss>\n").encode("utf-8")


def _json(items: list[dict[str, Any]], site_url: str) -> bytes:
    own = {"home_page_url": _at(site_url, _PAGE), "feed_url": _at(site_url, JSON)} if site_url else {}
    listed = [{"id": x["id"], "title": x["title"], "content_text": x["text"], "date_published": x["at"], "tags": x["tags"], **({"url": x["url"]} if x["url"] else {})} for x in items]
    return canonical_bytes({"version": "https://jsonfeed.org/version/1.1", "title": TITLE, "description": ABOUT, "language": "en", **own, "items": listed})


def _rfc822(at: str) -> str:
    return email.utils.format_datetime(datetime.datetime.fromisoformat(at), usegmt=True)
