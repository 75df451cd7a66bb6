"""value.json of models that evidently do not exist, from made-up rows by the method itself."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from siiq_core.files import canonical_bytes, json_line, sha256
from siiq_core.params.value import load_value
from siiq_core.siblings.value.published import value_json
from siiq_core.siblings.value.records import Evidence, ListPrice, ModelFacts, Row

_FAMILIES = {"loops": "loops", "errands": "errands", "riddles": "riddles"}
# (model, setting) → score and cost on each benchmark; an empty place says that it was not measured there
_ROWS = {
    ("nova-9", "high"): {"loops": (0.93, 9.0), "errands": (0.90, 11.0), "riddles": (0.9, None)}, ("nova-9", "low"): {"loops": (0.80, 2.0), "errands": (0.84, 2.2)},
    ("nova-8", "default"): {"loops": (0.85, 3.0), "errands": (0.86, 4.1), "riddles": (0.8, None)}, ("nova-7", "default"): {"loops": (0.70, 1.0), "errands": (0.66, 1.4)},
    ("nova-6", "unknown"): {"loops": (0.75, 0.8), "errands": (0.72, 0.7)}, ("nova-5", "default"): {"loops": (0.5, 0.5), "riddles": (0.4, None)},
    ("nova-5", "max"): {"riddles": (0.45, None)}, ("nova-4", "default"): {"errands": (0.3, 0.05)}, ("tiny-1", "default"): {"riddles": (0.2, None)}, ("tiny-9", "=1+1"): {"loops": (0.45, 0.3), "errands": (0.4, 0.2)},
}


def made_up_value(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The two files of the value stage, for the day of `index`."""
    names = {m["slug"]: m["name"] for m in index["models"]} | {"tiny-9": "<b>Tiny 9</b>"}  # the last has no page
    rows = [Row(b, _FAMILIES[b], model, setting, score, None, cost, b != "riddles", f"{b}-{model}-{setting}", f"{model}-{setting}")
            for (model, setting), own in _ROWS.items() for b, (score, cost) in own.items()]
    slugs = sorted({r.model for r in rows})
    models = {s: ModelFacts(s, names[s], ("Nobody & Co.",) if i % 2 else ("Somebody", "Else <i>"), i % 3 == 0, 200_000 if i % 2 else None) for i, s in enumerate(slugs)}
    raw = {r.evidence: {"id": r.evidence, "benchmark": r.benchmark, "source": "nowhere", "snapshot": "2025-06-01", "file": "table.csv", "line": 1,
                        "url": "https://example.org/table.csv", "copy": "", "sha256": "0" * 64, "row": {"Score": repr(r.score)}} for r in rows}
    evidence = Evidence(rows=tuple(rows), models=models, prices={"nova-9": ListPrice(3, 0.3, 15, "nowhere"), "nova-5": ListPrice(1, None, 3, "nowhere")},
                        snapshots={"nowhere": "2025-06-01"}, raw=raw, left_out=(), waiting={"loops": 1})
    shipped = load_value(root)
    sources = tuple(shipped.sources[1].model_copy(update={"benchmark": b, "family": b, "in_use": b != "riddles", "definition": None, "cost": shipped.sources[0].cost if b != "riddles" else None,
                                                          "known_holes": shipped.sources[1].known_holes if b == "errands" else (), "version": "4.0" if b == "errands" else ""}) for b in _FAMILIES)
    specs = {b: SimpleNamespace(id=b, name=b.capitalize(), source="nowhere", evaluator="Third Hall", address="https://example.org/x", licence="CC BY 4.0",
                                licence_url="https://creativecommons.org/licenses/by/4.0/", licence_basis="evaluator") for b in _FAMILIES}
    found, states = value_json(evidence, shipped.model_copy(update={"sources": sources}), specs)
    head = {"method_version": index["method_version"], "as_of": index["as_of"]}
    content = canonical_bytes({**head, "license_and_attribution": [], **found})
    return {"value.json": content, "value_states.json": json_line({**head, "value_sha256": sha256(content), **states}).encode("utf-8")}
