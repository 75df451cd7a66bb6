"""Arena's text boards: ratings from votes, for display and for the percentile method, never in SI-IQ (T2).

Four shapes are read: pages of the dataset viewer's JSON (Arena's own dataset), and the files of three public mirrors.
The dataset's Parquet files are not read: the locked environment has no reader for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import DataError, SourceError
from siiq_core.evidence.numbers import NotANumber, plain_number
from siiq_core.evidence.sources.base import NoScores
from siiq_core.evidence.sources.jsonfile import a_list, an_object, cells, read_json
from siiq_core.evidence.sources.table import Table, checked, read_csv
from siiq_core.params.sources import SourceSpec

RATINGS = ("rating", "value", "arena_score")  # what the shapes call them
PAGE = 100  # rows a page of the dataset viewer holds at the most


@dataclass(frozen=True, slots=True)
class Arena(NoScores):
    """What the rows of a file are called stands in params/sources.yml; which category is kept, too."""

    def parse(self, name: str, content: bytes) -> Table:
        """One row a model (and category, or board)."""
        if content.startswith(b"PAR1"):
            raise SourceError("is a Parquet file, which is not read here", file=name,
                              remedy="take the same rows as JSON from the dataset viewer (its address stands in params/live.yml)")
        return _rated(self._table(name, content), self.spec)

    def _table(self, name: str, content: bytes) -> Table:
        if name.endswith(".csv"):
            return read_csv(name, content, self.spec)
        found = an_object(read_json(name, content, self.spec), name, "the board")
        if "num_rows_total" in found:
            rows = list(_page(found, name))
        elif "models" in found:
            rows = list(_models(found, name))
        else:
            rows = list(_categories(found, name))
        headers = tuple(dict.fromkeys(column for row in rows for column in row))
        return checked(name, headers, rows, self.spec)


def _rated(table: Table, spec: SourceSpec) -> Table:
    """The table, where it has ratings and each of them is a plain number: nothing later would tell that one is none (T4)."""
    column = next((name for name in RATINGS if name in table.headers), None)
    if column is None:
        raise SourceError("has no column of ratings (U6a)", file=table.name, column=" or ".join(RATINGS), remedy="mend siiq_core/evidence/sources/arena.py for the new header")
    for number, row in enumerate(table.rows, start=1):
        cell = row.get(column, "").strip()
        try:
            if cell not in spec.common.missing:
                plain_number(cell, percent_sign=False)
        except NotANumber as error:
            raise DataError(f"T4: a rating {error}", file=table.name, row=number, column=column, value=cell, remedy="get the file again") from error
    return table


def page(board: str, offset: int) -> tuple[str, str]:
    """(name inside a snapshot, address) of the page that begins at row `offset`; `board` is the viewer's address of the rows asked for."""
    return f"text_style_control-{offset}.json", f"{board}&offset={offset}&length={PAGE}"


def offsets(rows: int, spec: SourceSpec) -> range:
    """Where the pages of a board of so many rows begin; more than the bound rows of params/sources.yml are refused."""
    if rows > spec.common.bounds.rows:
        raise SourceError(f"the board has more than the bound rows = {spec.common.bounds.rows}", file=page("", 0)[0], column="num_rows_total",
                          value=rows, remedy="raise the bound in params/sources.yml if the board is sound")
    return range(0, rows, PAGE)


def counts(content: bytes, spec: SourceSpec, name: str) -> tuple[int, int]:
    """(rows of the whole board, rows of this page), by what a page says and holds."""
    found = an_object(read_json(name, content, spec), name, "the page")
    total = found.get("num_rows_total")
    if not isinstance(total, str) or not total.isdecimal():
        raise SourceError("the page does not say how many rows there are (U6a)", file=name, column="num_rows_total", value=total, remedy="get the page again")
    return int(total[:9]), len(a_list(found.get("rows"), name, "rows"))


def _page(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    """The dataset viewer: {"rows": [{"row_idx", "row": {…}, "truncated_cells": []}], "num_rows_total", "partial"}."""
    if found.get("partial"):
        raise SourceError("the dataset viewer answered with a part of the rows", file=name, column="partial", remedy="ask again later")
    for number, entry in enumerate(a_list(found.get("rows"), name, "rows"), start=1):
        entry = an_object(entry, name, "a row", number)
        if entry.get("truncated_cells"):
            raise SourceError("cells are cut short", file=name, row=number, column="truncated_cells", remedy="ask again")
        yield cells(an_object(entry.get("row"), name, "a row's cells", number))


def _models(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    """{"models": [{"name", …, "scores": {board: {"value", "ci", "votes", "date"}}}]}: one row a model and board."""
    for number, model in enumerate(a_list(found.get("models"), name, "models"), start=1):
        model = an_object(model, name, "a model", number)
        for board, score in sorted(an_object(model.get("scores"), name, "a model's scores", number).items()):
            facts = {key: value for key, value in model.items() if key != "scores"}
            yield cells({**facts, "board": board, **an_object(score, name, "a score", number)})


def _categories(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    """{category: {model: {"rating", "rating_q025", "rating_q975"}}}: one row a category and model."""
    for category, models in found.items():
        for model, rating in an_object(models, name, f"category {category!r}").items():
            yield cells({"category": category, "model": model, **an_object(rating, name, f"model {model!r}")})
