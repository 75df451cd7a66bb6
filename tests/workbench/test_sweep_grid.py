"""A grid file becomes cells: every combination once, what cannot be is refused with its line, and a size nobody can compute with an estimate."""

import json

import pytest
from sweeps import GRID, desk, limits, swept

from siiq_core.errors import ParameterError
from siiq_core.workbench.desk import open_desk
from siiq_core.workbench.sweep.cell import cell_of, inputs_sha256
from siiq_core.workbench.sweep.grid import declared, expand, load_grid


@pytest.fixture(scope="module")
def small():
    return desk()


def grid_of(axes, small, outside=()):
    return expand(declared(axes, small, limits()), small, outside)


def written(tmp_path, text):
    path = tmp_path / "grid.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_combination_once_and_the_last_axis_runs_fastest(small):
    grid = grid_of({"lam": [0.2, 0.1], "omega": [True, False]}, small)
    assert [grid.changes(p) for p in grid.points()] == [{"lam": 0.2}, {"lam": 0.2, "omega": False}, {}, {"omega": False}]
    assert grid.size == 4 and [axis.own for axis in grid.axes] == [1, 0], "the shipped value is what others are compared with"


def test_leave_out_takes_each_benchmark_each_evaluator_of_several_and_each_area(small):
    """Eight benchmarks in five areas, three of two and two of one; three evaluators of three, three and two."""
    levels = grid_of({"leave_out": ["none", "benchmark", "evaluator", "area"]}, small).axes[0].levels
    assert [x.kind for x in levels] == ["none", *["benchmark"] * 8, *["evaluator"] * 3, *["area"] * 3], "an area of one benchmark is that benchmark"
    assert {x.name: x.changes["drop"] for x in levels[9:]} == {
        "ev0": ["b00", "b03", "b06"], "ev1": ["b01", "b04", "b07"], "ev2": ["b02", "b05"],
        "knowledge": ["b00", "b05"], "math": ["b01", "b06"], "reasoning": ["b02", "b07"]}


def test_what_the_method_does_not_use_is_no_choice_but_goes_with_its_group(small):
    levels = grid_of({"leave_out": ["none", "benchmark", "evaluator", "area"]}, small, outside=["b02"]).axes[0].levels
    assert "b02" not in {x.name for x in levels}
    assert "ev2" not in {x.name for x in levels}, "of what counts, it is b05 alone"
    assert {x.name: x.changes.get("drop") for x in levels}["ev1"] == ["b01", "b04", "b07"]
    assert [x.name for x in grid_of({"leave_out": ["evaluator"]}, small, outside=["b02"]).axes[0].levels] == ["ev0", "ev1", "ev2"]
    assert grid_of({"leave_out": ["evaluator"]}, small, outside=["b02"]).axes[0].levels[2].changes == {"drop": ["b02", "b05"]}


def test_two_axes_that_leave_out_leave_out_both(small):
    grid = grid_of({"drop": [[], ["b00"]], "leave_out": ["benchmark"]}, small)
    assert grid.changes((1, 3)) == {"drop": ["b00", "b03"]}


def test_equal_cells_have_one_id_and_other_inputs_another(small):
    inputs = inputs_sha256(small)
    assert cell_of({"lam": 0.2, "omega": False}, inputs, "1.0.0").id == cell_of({"omega": False, "lam": 0.2}, inputs, "1.0.0").id
    others = [cell_of({"lam": 0.2}, inputs, "1.0.0"), cell_of({"lam": 0.2, "omega": False}, inputs, "1.0.1"), cell_of({"lam": 0.2, "omega": False}, "0" * 64, "1.0.0")]
    assert len({x.id for x in others} | {cell_of({"lam": 0.2, "omega": False}, inputs, "1.0.0").id}) == 4
    assert inputs_sha256(desk(lam=0.3)) != inputs != inputs_sha256(desk(results=[*small.cells][:-1]))


@pytest.mark.parametrize(("text", "row", "said"), [
    ("axes:\n  lam: [0.1]\n  lamda: [0.2]\n", 3, "did you mean 'lam'"),
    ("axes:\n  omega: [true]\n  lam:\n  - 0.1\n  - '0.2'\n", 5, "a number is needed"),
    ("axes:\n  lam: [0.1,\n   99]\n", 3, "0 to 10"),
    ("axes:\n  lam: [0.1, 0.10]\n", 2, "stands twice"),
    ("axes:\n  lam: 0.2\n", 2, "an axis needs a list"),
    ("axes:\n  lam: []\n", 2, "an axis needs a list"),
    ("axes:\n  lam: [0.1]\n  drop: [[b0]]\n", 3, "no such benchmark"),
    ("axes:\n  drop: ['[\"b00\"]']\n", 2, "a list of benchmark ids"),
    ("axes:\n  leave_out: [none, benchmarks]\n", 2, "did you mean 'benchmark'"),
    ("axes:\n  as_of: ['2026-01-01']\n", 2, "siiq sweep GRID -p as_of"),
    ("axes: {lam: [0.1]}\naxis: {}\n", 2, "did you mean 'axes'"),
    ("axes:\n", 1, "a grid needs axes"),
    ("axes:\n  lam: [0.1]\n  lam: [0.2]\n", 3, "stands twice"),
    ("axes:\n  lam: [0.1\n", 3, "no valid YAML"),
])
def test_what_is_wrong_in_a_grid_is_named_with_its_line(tmp_path, small, text, row, said):
    """Fault kind 19."""
    with pytest.raises(ParameterError) as refusal:
        load_grid(written(tmp_path, text), small, limits())
    assert (refusal.value.file, refusal.value.row) == ("grid.yml", row) and said in str(refusal.value)


def test_a_million_cells_are_refused_with_their_size_and_an_estimate(tmp_path, small):
    axes = {"lam": [k / 1000 for k in range(1000)], "residual_variance_floor": [(k + 1) / 1000 for k in range(1000)]}
    path = written(tmp_path, json.dumps({"axes": axes}))
    with pytest.raises(ParameterError, match=r"1,000,000 cells, more than 20,000; with 2 at work they would take about 10 hours .*grid.yml"):
        load_grid(path, small, limits(seconds_per_cell=0.07), workers=2)


def test_a_grid_grows_past_the_limit_when_everything_to_leave_out_is_written_out(tmp_path, small):
    with pytest.raises(ParameterError, match="36 cells, more than 35"):
        swept(tmp_path, {**GRID}, on=small, limits=limits(max_cells=35))
    assert len(list(tmp_path.glob("*.jsonl"))) == 1, "the desk's own cell is there, and nothing else was begun"


def test_the_shipped_grid_holds_the_method_itself_and_a_size_that_a_build_can_afford(shipped):
    here = open_desk(shipped)
    grid = expand(load_grid(shipped.root / "params" / "multiverse.yml", here, limits()), here, ["deepswe", "gpqa-diamond-openrouter"])
    assert 500 <= grid.size <= 1100
    assert {} in [grid.changes(p) for p in grid.points()]
    assert all(not axis.levels[axis.own].changes for axis in grid.axes)
    assert {axis.name for axis in grid.axes} == {"lam", "loading_floor", "residual_variance_floor", "omega", "effective_n", "leave_out"}
    assert {x.kind for x in grid.axes[-1].levels} == {"none", "benchmark", "evaluator", "area"}
