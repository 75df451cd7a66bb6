"""`siiq gate` within this process, on a project that holds params/ and a ledger made from a scenario."""

import shutil
from dataclasses import dataclass

import pytest

from siiq_core import cli
from siiq_core.evidence.live import waiting
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.place import ledger_at
from tests.gate.ledgers import case_of, ledger_of

BY = ("--who", "A. Reviewer", "--why", "the publisher says so")


@dataclass
class Done:
    code: int
    out: str
    err: str


@dataclass
class Desk:
    """A project's folder and its command line, at a stated time."""

    root: object
    run: object
    case: dict

    def __call__(self, *words):
        return self.run("gate", *words)

    @property
    def entries(self):
        return list(Ledger.open(ledger_at(self.root)).entries())


@pytest.fixture
def desk(root, tmp_path, monkeypatch, capsys):
    """desk(scenario, cycles, now) → Desk; without a scenario there is no ledger."""
    def run(*words):
        monkeypatch.setattr("sys.argv", ["siiq", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            cli.main()
        said = capsys.readouterr()
        return Done(end.value.code or 0, said.out, said.err)

    def make(name="", cycles=None, now="2026-12-01T00:00:00Z"):
        shutil.copytree(root / "params", tmp_path / "params")
        monkeypatch.setenv("SIIQ_ROOT", str(tmp_path))
        monkeypatch.setattr(waiting, "system_clock", lambda: type("At", (), {"stamp": lambda self: now})())
        case = name if isinstance(name, dict) else case_of(name) if name else {}
        if case:
            ledger_of(tmp_path, case, cycles)
        return Desk(tmp_path, run, case)

    return make
