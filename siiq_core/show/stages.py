"""Tables of the stages of the index, and of the method chapter's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from siiq_core.records import Calibration
from siiq_core.show.tables import table


def snapshots(found: Any) -> pd.DataFrame:
    """The snapshot used of each source."""
    return table([{"source": s["id"], "snapshot": s["snapshot"], "license": s["license"], "sha256": (s["sha256"] or "")[:12]}
                   for s in found.sources], "source")


def results_by_benchmark(found: Any) -> pd.DataFrame:
    """Number of results, n and where it is from."""
    count = Counter(r.benchmark for r in found.results)
    return table([{"benchmark": b["id"], "area": b["area"], "results": count[b["id"]], "n": b["n"], "n_kind": b["n_kind"]}
                   for b in found.benchmarks], "benchmark")


def left_out(found: Any) -> pd.DataFrame:
    """Rows that are not used, by rule and reason."""
    count = Counter((x["rule"], x["reason"]) for x in found.left_out)
    return table([{"rule": rule, "reason": reason, "rows": n} for (rule, reason), n in sorted(count.items(), key=lambda x: (-x[1], x[0]))])


def waiting(found: Any) -> pd.DataFrame:
    """Names that wait, most rows first."""
    rows = sorted(found.waiting, key=lambda x: (-x["rows"], x["source"], x["name"]))
    return table([{"source": x["source"], "name": x["name"], "rows": x["rows"], "since": x["since"]} for x in rows[:20]])


def calibration(found: Calibration) -> pd.DataFrame:
    """The numbers of the calibration as a whole."""
    names = ("rounds", "null_directions", "shift", "scale", "kappa", "folds", "pairs")
    rows: list[dict[str, Any]] = [{"quantity": "models in the fit", "value": str(len(found.models))},
                                  {"quantity": "benchmarks", "value": str(len(found.alpha))}]
    rows += [{"quantity": name, "value": f"{getattr(found, name):.6g}"} for name in names]
    rows += [{"quantity": "note", "value": note} for note in found.notes]
    return table(rows, "quantity")


def parameters(found: Calibration) -> pd.DataFrame:
    """α, β, σ², ω and the number of models, by benchmark."""
    return table([{"benchmark": b, "alpha": round(found.alpha[b], 4), "beta": round(found.beta[b], 4), "sigma2": round(found.sigma2[b], 4),
                    "omega": round(found.omega[b], 4), "models": found.models_on[b]} for b in sorted(found.alpha)], "benchmark")


def dropped(found: Calibration) -> pd.DataFrame:
    """Benchmarks that left, and the rule."""
    return table([{"benchmark": b, "rule": rule} for b, rule in sorted(found.dropped.items())], "benchmark")


def summary(index: Mapping[str, Any]) -> pd.DataFrame:
    """What the index holds."""
    return table([
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
    return table([{"rank": m["rank"], "ranks": f"{m['best_rank']}–{m['worst_rank']}", "model": m["name"], "SI-IQ": m["shown"]["siiq"],
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
    return table(rows, "benchmark")


# --- the method chapter ----------------------------------------------------------------------------------------------


def points(curve: Sequence[Sequence[float]], columns: Sequence[str], every: int = 10) -> pd.DataFrame:
    """Every so-many-th point of a curve; the whole curve stands in method_figures.json."""
    return table([dict(zip(columns, (round(x, 4) for x in point), strict=True)) for point in curve[::every]], columns[0])


def curves(series: Sequence[Mapping[str, Any]], columns: Sequence[str], every: int = 10) -> pd.DataFrame:
    """Several curves side by side, a column for each benchmark."""
    rows = [{columns[0]: round(lines[0][0], 4), **{x["name"]: round(line[1], 4) for x, line in zip(series, lines, strict=True)}}
            for lines in list(zip(*(x["curve"] for x in series), strict=True))[::every]]
    return table(rows, columns[0])


def entries(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], number: int | None = None) -> pd.DataFrame:
    """The first rows of a list of records, the columns asked for."""
    cells = [{name: round(x[name], 4) if isinstance(x[name], float) else x[name] for name in columns} for x in rows[:number]]
    return table(cells, columns[0])


def quantities(figure: Mapping[str, Any], names: Sequence[str]) -> pd.DataFrame:
    """Single numbers of a figure."""
    return table([{"quantity": name, "value": f"{figure[name]:.6g}" if isinstance(figure[name], (int, float)) else str(figure[name])} for name in names], "quantity")
