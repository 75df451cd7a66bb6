"""What further methods share as stages: parameters of their own beside a few of the method's, a folder, and the head of their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from siiq_core.errors import ParameterError
from siiq_core.params.loader import nearest
from siiq_core.runs import Run, plain_variables, prepare

SHARED = ("as_of", "licence_policy")  # parameters of the method that siblings heed too


@dataclass(frozen=True)
class Sibling:
    """A further method.

    Attributes
    ----------
    numbers : names of its parameters that a run may alter
    load : its shipped parameters, from the project's folder
    altered : those parameters with some numbers replaced
    heeds : parameters of params/method.yml that it heeds too
    """

    numbers: tuple[str, ...]
    load: Callable[[Path], Any]
    altered: Callable[[Any, Mapping[str, Any]], Any]
    heeds: tuple[str, ...] = SHARED

    @property
    def known(self) -> tuple[str, ...]:
        """Every parameter of a run."""
        return (*self.heeds, *self.numbers)


@dataclass(frozen=True)
class SiblingRun:
    """Where a run of a sibling works, and with which parameters."""

    base: Run
    params: Any
    what_if: Mapping[str, list[Any]] = field(default_factory=dict)

    def head(self) -> dict[str, Any]:
        """How its files begin."""
        return {"method_version": self.base.version, "as_of": self.base.params.as_of, **({"what_if": dict(self.what_if)} if self.what_if else {})}


def prepare_sibling(method: Sibling, changes: Mapping[str, Any] | None = None, out_dir: str = "", root: Path | None = None) -> SiblingRun:
    """Parameters and folder of a run; with altered ones it is a what-if run and works in _build/what-if.

    Parameters
    ----------
    changes : the sibling's own numbers, and what it heeds of params/method.yml

    Raises
    ------
    ParameterError
        Unknown name, wrong type or value out of range.
    """
    changes = dict(changes or {})
    for name in changes:
        if name not in method.known:
            raise ParameterError("unknown parameter", column=name, value=changes[name], remedy=nearest(name, list(method.known)))
    shared = {name: changes.pop(name) for name in method.heeds if name in changes}
    base = prepare(shared, out_dir, root)
    shipped = method.load(base.root)
    used = method.altered(shipped, changes)
    own = {name: [plain(getattr(shipped, name)), plain(getattr(used, name))] for name in method.numbers if getattr(shipped, name) != getattr(used, name)}
    if own and not out_dir:
        base = replace(base, folder=base.root / "_build" / "what-if")
    return SiblingRun(base, used, {**{name: change for name, change in base.what_if.items() if name in method.heeds}, **own})


def prepare_sibling_notebook(method: Sibling, names: Mapping[str, Any]) -> SiblingRun:
    """`prepare_sibling` from a notebook's variables; a scalar that is no parameter is refused."""
    given = plain_variables(names)
    return prepare_sibling(method, {k: v for k, v in given.items() if k != "out_dir"}, str(given.get("out_dir", "")))


def notebook_parameters(method: Sibling, run: SiblingRun) -> dict[str, Any]:
    """What the notebook of a run is given."""
    shared = {name: getattr(run.base.params, name) for name in method.heeds}
    return {**shared, **{name: plain(getattr(run.params, name)) for name in method.numbers}, "out_dir": str(run.base.folder)}


def plain(value: Any) -> Any:
    """A parameter as files and notebooks write it: a fraction as text."""
    return str(value) if isinstance(value, Fraction) else value
