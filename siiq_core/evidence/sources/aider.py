"""Aider polyglot leaderboard: a YAML list of runs, appended to over time. Scalars are kept as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from siiq_core.errors import DataError, SourceError
from siiq_core.evidence.numbers import NotANumber, decimals, plain_number
from siiq_core.evidence.sources.base import Adapter
from siiq_core.evidence.sources.table import Table, checked, decode

_RATE, _SOLVED, _CASES = "pass_rate_2", "pass_num_2", "test_cases"
_OFF = 1.0  # percentage points that a rate may be off its own count; runs that lost a case are up to 0.4 off


@dataclass(frozen=True, slots=True)
class Aider(Adapter):
    """`pass_rate_2` is in percent of about 225 cases, written without a "%"; `total_cost` 0 means unknown."""

    def parse(self, name: str, content: bytes) -> Table:
        """One row an entry of the list. Nothing is constructed: nodes are read, so no tag of the file can act."""
        text = decode(name, content, self.spec)
        try:
            rows = list(_rows(yaml.compose(text, Loader=yaml.BaseLoader), name))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise SourceError(f"is no valid YAML ({getattr(error, 'problem', error)})", file=name,
                              row=mark.line + 1 if mark else None, remedy="get the file again") from error
        except RecursionError as error:
            raise SourceError("is nested too deeply to be a list of runs", file=name, remedy="get the file again") from error
        headers = tuple(dict.fromkeys(key for row in rows for key in row))
        table = checked(name, headers, rows, self.spec)
        for number, row in enumerate(table.rows, start=1):
            if not _percent(row):
                raise DataError("T4: the rate is no percentage of the row's own cases", file=name, row=number, column=_RATE, value=row[_RATE],
                                remedy="the column is in per cent; get the file again, or write 62.0 for 0.62")
        return table

    def unusable(self, name: str) -> str:
        """A row "A + B" shows two models at work, which is no model (data.md)."""
        return "two models at work, which is no model" if " + " in name else ""


def _percent(row: dict[str, str]) -> bool:
    """May the rate be in percent (T4)? A fraction in its place would lie in [0, 1] too, so the row's own counts are asked."""
    try:
        rate, cases = (float(plain_number(row.get(x, "").strip(), percent_sign=False)) for x in (_RATE, _CASES))
        solved = float(plain_number(row[_SOLVED].strip(), percent_sign=False)) if row.get(_SOLVED) else None
    except NotANumber:
        return True  # what is no number is read, or refused, as a score
    if cases <= 0:
        return True
    if solved is not None:
        return abs(rate - 100 * solved / cases) <= _OFF
    hits, rounding = rate / 100 * cases, 0.5 * 10.0 ** -decimals(row[_RATE].strip()) / 100 * cases
    return not 0 < rate <= 1 or abs(hits - round(hits)) <= rounding


def _rows(node: yaml.Node | None, name: str) -> Iterator[dict[str, str]]:
    if not isinstance(node, yaml.SequenceNode):
        raise SourceError("is no list of runs", file=name, row=1, remedy="get the file again")
    for number, entry in enumerate(node.value, start=1):
        if not isinstance(entry, yaml.MappingNode):
            raise SourceError("an entry is no mapping of names to values", file=name, row=number, remedy="get the file again")
        row: dict[str, str] = {}
        for key, value in entry.value:
            if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode):
                raise SourceError("a value is a list or mapping where a plain one belongs", file=name, row=number,
                                  column=str(key.value), remedy="get the file again")
            if key.value in row:
                raise SourceError("a name stands twice in one entry", file=name, row=number, column=key.value,
                                  remedy="get the file again")
            row[key.value] = value.value
        yield row
