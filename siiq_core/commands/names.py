"""`siiq names`: the inbox of names that match no model, and what a person says about them (I4, I6)."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Optional

import typer

app = typer.Typer(name="names", no_args_is_help=False, add_completion=False, rich_markup_mode=None,
                  help="Names that match no model are never scored; they wait here until a person decides.")

Source = Annotated[str, typer.Argument(help="Id in params/sources.yml, such as aider.")]
Name = Annotated[str, typer.Argument(help="The name as the source writes it, or as `siiq names list` shows it. Put `--` before one that begins with a hyphen.")]
Who = Annotated[str, typer.Option("--who", help="Who decides.")]
Why = Annotated[str, typer.Option("--why", help="The reason, in a sentence.")]
When = Annotated[Optional[str], typer.Option("--when", metavar="DAY", help="ISO day of the decision [today, UTC].")]
Force = Annotated[bool, typer.Option("--force", help="Also for a name that the rules match by themselves, or that no row has yet.")]


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    """Without a word more: the list."""
    if context.invoked_subcommand is None:
        list_()


@app.command(name="list")
def list_(text: Annotated[Optional[str], typer.Argument(metavar="[TEXT]", help="Only names that contain this, whatever the case.")] = None,
          source: Annotated[Optional[str], typer.Option("--source", help="Only names of this source.")] = None,
          every_day: Annotated[bool, typer.Option("--all", help="Also names that only older snapshots have.")] = False,
          json_: Annotated[bool, typer.Option("--json", help="As JSON, with the raw rows of every name.")] = False,
          csv_: Annotated[bool, typer.Option("--csv", help="As a table to open: no cell of it is a formula.")] = False) -> None:
    """List the names that wait: source, rows, since when, name, and why it matches nothing."""
    from siiq_core.errors import ParameterError
    from siiq_core.evidence.decisions import waiting
    from siiq_core.evidence.inbox import inbox_csv, inbox_json
    from siiq_core.params.sources import source_spec

    if json_ and csv_:
        raise ParameterError("--json and --csv exclude one another", remedy="choose one")
    _, shelf = _opened()
    if source is not None:
        source_spec(source, shelf.sources)
    found = [w for w in waiting(shelf, every_day)
             if source in (None, w.source) and (text is None or text.casefold() in w.name.casefold())]
    if json_:
        _print(_ascii(inbox_json(found)))
    elif csv_:
        _print(inbox_csv(found).decode("utf-8"))
    else:
        _print(_table(found))
        counts = ", ".join(f"{key} {sum(w.source == key for w in found)}" for key in sorted({w.source for w in found}))
        print(f"{len(found)} names wait{': ' + counts if counts else ''}", file=sys.stderr)


@app.command()
def coverage(source: Annotated[Optional[str], typer.Option("--source", help="Only this source.")] = None,
             unmatched: Annotated[bool, typer.Option("--unmatched", help="List the names that mean no model, with rows and reason.")] = False) -> None:
    """Count, by source, the names that mean a model, those that wait, and those that are out by rule or decision."""
    from siiq_core.commands.fetch import table
    from siiq_core.evidence.coverage import coverage as count
    from siiq_core.params.sources import source_spec

    root, shelf = _opened()
    if source is not None:
        source_spec(source, shelf.sources)
    found = [x for x in count(shelf, root) if source in (None, x.source)]
    if unmatched:
        rows = [(x.source, str(u.rows), u.name, "waits" if u.waits else "is out", u.reason) for x in found for u in x.unmatched]
        _print(table([("source", "rows", "name", "state", "reason"), *rows]) + "\n")
    else:
        rows = [(x.source, str(x.names), str(x.matched), str(x.waiting), str(len(x.unmatched) - x.waiting)) for x in found]
        _print(table([("source", "names", "matched", "waiting", "out"), *rows]) + "\n")


@app.command()
def confirm(source: Source, name: Name, slug: Annotated[str, typer.Argument(help="Slug of the model it means (params/models.csv).")],
            who: Who, why: Why, when: When = None, force: Force = False) -> None:
    """Say which model a name means. It counts from the next run on, for every day of the history."""
    _decide(source, name, slug, who, why, when, force)


@app.command()
def reject(source: Source, name: Name, who: Who, why: Why, when: When = None, force: Force = False) -> None:
    """Say that a name means no model of the index. Its rows leave every day's results."""
    _decide(source, name, None, who, why, when, force)


@app.command()
def register() -> None:
    """Give slugs to the groups of the newest model table that have none yet (`siiq import epoch` does so by itself)."""
    from siiq_core.evidence.decisions import register as give
    from siiq_core.params.loader import project_root

    _print(f"{give(project_root())}\n")


def _decide(source: str, name: str, slug: str | None, who: str, why: str, when: str | None, force: bool) -> None:
    import datetime

    from siiq_core.evidence.decisions import decide

    root, shelf = _opened()
    day = when if when is not None else datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    _print(f"{decide(root, shelf, source, name, slug, who=who, why=why, when=day, force=force)}\n")


def _opened() -> tuple[Any, Any]:
    """The project's folder and all its stored snapshots, under the decisions so far."""
    from siiq_core.evidence.shelf import open_shelf
    from siiq_core.params.loader import project_root
    from siiq_core.params.method import load_method

    root = project_root()
    return root, open_shelf(root, load_method(root))


def _table(found: list[Any]) -> str:
    """Columns under one another; most rows first within a source."""
    from siiq_core.evidence.inbox import safe_cell

    rows = [("source", "rows", "since", "name", "reason")]
    rows += [(w.source, str(len(w.rows)), w.since, str(safe_cell(w.name)), str(safe_cell(w.reason)))
             for w in sorted(found, key=lambda w: (w.source, -len(w.rows), w.name))]
    widths = [min(60, max(len(row[k]) for row in rows)) for k in range(4)]
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]) + "\n" for row in rows)


def _ascii(content: bytes) -> str:
    """The same JSON without a character that a terminal would obey."""
    import json

    return json.dumps(json.loads(content), indent=1, sort_keys=True) + "\n"


def _print(text: str) -> None:
    """As UTF-8, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
