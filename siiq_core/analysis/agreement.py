"""SI-IQ, percentiles, value quality, Epoch's ECI and Arena side by side: how far they agree, and where not and why.

Works on the published files alone (index.json, percentile.json, value.json and the ECI of fetch.json), so that every
number can be traced to their rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from siiq_core.analysis.correlation import Correlation, kendall, ranks, spearman
from siiq_core.params.agreement import AgreementParams

METHODS = ("siiq", "percentile", "value", "eci", "arena")
# Why a method may differ from SI-IQ whatever the rows: its own way of looking.
RULES = {"percentile": "M10", "value": "Q1", "eci": "inputs", "arena": "votes"}
Json = Mapping[str, Any]


def agreement(index: Json, percentile: Json, value: Json, eci: Mapping[str, float], params: AgreementParams) -> dict[str, Any]:
    """All of agreement.json but its dates and its newcomers.

    Parameters
    ----------
    index, percentile, value : the published files
    eci : slug → Epoch's own index
    """
    tables = standings(index, percentile, value, eci)
    z = index["constants"]["z90"]
    pairs = [_pair(a, b, tables[a], tables[b], z, params.least_shared) for a, b in combinations(METHODS, 2)]
    found = orders({m["slug"]: m["name"] for m in index["models"]}, tables, params.least_shared)
    return {"level": 0.9, "least_shared": params.least_shared, "methods": {name: len(tables[name]) for name in METHODS}, "pairs": pairs, "orders": found,
            "disagreements": disagreements(index, percentile, value, found, params.disagreements)}


def standings(index: Json, percentile: Json, value: Json, eci: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Method → slug → number, more is better. SI-IQ: ranked models; percentile: the model's own line (M10); value: its best eligible quality."""
    quality: dict[str, float] = {}
    for v in value["variants"]:
        if v["families"] >= value["parameters"]["min_benchmarks"]:
            quality[v["model"]] = max(v["quality"], quality.get(v["model"], -math.inf))
    votes: dict[str, float] = {}
    for c in percentile["configurations"]:
        for rating in (c["values"][b["id"]] for b in percentile["boards"] if b["dimension"] == "preference" and b["id"] in c["values"]):
            votes[c["model"]] = max(rating, votes.get(c["model"], -math.inf))
    return {"siiq": {m["slug"]: m["siiq"] for m in index["models"] if m["ranked"]}, "percentile": {c["model"]: c["score"] for c in percentile["configurations"] if c["main"] and c["score"] is not None},
            "value": quality, "eci": dict(eci), "arena": votes}


def _pair(a: str, b: str, left: Mapping[str, float], right: Mapping[str, float], z: float, least: int) -> dict[str, Any]:
    shared = sorted(left.keys() & right.keys())
    out: dict[str, Any] = {"a": a, "b": b, "n": len(shared), "spearman": None, "kendall": None}
    if len(shared) >= least:
        x, y = [left[s] for s in shared], [right[s] for s in shared]
        out |= {"spearman": _plain(spearman(x, y, z)), "kendall": _plain(kendall(x, y, z))}
    return out


def _plain(c: Correlation) -> dict[str, float | None]:
    return {name: None if x is None else float(f"{x:.12g}") for name, x in (("value", c.value), ("low", c.low), ("high", c.high))}


def orders(names: Mapping[str, str], tables: Mapping[str, Mapping[str, float]], least: int) -> list[dict[str, Any]]:
    """SI-IQ beside every method that shares at least `least` models with it: places of the shared models, by place and slug.

    ``mean_change`` is the mean difference of the two places, as a share of the largest there could be.
    """
    out = []
    for other in METHODS[1:]:
        shared = sorted(tables["siiq"].keys() & tables[other].keys())
        if len(shared) >= least:
            mine, theirs = ranks([tables["siiq"][s] for s in shared]), ranks([tables[other][s] for s in shared])
            rows = [{"model": s, "name": names[s], "siiq": x, "other": y} for x, s, y in sorted(zip(mine, shared, theirs, strict=True))]
            change = math.fsum(abs(r["siiq"] - r["other"]) for r in rows) / len(rows) / (len(rows) - 1)
            out.append({"other": other, "n": len(rows), "mean_change": float(f"{change:.12g}"), "models": rows})
    return out


def disagreements(index: Json, percentile: Json, value: Json, found: Sequence[Json], most: int) -> list[dict[str, Any]]:
    """The models that SI-IQ and another method place farthest apart, as a share of the models both have; a model once.

    Parameters
    ----------
    found : of `orders`; `most`: how many are told
    """
    models = {m["slug"]: m for m in index["models"]}
    shared = {order["other"]: [r["model"] for r in order["models"]] for order in found}
    apart = [(-abs(r["siiq"] - r["other"]) / (order["n"] - 1), r["model"], order["other"], r["siiq"], r["other"]) for order in found for r in order["models"]]
    out: list[dict[str, Any]] = []
    for size, slug, other, mine, theirs in sorted(apart):
        if len(out) < most and slug not in {d["model"] for d in out}:
            out.append({"model": slug, "name": models[slug]["name"], "other": other, "n": len(shared[other]), "rank_siiq": mine, "rank_other": theirs, "size": float(f"{-size:.12g}"),
                        **explain(index, models, slug, shared[other], theirs, _rows(other, slug, percentile, value)), "rule": RULES[other]})
    return out


def explain(index: Json, models: Mapping[str, Json], slug: str, shared: Sequence[str], target: float, rows: Mapping[str, str] | None) -> dict[str, Any]:
    """What the rows say: benchmarks that only one of the two uses, other efforts on the same benchmark, the row that
    holds SI-IQ farthest from the other's rank, and whether SI-IQ's interval reaches that rank anyway."""
    model = models[slug]
    own = {r["benchmark"]: r for r in model["results"] if r["w"] is not None}
    best = 1 + sum(models[s]["low"] > model["high"] for s in shared if s != slug)
    worst = 1 + sum(models[s]["high"] >= model["low"] for s in shared if s != slug)
    out: dict[str, Any] = {"rank_range": [best, worst], "within": best <= target <= worst, "only_siiq": None, "only_other": None, "other_effort": None, "decisive": decisive(index, models, slug, shared, target)}
    if rows is not None:
        out |= {"only_siiq": sorted(own.keys() - rows.keys()), "only_other": sorted(rows.keys() - own.keys()),
                "other_effort": [{"benchmark": b, "siiq": own[b]["setting"], "other": rows[b]} for b in sorted(own.keys() & rows.keys()) if own[b]["setting"] != rows[b]]}
    return out


def _rows(other: str, slug: str, percentile: Json, value: Json) -> dict[str, str] | None:
    """Benchmark → effort that the other method uses for the model; None where its rows are not ours to see."""
    if other == "percentile":
        c = next(c for c in percentile["configurations"] if c["model"] == slug and c["main"])
        inside = {b["id"] for b in percentile["boards"] if b["dimension"] in c["counted"]}
        return {b: c["setting"] for b in c["percentiles"] if b in inside}
    if other == "value":
        own = [v for v in value["variants"] if v["model"] == slug and v["families"] >= value["parameters"]["min_benchmarks"]]
        best = min(own, key=lambda v: (-v["quality"], v["id"]))
        return {b: best["setting"] for b in best["q"]}
    return None


def without(index: Json, model: Json, benchmark: str) -> float | None:
    """SI-IQ of a model had it no result on one benchmark: S with frozen parameters; None where nothing is left."""
    told = {b["id"]: b for b in index["benchmarks"]}
    used = [r for r in model["results"] if r["w"] is not None and r["benchmark"] != benchmark]
    if not used:
        return None
    families: dict[str, int] = {}
    for r in used:
        families[told[r["benchmark"]]["family"]] = families.get(told[r["benchmark"]]["family"], 0) + 1
    top, bottom = [], [index["constants"]["lam"]]
    for r in used:
        b = told[r["benchmark"]]
        w = b["omega"] / families[b["family"]] / (b["sigma2"] + r["v"])
        top.append(w * b["alpha"] * (r["y"] - b["beta"]))
        bottom.append(w * b["alpha"] ** 2)
    at = index["calibration"]
    theta = (math.fsum(top) / math.fsum(bottom) - at["shift"]) / at["scale"]
    return index["constants"]["mean"] + index["constants"]["sd"] * theta


def decisive(index: Json, models: Mapping[str, Json], slug: str, shared: Sequence[str], target: float) -> dict[str, Any] | None:
    """The result without which SI-IQ's rank comes nearest to the other's, if nearer than it is."""
    others = [models[s]["siiq"] for s in shared if s != slug]

    def rank(score: float) -> float:
        return 1 + sum(x > score for x in others) + sum(x == score for x in others) / 2

    best = None
    for r in sorted((r for r in models[slug]["results"] if r["w"] is not None), key=lambda r: r["benchmark"]):
        score = without(index, models[slug], r["benchmark"])
        if score is not None and abs(rank(score) - target) < abs((rank(models[slug]["siiq"]) if best is None else best["rank"]) - target):
            best = {"benchmark": r["benchmark"], "evidence": r["evidence"], "siiq": float(f"{score:.12g}"), "rank": rank(score)}
    return best
