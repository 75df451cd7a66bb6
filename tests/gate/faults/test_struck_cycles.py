"""A cycle that is killed, that finds the disk full, a second one beside it, a clock that jumps, files that were spoiled:
what readers find is whole, nothing acknowledged is lost, and the next cycle makes of it what an undisturbed one does.

``SIIQ_STRIKES=1000`` strikes at every moment there is; by default at some, evenly spread.
"""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from siiq_core.errors import LedgerDamaged, LedgerError
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import kept
from siiq_core.gate.place import checkpoint_at, ledger_at, remembered
from tests.gate.village import Publisher, Village

STRIKES = int(os.environ.get("SIIQ_STRIKES", 30))


@pytest.fixture
def program(root, tmp_path):
    """struck.py; its answers, one a line."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("reads the names of open files from /proc")

    def answers(*arguments) -> list[dict]:
        environment = {**os.environ, "PYTHONPATH": str(root)}
        done = subprocess.run([sys.executable, str(Path(__file__).with_name("struck.py")), arguments[0], str(tmp_path), *map(str, arguments[1:])], stdout=subprocess.PIPE, text=True, env=environment)
        assert done.returncode == 0
        return [json.loads(line) for line in done.stdout.splitlines()]

    return answers


@pytest.mark.parametrize("how", ["killed", "full"])
def test_struck_at_every_moment(how, program):
    said, *points = program(how, STRIKES if how == "killed" else STRIKES // 2)
    assert said["total"] >= 200 and said["changed"] and len(points) == min(said["total"], STRIKES if how == "killed" else STRIKES // 2)
    for x in points:
        if how == "killed":  # sources are read at once: where two make one folder, a cycle has a moment more or less, and the last ones may not come
            assert x["killed"] or (x["point"] > said["total"] - 4 and x["found"] == "after"), x
        else:  # a refusal by name, or nothing was to be written
            assert x["code"] in (0, 10), x
        assert x["found"] in ("before", "after") and not x["lost"], x
        assert x["again"] == 0 and x["same"] and x["replay"] and x["site"] and not x["left"], x
    assert {x["found"] for x in points} == {"before", "after"}


def test_two_at_once(program):
    for x in program("two"):
        assert x == {"codes": [0, 0], "same": True, "site": True, "entries": 3, "replay": True}  # two cycles, one publication


@pytest.fixture(scope="module")
def settled(root, tmp_path_factory):
    publisher = Publisher()
    made = Village(root, tmp_path_factory.mktemp("settled"), publisher, sources=("aider",))
    made.turn()
    yield made
    publisher.close()


@pytest.fixture
def village(root, tmp_path, settled):
    return Village(root, tmp_path, settled.world.publishers["aider"], settled, sources=("aider",))


def test_a_clock_that_goes_back_is_refused_and_nothing_moves(village):
    village.scores["aider-polyglot"]["nova-1"] = 0.305
    before, now = village.public, village.pace.moment
    village.serve()
    village.pace.moment -= datetime.timedelta(hours=2)
    with pytest.raises(LedgerError, match="the clock has gone back"):
        village.update()
    assert village.public == before
    village.pace.moment = now
    assert village.turn() == 0 and village.public["nova-1/aider-polyglot"] == 0.305


def test_a_clock_that_jumps_ahead_and_comes_back(village):
    """A hold is not released by the jump; until the clock has come to where it was, nothing is written."""
    village.scores["aider-polyglot"]["nova-1"] = 0.45
    village.turn()
    now = village.pace.moment
    village.turn(24 * 400)
    assert ("held", "U3a", "nova-1/aider-polyglot") in village.stands and {x[:2] for x in village.stands} >= {("reported", "U10")}
    village.pace.moment = now
    before = kept(remembered(village.root)[0])
    with pytest.raises(LedgerError):
        village.turn()
    assert kept(remembered(village.root)[0]) == before


def test_a_ledger_line_that_was_cut_off_was_never_acknowledged(village):
    """What stands after the last line end is put aside, and the cycle is made again."""
    village.scores["aider-polyglot"]["nova-1"] = 0.305
    path, before = ledger_at(village.root), ledger_at(village.root).read_bytes()
    village.turn()
    undisturbed = kept(remembered(village.root)[0])
    whole = path.read_bytes()
    for left in (1, 40, len(whole) - len(before) - 1):
        path.write_bytes(whole[: len(before) + left])
        assert village.update() == 0 and kept(remembered(village.root)[0]) == undisturbed and path.read_bytes() == whole
        (aside,) = path.parent.glob("ledger.torn-*")
        assert aside.read_bytes() == whole[len(before): len(before) + left]
        aside.unlink()


def test_a_line_within_that_was_altered_stops_everything(village):
    village.turn()
    path = ledger_at(village.root)
    content = path.read_bytes()
    checkpoint_at(village.root).unlink()
    path.write_bytes(content.replace(b'"score"', b'"scare"', 1) if b'"score"' in content else content.replace(b"0.3,", b"0.9,", 1))
    with pytest.raises(LedgerDamaged):
        village.turn()


@pytest.mark.parametrize("spoil", [lambda c: b"", lambda c: c[: len(c) // 2], lambda c: c[:500] + b"x" + c[501:], lambda c: b"\xff" * 100, lambda c: c + b"more", None],
                         ids=["empty", "half", "a letter", "no text", "longer", "gone"])
def test_a_damaged_checkpoint_costs_time_only(spoil, village):
    memory, head = remembered(village.root)
    path = checkpoint_at(village.root)
    path.write_bytes(spoil(path.read_bytes())) if spoil else path.unlink()
    again, there = remembered(village.root)
    assert kept(again) == kept(memory) and there == head
    assert village.turn() == 0 and checkpoint_at(village.root).stat().st_size > 1000


def test_a_checkpoint_of_another_ledger_is_none(village):
    """An older copy of the ledger beside a newer checkpoint: what the checkpoint knows beyond it does not count."""
    older = ledger_at(village.root).read_bytes()
    known = kept(remembered(village.root)[0])
    village.scores["aider-polyglot"]["nova-1"] = 0.305
    village.turn()
    ledger_at(village.root).write_bytes(older)
    assert kept(remembered(village.root)[0]) == known
    assert village.update() == 0 and village.public["nova-1/aider-polyglot"] == 0.305 and Ledger.open(ledger_at(village.root)).verify().n
