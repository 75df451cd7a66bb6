"""A whole cycle that is struck: killed before any of its calls to the system, or refused by a full disk at any of them.

    python struck.py killed FOLDER POINTS      the process ends at so many points of the cycle, evenly spread
    python struck.py full FOLDER POINTS        from such a point on the disk takes nothing more
    python struck.py two FOLDER                two of them at once

For each point a line of JSON: what the child came to, what readers find afterwards, and whether the next cycle made of it
what an undisturbed one does. One process makes the village; every child is a fork of it, in a copy of its own.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import shutil
import sys
from pathlib import Path

from siiq_core.errors import SiiqError
from siiq_core.files import canonical_bytes, sha256, unwritable
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import kept, replayed
from siiq_core.gate.place import checkpoint_at, ledger_at, remembered
from siiq_core.params import loader
from siiq_core.publish import swap
from tests.faults.conditions.strikes import points, strike
from tests.gate.village import Publisher, Village

ROOT = Path(__file__).resolve().parents[3]
loader.parse_yaml = functools.cache(loader.parse_yaml)  # the same parameters in hundreds of cycles
SOURCES = ("epoch", "aider", "bfcl")  # who is asked: enough for two hundred moments


def publish(root: Path) -> None:
    """A site of two files that say the same, swapped in as a whole folder, as the book is."""
    state = remembered(root)[0].state
    content = canonical_bytes({"version": state.publication.version, "results": {"/".join(k): x.value.score for k, x in sorted(state.published.items())}})
    fresh, site = (root / "_build" / name for name in ("aside", "html"))
    swap.repair(site)
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        (fresh / "data").mkdir(parents=True)
        for name in ("index.json", "copy.json"):
            (fresh / "data" / name).write_bytes(content)
    except OSError as error:  # as the builder of the book does
        raise unwritable(fresh.name, error) from error
    swap.swap(fresh, site)


def cycle(village: Village) -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        return village.update(publish)


def lines(root: Path) -> list[bytes]:
    """Acknowledged lines of the ledger."""
    return [x for x in ledger_at(root).read_bytes().splitlines(keepends=True) if x.endswith(b"\n")]


def site(root: Path) -> str:
    """Digest of what readers find; both files say the same, or it is torn."""
    files = [root / "_build" / "html" / "data" / name for name in ("index.json", "copy.json")]
    contents = {path.read_bytes() for path in files}
    return sha256(contents.pop()) if len(contents) == 1 else "torn"


def ready(folder: Path, publisher: Publisher) -> Village:
    """A village that was published once; since then a value changed, one jumped, and a group is new."""
    first = Village(ROOT, folder / "first", publisher, sources=SOURCES)
    first.pace.sleep(3600)
    assert cycle(first) == 0
    first.scores["gpqa-diamond-epoch"]["nova-3"] += 0.013  # accepted
    first.scores["bfcl"]["nova-2"] = 0.9  # held
    first.scores["aider-polyglot"]["nova-5"] += 0.15  # held
    first.groups["star-1"] = "Star 1"  # gets a slug
    first.serve()
    first.pace.sleep(3600)
    return first


def two(folder: Path) -> None:
    """Two updates at once, three times: what each came to, and what there is afterwards."""
    publisher = Publisher()
    first = ready(folder, publisher)
    whole = Village(ROOT, folder / "whole", publisher, first, sources=SOURCES)
    cycle(whole)
    for k in range(3):
        here = Village(ROOT, folder / f"{k}", publisher, first, sources=SOURCES)
        children = []
        for _ in range(2):
            child = os.fork()
            if not child:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                code = 1
                try:
                    code = cycle(here)
                finally:
                    os._exit(code)
            children.append(child)
        codes = [os.WEXITSTATUS(os.waitpid(child, 0)[1]) for child in children]
        print(json.dumps({"codes": codes, "same": kept(remembered(here.root)[0]) == kept(remembered(whole.root)[0]), "site": site(here.root) == site(whole.root),
                          "entries": Ledger.open(ledger_at(here.root)).verify().n - len(lines(first.root)), "replay": kept(replayed(Ledger.open(ledger_at(here.root)).entries())) == kept(remembered(here.root)[0])}), flush=True)
    publisher.close()


def every_point(how: str, folder: Path, most: int) -> None:
    publisher = Publisher()
    first = ready(folder, publisher)
    before = site(first.root)

    def copy(name: str) -> Village:
        return Village(ROOT, folder / name, publisher, first, sources=SOURCES)

    whole = copy("whole")
    total = _moments(copy("counted"))
    assert cycle(whole) == 0
    undisturbed, after = kept(remembered(whole.root)[0]), site(whole.root)
    said = {"total": total, "changed": before != after, "lines": len(lines(whole.root))}
    print(json.dumps(said), flush=True)
    for point in points(total, most):
        here = copy(f"{point:04d}")
        told = len(lines(here.root))
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            strike(how, point, str(here.root))
            code = 1
            try:
                code = cycle(here)
            except (SiiqError, OSError) as error:
                code = 10 if isinstance(error, SiiqError) else 11
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        acknowledged, found = lines(here.root), site(here.root)
        again = cycle(here)
        ledger = Ledger.open(ledger_at(here.root))
        memory = kept(remembered(here.root)[0])
        checkpoint_at(here.root).unlink()
        print(json.dumps({
            "point": point, "killed": os.WIFSIGNALED(status), "code": None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), "found": {before: "before", after: "after"}.get(found, found),
            "lost": lines(here.root)[: len(acknowledged)] != acknowledged or len(acknowledged) < told, "again": again, "same": memory == undisturbed,
            "replay": kept(replayed(ledger.entries())) == memory, "site": site(here.root) == after, "left": sorted(p.name for p in here.root.rglob("*.aside"))}), flush=True)
        shutil.rmtree(here.root.parent)
    publisher.close()


def _moments(village: Village) -> int:
    """How many there are in a cycle; counted in a fork, so that nothing here is counted later on."""
    reading, telling = os.pipe()
    child = os.fork()
    if not child:
        tell, passed = os.write, strike("count", 0, str(village.root))
        code = cycle(village)
        tell(telling, str(passed[0]).encode())
        os._exit(code)
    os.close(telling)
    with os.fdopen(reading) as stream:
        told = stream.read()
    assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 0
    return int(told)


if __name__ == "__main__":
    if sys.argv[1] == "two":
        two(Path(sys.argv[2]))
    else:
        every_point(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
