"""Power cuts and full disks at every moment of a stage, of a publication and of whole commands; and the order in which things come to the disk.

``SIIQ_STRIKES=1000`` strikes at every moment there is; by default at some, evenly spread, the last four among them.
A whole cycle of `siiq update` is struck in tests/gate/faults, the archive of live reading in tests/live.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.conditions import strikes

from siiq_core import files
from siiq_core.errors import SiiqError
from siiq_core.publish import swap

HERE = Path(__file__).parent
STRIKES = int(os.environ.get("SIIQ_STRIKES", 0))


@pytest.fixture
def program(root, tmp_path):
    """cut.py or cut_command.py; its answers, by stage: first what there is to strike, then every point."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("reads the names of open files from /proc")

    def answers(name, how, what, most) -> dict[str, list[dict]]:
        (tmp_path / what).mkdir()
        done = subprocess.run([sys.executable, str(HERE / name), how, what, str(tmp_path / what), str(STRIKES or most)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(root)})
        assert done.returncode == 0, done.stderr
        found: dict[str, list[dict]] = {}
        for line in done.stdout.splitlines():
            found.setdefault(json.loads(line)["stage"], []).append(json.loads(line))
        return found

    return answers


def test_stages_and_publication_struck_at_every_moment(program):
    """Every file of a run is the old or the new one, a mixture goes into no book, the site is one whole or the other; the next run gives the undisturbed bytes and clears up."""
    found = program("cut.py", "killed,full", "stages", 10) | program("cut.py", "killed,full", "book", 12)
    assert list(found) == ["fetch", "calibrate", "score", "book"]
    for stage, (said, *points) in found.items():
        assert said["changed"] and said["total"] >= (500 if stage == "book" else 15)
        for x in points:
            assert x["same"] and not x["left"], x
            assert x["found"] in (("old", "new") if stage == "book" else ("old", "new", "mixed, refused")), x
            if x["how"] == "killed":
                assert x["killed"], x
            else:  # refused by name with a remedy, or nothing more was to be written
                assert "Remedy: free some space" in x["said"] and "[file " in x["said"] if x["said"] else x["found"] == "new", x
                assert x["found"] == "old" or "the earlier" not in x["said"], x
        assert {(x["how"], x["found"]) for x in points} >= {(how, state) for how in ("killed", "full") for state in ("old", "new")}


def test_a_whole_command_struck_kernel_and_all(program):
    (said, *points), = program("cut_command.py", "killed", "calibrate", 3).values()
    assert said["total"] >= 15 and said["changed"] and len(points) >= 3
    for x in points:
        assert x["killed"] and x["found"] in ("old", "new", "mixed") and x["same"] and not x["left"], x


def recorded(monkeypatch):
    """What happens on the disk from now on, in order: (call, name)."""
    told = []
    for name in ("fsync", "replace", "rename", "chmod"):
        def call(*arguments, name=name, real=getattr(os, name)):
            first = arguments[0]
            told.append((name, os.path.basename(os.readlink(f"/proc/self/fd/{first}") if isinstance(first, int) else arguments[-1] if name == "replace" else first)))
            return real(*arguments)

        monkeypatch.setattr(os, name, call)
    return told


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads the names of open files from /proc")
def test_a_file_is_on_the_disk_before_it_is_swapped_in_and_its_name_after(tmp_path, monkeypatch):
    """A power cut loses what was not flushed; what a function has returned from is flushed, the names of new folders too."""
    told = recorded(monkeypatch)
    files.replace_all({tmp_path / "new" / "deep" / "a.json": b"a", tmp_path / "new" / "deep" / "b.json": b"b"})
    calls = [(call, name if not name.startswith(".") else name[:7]) for call, name in told]
    assert calls == [("fsync", "new"), ("fsync", tmp_path.name), ("fsync", ".a.json"), ("chmod", ".a.json"), ("fsync", ".b.json"), ("chmod", ".b.json"),
                     ("replace", "a.json"), ("replace", "b.json"), ("fsync", "deep")]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads the names of open files from /proc")
@pytest.mark.parametrize("exchanging", [True, False])
def test_a_site_is_on_the_disk_before_it_is_swapped_in(exchanging, tmp_path, monkeypatch):
    old, fresh = tmp_path / "html", tmp_path / ".html-new"
    for folder in (old, fresh):
        (folder / "en").mkdir(parents=True)
        (folder / "en" / "index.html").write_text(folder.name, encoding="utf-8")
    told, real = recorded(monkeypatch), swap.exchange
    monkeypatch.setattr(swap, "exchange", lambda one, other: (told.append(("exchange", other.name)), exchanging and real(one, other))[1])
    swap.swap(fresh, old)
    place = told.index(("exchange", "html"))
    assert {("fsync", "index.html"), ("fsync", "en"), ("fsync", ".html-new")} <= set(told[:place]) and told[-1] == ("fsync", tmp_path.name)
    assert (old / "en" / "index.html").read_text(encoding="utf-8") == ".html-new" and [x.name for x in tmp_path.iterdir()] == ["html"]


def test_two_folders_change_places_in_one_step(tmp_path):
    """On Linux and macOS; a file system that cannot is answered with two renames."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert not swap.exchange(tmp_path / "one", tmp_path / "nowhere") and (tmp_path / "one" / "one").is_file()
    if not swap.exchange(tmp_path / "one", tmp_path / "other"):
        pytest.skip("this file system cannot")
    assert (tmp_path / "one" / "other").is_file() and (tmp_path / "other" / "one").is_file()


def test_a_refusal_after_the_swap_does_not_claim_that_the_earlier_file_stays(tmp_path, monkeypatch):
    path = tmp_path / "a.json"

    def closed(folder):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(files, "folder_to_disk", closed)
    with pytest.raises(SiiqError, match="is whole, but the disk has not confirmed it.*look at the disk") as refused:
        files.replace_bytes(path, b"new")
    assert path.read_bytes() == b"new" and "earlier" not in str(refused.value)


TMPFS = """
import os, signal, subprocess, sys
from pathlib import Path
here, size = Path(sys.argv[1]), sys.argv[2]
subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(here)], check=True)
from siiq_core.errors import SiiqError
from siiq_core.files import replace_all
replace_all({here / "a.json": b"a" * 20_000, here / "b.json": b"b" * 20_000})
try:
    replace_all({here / "a.json": b"A" * 20_000, here / "b.json": b"B" * 20_000})
except SiiqError as error:
    print(error)
print(*sorted((x.name, x.read_bytes()[:1], x.stat().st_size) for x in here.iterdir()))
"""


def unshared(root, *words):
    """A program in a namespace of mounts of its own; skipped where the system does not allow that."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    environment = {k: v for k, v in os.environ.items() if k != "SIIQ_ROOT"} | {"PYTHONPATH": str(root)}
    return subprocess.run(["unshare", "-m", sys.executable, *words], capture_output=True, text=True, env=environment, timeout=300)


@pytest.mark.parametrize("size", ["48k", "64k"])
def test_a_disk_that_is_really_full(size, root, tmp_path):
    done = unshared(root, "-c", TMPFS, str(tmp_path), size)
    refusal, stands = done.stdout.splitlines()
    assert "No space left on device" in refusal and f"[file {'a' if size == '48k' else 'b'}.json]" in refusal and "Remedy: free some space" in refusal
    assert stands == "('a.json', b'a', 20000) ('b.json', b'b', 20000)"


READ_ONLY = """
import os, subprocess, sys
here = sys.argv[1]
subprocess.run(["mount", "--bind", here, here], check=True)
subprocess.run(["mount", "-o", "remount,ro,bind", here, here], check=True)
os.chdir(here)
from siiq_core.cli import main
sys.argv[1:] = sys.argv[2:]
main()
"""


@pytest.mark.parametrize("words", [("fetch",), ("book",), ("names", "coverage"), ("update", "--no-ask", "--no-publish")], ids=lambda x: x[0])
def test_a_read_only_folder(words, root, project):
    """Even for root: said in one line with the remedy, and no traceback; what only reads goes on."""
    done = unshared(root, "-c", READ_ONLY, str(project), *words)
    assert "Traceback" not in done.stderr, done.stderr
    if words[0] == "names":
        assert done.returncode == 0 and "epoch" in done.stdout, done.stderr
    else:
        assert done.returncode == 1 and "Read-only file system" in done.stderr and "permit writing" in done.stderr, done.stderr


def test_points_are_the_ends_and_some_between():
    assert strikes.points(7, 10) == [1, 2, 3, 4, 5, 6, 7] and strikes.points(100, 3) == [1, 50, 100] and strikes.points(100, 10)[-5:] == [81, 97, 98, 99, 100]
