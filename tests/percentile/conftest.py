"""Small made-up boards for the percentile composite."""

from decimal import Decimal

import pytest

from siiq_core.params.percentile import Board, Overlap, load_percentile
from siiq_core.siblings.percentile.records import BoardRows, Entry


@pytest.fixture(scope="session")
def params(root):
    """The shipped parameters."""
    return load_percentile(root)


@pytest.fixture
def use(params):
    """The shipped parameters over made-up boards: {id: dimension, or (dimension, {field: value})}."""
    def over(boards, overlaps=(), **changes):
        made = []
        for name, told in boards.items():
            dimension, more = (told, {}) if isinstance(told, str) else told
            made.append(Board(**{"benchmark": name, "dimension": dimension, "family": name, **more}))
        register = tuple(Overlap(**{"reason": "they ask the same things", **x}) for x in overlaps)
        return params.model_copy(update={"boards": tuple(made), "overlaps": register, **changes})
    return over


class Made:
    """Makes boards."""

    @staticmethod
    def entry(board, name, value, date="2026-01-01"):
        model, _, setting = name.partition("@")
        return Entry(board, model, setting or "default", Decimal(value), date, name, f"{board}/{name}")

    @classmethod
    def boards(cls, tables, others=None):
        """{board: {"model" or "model@setting": "value"}} as boards; others: {board: values of nobody known}."""
        out = {}
        for board, own in tables.items():
            entries = tuple(sorted((cls.entry(board, name, value) for name, value in own.items()), key=lambda e: e.configuration))
            population = tuple(sorted([e.value for e in entries] + [Decimal(x) for x in (others or {}).get(board, ())]))
            out[board] = BoardRows(board, "nowhere", "2026-01-01", population, entries, {}, 0, 0)
        return out


@pytest.fixture(scope="session")
def made():
    return Made
