"""A publisher that fails: the last good data stays, the status says what and since when, and nobody else is the worse for it."""

import os
import sys
import threading
import time
from dataclasses import replace

import filelock
import pytest
from loopback import File, raw, silent_port, status
from world import NETWORK, SOURCES, openrouter_export, openrouter_row

from siiq_core.commands import fetch
from siiq_core.errors import ParameterError, SiiqError
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.status import load_status
from siiq_core.evidence.live.waiting import system_clock

BFCL = b"Rank,Overall Acc,Model,Model Link,Total Cost ($),Web Search Acc,License\n1,70.00%,Nova-1 (FC),https://example.org,3,50.00%,MIT\n2,60.50%,Nova-2,https://example.org,4,40.00%,MIT\n"


@pytest.fixture
def here(world):
    found = world()
    found.serve("bfcl", BFCL)
    found.serve("openrouter", openrouter_export(openrouter_row()))
    return found


def at(found):
    return {x.source: x for x in found.sources}


def test_a_format_change_is_a_status_entry_with_the_last_good_data_kept(here, pace):
    assert not here.read(pace.clock, "bfcl").failed
    good, kept, archived = here.state("bfcl"), here.kept("bfcl"), list(here.desk.archive.sightings("bfcl"))
    pace.sleep(3600)
    here.serve("bfcl", BFCL.replace(b"Model,", b"Name,"))  # U6a: a key column is gone
    failed = at(here.read(pace.clock, "bfcl"))["bfcl"]
    assert failed.outcome == "failed" and failed.content is None
    state = here.state("bfcl")
    assert (state.last_check, state.last_success, state.last_snapshot_sha256, state.rows) == (
        "2026-11-29T13:00:00Z", good.last_success, good.last_snapshot_sha256, 2)
    assert (state.failure.rule, state.failure.file, state.failure.column, state.failure.since) == ("U6a", "data_overall.csv", "Model", "2026-11-29T13:00:00Z")
    assert "key column is gone" in state.failure.what
    assert here.kept("bfcl") == kept and list(here.desk.archive.sightings("bfcl")) == archived  # what cannot be read is not archived
    pace.sleep(3600)
    here.read(pace.clock, "bfcl")  # still so: since when stays
    assert (here.state("bfcl").failure.since, here.state("bfcl").last_check) == ("2026-11-29T13:00:00Z", "2026-11-29T14:00:00Z")
    pace.sleep(3600)
    here.serve("bfcl", BFCL.replace(b"60.50%", b"60.50"))  # now another fault: T4
    here.read(pace.clock, "bfcl")
    assert (here.state("bfcl").failure.rule, here.state("bfcl").failure.row, here.state("bfcl").failure.since) == ("T4", 2, "2026-11-29T15:00:00Z")
    pace.sleep(3600)
    here.serve("bfcl", BFCL)
    assert at(here.read(pace.clock, "bfcl"))["bfcl"].outcome == "unchanged" and here.state("bfcl").failure is None
    assert here.state("bfcl").last_success == "2026-11-29T16:00:00Z"


def test_a_frozen_benchmark_stays_frozen_while_its_source_fails(here, pace):
    here.serve("bfcl", BFCL.replace(b"Web Search Acc", b"Live Acc"))  # U6b
    assert at(here.read(pace.clock, "bfcl"))["bfcl"].outcome == "new"
    frozen = here.status.frozen
    assert [(x.benchmark, x.source, x.since) for x in frozen] == [("bfcl", "bfcl", "2026-11-29T12:00:00Z")]
    pace.sleep(3600)
    here.route("bfcl", here.ask("bfcl"), status(404))
    assert here.read(pace.clock, "bfcl").failed and here.status.frozen == frozen
    here.serve("bfcl", BFCL)
    pace.sleep(3600)
    here.read(pace.clock, "bfcl")
    assert here.status.frozen == ()


@pytest.mark.parametrize(("answer", "rule", "says"), [
    (status(404), "U1", "status 404"), (status(500), "U1", "status 500"), (status(403, {"Retry-After": "9"}), "U1", "turns us away"),
    (status(302, {"Location": "https://elsewhere.example/x"}), "U1", "not listed"), (status(302, {"Location": "http://127.0.0.1:1/x"}), "U1", "not listed"),
    (File(b"<!DOCTYPE html><html>log in"), "U1", "web page"), (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc"), "U1", "connection fails"),
    (File(b""), "U1", "empty"), (File(b"{"), "U6a", "no valid JSON"), (File(b"[]"), "U6a", "no commit touches"), (File(b'{"message": "moved"}'), "U6a", "no list"),
    (File(b'[{"sha": "main"}]'), "U6a", "no commit's hash"), (File(b'[{"sha": 5}]'), "U6a", "no commit's hash"), (File(b'["x"]'), "U6a", "no object"),
    (status(429, {"Retry-After": "4000"}), "U1", "left alone for 4000 s"),
])
def test_what_a_publisher_may_answer_instead(answer, rule, says, here, pace):
    here.read(pace.clock)
    before = {name: content for name, content in here.everything().items() if "openrouter" not in name and "status" not in name}
    here.route("bfcl", here.ask("bfcl"), answer)
    pace.sleep(3600)
    found = at(here.read(pace.clock, "bfcl", "openrouter"))
    assert found["bfcl"].outcome == "failed" and says in found["bfcl"].what and found["openrouter"].outcome == "unchanged"
    assert here.state("bfcl").failure.rule == rule and here.state("bfcl").rows == 2
    assert {name: content for name, content in here.everything().items() if name in before and "files/" not in name and "openrouter" not in name} == {
        name: content for name, content in before.items() if "files/" not in name}


def test_the_file_at_the_commit_is_missing(here, pace):
    here.serve("bfcl", BFCL)
    routes = here.publishers["bfcl"].routes
    del routes[next(path for path in routes if path.endswith("/data_overall.csv"))]
    assert "status 404" in at(here.read(pace.clock, "bfcl"))["bfcl"].what and here.state("bfcl").last_success is None


def test_other_bytes_than_the_manifest_pinned(here, pace):  # fault kind 22
    here.read(pace.clock, "openrouter")
    address = here.spec("openrouter").file_address("2026-11-22", "benchmark-leaderboard")
    here.serve("openrouter", openrouter_export(openrouter_row(accuracy=0.9), day="2026-11-22"))
    here.route("openrouter", address, File(openrouter_export(openrouter_row(accuracy=0.99), day="2026-11-22")))
    before = here.kept("openrouter")
    assert "other bytes than its manifest promised" in at(here.read(pace.clock, "openrouter"))["openrouter"].what
    assert here.kept("openrouter") == before and len(list(here.desk.archive.sightings("openrouter"))) == 1


def test_a_manifest_that_pins_a_day_anew_is_refused(here, pace):
    here.read(pace.clock, "openrouter")
    here.serve("openrouter", openrouter_export(openrouter_row(accuracy=0.9)))  # the same dated address, another content
    found = at(here.read(pace.clock, "openrouter"))["openrouter"]
    assert found.outcome == "failed" and "other bytes than its manifest promised" in found.what


def test_slow_and_broken_publishers_delay_no_other(world, publishers):
    """Two of seven answer not at all, or a byte now and then; the others are done long before."""
    slow, dripping, good = publishers(), publishers(), publishers()
    own = {**dict.fromkeys(SOURCES, good), "aider": slow, "litellm": dripping}
    here = world(publishers=own, read=1.5, deadline=3, attempts=1)
    here.serve("bfcl", BFCL)
    here.serve("openrouter", openrouter_export(openrouter_row()))
    here.route("aider", here.ask("aider"), lambda handler: slow.closing.wait(20))

    def drip(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not dripping.closing.wait(0.3):
            handler.wfile.write(b"[")
    here.route("litellm", here.ask("litellm"), drip)
    begun, ended = time.monotonic(), {}
    report = here.read(system_clock(), progress=lambda text: ended.setdefault(text, time.monotonic() - begun))
    found = at(report)
    assert {name for name, x in found.items() if x.outcome == "new"} == {"bfcl", "openrouter"}
    assert "silent" in found["aider"].what and "deadline" in found["litellm"].what
    first = max(seconds for text, seconds in ended.items() if text.split(":")[0] in ("bfcl", "openrouter"))
    assert first < min(seconds for text, seconds in ended.items() if text.startswith(("aider: is", "litellm: not")))
    assert {x.id: bool(x.failure) for x in here.status.sources}["aider"] and here.state("bfcl").last_success


def test_a_source_that_never_ends_is_left_behind(world, publishers):
    slow, good = publishers(), publishers()
    here = world(publishers={**dict.fromkeys(SOURCES, good), "aider": slow}, source=1, read=20, deadline=20)
    here.serve("bfcl", BFCL)
    here.route("aider", here.ask("aider"), lambda handler: slow.closing.wait(20))
    found = at(here.read(system_clock(), "aider", "bfcl"))
    assert "not read within 1 s" in found["aider"].what and found["bfcl"].outcome == "new" and here.state("aider").failure.rule == "U1"


def test_no_network_at_all(world, pace):
    def nobody(host, port):
        raise OSError("no name server")
    here = world()
    report = here.read(pace.clock, network=Network(only_loopback=True, plain_http=True, resolve=nobody))
    assert len(report.failed) == 7 and all("does not resolve" in x.what for x in report.sources)


def test_a_silent_port(world, pace):
    with silent_port() as port:
        here = world(read=0.2, attempts=1)
        place = here.desk.params.sources["modelsdev"]
        moved = place.model_copy(update={"hosts": (f"127.0.0.1:{port}",), "ask": place.ask.model_copy(update={"address": f"http://127.0.0.1:{port}/a"})})
        here.desk = replace(here.desk, params=here.desk.params.model_copy(update={"sources": {"modelsdev": moved}}))
        assert "silent" in at(here.read(system_clock()))["modelsdev"].what


def test_a_disk_that_is_full_fails_that_source_and_says_so(here, pace, monkeypatch):
    here.read(pace.clock)
    before = here.everything()
    here.serve("bfcl", BFCL.replace(b"70.00%", b"71.00%"))
    real = os.replace

    def full(source, target):
        if "snapshots" in str(target):
            raise OSError(28, "No space left on device")
        real(source, target)
    monkeypatch.setattr("os.replace", full)
    assert "No space left" in at(here.read(pace.clock, "bfcl"))["bfcl"].what
    monkeypatch.undo()
    assert {k: v for k, v in here.everything().items() if k != "live/status.json"} == {k: v for k, v in before.items() if k != "live/status.json"}
    assert at(here.read(pace.clock, "bfcl"))["bfcl"].outcome == "new"


def test_a_run_that_died_between_archive_and_observations_is_mended_by_the_next(here, pace, monkeypatch):
    def killed(*words):
        raise KeyboardInterrupt
    monkeypatch.setattr("siiq_core.evidence.live.desk.Desk.store", killed)
    here.read(pace.clock, "bfcl")
    monkeypatch.undo()
    assert not here.kept("bfcl") and here.desk.archive.newest("bfcl")
    assert at(here.read(pace.clock, "bfcl"))["bfcl"].outcome == "unchanged" and len(here.kept("bfcl")) == 2


def test_a_status_file_of_another_hand_is_begun_anew(here, pace):
    here.desk.folder.mkdir(parents=True)
    for content in (b"", b"{}", b'{"sources": 5}', b"\xff"):
        (here.desk.folder / "status.json").write_bytes(content)
        assert here.status is None
        here.read(pace.clock, "bfcl")
        assert here.state("bfcl").rows == 2


# --- two runs at once -------------------------------------------------------------------------------------------------------


def test_a_second_run_leaves_with_a_clear_message(world, pace):
    here = world(lock_wait=0.2)
    said = []
    with here.desk.alone(said.append), pytest.raises(SiiqError, match="another run has been reading for 0.2 s.*Remedy: let it end"), here.desk.alone(said.append):
        pass
    assert said == ["another run is reading; waiting for it, up to 0.2 s"]
    assert here.publishers["bfcl"].asked == []


def test_a_second_run_waits_for_the_first(here, pace):
    lock = filelock.FileLock(here.desk.folder / ".lock", thread_local=False)
    here.desk.folder.mkdir(parents=True)
    lock.acquire()
    threading.Timer(0.3, lock.release).start()
    said = []
    assert not here.read(pace.clock, "bfcl", progress=said.append).failed
    assert said[0].startswith("another run is reading") and said[-1] == "bfcl: new, 2 rows"


def test_an_unknown_source_is_refused_before_anything_is_asked(here, pace):
    with pytest.raises(ParameterError, match="did you mean 'bfcl'"):
        here.read(pace.clock, "bflc")
    assert here.publishers["bfcl"].asked == []


# --- the command ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def command(here, pace, monkeypatch, capsys):
    """`siiq fetch` on this world: (exit code, what was printed, what was said)."""
    monkeypatch.setattr("siiq_core.evidence.live.desk.open_desk", lambda root: here.desk)

    def run(*only, mode=fetch.live):
        said = []
        more = {"network": NETWORK, "clock": pace.clock} if mode is fetch.live else {}
        code = mode(here.desk.folder.parent.parent, only, said.append, **more)
        return code, capsys.readouterr().out, said
    return run


def test_a_table_at_the_end_and_an_exit_code_that_means_something(here, command, pace):
    code, out, said = command("bfcl", "openrouter")
    assert code == 0 and [line.split()[:3] for line in out.splitlines()] == [["source", "outcome", "rows"], ["bfcl", "new", "2"], ["openrouter", "new", "1"]]
    assert set(said[:2]) == {"bfcl: asking", "openrouter: asking"} and said[-1].startswith("2 sources: 2 new. Nothing is published by this")
    here.serve("bfcl", BFCL.replace(b"60.50%", b"160.50%"))
    code, out, said = command("bfcl", "openrouter")
    assert code == 1 and "T2" in out and "row 2" in out and "160.50%" in out and "openrouter  unchanged" in out
    assert said[-1].startswith("2 sources: 1 unchanged, 1 failed; the last good data of each stays")
    assert load_status(here.desk.folder).sources


def test_replay_by_the_command(here, command, pace):
    with pytest.raises(SiiqError, match="nothing is archived yet.*siiq fetch --mode live"):
        command(mode=fetch.replay)
    command("bfcl", "openrouter")
    pace.sleep(3600)
    here.serve("bfcl", BFCL.replace(b"70.00%", b"71.00%"))
    command("bfcl")
    code, out, said = command(mode=fetch.replay)
    assert code == 0 and [line.split()[2] for line in out.splitlines()[1:]] == ["bfcl", "openrouter", "bfcl"] and out.count("the same") == 3
    code, out, _ = command("openrouter", mode=fetch.replay)
    assert code == 0 and "bfcl" not in out


def test_hostile_text_never_acts_in_the_terminal(here, command):  # fault kind 24
    here.serve("bfcl", BFCL.replace(b"70.00%", "\x1b[31m\u202e70".encode()))
    code, out, said = command("bfcl")
    assert code == 1 and "\x1b" not in out + "".join(said) and "\u202e" not in out + "".join(said)


@pytest.mark.parametrize(("words", "says"), [
    (["--source", "epoch"], "goes with --mode live"), (["--mode", "live", "-p", "lam=0.2"], "go with --mode shipped"),
    (["--mode", "live", "--from-archive"], "choose one"), (["--mode", "live", "--source", "epohc"], "did you mean 'epoch'"), (["--mode", "dead"], "dead"),
])
def test_usage(words, says, monkeypatch, capsys):
    from siiq_core.cli import main

    monkeypatch.setattr(sys, "argv", ["siiq", "fetch", *words])
    monkeypatch.setattr("siiq_core.evidence.live.network.Network.addresses", lambda *words: pytest.fail("something was asked"))
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2 and says in capsys.readouterr().err
