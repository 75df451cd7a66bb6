"""What the gate says, as HTML in the language of the page: codes with numbers become sentences of book/translations/said.yml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.site import Site

_PERCENT = {("ranked_changes", "limit"), ("rows_and_share_lost", "before"), ("rows_and_share_lost", "now")}
_DEFINED = ("g", "c", "n", "scale", "score_column", "definition")
_MODELS, _BENCHMARKS, _SOURCES = ("model", "lost"), ("benchmark", "benchmarks"), ("source",)


def sentence(said: Mapping[str, Any], site: Site, lang: str) -> str:
    """One sentence.

    Parameters
    ----------
    said : code and what it speaks of, as `coded` of status.json has it
    """
    code, of = said["code"], said["of"]
    text = site.words("said." + code, lang, **{name: _shown(code, name, x, site, lang) for name, x in of.items()})
    return f'{text}; {site.words("said.not_its_inputs", lang)}' if of.get("own_inputs") is False else text


def model_name(slug: str, site: Site) -> str:
    """A model's name with the way to its page; the slug where the index has no such model."""
    found = _by_id(site.index["models"], "slug").get(slug)
    return f'<a href="models/{format.plain(slug)}.html">{format.text(found["name"])}</a>' if found else f"<code>{format.plain(slug)}</code>"


def benchmark_name(key: str, site: Site) -> str:
    """A benchmark's name with the way to its page."""
    found = _by_id(site.index["benchmarks"], "id").get(key)
    return f'<a href="benchmarks/{format.plain(key)}.html">{format.text(found["name"])}</a>' if found else f"<code>{format.plain(key)}</code>"


def source_name(key: str, site: Site) -> str:
    """A source's name."""
    found = _by_id(site.index["sources"], "id").get(key)
    return format.text(found["name"]) if found else f"<code>{format.plain(key)}</code>"


def english(text: str) -> str:
    """A publisher's or a program's own words."""
    return f'<span lang="en">{format.text(text)}</span>'


def moment(at: str, lang: str) -> str:
    """A time, for readers and programs."""
    return f'<time datetime="{format.plain(at)}">{format.moment(at, lang)}</time>'


def _by_id(entries: Any, key: str) -> dict[str, Any]:
    return {x[key]: x for x in entries}


def _shown(code: str, name: str, value: Any, site: Site, lang: str) -> str:
    if name == "parts":
        return ", ".join(_part(*x, site, lang) for x in value)
    for names, show in ((_MODELS, model_name), (_BENCHMARKS, benchmark_name), (_SOURCES, source_name)):
        if name in names:
            return ", ".join(show(x, site) for x in ([value] if isinstance(value, str) else value))
    if name == "observed":
        return moment(value, lang)
    if code == "redefined" and name == "name":
        return site.words("said.definition." + value, lang) if value in _DEFINED else english(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, (int, float)):
        return format.percent(value, lang, 0 if name == "limit" else 1) if (code, name) in _PERCENT else format.shortest(value, lang)
    return english(str(value))


def _part(benchmark: str, had: int, has: int, site: Site, lang: str) -> str:
    numbers = {"had": format.whole(had, lang), "has": format.whole(has, lang)}
    if not benchmark:
        return site.words("said.part.whole", lang, **numbers)
    return site.words("said.part.benchmark", lang, benchmark=benchmark_name(benchmark, site), **numbers)
