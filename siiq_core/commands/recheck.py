"""`siiq recheck`: saved notebooks as a regression check, with tolerances for other processors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from siiq_core.commands.fetch import table
from siiq_core.errors import SiiqError
from siiq_core.params.loader import project_root, with_numbers
from siiq_core.params.recheck import load_recheck

SHOWN = 20  # differences of one notebook


def run(files: Sequence[Path], changes: dict[str, float], cwd: Path | None, say: Callable[[str], None]) -> int:
    """Check every notebook (all of notebooks/ where none is named), print what was found; 1 where one differs or is refused."""
    from siiq_core.workbench.recheck import recheck

    root = project_root()
    tolerance = with_numbers(load_recheck(root), changes, ["relative", "last_place", "timeout"])
    paths = list(files) or sorted((root / "notebooks").glob("*.ipynb"))
    rows, told = [("notebook", "code cells", "decimals", "largest difference", "result")], []
    for number, path in enumerate(paths, start=1):
        say(f"{path.name} ({number} of {len(paths)}) …")
        try:
            found = recheck(path, (cwd or root).resolve(), tolerance)
        except SiiqError as refusal:  # the others are checked all the same
            rows.append((path.name, "-", "-", "-", "refused"))
            told.append((path.name, "", "", str(refusal)))
            continue
        result = f"{len(found.differences)} differ" if found.differences else "same"
        rows.append((path.name, str(found.cells), str(found.numbers), f"{found.largest:.1e}", result + (f"; {found.passed_over} pictures not compared" if found.passed_over else "")))
        told += [(path.name, f"cell {x.cell}", x.where, f"saved {x.saved!r}, now {x.found!r}" + (f", off by {x.off:.1e}" if x.off is not None else "")) for x in found.differences[:SHOWN]]
        if len(found.differences) > SHOWN:
            told.append((path.name, "", "", f"and {len(found.differences) - SHOWN} more"))
    print(table(rows))
    if told:
        print("\n" + table(told))
    return 1 if told else 0
