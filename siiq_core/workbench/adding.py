"""`siiq score --add`: where results of one's own land under the frozen calibration, row by row, and that nobody else moves (C10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from siiq_core.errors import VerificationError
from siiq_core.evidence.alter import require_known
from siiq_core.evidence.own import FLAG, Own, Placed, with_own
from siiq_core.method.numbers import sig12
from siiq_core.params.method import with_changes
from siiq_core.publish.index import scored_models
from siiq_core.publish.worked import Line, Worked, work
from siiq_core.records import Model
from siiq_core.workbench.published import Published

HINTS = 100  # new models for which a name like theirs is looked for, some 5 ms each
MAY_MOVE = ("rank", "best_rank", "worst_rank")  # of models that no row is of: ranks may move, nothing else (C10)
Record = Mapping[str, Any]  # one of an index's models


def added(base: Published, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The outcome as a plain value.

    Parameters
    ----------
    base : a published index
    rows : as `evidence.own.read_rows` gives them

    Raises
    ------
    ParameterError
        A benchmark that the index does not know, two scores for one run, a name that could mean another model.
    VerificationError
        A number of another model is not as published: this code and that index do not belong together.
    """
    params = with_changes(base.desk.params, {"add_rows": list(rows)})
    require_known([x["id"] for x in base.desk.facts], params)
    own = with_own(base.desk.results, base.desk.facts, base.desk.models, params)
    after = {m["slug"]: m for m in scored_models(own.results, own.models, base.desk.benchmarks, base.calibration, base.desk.params)}
    before = {m["slug"]: m for m in base.index["models"]}
    theirs = {x.model for x in own.rows}
    known = [m["name"] for m in base.index["models"]] if len({x.model for x in own.rows if x.new}) <= HINTS else []
    index = {**base.index, "models": list(after.values())}
    return {
        "method_version": base.index["method_version"], "as_of": base.index["as_of"], "against": {"file": base.file, "digest": base.index["digest"], "calibration": base.index["calibration"]["id"]},
        "ranked": sum(m["ranked"] for m in after.values()), "rows": [_row(x, base) for x in own.rows],
        "models": [_model(slug, own, before.get(slug), after.get(slug), index, known) for slug in sorted(theirs)],
        "others": _others([m for slug, m in before.items() if slug not in theirs], after),
    }


def _row(x: Placed, base: Published) -> dict[str, Any]:
    """A row and what became of it: `counts` where it is in the sum, else `why` it is not; `clipped` by which limit (T); `counted_as` another evaluator's runs than it says."""
    bench = next(b for b in base.index["benchmarks"] if b["id"] == x.row.benchmark)
    out = bench["reason"]
    return {"file": x.row.file, "row": x.row.row, "model": x.model, "benchmark": x.row.benchmark, "score": x.row.score, "counts": x.used and out is None,
            "clipped": "above the ceiling" if x.row.score > bench["c"] else "below the chance level" if x.row.score < bench["g"] else None,
            "why": x.why or (f"{x.row.benchmark} is out of the index: {out}" if out else None), "in_place_of": x.replaces,
            "counted_as": bench["evaluator"] if x.row.evaluator not in ("", bench["evaluator"]) else None}


def _model(slug: str, own: Own, before: Record | None, after: Record | None, index: Mapping[str, Any], known: Sequence[str]) -> dict[str, Any]:
    model: Model = own.models[slug]
    new = any(x.new for x in own.rows if x.model == slug)
    head = {"slug": slug, "name": model.name, "new": new, "nearest": _nearest(model.name, known) if new else None, "before": before and _standing(before)}
    if after is None:
        return {**head, "after": None, "areas": {}, "not_ranked_because": [], "arithmetic": None}
    return {**head, "after": _standing(after), "areas": {area: _scale(x) for area, x in after["areas"].items()}, "not_ranked_because": list(after["not_ranked_because"]),
            "arithmetic": _arithmetic(work(index, after), index)}


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """The published name that a new one is most like, for those who mistyped it; names are never matched by likeness (I2)."""
    import difflib

    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.7)), None)


def _scale(x: Record) -> dict[str, Any]:
    return {name: x[name] for name in ("siiq", "low", "high", "shown")}


def _standing(m: Record) -> dict[str, Any]:
    return {**_scale(m), **{name: m[name] for name in ("ranked", *MAY_MOVE, "families", "areas_covered", "evaluators")}}


def _arithmetic(found: Worked, index: Mapping[str, Any]) -> dict[str, Any]:
    """S1–S3 row by row, most information first; `work` has formed every term anew and found it to agree."""
    at, constants, m = index["calibration"], index["constants"], found.model
    return {"rows": [_line(x) for x in found.lines], "lam": constants["lam"], **{name: sig12(getattr(found, name)) for name in ("information", "pull", "noise")},
            **{name: m[name] for name in ("d", "theta0", "theta", "se", "siiq", "low", "high")},
            **{name: at[name] for name in ("shift", "scale", "kappa")}, **{name: constants[name] for name in ("mean", "sd", "z90")}}


def _line(x: Line) -> dict[str, Any]:
    """One result: T in the first half, S in the second."""
    r, b = x.result, x.bench
    return {"benchmark": r["benchmark"], "own": FLAG in r.get("flags", ()), "score": r["score"], "g": b["g"], "c": b["c"], "n": b["n"], "p_star": sig12(x.p_star), "y": r["y"], "v": r["v"],
            "alpha": b["alpha"], "beta": b["beta"], "sigma2": b["sigma2"], "omega": b["omega"], "f": x.f, "w": r["w"],
            **{name: sig12(getattr(x, name)) for name in ("information", "pull", "noise", "share")}}


def _others(before: Sequence[Record], after: Mapping[str, Record]) -> dict[str, Any]:
    """C10: every number of every other model, computed again beside the new rows, against the published one; equal to the last digit, or refused."""
    compared, ranks = 0, []
    for was in before:
        now = after.get(was["slug"], {})
        fixed, fixed_now = ({k: x for k, x in m.items() if k not in MAY_MOVE} for m in (was, now))
        if fixed != fixed_now:
            raise VerificationError("C10: a number of a model that no row is of is not as published", column=was["slug"], remedy="make the index anew with this version: siiq run")
        compared += sum(1 for _ in _numbers(fixed))
        if any(was[x] != now[x] for x in MAY_MOVE):
            ranks.append({"slug": was["slug"], "before": [was[x] for x in MAY_MOVE], "after": [now[x] for x in MAY_MOVE]})
    return {"models": len(before), "numbers": compared, "moved": 0, "ranks_moved": ranks}


def _numbers(value: Any) -> Iterable[float]:
    """Every number in it."""
    if isinstance(value, Mapping):
        for x in value.values():
            yield from _numbers(x)
    elif isinstance(value, list):
        for x in value:
            yield from _numbers(x)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value
