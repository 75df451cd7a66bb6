"""Entrance: a published index that somebody else hands on, read by `siiq verify`."""

import json
import sys

import pytest

from siiq_core import cli
from siiq_core.verify import verify, verify_file
from siiq_core.verify.reading import canonical_bytes, digest
from tests.verify.conftest import load_case, make_index

HOSTILE = "\x1b[2J\u202e<img src=x onerror=alert(1)>\x9b31m"


@pytest.fixture(scope="module")
def made():
    return make_index(load_case("falling-benchmark"))


@pytest.fixture
def published(made, tmp_path):
    def write(index):
        (tmp_path / "index.json").write_bytes(canonical_bytes(index | {"digest": digest(index)}))
        (tmp_path / "calibration_inputs.csv").write_bytes(made[1])
        return tmp_path / "index.json"
    return write


def copy_of(made):
    return json.loads(json.dumps(made[0]))


def test_every_truncation_fails_and_none_breaks_the_reader(made, published):
    """Kind 23: a download that ended early."""
    path = published(copy_of(made))
    content = path.read_bytes()
    assert verify_file(path).passed
    for length in range(0, len(content), len(content) // 60):
        path.write_bytes(content[:length])
        assert not verify_file(path).passed


@pytest.mark.parametrize("key", ["slug", "name"])
def test_hostile_text_of_an_index_acts_in_no_terminal(made, published, key, monkeypatch, capsys):
    """Kind 24: with a number that is off, so that the model is named."""
    index = copy_of(made)
    index["models"][0][key] = HOSTILE
    index["models"][0]["theta"] = 9.0
    monkeypatch.setattr(sys, "argv", ["siiq", "verify", str(published(index))])
    with pytest.raises(SystemExit) as left:
        cli.main()
    shown = capsys.readouterr()
    assert left.value.code == 1 and "FAILED" in shown.out
    assert not [c for c in shown.out + shown.err if not c.isprintable() and c != "\n"]


@pytest.mark.parametrize(("kind", "alter"), [
    (1, lambda x: x["models"].append(x["models"][0])),
    (1, lambda x: x["benchmarks"].append(x["benchmarks"][0])),
    (1, lambda x: x["models"][0]["results"].append(x["models"][0]["results"][0])),
    (2, lambda x: x["models"][0]["results"][0].update(score=62.0)),
    (2, lambda x: x["benchmarks"][0].update(g=25)),
    (4, lambda x: x["models"][0]["results"][0].update(score=None)),
    (4, lambda x: x["benchmarks"][0].update(n=0)),
    (6, lambda x: x["models"][0].pop("results")),
    (6, lambda x: x.pop("constants")),
    (11, lambda x: x["models"][0].update(theta="0,71")),
    (21, lambda x: x.update(models=[])),
    (21, lambda x: x.update(benchmarks=[])),
    (21, lambda x: x.clear()),
    (24, lambda x: x["models"][0]["results"][0].update(benchmark="../../x")),
    (25, lambda x: x["models"][0].update(theta=10**400)),
    (25, lambda x: x.update(models=x["models"] * 50)),
])
def test_an_index_that_cannot_be_fails_a_check(made, kind, alter):
    index = copy_of(made)
    alter(index)
    inputs = tuple((s, b, float(x)) for s, b, x in (row.split(",") for row in made[1].decode().splitlines()[1:]))
    report = verify(index | {"digest": digest(index)}, inputs)
    assert not report.passed and [c for c in report.checks if not c.passed and c.notes]
