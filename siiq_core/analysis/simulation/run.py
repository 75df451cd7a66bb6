"""The simulation stage: parameters in, simulation.json out. Reads no observation, so no day changes what it finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from siiq_core.analysis.simulation.methods import METHODS, Shipped, place, shipped
from siiq_core.analysis.simulation.recovery import summary, trials
from siiq_core.analysis.simulation.worlds import world
from siiq_core.files import canonical_bytes, sha256
from siiq_core.params.simulation import SCALARS, Scenario, SimulationParams, load_simulation, with_simulation_changes
from siiq_core.runs import Outcome
from siiq_core.siblings.stage import SHARED, Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook

METHOD = Sibling(SCALARS, load_simulation, with_simulation_changes, heeds=())


def prepare_simulation(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of the simulation; `changes` are numbers of params/simulation.yml."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_simulation_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_simulation` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def simulation_stage(run: SiblingRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """Every scenario in every method → simulation.json."""
    value = {**_head(run), **simulate(run.params, shipped(run.base.root, run.params.areas), progress)}
    return Outcome(run.base, value, {"simulation.json": canonical_bytes(value)})


def _head(run: SiblingRun) -> dict[str, Any]:
    """How the file begins: without a day, since no day's results are in it; what is altered of the method counts too."""
    altered = {**run.base.what_if, **run.what_if}
    own = shipped(run.base.root, run.params.areas)
    return {"method_version": run.base.version, "parameters_sha256": made_with(run.params, own), **({"what_if": altered} if altered else {})}


def made_with(params: SimulationParams, own: Shipped) -> str:
    """SHA-256 over every parameter that the numbers depend on: while it stays, so do they."""
    method = own.method.model_dump(exclude=set(SHARED))
    said = {"simulation": params.model_dump(), "method": method, "percentile": own.percentile.model_dump(), "value": own.value.model_dump()}
    return sha256(json.dumps(said, sort_keys=True, default=str).encode("utf-8"))


def simulate(params: SimulationParams, own: Shipped, progress: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """All of simulation.json but its head."""
    told = []
    for scenario in params.scenarios:
        progress(scenario.id)
        told.append(_scenario(params, scenario, own))
    return {"parameters": {name: getattr(params, name) for name in SCALARS}, "methods": list(METHODS), "scenarios": told}


def _scenario(params: SimulationParams, scenario: Scenario, own: Shipped) -> dict[str, Any]:
    worlds = [world(params, scenario, k) for k in range(params.replications)]
    found = [trials(w.truth, place(w, own)) for w in worlds]
    altered = {name: x.model_dump() for name, x in scenario.alterations.items()}
    return {"id": scenario.id, "stream": scenario.stream, "altered": altered, "boards": len(worlds[0].boards),
            "results": sum(len(w.cells) for w in worlds) / len(worlds), "methods": summary(found, params.separation)}
