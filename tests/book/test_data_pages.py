"""Data, status, changes, versions: what they say is what the files are."""

import copy
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import jsonschema
import pytest
from made_up import HOSTILE

from siiq_core.errors import PublicationError
from siiq_core.evidence.identity import OddVersion
from siiq_core.publish import changes, data_blocks, gate_blocks, releases, status, status_blocks, tables
from siiq_core.publish.datafiles import DataFile, listing
from siiq_core.publish.datapackage import data_package
from siiq_core.publish import format
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site
from siiq_core.publish.words import Words


@pytest.fixture(scope="module")
def site(small_book, index):
    return replace(load_site(index, small_book.run, small_book.root, Words.load(small_book.root)), files=listing(small_book.site / "data"))


def _schema(root, name):
    return json.loads((root / "siiq_core" / "publish" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def _text(markup):
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


# --- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_file_is_listed_with_its_size_and_checksum(small_book, lang):
    page = (small_book.site / lang / "data.html").read_text(encoding="utf-8")
    files = [p for p in (small_book.site / "data").iterdir() if p.is_file() and p.name != "status.js"]  # which changes every hour, and is no data of its own
    assert 'f-status.js' not in page
    assert len(files) > 8
    for path in files:
        content = path.read_bytes()
        found = re.search(rf'<tr id="f-{re.escape(path.name)}">.*?</tr>', page, re.DOTALL)
        assert found and hashlib.sha256(content).hexdigest() in found[0] and f'data-v="{len(content)}"' in found[0], path.name


def test_a_file_that_nothing_describes_stops_the_book(site, index):
    with pytest.raises(PublicationError, match="nothing describes.*mystery.json"):
        data_package(index, (DataFile("mystery.json", 1, "0" * 64),))
    with pytest.raises(PublicationError, match="missing translation.*data.file.mystery"):
        data_blocks.data_files(replace(site, files=(*site.files, DataFile("mystery.json", 1, "0" * 64))), "en")


def test_script_copies_and_schemas_say_what_they_are_of(site):
    shown = _text(data_blocks.data_files(replace(site, files=(*site.files, DataFile("index.js", 1, "0" * 64))), "en"))
    assert "Data of index.json as a script" in shown and "Schema of evidence.jsonl" in shown


def test_the_place_for_recomputing_is_there(small_book):
    for lang in LANGUAGES:
        assert '<div id="recompute-all"></div>' in (small_book.site / lang / "data.html").read_text(encoding="utf-8")


def _code(root, lang, language):
    return re.search(rf"```{language}\n(.*?)```", (root / "book" / lang / "data.md").read_text(encoding="utf-8"), re.DOTALL)[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_python_on_the_page_runs(root, lang, shipped, tmp_path):
    shutil.copytree(shipped.folder, tmp_path / "data")
    found = subprocess.run([sys.executable, "-c", _code(root, lang, "python")], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1"})
    assert found.returncode == 0, found.stderr
    first, *_, last = found.stdout.splitlines()
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    assert index["models"][0]["name"] in first and index["models"][0]["shown"]["siiq"] in first and first.startswith("1 ")
    assert last.startswith(f'{len((shipped.folder / "results.csv").read_text(encoding="utf-8").splitlines()) - 1} {{')


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="no R here")
def test_the_r_on_the_page_runs(root, shipped, tmp_path):
    if subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True).returncode:
        pytest.skip("R has no package jsonlite here")
    shutil.copytree(shipped.folder, tmp_path / "data")
    (tmp_path / "code.R").write_text(_code(root, "en", "r"), encoding="utf-8")
    assert subprocess.run(["Rscript", "code.R"], cwd=tmp_path, capture_output=True).returncode == 0


def test_the_code_is_the_same_in_every_language_but_for_comments(root):
    for language in ("python", "r"):
        assert len({re.sub(r"#.*", "", _code(root, lang, language)) for lang in LANGUAGES}) == 1


# --- the data package (the rules of the Data Package standard, version 2, that a descriptor can break) ----------------


@pytest.fixture(scope="module")
def package(small_book):
    return json.loads((small_book.site / "data" / "datapackage.json").read_text(encoding="utf-8"))


def test_the_package_is_one_by_the_standard(package, index):
    assert package["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"
    assert re.fullmatch(r"[a-z0-9._/-]+", package["name"]) and package["resources"]
    assert package["version"] == package["method_version"] == index["method_version"]  # V1, for the CSV files
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", package["created"])
    assert all(x.get("name") or x.get("path") for x in package["licenses"]) and all(x.get("title") for x in package["sources"])
    assert len({x["name"] for x in package["resources"]}) == len(package["resources"])


def test_every_resource_is_the_file_it_says(package, small_book):
    data = small_book.site / "data"
    for x in package["resources"]:
        assert re.fullmatch(r"[a-z0-9._/-]+", x["name"]) and not x["path"].startswith(("/", ".")) and ".." not in x["path"]
        content = (data / x["path"]).read_bytes()
        assert x["bytes"] == len(content) and x["hash"] == "sha256:" + hashlib.sha256(content).hexdigest() and x["encoding"] == "utf-8"
        assert "jsonSchema" not in x or (data / x["jsonSchema"]).is_file()
    there = {p.name for p in data.iterdir() if p.is_file() and not p.name.endswith((".schema.json", ".js")) and p.name != "datapackage.json"}
    assert {x["path"] for x in package["resources"]} == there


def test_the_columns_are_those_of_the_shipped_files(root, shipped):
    import csv

    types = {"string": str, "number": float, "date": lambda x: re.fullmatch(r"\d{4}-\d\d-\d\d", x) or 1 / 0}
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    files = [DataFile(name, 0, "0" * 64) for name in ("results.csv", "calibration_inputs.csv")]
    for x in data_package(index, files)["resources"]:
        assert x["type"] == "table"
        with open(shipped.folder / x["path"], encoding="utf-8", newline="") as table:
            header, *rows = csv.reader(table)
        fields = x["schema"]["fields"]
        assert header == [f["name"] for f in fields]
        for row in rows:
            for cell, field in zip(row, fields, strict=True):
                assert not cell or types[field["type"]](cell) is not None
        keys = [tuple(row[header.index(k)] for k in x["schema"]["primaryKey"]) for row in rows]
        assert len(set(keys)) == len(keys)


def test_json_files_fit_their_schemas(root, shipped):
    history = json.loads((shipped.folder / "history.json").read_text(encoding="utf-8"))
    jsonschema.validate(history, _schema(root, "history"))
    check = jsonschema.Draft202012Validator(_schema(root, "evidence"))
    for line in (shipped.folder / "evidence.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        check.validate(json.loads(line))
    jsonschema.validate(json.loads((shipped.folder / "prices.json").read_text(encoding="utf-8")), _schema(root, "prices"))


@pytest.mark.parametrize("name", ["prices", "method_figures", "prediction"])
def test_every_json_file_of_the_book_has_a_schema_that_says_no(root, small_book, name):
    schema, found = _schema(root, name), json.loads((small_book.site / "data" / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)
    for spoilt in ({**found, "more": 1}, {k: v for k, v in found.items() if k != "as_of"}, {**found, "as_of": "yesterday"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, schema)
    assert f"{name}.schema.json" in (small_book.site / "es" / "data.html").read_text(encoding="utf-8")


# --- status ----------------------------------------------------------------------------------------------------------


def test_status_has_the_shape_others_rely_on(root, shipped, small_book):
    index, facts = (json.loads((shipped.folder / name).read_text(encoding="utf-8")) for name in ("index.json", "fetch.json"))
    found = status.build_status(index, facts)
    jsonschema.validate(found, _schema(root, "status"))
    jsonschema.validate(json.loads((small_book.site / "status.json").read_text(encoding="utf-8")), _schema(root, "status"))
    assert found["waiting_names"] == facts["waiting_names"] and {x["id"] for x in found["sources"]} == {x["id"] for x in index["sources"]}
    assert found["frozen"] == found["held"] == [] and found["gate"]["runs"] is False
    assert all(x["rows"] and 0 < x["kept_share"] <= 1 for x in found["sources"] if x["last_snapshot"])
    assert all(x["passed"] for x in found["calibration"]["checks"]) and found == status.build_status(index, facts)


@pytest.mark.parametrize(("change", "name"), [
    (lambda x: x["calibration"].update(null_directions=3), "null_directions"), (lambda x: x["calibration"].update(pairs=29), "pairs"),
    (lambda x: x["calibration"].update(folds=2), "folds"), (lambda x: x["calibration"].update(last_change=1e-9), "convergence"),
    (lambda x: x["calibration"]["models_in_fit"].remove("nova-9"), "reference_group"), (lambda x: x["benchmarks"][0].update(alpha=0.05), "loadings")])
def test_a_calibration_that_should_have_been_refused_shows(index, change, name):
    assert all(x.passed for x in status.calibration_checks(index))
    changed = copy.deepcopy(index)
    change(changed)
    assert [x.name for x in status.calibration_checks(changed) if not x.passed] == [name]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_waiting_name_is_on_the_page_as_text(site, lang):
    shown = status_blocks.status_names(site, lang) + status_blocks.status_reports(site, lang)
    assert shown.count("&lt;img src=x onerror=alert(1)&gt;") == 2 and "<img" not in shown and "<details" in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_any_number_and_length_leave_the_page_small(site, lang):
    """Fault kind 25: fifty thousand names of ten thousand characters, as a publisher's file may hold them."""
    many = [{"source": "nowhere", "name": f"{k} " + "<x>" * 3000, "rows": 1, "since": "2025-05-01", "reason": ""} for k in range(2000)]
    shown = status_blocks.status_names(replace(site, facts={**site.facts, "waiting_names": many}), lang)
    assert len(shown) < 400_000 and shown.count("<tr") == 1 + 300 + 1 and site.words("status.more_names", lang, n=format.whole(1700, lang)) in shown and "<x>" not in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_notes_for_the_operator_are_in_the_readers_language(site, lang):
    """Every form of report that the build writes, from what writes it; another one is shown as it is and marked as English."""
    odd = [OddVersion("a'b <i>", "A", more, fewer) for more, fewer in ((("pro",), ()), ((), ("flash", "mini")), (("pro", "max"), ("lite",)))]
    told = [*(f"I1: {x.version}: {x.reason()}" for x in odd), "I2: key 'sonar' is void: it could name sonar, sonar-2",
            f"I4: decided, and no row of aider has it: {'it' + chr(39) + 's <b>'!r}"]
    shown = status_blocks.status_reports(replace(site, facts={**site.facts, "reports": told}), lang)
    assert 'lang="en"' not in shown and shown.count("a&#x27;b &lt;i&gt;") == 3 and "<i>" not in shown
    assert all(x in shown for x in ("pro, max", "flash, mini", "lite", "sonar, sonar-2", "siiq names"))
    assert ("unlike" in shown or "could mean" in shown) is (lang == "en")
    assert '<span lang="en">' in status_blocks.status_reports(replace(site, facts={**site.facts, "reports": ["C8: something else"]}), lang)


def test_what_an_operator_may_do_is_the_same_on_the_page_and_in_the_file(words):
    assert {rule: words.raw(f"status.may.{rule}", "en") for rule in status._OPERATOR_MAY} == status._OPERATOR_MAY


def test_the_page_says_that_the_gate_does_not_run(site):
    assert "has not run yet" in gate_blocks.status_publication(site, "en") and "direct build" in gate_blocks.gate_passed(site, "en")


def test_the_required_attributions_go_with_every_copy(shipped):  # data.md
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    shown, cited = tables.attributions(index, Words.load(shipped.root), "de"), releases.citation(index, "x")
    for address in ("aider.chat/docs/leaderboards/", "huggingface.co/datasets/lmarena-ai/leaderboard-dataset", "gorilla.cs.berkeley.edu/leaderboard.html", "epoch.ai/benchmarks",
                    "github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json", "models.dev (MIT)", "openrouter.ai/api/v1/datasets/exports/README.md"):
        assert address in shown and address in cited


# --- changes, versions -----------------------------------------------------------------------------------------------


def test_changes_are_counted_by_cause(site):
    shown = changes.changes_days(site, "en")
    days = re.findall(r'<tr id="d-(\S+)">(.*?)</tr>', shown, re.DOTALL)
    assert [day for day, _ in days] == [x["day"] for x in reversed(site.history["days"])]
    for (_, markup), entry in zip(days, reversed(site.history["days"]), strict=True):
        new = sum(c["cause"] == "new" for c in entry["changes"])
        assert f"{new} new" in _text(markup)
    assert f'data-v="{sum(len(m["results"]) for m in site.index["models"])}"' in days[0][1]


def test_the_largest_movements_are_named_with_what_moved_them(site):
    scores = {"nova-9": [_day("2025-05-01", 120.4, None), _day("2025-06-01", 126.5, 6.1, ("sums", "revised", 6.1))],
              "nova-8": [_day("2025-05-01", 120.4, None, enough=False), _day("2025-06-01", 110.0, -10.4, ("sums", "new", -10.4))]}
    shown = _text(changes.changes_movers(replace(site, scores=scores), "en"))
    assert "Nova 9 120 126 +6.1 Sums : revised result (+6.1)" in shown and "110" not in shown  # who was not broadly tested before is not named
    assert "No score changed" in changes.changes_movers(replace(site, scores={}), "en")


def _day(day, siiq, change, *parts, enough=True):
    return {"day": day, "siiq": siiq, "shown": {"siiq": str(round(siiq))}, "enough": enough, "change": change,
            "parts": [{"benchmark": b, "cause": c, "points": p} for b, c, p in parts]}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_version_of_the_changelog_is_told_in_the_readers_language(root, lang):
    log = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    page = (root / "book" / lang / "versions.md").read_text(encoding="utf-8")
    for version, entry in re.findall(r"^## \[(\d+\.\d+\.\d+)\][^\n]*\n(.*?)(?=^## |\Z)", log, re.MULTILINE | re.DOTALL):
        told = re.search(rf"^## {re.escape(version)} \(.*?\)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
        assert told, f"{version} is missing"
        assert len(re.findall(r"^- ", told[1], re.MULTILINE)) >= len(re.findall(r"^- ", entry, re.MULTILINE))


def test_hostile_names_stay_text_on_these_pages(site):  # fault 24
    names = {b["id"]: HOSTILE[0] for b in site.index["benchmarks"]}
    hostile = copy.deepcopy(dict(site.index))
    for b in hostile["benchmarks"]:
        b["name"] = names[b["id"]]
    for lang in LANGUAGES:
        shown = "".join(make(replace(site, index=hostile), lang) for make in (*changes.BLOCKS.values(), *status_blocks.BLOCKS.values(), *gate_blocks.BLOCKS.values()))
        assert "<img" not in shown
