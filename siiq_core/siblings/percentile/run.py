"""The percentile stage: parameters in, percentile.json out. Reads the shipped observations itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siiq_core import __version__
from siiq_core.errors import ParameterError
from siiq_core.files import canonical_bytes
from siiq_core.params.loader import nearest
from siiq_core.params.percentile import SCALARS, PercentileParams, board_specs, load_percentile, plain, with_percentile_changes
from siiq_core.params.sources import load_sources
from siiq_core.runs import Outcome, Run, prepare
from siiq_core.siblings.percentile.evidence import open_evidence
from siiq_core.siblings.percentile.published import percentile_json

SHARED = ("as_of", "licence_policy")  # parameters of the method that this one heeds too
KNOWN = (*SHARED, *SCALARS)


@dataclass(frozen=True)
class PercentileRun:
    """Where a run of the percentile composite works, and with which parameters."""

    base: Run
    params: PercentileParams
    what_if: Mapping[str, list[Any]] = field(default_factory=dict)


def prepare_percentile(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> PercentileRun:
    """Parameters and folder of a run; with altered ones it is a what-if run and works in _build/what-if.

    Parameters
    ----------
    changes : numbers of params/percentile.yml, and as_of and licence_policy of params/method.yml

    Raises
    ------
    ParameterError
        Unknown name, wrong type or value out of range.
    """
    changes = dict(changes or {})
    for name in changes:
        if name not in KNOWN:
            raise ParameterError("unknown parameter", column=name, value=changes[name], remedy=nearest(name, list(KNOWN)))
    shared = {name: changes.pop(name) for name in SHARED if name in changes}
    base = prepare(shared, out_dir, root)
    shipped = load_percentile(base.root)
    used = with_percentile_changes(shipped, changes)
    altered = {name: [plain(getattr(shipped, name)), plain(getattr(used, name))] for name in SCALARS if getattr(shipped, name) != getattr(used, name)}
    if altered and not out_dir:
        base = Run(base.root, base.root / "_build" / "what-if", base.params, base.what_if)
    return PercentileRun(base, used, {**{name: change for name, change in base.what_if.items() if name in SHARED}, **altered})


def prepare_percentile_notebook(names: Mapping[str, Any]) -> PercentileRun:
    """`prepare_percentile` from a notebook's variables."""
    given = {k: v for k, v in names.items()
             if not k.startswith("_") and isinstance(v, (bool, int, float, str, list, dict, tuple, type(None))) and k not in ("In", "Out")}
    return prepare_percentile({k: v for k, v in given.items() if k != "out_dir"}, str(given.get("out_dir", "")))


def percentile_stage(run: PercentileRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """The stored rows → percentile.json."""
    root, method = run.base.root, run.base.params
    progress("reading the shipped observations, every board in its own snapshot")
    sources = load_sources(root)
    found = percentile_json(open_evidence(root, method, run.params), run.params, board_specs(root, run.params, sources), sources)
    head = {"method_version": __version__, "as_of": method.as_of, **({"what_if": dict(run.what_if)} if run.what_if else {})}
    licences = [{"source": x.id, "attribution": sources[x.id].attribution, "license": sources[x.id].license, "url": sources[x.id].url} for x in run.params.sources]
    value = {**head, "license_and_attribution": licences, **found}
    return Outcome(run.base, value, {"percentile.json": canonical_bytes(value)})
