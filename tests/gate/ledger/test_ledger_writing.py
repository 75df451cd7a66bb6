"""Who may write, what is refused, and what is left when writing fails."""

import errno
import json
import os
import stat
import threading

import pytest
from ledger_books import fill, moment

from siiq_core.errors import LedgerBusy, LedgerDamaged, LedgerError, SiiqError
from siiq_core.gate.entry import START
from siiq_core.gate.ledger import Ledger

AT = "2026-08-01T09:00:00Z"


def test_nothing_there_is_an_empty_ledger(path):
    ledger = Ledger.open(path)
    assert list(ledger.entries()) == [] and ledger.head == START == ledger.verify() and ledger.last() is None
    assert not path.parent.exists()
    path.parent.mkdir()
    path.write_bytes(b"")
    assert list(Ledger.open(path).entries()) == [] and ledger.head == START
    with ledger.writing():
        first = ledger.append("start", AT, {})
    assert first.n == 1 and first.prev == "" and first.offset == 0 and ledger.head == first.head


@pytest.mark.parametrize("kind, at, body, why", [
    ("entry", "2026-08-01T09:00:00", {}, "is no time"),
    ("entry", "2026-08-01T09:00:00+00:00", {}, "is no time"),
    ("entry", "2026-08-01T09:00:00.5Z", {}, "is no time"),
    ("entry", "2026-08-01", {}, "is no time"),
    ("entry", "2026-02-30T09:00:00Z", {}, "is no time"),
    ("entry", "2026-08-01T24:00:00Z", {}, "is no time"),
    ("entry", "٢٠٢٦-08-01T09:00:00Z", {}, "is no time"),
    ("entry", 20260801, {}, "is no time"),
    ("", AT, {}, "is no kind"),
    ("x" * 101, AT, {}, "is no kind"),
    (None, AT, {}, "is no kind"),
    ("entry", AT, ["a"], "is no body"),
    ("entry", AT, {"a": float("nan")}, "cannot be written as JSON"),
    ("entry", AT, {"a": float("inf")}, "cannot be written as JSON"),
    ("entry", AT, {"a": "\ud800"}, "cannot be written as JSON"),
    ("entry", AT, {"a": {1, 2}}, "cannot be written as JSON"),
    ("entry", AT, {"a": b"raw"}, "cannot be written as JSON"),
    ("entry", AT, {1: 2, "1": 3}, "cannot be written as JSON"),
    ("entry", AT, {"a": 10**5000}, "cannot be written as JSON"),
    ("entry", AT, {"a": "x" * 20_000}, "longer than the 9,000"),
])
def test_what_is_no_entry_is_refused_and_the_next_one_goes_in(kind, at, body, why, path):
    ledger = Ledger.open(path, line_bytes=9_000)
    with ledger.writing():
        ledger.append("entry", AT, {})
        with pytest.raises(LedgerError, match=f"{why}.*Remedy: "):
            ledger.append(kind, at, body)
        assert ledger.append("entry", AT, {}).n == 2
    assert ledger.verify().n == 2


def test_nesting_without_end_is_refused(path):
    body: dict = {}
    for _ in range(200_000):
        body = {"a": body}
    ledger = Ledger.open(path)
    with ledger.writing(), pytest.raises(LedgerError, match="cannot be written as JSON"):
        ledger.append("entry", AT, body)
    assert path.read_bytes() == b""
    while body:  # a chain this long is taken apart by hand: the interpreter would do it by recursion
        body = body["a"]


def test_a_clock_that_goes_back_is_refused(path):
    ledger = Ledger.open(path)
    with ledger.writing():
        ledger.append("entry", AT, {})
        assert ledger.append("entry", AT, {}).n == 2  # the same second is not back
    with ledger.writing():
        with pytest.raises(LedgerError, match=r"2026-08-01T08:59:59Z cannot follow one of 2026-08-01T09:00:00Z: the clock has gone back.*set the clock"):
            ledger.append("entry", "2026-08-01T08:59:59Z", {})
        assert ledger.append("entry", "2026-08-01T09:00:01Z", {}).n == 3
    assert ledger.verify().n == 3


def test_only_within_writing(path):
    ledger = Ledger.open(path)
    with pytest.raises(LedgerError, match="not open for writing"):
        ledger.append("entry", AT, {})
    with ledger.writing():
        with pytest.raises(LedgerBusy, match="already"), ledger.writing():
            pass
        ledger.append("entry", AT, {})
    with pytest.raises(LedgerError, match="not open for writing"):
        ledger.append("entry", AT, {})


def test_a_second_writer_hears_of_the_first_and_leaves(path):
    ledger, other, said = fill(path, 2), Ledger.open(path), []
    with ledger.writing():
        with pytest.raises(LedgerBusy, match="for 0.05 s.*wait for it to end"), other.writing(seconds=0.05, progress=said.append):
            pass
        assert ledger.append("entry", moment(5), {}).n == 3
    assert len(said) == 1 and "another run is writing to ledger.jsonl" in said[0]
    with other.writing(seconds=0, progress=said.append):
        assert other.append("entry", moment(5), {}).n == 4
    assert len(said) == 1


def test_a_second_writer_waits_for_the_first(path):
    first, second, waits = fill(path, 2), Ledger.open(path), threading.Event()

    def write():
        with second.writing(seconds=60, progress=lambda text: waits.set()):
            second.append("second", moment(5), {})

    with first.writing():
        thread = threading.Thread(target=write)
        thread.start()
        assert waits.wait(60)
        first.append("first", moment(5), {})
    thread.join()
    assert [x.kind for x in first.entries()][2:] == ["first", "second"] and first.verify().n == 4


def test_an_exception_in_between_keeps_what_was_acknowledged(path):
    ledger = Ledger.open(path)
    with pytest.raises(KeyError), ledger.writing():
        ledger.append("entry", AT, {})
        raise KeyError
    with ledger.writing(seconds=0):
        assert ledger.append("entry", AT, {}).n == 2


def test_what_was_not_acknowledged_is_put_aside_and_cut_off(path):
    ledger = fill(path, 3)
    whole = path.read_bytes()
    for torn in (b'{"at":"2026', b"\x00" * 512, b'{"at":"2026'):
        path.write_bytes(whole + torn)
        assert [x.n for x in ledger.entries()] == [1, 2, 3] and path.read_bytes() == whole + torn  # a reader alters nothing
        with ledger.writing():
            assert path.read_bytes() == whole
    aside = sorted(path.parent.glob("ledger.torn-*"))
    assert sorted(x.read_bytes() for x in aside) == [b"\x00" * 512, b'{"at":"2026']  # the same remains once
    assert all(x.name.startswith("ledger.torn-4-") and x.suffix == ".txt" for x in aside)
    with ledger.writing():
        ledger.append("entry", moment(5), {})
    assert ledger.verify().n == 4


def test_a_whole_line_without_its_end_is_not_acknowledged(path):
    ledger = fill(path, 3)
    path.write_bytes(path.read_bytes()[:-1])
    assert ledger.head.n == 2
    with ledger.writing():
        assert ledger.append("entry", moment(5), {}).n == 3
    assert ledger.verify().n == 3


def failing(monkeypatch, name: str, call: int, error: int, part: bool = False) -> None:
    """The `call`-th os.`name` of the ledger's file from now on fails, after a part of it where `part`."""
    real, count = getattr(os, name), 0

    def fake(handle, *arguments):
        nonlocal count
        count += 1
        if count == call and part:
            return real(handle, bytes(arguments[0])[:5])
        if count == call + part:
            raise OSError(error, os.strerror(error))
        return real(handle, *arguments)

    monkeypatch.setattr(f"siiq_core.gate.writing.os.{name}", fake)


@pytest.mark.parametrize("name, call, error, part", [
    ("write", 1, errno.ENOSPC, False), ("write", 1, errno.ENOSPC, True), ("write", 2, errno.ENOSPC, False), ("write", 1, errno.EDQUOT, True),
    ("fsync", 1, errno.EIO, False), ("fsync", 2, errno.EIO, False), ("write", 2, errno.EINTR, False),
])
def test_a_failed_append_takes_itself_back(name, call, error, part, path, monkeypatch):
    ledger = fill(path, 3)
    before = path.read_bytes()
    with ledger.writing():
        with monkeypatch.context() as patched:
            failing(patched, name, call, error, part)
            with pytest.raises(LedgerError, match="cannot be written to.*free some space"):
                ledger.append("entry", moment(5), {})
        assert path.read_bytes() == before
        with pytest.raises(LedgerError, match="an earlier entry could not be written"):
            ledger.append("entry", moment(5), {})
    with ledger.writing():
        assert ledger.append("entry", moment(5), {}).n == 4
    assert ledger.verify().n == 4


def test_a_system_that_takes_little_at_a_time(path, monkeypatch):
    ledger, real = fill(path, 3), os.write
    monkeypatch.setattr("siiq_core.gate.writing.os.write", lambda handle, content: real(handle, bytes(content)[:7]))
    with ledger.writing():
        ledger.append("entry", moment(5), {"a": "b" * 100})
    assert ledger.verify().n == 4


def test_an_interruption_takes_back_too(path, monkeypatch):
    ledger = fill(path, 3)
    before = path.read_bytes()

    def interrupted(handle):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ledger.writing(), monkeypatch.context() as patched:
        real = os.fsync
        patched.setattr("siiq_core.gate.writing.os.fsync", lambda handle: interrupted(handle) if not path.read_bytes().endswith(b"\n") else real(handle))
        ledger.append("entry", moment(5), {})
    assert path.read_bytes() == before


def test_what_cannot_be_taken_back_is_said_and_cut_by_the_next(path, monkeypatch):
    ledger = fill(path, 3)
    with ledger.writing(), monkeypatch.context() as patched:
        failing(patched, "fsync", 1, errno.EIO)
        failing(patched, "ftruncate", 1, errno.EROFS)
        with pytest.raises(LedgerError, match="nor taken back"):
            ledger.append("entry", moment(5), {"lost": True})
    assert not path.read_bytes().endswith(b"\n") and [x.n for x in ledger.entries()] == [1, 2, 3]
    with ledger.writing():
        ledger.append("entry", moment(5), {})
    assert ledger.verify().n == 4 and len(list(path.parent.glob("ledger.torn-4-*"))) == 1


def test_each_entry_and_a_new_ledgers_folder_are_on_the_disk_before_they_are_acknowledged(path, monkeypatch):
    """The line end follows the line only when that is on the disk; a folder that may not know of its file is flushed too."""
    ledger, seen, real, write = Ledger.open(path), [], os.fsync, os.write

    def fsync(handle):
        seen.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        real(handle)

    def noted(handle, content):
        seen.append("end" if bytes(content) == b"\n" else "line")
        return write(handle, content)

    monkeypatch.setattr("siiq_core.gate.writing.os.fsync", fsync)
    monkeypatch.setattr("siiq_core.gate.writing.os.write", noted)
    for _ in range(2):  # the second time the file is there, but nothing yet says that its folder knows
        with ledger.writing():
            pass
    with ledger.writing():
        ledger.append("entry", AT, {})
    with ledger.writing():
        ledger.append("entry", AT, {})
    one = ["line", "file", "end", "file"]
    assert seen == ["folder", "folder", "folder", *one, *one]


def test_a_file_replaced_or_written_to_meanwhile_is_noticed(path):
    ledger = fill(path, 3)
    content = path.read_bytes()
    for spoil in (lambda: (path.with_name("x").write_bytes(content), os.replace(path.with_name("x"), path)),
                  lambda: path.open("ab").write(b"?"), path.unlink):
        path.write_bytes(content)
        with ledger.writing():
            spoil()
            with pytest.raises(LedgerDamaged, match="Remedy"):
                ledger.append("entry", moment(5), {})


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: os.mkfifo(p)])
def test_what_is_no_file_is_refused(make, path):
    path.parent.mkdir()
    make(path)
    with pytest.raises(LedgerError, match="is no file"):
        Ledger.open(path)


def test_a_folder_that_is_none(path):
    path.parent.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(SiiqError, match="cannot be"):
        with Ledger(path).writing():
            pass


def test_a_folder_or_file_that_may_not_be_written_to(path):
    """Reading goes on as ever; writing is refused by name. Root may do all, so it is asked as nobody."""
    fill(path, 3)
    folder = path.parent
    folder.chmod(0o555)
    path.chmod(0o444)
    lock = folder / ".ledger.jsonl.lock"
    reading, telling = os.pipe()
    child = os.fork()
    if not child:
        said = []
        try:
            os.chdir(folder)  # before giving up the right to walk there
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            ledger = Ledger.open(path.__class__("ledger.jsonl"))
            said.append(ledger.verify().n)
            try:
                with ledger.writing(seconds=0):
                    pass
            except LedgerError as error:
                said.append(str(error))
        finally:
            os.write(telling, json.dumps(said).encode())
            os._exit(0)
    os.close(telling)
    os.waitpid(child, 0)
    with os.fdopen(reading) as stream:
        count, refusal = json.load(stream)
    folder.chmod(0o755)
    assert lock.exists() and count == 3 and "cannot be written to" in refusal and "permit writing" in refusal
