"""Tables of studies, reruns and sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from siiq_core.show.tables import table


# --- prediction ------------------------------------------------------------------------------------------------------


def prediction_errors(design: Mapping[str, Any]) -> pd.DataFrame:
    """Errors of every method in percentage points, and how far each is from SI-IQ's."""
    rows = []
    for m in design["methods"]:
        against = m["against"]
        rows.append({"method": m["id"], "mean": _points(m["mean"], 2), "median": _points(m["median"], 2), "covered %": _points(m["coverage"]), "width": _points(m["width"]), "cannot": m["cannot"],
                     "minus SI-IQ": "" if against is None else f"{_points(against['difference'], 2)} ± {_points(against['error'], 2)} {against['verdict']}"})
    return table(rows, "method")


def prediction_designs(found: Mapping[str, Any]) -> pd.DataFrame:
    """How much was hidden, and how much of it every method predicts."""
    return table([{name: d[name] for name in ("id", "rounds", "hidden", "nothing_known", "compared")} for d in found["designs"]], "id")


def prediction_parts(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """SI-IQ's errors by benchmark or area in percentage points, and those of the benchmark's mean."""
    return table([{"id": x["id"], "cells": x["cells"], "mean": _points(x["mean"]["siiq"]), "median": _points(x["median"]), "bias": _points(x["bias"]), "covered %": _points(x["coverage"]),
                    "benchmark's mean": _points(x["mean"]["mean"])} for x in rows], "id")


def prediction_calibration(found: Mapping[str, Any]) -> pd.DataFrame:
    """Share of results inside SI-IQ's intervals, by level and design, in per cent."""
    levels = [x["level"] for x in found["designs"][0]["calibration"]]
    return table([{"level %": _points(level, 0), **{d["id"]: _points(d["calibration"][k]["covered"]) for d in found["designs"]}} for k, level in enumerate(levels)], "level %")


def prediction_worst(found: Mapping[str, Any]) -> pd.DataFrame:
    """The predictions farthest off, in per cent of the score."""
    return table([{"model": x["model"], "benchmark": x["benchmark"], "score": _points(x["score"]), "predicted": _points(x["predicted"]["siiq"]), "interval": f"{_points(x['low'])} … {_points(x['high'])}",
                    "known": x["known"]} for x in found["worst"]], "model")


def _points(x: float | None, places: int = 1) -> str:
    return "none" if x is None else f"{100 * x:.{places}f}"


# --- simulation ------------------------------------------------------------------------------------------------------


def simulation_errors(found: Mapping[str, Any], measure: str) -> pd.DataFrame:
    """Scenario by method: mean error over worlds and its standard error, of the models that each method places."""
    return table([{"scenario": s["id"], **{name: _with_error(m[measure], 4) for name, m in s["methods"].items()}} for s in found["scenarios"]], "scenario")


def simulation_placed(found: Mapping[str, Any]) -> pd.DataFrame:
    """Scenario by method: models placed, of all in a world; boards and results in one."""
    return table([{"scenario": s["id"], "boards": s["boards"], "results": round(s["results"], 1), **{name: m["placed"]["mean"] for name, m in s["methods"].items()}}
                   for s in found["scenarios"]], "scenario")


def simulation_against(found: Mapping[str, Any], measure: str) -> pd.DataFrame:
    """Scenario by method: error less SI-IQ's on the models both place, and what is told apart."""
    rows = []
    for s in found["scenarios"]:
        told = {name: m["against"] for name, m in s["methods"].items() if m["against"]}
        rows.append({"scenario": s["id"], **{name: f"{_with_error(a[measure], 4)} {a['verdict'][measure]}" for name, a in told.items()}})
    return table(rows, "scenario")


def _with_error(x: Mapping[str, float | None], places: int) -> str:
    return "none" if x["mean"] is None else f"{x['mean']:.{places}f} ± {x['error'] or 0:.{places}f}"


# --- difference ------------------------------------------------------------------------------------------------------


def difference_sides(found: Mapping[str, Any]) -> pd.DataFrame:
    """What is compared, and what was altered in the run."""
    rows = [(name, found["against"][name], found["run"][name]) for name in ("method_version", "as_of")]
    rows += [(name, before, after) for name, (before, after) in found["altered"].items()]
    return table([{"quantity": name, "published": str(before), "this run": str(after)} for name, before, after in rows], "quantity")


def difference_summary(found: Mapping[str, Any]) -> pd.DataFrame:
    """How many models moved, and how far."""
    rows = [*((name, value) for name, value in found["summary"].items() if name != "line"), *((f"line, {name}", value) for name, value in (found["summary"]["line"] or {}).items())]
    return _quantities([*rows, ("version step", found["version_step"]["step"])])


def difference_models(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """The models that moved most."""
    rows = [m for m in found["models"] if m["change"]][:number]
    return table([{"model": m["slug"], **{f"{name} {side}": round(m[side][name], 2) for side in ("before", "after") for name in ("siiq", "low", "high")},
                    "rank before": m["before"]["rank"], "rank after": m["after"]["rank"], "change": round(m["change"], 2)} for m in rows], "model")


def difference_benchmarks(found: Mapping[str, Any]) -> pd.DataFrame:
    """Benchmarks that joined or left the index set."""
    rows = [{"benchmark": x["id"], "what": what, "rule": x[side]} for what, side in (("joined", "before"), ("left", "after")) for x in found["benchmarks"][what]]
    return table(rows, "benchmark")


def difference_acceptance(found: Mapping[str, Any]) -> pd.DataFrame:
    """What C9 compared, and what C8 and C9 would refuse."""
    would = found["acceptance"]["would_refuse"]
    return _quantities([*found["acceptance"]["compared"].items(), *((f"{x['rule']} would refuse", f"{x['code']}: {x['of']}") for x in would)])


def _quantities(rows: Sequence[tuple[str, Any]]) -> pd.DataFrame:
    return table([{"quantity": name, "value": f"{value:.6g}" if isinstance(value, float) else str(value)} for name, value in rows], "quantity")


# --- studies of the calibration --------------------------------------------------------------------------------------


def coverage(found: Mapping[str, Any], what: str = "covered") -> pd.DataFrame:
    """Class by kind of interval: per cent of models in worlds whose interval (or range of ranks) holds the truth, with the error over worlds."""
    rows = []
    for c in found["coverage"]["classes"]:
        name = c["id"] if c["least"] is None else f"{c['least']}–{c['most'] or ''} families"
        rows.append({"models": name, "number": c["models"], **{kind: "none" if x[what] is None else f"{100 * x[what]['share']:.1f} ± {100 * x[what]['error']:.1f}" for kind, x in c["kinds"].items()}})
    return table(rows, "models")


def quantiles(series: Mapping[str, Sequence[Sequence[float]]]) -> pd.DataFrame:
    """Several series of (quantile, value) pairs side by side."""
    return table([{"series": name, **{f"{100 * q:g} %": round(x, 3) for q, x in pairs}} for name, pairs in series.items()], "series")


def records(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], number: int | None = None, places: int = 2) -> pd.DataFrame:
    """The first rows of a list of records, the columns asked for, a dash where there is no number."""
    cells = [{name: "–" if row[name] is None else f"{row[name]:.{places}f}" if isinstance(row[name], float) else row[name] for name in columns} for row in rows[:number]]
    return table(cells, columns[0])


# --- sweeps ----------------------------------------------------------------------------------------------------------


def sweep_choices(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every axis: its levels, its share of the variance of scores and of ranks, and the size of that in points and ranks."""
    shares = found["shares"]
    rows = [{"choice": axis["name"], "levels": len(axis["levels"]), **_share(score, "scores", "points"), **_share(rank, "ranks", "places")}
            for axis, score, rank in zip(found["axes"], shares["score"]["axes"], shares["rank"]["axes"], strict=True)]
    together = (shares["score"]["interactions"], "scores", "points"), (shares["rank"]["interactions"], "ranks", "places")
    return table([*rows, {"choice": "several together", "levels": "", **_share(*together[0]), **_share(*together[1])}], "choice")


def _share(part: Mapping[str, float | None], of: str, unit: str) -> dict[str, Any]:
    return {f"share, {of}": "none" if part["share"] is None else f"{part['share']:.2%}", unit: f"{part['size']:.3f}"}


def sweep_levels(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """Single choices by how far they move scores: root mean square over ranked models, and the model that is moved most."""
    def named(x: Mapping[str, Any]) -> str:
        axis = found["axes"][x["axis"]]
        level = axis["levels"][x["level"]]
        return f"without {level['leave_out']} {level['name']}" if "leave_out" in level else f"{axis['name']} = {level['value']}"

    rows = sorted((x for x in found["levels"] if x["size"] is not None), key=lambda x: -x["size"])
    return table([{"choice": named(x), "points": round(x["size"], 3), "moves most": x["most"]["model"], "by": round(x["most"]["points"], 2), "refused": f"{x['refused']} of {x['cells']}"}
                   for x in rows[:number]], "choice")


def sweep_models(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """The first models: published score and rank beside their ranges over all cells."""
    return table([{"model": m["slug"], "SI-IQ": f"{m['siiq']:.1f}", "90 %": f"{m['low']:.1f} … {m['high']:.1f}", "range": f"{m['score']['min']:.1f} … {m['score']['max']:.1f}", "rank": m["rank"],
                    "ranks": f"{m['ranks']['min']:g} … {m['ranks']['max']:g}", "ranked in": m["ranks"]["cells"]} for m in found["models"][:number] if m["rank"]], "model")


def sweep_refused(found: Mapping[str, Any]) -> pd.DataFrame:
    """Cells in which the method refuses to calibrate."""
    return table([{"cell": x["point"], "rule": x["rule"], "reason": x["reason"]} for x in found["refused"]])
