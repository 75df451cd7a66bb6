"""The rooms together, as an adapter will use them: ask with the archive's validators, read inside, archive, replay."""

import io
import zipfile

import pytest
from loopback import File

from siiq_core.evidence.live.archive import Archive, Member
from siiq_core.evidence.live.archive_records import Answer
from siiq_core.evidence.live.together import read_together
from siiq_core.evidence.live.waiting import system_clock
from siiq_core.evidence.live.zipread import read_members
from siiq_core.params.sources import load_sources

DAYS = ("2026-01-17", "2026-01-20", "2026-01-22")


def bundle(folder, reverse=False, method=zipfile.ZIP_DEFLATED):
    """The files of a snapshot as the publisher's one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for path in sorted(folder.rglob("*"), reverse=reverse):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return stream.getvalue()


@pytest.fixture
def check(root, tmp_path, publisher, client, pace):
    """One hourly check of a bundle on loopback: the sighting, and whether the publisher said that nothing is new."""
    reader = client(max_bytes=32_000_000)
    spec = load_sources(root)["epoch"]
    archive = Archive(tmp_path / "archive", reader.params.archive)
    url = publisher.url("/data/benchmark_data.zip")

    def read():
        got = reader.fetch("demo", url, archive.validators("epoch", url))
        if got.unchanged:
            return archive.seen_again("epoch", got.retrieved_at), True
        found = read_members(got.content, spec.files, reader.params.zip, "benchmark_data.zip")
        members = [Member(name, f"{url}#{name}", content) for name, content in found.items()]
        answers = [Answer(address=url, etag=got.etag, last_modified=got.last_modified)]
        return archive.add("epoch", members, answers, seen_at=got.retrieved_at, licence=spec.license), False

    read.archive = archive
    return read


def test_three_real_bundles_in_a_row(shared_sources, publisher, check, pace, root):
    folders = [shared_sources / "epoch" / day for day in DAYS]
    for number, folder in enumerate(folders):
        publisher.routes["/data/benchmark_data.zip"] = File(bundle(folder), f'W/"{number}"')
        first, unchanged = check()
        assert not unchanged and first.first_seen == first.last_seen
        pace.sleep(3600)
        again, unchanged = check()  # an hour later, nothing new
        assert unchanged and again.snapshot == first.snapshot and again.last_seen > first.last_seen
        pace.sleep(3600)
    publisher.routes["/data/benchmark_data.zip"] = File(bundle(folders[-1], reverse=True, method=zipfile.ZIP_STORED), '"zipped-again"')
    same, unchanged = check()  # other bytes, the same members: no snapshot
    assert not unchanged and same.snapshot == again.snapshot and same.first_seen == again.first_seen
    replayed = list(check.archive.replay("epoch"))
    assert len(replayed) == 3
    wanted = set(load_sources(root)["epoch"].files)
    for folder, sighting in zip(folders, replayed, strict=True):
        assert check.archive.files(sighting) == {p.name: p.read_bytes() for p in folder.glob("*.csv") if p.name in wanted}


def test_what_nobody_parses_is_not_archived(shared_sources, publisher, check):
    publisher.routes["/data/benchmark_data.zip"] = File(bundle(shared_sources / "epoch" / "2026-07-31"))
    sighting, _ = check()
    names = {member.name for member in sighting.members}
    assert "gpqa_diamond.csv" in names and not names & {"scicode_external.csv", "critpt_external.csv", "README.md"}


def test_a_refusal_leaves_the_last_good_content(shared_sources, publisher, check, pace):
    folder = shared_sources / "epoch" / DAYS[0]
    publisher.routes["/data/benchmark_data.zip"] = File(bundle(folder), '"1"')
    good, _ = check()
    for broken in (b"<html>", bundle(folder)[:-5_000], b"PK\x05\x06" + bytes(10)):
        publisher.routes["/data/benchmark_data.zip"] = File(broken, '"2"')
        outcome = read_together({"epoch": check}, 10, system_clock())["epoch"]
        assert outcome.failure is not None and outcome.failure.remedy
    assert check.archive.newest("epoch") == good and len(list(check.archive.sightings("epoch"))) == 1
