"""Studies are about the inputs of the calibration in force, and stay as they are while those and their parameters do."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from siiq_core.commands import studies
from siiq_core.siblings.stage import prepare_sibling
from siiq_core.workbench.criticism.run import METHOD as CRITICISM
from siiq_core.workbench.desk import open_desk
from siiq_core.workbench.fitted import calibration_desk
from siiq_core.workbench.intervals.run import METHOD as INTERVALS
from siiq_core.workbench.study import current, head


@pytest.fixture
def folder(shipped, tmp_path):
    """The shipped run's results in a folder of their own."""
    for name in ("fetch.json", "results.csv"):
        (tmp_path / name).write_bytes((shipped.folder / name).read_bytes())
    return tmp_path


def test_a_study_stays_while_inputs_and_parameters_do(shipped, folder):
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    run = prepare_sibling(INTERVALS, {}, str(folder))
    told = head(run, calibration_desk(run.base))
    assert told["inputs_sha256"] == index["calibration"]["inputs_sha256"]
    corrected = f"{told['method_version'].rpartition('.')[0]}.99"
    for found, fits in ((told, True), ({**told, "as_of": "2020-01-01"}, True), ({**told, "method_version": corrected}, True), ({**told, "method_version": "0.9.0"}, False), ({**told, "inputs_sha256": "0"}, False), ({**told, "what_if": {}}, False), ([], False)):
        (folder / "intervals.json").write_text(json.dumps(found), encoding="utf-8")
        assert current(INTERVALS, "intervals", folder) is fits
        assert studies.current("intervals", folder) is fits
    assert not current(CRITICISM, "criticism", folder)  # nothing there


def test_another_parameter_of_study_or_method_breaks_the_seal(shipped, folder):
    plain, seeded = (prepare_sibling(INTERVALS, changes, str(folder)) for changes in ({}, {"seed": 1}))
    desk = open_desk(plain.base)
    other = replace(desk, params=desk.params.model_copy(update={"lam": 0.2}))
    seals = [head(run, at)["parameters_sha256"] for run, at in ((plain, desk), (seeded, desk), (plain, other))]
    assert len(set(seals)) == 3 and head(plain, desk)["parameters_sha256"] == seals[0]
    assert head(seeded, desk)["what_if"] == {"seed": [20260801, 1]}


def test_under_the_gate_the_inputs_of_the_calibration_count_and_not_what_came_since(shipped):
    desk = open_desk(shipped)
    first, second, *rest = [(r.model, r.benchmark) for r in desk.results]
    inputs = {first: 0.125, **{pair: r.score for pair, r in zip([second, *rest], desk.results[1:], strict=True)}, ("gone", first[1]): 0.5}
    del inputs[second]  # arrived since
    in_force = SimpleNamespace(inputs=inputs, benchmarks=desk.benchmarks)
    gated = replace(shipped, accepted=SimpleNamespace(memory=SimpleNamespace(state=SimpleNamespace(in_force=in_force))))
    found = calibration_desk(gated)
    assert {(m, b): s for m, b, s in found.cells} == inputs and list(found.cells) == sorted(found.cells)
    assert calibration_desk(shipped) == desk
