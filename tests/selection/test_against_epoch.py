"""Matching and selection against Epoch's own input table of the same day: where both have a score, it is the same."""

import csv

import pytest
from naming import NAMES, ROOT

from siiq_core.evidence.identity import build_index, slugs_of_groups
from siiq_core.evidence.observations import load_snapshot
from siiq_core.evidence.selection import select
from siiq_core.evidence.sources import adapter
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.names import load_registry

DAY = "2026-07-31"
# Epoch's name → ours. Not compared: APEX-Agents (Epoch takes another column) and Terminal-Bench (the best of all scaffolds).
SAME = {"GPQA diamond": "gpqa-diamond-epoch", "SimpleQA Verified": "simpleqa-verified", "HLE": "hle", "MATH level 5": "math-level-5",
        "FrontierMath-2025-02-28-Private": "frontiermath", "FrontierMath-Tier-4-2025-07-01-Private": "frontiermath-tier-4",
        "OTIS Mock AIME 2024-2025": "otis-mock-aime", "Chess Puzzles": "chess-puzzles", "ARC-AGI": "arc-agi-1", "ARC-AGI-2": "arc-agi-2",
        "SimpleBench": "simplebench", "SWE-Bench verified": "swe-bench-verified", "WeirdML": "weirdml", "GSO-Bench": "gso", "Balrog": "balrog"}
CHANCE = {"chess-puzzles": 0.0}  # Epoch's table of that day knew of no chance level there yet
# Differences that are meant. Tier "pro" inside a group (I1); another setting taken there than the best (P1).
MEANT = {("gpt-5.6-sol", "chess-puzzles"), ("gpt-5.6-sol", "simplebench"), ("claude-fable-5", "weirdml"), ("gpt-5.4", "otis-mock-aime")}


def test_scores_agree_with_epochs_own_table(shared_sources):
    path = shared_sources / "epoch" / "eci_benchmarks" / DAY / "eci_benchmarks.csv"
    if not path.is_file():
        pytest.skip("Epoch's input table of that day is not there")
    snapshot, registry = load_snapshot("epoch", DAY, ROOT), load_registry(ROOT)
    table = adapter("epoch").model_table(snapshot)
    slugs = slugs_of_groups(registry, (line.group for line in table))
    specs = load_benchmarks(ROOT)
    files = {("epoch", DAY, name): file for name, file in snapshot.files.items()}
    found = select(adapter("epoch").readings(snapshot, specs)[0], build_index(table, NAMES, registry), specs, NAMES, "all", files)
    ours = {(r.model, r.benchmark): r.score for r in found.results}
    level = {spec.id: (spec.g, spec.c) for spec in specs}
    theirs: dict[tuple[str, str], float] = {}
    with path.open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            key = (slugs.get(row["model_group"].strip()), SAME.get(row["benchmark"]))
            if None not in key:
                theirs[key] = max(theirs.get(key, 0.0), float(row["performance"]))
    both = sorted(set(ours) & set(theirs))
    differ = set()
    for key in both:
        g, c = CHANCE.get(key[1], level[key[1]][0]), level[key[1]][1]
        above_chance = max(0.0, (ours[key] - g) / (c - g))  # their scores are taken so, and cut at chance
        if abs(above_chance - theirs[key]) > 2e-3:  # their chance levels are rounded otherwise
            differ.add(key)
    assert len(both) > 750
    assert differ == MEANT
