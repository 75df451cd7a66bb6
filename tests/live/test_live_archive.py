"""The archive: every file once, found again by its hash, and whole whatever happens (fault kinds 22, 23, 25)."""

import errno
import gzip
import hashlib
import json
import os
import subprocess
import sys
import threading

import filelock
import pytest

from siiq_core.errors import SiiqError, SourceError
from siiq_core.evidence.live.archive import Archive, Member, check_pinned
from siiq_core.evidence.live.archive_records import Answer
from siiq_core.evidence.live.refusals import ArchiveError
from siiq_core.evidence.live.validators import Validators
from siiq_core.evidence.observations import snapshot_sha256
from siiq_core.params.live import ArchiveBounds

ZIP = "https://epoch.ai/data/bundle.zip"
DAY = "2026-11-{:02d}T06:00:00Z"
A, B = b"Model version,score\nnova-1,0.71\n", b"Model version,score\nnova-1,0.72\n"


def digest(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def archive(tmp_path):
    return Archive(tmp_path / "archive", ArchiveBounds(file_bytes=100_000, lock_wait=0.2))


def bundle(**files):
    return [Member(f"{name}.csv", f"{ZIP}#{name}.csv", content) for name, content in files.items()]


def add(archive, day, members, etag='"e"', source="epoch", **more):
    return archive.add(source, members, [Answer(address=ZIP, etag=etag)], **{"seen_at": DAY.format(day), "licence": "CC BY 4.0", **more})


def files_of(archive):
    return sorted(path.relative_to(archive.folder).as_posix() for path in archive.folder.rglob("*") if path.is_file() and path.name != ".lock")


# --- what is written ----------------------------------------------------------------------------------------------------

def test_a_file_and_its_sidecar(archive):
    sighting = add(archive, 1, [Member("a.csv", ZIP + "#a.csv", A, commit="c" * 40)])
    name = digest(A)
    assert files_of(archive) == [f"files/{name[:2]}/{name[2:4]}/{name}.gz", f"files/{name[:2]}/{name[2:4]}/{name}.json", "snapshots/epoch/000001.json"]
    sidecar = json.loads((archive.folder / "files" / name[:2] / name[2:4] / f"{name}.json").read_bytes())
    assert sidecar == {"format": 1, "sha256": name, "size": len(A), "first_seen": DAY.format(1), "last_seen": DAY.format(1), "places": [
        {"source": "epoch", "name": "a.csv", "address": ZIP + "#a.csv", "commit": "c" * 40, "etag": '"e"', "last_modified": None,
         "licence": "CC BY 4.0", "first_seen": DAY.format(1), "last_seen": DAY.format(1)}]}
    assert archive.read(name) == A and archive.files(sighting) == {"a.csv": A}
    assert sighting.snapshot == snapshot_sha256({"a.csv": A})


def test_the_same_content_gives_the_same_bytes(tmp_path):
    made = []
    for order in (1, -1):
        archive = Archive(tmp_path / str(order), ArchiveBounds(file_bytes=100_000, lock_wait=1))
        add(archive, 1, bundle(a=A, b=B)[::order])
        made.append({name: (archive.folder / name).read_bytes() for name in files_of(archive)})
    assert made[0] == made[1]
    packed = next(content for name, content in made[0].items() if name.endswith(".gz"))
    assert packed[4:8] == bytes(4)  # no time in it


def test_a_content_is_kept_once_wherever_it_is_seen(archive):
    add(archive, 1, bundle(a=A, b=A))
    stored = archive.folder / "files" / digest(A)[:2] / digest(A)[2:4] / f"{digest(A)}.gz"
    before = stored.stat().st_mtime_ns, stored.stat().st_ino
    archive.add("aider", [Member("a.csv", "https://example.org/a.csv", A)], [], seen_at=DAY.format(3), licence="MIT")
    add(archive, 2, bundle(a=A, b=B))
    assert (stored.stat().st_mtime_ns, stored.stat().st_ino) == before
    assert len([name for name in files_of(archive) if name.endswith(".gz")]) == 2
    sidecar = archive.sidecar(digest(A))
    assert [(p.source, p.name, p.first_seen[8:10], p.last_seen[8:10]) for p in sidecar.places] == [
        ("epoch", "a.csv", "01", "02"), ("epoch", "b.csv", "01", "01"), ("aider", "a.csv", "03", "03")]
    assert (sidecar.first_seen, sidecar.last_seen) == (DAY.format(1), DAY.format(3))


def test_last_seen_moves_on_with_a_304_and_validators_stay(archive):
    add(archive, 1, bundle(a=A), etag='W/"1"')
    archive.seen_again("epoch", DAY.format(4))
    assert archive.newest("epoch").last_seen == archive.sidecar(digest(A)).last_seen == DAY.format(4)
    assert archive.newest("epoch").first_seen == DAY.format(1) and archive.validators("epoch", ZIP) == Validators('W/"1"')
    assert len(list(archive.replay("epoch"))) == 1  # a 304 is no snapshot
    archive.seen_again("epoch", DAY.format(2))  # a clock that was set back
    assert archive.newest("epoch").last_seen == archive.sidecar(digest(A)).last_seen == DAY.format(4)


def test_a_rezipped_archive_is_no_snapshot_and_brings_new_validators(archive):
    add(archive, 1, bundle(a=A, b=B), etag='"1"')
    add(archive, 2, bundle(b=B, a=A), etag='"2"')
    [only] = archive.replay("epoch")
    assert list(archive.sightings("epoch")) == [only]
    assert (only.first_seen, only.last_seen) == (DAY.format(1), DAY.format(2)) and archive.validators("epoch", ZIP).etag == '"2"'


def test_a_304_of_what_was_never_read_is_refused(archive):
    with pytest.raises(ArchiveError, match="never archived"):
        archive.seen_again("epoch", DAY.format(1))


def test_validators_of_unknown_addresses_and_sources(archive):
    assert archive.validators("epoch", ZIP) == Validators() and archive.newest("epoch") is None and list(archive.replay("epoch")) == []
    add(archive, 1, bundle(a=A))
    assert archive.validators("epoch", "https://epoch.ai/other") == Validators()


# --- replay ---------------------------------------------------------------------------------------------------------------

def test_replay_in_order_of_first_seen_each_content_once(archive):
    for day, content in ((1, B), (2, A), (3, B), (5, b"third\n")):
        add(archive, day, bundle(a=content))
    archive.seen_again("epoch", DAY.format(9))
    replayed = list(archive.replay("epoch"))
    assert [archive.files(s)["a.csv"] for s in replayed] == [B, A, b"third\n"]
    assert [(s.first_seen[8:10], s.last_seen[8:10]) for s in replayed] == [("01", "03"), ("02", "02"), ("05", "09")]
    assert [archive.files(s)["a.csv"] for s in archive.sightings("epoch")] == [B, A, B, b"third\n"]  # what came back is seen again
    assert archive.newest("epoch").snapshot == replayed[-1].snapshot


# --- pins -----------------------------------------------------------------------------------------------------------------

def test_other_bytes_than_pinned_are_refused_and_nothing_is_written(archive):
    with pytest.raises(ArchiveError, match="other bytes than pinned") as caught:
        add(archive, 1, [*bundle(b=B), Member("a.csv", ZIP, A, pinned=digest(B))])
    assert isinstance(caught.value, SourceError) and ZIP in str(caught.value) and files_of(archive) == []
    add(archive, 1, [Member("a.csv", ZIP, A, pinned=digest(A).upper())])
    check_pinned(A, digest(A), ZIP)
    check_pinned(A, None, ZIP)
    for wrong in ("", "abc", digest(A)[:-1]):
        with pytest.raises(ArchiveError):
            check_pinned(A, wrong, ZIP)


def test_an_address_that_is_fixed_keeps_its_bytes(archive):
    dated = "https://openrouter.ai/x/2026-11-21.json"
    add(archive, 1, [Member("x.json", dated, A, fixed=True)], source="openrouter")
    add(archive, 2, [Member("x.json", dated.replace("21", "22"), B, fixed=True)], source="openrouter")
    with pytest.raises(ArchiveError, match="other bytes than pinned") as caught:
        add(archive, 3, [Member("x.json", dated, B, fixed=True)], source="openrouter")
    assert dated in str(caught.value) and len(list(archive.sightings("openrouter"))) == 2
    add(archive, 3, [Member("x.json", dated, A, fixed=True)], source="openrouter")  # the same again is fine
    add(archive, 4, bundle(a=A))
    add(archive, 5, bundle(a=B))  # an address that promises nothing may change


# --- what may not enter ---------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("licence", ["", "  "])
def test_without_a_licence_nothing_enters(archive, licence):
    with pytest.raises(ArchiveError, match="no licence"):
        add(archive, 1, bundle(a=A), licence=licence)
    assert not archive.folder.exists()


@pytest.mark.parametrize(("members", "more"), [
    ([], {}), (bundle(a=A) + bundle(a=B), {}), (bundle(a=A), {"seen_at": "2026-11-01"}), (bundle(a=A), {"seen_at": "2026-11-01T06:00:00+01:00"}),
    ([Member("", ZIP, A)], {}), ([Member("a", "", A)], {}), ([Member("a", "x" * 9_000, A)], {}),
])
def test_what_is_no_snapshot(archive, members, more):
    with pytest.raises(ArchiveError, match="cannot be archived like this"):
        add(archive, 1, members, **more)
    assert not archive.folder.exists()


def test_the_bound_of_a_file_is_named(archive):
    with pytest.raises(ArchiveError, match="archive.file_bytes of 100,000"):
        add(archive, 1, bundle(a=bytes(100_001)))
    add(archive, 1, bundle(a=bytes(100_000)))
    assert len(archive.read(digest(bytes(100_000)))) == 100_000


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "a\0b", "=HYPERLINK(1)", "\u202ex", "n" * 5_000])
def test_no_name_becomes_a_path(archive, name):
    add(archive, 1, [Member(name, ZIP, A)])
    assert len(files_of(archive)) == 3 and all(part[0].startswith(("files/", "snapshots/epoch/")) for part in [[f] for f in files_of(archive)])
    assert archive.files(archive.newest("epoch")) == {name: A}


@pytest.mark.parametrize("source", ["../x", "", "Epoch", "a/b", "a\0", "x" * 41])
def test_no_source_becomes_a_path(archive, source):
    with pytest.raises(ArchiveError, match="no source's id"):
        add(archive, 1, bundle(a=A), source=source)
    with pytest.raises(ArchiveError, match="no source's id"):
        archive.newest(source)


@pytest.mark.parametrize("wrong", ["", "../../x", "A" * 64, "a" * 63, "a" * 65])
def test_what_is_no_hash(archive, wrong):
    with pytest.raises(ArchiveError, match="no SHA-256"):
        archive.read(wrong)


# --- damage ---------------------------------------------------------------------------------------------------------------

def bomb():
    return gzip.compress(bytes(20_000_000), 9, mtime=0)


@pytest.mark.parametrize(("damage", "said"), [
    (lambda b: b[:-3], "cut short"), (lambda b: b"", "cut short"), (lambda b: b + b"x", "longer"), (lambda b: b"x" + b[1:], "no sound gzip"),
    (lambda b: b[:20] + bytes([b[20] ^ 1]) + b[21:], None), (lambda b: gzip.compress(B, mtime=0), "another SHA-256"), (lambda b: bomb(), "archive.file_bytes"), (lambda b: A, "no sound gzip"),
])
def test_a_damaged_file_is_named_refused_and_mended_by_the_next_read(archive, damage, said):
    sighting = add(archive, 1, bundle(a=A, b=B))
    name = f"files/{digest(A)[:2]}/{digest(A)[2:4]}/{digest(A)}.gz"
    path = archive.folder / name
    path.write_bytes(damage(path.read_bytes()))
    for read in (lambda: archive.read(digest(A)), lambda: archive.files(sighting)):
        with pytest.raises(ArchiveError, match=said) as caught:
            read()
        assert caught.value.file == name
    assert archive.read(digest(B)) == B  # the others are untouched
    assert archive.validators("epoch", ZIP) == Validators()  # so that the next request brings the bytes
    add(archive, 2, bundle(a=A, b=B))
    assert archive.files(archive.newest("epoch")) == {"a.csv": A, "b.csv": B} and archive.validators("epoch", ZIP).etag == '"e"'


def test_a_missing_file_is_named(archive):
    add(archive, 1, bundle(a=A))
    (archive.folder / "files" / digest(A)[:2] / digest(A)[2:4] / f"{digest(A)}.gz").unlink()
    with pytest.raises(ArchiveError, match="cannot be read") as caught:
        archive.files(archive.newest("epoch"))
    assert digest(A) in caught.value.file


@pytest.mark.parametrize("content", [b"", b"{}", b"[1", b"\xff", b'{"format": 2}', b"null"])
def test_damaged_records_are_named(archive, content):
    add(archive, 1, bundle(a=A))
    sidecar = archive.folder / "files" / digest(A)[:2] / digest(A)[2:4] / f"{digest(A)}.json"
    sidecar.write_bytes(content)
    with pytest.raises(ArchiveError, match="not what the archive wrote") as caught:
        archive.sidecar(digest(A))
    assert caught.value.file.endswith(sidecar.name)
    archive.seen_again("epoch", DAY.format(2))
    assert archive.sidecar(digest(A)).last_seen == DAY.format(2)  # written anew
    (archive.folder / "snapshots" / "epoch" / "000001.json").write_bytes(content)
    with pytest.raises(ArchiveError) as caught:
        archive.newest("epoch")
    assert caught.value.file == "snapshots/epoch/000001.json"


def test_a_record_that_names_other_members_is_refused(archive):
    sighting = add(archive, 1, bundle(a=A, b=B))
    path = archive.folder / "snapshots" / "epoch" / "000001.json"
    path.write_bytes(path.read_bytes().replace(b"a.csv", b"c.csv"))
    assert archive.newest("epoch") != sighting
    with pytest.raises(ArchiveError, match="not the snapshot they are listed for"):
        archive.files(archive.newest("epoch"))


# --- interrupted, full, at the same time ------------------------------------------------------------------------------------

def test_a_full_disk_leaves_what_was_there(archive, monkeypatch):
    add(archive, 1, bundle(a=A))
    before = {name: (archive.folder / name).read_bytes() for name in files_of(archive)}

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SiiqError, match="No space left"):
            add(archive, 2, bundle(a=B))
    assert {name: (archive.folder / name).read_bytes() for name in files_of(archive)} == before
    add(archive, 3, bundle(a=B))
    assert archive.files(archive.newest("epoch")) == {"a.csv": B}


KILLED = """
import os, stat, sys
from pathlib import Path
from siiq_core.evidence.live.archive import Archive, Member
from siiq_core.params.live import ArchiveBounds
left = int(sys.argv[2])
sync = os.fsync
def killed(handle):
    global left
    left -= stat.S_ISREG(os.fstat(handle).st_mode)  # folders are flushed too
    if left < 0:
        os._exit(9)
    sync(handle)
os.fsync = killed
members = [Member("a.csv", "https://epoch.ai/z#a.csv", b"new\\n" * 50), Member("b.csv", "https://epoch.ai/z#b.csv", b"newer\\n" * 50)]
Archive(Path(sys.argv[1]), ArchiveBounds(file_bytes=100_000, lock_wait=1)).add("epoch", members, [], seen_at="2026-11-05T06:00:00Z", licence="CC BY 4.0")
"""


@pytest.mark.parametrize("after", [0, 1, 3, 4])
def test_a_killed_run_leaves_the_old_content_and_the_next_one_goes_on(archive, root, after):
    add(archive, 1, bundle(a=A))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(archive.folder), str(after)], cwd=root, timeout=30)
    assert killed.returncode == 9
    assert [archive.files(s) for s in archive.sightings("epoch")] == [{"a.csv": A}]
    assert list(archive.folder.rglob("*.aside"))  # what it was writing
    members = [Member("a.csv", "https://epoch.ai/z#a.csv", b"new\n" * 50), Member("b.csv", "https://epoch.ai/z#b.csv", b"newer\n" * 50)]
    archive.add("epoch", members, [], seen_at=DAY.format(6), licence="CC BY 4.0")
    assert archive.files(archive.newest("epoch")) == {"a.csv": b"new\n" * 50, "b.csv": b"newer\n" * 50}
    assert not list(archive.folder.rglob("*.aside"))


def test_writers_wait_for_each_other_and_not_for_ever(archive):
    add(archive, 1, bundle(a=A))
    with filelock.FileLock(archive.folder / ".lock"), pytest.raises(ArchiveError, match="another run"):
        add(archive, 2, bundle(a=B))
    assert archive.files(archive.newest("epoch")) == {"a.csv": A}  # readers need no lock


def test_sources_are_archived_from_several_threads(tmp_path):
    archive = Archive(tmp_path / "archive", ArchiveBounds(file_bytes=100_000, lock_wait=20))
    failures = []

    def work(source):
        try:
            for day in range(1, 6):
                add(archive, day, bundle(shared=A, own=f"{source} {day}\n".encode()), source=source)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"source-{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and len(archive.sidecar(digest(A)).places) == 4
    for n in range(4):
        assert [archive.files(s)["own.csv"] for s in archive.replay(f"source-{n}")] == [f"source-{n} {day}\n".encode() for day in range(1, 6)]
