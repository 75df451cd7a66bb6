"""V4: history of every day with a snapshot, rebuilt from changes, equal to the direct build of that day."""

import json
import time

import pytest
from smallworld import aider_day, epoch_day, shelf_of, signed, small_project, small_world

from siiq_core import pipeline
from siiq_core.errors import PublicationError
from siiq_core.evidence.decisions import register
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.gather import gather
from siiq_core.evidence.identity import build_index
from siiq_core.evidence.observations import load_snapshot, snapshots
from siiq_core.evidence.selection import select
from siiq_core.evidence.sources import adapter
from siiq_core.files import canonical_bytes
from siiq_core.method.scoring import score
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.method import load_method
from siiq_core.params.names import load_decisions, load_names, load_registry
from siiq_core.publish.history import CAUSES, build_history, check_history, days_evidence, days_inputs, evidence_of, history_of
from siiq_core.publish.index import build_index as build_published

MEASURING = ("epoch", "aider", "bfcl")


@pytest.fixture(scope="module")
def history(root):
    return build_history(root, load_method(root))


def changes_of(history, day):
    return next(d["changes"] for d in history["days"] if d["day"] == day)


def directly(root, day):
    """The direct build of a day, all sources at once: what the shelf does source by source."""
    newest = {key: found[-1] for key in MEASURING if (found := [d for d in snapshots(key, root) if d <= day])}
    read = {key: load_snapshot(key, on, root) for key, on in newest.items()}
    specs, names = load_benchmarks(root), load_names(root)
    table = adapter("epoch").model_table(load_snapshot("epoch", snapshots("epoch", root)[-1], root))
    index = build_index(table, names, load_registry(root), load_decisions(root))
    readings = [r for key, snapshot in read.items() for r in adapter(key).readings(snapshot, specs)[0]]
    files = {(key, s.day, name): file for key, s in read.items() for name, file in s.files.items()}
    return select(deduplicate(readings)[0], index, specs, names, "all", files).results


# --- the shipped snapshots -------------------------------------------------------------------------------------------


def test_a_day_is_one_on_which_any_source_has_a_snapshot(root, history):
    days = [d["day"] for d in history["days"]]
    assert days == sorted({day for key in MEASURING for day in snapshots(key, root)}) and len(days) == 18
    assert history["days"][-1]["snapshots"] == {"epoch": "2026-07-31", "aider": "2025-10-04", "bfcl": "2025-12-16"}
    assert history["days"][0]["snapshots"] == {"aider": "2024-12-21"}
    assert (history["method_version"], history["as_of"], history["built"]) == ("1.0.0", "2026-07-31", "direct")


def test_rebuilding_any_day_equals_its_direct_build(root, history):
    for entry in history["days"]:
        results = directly(root, entry["day"])
        assert days_inputs(history, entry["day"]) == {(r.model, r.benchmark): r.score for r in results}, entry["day"]
        assert days_evidence(history, entry["day"]) == {(r.model, r.benchmark): r.evidence for r in results}, entry["day"]


@pytest.mark.parametrize("day", ["2025-12-02", "2026-04-11"])
def test_an_index_as_of_an_earlier_day_has_that_days_inputs(root, history, day):
    found = gather(root, load_method(root).model_copy(update={"as_of": day}))
    assert {(r.model, r.benchmark): r.score for r in found.results} == days_inputs(history, day)


def test_three_bundles_in_a_row_change_no_result(history):
    """2026-01-17, -20 and -22 differ in metadata only (data.md, Traps)."""
    assert len(changes_of(history, "2026-01-17")) > 50
    assert changes_of(history, "2026-01-20") == [] == changes_of(history, "2026-01-22")
    assert days_inputs(history, "2026-01-17") == days_inputs(history, "2026-01-22")
    assert days_evidence(history, "2026-01-17") == days_evidence(history, "2026-01-22")


def test_the_other_sources_older_snapshots_count(history):
    moved = [(d["day"], c["benchmark"]) for d in history["days"] for c in d["changes"]]
    assert {b for day, b in moved if day in ("2025-08-28", "2025-11-03")} == {"bfcl"}
    assert {b for day, b in moved if day <= "2025-07-11"} == {"aider-polyglot"}
    assert {c["cause"] for d in history["days"] for c in d["changes"]} <= set(CAUSES)


def test_the_known_re_scoring_of_swe_bench_shows(history):
    """2026-03-12: most versions gone, others re-scored (data.md, Traps)."""
    causes = [c["cause"] for c in changes_of(history, "2026-03-12") if c["benchmark"] == "swe-bench-verified"]
    assert causes.count("removed") == 13 and causes.count("revised") + causes.count("other version") >= 5 and causes.count("new") >= 5


def test_no_model_has_a_result_before_it_existed(root, history):
    released = {slug: model.released for slug, model in gather(root, load_method(root)).models.items()}
    early = [(d["day"], c["model"]) for d in history["days"] for c in d["changes"] if c["cause"] == "new" and (released[c["model"]] or "") > d["day"]]
    assert early == []


def test_the_last_day_is_what_the_index_shows(shipped):
    index, history = (json.loads((shipped.folder / name).read_text(encoding="utf-8")) for name in ("index.json", "history.json"))
    shown = {(m["slug"], r["benchmark"]): (r["score"], r["evidence"]) for m in index["models"] for r in m["results"]}
    scores, ids = days_inputs(history, index["as_of"]), days_evidence(history, index["as_of"])
    assert {pair: (scores[pair], ids[pair]) for pair in shown} == shown
    inside = {b["id"] for b in index["benchmarks"] if b["in_index"]}
    assert not [pair for pair in scores if pair not in shown and pair[1] in inside]


def test_any_day_can_be_scored_with_todays_parameters(shipped, root):
    """V4: the inputs of a day under the calibration in force are the scores that the day's direct build would have."""
    history = json.loads((shipped.folder / "history.json").read_text(encoding="utf-8"))
    facts, _, _ = pipeline.fetched(shipped, pipeline.quiet)
    calibration, record = pipeline.calibrated(shipped)
    benchmarks = pipeline.benchmarks_of(record)
    models = gather(root, shipped.params).models
    for day in ("2025-10-04", "2025-12-16", "2026-03-12"):
        index = build_published(params=shipped.params, what_if={}, calibration=calibration, benchmarks=benchmarks, benchmark_facts=record["benchmarks"],
                                calibration_facts={key: record[key] for key in ("id", "at", "inputs_sha256")}, models=models,
                                results=directly(root, day), reference=record["reference"], sources=facts["sources"], licences=[])
        own: dict[str, dict[str, float]] = {}
        for (model, benchmark), value in days_inputs(history, day).items():
            own.setdefault(model, {})[benchmark] = value
        scored = {model: score(values, benchmarks, calibration, shipped.params) for model, values in own.items()}
        assert {m: s.overall.siiq for m, s in scored.items() if s is not None} == {m["slug"]: m["siiq"] for m in index["models"]}
        assert len(index["models"]) >= 15


def test_same_bytes_again_and_each_snapshot_is_read_once(root, tmp_path, history, monkeypatch):
    from siiq_core.evidence import shelf

    read = []
    monkeypatch.setattr(shelf, "load_snapshot", lambda *args: read.append(args[:2]) or load_snapshot(*args))
    start = time.process_time()
    files = pipeline.fetch(pipeline.prepare({}, str(tmp_path), root)).files
    assert time.process_time() - start < 6  # seconds of work; about 1.3
    assert files["history.json"] == canonical_bytes(history)
    assert len(read) == len(set(read)) and {key for key, _ in read} >= set(MEASURING)


def test_evidence_of_every_day_resolves(shipped):
    """files.md: one line per accepted result; those of earlier days too, so that history can be traced."""
    lines = [json.loads(x) for x in (shipped.folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()]
    head, records = lines[0], lines[1:]
    assert head == {"method_version": "1.0.0", "as_of": "2026-07-31"} and [x["id"] for x in records] == sorted(x["id"] for x in records)
    history = json.loads((shipped.folder / "history.json").read_text(encoding="utf-8"))
    by_id = {x["id"]: x for x in records}
    named = {c["evidence"]: (c["model"], c["benchmark"]) for d in history["days"] for c in d["changes"] if c["evidence"]}
    assert set(by_id) == set(named) and all((by_id[x]["model"], by_id[x]["benchmark"]) == pair for x, pair in named.items())
    results = (shipped.folder / "results.csv").read_text(encoding="utf-8")
    current = [x for x in records if x["current"]]
    assert len(current) == len(results.splitlines()) - 1 and all(x["id"] in results for x in current) and len(records) > len(current)
    assert all(x["since"] <= x["snapshot"] for x in records) and any(x["since"] < x["snapshot"] for x in current)


def test_a_what_if_history_says_so(root, tmp_path):
    run = pipeline.prepare({"licence_policy": "strict"}, str(tmp_path), root)
    history = json.loads(pipeline.fetch(run).files["history.json"])
    assert history["what_if"] == {"licence_policy": ["all", "strict"]}
    assert not {c["benchmark"] for d in history["days"] for c in d["changes"]} & {"metr", "hle"}


# --- made-up days ----------------------------------------------------------------------------------------------------


def made_up(project):
    shelf = shelf_of(project)
    history = history_of(shelf, load_method(project))
    check_history(history, gather(project, load_method(project)).results, evidence_of(shelf))
    return history


def told(history, day):
    return [(c["model"], c["benchmark"], c["score"], c["cause"]) + ((c["rule"],) if "rule" in c else ()) for c in changes_of(history, day)]


@pytest.mark.parametrize(("before", "after", "change"), [
    ([], [("star-2", "0.5")], ("star-2", "gpqa-diamond-epoch", 0.5, "new")),
    ([("star-2", "0.5")], [("star-2", "0.6")], ("star-2", "gpqa-diamond-epoch", 0.6, "revised")),
    ([("star-2", "0.5")], [("star-2", "0.5", "id2")], ("star-2", "gpqa-diamond-epoch", 0.5, "other row")),
    ([("star-2", "0.5")], [("star-2", "0.50")], ("star-2", "gpqa-diamond-epoch", 0.5, "other row")),
    ([("star-2", "0.5")], [], ("star-2", "gpqa-diamond-epoch", None, "removed")),
    ([("star-2", "0.5")], [("star-2", "")], ("star-2", "gpqa-diamond-epoch", None, "left out", "missing")),
    ([("star-2", "0.5")], [("star-2", "0.5", "a"), ("star-2", "0.7", "b")], ("star-2", "gpqa-diamond-epoch", None, "left out", "duplicate")),
    ([("nova-1-2025", "0.5")], [("nova-1-2025", "0.5"), ("nova-1-2026", "0.6")], ("nova-1", "gpqa-diamond-epoch", 0.6, "other version")),
    ([("nova-1-2025", "0.5")], [("nova-1-2026", "0.4")], ("nova-1", "gpqa-diamond-epoch", 0.4, "other version")),
])
def test_the_cause_of_a_change(root, tmp_path, before, after, change):
    project = small_project(root, tmp_path)
    epoch_day(project, "2026-07-01", before)
    epoch_day(project, "2026-07-02", after)
    register(project)
    history = made_up(project)
    assert told(history, "2026-07-02") == [change]
    assert days_inputs(history, "2026-07-02") == ({change[:2]: change[2]} if change[2] is not None else {})
    (only,) = changes_of(history, "2026-07-02")
    assert (only["evidence"] is None) == (change[2] is None)


def test_another_setting_of_the_same_name(root, tmp_path):
    project = small_world(root, tmp_path, "Star 2")
    aider_day(project, "2026-07-09", ("Star 2", 50), ("Star 2", 60, {"reasoning_effort": "high"}))
    assert told(made_up(project), "2026-07-09") == [("star-2", "aider-polyglot", 0.6, "other setting")]


def test_rows_set_aside_give_nothing_on_that_day_alone(root, tmp_path):
    """data.md, Duplicates, without a gate: no result on the day of the quarantine, and back the day after."""
    project = small_project(root, tmp_path)
    for day, rows in (("2026-07-01", [("star-2", "0.5")]), ("2026-07-02", [("star-2", "0.5", "a"), ("star-2", "0.7", "b")]),
                      ("2026-07-03", [("star-2", "0.7")])):
        epoch_day(project, day, rows)
    register(project)
    history = made_up(project)
    pair = ("star-2", "gpqa-diamond-epoch")
    assert [days_inputs(history, f"2026-07-0{k}").get(pair) for k in (1, 2, 3)] == [0.5, None, 0.7]
    assert told(history, "2026-07-03") == [(*pair, 0.7, "new")]


def test_dated_twins_the_newest_run_counts_on_every_day(root, tmp_path):
    project = small_project(root, tmp_path)
    epoch_day(project, "2026-07-01", [("star-2", "0.5", "a", "2026-05-01T00:00:00Z"), ("star-2", "0.4", "b", "2026-06-01T00:00:00Z")])
    epoch_day(project, "2026-07-02", [("star-2", "0.4", "b", "2026-06-01T00:00:00Z")])
    register(project)
    history = made_up(project)
    assert set(days_inputs(history, "2026-07-01").values()) == {0.4} and changes_of(history, "2026-07-02") == []


def test_the_newest_table_names_the_models_of_every_day(root, tmp_path):
    """A group renamed later has one curve, under its newest name's slug; days before the first bundle are named too."""
    project = small_world(root, tmp_path, "Nova 1")
    aider_day(project, "2026-06-01", ("Nova 1", 40))
    epoch_day(project, "2026-07-29", [("nova-1-2025", "0.5")], [("nova-1-2025", "Nova One", "2025-01-01"), ("nova-1-b", "Nova 1", "2025-01-01")])
    register(project)
    history = made_up(project)
    assert days_inputs(history, "2026-06-01") == {("nova-1", "aider-polyglot"): 0.4}
    assert {model for model, benchmark in days_inputs(history, "2026-07-01") if benchmark == "gpqa-diamond-epoch"} == {"nova-one"}


def test_an_older_file_of_another_definition_says_nothing_about_that_benchmark(root, tmp_path):
    """U6b of an earlier day: that benchmark is out on it, all else counts."""
    project = small_world(root, tmp_path, "Star 2")
    for path in (project / "data" / "observations" / "epoch").iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("Best score (across scorers)", "Best score (mean)"), encoding="utf-8")
    signed(project / "data" / "observations" / "epoch")
    epoch_day(project, "2026-07-03", [("nova-1-2025", "0.5"), ("star-2", "0.4")])
    history = made_up(project)
    assert days_inputs(history, "2026-07-02") == {("star-2", "aider-polyglot"): 0.5}
    assert told(history, "2026-07-03") == [("nova-1", "gpqa-diamond-epoch", 0.5, "new"), ("star-2", "gpqa-diamond-epoch", 0.4, "new")]
    assert shelf_of(project).reads["epoch"][0].elsewise == ("gpqa-diamond-epoch",)


# --- rebuilding ------------------------------------------------------------------------------------------------------


def test_days_between_before_and_malformed(history):
    assert days_inputs(history, "2026-05-01") == days_inputs(history, "2026-04-19")
    assert days_inputs(history, "2030-01-01") == days_inputs(history, "2026-07-31")
    assert days_inputs(history, "2024-12-20") == {}
    for day in ("2026-7-31", "yesterday", ""):
        with pytest.raises(PublicationError, match="no ISO day"):
            days_inputs(history, day)


@pytest.mark.parametrize("spoil", ["score", "evidence", "missing"])
def test_a_history_that_does_not_follow_is_refused(root, history, spoil):
    shelf = shelf_of(root)
    results, evidence = gather(root, load_method(root)).results, evidence_of(shelf)
    check_history(history, results, evidence)
    broken = json.loads(json.dumps(history))
    change = next(c for c in broken["days"][-1]["changes"] if c["score"] is not None)
    if spoil == "missing":
        broken["days"][-1]["changes"].remove(change)
    else:
        change[spoil] = {"score": 0.123456, "evidence": "0" * 16}[spoil]
    with pytest.raises(PublicationError, match="history does not follow"):
        check_history(broken, results, evidence)
    with pytest.raises(PublicationError, match="history does not follow"):
        check_history(history, results, evidence[1:])
