"""What Sphinx is told besides: MathML formulas, and for each page its words and its addresses in the other languages."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes

from siiq_core.publish import metadata, scripts, sphinx_pace
from siiq_core.publish.format import LANGUAGES, mathml
from siiq_core.publish.words import Words

_DATASET_PAGES = ("index", "data")  # where the index is described to programs
_NAMES = {"en": "English", "de": "Deutsch", "es": "Español"}


def alternates(pagename: str, lang: str, site_url: str) -> list[dict[str, str]]:
    """The page in every language, with x-default last (the choice of language for the start page, else English).

    Absolute addresses where the site's own is known; relative ones, which also work from file://, where it is not.
    """
    up = "../" + "../" * pagename.count("/")
    base = site_url.rstrip("/") + "/" if site_url else up
    out = [{"lang": x, "name": _NAMES[x], "href": f"{base}{x}/{pagename}.html", "local": f"{up}{x}/{pagename}.html"} for x in LANGUAGES]
    default = f"{base}index.html" if pagename == "index" else f"{base}en/{pagename}.html"
    return [*out, {"lang": "x-default", "name": "", "href": default, "local": default}]


def _page_context(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    lang = app.config.language
    if context.get("body"):  # Sphinx has this one text in English only
        context["body"] = context["body"].replace('title="Link to this heading"', f'title="{html.escape(app.siiq_words["heading"])}"')
    versions = alternates(pagename, lang, app.config.siiq_site_url)
    context["siiq"] = {
        "policy": metadata.POLICY,
        "lang": lang, "t": app.siiq_words, "alternates": versions, "switch": versions[:-1], "up": "../" + "../" * pagename.count("/"),
        "canonical": f"{app.config.siiq_site_url.rstrip('/')}/{lang}/{pagename}.html" if app.config.siiq_site_url else "",
        "sections": _sections(doctree), "scripts": scripts.wanted(context.get("body") or ""),
        "pages": _titled(app, _pages(app)), "above": _titled(app, _above(app, pagename)),
        "dataset": app.config.siiq_dataset if pagename in _DATASET_PAGES else "", "static": f"{app.config.siiq_site_url.rstrip('/')}/{lang}/_static/" if app.config.siiq_site_url else "",
        **app.config.siiq_edition,
    }
    before, after = _turn(app, pagename)
    context["prev"], context["next"] = ({"link": context["pathto"](name), "title": title} if name else None for name, title in (before, after))


def frame(app: Any, pagename: str) -> tuple[Any, ...]:
    """What a page shows of others: the list of pages, those above, before and after it. Another frame, and it is written again."""
    return _titled(app, _pages(app)), _titled(app, _above(app, pagename)), _turn(app, pagename)


def _titled(app: Any, names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, app.env.titles[name].astext() if name else "") for name in names]


def _pages(app: Any) -> list[str]:
    root = app.config.root_doc
    return [root, *app.env.toctree_includes.get(root, [])]


def _above(app: Any, pagename: str) -> list[str]:
    """The hand-written page that a generated one stands under; nothing for the others."""
    return [name for name in _pages(app)[1:] if pagename in app.env.toctree_includes.get(name, [])]


def _turn(app: Any, pagename: str) -> list[tuple[str, str]]:
    """The pages before and after among those of the same kind, "" for none: chapters follow chapters, models follow models."""
    above = _above(app, pagename)
    row = app.env.toctree_includes[above[0]] if above else _pages(app)
    if pagename not in row:
        return [("", ""), ("", "")]
    at = row.index(pagename)
    return _titled(app, (row[k] if 0 <= k < len(row) else "" for k in (at - 1, at + 1)))


def _sections(doctree: Any) -> list[tuple[str, str]]:
    """Address and heading of the page's own sections, for the side column."""
    top = next(iter(doctree.findall(nodes.section)), None) if doctree is not None else None
    below = [] if top is None else [x for x in top.children if isinstance(x, nodes.section)]
    return [(x["ids"][0], x.next_node(nodes.title).astext()) for x in below]


def _load_words(app: Any) -> None:
    app.siiq_words = Words.load(Path(app.config.siiq_root)).group("ui", app.config.language)


def _inline_math(self: Any, node: nodes.math) -> None:
    self.body.append(mathml(node.astext(), "en", block=False))
    raise nodes.SkipNode


def _block_math(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math" tabindex="0">{mathml(node.astext(), "en")}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Sphinx's entry point."""
    app.add_config_value("siiq_root", "", "env")
    app.add_config_value("siiq_site_url", "", "html")
    app.add_config_value("siiq_edition", {}, "html")  # method version and day of the data, shown on every page (V1); signs for them (shared.py)
    app.add_config_value("siiq_dataset", "", "html")  # a sign too
    app.add_config_value("siiq_made_by", "", "html")
    app.add_config_value("comments_config", {}, "")  # Jupyter Book sets it whether its comment extension is loaded or not
    app.add_html_math_renderer("siiq_mathml", inline_renderers=(_inline_math, None), block_renderers=(_block_math, None))
    sphinx_pace.setup(app, frame)
    app.connect("builder-inited", _load_words)
    app.connect("html-page-context", _page_context)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
