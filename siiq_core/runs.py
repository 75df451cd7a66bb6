"""A run: its folder and parameters, what a stage hands over, and how a stage reads what an earlier one wrote."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siiq_core import __version__
from siiq_core.errors import ParameterError, PublicationError
from siiq_core.evidence.alter import require_below, require_known
from siiq_core.evidence.own import resolved, with_own
from siiq_core.files import replace_all, sha256
from siiq_core.locks import held
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.loader import nearest, project_root
from siiq_core.params.method import MethodParams, load_method, what_if, with_changes
from siiq_core.params.names import load_registry
from siiq_core.records import Calibration, Model, calibration_of
from siiq_core.versions import benchmark_changes

if TYPE_CHECKING:
    from siiq_core.hourly.accepted import Accepted

_PROJECT = ("book", "data", "notebooks", "ops", "params", "scripts", "siiq_core", "tests")  # no run writes there
Progress = Callable[[str], None]


def quiet(text: str) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Run:
    """Where a run works, and with which parameters."""

    root: Path
    folder: Path
    params: MethodParams
    what_if: Mapping[str, list[Any]] = field(default_factory=dict)
    accepted: Accepted | None = None  # what the gate accepted, where an update was ever run; None: a direct build
    version: str = __version__  # method version (V1)


@dataclass(frozen=True)
class Outcome:
    """What a stage found (`value`), and the files that say so (`files`: name → bytes)."""

    run: Run
    value: Any
    files: Mapping[str, bytes]

    def save(self) -> None:
        """Write the files into the run folder, each as a whole and none before all are on the disk."""
        replace_all({self.run.folder / name: content for name, content in self.files.items()})


def prepare(changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> Run:
    """Parameters and folder of a run.

    Parameters
    ----------
    changes : values of params/method.yml to use instead of the shipped ones; equal values change nothing. `add_rows` may be a path
    out_dir : folder of the outputs; empty means _build/run, and _build/what-if where a parameter is altered

    Raises
    ------
    ParameterError
        Unknown name, wrong type or value out of range; a folder that holds the project itself, or what is published.
    """
    root = root or project_root()
    gate = _accepted(root)
    shipped = gate.params() if gate else load_method(root)
    used = with_changes(shipped, resolved(changes or {}))
    _require_usable(root, used)
    altered = what_if(gate.params() if gate else _in_force(root) or shipped, used) | ({} if gate else _benchmarks_altered(root))
    folder = root / (Path(out_dir) if out_dir else Path("_build") / ("what-if" if altered else "run"))
    _require_free(root, folder)
    as_accepted = gate if gate and used.as_of == shipped.as_of and used.licence_policy == shipped.licence_policy else None
    return Run(root, folder, used, altered, as_accepted, as_accepted.version if as_accepted else __version__)


def _require_free(root: Path, folder: Path) -> None:
    """A run puts its files beside nothing that is the project's own or published: names like index.json and calibrate.ipynb stand there too."""
    home, place = root.resolve(), folder.resolve()
    parts = place.relative_to(home).parts if place.is_relative_to(home) else None
    if parts == () or parts and (parts[0] in _PROJECT or parts[:2] == ("_build", "html")):
        raise ParameterError("holds the project itself, or what is published", column="out_dir", value=str(folder), remedy="name another folder, such as --out _build/mine")


def _require_usable(root: Path, used: MethodParams) -> None:
    """What the parameters say of benchmarks, and rows of one's own, fit what is configured and registered; said before a stage starts."""
    specs = load_benchmarks(root)
    require_known([x.id for x in specs], used)
    for name, g, c in [(x.id, x.g, x.c) for x in specs] + [(name, x.g, x.c) for name, x in used.add_benchmarks.items()]:
        if name not in used.drop:
            require_below(name, used.chance.get(name, g), used.ceiling.get(name, c))
    if used.add_rows or used.add_benchmarks:
        names = ("id", "area", "family", "evaluator", "g", "c", "n", "n_kind")
        with_own((), [{name: getattr(x, name) for name in names} for x in specs], {x.slug: Model(x.slug, x.name, "", None, "") for x in load_registry(root)}, used)


def _accepted(root: Path) -> Accepted | None:
    if not (root / "data" / "ledger.jsonl").is_file():
        return None
    from siiq_core.hourly.accepted import accepted

    return accepted(root)


def in_force(root: Path) -> dict[str, Any] | None:
    """The record of the calibration in force for this method version (C10); None before the first one."""
    path = root / "params" / "calibrations" / f"{__version__}.json"
    return read_json(path) if path.is_file() else None


def _in_force(root: Path) -> MethodParams | None:
    """Its parameters: what differs from them is a what-if, wherever it was altered, params/method.yml included."""
    record = in_force(root)
    return with_changes(load_method(root), record["parameters"]) if record else None


def _benchmarks_altered(root: Path) -> dict[str, list[Any]]:
    """What differs of the configured benchmarks from those the calibration in force was made with."""
    record = in_force(root)
    if record is None:
        return {}
    fields = ("area", "family", "evaluator", "g", "c", "n")
    before = {x["id"]: {name: x[name] for name in fields} for x in record["benchmarks"]}
    assumed = load_method(root).assumed_n
    after = {x.id: {**{name: getattr(x, name) for name in fields}, "n": {"effective": None, "assumed": assumed}.get(x.n_kind, x.n)} for x in load_benchmarks(root)}
    return benchmark_changes(before, after)


@contextmanager
def alone(folder: Path, progress: Progress = quiet, seconds: float = 900) -> Iterator[None]:
    """One writer at a time beside `folder`; a second one says so and waits, and leaves after `seconds`."""
    busy = PublicationError("another siiq has been writing here all the time", file=folder.name, remedy="wait for it, or name another folder with --out")
    with held(folder.parent / ".siiq.lock", seconds, busy,
              lambda error: PublicationError(f"the folder cannot be written to ({error.strerror})", file=folder.parent.name,
                                             remedy="free some space or permit writing there, or name another folder with --out; what was published before is untouched"),
              lambda: progress("another siiq is writing here; waiting for it to end")):
        yield


def prepare_notebook(names: Mapping[str, Any], also: tuple[str, ...] = ()) -> Run:
    """`prepare` from a notebook's variables, `also` those of its own. A scalar that is no parameter is refused: papermill would pass it over."""
    known = set(MethodParams.model_fields) | {"out_dir", *also}
    plain = plain_variables(names)
    for name in plain:
        if name not in known:
            raise ParameterError("unknown parameter", column=name, value=plain[name], remedy=nearest(name, sorted(known)))
    return prepare({k: v for k, v in plain.items() if k in MethodParams.model_fields}, str(plain.get("out_dir", "")))


def plain_variables(names: Mapping[str, Any]) -> dict[str, Any]:
    """Of a notebook's variables those that could be parameters: plain values, none of the notebook's own."""
    return {k: v for k, v in names.items()
            if not k.startswith("_") and isinstance(v, (bool, int, float, str, list, dict, tuple, type(None))) and k not in ("In", "Out")}


# --- reading what an earlier stage wrote ------------------------------------------------------------------------------


def calibrated(run: Run) -> tuple[Calibration, dict[str, Any]]:
    try:
        record = read_json(run.folder / "calibration.json")
    except FileNotFoundError as error:
        raise PublicationError("no calibration in the run folder", file="calibration.json", remedy="siiq calibrate first") from error
    if record["parameters"] != run.params.recorded() or record["method_version"] != run.version:
        raise PublicationError("the calibration was made with other parameters", file="calibration.json",
                               remedy="siiq calibrate with the same -p, or siiq run, which does all stages")
    return calibration_of(record["found"]), record


def inputs_of(run: Run) -> list[tuple[str, str, float]]:
    return [(row["slug"], row["benchmark"], float(row["score"])) for row in read_csv(run.folder / "calibration_inputs.csv")]


def history_in(run: Run, made_now: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        return json.loads(made_now["history.json"]) if made_now else read_json(run.folder / "history.json")
    except FileNotFoundError as error:
        raise PublicationError("no history in the run folder", file="history.json", remedy="siiq fetch first") from error


def read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


# --- manifest --------------------------------------------------------------------------------------------------------


def written(run: Run) -> dict[str, bytes]:
    names = ("results.csv", "evidence.jsonl", "history.json", "prices.json", "fetch.json", "calibration_inputs.csv", "calibration.json")
    return {name: (run.folder / name).read_bytes() for name in names if (run.folder / name).is_file()}


def manifest(run: Run, facts: Mapping[str, Any], outputs: Mapping[str, bytes]) -> dict[str, Any]:
    """Inputs with SHA-256, parameters, and the packages that compute. Not part of the index: machines may differ here."""
    import numpy

    inputs = sorted([*(run.root / "params").rglob("*"), *(run.root / "data" / "observations").rglob("*")])
    return {
        "method_version": run.version, "as_of": run.params.as_of, "what_if": dict(run.what_if), "parameters": run.params.recorded(),
        "inputs": {p.relative_to(run.root).as_posix(): sha256(p.read_bytes()) for p in inputs if p.is_file()},
        "outputs": {name: sha256(content) for name, content in sorted(outputs.items())},
        "packages": {"python": platform.python_version(), "numpy": numpy.__version__},
        "snapshots": {x["id"]: x["snapshot"] for x in facts["sources"]},
    }
