"""A page per model: all that is published about it, from one sentence down to the source rows.

The order is that of a reader who doubts the number: what it says, what holds it up, the results, their evidence, how it
came to be, what the model costs, the whole arithmetic, and which models it cannot be told from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.pages import model_close, model_evidence, model_head, model_history, model_price, model_results, model_sum
from siiq_core.publish.pages.model_view import View
from siiq_core.publish.site import Generated, Site

# Part → its HTML; a part that has nothing to say is left out.
PARTS: Mapping[str, Callable[[View], str]] = {
    "support": model_results.support, "results": model_results.results, "evidence": model_evidence.cards, "history": model_history.history,
    "price": model_price.price, "arithmetic": model_sum.arithmetic, "close": model_close.close, "cite": model_close.cite,
}
_HEAD = '<link rel="stylesheet" href="../_static/model.css">\n<script src="../_static/model.js" defer></script>'


def address(model: Mapping[str, Any]) -> str:
    """Where a model's page stands, without language and ending."""
    return f'models/{model["slug"]}'


def ordered(site: Site) -> list[Mapping[str, Any]]:
    """The ranked models by rank, then the others by name, as the two tables of the ranking have them."""
    return sorted(site.index["models"], key=lambda m: (not m["ranked"], m["rank"] or 0, m["name"].casefold(), m["slug"]))


def pages(site: Site, lang: str) -> Iterable[Generated]:
    """The pages of all models, in the order in which a reader turns them."""
    for model in ordered(site):
        yield Generated(address(model), model["name"], body(View(site, lang, model)), "ranking")


def body(view: View) -> str:
    """One page below its title."""
    parts = {name: markup for name, make in PARTS.items() if (markup := make(view))}
    links = "".join(f'<li><a href="#{name}">{view.say(f"part.{name}")}</a></li>' for name in parts)
    contents = f'<nav class="parts" aria-label="{format.plain(view.site.words.raw("model.contents", view.lang))}"><ul>{links}</ul></nav>'
    head = [_HEAD, model_head.about(view), model_head.sentence(view), model_head.keys(view), model_head.scale(view), contents]
    return "\n".join([*(x for x in head if x), *(f"{view.heading(name)}\n{markup}" for name, markup in parts.items())])
