"""E2 at the door: nothing without a recorded, permitting licence enters a published file."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from siiq_core import pipeline
from siiq_core.errors import ParameterError, PublicationError
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.licences import Licences, load_licences
from siiq_core.params.sources import load_sources
from siiq_core.publish.licences import licence_checks, require

NC = ("CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/")
STAGES = (pipeline.fetch, pipeline.calibrate, pipeline.score)
PUBLISHED = ("results.csv", "evidence.jsonl", "history.json", "calibration_inputs.csv", "index.json")


def facts(root):
    sources = [{"id": x.id, "license": x.license, "license_url": x.license_url, "attribution": x.attribution} for x in load_sources(root).values()]
    benchmarks = [{"id": x.id, "source": x.source, "license": x.licence, "license_url": x.licence_url, "license_basis": x.licence_basis}
                  for x in load_benchmarks(root)]
    rows = [{"source": x.source, "file": x.file, "benchmark": x.id} for x in load_benchmarks(root)]
    return sources, benchmarks, rows


def failed(root, sources, benchmarks, rows=()):
    return {x.name: x.notes for x in licence_checks(root, sources, benchmarks, rows) if not x.passed}


def altered(items, id, **changes):
    return [{**x, **changes} if x["id"] == id else x for x in items]


def test_all_that_is_configured_may_be_published(root):
    sources, benchmarks, rows = facts(root)
    checks = licence_checks(root, sources, benchmarks, rows)
    assert all(x.passed and x.rule == "E2" and x.blocking for x in checks)
    assert len(checks) == len(sources) + len(benchmarks) + 3
    require(checks)


@pytest.mark.parametrize(("licence", "address", "why"), [
    (*NC, "forbids commercial use"),
    ("cc-by-nc-4.0", NC[1], "forbids commercial use"),
    ("CC BY-ND 4.0", "https://creativecommons.org/licenses/by-nd/4.0/", "forbids altered"),
    ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/", "forbids altered"),
    ("", "https://example.org/", "no licence is stated"),
    ("none stated", "https://example.org/", "no licence is stated"),
    ("no redistribution", "https://example.org/", "forbids republication"),
    ("WTFPL-ish", "https://example.org/", "is no licence that params/licences.yml knows"),
    ("CC BY 4.0", NC[1], "licence_url is not that of CC BY 4.0"),
    ("MIT", NC[1], "licence_url is that of CC BY-NC 4.0"),
    ("CC BY 4.0", "", "address of its licence .* is not recorded"),
])
def test_what_does_not_permit_is_named_with_the_reason(root, licence, address, why):
    sources, benchmarks, rows = facts(root)
    found = failed(root, altered(sources, "aider", license=licence, license_url=address), benchmarks, rows)
    assert re.search(why, found["licence of source aider"])
    assert re.search(why, found["licence of benchmark aider-polyglot"])  # a benchmark falls with its source
    found = failed(root, sources, altered(benchmarks, "metr", license=licence, license_url=address), rows)
    assert re.search(why, found["licence of benchmark metr"]) and "licence of source epoch" not in found


@pytest.mark.parametrize("name", ["cc-by-4.0", "CC BY 4.0", "CC_BY  4.0"])
def test_one_licence_written_in_several_ways(root, name):
    listed, licence = load_licences(root).find(name)
    assert listed == "CC BY 4.0" and not licence.forbids
    assert load_licences(root).find("CC BY 4") is None


def test_an_attribution_that_is_asked_for_must_be_on_record(root):
    sources, benchmarks, rows = facts(root)
    assert "asks for an attribution" in failed(root, altered(sources, "bfcl", attribution=" "), benchmarks, rows)["licence of source bfcl"]
    cc0 = altered(sources, "bfcl", attribution="", license="CC0 1.0", license_url="https://creativecommons.org/publicdomain/zero/1.0/")
    assert "licence of source bfcl" not in failed(root, cc0, benchmarks, rows)


def test_a_bundles_licence_is_the_bundles(root):
    sources, benchmarks, rows = facts(root)
    found = failed(root, sources, altered(benchmarks, "metr", license="MIT", license_url="https://example.org/LICENSE"), rows)
    assert "goes by its bundle's licence, which is CC BY 4.0, not MIT" in found["licence of benchmark metr"]


def test_a_bundles_licence_does_not_help_where_the_origin_forbids_reuse(root):
    sources, benchmarks, rows = facts(root)
    rows = [*rows, {"source": "epoch", "file": "scicode_external.csv", "benchmark": "metr"}]
    found = failed(root, sources, benchmarks, rows)
    assert "scicode_external.csv" in found["no number whose origin forbids reuse"] and "Artificial Analysis" in str(found)


def test_a_number_of_a_source_or_benchmark_without_a_record(root):
    sources, benchmarks, rows = facts(root)
    rows = [*rows, {"source": "hearsay", "file": "x.csv", "benchmark": "rumour"}]
    assert failed(root, sources, benchmarks, rows) == {"every number has a licence on record": "none for benchmark rumour, source hearsay"}


def test_a_refusal_names_all_and_the_remedy(root):
    sources, benchmarks, rows = facts(root)
    checks = licence_checks(root, altered(sources, "aider", license=NC[0]), altered(benchmarks, "gso", license=""), rows)
    with pytest.raises(PublicationError, match="source aider.*benchmark gso.*Remedy: record a licence that permits it.*excluded.csv"):
        require(checks)
    require([replace(x, blocking=False) for x in checks])  # a check that does not block is only reported


def test_the_list_itself_is_checked(root):
    good = yaml.safe_load((root / "params" / "licences.yml").read_text(encoding="utf-8"))["licences"]
    for wrong in ({**good, "cc-by 4.0": good["CC BY 4.0"]}, {k: v for k, v in good.items() if k != "none stated"},
                  {**good, "MIT": {**good["MIT"], "republish": 3}}, {**good, "MIT": {**good["MIT"], "free": True}}):
        with pytest.raises(ValueError):
            Licences.model_validate({"licences": wrong})


def spoil(project, file, before, after):
    path = project / "params" / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.parametrize(("file", "before", "after", "named"), [
    ("sources.yml", "license: Apache-2.0\n    license_url: https://www.apache.org/licenses/LICENSE-2.0\n    attribution: \"Aider",
     f"license: {NC[0]}\n    license_url: {NC[1]}\n    attribution: \"Aider", "source aider"),
    ("benchmarks.csv", "CC BY 4.0,https://creativecommons.org/licenses/by/4.0/,https://simple-bench.com/", f"{NC[0]},{NC[1]},https://simple-bench.com/",
     "benchmark simplebench"),
])
def test_a_non_commercial_one_enters_no_published_file(project, tmp_path, file, before, after, named):
    """At every stage, so at every published file: refused before a byte is written, and the earlier files stay."""
    spoil(project, file, before, after)
    run = pipeline.prepare({}, str(tmp_path / "fresh"), project)
    for stage in STAGES:
        with pytest.raises(PublicationError, match=f"E2: licence of {named}: CC BY-NC 4.0 forbids commercial use"):
            stage(run).save()
    assert not (tmp_path / "fresh").exists()


def test_results_fetched_under_an_earlier_licence_are_not_published_either(project, tmp_path):
    run = pipeline.prepare({}, str(tmp_path / "run"), project)
    for stage in STAGES:
        stage(run).save()
    before = {name: (run.folder / name).read_bytes() for name in PUBLISHED}
    assert all(before.values())
    spoil(project, "benchmarks.csv", "CC BY 4.0,https://creativecommons.org/licenses/by/4.0/,https://simple-bench.com/",
          f"{NC[0]},{NC[1]},https://simple-bench.com/")
    for stage in STAGES:
        with pytest.raises(PublicationError, match="benchmark simplebench"):
            stage(run).save()
    assert {name: (run.folder / name).read_bytes() for name in PUBLISHED} == before
    assert b"CC BY-NC" not in b"".join(before.values())


def test_the_command_says_so_and_fails(project):
    spoil(project, "benchmarks.csv", "CC BY 4.0,https://creativecommons.org/licenses/by/4.0/,https://simple-bench.com/",
          f"{NC[0]},{NC[1]},https://simple-bench.com/")
    done = subprocess.run([sys.executable, "-m", "siiq_core.cli", "fetch"], capture_output=True, text=True, cwd=project,
                          env={**os.environ, "SIIQ_ROOT": str(project)}, timeout=120)
    assert done.returncode == 1 and "benchmark simplebench" in done.stderr and "CC BY-NC 4.0 forbids commercial use" in done.stderr
    assert not (project / "_build" / "run" / "results.csv").exists()


def test_a_list_that_cannot_be_read_stops_everything(project, tmp_path):
    (project / "params" / "licences.yml").unlink()
    with pytest.raises(ParameterError, match="licences.yml"):
        pipeline.fetch(pipeline.prepare({}, str(tmp_path / "x"), project))


def test_published_licences_are_those_checked(shipped):
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    require(licence_checks(shipped.root, index["sources"], index["benchmarks"]))
