"""percentile.json of models that evidently do not exist, from made-up boards by the method itself."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from siiq_core.files import canonical_bytes
from siiq_core.params.percentile import Board, Overlap, load_percentile
from siiq_core.siblings.percentile.published import percentile_json
from siiq_core.siblings.percentile.records import BoardRows, Entry, Evidence

_BOARDS = {"riddles": ("reasoning", "riddles"), "riddles-2": ("reasoning", "riddles"), "knots": ("reasoning", "knots"), "loops": ("coding", "loops"), "patches": ("coding", "patches"),
           "errands": ("agent", "errands"), "<b>odd</b>": ("agent", "odd"), "votes": ("preference", "votes")}
# configuration → value on each board
_ROWS = {"nova-9@high": dict(riddles="9", knots="8", loops="7", patches="5", errands="6", odd="3"), "nova-9@default": dict(riddles="7", loops="5"), "nova-8@default": dict(riddles="5", knots="5", loops="5", patches="4", errands="7", odd="4", votes="1500.5"),
         "nova-7@default": {"riddles-2": "2"}, "tiny-9@=1+1": dict(votes="1200"), "nova-5@max": dict(riddles="5", knots="3")}


def made_up_percentile(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The file of the percentile stage, for the day of `index`."""
    names = {m["slug"]: m["name"] for m in index["models"]} | {"tiny-9": "<b>Tiny 9</b>"}  # the last has no page
    shipped = load_percentile(root)
    title = {b.replace("<b>odd</b>", "odd"): b for b in _BOARDS}
    boards, rows, raw, specs = [], {}, {}, {}
    for key, (dimension, family) in zip(title, _BOARDS.values(), strict=True):
        rating = shipped.boards[-1].rating.model_copy(update={"source": "arena", "name": "Votes"}) if key == "votes" else None
        boards.append(Board(benchmark=key, dimension=dimension, family=family, rating=rating))
        specs[key] = SimpleNamespace(id=key, name=title[key].capitalize(), source="epoch", evaluator="Third Hall", address="https://example.org/x", licence="CC BY 4.0",
                                     licence_url="https://creativecommons.org/licenses/by/4.0/", licence_basis="evaluator")
        entries = tuple(Entry(key, *c.split("@"), Decimal(own[key]), "2025-05-01", c, f"{key}-{c}") for c, own in sorted(_ROWS.items()) if key in own)
        rows[key] = BoardRows(key, "arena" if rating else "epoch", "2025-06-01", tuple(sorted([*(e.value for e in entries), Decimal(1)])), entries, {"v1": 2} if key == "loops" else {}, 0, 1)
        raw |= {e.evidence: {"id": e.evidence, "benchmark": key, "source": rows[key].source, "snapshot": "2025-06-01", "file": "table.csv", "line": 1, "url": "https://example.org/table.csv", "copy": "",
                             "sha256": "0" * 64, "row": {"Score": str(e.value)}} for e in entries}
    del specs["votes"]
    params = shipped.model_copy(update={"boards": tuple(boards), "overlaps": (Overlap(**{"board": "riddles-2", "kind": "family", "with": ["riddles"], "reason": "the same riddles made harder"}),)})
    sources = {x.id: SimpleNamespace(name=f"{x.id} <i>", url="https://example.org", license="CC BY 4.0", license_url="https://creativecommons.org/licenses/by/4.0/", attribution=x.id) for x in params.sources}
    found = percentile_json(Evidence(rows, names, raw), params, specs, sources)
    return {"percentile.json": canonical_bytes({"method_version": index["method_version"], "as_of": index["as_of"], "license_and_attribution": [], **found})}
