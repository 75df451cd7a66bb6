"""Blocks of the data page: what is published, the permanent releases, how to cite. Sizes and checksums are the files' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from siiq_core.publish import format, prints, releases
from siiq_core.publish.datafiles import DESCRIPTION, DataFile, current
from siiq_core.publish.datapackage import is_beside
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, num, row, td, th

_SCHEMA, _SCRIPT = ".schema.json", ".js"
_DATA = "../data/"  # as seen from a page of the top level


def data_files(site: Site, lang: str) -> str:
    """Every file of this publication: what it holds, its schema, size, SHA-256."""
    words, names = site.words, {x.name for x in site.files}
    head = [th(words("data.file_column", lang)), th(words("data.schema_column", lang)), th(words("data.size_column", lang), "n"), th("SHA-256")]

    def cells(file: DataFile) -> list[str]:
        link = f'<a href="{_DATA}{format.plain(file.name)}"><code>{format.plain(file.name)}</code></a>'
        return [f'<th scope="row">{link}<span class="below">{_holds(file.name, site, lang)}</span></th>', td(_schema(file.name, names)),
                num(format.number(file.size / 1000, 1, lang), file.size), td(f'<code class="hash">{file.sha256}</code>', "wide")]

    files = sorted(current(site.files), key=lambda x: (x.name.endswith(_SCHEMA), x.name.endswith(_SCRIPT), x.name))
    rows = [row(cells(x), anchor=f'f-{format.plain(x.name)}') for x in files]
    return html_table("data-files", words("data.caption", lang, n=format.whole(len(rows), lang)), head, [rows])


def _holds(name: str, site: Site, lang: str) -> str:
    words, of = site.words, name
    for ending, key in ((_SCHEMA, "data.schema_of"), (_SCRIPT, "data.script_of")):
        if name.endswith(ending):
            stem = name.removesuffix(ending)
            of = next((x.name for x in current(site.files) if not is_beside(x.name) and x.name.rpartition(".")[0] == stem), f"{stem}.json")
            return words(key, lang, name=f"<code>{format.plain(of)}</code>")
    return words("data.file." + of.rpartition(".")[0], lang)


def _schema(name: str, names: set[str]) -> str:
    own = name.rpartition(".")[0] + _SCHEMA
    if name == DESCRIPTION or is_beside(name):
        return "–"
    at = own if own in names else DESCRIPTION if name.endswith(".csv") else ""
    return f'<a href="{_DATA}{at}"><code>{at}</code></a>' if at else "–"


def data_releases(site: Site, lang: str) -> str:
    """The permanent releases, newest first, each with its files."""
    own: dict[str, list[str]] = {}
    for file in site.files:
        folder, _, name = file.name.removeprefix(releases.FOLDER + "/").partition("/")
        if file.name.startswith(releases.FOLDER + "/") and name:
            own.setdefault(folder, []).append(name)
    now = release_now(site)
    items = []
    for name in sorted(own, reverse=True):
        links = " · ".join(f'<a href="{_DATA}{releases.FOLDER}/{format.plain(name)}/{format.plain(x)}"><code>{format.plain(x)}</code></a>' for x in sorted(own[name]))
        mark = f' <span class="quiet">({site.words("data.this_release", lang)})</span>' if name == now else ""
        items.append(f'<dt id="r-{format.plain(name)}"><code>{format.plain(name)}</code>{mark}</dt><dd>{links}</dd>')
    return f'<dl class="rules">{"".join(items)}</dl>'


def release_now(site: Site) -> str:
    """The release of this publication: the one whose index is the index beside it."""
    index = next(x.sha256 for x in site.files if x.name == "index.json")
    return next((x.name.split("/")[1] for x in site.files if x.name.startswith(releases.FOLDER + "/") and x.name.endswith("/index.json") and x.sha256 == index), "")


def data_citation(site: Site, lang: str) -> str:
    """How to cite this release, in words and as BibTeX."""
    name = release_now(site)
    line = releases.citation(site.index, name, site.site_url).split("\n")[0]
    return (f'<blockquote class="cite" lang="en"><p>{format.plain(line)}</p></blockquote>\n<div class="code" lang="en"><pre tabindex="0" aria-label="BibTeX">'
            f"{_lines(releases.bibtex(site.index, name, site.site_url))}</pre></div>")


def _lines(text: str) -> str:
    return "\n".join(format.plain(line) if line == line.lstrip() else "  " + format.plain(line) for line in text.rstrip("\n").split("\n"))


def printed_figures(site: Site, lang: str) -> str:
    """The figures to take away: in the reader's language, and in the others."""
    words, items = site.words, []
    for name in prints.FIGURES:
        others = [f'<a href="../{prints.file_name(name, x)}" hreflang="{x}" lang="{x}">{words("ui.name", x)}</a>' for x in format.LANGUAGES if x != lang]
        own = f'<a href="../{prints.file_name(name, lang)}">{words(f"prints.offer.{name}", lang)}</a>'
        items.append(f'<li>{own} <span class="quiet">({words("prints.also", lang, languages=", ".join(others))})</span></li>')
    return f'<ul>{"".join(items)}</ul>'


BLOCKS: Mapping[str, Callable[[Site, str], str]] = {f.__name__: f for f in (data_files, data_releases, data_citation, printed_figures)}
