"""How long an hourly run takes: `python -m tests.gate.live.speed`. A measurement for people, no test.

The shipped project, all publishers on loopback answering 304, each run a process of its own, first with a young ledger,
then with one of eight months: the hours of the long replay as entries, none of which the run may have to read.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.gate.replay.rehearsal import STARTS, hours, play
from tests.gate.replay.tape import tape
from tests.gate.village import KINDS, SOURCES, Publisher, World, openrouter_export, openrouter_row

from siiq_core.gate.entry import START, Head, make_line, read_line
from siiq_core.gate.place import checkpoint_at, keep, ledger_at

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("SIIQ_SHARED", ROOT.parent / "shared")) / "sources"


def main() -> None:
    publisher = Publisher()
    with tempfile.TemporaryDirectory() as folder:
        project = shipped_project(Path(folder), publisher)
        for what in ("the first hour", "nothing new", "nothing new", "nothing new"):
            run(project, what)
        aged(project)
        for _ in range(3):
            run(project, f"nothing new, ledger of {ledger_at(project).stat().st_size / 1e6:.1f} MB")
        checkpoint_at(project).unlink()
        run(project, "the same without a checkpoint")
    publisher.close()


def shipped_project(folder: Path, publisher: Publisher) -> Path:
    """A project of what ships in `folder`, without a ledger; its publishers on loopback have what ships."""
    project = folder / "project"
    (project / "data").mkdir(parents=True)
    shutil.copytree(ROOT / "data" / "observations", project / "data" / "observations")
    world = World(ROOT, project, dict.fromkeys(SOURCES, publisher))
    for source, files in {"epoch": (SHARED / "epoch" / "2026-07-31").iterdir(), "aider": [SHARED / "aider/2025-10-04/polyglot_leaderboard.yml"], "bfcl": [SHARED / "bfcl/2025-12-16/data_overall.csv"]}.items():
        contents = {path.name: path.read_bytes() for path in sorted(files) if path.is_file()}
        world.serve(source, contents if source == "epoch" else next(iter(contents.values())))
    (folder / "where").write_bytes(pickle.dumps((world.desk.params, world.desk.sources)))
    world.serve("openrouter", openrouter_export(openrouter_row()))
    for source in ("arena", "litellm", "modelsdev"):
        world.serve(source, KINDS[source].content())
    return project


def ledger_of(entries: Iterable[tuple[str, str, Any]]) -> tuple[list[bytes], Head]:
    """The lines of a ledger with these entries, and its head."""
    head, end, lines = START, 0, []
    for kind, at, body in entries:
        line = make_line(head, kind, at, body)
        head = Head(*((entry := read_line(line, end)).n, entry.sha256, end))
        end += len(line)
        lines.append(line)
    return lines, head


def aged(project: Path) -> None:
    """A ledger of eight months and its checkpoint, ending now."""
    shown = tape(ROOT)
    played = play(shown, STARTS["shipped"](shown), hours())
    lines, head = ledger_of(played.entries)
    ledger_at(project).write_bytes(b"".join(lines))
    keep(project, played.remembered, head)


def run(project: Path, what: str) -> None:
    """One process, imports and all, told of."""
    seconds, said = one_process(project)
    print(f"{what:<44} {seconds:6.2f} s, of which work {said.get('work', 0):5.2f} s", said.get("error", ""), flush=True)


def one_process(project: Path) -> tuple[float, dict[str, Any]]:
    """Seconds of one process, and what it said; only where publishers are comes from outside."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # modules are compiled once, as they are where nobody forbids it
    environment["PYTHONPYCACHEPREFIX"] = str(project.parent / "compiled")
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", CHILD, str(project)], capture_output=True, text=True, cwd=project, env=environment)
    return time.perf_counter() - begun, json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {"error": done.stderr[-500:]}


CHILD = """
import json, pickle, sys, time
from pathlib import Path
from siiq_core import cli  # what the command line loads
from siiq_core.commands.update import update
from siiq_core.evidence.live import desk as desks
from siiq_core.evidence.live.network import Network
root = Path(sys.argv[1])
params, sources = pickle.loads((root.parent / "where").read_bytes())
opened = desks.open_desk
desks.open_desk = lambda root: opened(root, params, sources)
code = update(root, lambda text: None, network=Network(only_loopback=True, plain_http=True, resolve=lambda host, port: [host]))
print(json.dumps({"code": code, "work": time.process_time()}))
"""


if __name__ == "__main__":
    main()
