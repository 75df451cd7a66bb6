"""simulation.json of small worlds, by the simulation itself: every scenario, few models, few worlds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siiq_core.analysis.simulation.methods import shipped
from siiq_core.analysis.simulation.run import simulate
from siiq_core.files import canonical_bytes
from siiq_core.params.simulation import load_simulation, with_simulation_changes


def made_up_simulation(root: Path, index: dict[str, Any]) -> dict[str, bytes]:
    """The file of the simulation stage, for the method version of `index`."""
    params = with_simulation_changes(load_simulation(root), {"replications": 2, "models": 20, "boards_per_area": 2, "questions": 20})
    found = simulate(params, shipped(root, params.areas))
    return {"simulation.json": canonical_bytes({"method_version": index["method_version"], "parameters_sha256": "0" * 64, **found})}
