"""Stages and a publication that are struck at every moment: `python cut.py killed|full|killed,full stages|book FOLDER POINTS`.

stages: the files of fetch, calibrate and score, of the shipped data, over those of an earlier run.
book: all of a publication but the drawing of pages, which are ready-made: data, releases, description, the swap.

A line of JSON for each point: what the child came to, what stands there afterwards, and whether the next run makes of it
what an undisturbed one does. Each child is a fork, in a copy of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from tests.faults.conditions.strikes import points, strike

from siiq_core import pipeline
from siiq_core.errors import PublicationError, SiiqError
from siiq_core.files import sha256
from siiq_core.notebooks import clear_left_overs
from siiq_core.publish import bookbuild, check

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "book")]

Work = Callable[[Path], None]


def contents(folder: Path) -> dict[str, str]:
    """Every file below a folder, by its SHA-256."""
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".siiq.lock"}


def child_of(how: str, point: int, where: Path, work: Work) -> tuple[bool, str, int]:
    """Work that is struck, in a fork: was it killed, what did it say, how many moments were there."""
    reading, telling = os.pipe()
    child = os.fork()
    if not child:
        tell = os.write
        passed = strike(how, point, str(where))
        said = ""
        try:
            work(where)
        except SiiqError as error:
            said = str(error)
        except BaseException as error:  # no refusal by name: the test says so
            said = f"not named: {error!r}"
        tell(telling, json.dumps([said, passed[0]]).encode())
        os._exit(0)
    os.close(telling)
    with os.fdopen(reading) as stream:
        told = stream.read()
    killed = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    said, passed = json.loads(told) if told else ("", 0)
    return killed, said, passed


def struck(hows: str, name: str, before: Path, work: Work, look: Callable[[Path], str], folder: Path, most: int) -> None:
    """Strike `work`, begun in a copy of `before`, at its moments, in each of the ways; `look` says what is found afterwards."""
    whole = shutil.copytree(before, folder / "whole")
    _, said, total = child_of("count", 0, whole, work)
    assert not said, said
    after = contents(whole)
    print(json.dumps({"stage": name, "total": total, "changed": after != contents(before)}), flush=True)
    for how, point in ((how, point) for how in hows.split(",") for point in points(total, most)):
        here = shutil.copytree(before, folder / "here")
        killed, said, _ = child_of(how, point, here, work)
        found = look(here)
        work(here)
        again = contents(here)
        print(json.dumps({"stage": name, "how": how, "point": point, "killed": killed, "said": said, "found": found, "same": again == after,
                          "left": sorted(set(again) - set(after)), "off": sorted(x for x in after if again.get(x) != after[x])[:5]}), flush=True)
        shutil.rmtree(here)
    shutil.rmtree(whole)


def stages(how: str, folder: Path, most: int) -> None:
    """fetch, calibrate, score: what they hand over is computed once; what is struck is how it comes into the run folder."""
    made: dict[str, dict[str, bytes]] = {"old": {}, "new": {}}
    for state, changes in (("old", {"lam": 0.2}), ("new", {})):
        run = pipeline.prepare(changes, str(folder / state), ROOT)
        for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
            outcome = stage(run)
            outcome.save()
            made[state][stage.__name__] = outcome.files
    before = shutil.copytree(folder / "old", folder / "before")
    for stage, files in made["new"].items():
        digests = [{name: sha256(made[state][stage][name]) for name in files} for state in ("old", "new")]

        def work(here: Path, files: dict[str, bytes] = files) -> None:
            clear_left_overs(here)
            pipeline.Outcome(pipeline.Run(ROOT, here, None), None, files).save()

        def look(here: Path, digests: list[dict[str, str]] = digests) -> str:
            """Old or new as a whole; mixed, which the book refuses; or torn: a file that is neither."""
            found = {name: sha256((here / name).read_bytes()) for name in digests[0]}
            if found in digests:
                return ("old", "new")[digests.index(found)]
            if any(found[name] not in (x[name] for x in digests) for name in found):
                return "torn"
            try:
                bookbuild.build_book_from_run(here, folder / "no site", ROOT, lambda text: None)
            except PublicationError as error:
                return "mixed, refused" if "changed since the run" in str(error) else f"mixed: {error}"
            return "mixed, taken"

        struck(how, stage, before, work, look, folder, most)
        shutil.rmtree(before)
        before.mkdir()
        for made_by, content in made["old"].items():  # the stages before are done when this one runs
            for name, x in {**content, **(made["new"][made_by] if list(made["new"]).index(made_by) <= list(made["new"]).index(stage) else {})}.items():
                (before / name).write_bytes(x)


def book(how: str, folder: Path, most: int) -> None:
    """A publication over an earlier one, of made-up indexes."""
    from made_up import copy_book, made_up_index, write_run

    before = folder / "before"
    before.mkdir()
    copy_book(ROOT, before)
    indexes = {"old": made_up_index(ROOT), "new": made_up_index(ROOT, {("nova-9", "sums"): 0.41}, "1.0.1")}
    runs = {state: write_run(folder / "runs" / state, index) for state, index in indexes.items()}

    def pages(site, texts, shared, work, fresh, progress):  # noqa: ANN001
        for lang in ("en", "de", "es"):
            (fresh / lang).mkdir()
            for name in ("index", "ranking"):
                (fresh / lang / f"{name}.html").write_text(f"<p>{lang} {site.index['method_version']}</p>", encoding="utf-8")
        return ["index", "ranking"]

    bookbuild._make_pages = pages
    check.check_html = lambda *arguments: ["index", "ranking"]

    def work(here: Path, state: str = "new") -> None:
        bookbuild.build_book(indexes[state], runs[state], here / "_build" / "html", here, "https://example.org/siiq", lambda text: None)

    work(before, "old")
    site = {"old": contents(before / "_build" / "html")}
    whole = shutil.copytree(before, folder / "once")
    work(whole)
    site["new"] = contents(whole / "_build" / "html")

    def look(here: Path) -> str:
        """The site that readers find, and whether its index follows from itself and its files are those it lists."""
        found = here / "_build" / "html"
        if not found.is_dir():
            return "nothing"
        for state, files in site.items():
            if contents(found) == files:
                listed = {x["path"]: x["hash"].removeprefix("sha256:") for x in json.loads((found / "data" / "datapackage.json").read_text(encoding="utf-8"))["resources"]}
                sound = all(sha256((found / "data" / name).read_bytes()) == digest for name, digest in listed.items())
                return state if sound and listed else f"{state}, unlike its description"
        return "torn"

    struck(how, "book", before, work, look, folder, most)


if __name__ == "__main__":
    how, what, where, most = sys.argv[1:]
    {"stages": stages, "book": book}[what](how, Path(where), int(most))
