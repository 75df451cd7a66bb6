"""The value stage: parameters in, value.json and the states of the page's switches out. Reads the shipped observations itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siiq_core import __version__
from siiq_core.errors import ParameterError
from siiq_core.files import canonical_bytes, json_line, sha256
from siiq_core.params.loader import nearest
from siiq_core.params.method import MethodParams
from siiq_core.params.sources import load_sources
from siiq_core.params.value import SCALARS, ValueParams, load_value, value_specs, with_value_changes
from siiq_core.runs import Outcome, Run, prepare
from siiq_core.siblings.value.evidence import open_evidence
from siiq_core.siblings.value.published import value_json

SHARED = ("as_of", "licence_policy")  # parameters of the method that this one heeds too
KNOWN = (*SHARED, *SCALARS)


@dataclass(frozen=True)
class ValueRun:
    """Where a run of the value method works, and with which parameters."""

    base: Run
    params: ValueParams
    what_if: Mapping[str, list[Any]] = field(default_factory=dict)


def prepare_value(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> ValueRun:
    """Parameters and folder of a run; with altered ones it is a what-if run and works in _build/what-if.

    Parameters
    ----------
    changes : numbers of params/value.yml, and as_of and licence_policy of params/method.yml

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
    shipped = load_value(base.root)
    used = with_value_changes(shipped, changes)
    altered = {name: [getattr(shipped, name), getattr(used, name)] for name in SCALARS if getattr(shipped, name) != getattr(used, name)}
    if altered and not out_dir:
        base = Run(base.root, base.root / "_build" / "what-if", base.params, base.what_if)
    return ValueRun(base, used, {**_shared_what_if(base), **altered})


def _shared_what_if(base: Run) -> dict[str, list[Any]]:
    return {name: change for name, change in base.what_if.items() if name in SHARED}


def prepare_value_notebook(names: Mapping[str, Any]) -> ValueRun:
    """`prepare_value` from a notebook's variables."""
    plain = {k: v for k, v in names.items()
             if not k.startswith("_") and isinstance(v, (bool, int, float, str, list, dict, tuple, type(None))) and k not in ("In", "Out")}
    return prepare_value({k: v for k, v in plain.items() if k != "out_dir"}, str(plain.get("out_dir", "")))


def value_stage(run: ValueRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """The stored rows → value.json and value_states.json."""
    method: MethodParams = run.base.params
    progress("reading the shipped observations, every setting apart")
    evidence = open_evidence(run.base.root, method, run.params)
    sources = load_sources(run.base.root)
    found, states = value_json(evidence, run.params, value_specs(run.base.root, run.params, sources), progress)
    head = {"method_version": __version__, "as_of": method.as_of, **({"what_if": dict(run.what_if)} if run.what_if else {})}
    licences = [{"source": key, "attribution": sources[key].attribution, "license": sources[key].license, "url": sources[key].url}
                for key in dict.fromkeys([*evidence.snapshots, *sorted({p.source for p in evidence.prices.values()})])]
    value = {**head, "license_and_attribution": licences, **found}
    content = canonical_bytes(value)
    pages = {**head, "value_sha256": sha256(content), **states}
    return Outcome(run.base, value, {"value.json": content, "value_states.json": json_line(pages).encode("utf-8")})
