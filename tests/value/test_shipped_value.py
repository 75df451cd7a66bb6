"""The shipped data: the answers computed a second time from the stored rows, by other means, and what they rest on."""

import csv
import json
import math
import statistics

import numpy as np
import pytest
from scipy import optimize

from siiq_core.params.method import load_method
from siiq_core.params.sources import load_sources
from siiq_core.params.value import value_specs
from siiq_core.siblings.value.evidence import ANOTHER_SETTING, UNKNOWN_COST, open_evidence
from siiq_core.siblings.value.published import value_json
from siiq_core.siblings.value.state import answer, competing, state_of


@pytest.fixture(scope="module")
def evidence(root, params):
    return open_evidence(root, load_method(root), params)


@pytest.fixture(scope="module")
def state(evidence, params):
    return state_of(evidence, params.default_set, params)


@pytest.fixture(scope="module")
def file(root, evidence, params):
    return value_json(evidence, params, value_specs(root, params, load_sources(root)))


def stored(root, name, day="2026-07-31", source="epoch"):
    """The raw rows of one file, read here without the project's code."""
    with (root / "data" / "observations" / source / f"{day}.csv").open(encoding="utf-8", newline="") as stream:
        return [json.loads(r["row"]) for r in csv.DictReader(stream) if r["file"] == name]


def test_every_row_of_the_default_set_is_a_variant_or_has_its_reason(root, evidence):
    deepswe = stored(root, "deepswe_external.csv")
    assert len([r for r in evidence.rows if r.benchmark == "deepswe"]) == len(deepswe) == 50
    cursor = {(round(float(x["Score"]), 9), float(x["Cost per task"])) for x in stored(root, "cursorbench_external.csv")}
    assert {(round(r.score, 9), r.cost) for r in evidence.rows if r.benchmark == "cursorbench"} == cursor and len(cursor) == 31
    terminal = [x for x in stored(root, "terminalbench_external.csv") if x["Agent"].strip() == "Terminus 2"]
    kept = [r for r in evidence.rows if r.benchmark == "terminal-bench-2"]
    assert len(terminal) == 53 and len(kept) == 40 and not any(r.cost for r in kept)


def test_the_column_wins_over_the_suffix_and_says_so(evidence):  # Q1
    rows = {r.variant: r for r in evidence.rows if r.benchmark == "cursorbench"}
    assert {"claude-opus-5@high", "claude-opus-5@xhigh", "claude-opus-5@max"} <= set(rows)
    assert ANOTHER_SETTING in rows["claude-opus-5@high"].flags and ANOTHER_SETTING not in rows["claude-opus-5@max"].flags
    assert not any(ANOTHER_SETTING in r.flags for r in rows.values() if r.model == "gpt-5.5")  # "Extra High" is xhigh


def test_a_cost_of_zero_in_the_shipped_rows_is_unknown(evidence):  # D1
    zero = [r for r in evidence.rows if UNKNOWN_COST in r.flags]
    assert {r.benchmark for r in zero} >= {"proofbench"} and all(r.cost is None for r in zero)
    aider = [r for r in evidence.rows if r.benchmark == "aider-polyglot" and r.cost]
    assert max(r.cost for r in aider) < 2  # per task, not per run


def test_qualities_and_costs_again_with_scipy(evidence, params, state):
    """Q2–Q6 and D1–D3, from the rows, with numpy, scipy and the standard library."""
    own = [r for r in evidence.rows if r.benchmark in params.default_set]
    low = {b: min(r.score for r in own if r.benchmark == b) for b in params.default_set}
    high = {b: max(r.score for r in own if r.benchmark == b) for b in params.default_set}
    points = {(r.variant, r.benchmark): 100 * (r.score - low[r.benchmark]) / (high[r.benchmark] - low[r.benchmark]) for r in own}
    offset = _offsets(points, "deepswe")
    for b, d in offset.items():
        assert state.qualities.measures[b].offset == pytest.approx(d, abs=1e-8)
    values = {}
    for (v, b), x in points.items():
        values.setdefault(v, []).append(x - offset[b])
    groups = [g for g in values.values() if len(g) >= 2]
    within = sum(np.var(g, ddof=1) * (len(g) - 1) for g in groups) / (sum(map(len, groups)) - len(groups))
    n, i = sum(map(len, groups)), len(groups)
    grand = np.mean(np.concatenate(groups))
    msb = sum(len(g) * (np.mean(g) - grand) ** 2 for g in groups) / (i - 1)
    between = (msb - within) / ((n - sum(len(g) ** 2 for g in groups) / n) / (i - 1))
    centre = np.mean([np.mean(g) for g in values.values()])
    for v, g in values.items():
        weight = len(g) / (len(g) + within / between)
        quality, half = centre + (np.mean(g) - centre) * weight, 1.644854 * weight * math.sqrt(within / len(g))  # no sampling error is published here
        found = state.qualities.variants[v]
        assert (found.quality, found.low, found.high) == pytest.approx((quality, quality - half, quality + half), abs=1e-7)
    logs = {(r.variant, r.benchmark): math.log(r.cost) for r in own if r.cost}
    level = _offsets(logs, "deepswe")
    cost = {}
    for (v, b), x in logs.items():
        cost.setdefault(v, []).append(math.exp(x - level[b]))
    for v, c in cost.items():
        assert state.costs.variants[v].cost == pytest.approx(statistics.median(c), rel=1e-9) and state.costs.variants[v].kind == "measured"
    price = {s: 0.7 * (p.input if p.cache_read is None else p.cache_read) + 0.2 * p.input + 0.1 * p.output for s, p in evidence.prices.items()}
    ratios = [statistics.median(c) / price[v.split("@")[0]] for v, c in cost.items() if v.split("@")[0] in price]
    assert state.costs.factor == pytest.approx(statistics.median(ratios)) and state.costs.pairs == len(ratios) > 30


def _offsets(values, anchor):
    """Least squares by a general solver, on variants that two or more measured."""
    pairs = [key for key in values if sum(v == key[0] for v, _ in values) >= 2]
    benchmarks = sorted({b for _, b in values} - {anchor})
    variants = sorted({v for v, _ in pairs})
    matrix = np.array([[float(b == c) for c in benchmarks] + [float(v == w) for w in variants] for v, b in pairs])
    found = optimize.lsq_linear(matrix, [values[key] for key in pairs], method="bvls", tol=1e-14).x
    return {anchor: 0.0, **dict(zip(benchmarks, found, strict=False))}


def test_the_answers_follow_from_the_frontier_by_the_rules_read_aloud(state, params):
    points = {v: (state.costs.variants[v].cost, state.qualities.variants[v].quality) for v in competing(state, params, 2)}
    front = {v for v, (c, q) in points.items() if not any(d <= c and p >= q and (d, p) != (c, q) for d, p in points.values())}
    found = answer(state, params, 2)
    assert set(found.frontier) == front and list(found.frontier) == sorted(front, key=lambda v: points[v][0])
    leader = max(points, key=lambda v: points[v][1])
    reach = [v for v in found.frontier if state.qualities.variants[v].high >= state.qualities.variants[leader].low]
    assert found.leader == leader and found.best.variant == reach[0]
    third = found.frontier[:math.ceil(len(front) * 33 / 100)]
    assert found.cheap.variant == third[-1] and points[third[-1]][1] >= 0.6 * points[leader][1]
    (c0, q0), (c1, q1) = points[found.frontier[0]], points[found.frontier[-1]]
    above = {v: points[v][1] - np.interp(math.log(points[v][0]), [math.log(c0), math.log(c1)], [q0, q1]) for v in found.frontier
             if points[third[-1]][0] <= points[v][0] <= points[reach[0]][0] and points[v][1] >= 0.75 * points[leader][1]}
    assert found.everyday.variant == max(above, key=above.get)


def test_the_dearest_case_of_ignoring_effort_is_in_the_data(file):
    from siiq_core.siblings.value.effort import dearest_effort

    found = dearest_effort(file[0]["variants"])
    own = {v["id"]: v for v in file[0]["variants"]}
    low, high = own[found["from"]], own[found["to"]]
    assert low["model"] == high["model"] and found["times"] == pytest.approx(high["cost"] / low["cost"]) and found["gained"] == pytest.approx(high["quality"] - low["quality"])
    assert all(not (v["model"] == w["model"] and v["cost_kind"] == w["cost_kind"] == "measured" and w["quality"] > v["quality"] and v["eligible"] and w["eligible"]
                    and math.log(w["cost"] / v["cost"]) / (w["quality"] - v["quality"]) > math.log(found["times"]) / found["gained"] + 1e-9) for v in own.values() for w in own.values())


def test_every_number_of_the_file_leads_to_its_row(root, file):
    found, _ = file
    rows = {x["id"]: x for x in found["evidence"]}
    specs = {b["id"]: b for b in found["benchmarks"]}
    told = {"deepswe": ("Pass@1", "Mean cost (USD)"), "cursorbench": ("Score", "Cost per task"), "terminal-bench-2": ("Accuracy mean", None)}
    for v in found["variants"]:
        for b, score in v["raw"].items():
            row = rows[v["evidence"][b]]
            assert float(row["row"][told[b][0]]) == pytest.approx(score, rel=1e-11) and row["sha256"] and row["line"] >= 1 and specs[b]["snapshot"] == row["snapshot"]
            if told[b][1]:
                assert v["raw_costs"][b] == pytest.approx(float(row["row"][told[b][1]]), rel=1e-11)


def test_unknown_effort_is_scored_and_never_answers(file):
    found, _ = file
    unknown = {v["id"] for v in found["variants"] if v["setting"] == "unknown"}
    assert unknown and not any(v["eligible"] for v in found["variants"] if v["id"] in unknown)
    assert not unknown & {a["variant"] for s in found["states"] for a in s["answers"].values()}


def test_every_state_has_answers_or_reasons_in_price_order(file):
    found, pages = file
    assert len(found["states"]) == 2 * 255 and len({(tuple(s["sources_on"]), s["min_benchmarks"]) for s in found["states"]}) == 510
    mask = {b: 1 << i for i, b in enumerate(pages["sources"])}
    cost = {s["mask"]: {row[0]: row[6] for row in s["variants"]} for s in pages["states"]}
    place = {v["id"]: i for i, v in enumerate(pages["variants"])}
    for s in found["states"]:
        own = [s["answers"][name] for name in ("cheap", "everyday", "best")]
        assert all((a["variant"] is None) == (a["reason"] is not None) for a in own)
        told = [cost[sum(mask[b] for b in s["sources_on"])][place[a["variant"]]] for a in own if a["variant"]]
        assert told == sorted(told)


def test_the_file_is_what_its_schema_says(root, file):
    import jsonschema

    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "value.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    whole = {"method_version": "1.0.0", "as_of": "2026-07-31", "license_and_attribution": [], **json.loads(json.dumps(file[0]))}
    validator.validate(whole)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**whole, "answers": {**whole["answers"], "best": {"variant": None}}})


def test_a_benchmark_that_is_not_linked_sets_no_level_of_costs(evidence, params):  # Q3, D2
    """DeepSWE and Aider measure equally many variants and share none: Aider is the anchor by its id, and DeepSWE is left out of the costs too."""
    state = state_of(evidence, ("deepswe", "aider-polyglot"), params)
    out = {b for b, x in state.qualities.measures.items() if x.reason == "not_linked"}
    assert out == {"deepswe"} and set(state.costs.factors) == {"aider-polyglot"}
