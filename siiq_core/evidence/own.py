"""Results and benchmarks of one's own beside the accepted ones, for what-if runs and for `siiq score --add`. None is ever published.

A row's model is the one whose name or slug it is, exactly (I2); any other name is a new model. Of several rows for a model
and benchmark the best score counts (P1). (choice) A row takes the place of an accepted result, whichever is higher: who adds
a number wants to see what that number does.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from siiq_core.errors import ParameterError
from siiq_core.evidence.folding import slug_of
from siiq_core.evidence.numbers import NotANumber, plain_number, score_flags, significant
from siiq_core.files import sha256
from siiq_core.params.loader import nearest, read_text
from siiq_core.params.method import MethodParams
from siiq_core.params.own import MAX_ROWS, MAX_TEXT, OwnBenchmark, OwnRow
from siiq_core.records import Model, Result

SOURCE = "own"  # as the source of a benchmark, of a row of evidence and of a changed result
FLAG = "own row"
NEEDED, OPTIONAL = ("model", "benchmark", "score"), ("version", "setting", "evaluator")
Facts = Mapping[str, Any]  # of one benchmark: id, area, g, c, n, n_kind …


# --- reading ---------------------------------------------------------------------------------------------------------


def resolved(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes of parameters with the rows of `add_rows` in place of the path of their file, so that a run depends on no file."""
    path = changes.get("add_rows")
    return {**changes, "add_rows": read_rows(Path(path))} if isinstance(path, str) else dict(changes)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV file: model, benchmark, score and where they stand, in file order; blank lines are passed over.

    Raises
    ------
    ParameterError
        Names file, row, column and value: no CSV, a column missing, unknown or twice, a score that is no fraction …
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, path.name)
        lines = [(number, cells) for number, cells in enumerate(reader, start=1) if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise ParameterError(f"is no valid CSV ({error})", file=path.name, row=reader.line_num, remedy="mend the quoting on that line") from error
    if not lines or len(lines) > MAX_ROWS:
        raise ParameterError(f"holds {'no rows' if not lines else f'more than {MAX_ROWS} rows'}", file=path.name, remedy="give one row for each result")
    return [_row(dict(zip(header, cells)), len(cells) == len(header), path.name, number) for number, cells in lines]


def _check_header(header: Sequence[str], file: str) -> None:
    if len(header) < 2 and any(mark in "".join(header) for mark in ";\t|"):
        raise ParameterError("its cells are not separated by commas", file=file, row=0, value=header[0], remedy="save it as comma-separated values, with points in numbers")
    for name in header:
        if name not in (*NEEDED, *OPTIONAL):
            raise ParameterError("unknown column", file=file, row=0, column=name, remedy=nearest(name, [*NEEDED, *OPTIONAL]))
        if header.count(name) > 1:
            raise ParameterError("a header stands twice", file=file, row=0, column=name, remedy="keep one of the two")
    for name in NEEDED:
        if name not in header:
            raise ParameterError("a column is missing", file=file, row=0, column=name, remedy=f"the first line is {','.join(NEEDED)}, and where wanted {', '.join(OPTIONAL)}")


def _row(cells: dict[str, str], whole: bool, file: str, number: int) -> dict[str, Any]:
    """One row as OwnRow takes it."""
    def refused(what: str, column: str | None, remedy: str) -> ParameterError:
        return ParameterError(what, file=file, row=number, column=column, value=cells.get(column) if column else None, remedy=remedy)

    cells = {name: cell.strip() for name, cell in cells.items()}
    if not whole:
        raise refused("has not as many cells as the header", None, "quote cells that hold commas; numbers have a decimal point")
    for name, cell in cells.items():
        if len(cell) > MAX_TEXT:
            raise refused(f"a cell is longer than {MAX_TEXT} characters", name, "shorten it")
    for name in ("model", "benchmark"):
        if not cells[name]:
            raise refused("an empty cell", name, "name the model and the benchmark in every row")
    names = list(cells)
    behind = names[names.index("score") + 1:]
    if cells["score"] in ("0", "1") and behind and cells[behind[0]].isdigit():  # 0,71 cut at its comma
        raise refused("looks cut at a decimal comma", "score", "write numbers with a decimal point")
    return {**cells, "score": _score(cells["score"], refused), "file": file[:MAX_TEXT], "row": number}


def _score(cell: str, refused: Any) -> float:
    if not cell:
        raise refused("no score", "score", "leave the row out: a result that is missing is no result, and never zero")
    try:
        value = significant(float(plain_number(cell, percent_sign=False)))
    except NotANumber as error:
        raise refused(f"T4: a score {error}", "score", "write a fraction from 0 to 1 with a decimal point, such as 0.71") from error
    if not 0 <= value <= 1:  # T2: before any clip, which would hide it
        raise refused("T2: a score is a fraction from 0 to 1", "score", f"{value:g} per cent is {value / 100:g}" if 1 < value <= 100 else "write a fraction from 0 to 1")
    return value


# --- where rows go ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """One row and what became of it."""

    row: OwnRow
    model: str  # slug
    new: bool  # is the model one that was not there?
    used: bool
    why: str  # why it is not used; "" where it is
    replaces: float | None  # the accepted score whose place it takes


class Own(NamedTuple):
    """Results, benchmarks and models with one's own among them, and every row with its fate."""

    results: tuple[Result, ...]  # by model, benchmark
    benchmarks: tuple[Facts, ...]  # one's own last
    models: dict[str, Model]  # by slug
    rows: tuple[Placed, ...]  # as given


def with_own(results: Sequence[Result], benchmarks: Sequence[Facts], models: Mapping[str, Model], params: MethodParams) -> Own:
    """Everything with `params.add_benchmarks` and `params.add_rows` in it; as it came where both are empty.

    Raises
    ------
    ParameterError
        A benchmark that is known already or not at all, two scores for one run, a name that could mean another model.
    """
    facts = (*benchmarks, *_definitions(benchmarks, params))
    by_id = {x["id"]: x for x in facts}
    standing = {(r.model, r.benchmark): r for r in results}
    slugs = _slugs(params.add_rows, models)
    placed, best = [], _best(params.add_rows, slugs)
    for row in params.add_rows:
        key = slugs[row.model], row.benchmark
        chosen, was = best[key], standing.get(key)
        why = "" if row is chosen else f"the same as row {chosen.row}" if _run(row) == _run(chosen) else f"P1: row {chosen.row} is used"
        placed.append(Placed(row, key[0], key[0] not in models, not why, why, was.score if was and not why else None))
    ours = {(x.model, x.row.benchmark): _result(x, by_id[x.row.benchmark]) for x in placed if x.used}
    added = {x.model: Model(x.model, x.row.model, "", None, "") for x in placed if x.new}
    merged = {**standing, **ours}
    return Own(tuple(merged[key] for key in sorted(merged)) if ours else tuple(results), facts, {**models, **added}, tuple(placed))


def _definitions(benchmarks: Sequence[Facts], params: MethodParams) -> list[Facts]:
    known = {x["id"]: x for x in benchmarks}
    area = {x["family"]: x["area"] for x in benchmarks}
    out = []
    for name, x in params.add_benchmarks.items():
        family = x.family or name
        if name in known:
            raise ParameterError("is configured already", column="add_benchmarks", value=name, remedy="give yours another id; chance, ceiling, questions and areas alter those that are there")
        if area.setdefault(family, x.area) != x.area:
            raise ParameterError("a family has one question set, so it lies in one area", column=f"add_benchmarks.{name}.area", value=x.area, remedy=f"use {area[family]!r}, or another family")
        if not x.g < x.c:
            raise ParameterError("the chance level is not below the ceiling", column=f"add_benchmarks.{name}", value=f"g {x.g:g}, c {x.c:g}", remedy="give a chance level below the ceiling")
        out.append(_facts(name, family, x, params))
    return out


def _facts(name: str, family: str, x: OwnBenchmark, params: MethodParams) -> Facts:
    counted = any(row.benchmark == name for row in params.add_rows)
    return {"id": name, "name": name, "area": x.area, "family": family, "evaluator": x.evaluator, "source": SOURCE, "g": x.g, "c": x.c,
            "n": x.n or params.assumed_n, "n_kind": "defined" if x.n else "assumed", "address": "", "license": "", "license_url": "", "license_basis": SOURCE,
            "reason": None if counted else "no results"}


def _slugs(rows: Iterable[OwnRow], models: Mapping[str, Model]) -> dict[str, str]:
    """Name in a row → slug. A new model's slug is its folded name; where nothing usable is left of it, its checksum."""
    known = {**{slug: slug for slug in models}, **{model.name: slug for slug, model in models.items()}}
    out: dict[str, str] = {}
    taken: dict[str, str] = {}
    for row in rows:
        slug = known.get(row.model) or slug_of(row.model) or f"{SOURCE}-{sha256(row.model.encode('utf-8'))[:12]}"
        if row.model not in known and slug in models:
            raise ParameterError("could be a model that is there already (I2)", file=row.file, row=row.row, column="model", value=row.model,
                                 remedy=f"write {slug} if it is that one, and another name if not")
        if row.model not in known and taken.setdefault(slug, row.model) != row.model:
            raise ParameterError("two new models would share a slug (I6)", file=row.file, row=row.row, column="model", value=row.model, remedy="write the name in one way, or give two names")
        out[row.model] = slug
    return out


def _run(row: OwnRow) -> tuple[str, str, float]:
    return row.version, row.setting, row.score


def _best(rows: Iterable[OwnRow], slugs: Mapping[str, str]) -> dict[tuple[str, str], OwnRow]:
    """(slug, benchmark) → the row that counts (P1); a run that has two scores is refused."""
    seen: dict[tuple[str, str, str, str], OwnRow] = {}
    best: dict[tuple[str, str], OwnRow] = {}
    for row in rows:
        key = slugs[row.model], row.benchmark
        first = seen.setdefault((*key, row.version, row.setting), row)
        if first.score != row.score:
            raise ParameterError(f"two scores for one model and benchmark; row {first.row} says {first.score:g}", file=row.file, row=row.row, column="score", value=row.score,
                                 remedy="keep one of the two, or say in the columns version and setting how they differ")
        if key not in best or _order(row) < _order(best[key]):
            best[key] = row
    return best


def _order(row: OwnRow) -> tuple[float, str, str]:
    return -row.score, row.setting, row.version


def _result(x: Placed, bench: Facts) -> Result:
    """As the method sees it: the benchmark's evaluator is the result's (K1); who else measured it is a flag and stands in the evidence."""
    row = x.row
    flags = score_flags(row.score, repr(row.score), bench["g"], bench["c"], bench["n"] if bench["n_kind"] == "defined" else None)
    other = ("other evaluator",) if row.evaluator not in ("", bench["evaluator"]) else ()
    return Result(x.model, row.benchmark, row.score, row.version or row.model, None, row.setting or "default", bench["evaluator"], evidence_id(row),
                  (FLAG, *flags, *other))


# --- as evidence -----------------------------------------------------------------------------------------------------


def is_own(result: Result) -> bool:
    """Is it a result of one's own?"""
    return FLAG in result.flags


def evidence_id(row: OwnRow) -> str:
    """Known by what the row says, like a source's."""
    return sha256(json.dumps([SOURCE, row.file, _cells(row)], sort_keys=True).encode("utf-8"))[:16]


def with_own_rows(evidence: Iterable[Mapping[str, Any]], results: Iterable[Result], params: MethodParams) -> tuple[Mapping[str, Any], ...]:
    """Records of evidence.jsonl with those of one's own rows in use, by id; what such a row took the place of is not current."""
    ours = {(r.model, r.benchmark): r for r in results if is_own(r)}
    rows = {evidence_id(row): row for row in params.add_rows}
    kept = [{**x, "current": x["current"] and (x["model"], x["benchmark"]) not in ours} for x in evidence]
    return tuple(sorted([*kept, *(_record(r, rows[r.evidence], params.as_of) for r in ours.values())], key=lambda x: (x["id"], x["benchmark"])))


def _record(result: Result, row: OwnRow, day: str) -> dict[str, Any]:
    said = json.dumps(_cells(row), sort_keys=True).encode("utf-8")
    return {"id": result.evidence, "model": result.model, "benchmark": result.benchmark, "source": SOURCE, "file": row.file, "url": "", "copy": "", "sha256": sha256(said),
            "snapshot": day, "observed_at": day, "since": day, "current": True, "line": row.row, "row": _cells(row), "version": result.version, "setting": result.setting,
            "checker": {"who": "none", "when": None, "outcome": "the operator's own row, not checked, never published"}}


def _cells(row: OwnRow) -> dict[str, str]:
    """The row as it was given."""
    return {name: str(getattr(row, name)) for name in (*NEEDED, *OPTIONAL) if getattr(row, name) != ""}
