"""Recomputes an index.json from itself, and its calibration from its inputs (V3, U11), with code of its own.

Nothing here is shared with the rooms that made the file: the formulas stand a second time, sums are exactly
rounded (`math.fsum`), the rank check takes the whole Jacobian, and the file format is read, not assumed.

    report = verify_file(Path("index.json"))
    report.passed, report.checks, report.mismatches
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from siiq_core.errors import SiiqError, VerificationError

from . import checks
from .compare import Check, Mismatch, Report, compare
from .reading import INPUTS_NAME, Inputs, canonical_bytes, digest, parse_index, parse_inputs, read_bytes, sha256
from .recalibrate import calibrate
from .rescore import Parameters, rescore
from .shape import shape_of

__all__ = ["Check", "Mismatch", "Parameters", "Report", "calibrate", "rescore", "verified_index", "verify", "verify_file"]

TOLERANCE = 1e-9
CALIBRATION = "calibration"
_NO_INPUTS = f"no calibration inputs: put {INPUTS_NAME} beside the file, or name it"


def verify(index: dict[str, Any], calibration_inputs: Sequence[tuple[str, str, float]] | None,
           tolerance: float = TOLERANCE) -> Report:
    """Recompute every number of an index.

    Parameters
    ----------
    index : the object of an index.json
    calibration_inputs : (slug, benchmark, score) of every result that was accepted when the calibration ran
    tolerance : how far a number may be off, in its own unit (from 1000 on, one unit of its 12th digit)

    Returns
    -------
    Report
        Never raises for what stands in `index`: whatever is wrong with it is a failed check.
    """
    done, off = [_digest(index)], []

    def look(name: str, rule: str, pairs, allowed: float = tolerance) -> None:
        check, wrong = compare(name, rule, pairs, allowed)
        done.append(check)
        off.extend(wrong)

    try:
        shape = shape_of(index)
        found = checks.rescored(shape)
    except (SiiqError, ArithmeticError, ValueError) as error:
        return Report((*done, Check("shape", "V3", False, str(error))))
    done.append(Check("shape", "V3", True, f"{len(shape.models)} models, {len(shape.benchmarks)} benchmarks, {sum(b.in_index for b in shape.benchmarks)} of them in the index"))
    look("12 significant digits", "C11", checks.digits(index), 0.0)
    look("transformed scores", "T", checks.transforms(shape))
    look("area weights", "S", checks.area_weights(shape))
    look("scores and intervals", "S", checks.scores(shape, found))
    look("area scores", "A", checks.areas(shape, found))
    look("shown numbers", "S2", checks.shown(shape, found, tolerance))
    look("coverage and who is ranked", "K1", checks.coverage(shape, found))
    look("ranks and rank ranges", "K2, K3", checks.places(shape, found, tolerance))
    if calibration_inputs is None:
        done.append(Check(CALIBRATION, "C", False, _NO_INPUTS))
    else:
        try:
            look(CALIBRATION, "C", checks.calibration(shape, tuple(calibration_inputs)))
        except SiiqError as error:  # refused (C8), or inputs that are none
            done.append(Check(CALIBRATION, "C", False, str(error)))
    return Report(tuple(done), tuple(off))


def verify_file(path: Path | str, inputs: Path | str | None = None, tolerance: float = TOLERANCE) -> Report:
    """Recompute every number of a published file; refuses it if one byte is not as it was written.

    Parameters
    ----------
    path : an index.json
    inputs : its calibration_inputs.csv; by default the one in the same folder

    Raises
    ------
    VerificationError
        The file is missing or larger than the bound. What stands in it is judged in the report.
    """
    path = Path(path)
    content = read_bytes(path)
    try:
        index = parse_index(content, path.name)
    except VerificationError as error:
        return Report((Check("strict JSON", "V3", False, str(error)),))
    table, found = _inputs(Path(inputs) if inputs is not None else path.with_name(INPUTS_NAME), index)
    report = verify(index, table, tolerance)
    return Report((_canonical(content, index), found, *report.checks), report.mismatches)


def verified_index(path: Path | str) -> dict[str, Any]:
    """The object of a published file, once its bytes are as written and every score, area and rank follows from its parameters.

    The calibration behind the parameters is not fitted again: `verify_file` does that, in seconds instead of a part of one.

    Raises
    ------
    VerificationError
        The file is missing, too large or no index, or a number does not follow; the first is named.
    """
    path = Path(path)
    content = read_bytes(path)
    index = parse_index(content, path.name)
    report = verify(index, None)
    failed = [x for x in (_canonical(content, index), *report.checks) if not x.passed and x.name != CALIBRATION]
    if failed:
        raise VerificationError(f"is no index that follows from itself: {failed[0].name}", file=path.name, value=failed[0].notes, remedy="siiq verify names all that is off; get or make the file anew")
    return index


def _digest(index: dict[str, Any]) -> Check:
    try:
        expected = digest(index)
    except (ValueError, TypeError, RecursionError) as error:
        return Check("digest", "V3", False, f"the object cannot be written as JSON: {error}")
    right = index.get("digest") == expected
    return Check("digest", "V3", right, expected if right else f"the file says {str(index.get('digest'))[:80]}, its content {expected}")


def _canonical(content: bytes, index: dict[str, Any]) -> Check:
    """Numbers and names are safe by the digest; white space, key order and the spelling of numbers by this."""
    try:
        right = canonical_bytes(index) == content
    except (ValueError, RecursionError):
        right = False
    return Check("canonical bytes", "V3", right, f"{len(content)} bytes" if right else "the bytes are not those the content is written as")


def _inputs(path: Path, index: dict[str, Any]) -> tuple[Inputs | None, Check]:
    """The calibration inputs, if they are the ones the index names by SHA-256."""
    name, rule = "calibration inputs", "C10"
    if not path.is_file():
        return None, Check(name, rule, False, _NO_INPUTS)
    try:
        content = read_bytes(path)
        rows = parse_inputs(content)
    except VerificationError as error:
        return None, Check(name, rule, False, str(error))
    facts = index.get("calibration")
    named = facts.get("inputs_sha256") if isinstance(facts, dict) else None
    if named != sha256(content):
        return rows, Check(name, rule, False, f"{path.name} is not the file whose SHA-256 the index names")
    return rows, Check(name, rule, True, f"{len(rows)} results, those on benchmarks that did not join included")
