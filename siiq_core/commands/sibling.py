"""`siiq value`, `siiq percentile`, `siiq simulation`, `siiq predict` and the studies: each a stage beside those of the index, with parameters of its own."""

# No postponed annotations here: those of `command` name the sibling, and typer would look for it among the module's names.
import importlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

Say = Callable[[str], None]
_ROOMS = {"simulation": "siiq_core.analysis", "intervals": "siiq_core.workbench", "criticism": "siiq_core.workbench", "prediction": "siiq_core.workbench"}  # the others are in siiq_core.siblings


def add(app: typer.Typer, say: Say, name: str, help: str, told: Callable[[Path], str], command: str = "") -> None:
    """A command of `app`.

    Parameters
    ----------
    name : of the sibling's module, parameter file, notebook and output
    told : its output in a few lines
    command : what it is called, where that is not `name`
    """
    def run(
        parameter: Annotated[Optional[list[str]], typer.Option("-p", "--parameter", metavar="NAME=VALUE", help=f"Alter a number of params/{name}.yml for this run. Repeat for more.")] = None,
        params: Annotated[Optional[Path], typer.Option("--params", metavar="FILE", help="A YAML file of parameters to alter.")] = None,
        out: Annotated[Optional[Path], typer.Option("--out", metavar="DIR", help="Folder of the outputs [_build/run, or _build/what-if].")] = None,
        timeout: Annotated[int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Longest time one cell may take.")] = 600,
    ) -> None:
        from siiq_core.commands.parameters import changes_of
        from siiq_core.siblings.stage import prepare_sibling

        changes = changes_of(parameter, params, lambda changes, *_: prepare_sibling(method_of(name), changes))
        print(told(run_sibling(name, changes, out, timeout, say) / f"{name}.json"), end="")

    app.command(name=command or name, help=help)(run)


def run_sibling(name: str, changes: Mapping[str, Any], out: Path | None, timeout: int, say: Say) -> Path:
    """Run a sibling's notebook; returns the folder that holds what it made."""
    from siiq_core.commands.difference import altered_text
    from siiq_core.notebooks import clear_left_overs, run_notebook
    from siiq_core.runs import alone
    from siiq_core.siblings.stage import notebook_parameters, prepare_sibling

    run = prepare_sibling(method_of(name), changes, str(out.resolve()) if out else "")
    if run.what_if:
        say(f"what-if run: {altered_text(run.what_if)}")
    start, folder = time.monotonic(), run.base.folder
    with alone(folder, say):
        clear_left_overs(folder)
        say(f"{name} …")
        run_notebook(run.base.root, name, notebook_parameters(method_of(name), run), folder, timeout, f"{name}.json")
    say(f"{name}: done in {time.monotonic() - start:.1f} s")
    return folder


def method_of(name: str) -> Any:
    """The sibling of that name."""
    return importlib.import_module(f"{_ROOMS.get(name, 'siiq_core.siblings')}.{name}.run").METHOD
