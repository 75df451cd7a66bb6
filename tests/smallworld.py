"""A project with the shipped parameters and a small made-up store: a few days of an Epoch bundle and of Aider's list."""

import csv
import io
import json
import shutil
from pathlib import Path

import yaml

from siiq_core.evidence.decisions import register
from siiq_core.evidence.importing import import_files
from siiq_core.evidence.shelf import open_shelf
from siiq_core.files import canonical_bytes, sha256
from siiq_core.params.method import load_method

TABLE = [("nova-1-2025", "Nova 1", "2025-01-01"), ("nova-1-2025_high", "Nova 1", "2025-01-01"), ("nova-1-2026", "Nova 1", "2026-01-01"),
         ("star-2", "Star 2", "2025-02-01"), ("comet-3", "Comet 3", "2025-03-01")]


def small_project(root: Path, folder: Path) -> Path:
    """params/ alone; no snapshot ships with it."""
    shutil.copytree(root / "params", folder / "params")
    path = folder / "params" / "sources.yml"
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    for source in values["sources"].values():
        source["snapshots"] = {}
    path.write_text(yaml.safe_dump(values, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return folder


def epoch_day(project: Path, day: str, gpqa=(), table=TABLE, started: str = "") -> None:
    """One bundle: the table of models, and GPQA Diamond as (version, score[, id[, started at]])."""
    rows = [{"Model version": v, "Model name": g, "Release date": d, "Organization": "Acme", "Model accessibility": "API access", "ECI Score": ""}
            for v, g, d in table]
    files = {"epoch_capabilities_index.csv": rows}
    scores = [dict(zip(("Model version", "Best score (across scorers)", "id", "Started at"), (*row, "", "")[:4])) for row in gpqa]
    files["gpqa_diamond.csv"] = scores or [{"Model version": "nobody", "Best score (across scorers)": "", "id": "", "Started at": ""}]
    folder = project / "incoming" / day
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(content[0]))
        writer.writeheader()
        writer.writerows(content)
        (folder / name).write_text(text.getvalue(), encoding="utf-8", newline="")
    import_files("epoch", sorted(folder.iterdir()), day, project)


def aider_day(project: Path, day: str, *rows) -> None:
    """One version of Aider's list: (model, per cent[, more cells])."""
    folder = project / "incoming" / f"aider-{day}"
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"model": name, "pass_rate_2": str(rate), **(more[0] if more else {})} for name, rate, *more in rows]
    path = folder / "polyglot_leaderboard.yml"
    path.write_text(yaml.safe_dump(entries, allow_unicode=False), encoding="utf-8")
    import_files("aider", [path], day, project)


def signed(folder: Path) -> None:
    """Stored rows that were altered on purpose get the checksum that an import of them would have given."""
    for path in folder.glob("*.json"):
        sidecar = json.loads(path.read_text(encoding="utf-8"))
        path.write_bytes(canonical_bytes({**sidecar, "rows_sha256": sha256(path.with_suffix(".csv").read_bytes())}))


def small_world(root: Path, folder: Path, *names: str, table=TABLE) -> Path:
    """One day of each source; `names` stand in Aider's list, 50, 51 … per cent. The table's groups are registered."""
    project = small_project(root, folder)
    epoch_day(project, "2026-07-01", [(table[0][0], "0.5")], table)
    aider_day(project, "2026-07-02", *((name, 50 + k) for k, name in enumerate(names or ("Nova 1",))))
    register(project)
    return project


def shelf_of(project: Path):
    return open_shelf(project, load_method(project))


def results_of(project: Path, source: str = "aider") -> dict[str, tuple[str, float]]:
    """Name as the source writes it → (model, score), of the newest snapshot."""
    read = shelf_of(project).reads[source][-1]
    rows = {x["id"]: x["row"] for x in read.selection.evidence}
    column = "model" if source == "aider" else "Model version"
    return {rows[r.evidence][column]: (r.model, r.score) for r in read.selection.results}
