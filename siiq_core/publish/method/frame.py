"""What every figure of the method chapter has: finding, measure, drawing, source, its numbers as a table, its code one fold away."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import html_table, model_link, num, row, rowhead, th

NOTEBOOK = "notebooks/method.ipynb"


class Say:
    """The words and numbers of one figure in one language."""

    def __init__(self, site: Site, name: str, lang: str, words: str = "") -> None:
        self.site, self.name, self.lang, self.data = site, name, lang, site.method["figures"][name]
        self._words = words or name

    def __call__(self, key: str, **values: str) -> str:
        """A text of this figure, or with a dot in front of the chapter, as HTML."""
        return self.site.words("method." + (key[1:] if key.startswith(".") else f"{self._words}.{key}"), self.lang, **values)

    def plain(self, key: str, **values: str) -> str:
        """The same as plain text, for a drawing."""
        return html.unescape(self(key, **values))

    def number(self, value: float, places: int) -> str:
        """With exactly so many decimals."""
        return format.number(value, places, self.lang)

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def percent(self, value: float, places: int = 0) -> str:
        """A share in per cent."""
        return format.percent(value, self.lang, places)

    def percents(self, *values: float) -> tuple[tuple[float, str], ...]:
        """Ticks in per cent, without the sign: the axis says the unit."""
        return tuple((v, format.shortest(100 * v, self.lang)) for v in values)

    def numbers(self, *values: float) -> tuple[tuple[float, str], ...]:
        """Ticks as they are."""
        return tuple((v, format.shortest(v, self.lang)) for v in values)


def figure(say: Say, drawing: str, table: str, *, title: str, measure: str, address: str = "") -> str:
    """The figure as a whole; `address` where one set of numbers gives two figures."""
    edition = say(".caption", as_of=format.day(say.site.index["as_of"], say.lang), version=format.plain(say.site.index["method_version"]))
    fold = f'<details class="fold"><summary>{say(".table")}</summary>\n{table}</details>\n' if table else ""
    return (f'<figure class="plotted" id="figure-{address or say.name}"><p class="finding">{title}</p>\n<p class="measure">{measure}</p>\n{drawing}\n'
            f"<figcaption>{edition}</figcaption>\n{fold}{_code(say)}</figure>")


def model_name(entry: Mapping[str, Any]) -> str:
    """A model of a figure, as a link to its page."""
    return model_link({"slug": entry["model"], "name": entry["name"]})


def benchmark_name(entry: Mapping[str, Any]) -> str:
    """A benchmark of a figure, as a link to its page."""
    return f'<a href="benchmarks/{format.plain(entry["benchmark"])}.html">{format.text(entry["name"])}</a>'


def number_table(name: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[tuple[float, str]]]) -> str:
    """A table of numbers: each cell is a value and how it is shown; the first names its row."""
    body = [row([rowhead(cells[0][1]), *(num(shown, f"{value:.6g}") for value, shown in cells[1:])]) for cells in rows]
    return html_table(name, caption, [th(heads[0]), *(th(x, "n") for x in heads[1:])], [body])


def _code(say: Say) -> str:
    """The notebook's cell and the function it calls, folded."""
    cells = notebook_cells(say.site)
    if say.name not in cells:
        raise PublicationError("no cell of the notebook computes this figure", file=NOTEBOOK, value=say.name, remedy=f"tag the cell figure-{say.name}")
    parts = [(say(".code_cell"), cells[say.name]), (say(".code_function"), say.site.method["code"][say.name])]
    label = say(".code_label")
    shown = "".join(f'<p class="measure">{lead}</p><pre tabindex="0" role="group" aria-label="{label}"><code lang="en">{html.escape(source.rstrip())}</code></pre>\n'
                    for lead, source in parts)
    return f'<details class="fold"><summary>{say(".code")}</summary>\n{shown}</details>'


def notebook_cells(site: Site) -> Mapping[str, str]:
    """Figure → source of the notebook's cell that computes it, by the cell's tag."""
    try:
        cells: list[dict[str, Any]] = json.loads((site.root / NOTEBOOK).read_text(encoding="utf-8"))["cells"]
        tagged = {tag: cell["source"] for cell in cells for tag in cell["metadata"].get("tags", ())}
    except (OSError, ValueError, KeyError) as error:
        raise PublicationError(f"cannot be read ({error})", file=NOTEBOOK, remedy="the method chapter shows its code from there") from error
    return {tag.removeprefix("figure-"): "".join(source) for tag, source in tagged.items() if tag.startswith("figure-")}
