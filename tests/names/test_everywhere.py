"""I4: a decision is at work everywhere at once: results, evidence, index, and the history of all days, earlier ones too.

Nothing of an old match is stored, so nothing can be left of it; here the shipped data prove it.
"""

import json

import pytest

from siiq_core import pipeline
from siiq_core.evidence.decisions import decide
from siiq_core.evidence.shelf import open_shelf
from siiq_core.params.method import load_method
from siiq_core.publish.history import days_evidence, days_inputs

SOURCE, NAME, RIGHT, WRONG, BENCHMARK = "aider", "DeepSeek R1 (0528)", "deepseek-r1-may-2025", "claude-opus-4.5", "aider-polyglot"
STAGES = (pipeline.fetch, pipeline.calibrate, pipeline.score)
FILES = ("results.csv", "evidence.jsonl", "history.json", "calibration_inputs.csv", "index.json")
SINCE = "2025-07-11"  # the first version of Aider's list that has the name


def say(project, slug):
    decide(project, open_shelf(project, load_method(project)), SOURCE, NAME, slug, who="a reviewer", why="its date says so", when="2026-08-01")


def files_of(project, folder, stages=STAGES):
    run = pipeline.prepare({}, str(folder), project)
    for stage in stages:
        stage(run).save()
    return {name: (folder / name).read_bytes() for name in FILES if (folder / name).is_file()}


def matched(files):
    """Who has Aider's row of that name, by file: {slug} in evidence; {slug: days} in history; {slug} in results."""
    lines = [json.loads(x) for x in files["evidence.jsonl"].decode("utf-8").splitlines()[1:]]
    ids = {x["id"]: x["model"] for x in lines if x["source"] == SOURCE and x["row"]["model"] == NAME}
    history = json.loads(files["history.json"])
    days = {}
    for entry in history["days"]:
        for (model, _), id in days_evidence(history, entry["day"]).items():
            if id in ids:
                days.setdefault(model, []).append(entry["day"])
    results = {row.split(",")[0] for row in files["results.csv"].decode("utf-8").splitlines() if any(id in row for id in ids)}
    return set(ids.values()), days, results


@pytest.fixture(scope="module")
def before(shipped):
    return {name: (shipped.folder / name).read_bytes() for name in FILES}


def test_a_confirmed_name_is_everywhere_and_a_rejected_one_nowhere(project, tmp_path, before):
    assert matched(before) == (set(), {}, set())
    say(project, RIGHT)
    after = files_of(project, tmp_path / "confirmed")
    models, days, results = matched(after)
    assert models == {RIGHT} == results and set(days) == {RIGHT}
    all_days = [d["day"] for d in json.loads(after["history.json"])["days"]]
    assert days[RIGHT] == [day for day in all_days if day >= SINCE]  # every day that has the row, back to the first
    index = json.loads(after["index.json"])
    own = next(m for m in index["models"] if m["slug"] == RIGHT)
    assert next(r for r in own["results"] if r["benchmark"] == BENCHMARK)["score"] == 0.714
    assert f"{RIGHT},{BENCHMARK},0.714\n".encode() in after["calibration_inputs.csv"]
    assert all(after[name] != before[name] for name in FILES)

    say(project, None)
    assert files_of(project, tmp_path / "rejected") == before  # byte for byte as if it had never been matched


def test_a_re_match_leaves_nothing_of_the_old_one(project, tmp_path):
    say(project, WRONG)
    wrong = files_of(project, tmp_path / "wrong", (pipeline.fetch,))
    assert matched(wrong)[0] == {WRONG} and (WRONG, BENCHMARK) in days_inputs(json.loads(wrong["history.json"]), SINCE)
    say(project, RIGHT)
    right = files_of(project, tmp_path / "right", (pipeline.fetch,))
    assert matched(right)[0] == {RIGHT} == set(matched(right)[1])
    history = json.loads(right["history.json"])
    assert not [d["day"] for d in history["days"] if (WRONG, BENCHMARK) in days_inputs(history, d["day"])]
