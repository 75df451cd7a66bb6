"""How long a rebuild takes after one changed result: `python -m tests.performance.rebuild`. A measurement for people, no test.

A copy of the project begins a ledger with what ships, makes the stages and the book of it, then takes one other number of one
model from a publisher, as hourly cycles would: on another day than what ships, an hour after that, and a day later. The
parameters stay as they are (C10). What is made of it is measured, step by step.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BEGIN = datetime(2026, 11, 20, 12, tzinfo=UTC)


def project_in(folder: Path) -> Path:
    """What pages and stages are made from, with a second reader that needs no endpoint; no ledger yet."""
    for name in ("params", "book", "notebooks", "data/observations"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("_config.yml", "_toc.yml"):
        shutil.copyfile(ROOT / name, folder / name)
    checker = folder / "params" / "checker.yml"
    checker.write_text(checker.read_text(encoding="utf-8").replace("\nfitting: none", "\nfitting: literal"), encoding="utf-8")
    return folder


def another_number(root: Path, model: str, benchmark: str, step: float, now: datetime) -> Any:
    """A check of the publishers that found one score changed by `step` of the fraction; what was found is kept as live reading keeps it."""
    from siiq_core.evidence.live.archive_records import Kept, Sighting
    from siiq_core.evidence.live.desk import open_desk
    from siiq_core.evidence.live.judging import judge
    from siiq_core.evidence.live.reading import Content, LiveReport, SourceReport
    from siiq_core.evidence.observations import evidence_id, load_snapshot, snapshots
    from siiq_core.files import sha256
    from siiq_core.gate.place import remembered

    desk, at, state = open_desk(root), now.strftime("%Y-%m-%dT%H:%M:%SZ"), remembered(root)[0].state
    value = state.published[model, benchmark].value
    spec = next(x for x in desk.benchmarks if x.id == benchmark)
    before = desk.content(spec.source, state.sources[spec.source].good.sha256) or load_snapshot(spec.source, snapshots(spec.source, root)[-1], root)
    cell = f"{round(value.score + step, 6) / spec.scale:.6g}"
    rows = tuple(replace(x, row={**x.row, spec.score_column: cell}) if x.file == spec.file and evidence_id(x) == value.evidence else x for x in before.observations)
    assert rows != before.observations, "no row of the newest content is the one behind this result"
    found = replace(before, sha256=sha256(before.sha256.encode() + cell.encode()), observations=rows)
    members = tuple(Kept(name=f.name, address=f.url, sha256=f.sha256, size=f.size) for _, f in sorted(found.files.items()))
    sighting = Sighting(source=spec.source, snapshot=found.sha256, first_seen=at, last_seen=at, licence=desk.sources[spec.source].license, members=members, answers=())
    desk.store(sighting, found)
    judged = judge(desk.reader(spec.source), found, desk.benchmarks, desk.prices)
    return LiveReport(at, (SourceReport(spec.source, "new", at, Content(sighting, judged, judged.rows)),))


def cycle(root: Path, report: Any, now: datetime) -> Any:
    """One turn of the gate."""
    from siiq_core.evidence.live.desk import open_desk
    from siiq_core.gate.checker import open_checker
    from siiq_core.hourly.cycle import turn
    from siiq_core.params.checker import load_checker

    desk = open_desk(root)
    return turn(root, desk, report, lambda: open_checker(load_checker(root), {}, benchmarks=desk.benchmarks, sources=desk.sources, clock=None), now, lambda text: None)


# --- measuring -----------------------------------------------------------------------------------------------------------------


def work() -> float:
    """Seconds of work, user and system, of this process and of those it has waited for."""
    return sum(x.ru_utime + x.ru_stime for x in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


@contextmanager
def measured(what: str) -> Iterator[None]:
    """Seconds on the clock and of work; steps that run side by side count each other's work."""
    wall, done = time.perf_counter(), work()
    yield
    print(f"{what:<44} {time.perf_counter() - wall:7.2f} s, work {work() - done:7.2f} s", flush=True)


def watch(module: Any, name: str, label: Callable[..., str]) -> None:
    """Let a function of the program be measured wherever its module calls it."""
    plain = getattr(module, name)

    def watched(*args: Any, **kwargs: Any) -> Any:
        with measured("    " + label(*args)):
            return plain(*args, **kwargs)

    setattr(module, name, watched)


def bring_out(root: Path) -> None:
    """The stages and the book, as `siiq update` makes them."""
    from siiq_core import cli

    cli.say = quiet
    with measured("  the stages"):
        cli.run_for_publication(600)
    book(root)


def book(root: Path) -> None:
    """The book of the run that stands; what became of its pages."""
    from siiq_core.publish.bookbuild import build_book_from_run

    site = root / "_build" / "html"
    before = contents(site)
    with measured("  the book"):
        build_book_from_run(root / "_build" / "run", site, root, quiet)
    after = contents(site)
    pages = [x for x in after if x.endswith(".html")]
    print(f"  {sum(before.get(x) != after[x] for x in pages)} of {len(pages)} pages are others, {sum(before.get(x) != after[x] for x in after)} of {len(after)} files")


def contents(site: Path) -> dict[str, bytes]:
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}


def quiet(text: str) -> None:
    pass


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--model", default="gpt-5.1")
    asked.add_argument("--benchmark", default="gpqa-diamond-epoch")
    asked.add_argument("--step", type=float, default=0.004, help="of the fraction, too small to be held (U3)")
    asked.add_argument("--hours", type=float, nargs="*", default=(1.0, 1.0, 24.0), help="from one cycle to the next")
    asked.add_argument("--folder", type=Path, help="where to work; stays, and another time begins with the book that stands there")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        root = (given.folder or Path(aside) / "project").resolve()
        os.environ["SIIQ_ROOT"], again = str(root), (root / "_build" / "html").is_dir()
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # kernels and builders load compiled modules, as they do where nobody forbids it
        os.environ["PYTHONPYCACHEPREFIX"] = str(root / "_build" / "compiled")
        if not again:
            project_in(root)
        os.chdir(root)
        from siiq_core.gate.place import remembered
        from siiq_core.hourly import publishing
        from siiq_core.publish import bookbuild, building, check

        for module, name, label in ((bookbuild, "verify_file", lambda *a: "index verified"), (bookbuild, "load_site", lambda *a: "files of the run read"),
                                    (bookbuild, "_complete_data", lambda *a: "data files"), (bookbuild, "_stage", lambda *a: f"text of the pages, {a[4]}"),
                                    (building, "build", lambda *a: f"Sphinx, {a[2]}"), (building, "take_over", lambda *a: f"built pages taken over, {a[1].name}"),
                                    (bookbuild, "_make_pages", lambda *a: "all of the pages"), (check, "check_html", lambda *a: "check"), (bookbuild, "_swap", lambda *a: "swap")):
            watch(module, name, label)
        if not again:
            cycle(root, None, BEGIN)
            print("all of it, from nothing")
            publishing.bring_out(root, bring_out, quiet)
        print("nothing changed")
        book(root)
        for hours in given.hours:
            now = datetime.fromisoformat(remembered(root)[0].state.at) + timedelta(hours=hours)
            print(f"one result changed, {hours:g} h later: {given.model}, {given.benchmark}")
            with measured("  the gate's cycle"):
                turned = cycle(root, another_number(root, given.model, given.benchmark, given.step, now), now)
            print("  decided:", *((d.what, d.rule, d.subject) for d in turned.decisions))
            publishing.bring_out(root, bring_out, quiet)


if __name__ == "__main__":
    main()
