"""The end of a rerun: what moved, by how much, and what C8 and C9 say; against a file that nobody believes before it is verified."""

import json
import statistics
from dataclasses import replace

import jsonschema
import pytest

import panels
from little import desk_of, index_of, own, small, write
from siiq_core import show
from siiq_core.commands.difference import altered_text, said, told
from siiq_core.errors import CalibrationRefused, PublicationError, SiiqError, VerificationError
from siiq_core.files import with_digest
from siiq_core.workbench.desk import rerun, rerun_or_reason, scored, with_parameters
from siiq_core.workbench.difference import SCHEMA, difference
from siiq_core.workbench.published import PUBLISHED, find, open_published

AGENTS = "b04"


@pytest.fixture(scope="module")
def desk():
    return small()


@pytest.fixture(scope="module")
def before(desk, tmp_path_factory):
    return open_published(write(tmp_path_factory.mktemp("before"), index_of(desk)))


def against(before, tmp_path, desk, **changes):
    """The difference that a rerun of `desk` with these parameters makes."""
    altered = with_parameters(desk, changes)
    return difference(before, open_published(write(tmp_path / "after", index_of(altered, what_if={name: [None, x] for name, x in changes.items()}))))


def test_the_same_index_moves_nothing(before):
    found = difference(before, before)
    s = found["summary"]
    assert s["digest_same"] and (s["scores_moved"], s["intervals_moved"], s["ranks_moved"], s["largest_change"], s["spearman"]) == (0, 0, 0, 0, 1)
    assert found["version_step"] == {"step": "none", "version": None, "because": []} and [x["rule"] for x in found["acceptance"]["would_refuse"]] == ["C8"]
    assert "nothing moved" in told(found)


def test_every_move_is_after_minus_before_the_largest_first(before, tmp_path, desk):
    found = against(before, tmp_path, desk, lam=2.0)
    after = rerun(with_parameters(desk, {"lam": 2.0}))
    moves = [m["change"] for m in found["models"]]
    assert moves == sorted(moves, key=lambda x: -abs(x)) and abs(moves[0]) > 0.5
    for m in found["models"]:
        was = next(x for x in before.index["models"] if x["slug"] == m["slug"])
        assert m["after"]["siiq"] == after.scores[m["slug"]].overall.siiq and m["change"] == pytest.approx(m["after"]["siiq"] - was["siiq"], abs=1e-9)
        assert m["after"]["rank"] == after.standings[m["slug"]].rank
        assert m["rank_change"] == (None if m["after"]["rank"] is None or was["rank"] is None else m["after"]["rank"] - was["rank"])
    both = [m for m in found["models"] if m["before"]["rank"] and m["after"]["rank"]]
    assert found["summary"]["median_change"] == pytest.approx(statistics.median(abs(m["change"]) for m in both))
    assert found["summary"]["largest_ranked_change"] == pytest.approx(max(abs(m["change"]) for m in both))
    assert found["summary"]["scores_moved"] == len(moves) and found["version_step"]["step"] == "major"


def test_a_benchmark_that_leaves_is_named_with_its_rule(before, tmp_path, desk):
    found = against(before, tmp_path, desk, drop=[AGENTS])
    assert found["benchmarks"] == {"before": 8, "after": 7, "joined": [], "left": [{"id": AGENTS, "after": "drop"}]}
    assert {"rule": "C9", "code": "benchmark_leaves", "of": {"benchmarks": [AGENTS]}} in found["acceptance"]["would_refuse"]
    fewest = min(before.calibration.models_on.values())
    by_rule = against(before, tmp_path, desk, min_models_per_benchmark=fewest + 1)
    assert by_rule["benchmarks"]["left"] and {x["after"] for x in by_rule["benchmarks"]["left"]} == {"E3"}


def test_who_is_no_longer_ranked_is_told_with_what_it_lacks(before, tmp_path, desk):
    found = against(before, tmp_path, desk, min_families_ranked=8)
    assert found["no_longer_ranked"] and all(x["because"][0]["rule"] == "K1" and x["because"][0]["need"] == 8 for x in found["no_longer_ranked"])
    assert {"rule": "C9", "code": "ranked_changes"}.items() <= next(x for x in found["acceptance"]["would_refuse"] if x["code"] == "ranked_changes").items()


@pytest.mark.parametrize(("changes", "code"), [({"max_median_change": 0.01, "lam": 2.0}, "scores_change"), ({"min_spearman": 1.0, "areas": {"b00": "math", "b05": "agents"}, "ceiling": {"b01": 0.97}}, "order_changes")])
def test_the_limits_of_C9_are_parameters_too(before, tmp_path, desk, changes, code):
    codes = {x["code"] for x in against(before, tmp_path, desk, **changes)["acceptance"]["would_refuse"]}
    assert code in codes
    loose = {**changes, "max_median_change": 100, "min_spearman": -1.0}
    assert code not in {x["code"] for x in against(before, tmp_path, desk, **loose)["acceptance"]["would_refuse"]}


def test_missing_reference_models_and_a_missing_interval_factor_are_what_C8_would_say(before, tmp_path):
    cells, gone = panels.results(), "made-up-10"
    lacking = desk_of([c for c in cells if c[0] != gone], panels.benchmarks(), panels.reference(), kappa=False)
    found = difference(before, open_published(write(tmp_path / "after", index_of(lacking, what_if={"kappa": [True, False]}))))
    assert [x for x in found["acceptance"]["would_refuse"] if x["rule"] == "C8"] == [
        {"rule": "C8", "code": "reference_missing", "of": {"models": [gone]}}, {"rule": "C8", "code": "no_interval_factor", "of": {"folds": 3, "pairs": 30}}]
    text = [said(x) for x in found["acceptance"]["would_refuse"]]
    assert text[0].endswith(gone) and "30 pairs" in text[1]
    assert next(m for m in found["models"] if m["slug"] == gone)["after"] is None and found["models"][-1]["slug"] == gone


def test_C9_compares_on_the_inputs_of_the_rerun(before, tmp_path, desk):
    """Not with the scores as published: a row that moves its own model is no move of the calibration."""
    rows = own(*(("made-up-23", f"b{k:02d}", 0.05) for k in range(8)))
    found = against(before, tmp_path, desk, add_rows=rows)
    altered = with_parameters(desk, {"add_rows": rows})
    old, _ = scored(altered, before.calibration)
    new = rerun(altered)
    ranked = [x for x, s in new.standings.items() if s.rank]
    assert found["acceptance"]["compared"]["median_change"] == pytest.approx(statistics.median(abs(new.scores[x].overall.siiq - old[x].overall.siiq) for x in ranked))
    assert next(m for m in found["models"] if m["slug"] == "made-up-23")["change"] < -20 and found["summary"]["spearman"] < found["acceptance"]["compared"]["spearman"]
    assert found["own"] == {"results": 8, "models": ["made-up-23"], "new_models": [], "benchmarks": []}
    assert found["version_step"]["step"] == "minor"  # a row is data, no constant of the method (V1)


def test_a_column_of_ones_own_joins_and_is_told(before, tmp_path, desk):
    rows = own(*((f"made-up-{k:02d}", "my-quiz", round(0.15 + 0.03 * k, 4)) for k in range(24)), ("Nova <b>1</b>\u202e", "my-quiz", 0.5))
    found = against(before, tmp_path, desk, add_benchmarks={"my-quiz": {"area": "coding", "n": 100}}, add_rows=rows)
    assert found["benchmarks"]["joined"] == [{"id": "my-quiz", "before": "not configured"}]
    assert found["own"]["benchmarks"] == ["my-quiz"] and len(found["own"]["new_models"]) == 1
    text = told(found)
    assert text.isprintable() is False and "\u202e" not in text and "joined: my-quiz" in text and "add_rows None → 25 rows" in text


def test_difference_json_fits_its_schema_and_the_schema_says_no(before, tmp_path, desk):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for changes in ({"lam": 0.2}, {"drop": [AGENTS], "add_rows": own(("Nova 1", "b00", 0.5))}, {"min_families_ranked": 8}):
        found = json.loads(json.dumps(against(before, tmp_path, desk, **changes)))
        jsonschema.validate(found, schema)
    found["models"][0]["change"] = "1.2"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema)


def test_the_notebook_says_what_was_altered_against_what():
    sides = {"method_version": "1.0.0", "as_of": "2026-01-02"}
    shown = show.difference_sides({"against": sides, "run": {**sides, "as_of": "2026-02-03"}, "altered": {"lam": [0.1, 0.2]}})
    assert shown.loc["lam"].tolist() == ["0.1", "0.2"] and shown.loc["as_of"].tolist() == ["2026-01-02", "2026-02-03"]


def test_long_changes_are_told_short():
    text = altered_text({"lam": [0.1, 0.2], "add_rows": [[], own(("Nova \x1b[31m1", "b00", 0.5))], "questions": [{}, {f"b{k}": 5 for k in range(90)}]})
    assert text.startswith("lam 0.1 → 0.2, add_rows [] → 1 rows, ") and len(text) < 300 and text.isprintable()


# --- the index to compare with ---------------------------------------------------------------------------------------


def test_the_published_index_is_looked_for_in_order(tmp_path):
    with pytest.raises(PublicationError, match="--against FILE"):
        find(tmp_path)
    for path in reversed(PUBLISHED):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("{}", encoding="utf-8")
        assert find(tmp_path) == tmp_path / path
    assert find(tmp_path, str(tmp_path / "_build" / "run")) == tmp_path / PUBLISHED[1]
    assert find(tmp_path, "other.json").name == "other.json"


def spoil(index, how):
    copy = json.loads(json.dumps(index))
    how(copy)
    return copy


@pytest.mark.parametrize("how", [
    lambda x: x["models"][0].update(siiq=x["models"][0]["siiq"] + 1e-6), lambda x: x["models"][3]["results"][0].update(score=0.123), lambda x: x["models"][1].update(rank=1),
    lambda x: x["models"][0].update(slug="../x"), lambda x: x["models"][0].update(name=""), lambda x: x["models"][0].pop("developer"), lambda x: x["benchmarks"][0].update(id="<b>"),
    lambda x: x["constants"].update(lam="0.1"), lambda x: x["constants"].update(novelty=1), lambda x: x.update(as_of="yesterday"), lambda x: x["models"][0]["results"][0].update(flags=7),
    lambda x: x["calibration"].update(shift=1.0), lambda x: x.pop("models"), lambda x: x.update(what_if={"lam": 0.2})])
def test_a_file_that_does_not_follow_from_itself_is_refused_although_its_digest_is_right(desk, before, tmp_path, how):
    with pytest.raises(SiiqError) as refusal:
        open_published(write(tmp_path, with_digest(spoil(before.index, how))))
    assert refusal.value.remedy and refusal.value.file


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"digest": NaN}', b"\xff", b'{"a": 1, "a": 2}'])
def test_a_file_that_is_no_index_is_refused(tmp_path, content):
    path = tmp_path / "index.json"
    path.write_bytes(content)
    with pytest.raises(VerificationError):
        open_published(path)


def test_one_changed_byte_is_refused(before, tmp_path):
    path = write(tmp_path, before.index)
    content = path.read_bytes()
    for place in range(0, len(content), len(content) // 12):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1:])
        with pytest.raises(VerificationError):
            open_published(path)


# --- blocks that hardly meet -----------------------------------------------------------------------------------------


def block(letter, models, benches, bridges=()):
    """Models and bridges, each on every benchmark of the block."""
    names = [*(f"{letter}{k:02d}" for k in range(models)), *bridges]
    return [(m, f"{letter}{b}", round(0.2 + 0.6 * (k % models) / models + 0.04 * panels.noise(k, b, ord(letter)), 4)) for k, m in enumerate(names) for b in range(benches)]


@pytest.mark.parametrize(("bridges", "benches"), [(("k00",), 4), (("k00",), 6), (("k00", "k05"), 6), ((), 6)])
def test_a_second_block_of_ones_own_is_judged_by_what_links_it(bridges, benches):
    """Fault kind 15: own rows on own benchmarks that share one model, two, or none with what is there."""
    plain = panels.benchmarks(benches).values()
    facts = {f"p{k}": replace(x, id=f"p{k}", family=f"p{k}") for k, x in enumerate(plain)}
    base = desk_of(block("p", 16, benches, bridges), facts, [f"p{k:02d}" for k in range(4, 12)], kappa=False)
    linked = {"min_reference_per_benchmark": 1} if bridges else {}
    desk = with_parameters(base, {"add_rows": own(*block("q", 15, benches, bridges)), "add_benchmarks": {f"q{k}": {"area": x.area, "n": 200} for k, x in enumerate(plain)}, **linked})
    if bridges:
        desk = replace(desk, reference=(*desk.reference, *(f"q{k:02d}" for k in range(4, 9))))
    found = rerun_or_reason(desk)
    if not bridges:  # the largest component; the other holds no reference model anyway (E3)
        assert set(found.calibration.alpha) == set(facts) and set(found.calibration.dropped.values()) == {"E3"}
    elif len(bridges) == 2:  # identified, then judged by convergence
        assert isinstance(found, CalibrationRefused) and found.rule == "C8" and "no convergence" in found.what
        assert not rerun(with_parameters(desk, {"max_rounds": 20000})).calibration.dropped
    elif benches == 4:  # a benchmark is dropped, and the calibration starts again
        assert "C5" in found.calibration.dropped.values() and found.calibration.null_directions == 2
    else:  # no single removal helps
        assert isinstance(found, CalibrationRefused) and found.rule == "C5" and "no single benchmark" in found.what
