"""One cell of a sweep: the method run again on a desk under changes, as a small result. A pure function, wherever it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from siiq_core.errors import CalibrationRefused
from siiq_core.files import canonical_bytes, sha256
from siiq_core.workbench.desk import Desk, rerun_or_reason, with_parameters

# What a cell's numbers are computed by; a test compares with what this module imports.
CODE = ("errors.py", "evidence/alter.py", "evidence/folding.py", "evidence/numbers.py", "evidence/own.py", "files.py", "method", "params/fields.py", "params/loader.py",
        "params/method.py", "params/names.py", "params/own.py", "records.py", "workbench/desk.py", "workbench/sweep/cell.py")


@dataclass(frozen=True)
class Cell:
    """A set of changes, known by what it is computed from."""

    id: str  # 16 hexadecimal digits
    changes: Mapping[str, Any]  # to the desk's parameters, by name


@dataclass(frozen=True)
class Place:
    """A model in a cell."""

    theta: float
    siiq: float
    low: float
    high: float
    rank: int | None  # None: not ranked there (K1, I5)


@dataclass(frozen=True)
class Found:
    """What came out of a cell: scores, or the rule that refused it."""

    kappa: float | None  # None: refused
    dropped: Mapping[str, str]  # benchmark → the rule that took it out
    missing: tuple[str, ...]  # members of the reference group that the set did not hold
    models: Mapping[str, Place]  # by slug
    rule: str = ""  # of a refusal, "C5" or "C8"
    reason: str = ""  # its words

    def plain(self) -> dict[str, Any]:
        """As a file keeps it; `found_of` reads it back."""
        models = {slug: [x.theta, x.siiq, x.low, x.high, x.rank] for slug, x in self.models.items()}
        return {**asdict(self), "missing": list(self.missing), "models": models}


def found_of(plain: Mapping[str, Any]) -> Found:
    """A result that was written as plain values."""
    return Found(**{**plain, "missing": tuple(plain["missing"]), "models": {slug: Place(*x) for slug, x in plain["models"].items()}})


def compute(desk: Desk, changes: Mapping[str, Any]) -> Found:
    """The method on the desk under the changes. A refusal (C5, C8) is a finding, and so is a number that is not finite."""
    try:
        found = rerun_or_reason(with_parameters(desk, changes))
    except ArithmeticError as error:
        return Found(None, {}, (), {}, "C8", f"C8: not finite ({type(error).__name__})")
    if isinstance(found, CalibrationRefused):
        return Found(None, {}, (), {}, found.rule, found.what)
    missing = tuple(sorted(set(desk.reference) - set(found.calibration.models)))
    models = {slug: Place(s.overall.theta, s.overall.siiq, s.overall.low, s.overall.high, found.standings[slug].rank) for slug, s in sorted(found.scores.items())}
    return Found(found.calibration.kappa, dict(found.calibration.dropped), missing, models)


def inputs_sha256(desk: Desk) -> str:
    """Of all that a cell reads: results, benchmarks, reference group, parameters."""
    return sha256(canonical_bytes({"results": [asdict(r) for r in desk.results], "benchmarks": [asdict(desk.benchmarks[b]) for b in sorted(desk.benchmarks)],
                                   "kinds": {x["id"]: x["n_kind"] for x in desk.facts}, "reference": sorted(desk.reference), "parameters": desk.params.model_dump(mode="json")}))


@cache
def code_sha256() -> str:
    """Of the code that computes a cell, as it stands on this machine."""
    here = Path(__file__).parents[2]
    files = [path for name in CODE for path in ([here / name] if name.endswith(".py") else sorted((here / name).rglob("*.py")))]
    return sha256(b"".join(path.read_bytes() for path in files))


def cell_of(changes: Mapping[str, Any], inputs: str, version: str) -> Cell:
    """The cell of some changes on inputs known by their SHA-256, under a method version."""
    return Cell(sha256(canonical_bytes({"changes": dict(changes), "inputs_sha256": inputs, "method_version": version}))[:16], dict(changes))
