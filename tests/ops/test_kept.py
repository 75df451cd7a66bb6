"""ops/kept.sh on repositories of its own: what one run kept is what the next one finds, and nothing is ever taken back."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from siiq_core.gate.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (shutil.which("bash") and shutil.which("git")), reason="no bash or git here")
AT = "2026-08-01T09:00:00Z"


def environment(home: Path) -> dict[str, str]:
    """Nothing of this machine's git settings."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "SIIQ_"))}
    return {**plain, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, env=environment(folder), check=True, capture_output=True, text=True).stdout.strip()


def kept(machine: Path, what: str) -> tuple[int, str]:
    done = subprocess.run([str(machine / "ops" / "kept.sh"), what], cwd=machine.parent, env=environment(machine), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def machines(tmp_path):
    """A function that gives a fresh machine with a shallow clone, as a runner has it, of one repository."""
    origin, first = tmp_path / "origin.git", tmp_path / "first"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(first))
    (first / "ops").mkdir()
    shutil.copy(ROOT / "ops" / "kept.sh", first / "ops" / "kept.sh")
    shutil.copy(ROOT / ".gitignore", first / ".gitignore")
    git(first, "add", "-A")
    git(first, "commit", "--quiet", "-m", "project")
    git(first, "push", "--quiet", str(origin), "main")

    def fresh(name: str) -> Path:
        git(tmp_path, "clone", "--quiet", "--depth", "1", origin.as_uri(), name)
        return tmp_path / name

    return fresh


def cycle(machine: Path, count: int = 1) -> Ledger:
    """What an update makes: entries, an archived file, a site."""
    ledger = Ledger.open(machine / "data" / "ledger.jsonl")
    with ledger.writing():
        for _ in range(count):
            n = ledger.append("entry", AT, {"größe": 1}).n
    for name in (f"data/snapshots/files/{n}.gz", "_build/html/index.html", "data/live/.lock", "_build/run/index.json"):
        path = machine / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\r\n\x00" + str(n).encode())
    return ledger


def test_what_one_machine_kept_the_next_one_finds(machines):
    one = machines("one")
    assert kept(one, "restore") == (0, "kept: origin has no branch kept yet; the first store makes it\n")
    assert kept(one, "store") == (0, "kept: nothing to keep\n")
    ledger = cycle(one)
    assert kept(one, "store")[0] == 0 and kept(one, "store") == (0, "kept: nothing new\n")
    for n in (2, 3):
        machine = machines(f"machine {n}")
        assert kept(machine, "restore")[0] == 0
        before = Ledger.open(machine / "data" / "ledger.jsonl")
        assert before.verify() == ledger.head and before.head.n == n - 1
        assert (machine / "data/snapshots/files/1.gz").read_bytes() == b"\r\n\x001" and (machine / "_build/html/index.html").is_file()
        assert not (machine / "data/live/.lock").exists() and not (machine / "_build/run").exists()
        ledger = cycle(machine)
        assert kept(machine, "store")[0] == 0
        assert git(machine, "status", "--porcelain") == "" and git(machine, "branch", "--show-current") == "main"
    assert git(one, "ls-remote", "--heads", "origin").count("\n") == 1
    git(one, "fetch", "--quiet", "origin", "kept")
    assert git(one, "rev-list", "--count", "FETCH_HEAD") == "3"


def test_of_two_that_started_from_the_same_one_is_refused(machines):
    one = machines("one")
    kept(one, "restore"), cycle(one), kept(one, "store")
    two, three = machines("two"), machines("three")
    for count, machine in ((1, two), (2, three)):
        kept(machine, "restore"), cycle(machine, count)
    assert kept(two, "store")[0] == 0
    code, said = kept(three, "store")
    assert code == 1 and "was not pushed" in said and "Remedy" in said
    late = machines("late")
    cycle(late)  # without a restore first
    assert kept(late, "store")[0] == 1


@pytest.mark.parametrize("spoil", [lambda x: x[:-9], lambda x: b"", lambda x: x.replace(b'"n":1', b'"n":7'), None])
def test_a_ledger_that_lost_or_altered_a_line_is_not_stored(spoil, machines):
    one = machines("one")
    kept(one, "restore"), cycle(one, 3), kept(one, "store")
    path = one / "data" / "ledger.jsonl"
    path.write_bytes(spoil(path.read_bytes())) if spoil else path.unlink()
    (one / "_build" / "html" / "index.html").write_bytes(b"new")
    code, said = kept(one, "store")
    assert code == 1 and "does not begin with the ledger kept before" in said
    other = machines("other")
    assert kept(other, "restore")[0] == 0 and Ledger.open(other / "data" / "ledger.jsonl").verify().n == 3


def test_a_line_that_was_torn_when_stored_is_no_loss(machines):
    """A machine that stores while a cycle writes; the cycle is killed, and the next one cuts off what it left."""
    one = machines("one")
    kept(one, "restore")
    ledger = cycle(one)
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole + b'{"at":"2026')
    assert kept(one, "store")[0] == 0
    cycle(one)
    assert ledger.verify().n == 2 and kept(one, "store")[0] == 0


def test_a_ledger_that_is_here_already_is_not_written_over(machines):
    one, two = machines("one"), machines("two")
    kept(one, "restore"), cycle(one), kept(one, "store")
    ledger = cycle(two, 2)
    code, said = kept(two, "restore")
    assert code == 1 and "is here already" in said and ledger.verify().n == 2
    assert kept(one, "restore")[0] == 0  # the same one is no other


def test_a_remote_out_of_reach_is_not_a_first_time(machines, tmp_path):
    one = machines("one")
    kept(one, "restore"), cycle(one), kept(one, "store")
    (tmp_path / "origin.git").rename(tmp_path / "away.git")
    code, said = kept(one, "restore")
    assert code == 1 and "cannot be asked" in said
    cycle(one)
    assert kept(one, "store")[0] == 1
    (tmp_path / "away.git").rename(tmp_path / "origin.git")
    assert kept(one, "store")[0] == 0  # nothing was lost by the failure


def test_usage(machines):
    assert kept(machines("one"), "delete")[0] == 2
