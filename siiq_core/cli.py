"""The command line. Says what happens, refuses before a kernel starts, and ends with an exit code that means something.

Exit codes: 0 done · 1 refused or failed, with a reason · 2 usage (unknown command, parameter name, type or range).
Imports are late, so that `--help` answers at once.
"""

from __future__ import annotations

import locale
import os
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Optional

import typer

from siiq_core import __version__
from siiq_core.commands import gate, names, parameters, percentile, prediction, sibling, simulation, studies, sweep, value
from siiq_core.commands.stages import STAGES, Against, Changes, Out, ParamsFile, Timeout, changes_of, near, reported, run_stages, say
from siiq_core.commands.streams import stand_ins
from siiq_core.errors import ParameterError, SiiqError, harmless

EPILOG = "Parameters and their ranges: params/method.yml. Method: book/en. Exit codes: 0 done, 1 refused or failed, 2 usage."

app = typer.Typer(name="siiq", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="AI models on one ability scale, from results that independent evaluators published.", epilog=EPILOG)

app.add_typer(names.app)
app.add_typer(gate.app)


def run_for_publication(timeout: int) -> Path:
    """Every stage of a publication, with what the gate accepted; returns the folder that holds what they made."""
    folder = run_stages(STAGES, {}, None, timeout)
    for name in ("value", "percentile", "prediction"):
        sibling.run_sibling(name, {}, folder, timeout, say)
    if not simulation.current(folder):  # no result of any publisher changes it
        sibling.run_sibling("simulation", {}, folder, timeout, say)
    for name in studies.NAMES:
        if not studies.current(name, folder):  # they are about the calibration in force, which stays for weeks
            sibling.run_sibling(name, {}, folder, timeout, say)
    sweep.refresh(say, folder)
    return folder


def _stage(name: str, text: str) -> None:
    def command(parameter: Changes = None, params: ParamsFile = None, out: Out = None, timeout: Timeout = 600) -> None:
        run_stages((name,), changes_of(parameter, params), out, timeout)

    app.command(name=name, help=text)(command)


class Mode(str, Enum):
    """Where `fetch` reads."""

    shipped = "shipped"
    live = "live"
    archive = "archive"


@app.command()
def fetch(parameter: Changes = None, params: ParamsFile = None, out: Out = None, timeout: Timeout = 600,
          mode: Annotated[Mode, typer.Option("--mode", help="shipped: the stage, without a network. live: ask the publishers, archive and keep what they "
                                                            "have; nothing of it is published by this. archive: read again what was archived.")] = Mode.shipped,
          from_archive: Annotated[bool, typer.Option("--from-archive", help="The same as --mode archive.")] = False,
          source: Annotated[Optional[list[str]], typer.Option("--source", metavar="ID", help="Only this source, with live and archive. Repeat for more.")] = None) -> None:
    """Stage 1: the shipped observations become accepted results with evidence and history (results.csv, evidence.jsonl, history.json).

    With --mode live, the publishers are read instead; exit code 1 where one of them failed, the others are kept.
    """
    mode = Mode.archive if from_archive and mode is Mode.shipped else mode
    if from_archive and mode is Mode.live:
        raise ParameterError("the publishers, or the archive", column="--from-archive", value=mode.value, remedy="choose one")
    if mode is Mode.shipped:
        if source:
            raise ParameterError("goes with --mode live and --mode archive", column="--source", value=", ".join(source), remedy="name the mode")
        run_stages(("fetch",), changes_of(parameter, params), out, timeout)
        return
    if parameter or params or out:
        raise ParameterError("parameters of the method and --out go with --mode shipped", column="--mode", value=mode.value, remedy="leave them out")
    from siiq_core.commands import fetch as reading
    from siiq_core.params.loader import project_root

    raise typer.Exit((reading.live if mode is Mode.live else reading.replay)(project_root(), tuple(source or ()), say))


_stage("calibrate", "Stage 2: loadings, intercepts, residual variances and the interval factor (calibration.json).")
_stage("method", "Beside them: the figures of the book's method chapter, from a finished calibration (method_figures.json).")


@app.command()
def score(parameter: Changes = None, params: ParamsFile = None, out: Out = None, timeout: Timeout = 600,
          add: Annotated[Optional[Path], typer.Option("--add", metavar="ROWS.CSV", help="Results of your own (model, benchmark, score from 0 to 1): say where they land under the frozen calibration, "
                                                     "row by row, and write nothing.")] = None,
          against: Against = "", as_json: Annotated[bool, typer.Option("--json", help="With --add: all of it as JSON.")] = False) -> None:
    """Stage 3: every model's score, areas and rank, verified (index.json). With --add, where a model of your own would land, in the process itself.

    ROWS.CSV begins with the line model,benchmark,score (version, setting and evaluator may follow); a model that the index
    does not know is a new one. `siiq run -p add_rows ROWS.CSV` calibrates again with such rows instead.
    """
    if add is None:
        if against or as_json:
            raise ParameterError("goes with --add", column="--against" if against else "--json", value=against or as_json, remedy="siiq score --add ROWS.CSV")
        run_stages(("score",), changes_of(parameter, params), out, timeout)
        return
    if parameter or params or out:
        raise ParameterError("the calibration is frozen and nothing is written, so -p, --params and --out do not go with it", column="--add", value=str(add),
                             remedy="siiq run -p add_rows ROWS.CSV with further -p, then look at its difference")
    from siiq_core.commands.adding import score_added
    from siiq_core.params.loader import project_root

    print(score_added(project_root(), add, against, as_json))


@app.command()
def run(parameter: Changes = None, params: ParamsFile = None, out: Out = None, timeout: Timeout = 600, against: Against = "",
        candidate: Annotated[bool, typer.Option("--candidate", help="Only fetch, calibrate and score, into _build/candidate, whether or not a parameter is altered.")] = False) -> None:
    """All stages (fetch, calibrate, score, method; value, percentile, prediction, simulation, intervals, criticism and sweep where nothing is altered), then what moved against the published index.

    That difference tells scores, intervals, ranks, benchmarks with their rules, the version step, and what C8 and C9 would
    refuse; all of it is in difference.json. With altered parameters the index says "what_if", and no page is made from it.

    Examples: `siiq run -p lam 0.2`; `siiq run -p drop '["aider-polyglot"]' --out my-run`; with results of your own
    (model,benchmark,score) `siiq run -p add_rows rows.csv`, on a benchmark of your own with
    `-p add_benchmarks '{"my-quiz": {"area": "coding", "n": 200}}'`. What may be altered: params/method.yml.
    """
    from siiq_core.commands.difference import published_before, told_in
    from siiq_core.params.loader import project_root
    from siiq_core.runs import prepare

    changes, root = changes_of(parameter, params), project_root()
    out = out or (root / "_build" / "candidate" if candidate else None)
    planned = prepare(changes, str(out.resolve()) if out else "")
    before = published_before(root, planned.folder, against, candidate, say)
    folder = run_stages(STAGES[:3] if candidate else STAGES, changes, out, timeout)
    if not (candidate or planned.what_if):
        for name in ("value", "percentile", "prediction", "simulation", *studies.NAMES):
            sibling.run_sibling(name, {}, folder, timeout, say)
        sweep.run_sweep(say, out=folder)
    if before:
        print(told_in(run_stages(("difference",), changes, folder, timeout, against=before)))


value.add(app, say)
percentile.add(app, say)
prediction.add(app, say)
simulation.add(app, say)
studies.add(app, say)
sweep.add(app, say)


@app.command()
def book(run_dir: Annotated[Optional[Path], typer.Option("--run", metavar="DIR", help="Folder of a finished run [_build/run].")] = None,
         out: Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of the book [_build/html].")] = None) -> None:
    """Build the book in three languages from a finished run, check every page and link, and swap it in."""
    from siiq_core.params.loader import project_root
    from siiq_core.publish.bookbuild import build_book_from_run
    from siiq_core.runs import alone

    root = project_root()
    target = (out or root / "_build" / "html").resolve()
    with alone(target, say), reported("book"):
        pages = build_book_from_run(run_dir or root / "_build" / "run", target, root, say)
    say(f"made: {len(pages)} pages, {near(target / 'index.html', root)}")


@app.command()
def update(ask: Annotated[bool, typer.Option("--ask/--no-ask", help="Ask the publishers, or take what was archived.")] = True,
           publish: Annotated[bool, typer.Option("--publish/--no-publish", help="Make the stages and the book of what was accepted, or only decide.")] = True,
           timeout: Timeout = 600) -> None:
    """One hourly cycle: check the sources, read again, hold or accept, recalibrate when due, verify, publish.

    Exit codes: 0 done · 1 refused or failed, no second reader in reach among it · 3 the gate held the publication back.
    """
    from siiq_core.commands import update as hourly
    from siiq_core.params.loader import project_root

    def bring_out(root: Path) -> None:
        from siiq_core.publish.bookbuild import build_book_from_run

        build_book_from_run(run_for_publication(timeout), root / "_build" / "html", root, say)

    raise typer.Exit(hourly.update(project_root(), say, publish=bring_out if publish else None, ask=ask))


@app.command()
def replay(until: Annotated[Optional[str], typer.Option("--until", metavar="TIME", help="A time in UTC, such as 2026-09-01T06:00:00Z [now].")] = None,
           as_json: Annotated[bool, typer.Option("--json", help="The whole state as JSON: the same ledger gives the same bytes.")] = False) -> None:
    """Read the ledger from its first entry: the decisions on the way, and what stood at a time. Checks every entry's seal."""
    from siiq_core.commands import update as hourly
    from siiq_core.params.loader import project_root

    raise typer.Exit(hourly.replay(project_root(), until, as_json, say))


@app.command()
def verify(index: Annotated[Optional[Path], typer.Argument(metavar="[INDEX.JSON]", help="The file to recompute [_build/html/data/index.json].")] = None,
           inputs: Annotated[Optional[Path], typer.Option("--inputs", metavar="FILE", help="calibration_inputs.csv [beside the index].")] = None) -> None:
    """Recompute every published number and the whole calibration from the file alone, with code of its own."""
    from siiq_core.params.loader import project_root
    from siiq_core.verify import verify_file

    path = index or project_root() / "_build" / "html" / "data" / "index.json"
    report = verify_file(path, inputs)
    for check in report.checks:
        print(f"{'passed' if check.passed else 'FAILED'}  {check.rule:<7} {check.name}: {harmless(check.notes)}")
    for off in report.mismatches[:50]:
        print(f"off     {harmless(off.path)}: published {off.published!r}, recomputed {off.recomputed!r}")
    print(harmless(report.summary))
    raise typer.Exit(0 if report.passed else 1)


@app.command(name="import")
def import_(source: Annotated[str, typer.Argument(help="Id in params/sources.yml, such as epoch.")],
            files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="The source's files, or a folder of them.")],
            snapshot: Annotated[Optional[str], typer.Option("--snapshot", metavar="DAY",
                                help="ISO day of the snapshot [the parent folder's name].")] = None) -> None:
    """Turn a publisher's files into observations of the project's own format. Same files in, same bytes out. New models get slugs."""
    from siiq_core.evidence.decisions import register
    from siiq_core.evidence.identity import TABLE_SOURCE
    from siiq_core.evidence.importing import import_command
    from siiq_core.params.loader import project_root

    root = project_root()
    print(harmless(str(import_command(source, files, snapshot, root)), keep="\n"))
    if source == TABLE_SOURCE:
        print(harmless(str(register(root)), keep="\n"))


@app.command()
def recheck(
    notebook: Annotated[Optional[list[Path]], typer.Argument(metavar="[NOTEBOOK]...", help="Saved notebooks [all of notebooks/].")] = None,
    relative: Annotated[Optional[float], typer.Option("--relative", metavar="SHARE", help="How far a decimal number may be off [params/recheck.yml].")] = None,
    last_place: Annotated[Optional[int], typer.Option("--last-place", metavar="UNITS", help="… or in units of its last printed digit [params/recheck.yml].")] = None,
    timeout: Annotated[Optional[int], typer.Option("--timeout", metavar="SECONDS", help="Longest time one cell may take [params/recheck.yml].")] = None,
    cwd: Annotated[Optional[Path], typer.Option("--cwd", metavar="DIR", help="Folder that the cells run in [the project's].", file_okay=False, exists=True)] = None,
) -> None:
    """Run saved notebooks again and compare every output with the saved one: texts to the letter, decimals within a tolerance.

    Exit code 1 where one differs. `pytest --nbval` is the strict form: every byte. A notebook runs with your rights, so
    check only those that you would run.
    """
    from siiq_core.commands import recheck as checking

    given = {"relative": relative, "last_place": last_place, "timeout": timeout}
    raise typer.Exit(checking.run(notebook or [], {k: v for k, v in given.items() if v is not None}, cwd, say))


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _common(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="The method version.")] = False) -> None:
    """Common options."""


def _speak_utf8() -> None:
    """Start anew in Python's UTF-8 mode where the locale is another: names of folders reach notebooks, and kernels inherit it."""
    if not sys.flags.utf8_mode and locale.getencoding().lower() not in ("utf-8", "utf8") and os.environ.get("PYTHONUTF8") != "1":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def main() -> None:
    """Entry point: a refusal is one line on stderr and an exit code."""
    stand_ins()
    _speak_utf8()
    try:
        app(args=parameters.join_pairs(sys.argv[1:]), prog_name="siiq")
    except ParameterError as error:
        say(f"siiq: {error}")
        raise SystemExit(2) from None
    except SiiqError as error:
        say(f"siiq: refused: {error}")
        raise SystemExit(1) from None
    except OSError as error:
        say(f"siiq: refused: {error.strerror or error} [file {error.filename or '?'}] Remedy: free some space, permit writing, or name another folder; "
            "what was published before is untouched")
        raise SystemExit(1) from None
    except MemoryError:
        say("siiq: refused: not enough memory. Remedy: end other programs or take a machine with more; 1 GB is enough for every command; what was published before is untouched")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        say("siiq: interrupted; what was published before is untouched")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
