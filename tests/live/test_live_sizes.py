"""Hostile sizes (fault kind 25): every one bounded, and refused with the bound named, before it is in memory."""

import gzip
import tracemalloc
import zlib

import pytest
from loopback import File, raw

from siiq_core.evidence.live.refusals import TooLarge

BOUND = 100_000


@pytest.fixture
def memory():
    """Peak of what Python allocated in the test, in bytes."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def zeros_packed(size):
    """gzip of `size` zeros, made in pieces."""
    pack = zlib.compressobj(9, wbits=31)
    block = bytes(4_000_000)
    return b"".join([*(pack.compress(block) for _ in range(size // len(block))), pack.flush()])


def test_two_gigabytes_declared(publisher, client, memory):
    publisher.routes["/a"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\nabc")
    with pytest.raises(TooLarge, match="declares 2,000,000,000 bytes, more than the bound max_bytes of 100,000"):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"))


def test_two_gigabytes_sent_without_a_word(publisher, client, chunks, memory, pace):
    publisher.routes["/a"] = raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunks)
    with pytest.raises(TooLarge, match="bound max_bytes of 100,000"):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"))
    assert memory() < 20_000_000 and pace.slept == [] and len(publisher.asked) == 1


def served(content, way):
    if way == "gzip":
        return File(gzip.compress(content), headers={"Content-Encoding": "gzip"})
    return File(content) if way == "length" else raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(content), content))


@pytest.mark.parametrize("way", ["length", "chunks", "gzip"])
def test_the_bound_is_exact(publisher, client, way):
    content = bytes(range(250)) * (BOUND // 250)
    publisher.routes["/a"] = served(content, way)
    assert client(max_bytes=BOUND).fetch("demo", publisher.url("/a")).content == content
    publisher.routes["/a"] = served(content + b"x", way)
    with pytest.raises(TooLarge, match="max_bytes of 100,000"):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"))


def test_a_bomb_of_gzip(publisher, client, memory):
    bomb = zeros_packed(80_000_000)
    assert len(bomb) < BOUND
    publisher.routes["/a"] = File(bomb, headers={"Content-Encoding": "gzip"})
    with pytest.raises(TooLarge, match="unpacks from .* to more than 100,000 bytes"):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"))
    assert memory() < 5_000_000


def test_a_bomb_of_many_small_members(publisher, client):
    publisher.routes["/a"] = File(gzip.compress(bytes(30_000)) * 4, headers={"Content-Encoding": "gzip"})
    with pytest.raises(TooLarge):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"))


def test_a_file_known_to_be_small_has_a_bound_of_its_own(publisher, client):
    publisher.routes["/a"] = File(b"x" * 5_000)
    with pytest.raises(TooLarge, match="max_bytes of 4,000"):
        client(max_bytes=BOUND).fetch("demo", publisher.url("/a"), max_bytes=4_000)
    with pytest.raises(TooLarge):  # never looser than the source's
        client(max_bytes=4_000).fetch("demo", publisher.url("/a"), max_bytes=BOUND)
