"""Live reading of the publishers' real files, served on loopback in order, and what is kept of them (U1, U6, U12)."""

import json
import shutil
import zipfile
from dataclasses import replace

import pytest
from loopback import File, redirect
from world import SOURCES, arena_rows, epoch_bundle, modelsdev_table, new_layout, openrouter_export, openrouter_row, real_content, zipped

from siiq_core.errors import SiiqError
from siiq_core.evidence.live.reading import replay
from siiq_core.evidence.observations import load_snapshot, read_snapshot, snapshots

BUNDLES = ("2025-12-02", "2026-01-17", "2026-01-20", "2026-01-22", "2026-03-12", "2026-04-11", "2026-04-19", "2026-07-17", "2026-07-31")


def only(report):
    """The one source of a report."""
    (found,) = report.sources
    return found


def cells(snapshot):
    """Every row, whatever the day it was read on."""
    return [(o.file, o.line, o.key, dict(o.row)) for o in snapshot.observations]


def stored(world, source):
    """The stored observations, oldest first."""
    return [read_snapshot(path, source, path.stem[:10]) for path in sorted((world.desk.folder / "observations" / source).glob("*.csv"))]


def test_nine_bundles_in_order_and_the_new_layout(shared_sources, root, world, pace):
    here = world()
    for day in BUNDLES:
        here.serve("epoch", epoch_bundle(shared_sources, day))
        found = only(here.read(pace.clock, "epoch"))
        assert (found.outcome, found.content.judged.frozen) == ("new", ())
        assert found.content.judged.rows == len(load_snapshot("epoch", day, root).observations)
        pace.sleep(3600)
        assert only(here.read(pace.clock, "epoch")).outcome == "unchanged"
        pace.sleep(3600)
    found = stored(here, "epoch")
    assert [cells(x) for x in found] == [cells(load_snapshot("epoch", day, root)) for day in BUNDLES]  # the cells that ship
    assert [x.sha256 for x in found] == [load_snapshot("epoch", day, root).sha256 for day in BUNDLES]
    assert found[-1].files["gpqa_diamond.csv"].url == here.ask("epoch") + "#gpqa_diamond.csv"
    here.serve("epoch", new_layout(shared_sources))
    newest = only(here.read(pace.clock, "epoch"))
    assert newest.outcome == "new" and newest.content.rows_before == 2824
    assert [(x.benchmark, x.column) for x in newest.content.judged.frozen] == [("frontiermath", "superseded_by")]  # that benchmark alone
    assert [(x.benchmark, x.rule, x.waiting_for) for x in here.status.frozen] == [("frontiermath", "U6b", "a person's approval")]
    since = here.status.frozen[0].since
    pace.sleep(3600)
    assert only(here.read(pace.clock, "epoch")).outcome == "unchanged"
    assert here.status.frozen[0].since == since < here.state("epoch").last_check  # it stays, and since when
    assert len(here.publishers["epoch"].paths()) == 2 * len(BUNDLES) + 2  # one request a check


def test_a_re_zipped_bundle_is_no_news(shared_sources, world, pace):
    here = world()
    files = epoch_bundle(shared_sources, "2026-01-17")
    here.serve("epoch", files)
    here.read(pace.clock, "epoch")
    before = here.kept("epoch")
    here.route("epoch", here.ask("epoch"), File(zipped(dict(reversed(files.items())), zipfile.ZIP_STORED), '"2"'))
    pace.sleep(90_000)
    assert only(here.read(pace.clock, "epoch")).outcome == "unchanged" and here.kept("epoch") == before
    here.read(pace.clock, "epoch")
    assert here.publishers["epoch"].asked[-1][1]["if-none-match"] == '"2"'  # its validators are the ones to ask with


@pytest.mark.parametrize(("source", "file", "days", "frozen"), [
    ("aider", "polyglot_leaderboard.yml", ("2024-12-21", "2025-01-24", "2025-03-17", "2025-04-19", "2025-07-11", "2025-10-04"), ()),
    ("bfcl", "data_overall.csv", ("2025-04-30", "2025-06-14", "2025-08-28", "2025-11-03", "2025-12-16"), ("2025-04-30", "2025-06-14")),
])
def test_versions_of_a_repositorys_file(source, file, days, frozen, shared_sources, root, world, pace):
    here = world()
    for day in days:
        content = (shared_sources / source / day / file).read_bytes()
        here.serve(source, content)
        found = only(here.read(pace.clock, source))
        assert found.outcome == "new"
        assert [x.benchmark for x in found.content.judged.frozen] == (["bfcl"] if day in frozen else [])  # U6b: another benchmark under the headline
        (member,) = found.content.sighting.members
        assert member.commit and member.commit in member.address and member.fixed  # pinned to the commit it was read at
        pace.sleep(3600)
        assert only(here.read(pace.clock, source)).outcome == "unchanged"
        pace.sleep(3600)
    shipped = [load_snapshot(source, day, root) for day in days if day in snapshots(source, root)]
    assert [cells(x) for x in stored(here, source)][-len(shipped):] == [cells(x) for x in shipped]
    paths = here.publishers[source].paths()
    assert len([p for p in paths if "per_page=1" in p]) == 2 * len(days) and len(paths) == 3 * len(days)  # the file itself once a commit


def test_a_commit_that_left_the_file_as_it_is_asks_for_nothing_more(shared_sources, world, pace):
    here = world()
    here.serve("aider", (shared_sources / "aider/2025-10-04/polyglot_leaderboard.yml").read_bytes(), etag=None)  # a server without validators
    assert only(here.read(pace.clock, "aider")).outcome == "new"
    assert only(here.read(pace.clock, "aider")).outcome == "unchanged"
    assert len(here.publishers["aider"].paths()) == 3  # list, file, list


def test_prices_and_ratings(shared_sources, root, world, pace):
    here = world()
    content = real_content(shared_sources)
    for source in ("litellm", "modelsdev", "arena"):
        here.serve(source, content[source])
        assert only(here.read(pace.clock, source)).outcome == "new"
    (arena,) = stored(here, "arena")
    catalogue = {o.row["model"]: o.row["rating"] for o in load_snapshot("arena", "2025-12-17", root).observations}
    assert {o.row["model_name"]: o.row["rating"] for o in arena.observations} == catalogue and len(catalogue) == 283
    assert len(arena.files) == 3  # pages of a hundred rows
    (prices,) = stored(here, "litellm")
    assert len(prices.observations) > 400 and {o.row["litellm_provider"] for o in prices.observations} >= {"anthropic", "openai"}
    (models,) = stored(here, "modelsdev")
    shipped = {(o.row["provider"], o.row["model"]): o.row.get("cost.input", "") for o in load_snapshot("modelsdev", "2026-07-02", root).observations}
    seen = {(o.row["provider"], o.row["model"]): o.row.get("cost.input", "") for o in models.observations}
    assert {key: float(cell or -1) for key, cell in seen.items()} == {key: float(shipped[key] or -1) for key in seen} and len(seen) > 150


def test_the_board_that_changes_while_it_is_read_is_refused(shared_sources, world, pace):
    here = world()
    rows = arena_rows(shared_sources)
    here.serve("arena", rows)
    here.read(pace.clock, "arena")
    before = here.everything()
    here.serve("arena", rows[:-1])
    routes = here.publishers["arena"].routes
    second = next(path for path in routes if "offset=100" in path)
    shorter = routes[second]
    here.serve("arena", rows)
    routes[second] = shorter
    failed = only(here.read(pace.clock, "arena"))
    assert "changed while its pages were read" in failed.what and here.state("arena").last_snapshot_sha256
    assert {k: v for k, v in here.everything().items() if "status" not in k} == {k: v for k, v in before.items() if "status" not in k}


def test_pages_that_hold_fewer_rows_than_they_state_are_refused(shared_sources, world, pace):
    here = world()
    rows = arena_rows(shared_sources)
    here.serve("arena", rows)
    second = next(answer for path, answer in here.publishers["arena"].routes.items() if "offset=100" in path)
    page = json.loads(second.content)
    second.content = json.dumps({**page, "rows": page["rows"][:-1]}).encode()
    assert "the pages hold 282 rows where 283 are stated" in only(here.read(pace.clock, "arena")).what


def test_pages_one_by_one(shared_sources, world, pace):
    """A page that is still the same is taken from the archive, beside one that is new."""
    here = world()
    rows = arena_rows(shared_sources)
    here.serve("arena", rows)
    here.read(pace.clock, "arena")
    rows[120]["rating"] = 1234.5
    here.serve("arena", rows)
    pace.sleep(60)
    assert only(here.read(pace.clock, "arena")).outcome == "new"
    newest = stored(here, "arena")[-1]
    assert next(o.row["rating"] for o in newest.observations if o.row["model_name"] == rows[120]["model_name"]) == "1234.5"
    assert len(newest.observations) == 283 and sum(path.name.endswith(".gz") for path in here.desk.archive.folder.rglob("*")) == 4


# --- all at once ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def full(shared_sources, world, pace):
    here = world()
    for source, content in real_content(shared_sources).items():
        here.serve(source, content)
    report = here.read(pace.clock)
    assert {x.source: x.outcome for x in report.sources} == dict.fromkeys(SOURCES, "new")
    return here


def test_a_check_with_nothing_new_writes_no_content(full, pace):
    before = full.everything()
    pace.sleep(3600)
    report = full.read(pace.clock)
    assert {x.outcome for x in report.sources} == {"unchanged"}
    after = full.everything()
    assert after.keys() - before.keys() == {f"live/judged/{source}.json" for source in SOURCES} and before.keys() <= after.keys()
    changed = {name for name in before if before[name] != after[name]}
    assert not [name for name in changed if name.endswith((".gz", ".csv")) or "observations" in name]  # sidecars and sightings say "last seen"
    assert json.loads(after["live/status.json"])["generated_at"] == "2026-11-29T13:00:00Z"


def test_the_status_file_has_the_shape_that_files_md_gives(full):
    status = json.loads((full.desk.folder / "status.json").read_bytes())
    assert list(status) == ["frozen", "generated_at", "method_version", "sources"]
    for x in status["sources"]:
        assert set(x) == {"id", "last_check", "last_success", "last_snapshot_sha256", "rows", "kept_share", "failure"}
        assert x["last_check"] == x["last_success"] == "2026-11-29T12:00:00Z" and x["failure"] is None and 0.9 < x["kept_share"] <= 1
    assert {x["id"]: x["rows"] for x in status["sources"]}["epoch"] == 2824


def test_replay_rebuilds_the_observations_byte_for_byte(full, shared_sources, pace):
    pace.sleep(3600)
    full.serve("epoch", epoch_bundle(shared_sources, "2026-07-17"))
    pace.sleep(3600)
    full.read(pace.clock, "epoch")
    full.serve("epoch", epoch_bundle(shared_sources, "2026-07-31"))  # the first content comes back, days later
    pace.sleep(200_000)
    full.read(pace.clock, "epoch")
    before = full.everything()
    seen = list(replay(full.desk))
    assert [x.rewritten for x in seen] == [False] * 8 and [x.sighting.first_seen for x in seen] == sorted(x.sighting.first_seen for x in seen)
    assert len(stored(full, "epoch")) == 2
    shutil.rmtree(full.desk.folder / "observations")
    assert [x.rewritten for x in replay(full.desk)] == [True] * 8
    assert full.everything() == before
    spoiled = next((full.desk.folder / "observations" / "bfcl").glob("*.json"))
    spoiled.write_bytes(b"{}")
    assert [x.sighting.source for x in replay(full.desk) if x.rewritten] == ["bfcl"] and full.everything() == before


def test_lost_or_damaged_observations_come_back_with_the_next_check(full, pace):
    before = full.kept("epoch")
    shutil.rmtree(full.desk.folder / "observations" / "epoch")
    next((full.desk.folder / "observations" / "bfcl").glob("*.json")).write_bytes(b"{}")
    assert {x.outcome for x in full.read(pace.clock).sources} == {"unchanged"}
    assert full.kept("epoch") == before and b"sha256" in b"".join(full.kept("bfcl").values())


def test_a_damaged_archive_is_mended_by_reading_anew(full, pace):
    packed = next(iter(sorted(full.desk.archive.folder.rglob("*.gz"))))
    good = packed.read_bytes()
    packed.write_bytes(good[:-9])
    assert not {x.outcome for x in full.read(pace.clock).sources} - {"unchanged"} and packed.read_bytes() == good


def test_the_archive_leads_from_a_row_to_the_publishers_file(full, shared_sources):  # U12
    """Stored row → file of the archive by SHA-256 → the same row there, with address, licence and days in the sidecar."""
    for source in SOURCES:
        (snapshot,) = stored(full, source)
        for name, file in snapshot.files.items():
            content = full.desk.archive.read(file.sha256)
            parsed = full.desk.reader(source).parse(name, content)
            for seen in snapshot.observations:
                if seen.file == name:
                    assert {h: parsed.rows[seen.line - 1][h] for h in seen.row} == seen.row
            place = full.desk.archive.sidecar(file.sha256).places[0]
            assert (place.address, place.licence, place.first_seen) == (file.url, full.spec(source).license, "2026-11-29T12:00:00Z")


def test_nothing_of_it_reaches_the_published_run(full, root):
    """The shipped stage reads data/observations alone; live reading writes nothing there."""
    assert not (full.desk.folder.parent / "observations").exists()
    assert {path.name for path in full.desk.folder.parent.iterdir()} == {"live", "snapshots"}
    assert {"data/live/", "data/snapshots/"} <= set((root / ".gitignore").read_text(encoding="utf-8").split())


def test_openrouter_follows_the_manifest(world, pace):
    here = world()
    here.serve("openrouter", openrouter_export(openrouter_row(accuracy=0.5)))
    assert only(here.read(pace.clock, "openrouter")).content.sighting.members[0].fixed
    here.serve("openrouter", openrouter_export(openrouter_row(accuracy=0.6), day="2026-11-22"))
    pace.sleep(86_400)
    assert only(here.read(pace.clock, "openrouter")).outcome == "new"
    assert [p.rpartition("/")[2] for p in here.publishers["openrouter"].paths()] == ["latest.manifest.json", "2026-11-21.json"] + [
        "latest.manifest.json", "2026-11-22.json"]
    # the manifest is gone: the catalogue says where the newest one is
    del here.publishers["openrouter"].routes["/openrouter/api/v1/datasets/exports/benchmark-leaderboard/latest.manifest.json"]
    moved = here.moved("openrouter", "https://openrouter.ai/elsewhere.json")
    catalogue = here.desk.params.sources["openrouter"].ask.catalogue
    here.route("openrouter", catalogue, File(json.dumps({"schema_version": "v1", "datasets": [
        {"id": "benchmark-leaderboard", "latest_manifest_url": moved}]}).encode()))
    before = here.ask("openrouter")
    here.serve("openrouter", openrouter_export(openrouter_row(accuracy=0.7), day="2026-11-23"))
    routes = here.publishers["openrouter"].routes
    here.route("openrouter", moved, routes.pop(before.removeprefix(here.publishers["openrouter"].url(""))))
    pace.sleep(86_400)
    assert only(here.read(pace.clock, "openrouter")).outcome == "new"
    assert stored(here, "openrouter")[-1].observations[0].row["accuracy"] == "0.7"


def test_redirects_within_the_hosts_are_followed_and_the_address_stays_the_one_asked_for(shared_sources, world, pace):
    here = world()
    here.serve("modelsdev", modelsdev_table(shared_sources))
    table = here.publishers["modelsdev"].routes.pop("/modelsdev/api.json")
    here.route("modelsdev", here.ask("modelsdev"), redirect("/modelsdev/moved.json"))
    here.publishers["modelsdev"].routes["/modelsdev/moved.json"] = table
    assert only(here.read(pace.clock, "modelsdev")).outcome == "new"
    assert only(here.read(pace.clock, "modelsdev")).outcome == "unchanged"
    assert stored(here, "modelsdev")[0].files["api.json"].url == here.ask("modelsdev")


def test_a_content_that_todays_parameters_refuse_is_named_on_replay(full):
    sources = dict(full.desk.sources)
    sources["bfcl"] = sources["bfcl"].model_copy(update={"percent_sign": ()})
    before = full.kept("bfcl")
    seen = {x.sighting.source: x for x in replay(replace(full.desk, sources=sources))}
    assert isinstance(seen["bfcl"].failure, SiiqError) and "T4" in str(seen["bfcl"].failure) and full.kept("bfcl") == before
    assert not [x for x in seen.values() if x.failure and x.sighting.source != "bfcl"]
