"""Parameters on the command line: `--params FILE` and `-p NAME VALUE`, checked before anything starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Check = Callable[[Mapping[str, Any], str, Mapping[tuple, int]], Any]  # changes, the file they stand in, key path → line


def changes_of(pairs: list[str] | None, file: Path | None, check: Check) -> dict[str, Any]:
    """The file first, then every pair.

    Parameters
    ----------
    pairs : "NAME=VALUE"
    check : raises ParameterError where the changes are none that a run can take
    """
    from siiq_core.errors import ParameterError
    from siiq_core.params.loader import parse_yaml, read_text
    from siiq_core.params.method import parse_value

    changes, lines = parse_yaml(read_text(file), file.name) if file else ({}, {})
    if file:
        check(changes, file.name, lines)
    given: set[str] = set()
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        if not equals:
            raise ParameterError("a parameter needs a value", column=name, remedy="-p NAME VALUE")
        if (name := name.strip()) in given:
            raise ParameterError("is given twice", column=name, value=text, remedy="keep one of the two")
        given.add(name)
        changes[name] = parse_value(text)
    check(changes, "parameters given", {})
    return changes


def join_pairs(arguments: list[str]) -> list[str]:
    """`-p NAME VALUE`, as papermill takes it, becomes `-p NAME=VALUE`, which the option parser can repeat."""
    out: list[str] = []
    rest = iter(arguments)
    for word in rest:
        out.append(word)
        if word in ("-p", "--parameter"):
            name = next(rest, "")
            out.append(name if "=" in name else f"{name}={next(rest, '')}")
    return out
