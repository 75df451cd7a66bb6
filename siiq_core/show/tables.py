"""One way to make a table."""

from __future__ import annotations

from typing import Any

import pandas as pd

_STYLE = {"display.width": 120, "display.max_rows": 200, "display.max_colwidth": 80}


def table(rows: list[dict[str, Any]], index: str | None = None) -> pd.DataFrame:
    """Rows as a table, with a column of them as its index; shown alike on every screen."""
    for name, value in _STYLE.items():
        pd.set_option(name, value)
    made = pd.DataFrame(rows)
    return made.set_index(index) if index and rows else made
