"""Rows and benchmarks of one's own: what a file may hold, what is refused and how, and where a row goes. Fault kinds 1, 2, 4, 10, 11, 19, 24."""

import random

import pytest

import panels
from little import own, small
from siiq_core.errors import ParameterError
from siiq_core.evidence.own import FLAG, evidence_id, is_own, read_rows, resolved, with_own, with_own_rows
from siiq_core.params.method import load_method
from siiq_core.params.own import MAX_TEXT
from siiq_core.workbench.desk import rerun, with_parameters

HEAD = "model,benchmark,score\n"


def read(tmp_path, content):
    path = tmp_path / "rows.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return read_rows(path)


def place(*rows, **changes):
    desk = small()
    return with_own(desk.results, desk.facts, desk.models, panels.params(add_rows=own(*rows), **changes))


# --- reading ---------------------------------------------------------------------------------------------------------


def test_the_same_table_four_ways(tmp_path):
    """Fault kind 11: byte-order mark, CRLF, a quoted line break, blank lines."""
    plain = read(tmp_path, HEAD + "Nova 1,b00,0.71\nNova 2,b01,0.5\n")
    assert [(x["model"], x["benchmark"], x["score"], x["file"], x["row"]) for x in plain] == [("Nova 1", "b00", 0.71, "rows.csv", 1), ("Nova 2", "b01", 0.5, "rows.csv", 2)]
    for content in (b"\xef\xbb\xbf" + HEAD.encode() + b"Nova 1,b00,0.71\nNova 2,b01,0.5\n", HEAD.replace("\n", "\r\n") + "Nova 1,b00,0.71\r\nNova 2,b01,0.5\r\n",
                    'model,benchmark,score\n"Nova 1\n",b00,0.71\nNova 2 , b01 ," 0.5"', "score,model,benchmark\n0.71,Nova 1,b00\n0.5,Nova 2,b01\n"):
        assert [{**x} for x in read(tmp_path, content)] == plain


@pytest.mark.parametrize(("content", "row", "column", "said"), [
    (HEAD + "Nova 1,b00,0.7\nNova 1,b01,85\n", 2, "score", "85 per cent is 0.85"),  # fault kind 2
    (HEAD + "Nova 1,b00,1.02\n", 1, "score", "0 to 1"),
    (HEAD + "Nova 1,b00,-0.1\n", 1, "score", "0 to 1"),
    (HEAD + "Nova 1,b00,nan\n", 1, "score", "no finite number"),
    (HEAD + "Nova 1,b00,٠.٥\n", 1, "score", "no finite number"),
    (HEAD + "Nova 1,b00,71%\n", 1, "score", "%"),
    (HEAD + "Nova 1,b00,\n", 1, "score", "never zero"),  # fault kind 4
    (HEAD + 'Nova 1,b00,"0,71"\n', 1, "score", "decimal point"),  # fault kind 11
    (HEAD + "Nova 1,b00,0,71\n", 1, None, "decimal point"),
    ("model,benchmark,score,version\nNova 1,b00,0,71\n", 1, "score", "decimal point"),
    ("model;benchmark;score\nNova 1;b00;0,71\n", 0, None, "comma-separated"),
    (HEAD + ",b00,0.5\n", 1, "model", "in every row"),
    (HEAD + "Nova 1,,0.5\n", 1, "benchmark", "in every row"),
    ("model,benchmark\nNova 1,b00\n", 0, "score", "model,benchmark,score"),
    ("model,benchmark,score,scor\nNova 1,b00,0.5,1\n", 0, "scor", "did you mean 'score'"),
    ("model,benchmark,score,score\nNova 1,b00,0.5,1\n", 0, "score", "keep one"),
    (HEAD + "N" * (MAX_TEXT + 1) + ",b00,0.5\n", 1, "model", "shorten"),
    (HEAD + 'Nova 1,b00,"0.5\n', 2, None, "quoting"),
    (HEAD, None, None, "one row for each result"),
    ("", 0, "model", "model,benchmark,score"),
    (HEAD.encode() + b"Nov\xe4,b00,0.5\n", None, None, "UTF-8"),
])
def test_what_cannot_be_a_row_is_named_with_its_place(tmp_path, content, row, column, said):
    with pytest.raises(ParameterError) as refusal:
        read(tmp_path, content)
    assert (refusal.value.file, refusal.value.row, refusal.value.column) == ("rows.csv", row, column)
    assert said in refusal.value.remedy or said in refusal.value.what


@pytest.mark.parametrize("line", ['add_rows: [{model: Nova 1, benchmark: hle, score: 0.5}]', "add_benchmarks: {my-quiz: {area: math}}"])
def test_what_is_ones_own_cannot_stand_in_the_methods_own_file(project, line):
    """What stands in params/method.yml may be published; one's own rows never are."""
    path = project / "params" / "method.yml"
    name = line.partition(":")[0]
    path.write_text("\n".join(line if x.startswith(f"{name}:") else x for x in path.read_text(encoding="utf-8").splitlines()) + "\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="never published") as refusal:
        load_method(project)
    assert (refusal.value.file, refusal.value.column) == ("method.yml", name)


def test_a_missing_file_and_a_list_that_came_as_text_are_refused(tmp_path):
    """Fault kind 19."""
    for path in (str(tmp_path / "none.csv"), '[{"model": "Nova 1"}]', ""):
        with pytest.raises(ParameterError) as refusal:
            resolved({"add_rows": path})
        assert refusal.value.remedy and refusal.value.file


@pytest.mark.parametrize("row", [{"score": "0.5"}, {"score": 85}, {"score": True}, {"score": float("nan")}, {"scores": 0.5}, {"benchmark": "b" * 201}, {"model": " "}])
def test_rows_given_as_values_are_checked_like_those_of_a_file(row):
    with pytest.raises(ParameterError) as refusal:
        panels.params(add_rows=[{"model": "Nova 1", "benchmark": "b00", "score": 0.5, **row}])
    assert refusal.value.column.startswith("add_rows.0")


# --- where a row goes ------------------------------------------------------------------------------------------------


def scores(found, model):
    return {r.benchmark: r.score for r in found.results if r.model == model}


def test_a_model_is_meant_by_its_slug_or_its_exact_name_and_nothing_else():
    found = place(("made-up-03", "b00", 0.4), ("MADE-UP-05", "b00", 0.6), ("  Nova 1 ", "b00", 0.7))
    assert [(x.model, x.new) for x in found.rows] == [("made-up-03", False), ("made-up-05", False), ("nova-1", True)]
    assert found.models["nova-1"].name == "Nova 1"
    assert {r.model for r in found.results if is_own(r)} == {"made-up-03", "made-up-05", "nova-1"}


@pytest.mark.parametrize("name", ["Made up 03", "made_up-03", "MADE–UP–03"])
def test_a_name_that_is_only_like_a_known_one_is_refused(name):
    with pytest.raises(ParameterError, match="write made-up-03 if it is that one") as refusal:
        place(("Nova 1", "b00", 0.4), (name, "b00", 0.4))
    assert (refusal.value.file, refusal.value.row, refusal.value.column) == ("rows.csv", 2, "model")


def test_hostile_names_are_new_models_with_harmless_slugs():
    """Fault kind 24."""
    names = ["<img src=x onerror=alert(1)>", '=HYPERLINK("https://example.org")', "../../x", "\u202enova", "模型", "."]
    found = place(*((name, "b00", 0.5) for name in names))
    slugs = [x.model for x in found.rows]
    assert len(set(slugs)) == len(names) and all(x.new for x in found.rows)
    assert all(set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-") and slug[0] not in ".-" for slug in slugs)
    assert [found.models[slug].name for slug in slugs] == names


def test_two_new_names_of_one_slug_are_refused():
    with pytest.raises(ParameterError, match="share a slug"):
        place(("Nova 1", "b00", 0.5), ("nova_1", "b01", 0.5))


def test_an_accepted_result_gives_way_to_a_row_that_is_lower_too():
    desk = small()
    was = next(r for r in desk.results if r.model == "made-up-20" and r.benchmark == "b03").score
    found = place(("made-up-20", "b03", 0.1))
    assert scores(found, "made-up-20")["b03"] == 0.1 < was and found.rows[0].replaces == was
    assert [r for r in found.results if not is_own(r)] == [r for r in desk.results if (r.model, r.benchmark) != ("made-up-20", "b03")]


def test_the_same_row_twice_counts_once():
    """Fault kind 1."""
    found = place(("Nova 1", "b00", 0.71), ("Nova 1", "b00", 0.71))
    assert scores(found, "nova-1") == {"b00": 0.71} and [x.used for x in found.rows] == [True, False] and found.rows[1].why == "the same as row 1"


def test_two_scores_for_one_run_are_refused_with_both_rows():
    """Fault kind 1."""
    with pytest.raises(ParameterError, match="row 1 says 0.71") as refusal:
        place(("Nova 1", "b00", 0.71), ("Nova 1", "b00", 0.41))
    assert (refusal.value.row, refusal.value.column) == (2, "score")


def test_of_two_settings_the_best_score_counts():
    """P1: neither the first, nor the last, nor a mean."""
    rows = [("Nova 1", "b00", 0.41, {"setting": "low"}), ("Nova 1", "b00", 0.71, {"setting": "high"}), ("Nova 1", "b00", 0.55, {"setting": "medium"})]
    found = place(*rows)
    assert scores(found, "nova-1") == {"b00": 0.71} and [x.why for x in found.rows] == ["P1: row 2 is used", "", "P1: row 2 is used"]
    tied = place(("Nova 1", "b00", 0.5, {"setting": "medium"}), ("Nova 1", "b00", 0.5, {"setting": "high"}))
    assert [r.setting for r in tied.results if is_own(r)] == ["high"]  # by code point


def test_the_order_of_the_rows_does_not_matter():
    """Fault kind 18."""
    rows = [("Nova 1", f"b{k:02d}", 0.1 * k + 0.05, {"setting": s}) for k in range(8) for s in ("high", "low")]
    first = place(*rows).results
    random.Random(7).shuffle(rows)
    assert {(r.model, r.benchmark, r.score, r.setting) for r in place(*rows).results} == {(r.model, r.benchmark, r.score, r.setting) for r in first}


def test_a_row_says_whose_it_is():
    found = place(("Nova 1", "b00", 0.7, {"evaluator": "Nobody's lab", "setting": "high"}), ("Nova 1", "b01", 0.5, {"evaluator": "ev1"}))
    first, second = (r for r in found.results if is_own(r))
    assert first.evaluator == "ev0" and first.flags == (FLAG, "other evaluator") and second.flags == (FLAG,)
    evidence = with_own_rows([{"id": "f" * 16, "model": "made-up-03", "benchmark": "b00", "current": True}], found.results, panels.params(add_rows=[x.row.model_dump() for x in found.rows]))
    record = next(x for x in evidence if x["id"] == first.evidence)
    assert first.evidence == evidence_id(found.rows[0].row)
    assert (record["source"], record["file"], record["line"], record["row"]["evaluator"]) == ("own", "rows.csv", 1, "Nobody's lab")
    assert "never published" in record["checker"]["outcome"]


# --- benchmarks of one's own, and reruns with them -------------------------------------------------------------------


MINE = {"my-quiz": {"area": "coding", "n": 150, "g": 0.1}}


def test_an_own_benchmark_is_defined_as_given_and_by_the_methods_own_where_not():
    found = place(("made-up-03", "my-quiz", 0.4), add_benchmarks={**MINE, "my-twin": {"area": "knowledge", "family": "b00"}}, assumed_n=77)
    mine, twin = found.benchmarks[-2:]
    assert (mine["g"], mine["c"], mine["n"], mine["n_kind"], mine["family"], mine["evaluator"], mine["reason"]) == (0.1, 1.0, 150, "defined", "my-quiz", "own", None)
    assert (twin["g"], twin["n"], twin["n_kind"], twin["family"], twin["reason"]) == (0.0, 77, "assumed", "b00", "no results")


@pytest.mark.parametrize(("definitions", "said"), [
    ({"b00": {"area": "math"}}, "configured already"), ({"my-twin": {"area": "math", "family": "b00"}}, "one area"), ({"my-quiz": {"area": "math", "g": 1.0}}, "below the ceiling")])
def test_definitions_that_contradict_are_refused(definitions, said):
    with pytest.raises(ParameterError, match=said) as refusal:
        place(add_benchmarks=definitions)
    assert refusal.value.remedy


@pytest.mark.parametrize("definition", [{"area": "cooking"}, {}, {"area": "math", "n": 0}, {"area": "math", "n": "200"}, {"area": "math", "evaluator": "=1+1"}, {"area": "math", "chance": 0.1}])
def test_definitions_of_another_shape_are_refused(definition):
    with pytest.raises(ParameterError, match="add_benchmarks"):
        panels.params(add_benchmarks={"my-quiz": definition})


@pytest.mark.parametrize(("bench", "said"), [("b0", "did you mean"), ("B00", "did you mean 'b00'"), ("../x", "known names"), ("", "known names")])
def test_a_row_on_no_benchmark_is_refused_with_the_nearest(bench, said):
    with pytest.raises(ParameterError, match="add_benchmarks") as refusal:
        with_parameters(small(), {"add_rows": own(("Nova 1", bench, 0.5))})
    assert (refusal.value.file, refusal.value.row, refusal.value.column, refusal.value.value) == ("rows.csv", 1, "benchmark", bench)
    assert said in refusal.value.remedy


def column(bench, scores):
    return own(*((f"made-up-{k:02d}", bench, s) for k, s in enumerate(scores)))


def test_an_own_column_joins_by_E3_like_any_other():
    desk = small()
    rising = [round(0.15 + 0.7 * k / 23 + 0.03 * panels.noise(k, 3), 4) for k in range(24)]
    joined = rerun(with_parameters(desk, {"add_benchmarks": MINE, "add_rows": column("my-quiz", rising)}))
    assert joined.calibration.alpha["my-quiz"] > 0.3 and joined.calibration.models_on["my-quiz"] == 24
    nine = rerun(with_parameters(desk, {"add_benchmarks": MINE, "add_rows": column("my-quiz", rising[:9])}))
    assert nine.calibration.dropped["my-quiz"] == "E3"  # fewer than ten models
    assert {x: s.overall for x, s in nine.scores.items()} == {x: s.overall for x, s in rerun(desk).scores.items()}


FALLING = [round(0.9 - 0.7 * k / 23, 4) for k in range(24)]
AT_RANDOM = [round(0.5 + 0.4 * panels.noise(k, 11), 4) for k in range(24)]


@pytest.mark.parametrize(("scores", "at_the_floor"), [([1.0] * 24, True), ([0.0] * 24, True), (FALLING, True), (AT_RANDOM, None)])
def test_a_column_with_nothing_to_separate_leaves_and_all_stays_finite(scores, at_the_floor):
    """Fault kind 16: all 1.0, all 0.0, falling with ability, at random (chance alone says where that ends)."""
    found = rerun(with_parameters(small(), {"add_benchmarks": MINE, "add_rows": column("my-quiz", scores)}))
    assert all(abs(x) < 1e6 for s in found.scores.values() for x in (s.overall.siiq, s.overall.low, s.overall.high))
    assert (found.calibration.dropped.get("my-quiz") == "E4") == (at_the_floor if at_the_floor is not None else "my-quiz" not in found.calibration.alpha)


def test_a_model_at_nought_everywhere_is_finite_and_last():
    """Fault kind 16."""
    found = rerun(with_parameters(small(), {"add_rows": own(*(("Nova 0", f"b{k:02d}", 0.0) for k in range(8)))}))
    assert min(found.scores, key=lambda x: found.scores[x].overall.siiq) == "nova-0" and found.scores["nova-0"].overall.siiq > -1e4


# --- on a desk -------------------------------------------------------------------------------------------------------


def test_a_desk_with_rows_takes_further_changes_and_gives_nothing_back():
    rows = own(("Nova 1", "b00", 0.5))
    desk = with_parameters(small(), {"add_benchmarks": MINE, "add_rows": rows, "drop": ["b07"]})
    again = with_parameters(desk, {"lam": 0.2})
    assert (again.results, again.facts, again.models) == (desk.results, desk.facts, desk.models)
    for taken_back in ({"add_rows": []}, {"add_benchmarks": {}}, {"drop": []}, {"add_benchmarks": {"my-quiz": {"area": "math"}}}):
        with pytest.raises(ParameterError, match="cannot do without"):
            with_parameters(desk, taken_back)


def test_a_path_is_read_on_a_desk_too(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(HEAD + "Nova 1,b00,0.5\n", encoding="utf-8")
    desk = with_parameters(small(), {"add_rows": str(path)})
    path.unlink()
    assert "nova-1" in rerun(desk).scores  # the rows are in the parameters, no file is needed any more
