"""The value stage: its parameters, its folder, what it refuses, and that nothing but the rows decides."""

import os
import subprocess
import sys

import pytest

from siiq_core import pipeline
from siiq_core.errors import ParameterError, PublicationError
from siiq_core.siblings.value.run import METHOD, prepare_value, prepare_value_notebook

DIGEST = """
import hashlib, sys
from pathlib import Path
from siiq_core.params.method import load_method
from siiq_core.params.value import load_value
from siiq_core.siblings.value.evidence import open_evidence
from siiq_core.siblings.value.published import page_state, answers_record
from siiq_core.siblings.value.state import state_of
root = Path(sys.argv[1])
params = load_value(root)
evidence = open_evidence(root, load_method(root), params)
order = {v: i for i, v in enumerate(sorted({r.variant for r in evidence.rows}))}
state = state_of(evidence, [s.benchmark for s in params.sources], params)
print(hashlib.sha256(repr(page_state(state, params, order, {m: answers_record(state, params, m) for m in (2, 1)})).encode()).hexdigest())
"""


def test_shipped_parameters_run_in_the_run_folder_and_altered_ones_beside_it(project):
    assert prepare_value({}, "", project).base.folder == project / "_build" / "run"
    altered = prepare_value({"cheap_floor": 0.5}, "", project)
    assert altered.base.folder == project / "_build" / "what-if" and altered.what_if == {"cheap_floor": [0.6, 0.5]} and altered.params.cheap_floor == 0.5
    day = prepare_value({"as_of": "2026-07-17"}, "", project)
    assert day.base.folder.name == "what-if" and day.what_if == {"as_of": ["2026-07-31", "2026-07-17"]}
    assert prepare_value({"cheap_floor": 0.6}, "", project).what_if == {}


@pytest.mark.parametrize(("name", "value"), [("cheap_flor", 0.5), ("lam", 0.2), ("sources", [])])
def test_what_is_no_parameter_is_refused(project, name, value):
    with pytest.raises(ParameterError, match="unknown parameter"):
        prepare_value({name: value}, "", project)
    with pytest.raises(ParameterError, match="unknown parameter"):
        prepare_value_notebook({"out_dir": "", "_hidden": 1, name: value})


def test_as_of_and_every_number_can_be_altered():
    assert {"as_of", "licence_policy", "min_benchmarks", "cheap_floor", "everyday_floor", "mix_output", "level", "seed"} <= set(METHOD.known)


def test_a_source_without_a_permitting_licence_is_not_published(project):  # E2
    path = project / "params" / "value.yml"
    text = path.read_text(encoding="utf-8")
    assert "licence: CC BY 4.0" in text
    few = text[:text.index("  - benchmark: arc-agi-1")]  # fewer sources, fewer states
    path.write_text(few.replace("licence: CC BY 4.0", "licence: CC BY-NC 4.0").replace("licenses/by/4.0", "licenses/by-nc/4.0"), encoding="utf-8")
    with pytest.raises(PublicationError, match="cursorbench"):
        pipeline.value(prepare_value({}, "", project))
    path.write_text(few, encoding="utf-8")
    outcome = pipeline.value(prepare_value({}, "", project))
    assert set(outcome.files) == {"value.json", "value_states.json"} and len(outcome.value["states"]) == 14


def test_no_hash_seed_or_locale_decides(root):
    told = [subprocess.run([sys.executable, "-c", DIGEST, str(root)], capture_output=True, text=True, check=True, env={**os.environ, **more}).stdout
            for more in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "Asia/Tokyo"})]
    assert told[0] == told[1] and len(told[0]) == 65
