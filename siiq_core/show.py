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
