"""A grid file → its cells: every combination of the values declared for each axis, as changes to a desk's parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siiq_core.errors import ParameterError
from siiq_core.params.loader import nearest, parse_yaml, read_text
from siiq_core.params.method import MethodParams
from siiq_core.params.sweep import SweepParams
from siiq_core.workbench.desk import NEEDS_FETCH, Desk, with_parameters

LEAVE_OUT = "leave_out"  # the one axis that is no parameter
KINDS = ("none", "benchmark", "evaluator", "area")


@dataclass(frozen=True)
class Level:
    """One choice on an axis."""

    changes: Mapping[str, Any]  # to the desk's parameters; empty where the choice is the desk's own
    value: Any = None  # of a parameter
    kind: str = ""  # of leave_out, one of KINDS
    name: str = ""  # what is left out: id of a benchmark, name of an evaluator, an area

    def plain(self) -> dict[str, Any]:
        """As files write it."""
        return {"leave_out": self.kind, "name": self.name, "drop": list(self.changes.get("drop", []))} if self.kind else {"value": self.value}


@dataclass(frozen=True)
class Axis:
    """A choice and its levels."""

    name: str  # of a parameter, or LEAVE_OUT
    levels: tuple[Level, ...]

    @property
    def own(self) -> int:
        """Number of the level that others are compared with: the desk's own, else the first."""
        return next((k for k, level in enumerate(self.levels) if not level.changes), 0)


@dataclass(frozen=True)
class Declared:
    """What a grid file says, checked; what `leave_out` comes to depends on which benchmarks count."""

    file: str  # its name
    axes: tuple[Axis, ...]  # LEAVE_OUT with a level for each kind asked for


@dataclass(frozen=True)
class Grid:
    """All axes with all their levels."""

    axes: tuple[Axis, ...]
    gone: tuple[str, ...] = ()  # benchmarks that the desk was opened without

    @property
    def size(self) -> int:
        """Combinations."""
        return math.prod(len(axis.levels) for axis in self.axes)

    def points(self) -> Iterator[tuple[int, ...]]:
        """Numbers of levels, one for each axis, in grid order: the last axis runs fastest."""
        return itertools.product(*(range(len(axis.levels)) for axis in self.axes))

    def changes(self, point: Sequence[int]) -> dict[str, Any]:
        """Changes to the desk's parameters at a point; what two axes leave out is left out together, and what is gone stays so."""
        out: dict[str, Any] = {}
        for axis, number in zip(self.axes, point, strict=True):
            for name, value in axis.levels[number].changes.items():
                out[name] = sorted({*value, *out.get(name, self.gone)}) if name == "drop" else value
        return out


def load_grid(path: Path, desk: Desk, limits: SweepParams, workers: int = 1) -> Declared:
    """Read and check a grid file; a ParameterError names its line."""
    values, lines = parse_yaml(read_text(path), path.name)
    for name in values:
        if name != "axes":
            raise ParameterError("a grid has axes and nothing else", file=path.name, row=lines[name,], column=name, remedy=nearest(name, ["axes"]))
    return declared(values.get("axes"), desk, limits, workers, path.name, {key[1:]: row for key, row in lines.items() if key[0] == "axes"})


def declared(axes: Any, desk: Desk, limits: SweepParams, workers: int = 1, file: str = "axes given", lines: Mapping[tuple, int] | None = None) -> Declared:
    """Axes and their values, checked.

    Parameters
    ----------
    axes : name of a parameter, or "leave_out", → list of values
    file, lines : where they stand: (), (name,) and (name, number of the value) → line

    Raises
    ------
    ParameterError
        An unknown parameter, a value it may not have, a value twice, or too many cells.
    """
    at = (lines or {}).get
    if not isinstance(axes, dict) or not axes:
        raise ParameterError("a grid needs axes, each with its values", file=file, row=at((), 1) if lines is not None else None, column="axes", remedy="axes: {lam: [0.1, 0.2]}")
    known = [name for name in (*MethodParams.model_fields, LEAVE_OUT) if name not in NEEDS_FETCH]
    for name, given in axes.items():
        where = {"file": file, "row": at((name,)), "column": str(name)}
        if name in NEEDS_FETCH:
            raise ParameterError("decides which results there are, so it is no axis", **where, remedy=f"one sweep for each: siiq sweep GRID -p {name} VALUE")
        if name not in known:
            raise ParameterError("unknown parameter", **where, remedy=nearest(str(name), known))
        if not isinstance(given, list) or not given:
            raise ParameterError("an axis needs a list of values", **where, value=given, remedy=f"{name}: [first value, second value]")
    require_size(math.prod(len(given) for given in axes.values()), limits, workers, file)
    return Declared(file, tuple(Axis(name, tuple(_levels(name, given, desk, file, at))) for name, given in axes.items()))


def _levels(name: str, given: Sequence[Any], desk: Desk, file: str, at: Callable[[tuple], int | None]) -> Iterator[Level]:
    seen: list[Any] = []
    for number, value in enumerate(given):
        row = at((name, number))
        if name == LEAVE_OUT:
            if value not in KINDS:
                raise ParameterError("nothing that can be left out", file=file, row=row, column=name, value=value, remedy=nearest(str(value), list(KINDS)))
            level = Level({}, kind=value)
        else:
            level = _parameter(name, value, desk, file, row)
        if (level.value, level.kind) in seen:
            raise ParameterError("stands twice", file=file, row=row, column=name, value=value, remedy="keep one of the two")
        seen.append((level.value, level.kind))
        yield level


def _parameter(name: str, value: Any, desk: Desk, file: str, row: int | None) -> Level:
    """The value as the method reads it (1 and 1.0 are one), checked against the desk."""
    try:
        read = with_parameters(desk, {name: value}).params.model_dump(mode="json")[name]
    except ParameterError as error:
        raise ParameterError(error.what, file=file, row=row, column=name, value=value, remedy=error.remedy) from error
    return Level({} if read == desk.params.model_dump(mode="json")[name] else {name: read}, value=read)


def require_size(cells: int, limits: SweepParams, workers: int, file: str) -> None:
    """A grid beyond the limit is refused, with its size and how long it would take."""
    if cells > limits.max_cells:
        raise ParameterError(f"{cells:,} cells, more than {limits.max_cells:,}; with {workers} at work they would take about {_span(cells * limits.seconds_per_cell / workers)}",
                             file=file, remedy="fewer values or axes, several grids, or a larger max_cells in params/sweep.yml")


def _span(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} seconds"


def expand(declared: Declared, desk: Desk, outside: Collection[str]) -> Grid:
    """The grid with everything written out that is left out in turn.

    Parameters
    ----------
    outside : benchmarks that the desk's own calibration does not use; leaving out nothing but these is no choice
    """
    return Grid(tuple(Axis(LEAVE_OUT, tuple(_distinct([x for level in axis.levels for x in _left_out(level.kind, desk, outside)], outside)))
                      if axis.name == LEAVE_OUT else axis for axis in declared.axes), tuple(desk.params.drop))


def _left_out(kind: str, desk: Desk, outside: Collection[str]) -> Iterator[Level]:
    if kind == "none":
        yield Level({}, kind=kind)
        return
    groups: dict[str, list[str]] = {}
    for bench in sorted(desk.benchmarks):
        facts = desk.benchmarks[bench]
        groups.setdefault(bench if kind == "benchmark" else getattr(facts, kind), []).append(bench)
    for name in sorted(groups):
        if not set(groups[name]) <= set(outside):
            yield Level({"drop": groups[name]}, kind=kind, name=name)


def _distinct(levels: Sequence[Level], outside: Collection[str]) -> Iterator[Level]:
    """Without those that leave out, of what counts, the same as an earlier one."""
    seen = set()
    for level in levels:
        counts = frozenset(level.changes.get("drop", ())) - frozenset(outside)
        if counts not in seen:
            seen.add(counts)
            yield level
