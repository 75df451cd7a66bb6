"""A saved notebook run again and compared with what it was saved with: texts to the letter, decimals within a tolerance.

A decimal number has a point or an exponent. Whole numbers (counts, ranks, days) are equal or they are not.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.params.recheck import RecheckParams

_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w]|\.\d)", re.ASCII)
_NOT_COMPARED = ("image/png", "image/jpeg", "application/pdf")  # pixels; figures to be compared are SVG
_SHOWN = 60  # characters of an output on either side


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a notebook that ran again says something else."""

    cell: int  # 1-based, text cells counted too
    where: str  # "output 1, text/plain"
    saved: str
    found: str
    off: float | None  # relative difference of a decimal number; None where the text differs


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One notebook."""

    cells: int  # code cells
    numbers: int  # decimals compared
    largest: float  # relative difference among those that were let pass
    passed_over: int  # outputs that are not compared (pixels)
    differences: tuple[Difference, ...]


def recheck(path: Path, cwd: Path, tolerance: RecheckParams) -> Rechecked:
    """Execute a notebook from the top and compare every output with the saved one. The file stays as it is.

    It runs with your rights: check only notebooks that you would run.

    Parameters
    ----------
    cwd : folder that its cells run in

    Raises
    ------
    PublicationError
        No notebook, too large, saved without outputs, or a cell that fails.
    """
    saved = read_notebook(path, tolerance.max_bytes)
    return compared(saved, _executed(path, cwd, tolerance.timeout), tolerance)


def read_notebook(path: Path, max_bytes: int) -> Mapping[str, Any]:
    """The notebook as plain values (format 4)."""
    import nbformat

    try:
        if path.stat().st_size > max_bytes:
            raise PublicationError(f"larger than {max_bytes} bytes", file=path.name, remedy="clear large outputs, or raise max_bytes in params/recheck.yml")
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)  # what is read over a fault is not believed
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, nbformat.ValidationError) as error:
        raise PublicationError(f"is no notebook ({type(error).__name__})", file=path.name or str(path), remedy="name a saved .ipynb file") from error
    language = notebook.metadata.get("language_info", {}).get("name") or notebook.metadata.get("kernelspec", {}).get("language") or "python"
    if language not in ("python", "ipython"):
        raise PublicationError("is written in another language than Python", file=path.name, value=language, remedy="check it with its own kernel")
    code = [c for c in notebook.cells if c.cell_type == "code" and c.source.strip()]
    if not any(c.outputs for c in code):
        raise PublicationError("was saved without outputs, so there is nothing to compare with", file=path.name, remedy="run it once and save it")
    return notebook


def _executed(path: Path, cwd: Path, timeout: int) -> Mapping[str, Any]:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = nbformat.read(path, as_version=4)
    try:
        NotebookClient(notebook, timeout=timeout, kernel_name="python3", resources={"metadata": {"path": str(cwd)}},
                       extra_arguments=["--IPKernelApp.log_level=50"]).execute()
    except CellExecutionError as error:
        failed = next(k for k, cell in enumerate(notebook.cells, start=1) if any(x.output_type == "error" for x in cell.get("outputs", ())))
        raise PublicationError(f"cell {failed} failed: {error.ename}: {error.evalue}", file=path.name, remedy="mend what the message names") from error
    except CellTimeoutError as error:
        raise PublicationError(f"a cell took longer than {timeout} s", file=path.name, remedy="raise --timeout, or find out why") from error
    except DeadKernelError as error:
        raise PublicationError("the kernel died", file=path.name, remedy="look for a lack of memory") from error
    return notebook


def compared(saved: Mapping[str, Any], again: Mapping[str, Any], tolerance: RecheckParams) -> Rechecked:
    """Two notebooks of the same cells, output by output."""
    cells = numbers = passed_over = 0
    largest, out = 0.0, []
    for number, (old, new) in enumerate(zip(saved["cells"], again["cells"], strict=True), start=1):
        if old["cell_type"] != "code":
            continue
        cells += 1
        before, after = list(_texts(old["outputs"])), list(_texts(new["outputs"]))
        if [where for where, _ in before] != [where for where, _ in after]:
            out.append(Difference(number, "kinds of output", _list(before), _list(after), None))
            continue
        for (where, a), (_, b) in zip(before, after, strict=True):
            if a is None:
                passed_over += 1
                continue
            found = _compare(a, b, tolerance)
            numbers += found.numbers
            largest = max(largest, found.largest)
            out += [Difference(number, where, *x) for x in found.off]
    return Rechecked(cells, numbers, largest, passed_over, tuple(out))


@dataclass(frozen=True, slots=True)
class _Compared:
    numbers: int
    largest: float
    off: Sequence[tuple[str, str, float | None]]


def _compare(a: str, b: str, tolerance: RecheckParams) -> _Compared:
    """Where the words are the same, every number against its own; else the first place where they part."""
    words_a, words_b = _NUMBER.split(a), _NUMBER.split(b)
    if words_a != words_b:
        at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        near = slice(max(0, at - _SHOWN // 2), at + _SHOWN)
        return _Compared(0, 0.0, [(a[near], b[near], None)])
    decimals, largest, off = 0, 0.0, []
    for x, y in zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True):
        decimals += _is_decimal(x) and _is_decimal(y)
        if x == y:
            continue
        share = _off(x, y, tolerance)
        if share is None:
            off.append((x, y, _share(x, y) if _is_decimal(x) and _is_decimal(y) else None))
        else:
            largest = max(largest, share)
    return _Compared(decimals, largest, off)


def _off(x: str, y: str, tolerance: RecheckParams) -> float | None:
    """The relative difference of two decimals where it is small enough; else None."""
    if not (_is_decimal(x) and _is_decimal(y)):
        return None
    a, b = _value(x), _value(y)
    step = Decimal(1).scaleb(min(int(a.as_tuple().exponent), int(b.as_tuple().exponent)))
    near = abs(a - b) <= Decimal(str(tolerance.relative)) * abs(a) or abs(a - b) <= tolerance.last_place * step
    return _share(x, y) if near else None


def _share(x: str, y: str) -> float:
    a, b = _value(x), _value(y)
    return float(abs(a - b) / abs(a)) if a else (math.inf if b else 0.0)


def _value(text: str) -> Decimal:
    return Decimal(text.replace("\u2212", "-"))


def _is_decimal(text: str) -> bool:
    return "." in text or "e" in text.lower()


def _texts(outputs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str | None]]:
    """("output 1, text/plain", its text) for each kind of each output; None for pixels. A stream counts as one, however it was cut."""
    streams: dict[str, str] = {}
    number = 0
    for output in outputs:
        if output["output_type"] == "stream":
            streams[output["name"]] = streams.get(output["name"], "") + output["text"]
            continue
        number += 1
        if output["output_type"] == "error":
            yield f"output {number}, error", f"{output['ename']}: {output['evalue']}"
        for kind, data in sorted(output.get("data", {}).items()):
            yield f"output {number}, {kind}", None if kind in _NOT_COMPARED else data if isinstance(data, str) else json.dumps(data, sort_keys=True)
    for name, text in sorted(streams.items()):
        yield f"stream {name}", text


def _list(found: Sequence[tuple[str, str | None]]) -> str:
    return "; ".join(where for where, _ in found) or "none"
