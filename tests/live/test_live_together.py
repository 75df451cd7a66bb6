"""Side by side: one publisher's failure or slowness delays no other."""

import threading
import time

import pytest
from loopback import File, in_turn, status

from siiq_core.evidence.live.client import Client
from siiq_core.evidence.live.network import Network
from siiq_core.evidence.live.refusals import AnswerRefused, ReaderFailed, TookTooLong, Unreachable
from siiq_core.evidence.live.together import read_together
from siiq_core.evidence.live.waiting import system_clock


def test_slow_broken_and_defective_sources_harm_nobody(publishers, params):
    slow, broken, good = publishers(), publishers(), publishers()
    slow.routes["/"] = lambda handler: slow.closing.wait(5)
    broken.routes["/"] = status(404)
    good.routes["/"] = File(b"a,b\n")
    client = Client(params(hosts=[slow.host, broken.host, good.host], attempts=2, first_wait=0, read=0.5), Network(only_loopback=True, plain_http=True), system_clock())
    begun, when = time.monotonic(), {}

    def read(name, publisher):
        try:
            return client.fetch("demo", publisher.url("/")).content
        finally:
            when[name] = time.monotonic() - begun

    tasks = {"a slow one": lambda: read("slow", slow), "broken": lambda: read("broken", broken), "good": lambda: read("good", good), "defect": lambda: {}["key"]}
    said = []
    outcomes = read_together(tasks, 10, system_clock(), said.append)
    assert list(outcomes) == ["a slow one", "broken", "defect", "good"]  # whatever the order in which they ended
    assert outcomes["good"].value == b"a,b\n" and outcomes["good"].failure is None
    assert isinstance(outcomes["broken"].failure, AnswerRefused) and isinstance(outcomes["a slow one"].failure, Unreachable)
    assert isinstance(outcomes["defect"].failure, ReaderFailed) and "KeyError" in str(outcomes["defect"].failure)
    assert max(when["good"], when["broken"]) < when["slow"] and when["slow"] >= 1  # two attempts; the first in the alphabet holds up nobody
    assert len(said) == 4 and said[-1].startswith("a slow one: ")


def test_what_never_ends_is_left_behind():
    release = threading.Event()
    begun = time.monotonic()
    outcomes = read_together({"stuck": lambda: release.wait(5), "good": lambda: 1}, 0.5, system_clock())
    assert time.monotonic() - begun < 4 and outcomes["good"].value == 1 and isinstance(outcomes["stuck"].failure, TookTooLong)
    release.set()


@pytest.mark.parametrize("error", [MemoryError(), SystemExit(3), RecursionError("deep \u202e")])
def test_any_exception_is_that_sources_failure(error):
    def fail():
        raise error

    outcome = read_together({"a": fail, "b": lambda: 2}, 5, system_clock())
    assert isinstance(outcome["a"].failure, ReaderFailed) and outcome["a"].failure.__cause__ is error and outcome["b"].value == 2
    assert str(outcome["a"].failure).isascii()


def test_nothing_to_read():
    assert read_together({}, 5, system_clock()) == {}


def test_one_client_serves_many_threads(publisher, client):
    for number in range(20):
        publisher.routes[f"/{number}"] = in_turn(File(str(number).encode()))
    reader = client()
    outcomes = read_together({f"s{n}": lambda n=n: reader.fetch("demo", publisher.url(f"/{n}")).content for n in range(20)}, 10, system_clock())
    assert {s: o.value for s, o in outcomes.items()} == {f"s{n}": str(n).encode() for n in range(20)}
