"""Entrance: the files of params/. Every YAML file and every CSV file, one kind of fault after the other."""

import importlib
import re
import shutil

import pytest

from siiq_core import pipeline
from siiq_core.errors import ParameterError
from siiq_core.params.benchmarks import load_benchmarks, load_excluded
from siiq_core.params.loader import MAX_BYTES
from siiq_core.params.names import Decision, check_decisions, load_decisions, load_registry
from siiq_core.params.sources import load_sources

YAML = ["agreement", "checker", "criticism", "faults", "gate", "intervals", "licences", "live", "method", "names", "percentile", "prediction", "prices", "recheck",
        "reference_group", "simulation", "sources", "sweep", "value"]
CSV = {"benchmarks.csv": load_benchmarks, "excluded.csv": load_excluded, "models.csv": load_registry, "decisions.csv": load_decisions}
DECISIONS = "source,name,model,decision,who,when,why\naider,Nova,,rejected,a reviewer,2026-08-01,no model\n"


@pytest.fixture
def params(root, tmp_path):
    """A copy of params/ in a folder with a blank and an umlaut, with one decision in it."""
    shutil.copytree(root / "params", tmp_path / "prüf ling" / "params")
    (tmp_path / "prüf ling" / "params" / "decisions.csv").write_text(DECISIONS, encoding="utf-8")
    return tmp_path / "prüf ling" / "params"


def loader(name):
    return getattr(importlib.import_module(f"siiq_core.params.{name}"), f"load_{name}")


def first_key(text):
    return re.search(r"^(\w+):", text, re.M)[1]


def nested(text):
    return text + "deep: " + "[" * 5000 + "]" * 5000 + "\n"


def bomb(text):
    """Aliases of aliases: a few lines that stand for 10^9 values."""
    return text + "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"{k}: &{k} [{', '.join(['*' + chr(ord(k) - 1)] * 10)}]\n" for k in "bcdefghi")


SPOILT = [  # kind, what becomes of the file, what the refusal says
    (1, "a key twice", lambda t: t + f"{first_key(t)}: 1\n", "stands twice"),
    (6, "a key renamed", lambda t: re.sub(r"^(\w+):", r"\1_new:", t, count=1, flags=re.M), "Extra inputs|add the key|[Ff]ield required"),
    (19, "one key too many", lambda t: t + "no_such_key: 1\n", "no_such_key"),
    (21, "nothing left of it", lambda t: "", "no mapping"),
    (24, "a value that would be made by calling something", lambda t: t + "x: !!python/object/apply:os.system [exit]\n", "no valid YAML"),
    (25, "nested without end", nested, "levels|no plain YAML|no valid YAML"),
    (25, "aliases of aliases", bomb, "more than"),
    (25, "too many bytes", lambda t: t + "# " + "x" * MAX_BYTES, "larger than"),
]


@pytest.mark.parametrize("name", YAML)
@pytest.mark.parametrize(("kind", "what", "alter", "said"), SPOILT, ids=[f"{x[0]}: {x[1]}" for x in SPOILT])
def test_a_spoilt_yaml_file_is_refused_by_name(params, name, kind, what, alter, said):
    path = params / f"{name}.yml"
    path.write_text(alter(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ParameterError, match=said) as refusal:
        loader(name)(params.parent)
    assert refusal.value.file == f"{name}.yml" and refusal.value.remedy and len(str(refusal.value)) < 2500


@pytest.mark.parametrize("name", YAML)
def test_a_byte_order_mark_and_line_ends_change_no_yaml_file(params, name):
    """Kind 11."""
    path, before = params / f"{name}.yml", loader(name)(params.parent)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert loader(name)(params.parent) == before


@pytest.mark.parametrize("name", [x for x in YAML if x not in ("agreement", "checker", "faults", "intervals", "licences", "live", "names", "percentile", "reference_group", "sources")])
def test_a_decimal_comma_is_refused_never_0_or_71(params, name):
    """Kind 11; the files left out hold no decimal number."""
    path = params / f"{name}.yml"
    text, count = re.subn(r"^(\s*\w+: \d+)\.(\d+(?:e-?\d+)?\s)", r"\1,\2", path.read_text(encoding="utf-8"), count=1, flags=re.M)
    assert count == 1, "no decimal number to spoil"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError) as refusal:
        loader(name)(params.parent)
    assert refusal.value.row == next(k for k, line in enumerate(text.splitlines(), start=1) if re.match(r"\s*\w+: \d+,\d", line))


TABLES = [
    (1, "benchmarks.csv", lambda t: t + t.splitlines()[1] + "\n", "already"),
    (1, "models.csv", lambda t: t + t.splitlines()[1] + "\n", "already"),
    (1, "excluded.csv", lambda t: t + t.splitlines()[1] + "\n", "already"),
    (2, "benchmarks.csv", lambda t: t.replace(",0.25,1,198,", ",25,1,198,", 1), "column 'g', value '25'"),
    (2, "benchmarks.csv", lambda t: t.replace(",0.25,1,198,", ",0.25,95,198,", 1), "column 'c', value '95'"),
    (4, "benchmarks.csv", lambda t: t.replace(",0.25,1,198,", ",0.25,1,0,", 1), "column 'n', value '0'"),
    *((6, name, lambda t: t.replace(t[: t.index(",")], "renamed", 1), "renamed|required") for name in CSV),
    (11, "benchmarks.csv", lambda t: t.replace(",0.25,1,198,", ',"0,25",1,198,', 1), "column 'g', value '0,25'"),
    (11, "benchmarks.csv", lambda t: t.replace(",0.25,1,198,", ",0,25,1,198,", 1), "not as many cells"),
    *((11, name, lambda t: t.replace(",", ";"), "row 1") for name in CSV),
    (12, "models.csv", lambda t: re.sub(r"\d{4}-\d\d-\d\d", "31.07.2026", t, count=1), "first_seen"),
    (12, "decisions.csv", lambda t: t.replace("2026-08-01", "2026-08-01T24:00:00-11:00"), "when"),
    *((21, name, lambda t: "", "is empty") for name in CSV),
    (21, "benchmarks.csv", lambda t: t[: t.index("\n") + 1], "no benchmark"),
    (24, "models.csv", lambda t: t + "../../x,Nova 999,2026-01-01\n", "is no slug"),
    (24, "benchmarks.csv", lambda t: t.replace("https://", "javascript:", 1), "https address|should match"),
    *((25, name, lambda t: t + "x" * MAX_BYTES, "larger than") for name in CSV),
    *((25, name, lambda t: t + ",".join(["x"] * 100_000) + "\n", "not as many cells") for name in CSV),
]


@pytest.mark.parametrize(("kind", "name", "alter", "said"), TABLES, ids=[f"{x[0]}: {x[1]}" for x in TABLES])
def test_a_spoilt_table_is_refused_with_its_row(params, kind, name, alter, said):
    path = params / name
    before = path.read_text(encoding="utf-8")
    path.write_text(alter(before), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != before
    with pytest.raises(ParameterError, match=said) as refusal:
        CSV[name](params.parent)
    assert refusal.value.file == name and refusal.value.remedy and (refusal.value.row is not None or kind == 25)


@pytest.mark.parametrize("name", CSV)
def test_a_byte_order_mark_and_line_ends_change_no_table(params, name):
    """Kind 11."""
    path, before = params / name, CSV[name](params.parent)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert before and CSV[name](params.parent) == before


def test_the_order_of_rows_in_the_tables_changes_no_number(project, tmp_path):
    """Kind 18: benchmarks and models turned round."""
    def scored(folder):
        run = pipeline.prepare({}, str(tmp_path / folder), project)
        for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
            stage(run).save()
        return (run.folder / "results.csv").read_bytes(), {m["slug"]: (m["siiq"], m["rank"]) for m in run_index(run)["models"]}

    def run_index(run):
        import json
        return json.loads((run.folder / "index.json").read_text(encoding="utf-8"))

    before = scored("before")
    for name in ("benchmarks.csv", "models.csv"):
        path = project / "params" / name
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([head, *rows[::-1]]) + "\n", encoding="utf-8")
    assert scored("after") == before


@pytest.mark.parametrize(("before", "after", "said"), [
    ("run_date: [date]", "run_date: [dates]", "columns.run_date: no file keeps a column 'dates'; did you mean 'date'"),
    ("attempts: [test_cases]", "attempts: [test_case]", "columns.attempts"),
    ('percent_sign: ["Overall Acc"]', 'percent_sign: ["Overall Acc."]', "percent_sign: no file keeps a column 'Overall Acc.'"),
    ("main/aider/website/_data/{name}", "main/aider/website/_data/{nam}", "address: no such slot: {nam}"),
    ("{commit}/aider", "{commit/aider", "pinned: no such slot"),
])
def test_a_slip_in_the_sources_is_no_longer_silent(params, before, after, said):
    """Kinds 6, 19: a header that no file keeps, or a slot that nothing fills."""
    path = params / "sources.yml"
    text = path.read_text(encoding="utf-8")
    before = before if before in text else before.replace('"', "")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(ParameterError, match=re.escape(said)):
        load_sources(params.parent)


def test_a_decision_about_a_source_that_is_none_is_refused(params):
    """Kinds 9, 19: it would silently decide nothing."""
    decisions = load_decisions(params.parent)
    check_decisions(decisions, ["aider", "epoch"])
    with pytest.raises(ParameterError, match="did you mean 'aider'") as refusal:
        check_decisions([*decisions, Decision(**{**decisions[0].model_dump(), "source": "aidr"})], ["aider", "epoch"])
    assert (refusal.value.file, refusal.value.row, refusal.value.column) == ("decisions.csv", 2, "source")


def test_a_decision_about_a_name_that_no_row_has_is_said(project, tmp_path):
    """Kind 10: a mangled name in the list decides nothing, so a person should look at it."""
    (project / "params" / "decisions.csv").write_text(DECISIONS.replace("Nova", "o1-2024-12-17 (hihg)"), encoding="utf-8")
    reports = pipeline.fetch(pipeline.prepare({}, str(tmp_path / "run"), project)).value.reports
    assert "I4: decided, and no row of aider has it: 'o1-2024-12-17 (hihg)'" in reports
    (project / "params" / "decisions.csv").write_text(DECISIONS.replace("Nova", "o1-2024-12-17 (high)"), encoding="utf-8")
    reports = pipeline.fetch(pipeline.prepare({}, str(tmp_path / "run"), project)).value.reports
    assert not [x for x in reports if "decided" in x]
