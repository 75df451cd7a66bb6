"""What tests of live reading share: publishers on loopback, a clock that never waits, and small bounds."""

import datetime
import itertools

import pytest
from loopback import Publisher
from tests.pace import Pace

from siiq_core.evidence.live.client import Client
from siiq_core.evidence.live.network import Network
from siiq_core.params.live import LiveParams, load_live


@pytest.fixture
def pace():
    return Pace(datetime.datetime(2026, 11, 29, 12, 0, 0, tzinfo=datetime.UTC))


@pytest.fixture
def publishers():
    """Makes publishers; all are closed at the end."""
    made = []

    def make(tls=None):
        made.append(Publisher(tls))
        return made[-1]

    yield make
    for publisher in made:
        publisher.close()


@pytest.fixture(scope="session")
def standing():
    """One publisher for all tests: starting a server costs more than most of them."""
    publisher = Publisher()
    yield publisher
    publisher.close()


@pytest.fixture
def publisher(standing):
    standing.begin()
    return standing


@pytest.fixture(scope="session")
def shipped(root):
    """params/live.yml as plain values."""
    return load_live(root).model_dump()


@pytest.fixture
def params(shipped):
    """The shipped parameters with other values: params(hosts=[…], max_bytes=…, read=…, attempts=…)."""

    def make(hosts=("127.0.0.1",), max_bytes=100_000, redirects=4, **changes):
        values = {**shipped, "redirects": redirects, "sources": {"demo": {"hosts": list(hosts), "max_bytes": max_bytes}}}
        for name, value in changes.items():
            room = next(room for room in ("timeouts", "retries", "zip", "archive") if name in values[room])
            values[room] = {**values[room], name: value}
        return LiveParams.model_validate(values)

    return make


@pytest.fixture
def client(publisher, params, pace):
    """A client that may ask `publisher`; names may be given to addresses, other parameters as for `params`."""
    def make(hosts=(), names=None, clock=None, **changes):
        known = {"127.0.0.1": ["127.0.0.1"], **(names or {})}
        network = Network(only_loopback=True, plain_http=True, resolve=lambda host, port: known[host])
        return Client(params(hosts=[publisher.host, *hosts], **changes), network, clock or pace.clock)

    return make


@pytest.fixture
def world(root, tmp_path, publisher):
    """All publishers on one loopback server: world(read=0.5, …); a second one of a test stands in a folder of its own."""
    from world import SOURCES, World

    def make(name="project", publishers=None, **changes):
        (tmp_path / name).mkdir()
        return World(root, tmp_path / name, publishers or dict.fromkeys(SOURCES, publisher), **changes)

    return make


@pytest.fixture
def bench(world, pace):
    """A publisher whose small content was read once: bench("aider", ratio=50, …)."""
    from bench import Bench

    return lambda source, **changes: Bench(world, pace, source, **changes)


@pytest.fixture
def chunks():
    """An endless stream of chunks of a chunked answer, to be cut off by whoever reads."""
    def stream(handler, size=65_536, most=40_000, filler=b"0,1\n"):
        block = filler * (size // len(filler))
        for _ in itertools.islice(itertools.count(), most):
            handler.wfile.write(f"{len(block):x}\r\n".encode() + block + b"\r\n")

    return stream
