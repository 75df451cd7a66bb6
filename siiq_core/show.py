"""Tables that notebooks show. Displays what a stage found; computes nothing of the method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from siiq_core.records import Calibration

_STYLE = {"display.width": 120, "display.max_rows": 200, "display.max_colwidth": 80}


def _table(rows: list[dict[str, Any]], index: str | None = None) -> pd.DataFrame:
    for name, value in _STYLE.items():
        pd.set_option(name, value)
    table = pd.DataFrame(rows)
    return table.set_index(index) if index and rows else table


def snapshots(found: Any) -> pd.DataFrame:
    """The snapshot used of each source."""
    return _table([{"source": s["id"], "snapshot": s["snapshot"], "license": s["license"], "sha256": (s["sha256"] or "")[:12]}
                   for s in found.sources], "source")


def results_by_benchmark(found: Any) -> pd.DataFrame:
    """Number of results, n and where it is from."""
    count = Counter(r.benchmark for r in found.results)
    return _table([{"benchmark": b["id"], "area": b["area"], "results": count[b["id"]], "n": b["n"], "n_kind": b["n_kind"]}
                   for b in found.benchmarks], "benchmark")


def left_out(found: Any) -> pd.DataFrame:
    """Rows that are not used, by rule and reason."""
    count = Counter((x["rule"], x["reason"]) for x in found.left_out)
    return _table([{"rule": rule, "reason": reason, "rows": n} for (rule, reason), n in sorted(count.items(), key=lambda x: (-x[1], x[0]))])


def waiting(found: Any) -> pd.DataFrame:
    """Names that wait, most rows first."""
    rows = sorted(found.waiting, key=lambda x: (-x["rows"], x["source"], x["name"]))
    return _table([{"source": x["source"], "name": x["name"], "rows": x["rows"], "since": x["since"]} for x in rows[:20]])


def calibration(found: Calibration) -> pd.DataFrame:
    """The numbers of the calibration as a whole."""
    names = ("rounds", "null_directions", "shift", "scale", "kappa", "folds", "pairs")
    rows: list[dict[str, Any]] = [{"quantity": "models in the fit", "value": str(len(found.models))},
                                  {"quantity": "benchmarks", "value": str(len(found.alpha))}]
    rows += [{"quantity": name, "value": f"{getattr(found, name):.6g}"} for name in names]
    rows += [{"quantity": "note", "value": note} for note in found.notes]
    return _table(rows, "quantity")


def parameters(found: Calibration) -> pd.DataFrame:
    """α, β, σ², ω and the number of models, by benchmark."""
    return _table([{"benchmark": b, "alpha": round(found.alpha[b], 4), "beta": round(found.beta[b], 4), "sigma2": round(found.sigma2[b], 4),
                    "omega": round(found.omega[b], 4), "models": found.models_on[b]} for b in sorted(found.alpha)], "benchmark")


def dropped(found: Calibration) -> pd.DataFrame:
    """Benchmarks that left, and the rule."""
    return _table([{"benchmark": b, "rule": rule} for b, rule in sorted(found.dropped.items())], "benchmark")


def summary(index: Mapping[str, Any]) -> pd.DataFrame:
    """What the index holds."""
    return _table([
        {"quantity": "as of", "value": index["as_of"]},
        {"quantity": "models", "value": str(len(index["models"]))},
        {"quantity": "ranked", "value": str(sum(m["ranked"] for m in index["models"]))},
        {"quantity": "results", "value": str(sum(len(m["results"]) for m in index["models"]))},
        {"quantity": "benchmarks in the index", "value": str(sum(b["in_index"] for b in index["benchmarks"]))},
        {"quantity": "what-if", "value": str(index.get("what_if", "no"))},
        {"quantity": "digest", "value": index["digest"][:12]},
    ], "quantity")


def leaders(index: Mapping[str, Any], number: int) -> pd.DataFrame:
    """The first models of the table; shown strings as published."""
    return _table([{"rank": m["rank"], "ranks": f"{m['best_rank']}–{m['worst_rank']}", "model": m["name"], "SI-IQ": m["shown"]["siiq"],
                    "90 %": f"{m['shown']['low']}–{m['shown']['high']}", "families": m["families"]}
                   for m in index["models"][:number] if m["ranked"]], "rank")


def worked_example(index: Mapping[str, Any], slug: str) -> pd.DataFrame:
    """One model's score, row by row: weight share of D and pull on θ₀ of every result (S3)."""
    model = next(m for m in index["models"] if m["slug"] == slug)
    bench = {b["id"]: b for b in index["benchmarks"]}
    rows = []
    for r in model["results"]:
        b = bench[r["benchmark"]]
        if r["w"] is not None:
            information, pull = r["w"] * b["alpha"] ** 2, r["w"] * b["alpha"] * (r["y"] - b["beta"])
            rows.append({"benchmark": r["benchmark"], "score": round(r["score"], 4), "y": round(r["y"], 4), "v": round(r["v"], 4),
                         "w": round(r["w"], 4), "w·α²": round(information, 4), "w·α·(y−β)": round(pull, 4)})
    return _table(rows, "benchmark")


# --- the method chapter ----------------------------------------------------------------------------------------------


def points(curve: Sequence[Sequence[float]], columns: Sequence[str], every: int = 10) -> pd.DataFrame:
    """Every so-many-th point of a curve; the whole curve stands in method_figures.json."""
    return _table([dict(zip(columns, (round(x, 4) for x in point), strict=True)) for point in curve[::every]], columns[0])


def curves(series: Sequence[Mapping[str, Any]], columns: Sequence[str], every: int = 10) -> pd.DataFrame:
    """Several curves side by side, a column for each benchmark."""
    rows = [{columns[0]: round(lines[0][0], 4), **{x["name"]: round(line[1], 4) for x, line in zip(series, lines, strict=True)}}
            for lines in list(zip(*(x["curve"] for x in series), strict=True))[::every]]
    return _table(rows, columns[0])


def entries(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], number: int | None = None) -> pd.DataFrame:
    """The first rows of a list of records, the columns asked for."""
    cells = [{name: round(x[name], 4) if isinstance(x[name], float) else x[name] for name in columns} for x in rows[:number]]
    return _table(cells, columns[0])


def quantities(figure: Mapping[str, Any], names: Sequence[str]) -> pd.DataFrame:
    """Single numbers of a figure."""
    return _table([{"quantity": name, "value": f"{figure[name]:.6g}" if isinstance(figure[name], (int, float)) else str(figure[name])} for name in names], "quantity")


# --- value -----------------------------------------------------------------------------------------------------------


def value_benchmarks(found: Mapping[str, Any]) -> pd.DataFrame:
    """What each source measured, and its level against the anchor's."""
    names = ("id", "in_use", "family", "variants", "models", "offset", "cost_factor", "reason")
    return _table([{name: b[name] for name in names} for b in found["benchmarks"]], "id")


def value_answers(found: Mapping[str, Any]) -> pd.DataFrame:
    """The three answers, or why one is missing."""
    own = {v["id"]: v for v in found["variants"]}
    return _table([{"answer": name, "variant": a["variant"] or "none", "quality": _rounded(own, a, "quality"), "cost": _rounded(own, a, "cost"),
                    "note": a["reason"] or (f"repeats {a['repeats']}" if a["repeats"] else "")} for name, a in found["answers"].items()], "answer")


def value_variants(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every variant that may answer, the best first: quality in points, cost index in US dollars."""
    own = sorted((v for v in found["variants"] if v["eligible"]), key=lambda v: (-v["quality"], v["id"]))
    return _table([{"variant": v["id"], "quality": round(v["quality"], 1), "interval": f"{v['low']:.1f} … {v['high']:.1f}", "cost": round(v["cost"], 2),
                    "kind": v["cost_kind"], "frontier": v["frontier"]} for v in own], "variant")


def value_rests_on(found: Mapping[str, Any]) -> pd.DataFrame:
    """r, centre, worst pair, widest band, mean quality by number of benchmarks, price factor."""
    shrink, pair, band = found["shrink"], found["worst_pair"], found["widest_band"]
    rows = [(name, f"{shrink[name]:.6g}") for name in ("r", "within", "between", "centre")]
    rows += [(f"mean quality, k = {k}", f"{x:.4g}") for k, x in shrink["mean_quality_by_k"].items()]
    rows += [("worst pair", f"{pair['a']}, {pair['b']}: {pair['difference']:.3g} over {pair['shared']}"), ("widest band", f"{band['variant']}: {band['high'] - band['low']:.3g}"),
             ("price factor", f"{found['price_factor']['factor']:.4g} from {found['price_factor']['pairs']} pairs")]
    return _table([{"quantity": name, "value": value} for name, value in rows], "quantity")


def _rounded(own: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> float | None:
    return round(own[answer["variant"]][name], 2) if answer["variant"] else None


# --- percentile ------------------------------------------------------------------------------------------------------


def percentile_boards(found: Mapping[str, Any]) -> pd.DataFrame:
    """Each board: how many are on it, and how many of them are known configurations."""
    names = ("id", "dimension", "family", "snapshot", "n", "configurations", "waiting_rows", "overlap_factor", "status")
    return _table([{name: b[name] for name in names} for b in found["boards"]], "id")


def percentile_confidence(found: Mapping[str, Any]) -> pd.DataFrame:
    """Configurations by dimension and confidence."""
    return _table([{"dimension": d["id"], "weight": d["weight"], "boards": d["boards"], **d["confidence"]} for d in found["dimensions"]], "dimension")


def percentile_scores(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every configuration with a score, the best first."""
    own = sorted((c for c in found["configurations"] if c["score"] is not None), key=lambda c: (-c["score"], c["id"]))
    return _table([{"configuration": c["id"], "score": round(c["score"], 1), **{name: None if d["score"] is None else round(d["score"], 1) for name, d in c["dimensions"].items()},
                    "coverage": round(c["coverage"], 2), "main": c["main"]} for c in own], "configuration")


def percentile_counts(found: Mapping[str, Any]) -> pd.DataFrame:
    """Configurations, models, and how many of them have a score."""
    return _table([{"quantity": name, "value": value} for name, value in found["counts"].items()], "quantity")


# --- prediction ------------------------------------------------------------------------------------------------------


def prediction_errors(design: Mapping[str, Any]) -> pd.DataFrame:
    """Errors of every method in percentage points, and how far each is from SI-IQ's."""
    rows = []
    for m in design["methods"]:
        against = m["against"]
        rows.append({"method": m["id"], "mean": _points(m["mean"], 2), "median": _points(m["median"], 2), "covered %": _points(m["coverage"]), "width": _points(m["width"]), "cannot": m["cannot"],
                     "minus SI-IQ": "" if against is None else f"{_points(against['difference'], 2)} ± {_points(against['error'], 2)} {against['verdict']}"})
    return _table(rows, "method")


def prediction_designs(found: Mapping[str, Any]) -> pd.DataFrame:
    """How much was hidden, and how much of it every method predicts."""
    return _table([{name: d[name] for name in ("id", "rounds", "hidden", "nothing_known", "compared")} for d in found["designs"]], "id")


def prediction_parts(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """SI-IQ's errors by benchmark or area in percentage points, and those of the benchmark's mean."""
    return _table([{"id": x["id"], "cells": x["cells"], "mean": _points(x["mean"]["siiq"]), "median": _points(x["median"]), "bias": _points(x["bias"]), "covered %": _points(x["coverage"]),
                    "benchmark's mean": _points(x["mean"]["mean"])} for x in rows], "id")


def prediction_calibration(found: Mapping[str, Any]) -> pd.DataFrame:
    """Share of results inside SI-IQ's intervals, by level and design, in per cent."""
    levels = [x["level"] for x in found["designs"][0]["calibration"]]
    return _table([{"level %": _points(level, 0), **{d["id"]: _points(d["calibration"][k]["covered"]) for d in found["designs"]}} for k, level in enumerate(levels)], "level %")


def prediction_worst(found: Mapping[str, Any]) -> pd.DataFrame:
    """The predictions farthest off, in per cent of the score."""
    return _table([{"model": x["model"], "benchmark": x["benchmark"], "score": _points(x["score"]), "predicted": _points(x["predicted"]["siiq"]), "interval": f"{_points(x['low'])} … {_points(x['high'])}",
                    "known": x["known"]} for x in found["worst"]], "model")


def _points(x: float | None, places: int = 1) -> str:
    return "none" if x is None else f"{100 * x:.{places}f}"


# --- simulation ------------------------------------------------------------------------------------------------------


def simulation_errors(found: Mapping[str, Any], measure: str) -> pd.DataFrame:
    """Scenario by method: mean error over worlds and its standard error, of the models that each method places."""
    return _table([{"scenario": s["id"], **{name: _with_error(m[measure], 4) for name, m in s["methods"].items()}} for s in found["scenarios"]], "scenario")


def simulation_placed(found: Mapping[str, Any]) -> pd.DataFrame:
    """Scenario by method: models placed, of all in a world; boards and results in one."""
    return _table([{"scenario": s["id"], "boards": s["boards"], "results": round(s["results"], 1), **{name: m["placed"]["mean"] for name, m in s["methods"].items()}}
                   for s in found["scenarios"]], "scenario")


def simulation_against(found: Mapping[str, Any], measure: str) -> pd.DataFrame:
    """Scenario by method: error less SI-IQ's on the models both place, and what is told apart."""
    rows = []
    for s in found["scenarios"]:
        told = {name: m["against"] for name, m in s["methods"].items() if m["against"]}
        rows.append({"scenario": s["id"], **{name: f"{_with_error(a[measure], 4)} {a['verdict'][measure]}" for name, a in told.items()}})
    return _table(rows, "scenario")


def _with_error(x: Mapping[str, float | None], places: int) -> str:
    return "none" if x["mean"] is None else f"{x['mean']:.{places}f} ± {x['error'] or 0:.{places}f}"


# --- difference ------------------------------------------------------------------------------------------------------


def difference_summary(found: Mapping[str, Any]) -> pd.DataFrame:
    """How many models moved, and how far."""
    rows = [*((name, value) for name, value in found["summary"].items() if name != "line"), *((f"line, {name}", value) for name, value in (found["summary"]["line"] or {}).items())]
    return _quantities([*rows, ("version step", found["version_step"]["step"])])


def difference_models(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """The models that moved most."""
    rows = [m for m in found["models"] if m["change"]][:number]
    return _table([{"model": m["slug"], **{f"{name} {side}": round(m[side][name], 2) for side in ("before", "after") for name in ("siiq", "low", "high")},
                    "rank before": m["before"]["rank"], "rank after": m["after"]["rank"], "change": round(m["change"], 2)} for m in rows], "model")


def difference_benchmarks(found: Mapping[str, Any]) -> pd.DataFrame:
    """Benchmarks that joined or left the index set."""
    rows = [{"benchmark": x["id"], "what": what, "rule": x[side]} for what, side in (("joined", "before"), ("left", "after")) for x in found["benchmarks"][what]]
    return _table(rows, "benchmark")


def difference_acceptance(found: Mapping[str, Any]) -> pd.DataFrame:
    """What C9 compared, and what C8 and C9 would refuse."""
    would = found["acceptance"]["would_refuse"]
    return _quantities([*found["acceptance"]["compared"].items(), *((f"{x['rule']} would refuse", f"{x['code']}: {x['of']}") for x in would)])


def _quantities(rows: Sequence[tuple[str, Any]]) -> pd.DataFrame:
    return _table([{"quantity": name, "value": f"{value:.6g}" if isinstance(value, float) else str(value)} for name, value in rows], "quantity")


# --- studies of the calibration --------------------------------------------------------------------------------------


def coverage(found: Mapping[str, Any], what: str = "covered") -> pd.DataFrame:
    """Class by kind of interval: per cent of models in worlds whose interval (or range of ranks) holds the truth, with the error over worlds."""
    rows = []
    for c in found["coverage"]["classes"]:
        name = c["id"] if c["least"] is None else f"{c['least']}–{c['most'] or ''} families"
        rows.append({"models": name, "number": c["models"], **{kind: "none" if x[what] is None else f"{100 * x[what]['share']:.1f} ± {100 * x[what]['error']:.1f}" for kind, x in c["kinds"].items()}})
    return _table(rows, "models")


def quantiles(series: Mapping[str, Sequence[Sequence[float]]]) -> pd.DataFrame:
    """Several series of (quantile, value) pairs side by side."""
    return _table([{"series": name, **{f"{100 * q:g} %": round(x, 3) for q, x in pairs}} for name, pairs in series.items()], "series")


def records(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], number: int | None = None, places: int = 2) -> pd.DataFrame:
    """The first rows of a list of records, the columns asked for, a dash where there is no number."""
    cells = [{name: "–" if row[name] is None else f"{row[name]:.{places}f}" if isinstance(row[name], float) else row[name] for name in columns} for row in rows[:number]]
    return _table(cells, columns[0])


# --- sweeps ----------------------------------------------------------------------------------------------------------


def sweep_choices(found: Mapping[str, Any]) -> pd.DataFrame:
    """Every axis: its levels, its share of the variance of scores and of ranks, and the size of that in points and ranks."""
    shares = found["shares"]
    rows = [{"choice": axis["name"], "levels": len(axis["levels"]), **_share(score, "scores", "points"), **_share(rank, "ranks", "places")}
            for axis, score, rank in zip(found["axes"], shares["score"]["axes"], shares["rank"]["axes"], strict=True)]
    together = (shares["score"]["interactions"], "scores", "points"), (shares["rank"]["interactions"], "ranks", "places")
    return _table([*rows, {"choice": "several together", "levels": "", **_share(*together[0]), **_share(*together[1])}], "choice")


def _share(part: Mapping[str, float | None], of: str, unit: str) -> dict[str, Any]:
    return {f"share, {of}": "none" if part["share"] is None else f"{part['share']:.2%}", unit: f"{part['size']:.3f}"}


def sweep_levels(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """Single choices by how far they move scores: root mean square over ranked models, and the model that is moved most."""
    def named(x: Mapping[str, Any]) -> str:
        axis = found["axes"][x["axis"]]
        level = axis["levels"][x["level"]]
        return f"without {level['leave_out']} {level['name']}" if "leave_out" in level else f"{axis['name']} = {level['value']}"

    rows = sorted((x for x in found["levels"] if x["size"] is not None), key=lambda x: -x["size"])
    return _table([{"choice": named(x), "points": round(x["size"], 3), "moves most": x["most"]["model"], "by": round(x["most"]["points"], 2), "refused": f"{x['refused']} of {x['cells']}"}
                   for x in rows[:number]], "choice")


def sweep_models(found: Mapping[str, Any], number: int) -> pd.DataFrame:
    """The first models: published score and rank beside their ranges over all cells."""
    return _table([{"model": m["slug"], "SI-IQ": f"{m['siiq']:.1f}", "90 %": f"{m['low']:.1f} … {m['high']:.1f}", "range": f"{m['score']['min']:.1f} … {m['score']['max']:.1f}", "rank": m["rank"],
                    "ranks": f"{m['ranks']['min']:g} … {m['ranks']['max']:g}", "ranked in": m["ranks"]["cells"]} for m in found["models"][:number] if m["rank"]], "model")


def sweep_refused(found: Mapping[str, Any]) -> pd.DataFrame:
    """Cells in which the method refuses to calibrate."""
    return _table([{"cell": x["point"], "rule": x["rule"], "reason": x["reason"]} for x in found["refused"]])
