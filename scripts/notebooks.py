"""Refresh the saved notebooks: parameter cells from params/method.yml (value, percentile, prediction, simulation, intervals and criticism: their own), then execute and normalise.

    .venv/bin/python scripts/notebooks.py            execute and save all
    .venv/bin/python scripts/notebooks.py --check    fail if a parameter cell is out of step (no execution)

Normalised means: cell ids by position, no timings, no execution metadata; so that executing again gives the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from siiq_core.params.method import ALTERATIONS

ROOT = Path(__file__).resolve().parents[1]
STAGES = ("fetch", "calibrate", "score", "method", "difference", "value", "percentile", "prediction", "simulation", "intervals", "criticism", "multiverse")
OWN = {"value": "value.yml", "percentile": "percentile.yml", "prediction": "prediction.yml", "simulation": "simulation.yml", "intervals": "intervals.yml", "criticism": "criticism.yml"}  # stages with parameters of their own
FREE = ("multiverse",)  # whose parameter cell is its own
AGAINST = "against = ''".ljust(34) + "# index to compare with: an index.json or the folder of a run; empty: the published one"  # the difference alone has it
SHARED = ("as_of", "licence_policy")  # what these take from params/method.yml, but for the simulation, which reads no day's data
HEADER = (
    "# Parameters: literals only; unit and range behind each (a copy of params/method.yml, kept in step by a test).\n"
    "# Alter one with `-p NAME VALUE`; the run then counts as a what-if run.\n"
)


def parameter_cell(name: str) -> str:
    """params/method.yml as Python literals with the same comments; for a sibling, the numbers of its own file after two of those."""
    out_dir = "out_dir = ''".ljust(34) + "# folder of the outputs; empty: _build/run, or _build/what-if where a parameter is altered"
    if name not in OWN:
        return "\n".join([HEADER.rstrip("\n"), *_literals("method.yml"), *[AGAINST] * (name == "difference"), out_dir])
    shared = [line for line in _literals("method.yml") if name != "simulation" and line.startswith(tuple(f"{x} " for x in SHARED))]
    return "\n".join([HEADER.replace("params/method.yml", f"params/{OWN[name]}").rstrip("\n"), *shared, *_literals(OWN[name]), out_dir])


def _literals(file: str) -> list[str]:
    """The plain values at the top of a parameter file, and its headings above such values."""
    import yaml

    lines: list[str] = []
    heading = ""
    for line in (ROOT / "params" / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("# ---"):
            heading = line
        elif line and line[0] not in "# " and ":" in line and " #" in line:
            name, value = next(iter(yaml.safe_load(line).items()))
            if not isinstance(value, (bool, int, float, str)) and name not in ALTERATIONS:
                continue
            lines += [heading] * bool(heading)
            heading = ""
            lines.append(f"{f'{name} = {value!r}':<34}#{line.split(' #', 1)[1]}")
    return lines


def refresh(path: Path, execute: bool) -> bytes:
    """The notebook's new content."""
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells):
        if "parameters" in cell.metadata.get("tags", []) and path.stem not in FREE:
            cell.source = parameter_cell(path.stem)
        cell.id = f"cell-{number:02d}"
    if execute:
        NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}},
                       extra_arguments=["--IPKernelApp.log_level=50"]).execute()
    for cell in notebook.cells:
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return (nbformat.writes(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


def main() -> int:
    """Refresh or check every notebook of the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*", default=list(STAGES))
    wanted = parser.parse_args()
    stale = []
    for name in wanted.names:
        path = ROOT / "notebooks" / f"{name}.ipynb"
        content = refresh(path, execute=not wanted.check)
        if content != path.read_bytes():
            stale.append(name)
            if not wanted.check:
                path.write_bytes(content)
        print(f"{name}: {'out of step' if wanted.check and name in stale else 'saved' if name in stale else 'unchanged'}")
    return 1 if wanted.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
