"""V1: which step of the version a change asks for, and what a calibration is called. Patch: data and parsing. Minor: recalibration. Major: the method's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from siiq_core.files import csv_bytes, sha256

_SET = ("area", "family", "evaluator")  # what a benchmark is to the method
_DEFINITION = ("g", "c", "n")  # how it is defined: follows its publisher with a recalibration (U6b, U9)
RUN_ONLY = ("as_of", "add_rows")  # parameters that say which data, not which method


def benchmark_changes(before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """"benchmarks.<id>.<field>" → [before, after] of configured benchmarks; one that comes or goes: "benchmarks.<id>" → [before in, after in].

    Parameters
    ----------
    before, after : id → area, family, evaluator, g, c, n; an n that is None (estimated) is not compared
    """
    out: dict[str, list[Any]] = {f"benchmarks.{b}": [b in before, b in after] for b in sorted(before.keys() ^ after.keys())}
    for b in sorted(before.keys() & after.keys()):
        for name in (*_SET, *_DEFINITION):
            old, new = before[b].get(name), after[b].get(name)
            if old != new and not (name == "n" and new is None):
                out[f"benchmarks.{b}.{name}"] = [old, new]
    return out


def major_reasons(changes: Iterable[str], group_changed: bool = False) -> tuple[str, ...]:
    """Which of these changes are a major step: constants of the method, benchmark set, areas, families, evaluators, the group.

    Parameters
    ----------
    changes : names as `benchmark_changes` and runs.what_if give them
    """
    out = [name for name in sorted(changes) if name not in RUN_ONLY and not (name.startswith("benchmarks.") and name.rpartition(".")[2] in _DEFINITION)]
    return (*out, *(["reference_group"] if group_changed else []))


def inputs_bytes(inputs: Iterable[tuple[str, str, float]]) -> bytes:
    """calibration_inputs.csv: slug, benchmark, score (C10)."""
    return csv_bytes(("slug", "benchmark", "score"), sorted(inputs))


def calibration_id(version: str, inputs: bytes) -> str:
    """The name of a calibration: its method version and what it was made from."""
    return f"{version}-{sha256(inputs)[:12]}"


def same_calibration(version: str, other: str) -> bool:
    """Whether between two versions only data and parsing changed: the same major and minor part."""
    return version.split(".")[:2] == other.split(".")[:2]


def next_major(version: str) -> str:
    """The version after a major step."""
    return f"{int(version.partition('.')[0]) + 1}.0.0"
