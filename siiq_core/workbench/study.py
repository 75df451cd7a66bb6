"""What studies of the calibration share as stages: the head of their files, and whether one in a run folder is still good."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from siiq_core.files import sha256
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling
from siiq_core.versions import inputs_bytes, same_calibration
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.fitted import calibration_desk


def head(run: SiblingRun, desk: Desk) -> dict[str, Any]:
    """How a study's file begins: which inputs it is about (as in index.json), and a seal over every parameter it depends on."""
    seal = {"study": run.params.model_dump(mode="json"), "method": desk.params.recorded(), "benchmarks": [asdict(x) for x in desk.benchmarks.values()], "reference": list(desk.reference)}
    del seal["method"]["as_of"]
    what_if = {**run.base.what_if, **run.what_if}
    return {"method_version": run.base.version, "as_of": run.base.params.as_of, "inputs_sha256": sha256(inputs_bytes(desk.cells)),
            "parameters_sha256": sha256(json.dumps(seal, sort_keys=True).encode("utf-8")), **({"what_if": what_if} if what_if else {})}


def current(method: Sibling, name: str, folder: Path) -> bool:
    """Whether a study in a run folder is of these inputs and parameters: between calibrations it stays as it is (C10)."""
    run = prepare_sibling(method, {}, str(folder))
    wanted = head(run, calibration_desk(run.base))
    try:
        found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        same = all(found.get(key) == wanted[key] for key in wanted.keys() - {"as_of", "method_version"})
        return same and same_calibration(found["method_version"], run.base.version) and "what_if" not in found
    except (OSError, ValueError, AttributeError, KeyError):
        return False
