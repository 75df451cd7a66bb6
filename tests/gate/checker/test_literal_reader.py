"""The literal re-reader: all that ships is confirmed, every altered copy of it is refused, and no adapter code takes part."""

import ast
import dataclasses
import json
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.evidence.observations import build_snapshot, evidence_id
from siiq_core.evidence.shelf import open_shelf
from siiq_core.evidence.sources import adapter
from siiq_core.gate.checker import question_of
from siiq_core.gate.checker.literal import WHO, LiteralReader
from siiq_core.gate.checker.prompt import size
from siiq_core.params.checker import load_checker
from siiq_core.params.method import load_method
from siiq_core.publish.history import evidence_of


@pytest.fixture(scope="module")
def shelf(root):
    return open_shelf(root, load_method(root))


@pytest.fixture(scope="module")
def reader(specs, shipped_sources):
    return LiteralReader({spec.id: spec for spec in specs}, shipped_sources)


@pytest.fixture(scope="module")
def asked(shelf, specs):
    """A question for every reading of every stored snapshot, by (evidence id, benchmark); the newest speaks."""
    by_id = {spec.id: spec for spec in specs}
    found = {}
    for reads in shelf.reads.values():
        for read in reads:
            names = {(r.evidence, r.benchmark): (shelf.index.models[r.model].name, r.setting) for r in read.selection.results}
            for row in read.rows:
                key = evidence_id(row.observation), row.benchmark
                model, setting = names.get(key, (row.name, row.setting))
                found[key] = question_of("/".join(key), row, by_id[row.benchmark], read.snapshot.files[row.observation.file].columns, model=model, setting=setting)
    return found


@pytest.fixture(scope="module")
def pool(asked):
    """Questions to alter: some of every benchmark, in a fixed order."""
    chosen = {}
    for key in sorted(asked):
        chosen.setdefault(key[1], []).append(asked[key])
    return [q for own in chosen.values() for q in own[:12]]


def verdict(reader, question, now):
    return reader.read([question], now)[0]


def refused_for(reader, question, now):
    """The fields that disagree."""
    found = verdict(reader, question, now)
    assert not found.confirmed
    return {field.name for field in found.fields if not field.agree}


def with_row(question, row, **changes):
    return dataclasses.replace(question, row=row, **changes)


# --- what ships ---------------------------------------------------------------------------------------------------------

def test_every_reading_of_every_stored_snapshot_is_confirmed(reader, shelf, specs, now):
    by_id, seen = {spec.id: spec for spec in specs}, {}
    for source, reads in shelf.reads.items():
        for read in reads:
            questions = [question_of(str(k), row, by_id[row.benchmark], read.snapshot.files[row.observation.file].columns, model="", setting="")
                         for k, row in enumerate(read.rows)]
            verdicts = reader.read(questions, now)
            assert [v.reason for v in verdicts if not v.confirmed] == []
            seen[source] = seen.get(source, 0) + len(verdicts)
    assert set(seen) == {"epoch", "aider", "bfcl"} and min(seen.values()) > 100


def test_every_line_of_evidence_jsonl_is_confirmed(reader, shelf, asked, now):
    records = evidence_of(shelf)
    questions = [asked[record["id"], record["benchmark"]] for record in records]
    assert [dict(q.row) for q in questions] == [record["row"] for record in records]
    verdicts = reader.read(questions, now)
    assert len(records) > 1000 and [v.reason for v in verdicts if not v.confirmed] == []
    assert {(v.who, v.how, v.family, v.at) for v in verdicts} == {(WHO, "literal", "", "2026-09-01T12:00:00Z")}


def test_shipped_rows_fit_what_an_ai_model_is_sent(asked, root):
    bound = load_checker(root).longest_row
    assert max(size(q) for q in asked.values()) < bound / 2


# --- altered copies -----------------------------------------------------------------------------------------------------

@settings(max_examples=300)
@given(data=st.data())
def test_a_changed_digit_is_refused(reader, pool, now, data):
    q = data.draw(st.sampled_from(pool))
    cell = q.row[q.score_column]
    digits = [k for k, letter in enumerate(cell) if letter.isdigit()]
    first = next((n for n, k in enumerate(digits) if cell[k] != "0"), 0)
    exponent = re.search("[eE]", cell)
    digits = [k for k in digits[:first + 12] if exponent is None or k < exponent.start()]
    place = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != cell[place]]))
    assert refused_for(reader, with_row(q, {**q.row, q.score_column: cell[:place] + other + cell[place + 1:]}), now) == {"number"}


@settings(max_examples=200)
@given(data=st.data())
def test_another_score_than_the_cells_is_refused(reader, pool, now, data):
    q = data.draw(st.sampled_from(pool))
    moved = data.draw(st.one_of(st.floats(-1, 2), st.just(float("nan"))).filter(lambda x: x != x or abs(x - q.score) > 1e-11))
    assert refused_for(reader, dataclasses.replace(q, score=moved), now) == {"number"}


@settings(max_examples=200)
@given(data=st.data())
def test_another_column_is_refused(reader, pool, now, data):
    q = data.draw(st.sampled_from(pool))
    column = data.draw(st.sampled_from(sorted(set(q.headers) - {q.score_column})))
    assert refused_for(reader, dataclasses.replace(q, score_column=column), now) == {"number"}
    cell = q.row.get(column, "").strip()
    if cell != q.row[q.score_column].strip():  # its number where the score should stand
        assert "number" in refused_for(reader, with_row(q, {**q.row, q.score_column: cell}), now)


@settings(max_examples=200)
@given(data=st.data())
def test_the_row_of_another_model_is_refused(reader, pool, now, data):
    q = data.draw(st.sampled_from(pool))
    others = [o for o in pool if o.benchmark == q.benchmark and o.name != q.name and q.name]
    if others:
        assert "model" in refused_for(reader, with_row(q, data.draw(st.sampled_from(others)).row), now)


@settings(max_examples=200)
@given(data=st.data())
def test_the_row_of_another_benchmark_is_refused(reader, pool, now, data):
    q = data.draw(st.sampled_from(pool))
    other = data.draw(st.sampled_from([o for o in pool if o.file != q.file]))
    assert "benchmark" in refused_for(reader, with_row(q, other.row, source=other.source, file=other.file, headers=other.headers), now)
    if not set(other.row) <= set(q.headers):  # its cells under our file's name
        assert "benchmark" in refused_for(reader, with_row(q, other.row), now)


@settings(max_examples=200)
@given(data=st.data())
def test_the_order_of_cells_and_questions_says_nothing(reader, pool, now, data):
    few = data.draw(st.lists(st.sampled_from(pool), min_size=1, max_size=6, unique_by=lambda q: q.id))
    turned = [with_row(q, dict(reversed(list(q.row.items())))) for q in reversed(few)]
    assert list(reversed(reader.read(turned, now))) == list(reader.read(few, now))


def test_the_filters_of_benchmarks_are_looked_at(reader, pool, specs, now):
    filtered = {spec.id: spec for spec in specs if spec.filter and spec.source in ("epoch", "bfcl")}
    assert len(filtered) == 4
    for id, spec in filtered.items():
        q = next(q for q in pool if q.benchmark == id)
        column, shows, _ = spec.filter.partition("=")
        if shows:
            assert refused_for(reader, with_row(q, {**q.row, column: "Another harness"}), now) == {"benchmark"}
            assert refused_for(reader, with_row(q, {k: v for k, v in q.row.items() if k != column}), now) == {"benchmark"}
            assert verdict(reader, with_row(q, {**q.row, column: f"  {q.row[column].strip()}\n"}), now).confirmed
        else:
            header = spec.filter.removeprefix("header has ")
            assert refused_for(reader, dataclasses.replace(q, headers=tuple(h for h in q.headers if h != header)), now) == {"benchmark"}


# --- single rules -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("cell", "score", "agrees"), [
    ("0.625", 0.625, True), (" 0.625\n", 0.625, True), ("6.25e-1", 0.625, True), (".625", 0.625, True), ("0", 0.0, True), ("1", 1.0, True),
    ("0.1234567890123", 0.123456789012, True), ("0.1234567890125", 0.123456789013, True), ("0.1234567890125", 0.123456789012, True),
    ("0.1234567890123", 0.123456789011, False), ("0.625", 0.626, False), ("0", 1e-13, False), ("62.5%", 0.625, False), ("62.5", 0.625, False),
    ("0,625", 0.625, False), ("", 0.0, False), ("N/A", 0.0, False), ("nan", float("nan"), False), ("inf", 1.0, False), ("1.02", 1.02, False),
    ("-0.1", -0.1, False), ("٠.٦٢٥", 0.625, False), ("0.625 0.7", 0.625, False), ("1e999999", 1.0, False), ("0x1", 1.0, False), ("1_0", 1.0, False)])
def test_cells_as_fractions(reader, question, now, cell, score, agrees):
    assert verdict(reader, question(cell=cell, score=score), now).confirmed is agrees


@pytest.mark.parametrize(("cell", "score", "agrees"), [("77.47%", 0.7747, True), ("77.47 %", 0.7747, True), ("77.47", 0.7747, False), ("0.7747%", 0.7747, False),
                                                       ("77.47%%", 0.7747, False), ("%", 0.0, False)])
def test_a_percent_sign_belongs_where_it_is_configured(reader, pool, now, cell, score, agrees):
    q = next(q for q in pool if q.benchmark == "bfcl")
    assert verdict(reader, dataclasses.replace(q, row={**q.row, "Overall Acc": cell}, score=score), now).confirmed is agrees


def test_percent_is_not_guessed_from_the_size_of_a_number(reader, pool, now):
    q = next(q for q in pool if q.benchmark == "aider-polyglot")
    assert verdict(reader, dataclasses.replace(q, row={**q.row, "pass_rate_2": "0.9"}, score=0.009), now).confirmed
    assert refused_for(reader, dataclasses.replace(q, row={**q.row, "pass_rate_2": "0.9"}, score=0.9), now) == {"number"}
    assert refused_for(reader, dataclasses.replace(q, scale=1.0), now) == {"number"}


def test_a_row_of_which_nothing_was_run_has_no_score(reader, pool, now):
    q = next(q for q in pool if q.benchmark == "aider-polyglot")
    assert refused_for(reader, dataclasses.replace(q, row={**q.row, "test_cases": "0"}), now) == {"number"}


@pytest.mark.parametrize("cell", ["Nova 1 System Card", "launch ANNOUNCEMENT", "https://openai.com/index/x", "https://www.x.ai/news", "http://[broken"])
def test_marks_of_a_developers_own_claim(reader, question, now, cell):
    assert refused_for(reader, question(source_cell=cell), now) == {"identity"}


@pytest.mark.parametrize("cell", ["Quiz board", "https://notopenai.com/x", "https://example.org/openai.com", "", "openai.com.example"])
def test_what_is_no_such_mark(reader, question, now, cell):
    assert verdict(reader, question(source_cell=cell), now).confirmed


def test_a_name_stands_whole_in_a_cell_of_names(reader, question, now):
    q = question()
    assert refused_for(reader, dataclasses.replace(q, name=q.name[:-1]), now) == {"model"}
    assert refused_for(reader, dataclasses.replace(q, name="Quiz board"), now) == {"model"}  # a cell, and none of names
    assert refused_for(reader, dataclasses.replace(q, name=""), now) == {"model"}
    assert refused_for(reader, dataclasses.replace(q, origin_name="Nova One"), now) == {"model"}
    both = {**q.row, "Name": " Nova One "}
    assert verdict(reader, dataclasses.replace(q, row=both, headers=tuple(both), origin_name="Nova One"), now).confirmed
    assert verdict(reader, dataclasses.replace(q, row=both, headers=tuple(both), name="", origin_name="Nova One"), now).confirmed


def test_what_is_not_configured_is_refused_without_comparing(reader, question, now):
    for changes in ({"benchmark": "no-such"}, {"source": "no-such"}):
        found = verdict(reader, question(**changes), now)
        assert (found.outcome, found.fields) == ("refused", ()) and "not configured" in found.reason


def test_the_provider_that_p3_chose_is_read_again(reader, specs, shipped_sources, now):
    def row(provider, accuracy):
        return {"benchmark": "gpqa_diamond", "model_permaslug": "nova-lab/nova-1-20260101", "provider_name": provider, "accuracy": accuracy,
                "accuracy_std_dev": None, "run_count": 2, "total_questions": 396}

    rows = [row("Hoster A", 0.61), row("Hoster B", 0.64), row("Hoster C", 0.71), {**row("Hoster B", 0.5), "benchmark": "other_quiz"}]
    export = {"dataset": "benchmark-leaderboard", "schema_version": "v1", "snapshot_date": "2026-11-21", "columns": [{"name": name} for name in rows[0]], "rows": rows,
              "license": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}}
    source = adapter("openrouter", shipped_sources)
    snapshot = build_snapshot(source, {"benchmark-leaderboard": json.dumps(export).encode()}, "2026-11-21")
    spec = next(spec for spec in specs if spec.source == "openrouter")
    (used,), _ = source.readings(snapshot, [spec])
    q = question_of("x", used, spec, snapshot.files["benchmark-leaderboard"].columns, model="Nova 1", setting="default")
    assert q.row["provider_name"] == "Hoster B" and verdict(reader, q, now).confirmed
    for seen in snapshot.observations:
        if dict(seen.row) != dict(q.row):
            wrong = {"benchmark", "number"} if seen.row["benchmark"] == "other_quiz" else {"number"}
            assert refused_for(reader, with_row(q, seen.row), now) == wrong


def test_it_shares_no_code_with_the_adapters(root):
    folder, todo, modules = root / "siiq_core" / "gate" / "checker", ["literal"], set()
    while todo:
        name = todo.pop()
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        assert not re.search(r"made_by_developer|row_filter|needed_header|plain_number", text)
        for node in ast.walk(ast.parse(text)):
            named = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in set(named) - modules:
                modules.add(module)
                if module.startswith("siiq_core.gate.checker."):
                    todo.append(module.rpartition(".")[2])
    ours = {module for module in modules if module.partition(".")[0] not in sys.stdlib_module_names}
    assert ours == {"siiq_core.errors", "siiq_core.params.benchmarks", "siiq_core.params.sources", "siiq_core.gate.checker.numbers", "siiq_core.gate.checker.records"}
