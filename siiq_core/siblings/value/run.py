"""The value stage: parameters in, value.json and the states of the page's switches out. Reads the shipped observations itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from siiq_core.files import canonical_bytes, json_line, sha256
from siiq_core.params.method import MethodParams
from siiq_core.params.sources import load_sources
from siiq_core.params.value import SCALARS, load_value, value_specs, with_value_changes
from siiq_core.runs import Outcome
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook
from siiq_core.siblings.value.evidence import open_evidence
from siiq_core.siblings.value.published import value_json

METHOD = Sibling(SCALARS, load_value, with_value_changes)


def prepare_value(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of this method; `changes` are numbers of params/value.yml, and as_of and licence_policy."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_value_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_value` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def value_stage(run: SiblingRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """The stored rows → value.json and value_states.json."""
    method: MethodParams = run.base.params
    progress("reading the shipped observations, every setting apart")
    evidence = open_evidence(run.base.root, method, run.params)
    sources = load_sources(run.base.root)
    found, states = value_json(evidence, run.params, value_specs(run.base.root, run.params, sources), progress)
    licences = [{"source": key, "attribution": sources[key].attribution, "license": sources[key].license, "url": sources[key].url}
                for key in dict.fromkeys([*evidence.snapshots, *sorted({p.source for p in evidence.prices.values()})])]
    value = {**run.head(), "license_and_attribution": licences, **found}
    content = canonical_bytes(value)
    pages = {**run.head(), "value_sha256": sha256(content), **states}
    return Outcome(run.base, value, {"value.json": content, "value_states.json": json_line(pages).encode("utf-8")})
