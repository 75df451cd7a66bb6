"""The percentile stage: parameters in, percentile.json out. Reads the shipped observations itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from siiq_core.files import canonical_bytes
from siiq_core.params.percentile import SCALARS, board_specs, load_percentile, with_percentile_changes
from siiq_core.params.sources import load_sources
from siiq_core.runs import Outcome
from siiq_core.siblings.stage import Sibling, SiblingRun, prepare_sibling, prepare_sibling_notebook
from siiq_core.siblings.percentile.evidence import open_evidence
from siiq_core.siblings.percentile.published import percentile_json

METHOD = Sibling(SCALARS, load_percentile, with_percentile_changes)


def prepare_percentile(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """`prepare_sibling` of this method; `changes` are numbers of params/percentile.yml, and as_of and licence_policy."""
    return prepare_sibling(METHOD, changes, out_dir, root)


def prepare_percentile_notebook(names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_percentile` from a notebook's variables."""
    return prepare_sibling_notebook(METHOD, names)


def percentile_stage(run: SiblingRun, progress: Callable[[str], None] = lambda text: None) -> Outcome:
    """The stored rows → percentile.json."""
    root, method = run.base.root, run.base.params
    progress("reading the shipped observations, every board in its own snapshot")
    sources = load_sources(root)
    found = percentile_json(open_evidence(root, method, run.params), run.params, board_specs(root, run.params, sources), sources)
    licences = [{"source": x.id, "attribution": sources[x.id].attribution, "license": sources[x.id].license, "url": sources[x.id].url} for x in run.params.sources]
    value = {**run.head(), "license_and_attribution": licences, **found}
    return Outcome(run.base, value, {"percentile.json": canonical_bytes(value)})
