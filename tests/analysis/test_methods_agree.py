"""Rank correlations by hand, and disagreements traced to the rows of the published files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siiq_core import pipeline
from siiq_core.analysis.agreement import METHODS, agreement, orders, without
from siiq_core.analysis.correlation import kendall, ranks, spearman
from siiq_core.params.agreement import load_agreement
from siiq_core.siblings.percentile.run import prepare_percentile
from siiq_core.siblings.value.run import prepare_value

Z = 1.644854


def test_ranks_share_ties():
    assert ranks([5, 9, 5, 1]) == [2.5, 1, 2.5, 4]


def test_spearman_and_kendall_by_hand():
    a, b = [1, 2, 3, 4, 5], [2, 1, 4, 3, 5]
    assert spearman(a, b, Z).value == pytest.approx(1 - 6 * 4 / (5 * 24)) and kendall(a, b, Z).value == pytest.approx(6 / 10)
    tied = [1, 1, 2, 3]  # five pairs not tied in a; five of them agree: 5/√(5·6)
    assert kendall(tied, [1, 2, 3, 4], Z).value == pytest.approx(5 / 30**0.5)


def test_intervals_by_hand():  # n = 8, r = 0.5: artanh 0.549306; SE √(1.125/5)
    a, b = list(range(8)), [2, 0, 5, 1, 7, 4, 3, 6]
    import math

    found = spearman(a, b, Z)
    half = Z * math.sqrt((1 + found.value**2 / 2) / 5)
    assert (math.atanh(found.low), math.atanh(found.high)) == pytest.approx((math.atanh(found.value) - half, math.atanh(found.value) + half))
    tau = kendall(a, b, Z)
    assert math.atanh(tau.high) - math.atanh(tau.value) == pytest.approx(Z * math.sqrt(0.437 / 4))


def test_no_interval_where_none_is_defined():
    assert spearman([1, 2, 3, 4], [1, 2, 3, 4], Z) == spearman([1, 2, 3, 4], [5, 6, 7, 8], Z) and spearman([1, 2, 3, 4], [1, 2, 3, 4], Z).low is None
    assert spearman([1, 1, 1], [1, 2, 3], Z).value is None and kendall([1, 2, 3], [4, 4, 4], Z).value is None


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=5, max_size=20))
def test_correlations_turn_round_and_know_no_side(pairs):
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    for of in (spearman, kendall):
        found = of(a, b, Z)
        if found.value is not None:
            assert -1 <= found.value <= 1 and of(b, a, Z).value == pytest.approx(found.value, abs=1e-12) and of(a, [-x for x in b], Z).value == pytest.approx(-found.value, abs=1e-12)
            assert found.low is None or found.low <= found.value <= found.high


@pytest.fixture(scope="module")
def files(shipped, tmp_path_factory):
    """The index of the shipped data and what the two siblings make of the same rows."""
    folder = str(tmp_path_factory.mktemp("siblings"))
    index, facts = (json.loads((shipped.folder / name).read_text(encoding="utf-8")) for name in ("index.json", "fetch.json"))
    percentile = pipeline.percentile(prepare_percentile({}, folder, shipped.root)).value
    return index, percentile, pipeline.value(prepare_value({}, folder, shipped.root)).value, facts["eci"]


def test_every_pair_of_methods_is_told_and_every_disagreement_has_its_rows(files, root):
    found = agreement(*files, load_agreement(root))
    assert len(found["pairs"]) == 10 and set(found["methods"]) == set(METHODS) and len(found["disagreements"]) == 10
    models = {m["slug"]: m for m in files[0]["models"]}
    for d in found["disagreements"]:
        assert d["rule"] and abs(d["rank_siiq"] - d["rank_other"]) / (d["n"] - 1) == pytest.approx(d["size"])
        if d["decisive"]:
            row = next(r for r in models[d["model"]]["results"] if r["benchmark"] == d["decisive"]["benchmark"])
            assert row["evidence"] == d["decisive"]["evidence"]
            assert abs(d["decisive"]["rank"] - d["rank_other"]) < abs(d["rank_siiq"] - d["rank_other"])


def test_orders_by_hand():
    tables = {"siiq": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0, "only": 1.0}, "percentile": {"a": 1.0, "b": 3.0, "c": 2.0, "d": 2.0, "else": 4.0}, "value": {"a": 1.0}, "eci": {}, "arena": {}}
    names = dict(zip(tables["siiq"], "ABCDO", strict=True))
    (found,) = orders(names, tables, 4)
    assert [(r["model"], r["name"], r["siiq"], r["other"]) for r in found["models"]] == [("a", "A", 1, 4), ("b", "B", 2, 1), ("c", "C", 3, 2.5), ("d", "D", 4, 2.5)]
    assert (found["other"], found["n"]) == ("percentile", 4) and found["mean_change"] == pytest.approx((3 + 1 + 0.5 + 1.5) / 4 / 3)
    assert orders(names, tables, 5) == []


def test_shipped_orders_hold_every_shared_model_once_and_the_largest_disagreement(files, root):
    found = agreement(*files, load_agreement(root))
    shared = {p["b"]: p["n"] for p in found["pairs"] if p["a"] == "siiq" and p["spearman"]}
    assert {o["other"]: o["n"] for o in found["orders"]} == shared
    for o in found["orders"]:
        assert len({r["model"] for r in o["models"]}) == o["n"] and sum(r["siiq"] for r in o["models"]) == sum(r["other"] for r in o["models"]) == o["n"] * (o["n"] + 1) / 2
    far = max((abs(r["siiq"] - r["other"]) / (o["n"] - 1), r["model"]) for o in found["orders"] for r in o["models"])
    assert (found["disagreements"][0]["size"], found["disagreements"][0]["model"]) == (pytest.approx(far[0]), far[1])


def test_si_iq_with_every_result_is_the_published_one(files):
    index = files[0]
    for m in index["models"][:40]:
        if any(r["w"] is not None for r in m["results"]):
            assert without(index, m, "no such benchmark") == pytest.approx(m["siiq"], abs=1e-9)
