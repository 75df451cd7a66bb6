"""params/faults.yml: every kind has its tests, every test it names is one that runs, and what cannot be a table is refused."""

import ast
from pathlib import Path

import pytest
import yaml

from siiq_core.errors import ParameterError
from siiq_core.params.faults import load_faults

NEEDS = {"shared_sources", "browser", "page", "chromium"}  # fixtures of what a clone may lack: tests that ask for one may be skipped
SKIPS = {"skip", "skipif", "xfail", "importorskip"}


@pytest.fixture(scope="module")
def faults(root):
    return load_faults(root)


def functions_of(path: Path) -> dict[str, bool]:
    """Test functions of a file as pytest collects them → may it be passed over?"""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    whole = any(isinstance(node, ast.Assign) and any(isinstance(x, ast.Name) and x.id == "pytestmark" for x in node.targets) and may_skip(node) for node in tree.body)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    return {name: whole or may_skip(node) or bool(NEEDS & {x.arg for x in node.args.args}) for name, node in functions.items()}


def may_skip(node: ast.AST) -> bool:
    return any(isinstance(x, ast.Attribute) and x.attr in SKIPS for x in ast.walk(node))


def test_every_kind_has_a_test_and_every_entrance_a_kind(faults):
    assert all(kind.tests for kind in faults.kinds)
    assert {e for kind in faults.kinds for e in kind.tests} == set(faults.entrances)


def test_every_test_that_is_named_exists_and_is_never_skipped(faults, root):
    known = {file: functions_of(root / file) for file in {x.partition("::")[0] for x in faults.named} if (root / file).is_file()}
    missing = sorted(x for x in faults.named if x.partition("::")[2] not in known.get(x.partition("::")[0], {}))
    assert not missing, "no such test"
    assert not sorted(x for x in faults.in_cells if known[x.partition("::")[0]][x.partition("::")[2]]), "may be skipped, so it shows nothing"


def test_none_of_them_needs_what_a_clone_may_lack(faults, request):
    """Through fixtures of fixtures too; of those tests that are collected beside this one."""
    here = {f"{Path(x.nodeid.partition('::')[0]).as_posix()}::{x.originalname}": x for x in request.session.items if hasattr(x, "originalname")}
    assert not sorted(name for name in faults.in_cells & set(here) if NEEDS & set(here[name].fixturenames))


def test_what_may_be_skipped_is_seen(tmp_path):
    """The look itself: a mark, a mark of the whole file, a call inside, a fixture that skips; and what is none of these."""
    path = tmp_path / "test_x.py"
    path.write_text("import pytest\n@pytest.mark.skipif(True, reason='')\ndef test_a(): pass\ndef test_b():\n    pytest.skip('no')\n"
                    "def test_c(shared_sources): pass\n@pytest.mark.parametrize('x', [1])\ndef test_d(x): pass\ndef helper(): pass\n", encoding="utf-8")
    assert functions_of(path) == {"test_a": True, "test_b": True, "test_c": True, "test_d": False}
    path.write_text("import pytest\npytestmark = pytest.mark.xfail\ndef test_a(): pass\n", encoding="utf-8")
    assert functions_of(path) == {"test_a": True}


@pytest.mark.parametrize(("alter", "said"), [
    (lambda x: x["kinds"].pop(), "at least 25"),
    (lambda x: x["kinds"][3].update(id="duplicates"), "kind stands twice: duplicates"),
    (lambda x: x["kinds"][0]["tests"].update(nowhere=["tests/a/test_a.py::test_a"]), "kinds.0.tests.nowhere"),
    (lambda x: x["kinds"][0].update(tests={}), "kinds.0.tests"),
    (lambda x: x["kinds"][0]["tests"].update(files=[]), "kinds.0.tests.files"),
    (lambda x: x["kinds"][0]["tests"].update(files=["tests/a/test_a.py::test_a"] * 2), "a test stands twice at files"),
    (lambda x: x["kinds"][0]["tests"].update(files=["tests/a/test_a.py::test_a[1]"]), "file::function|should match"),
    (lambda x: x["entrances"].remove("files"), "no such entrance: files"),
    (lambda x: x.update(fuzzing=[{"target": "ledger", "executions": 10, "minutes": 1, "finds": 1, "mended": 2, "note": {"en": "a", "de": "b", "es": "c"}}]), "more mended than found"),
    (lambda x: x.update(conditions=[{"id": "no_home", "name": {"en": "a", "de": "b", "es": "c"}, "outcome": {"en": "a", "de": "b"}, "test": "tests/a/test_a.py::test_a"}]), "conditions.0.outcome.es"),
])
def test_what_cannot_be_a_table_is_refused(root, tmp_path, alter, said):
    values = yaml.safe_load((root / "params" / "faults.yml").read_text(encoding="utf-8"))
    alter(values)
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "faults.yml").write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    with pytest.raises(ParameterError, match=said):
        load_faults(tmp_path)
