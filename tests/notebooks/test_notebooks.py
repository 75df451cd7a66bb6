"""Notebooks: thin, literal parameters, saved in step; nbval sees one changed digit."""

import ast
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import yaml

STAGES = ("fetch", "calibrate", "score", "method")
EVERY = (*STAGES, "difference", "value", "percentile", "prediction", "simulation", "intervals", "criticism", "multiverse")


def tagged(path):
    cells = [c for c in nbformat.read(path, as_version=4).cells if "parameters" in c.metadata.get("tags", [])]
    assert len(cells) == 1, f"{path.name}: one cell is tagged parameters"
    return cells[0].source


def lint(source: str) -> dict:
    """Names and values of a parameters cell; anything but `name = literal` with a comment behind is an error."""
    values = {}
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            raise ValueError(f"line {node.lineno} is no plain assignment")
        values[node.targets[0].id] = ast.literal_eval(node.value)  # ValueError where it is derived
        if "#" not in lines[node.lineno - 1]:
            raise ValueError(f"line {node.lineno} has no comment")
    return values


@pytest.mark.parametrize("name", [*STAGES, "difference"])
def test_parameters_are_literals_and_in_step_with_method_yml(root, name):
    values = lint(tagged(root / "notebooks" / f"{name}.ipynb"))
    assert values.pop("out_dir") == ""
    assert name != "difference" or values.pop("against") == ""
    assert values == yaml.safe_load((root / "params" / "method.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["value", "percentile", "prediction", "simulation", "intervals", "criticism"])
def test_parameters_of_siblings_are_literals_and_in_step_with_their_own_file(root, name):
    values = lint(tagged(root / "notebooks" / f"{name}.ipynb"))
    assert values.pop("out_dir") == ""
    shipped = {key: x for key, x in yaml.safe_load((root / "params" / f"{name}.yml").read_text(encoding="utf-8")).items() if isinstance(x, (bool, int, float, str))}
    method = yaml.safe_load((root / "params" / "method.yml").read_text(encoding="utf-8"))
    heeds = () if name == "simulation" else ("as_of", "licence_policy")  # the simulation reads no day's results
    assert values == {**shipped, **{key: method[key] for key in heeds}}


@pytest.mark.parametrize("source", ["lam2 = lam * 2  # derived", "lam = 0.1", "import os", "a, b = 1, 2  # two"])
def test_the_lint_finds_derived_and_uncommented_parameters(source):
    """Fault kind 19."""
    with pytest.raises(ValueError):
        lint(source)


@pytest.mark.parametrize("name", EVERY)
def test_notebooks_define_nothing_of_their_own(root, name):
    for cell in nbformat.read(root / "notebooks" / f"{name}.ipynb", as_version=4).cells:
        if cell.cell_type == "code" and "parameters" not in cell.metadata.get("tags", []):
            kinds = {type(node) for node in ast.walk(ast.parse(cell.source))}
            assert not kinds & {ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.BinOp, ast.For, ast.While, ast.Import}, cell.source


@pytest.mark.parametrize("name", EVERY)
def test_saved_notebooks_are_normalised(root, name):
    text = (root / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "iopub" not in text and "papermill" not in nbformat.reads(text, as_version=4).metadata
    assert not re.search(r'"/(home|root|tmp|work|Users)/', text)
    notebook = nbformat.reads(text, as_version=4)
    assert [c.id for c in notebook.cells] == [f"cell-{k:02d}" for k in range(len(notebook.cells))]
    assert all(c.execution_count for c in notebook.cells if c.cell_type == "code"), "saved without outputs"


def test_nbval_sees_one_changed_digit(root, tmp_path):
    for name in ("params", "data", "notebooks"):
        shutil.copytree(root / name, tmp_path / name)
    path = tmp_path / "notebooks" / "calibrate.ipynb"
    text = path.read_text(encoding="utf-8")
    assert "0.994118" in text
    path.write_text(text.replace("0.994118", "0.994119"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path), str(path)],
                          cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert done.returncode == 1 and "0.994119" in done.stdout, done.stdout[-2000:]
