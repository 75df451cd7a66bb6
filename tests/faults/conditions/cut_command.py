"""Whole commands that are struck, kernels and builders with them: `python cut_command.py killed|full COMMAND FOLDER POINTS`.

COMMAND: fetch, calibrate or score, over what it made with another λ; or book, drawn by Sphinx in three
languages over an earlier one. Every Python process of the command counts its calls below the output folder into one file
(sitecustomize.py, which Python reads when it starts), and a power cut ends all of them.
A line of JSON for each point, as cut.py prints them. Slow: each point is two runs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.faults.conditions.cut import ROOT, contents
from tests.faults.conditions.strikes import points

from siiq_core import pipeline

START = "import runpy, os\nif 'SIIQ_STRIKE' in os.environ:\n    runpy.run_path({strikes!r})['from_environment']()\n"
BOOK = """
import json, sys
sys.path[:0] = [{tests!r}, {tests!r} + "/book"]
from pathlib import Path
from siiq_core.errors import SiiqError
from siiq_core.publish.bookbuild import build_book
here = Path.cwd()
index = json.loads((here / "_build" / "run" / "index.json").read_text(encoding="utf-8"))
try:
    build_book(index, here / "_build" / "run", here / "_build" / "html", here, "https://example.org/siiq", lambda text: None)
except SiiqError as error:
    print(f"siiq: refused: {{error}}", file=sys.stderr)
    sys.exit(1)
"""


class Command:
    """A command in a project of its own."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        start = folder / "start"
        start.mkdir()
        (start / "sitecustomize.py").write_text(START.format(strikes=str(Path(__file__).with_name("strikes.py"))), encoding="utf-8")
        self.paths = os.pathsep.join((str(start), str(ROOT)))
        self.before = folder / "before"
        self.before.mkdir()
        if name == "book":
            self._books()
        else:
            for part in ("params", "data", "notebooks"):
                shutil.copytree(ROOT / part, self.before / part, ignore=shutil.ignore_patterns("live", "snapshots", "ledger*"))
            self._runs()

    def _runs(self) -> None:
        """A run folder in which the stages before were done anew, and this one with another λ."""
        stages = (pipeline.fetch, pipeline.calibrate, pipeline.score)[: ("fetch", "calibrate", "score").index(self.name) + 1]
        for changes, upto in (({"lam": 0.2}, stages), ({}, stages[:-1])):
            run = pipeline.prepare(changes, str(self.before / "_build" / "run"), self.before)
            for stage in upto:
                stage(run).save()

    def _books(self) -> None:
        from made_up import copy_book, made_up_index, write_run

        copy_book(ROOT, self.before)
        write_run(self.before / "_build" / "run", made_up_index(ROOT))
        self._call(self.before, [], None)
        shutil.rmtree(self.before / "_build" / "run")
        write_run(self.before / "_build" / "run", made_up_index(ROOT, {("nova-9", "sums"): 0.41}, "1.0.1"))

    @property
    def output(self) -> str:
        return "_build" if self.name == "book" else "_build/run"

    def run(self, here: Path, strike: str | None = None) -> subprocess.CompletedProcess[str]:
        """The command in the project at `here`."""
        return self._call(here, [] if self.name == "book" else [self.name], strike)

    def _call(self, here: Path, words: list[str], strike: str | None) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SIIQ_")} | {"PYTHONPATH": self.paths, "SIIQ_ROOT": str(here)}
        command = [sys.executable, "-m", "siiq_core.cli", *words] if words else [sys.executable, "-c", BOOK.format(tests=str(ROOT / "tests"))]
        return subprocess.run(command, cwd=here, env=environment | ({"SIIQ_STRIKE": strike} if strike else {}), capture_output=True, text=True, timeout=900)

    def made(self, here: Path) -> dict[str, str]:
        """What counts of the output: the site, or the run's files without the executed notebooks, which hold times."""
        return contents(here / "_build" / "html") if self.name == "book" else {k: v for k, v in contents(here / "_build" / "run").items() if not k.endswith(".ipynb")}

    def names(self, here: Path) -> set[str]:
        """Names of all files of the output, the builder's own working folder aside."""
        return {x for x in contents(here / self.output) if not x.startswith(".html-work/")}


def main(how: str, name: str, folder: Path, most: int) -> None:
    command = Command(name, folder)
    count = folder / "count"

    def struck(point: int, how: str, here: Path) -> subprocess.CompletedProcess[str]:
        count.unlink(missing_ok=True)
        return command.run(here, f"{how},{point},{here / command.output},{count}")

    whole = shutil.copytree(command.before, folder / "whole")
    done = struck(0, "count", whole)
    assert done.returncode == 0, done.stderr
    total, old, new, names = count.stat().st_size, command.made(command.before), command.made(whole), command.names(whole)
    print(json.dumps({"stage": name, "total": total, "changed": old != new}), flush=True)
    for point in points(total, most):
        here = shutil.copytree(command.before, folder / "here")
        done = struck(point, how, here)
        found = command.made(here)
        readable = all(found.get(x) in (old.get(x), new.get(x)) for x in {*old, *new})
        state = "old" if found == old else "new" if found == new else "mixed" if name != "book" and readable else "torn"
        again = command.run(here)
        made = command.made(here)
        print(json.dumps({"stage": name, "point": point, "killed": done.returncode < 0, "said": (done.stderr.strip().splitlines() or [""])[-1] if done.returncode > 0 else "",
                          "found": state, "same": again.returncode == 0 and made == new, "left": sorted(command.names(here) - names),
                          "off": sorted(x for x in new if made.get(x) != new[x])[:5]}), flush=True)
        shutil.rmtree(here)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
