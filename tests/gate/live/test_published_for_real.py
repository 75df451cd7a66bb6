"""Publishing cycles on the project's own data, stages and all: what is in public says by which rule, and recomputes from itself."""

import csv
import io
import json
import shutil

import pytest
from world import World, epoch_bundle

from siiq_core import pipeline
from siiq_core.commands.update import update
from siiq_core.evidence.live import desk as desks
from siiq_core.files import sha256
from siiq_core.gate.place import remembered
from siiq_core.verify import verify_file
from tests.gate.village import BEGIN, NETWORK, changed
from tests.pace import Pace

GPQA = "gpqa_diamond.csv"


@pytest.fixture(scope="module")
def project(root, tmp_path_factory, village_publisher, shared_sources):
    """The shipped project with one publisher on loopback, who has the newest bundle with another number in one cell."""
    folder = tmp_path_factory.mktemp("for real")
    for name in ("params", "data"):
        shutil.copytree(root / name, folder / "shipped" / name, ignore=shutil.ignore_patterns("live", "snapshots", "ledger*"))
    (folder / "project" / "data").mkdir(parents=True)
    shutil.copyfile(root / "_config.yml", folder / "project" / "_config.yml")
    checker = folder / "shipped" / "params" / "checker.yml"
    checker.write_text(checker.read_text(encoding="utf-8").replace("\nfitting: none", "\nfitting: literal"), encoding="utf-8")
    village_publisher.begin()
    (folder / "project" / "data" / "observations").symlink_to(folder / "shipped" / "data" / "observations")
    world = World(folder / "shipped", folder / "project", {"epoch": village_publisher}, only=("epoch",))
    return folder / "project", world, epoch_bundle(shared_sources, "2026-07-31")


def stages(root):
    """What `siiq update` does with the stages, without notebooks and book: the run, then the site's data."""
    run = pipeline.prepare({}, "", root)
    for stage in (pipeline.fetch, pipeline.calibrate, pipeline.score):
        stage(run).save()
    site = root / "_build" / "html" / "data"
    site.mkdir(parents=True, exist_ok=True)
    for name in ("index.json", "history.json", "calibration_inputs.csv", "evidence.jsonl", "calibration.json"):
        shutil.copyfile(run.folder / name, site / name)


def cycle(project, world, pace, publish=stages):
    real = desks.open_desk
    desks.open_desk = lambda root, *more: world.desk
    try:
        return update(project, lambda text: None, network=NETWORK, clock=pace.clock, publish=publish)
    finally:
        desks.open_desk = real


def site_of(project):
    site = project / "_build" / "html" / "data"
    index = json.loads((site / "index.json").read_text(encoding="utf-8"))
    evidence = [json.loads(line) for line in (site / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    return site, index, evidence, json.loads((site / "history.json").read_text(encoding="utf-8"))


def test_a_number_goes_from_its_publisher_to_an_index_that_verifies(project):
    folder, world, bundle = project
    pace = Pace(BEGIN)
    rows = list(csv.DictReader(io.StringIO(bundle[GPQA].decode("utf-8-sig"), newline="")))
    number = next(k for k, row in enumerate(rows, start=1) if row["Model version"] == "gpt-5.1-2025-11-13_high")
    world.serve("epoch", {**bundle, GPQA: changed(bundle[GPQA], number, **{"Best score (across scorers)": "0.871"})})
    assert cycle(folder, world, pace) == 0
    state = remembered(folder)[0].state
    there = state.published["gpt-5.1", "gpqa-diamond-epoch"]
    assert there.value.score == 0.871 and there.by == "U3" and there.checked.how == "literal" and state.publication.version == state.standing == "1.0.1"
    site, index, evidence, history = site_of(folder)
    report = verify_file(site / "index.json", None)
    assert report.passed, report.summary
    assert index["method_version"] == "1.0.1"
    (record,) = (x for x in evidence if x["id"] == there.value.evidence and x["benchmark"] == "gpqa-diamond-epoch")
    assert record["current"] and record["accepted"] == {"rule": "U3", "since": there.since} and record["checker"]["who"] == there.checked.who and record["checker"]["outcome"] == "confirmed"
    others = [x for x in evidence if x["current"] and x is not record]
    assert {x["accepted"]["rule"] for x in others} == {"U0"} and {x["checker"]["outcome"] for x in others} == {"shipped, not AI-checked"}  # U2: said openly
    last = history["days"][-1]
    assert last["day"] == "2026-11-20" and {(x["model"], x["benchmark"], x["score"]) for x in last["changes"]} == {("gpt-5.1", "gpqa-diamond-epoch", 0.871)}
    shipped = json.loads((folder.parent / "shipped" / "params" / "calibrations" / "1.0.0.json").read_text(encoding="utf-8"))
    made = json.loads((site / "calibration.json").read_text(encoding="utf-8"))
    assert made["found"] == shipped["found"] and made["id"] == shipped["id"]  # C10: a new result moves no parameter

    # the month ends: the first run at or after 06:00 on the 1st (C9)
    pace.moment = pace.moment.replace(month=12, day=1, hour=5)
    assert cycle(folder, world, pace, publish=None) == 0 and remembered(folder)[0].state.publication.version == "1.0.1"
    pace.sleep(3600)
    assert cycle(folder, world, pace) == 0
    state = remembered(folder)[0].state
    assert state.attempt.accepted and state.publication.version == state.standing == "1.1.0" and state.publication.recalibrated
    site, index, evidence, history = site_of(folder)
    report = verify_file(site / "index.json", None)
    assert report.passed, report.summary
    made = json.loads((site / "calibration.json").read_text(encoding="utf-8"))
    assert index["method_version"] == "1.1.0" and made["id"] == state.in_force.id and made["id"].startswith("1.1.0-") and made["at"] == "2026-12-01T06:00:00Z"
    inputs = (site / "calibration_inputs.csv").read_bytes()
    assert b"gpt-5.1,gpqa-diamond-epoch,0.871" in inputs and made["inputs_sha256"] == sha256(inputs)

    # and with nothing new nothing is made again
    pace.sleep(3600)
    assert cycle(folder, world, pace, publish=lambda root: pytest.fail("nothing is due")) == 0
