"""Why a variant is recommended and no model: the dearest case of ignoring effort in the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from siiq_core.siblings.value.cost import MEASURED


def dearest_effort(variants: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Of one model at two efforts, both eligible and measured: the price grows most for each point gained (in logarithms).

    Parameters
    ----------
    variants : those of value.json

    Returns
    -------
    from, to (variant ids), gained (points, above 0), times (the price); None where no model has two such efforts.
    """
    own: dict[str, list[Mapping[str, Any]]] = {}
    for v in variants:
        if v["eligible"] and v["cost_kind"] == MEASURED:
            own.setdefault(v["model"], []).append(v)
    pairs = [(math.log(b["cost"] / a["cost"]) / (b["quality"] - a["quality"]), a, b) for group in own.values() for a, b in permutations(group, 2)
             if b["quality"] > a["quality"] and b["cost"] > a["cost"]]
    if not pairs:
        return None
    _, low, high = max(pairs, key=lambda x: (x[0], x[1]["id"], x[2]["id"]))
    return {"from": low["id"], "to": high["id"], "gained": high["quality"] - low["quality"], "times": high["cost"] / low["cost"]}
