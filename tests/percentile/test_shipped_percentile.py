"""The composite on the shipped data: recomputed from its own file by other code, the same bytes again, and what it finds."""

import json
import statistics
import time
from collections import Counter, defaultdict
from fractions import Fraction

import pytest

from siiq_core.files import canonical_bytes
from siiq_core.params.method import load_method
from siiq_core.params.percentile import board_specs
from siiq_core.params.sources import load_sources
from siiq_core.siblings.percentile.composite import configurations
from siiq_core.siblings.percentile.evidence import open_evidence
from siiq_core.siblings.percentile.published import percentile_json


@pytest.fixture(scope="module")
def evidence(root, params):
    return open_evidence(root, load_method(root), params)


@pytest.fixture(scope="module")
def file(root, params, evidence):
    sources = load_sources(root)
    return percentile_json(evidence, params, board_specs(root, params, sources), sources)


def test_few_have_a_full_score_and_that_is_the_finding(file):
    assert file["counts"] == {"configurations": 401, "models": 206, "scored": 14, "scored_models": 14, "scored_main": 11}
    assert {d["id"]: d["confidence"]["insufficient"] for d in file["dimensions"]}["instruction"] == 401


def test_the_newest_arena_board_has_twenty_rows_and_metr_leaves_its_older_suite_out(file):
    boards = {b["id"]: b for b in file["boards"]}
    assert (boards["arena-text"]["n"], boards["arena-text"]["snapshot"]) == (20, "2026-07-28")
    assert (boards["metr"]["n"], boards["metr"]["excluded_versions"]) == (17, {"": 33})
    assert (boards["aider-polyglot"]["n"], boards["aider-polyglot"]["log"], boards["aider-polyglot"]["status"]) == (69, True, "archived")
    assert boards["arc-agi-2"]["overlap_factor"] == 0.5 and boards["arc-agi-2"]["reason"] and boards["arc-agi-1"]["overlap_factor"] == 1


def test_no_row_of_an_inactive_source_is_in_the_file(file):  # M14
    off = {x["id"] for x in file["sources"] if x["status"] == "inactive"}
    assert off == {"artificial-analysis", "livebench"} and all(x["reason"] and x["since"] for x in file["sources"] if x["id"] in off)
    assert not off & ({b["source"] for b in file["boards"]} | {x["source"] for x in file["evidence"]})


def test_percentiles_once_more_from_the_raw_values(file, evidence):  # M3, by counting
    for c in file["configurations"]:
        for board, place in c["percentiles"].items():
            own = [float(x) for x in evidence.boards[board].population]
            below, equal = sum(x < c["values"][board] for x in own), sum(x == c["values"][board] for x in own)
            assert place == pytest.approx(100 * (below + equal / 2) / len(own), abs=1e-9)


def test_dimensions_and_scores_once_more_from_the_file(file):  # M5–M8, by other code
    of, family = {b["id"]: b["dimension"] for b in file["boards"]}, {b["id"]: b["family"] for b in file["boards"]}
    weight = {d["id"]: d["weight"] for d in file["dimensions"]}
    for c in file["configurations"]:
        counted = {}
        for d, told in c["dimensions"].items():
            own = {b: p for b, p in c["percentiles"].items() if of[b] == d}
            many = [p for b, p in own.items() for _ in range(int(2 * Fraction(told["weights"][b])))]  # a half weight: one copy of two
            assert told["score"] == (pytest.approx(statistics.median(many), abs=1e-9) if many else None)
            families = len({family[b] for b in own})
            assert (told["families"], told["confidence"]) == (families, ["insufficient", "low", "medium"][families] if families < 3 else "high")
            if families >= 2 and weight[d]:
                counted[d] = told["score"]
        expected = sum(weight[d] * x for d, x in counted.items()) / sum(weight[d] for d in counted) if len(counted) >= 3 else None
        assert c["score"] == (None if expected is None else pytest.approx(expected, abs=1e-9)) and (c["score"] is None) == bool(c["insufficient_because"])


def _numbers(cells):
    for cell in cells:
        try:
            yield float(f'{float(cell.rstrip("%")):.12g}')
        except ValueError:
            continue


def test_noise_behind_the_twelfth_digit_breaks_no_tie(file):  # M3, C11
    """One run of GPT-5.1 stands twice on Terminal-Bench, as 0.476 and as 0.47600000000000003."""
    places = {c["id"]: c["percentiles"].get("terminal-bench-2") for c in file["configurations"]}
    assert places["gpt-5.1@default"] == places["gpt-5.1@medium"] is not None


def test_every_number_has_its_row(file):
    raw = {(x["id"], x["benchmark"]): x for x in file["evidence"]}
    for c in file["configurations"]:
        assert c["percentiles"] and all(c["values"][b] in set(_numbers(raw[key, b]["row"].values())) for b, key in c["evidence"].items())


def test_one_main_configuration_a_model_and_the_default_where_there_is_one(file):  # M10
    own = defaultdict(list)
    for c in file["configurations"]:
        own[c["model"]].append(c)
    for group in own.values():
        main = [c for c in group if c["main"]]
        assert len(main) == 1 and (main[0]["setting"] == "default" or not any(c["setting"] == "default" for c in group))
    assert max(Counter(c["id"] for c in file["configurations"]).values()) == 1


def test_rebuilt_it_is_the_same_bytes_and_quick(root, params, evidence, file):  # M12
    sources, specs = load_sources(root), board_specs(root, params, load_sources(root))
    start = time.process_time()  # processor time, so that a busy machine does not decide
    configurations(evidence.boards, params)
    assert time.process_time() - start < 1
    again = percentile_json(open_evidence(root, load_method(root), params), params, specs, sources)
    assert canonical_bytes(again) == canonical_bytes(file) and json.loads(canonical_bytes(file)) == file


def test_the_file_is_what_its_schema_says(root, file):
    import jsonschema

    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "percentile.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    whole = {"method_version": "1.0.0", "as_of": "2026-07-31", "license_and_attribution": [], **file}
    validator.validate(whole)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**whole, "configurations": [{**file["configurations"][0], "score": 101}]})


def test_the_strict_licence_policy_leaves_boards_empty_and_says_so(root, params):
    method = load_method(root).model_copy(update={"licence_policy": "strict"})
    sources = load_sources(root)
    found = percentile_json(open_evidence(root, method, params), params, board_specs(root, params, sources), sources)
    assert {b["status"] for b in found["boards"] if b["license_basis"] == "bundle"} == {"empty"} and {b["n"] for b in found["boards"] if b["license_basis"] == "bundle"} == {0}
