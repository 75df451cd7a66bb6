"""`siiq gate`: what the gate holds back, and what a person decides about it (U10)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="gate", no_args_is_help=False, add_completion=False, rich_markup_mode=None,
    help="What the gate holds back, and what a person decides about it. A decision goes into the ledger with name and reason, readers see both, "
         "and it counts from the next cycle on (siiq update).")

Model = Annotated[str, typer.Argument(metavar="MODEL", help="The model's slug, as `siiq gate list` shows it.")]
Benchmark = Annotated[str, typer.Argument(metavar="BENCHMARK", help="The benchmark's id.")]
Who = Annotated[str, typer.Option("--who", help="Who decides. Published.")]
Why = Annotated[str, typer.Option("--why", help="The reason, in a sentence. Published.")]
Wait = Annotated[float, typer.Option("--wait", min=0, max=3600, metavar="SECONDS", help="How long to wait for a cycle that is running.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    """Without a word more: the list."""
    if context.invoked_subcommand is None:
        list_()


@app.command(name="list")
def list_(as_json: Json = False) -> None:
    """List all that stands: failing sources, frozen benchmarks, held and refused values, waiting newcomers, a stop, reports."""
    from siiq_core.commands.fetch import table
    from siiq_core.gate.decisions import standing
    from siiq_core.gate.showing import line

    found = _remembered(_root())
    stands = standing(found.state, found.rules)
    if as_json:
        _print(json.dumps([line(x) for x in stands], indent=1, sort_keys=True) + "\n")
        return
    if stands:
        _print(table((("what", "rule", "subject", "since", "found", "until"), *((x.what, x.rule, x.subject, x.since, x.details, x.until) for x in stands))) + "\n")
    print(f"{len(stands)} stand as of {found.state.at}", file=sys.stderr)


@app.command()
def show(subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="MODEL/BENCHMARK, or the id of a model, a benchmark or a source, or the word publication.")], as_json: Json = False) -> None:
    """Show one subject: every number, the contents it was seen in, since when, what would release it, what is published, the raw row."""
    from siiq_core.gate.ledger import Ledger
    from siiq_core.gate.place import ledger_at
    from siiq_core.gate.showing import shown
    from siiq_core.hourly.cycle import evidence_in

    root = _root()
    found = _remembered(root)
    told = shown(found, subject, evidence_in(Ledger.open(ledger_at(root))) if "/" in subject else {})
    _print(json.dumps(told, indent=1, sort_keys=True) + "\n" if as_json else "\n".join(_lines(told, 0)) + "\n")


@app.command()
def release(model: Model, who: Who, why: Why, benchmark: Annotated[str, typer.Argument(metavar="[BENCHMARK]", help="The benchmark's id; left away: all of the model that waits.")] = "", wait: Wait = 60) -> None:
    """Let a held value through (U3, U10), all that a newcomer waits with (U5), or a value that was taken back."""
    _decide("release", who, why, wait, model=model, benchmark=benchmark)


@app.command()
def approve(who: Who, why: Why,
            benchmark: Annotated[str, typer.Option("--benchmark", metavar="ID", help="A frozen benchmark: it switches with the next recalibration that passes (U6b, U9).")] = "",
            source: Annotated[str, typer.Option("--source", metavar="ID", help="A smaller file, taken as it is; its values still go through the gate (U7).")] = "",
            publication: Annotated[bool, typer.Option("--publication", help="A stopped publication: what stops it now may go out (U11).")] = False, wait: Wait = 60) -> None:
    """Accept what a rule leaves to a person: exactly one of --benchmark, --source and --publication."""
    from siiq_core.errors import ParameterError

    if sum((bool(benchmark), bool(source), publication)) != 1:
        raise ParameterError("exactly one of --benchmark, --source and --publication", column="approve", remedy="siiq gate list shows what waits for a person")
    _decide("approve", who, why, wait, benchmark=benchmark, source=source, publication=publication)


@app.command()
def reject(model: Model, benchmark: Benchmark, who: Who, why: Why, wait: Wait = 60) -> None:
    """Do not use a pending value until its source says otherwise; a revision goes on without it (U9)."""
    _decide("reject", who, why, wait, model=model, benchmark=benchmark)


@app.command()
def retract(model: Model, benchmark: Benchmark, who: Who, why: Why, wait: Wait = 60) -> None:
    """Take a published value back. It returns when its source has stopped listing it, or when a person releases it."""
    _decide("retract", who, why, wait, model=model, benchmark=benchmark)


@app.command()
def rebase(who: Who, why: Why, source: Annotated[str, typer.Option("--source", metavar="ID", help="The source whose last content becomes a new baseline.")], wait: Wait = 60) -> None:
    """Take a source's last content as a new baseline, with a recalibration and a version step (U0); for long gaps."""
    _decide("rebase", who, why, wait, source=source)


def _decide(action: str, who: str, why: str, wait: float, **about: Any) -> None:
    from siiq_core.evidence.live.waiting import system_clock
    from siiq_core.gate.operating import Action
    from siiq_core.gate.recording import record

    _, entry = record(_root(), Action(action, who=who.strip(), reason=why.strip(), **about), system_clock().stamp(), seconds=wait, progress=lambda text: print(text, file=sys.stderr))
    named = "/".join(str(x) for x in (about.get("model"), about.get("benchmark"), about.get("source")) if x) or "publication"
    _print(f"{action} {_safe(named)}: entry {entry.n} of the ledger, {entry.at}. It counts from the next cycle on (siiq update); readers see name and reason.\n")


def _root() -> Path:
    from siiq_core.params.loader import project_root

    return project_root()


def _remembered(root: Path) -> Any:
    from siiq_core.errors import SiiqError
    from siiq_core.gate.place import remembered

    found, _ = remembered(root)
    if found is None:
        raise SiiqError("no update was ever run, so the gate holds nothing", file="data/ledger.jsonl", remedy="siiq update begins it")
    return found


def _lines(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """A nested value as indented lines; what is empty is left away."""
    for key, x in value.items():
        label = "  " * depth + _safe(str(key))
        if isinstance(x, Mapping):
            if x:
                yield f"{label}:"
                yield from _lines(x, depth + 1)
        elif isinstance(x, (list, tuple)) and x and isinstance(x[0], Mapping):
            yield f"{label}:"
            for item in x:
                yield "  " * (depth + 1) + "- " + ", ".join(f"{k} {_safe(v)}" for k, v in item.items() if v not in (None, "", [], {}))
        elif isinstance(x, (list, tuple)):
            yield from (f"{label}: {_safe(item)}" for item in x)
        elif x is not None and x != "":
            yield f"{label}: {_safe(x)}"


def _safe(value: object) -> str:
    """A publisher's text cannot act in a terminal; a number may begin with a minus."""
    from siiq_core.evidence.inbox import safe_cell

    return str(value) if isinstance(value, (int, float)) else str(safe_cell(str(value)))


def _print(text: str) -> None:
    """As UTF-8, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
