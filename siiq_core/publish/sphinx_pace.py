"""What Sphinx is spared, and what it has to be told so that a build upon an earlier one gives the bytes of a fresh one.

Spared: ready HTML is not read as Markdown, character by character; the stem of a word is found once and not on every page.
Told: which pages have another source, by their content and not by clocks; which stand between other pages than before; and
that words which no page says any more leave the search index.
"""

from __future__ import annotations

import functools
import html
import importlib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from docutils import nodes

from siiq_core.files import sha256

_READY = re.compile(r"^(`{3,})\{raw\} html\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)  # as book.py writes a block
_PLACE = re.compile(r"siiq block (\d+)")
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"\w+")


class ready_html(nodes.raw):  # noqa: N801, the manner of docutils, whose writers call visitors by this name
    """A block of HTML. As text it is the words in it, apart from one another and each once, for the search index."""

    def astext(self) -> str:
        return " ".join(dict.fromkeys(_WORD.findall(html.unescape(_UNSEEN.sub(" ", self["html"])))))


def _visit(self: Any, node: ready_html) -> None:
    self.body.append(node["html"])
    raise nodes.SkipNode


def _set_aside(app: Any, docname: str, source: list[str]) -> None:
    """Blocks of ready HTML leave the source; a line keeps the place of each."""
    blocks = app.env.temp_data["siiq_blocks"] = []

    def place(found: re.Match[str]) -> str:
        blocks.append(found[2])
        return f"{found[1]}{{raw}} html\nsiiq block {len(blocks) - 1}\n{found[1]}"

    source[0] = _READY.sub(place, source[0])


def _put_back(app: Any, doctree: nodes.document) -> None:
    blocks = app.env.temp_data["siiq_blocks"]
    for node in list(doctree.findall(nodes.raw)):
        if found := _PLACE.fullmatch(node.astext()):
            node.replace_self(ready_html(html=blocks[int(found[1])], format="html"))


def _remember_stems(app: Any, config: Any) -> None:
    """Sphinx finds the stem of a word anew on every page; that was two thirds of the work of a build."""
    from sphinx.search import languages

    known = languages[config.language]
    if isinstance(known, str):
        module, _, name = known.rpartition(".")
        known = getattr(importlib.import_module(module), name)
    app.add_search_language(type(known.__name__, (known,), {"stem": functools.cache(known.stem)}))


def _forget_words(app: Any) -> list[Any]:
    """A page that is written again leaves no trace of what it said before."""
    index = app.builder.indexer
    for pages in (index._mapping, index._title_mapping):
        for word in [word for word, found in pages.items() if not found]:
            del pages[word]
    return []


def _other_sources(app: Any, env: Any, added: Any, changed: Any, removed: Any) -> Iterable[str]:
    """Pages whose source is another: Sphinx compares times, which a clock that is set back makes wrong."""
    before, env.siiq_sources = getattr(env, "siiq_sources", {}), {name: sha256(Path(env.doc2path(name)).read_bytes()) for name in env.found_docs}
    return [name for name, digest in env.siiq_sources.items() if before.get(name) != digest]


def _other_frames(app: Any, env: Any, frame: Callable[[Any, str], Any]) -> Iterable[str]:
    """Pages that are framed otherwise than before: the list of pages, what stands above, before or after them has changed."""
    before, env.siiq_frames = getattr(env, "siiq_frames", {}), {name: frame(app, name) for name in env.found_docs}
    return [name for name, found in env.siiq_frames.items() if before.get(name) != found]


def setup(app: Any, frame: Callable[[Any, str], Any]) -> None:
    """Called by sphinx_ext.setup; `frame` says of a page what it shows of others."""
    app.add_node(ready_html, html=(_visit, None))
    app.connect("config-inited", _remember_stems)
    app.connect("env-get-outdated", _other_sources)
    app.connect("source-read", _set_aside)
    app.connect("doctree-read", _put_back)
    app.connect("env-updated", lambda app, env: _other_frames(app, env, frame))
    app.connect("html-collect-pages", _forget_words)
