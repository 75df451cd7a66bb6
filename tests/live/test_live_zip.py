"""Inside a zip archive: only what was asked for, within bounds, and never a path (fault kind 25)."""

import io
import random
import struct
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.evidence.live.refusals import ZipRefused
from siiq_core.evidence.live.zipread import read_members
from siiq_core.params.live import ZipBounds

BOUNDS = ZipBounds(members=20, member_bytes=50_000, total_bytes=80_000, ratio=100)
CSV = b"Model version,score\nnova-1,0.71\n"


def packed(files, method=zipfile.ZIP_DEFLATED, comment=b"", prefix=b""):
    """A zip archive of (name or ZipInfo, content) pairs."""
    stream = io.BytesIO()
    stream.write(prefix)
    with zipfile.ZipFile(stream, "a" if prefix else "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
        archive.comment = comment
    return stream.getvalue()


def noise(size, seed=1):
    """Bytes that do not pack."""
    return random.Random(seed).randbytes(size)


def patched(content, offset, value, signature=b"PK\x01\x02"):
    """`content` with bytes of its first directory entry (or of another record) replaced."""
    at = content.rfind(signature) if signature != b"PK\x01\x02" else content.find(signature)
    return content[:at + offset] + value + content[at + offset + len(value):]


def test_wanted_members_come_whole_and_the_others_not_at_all():
    content = packed([("README.md", b"prose"), ("b.csv", CSV), ("folder/c.csv", b"1\n"), ("a.csv", b"")])
    assert read_members(content, ["b.csv", "a.csv", "folder/c.csv", "gone.csv"], BOUNDS) == {"a.csv": b"", "b.csv": CSV, "folder/c.csv": b"1\n"}
    assert list(read_members(content, ["b.csv", "a.csv"], BOUNDS)) == ["a.csv", "b.csv"]
    assert read_members(content, [], BOUNDS) == {}


def test_stored_members_comments_and_a_prefix_are_read():
    assert read_members(packed([("a.csv", CSV)], zipfile.ZIP_STORED, comment=b"made by nobody"), ["a.csv"], BOUNDS) == {"a.csv": CSV}
    assert read_members(packed([("a.csv", CSV)], prefix=b"#!/bin/sh\n"), ["a.csv"], BOUNDS) == {"a.csv": CSV}


@pytest.mark.parametrize("name", ["../a.csv", "/a.csv", "./a.csv", "a.csv/", "A.CSV", "a.csv ", "folder/a.csv", "..\\a.csv", "C:a.csv", "a.csv\0.exe"])
def test_only_the_exact_name_is_the_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    info = zipfile.ZipInfo("x" * len(name.encode()))
    content = packed([(info, CSV)]).replace(b"x" * len(name.encode()), name.encode())
    assert read_members(content, ["a.csv"], BOUNDS) == {} and list(tmp_path.iterdir()) == []


def test_a_wanted_name_may_look_like_a_path_and_is_still_only_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_members(packed([("../../a.csv", CSV)]), ["../../a.csv"], BOUNDS) == {"../../a.csv": CSV} and list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_twice():
    with pytest.raises(ZipRefused, match="stands twice") as caught:
        read_members(packed([("a.csv", CSV), ("b.csv", CSV), ("a.csv", b"other")]), ["a.csv"], BOUNDS, "bundle.zip")
    assert "bundle.zip" in str(caught.value) and "a.csv" in str(caught.value)


@pytest.mark.parametrize("flag", [0x1, 0x41, 0x2000])
def test_encrypted_members(flag):
    with pytest.raises(ZipRefused, match="encrypted"):
        read_members(patched(packed([("a.csv", CSV)]), 8, struct.pack("<H", flag)), ["a.csv"], BOUNDS)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing(method):
    with pytest.raises(ZipRefused, match="packed by method"):
        read_members(packed([("a.csv", CSV)], method), ["a.csv"], BOUNDS)


def test_a_link_is_no_file():
    link = zipfile.ZipInfo("a.csv")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with pytest.raises(ZipRefused, match="no plain file"):
        read_members(packed([(link, b"/etc/passwd")]), ["a.csv"], BOUNDS)


# --- bounds -------------------------------------------------------------------------------------------------------------

def test_too_many_members_are_counted_before_they_are_parsed():
    with pytest.raises(ZipRefused, match="21 members, more than the bound members of 20"):
        read_members(packed([(f"{n}.csv", b"") for n in range(21)]), ["a.csv"], BOUNDS)
    assert read_members(packed([(f"{n}.csv", b"") for n in range(20)]), ["a.csv"], BOUNDS) == {}


@pytest.mark.parametrize("declared", [1, 0xFFFF])
def test_a_directory_that_is_longer_than_it_says(declared):
    many = packed([(f"{n:05d}", b"") for n in range(2_000)])
    lying = patched(many, 8, struct.pack("<2H", declared, declared), b"PK\x05\x06")
    with pytest.raises(ZipRefused):
        read_members(lying, ["a.csv"], BOUNDS)


def test_a_member_beyond_its_bound():
    with pytest.raises(ZipRefused, match="50,001 bytes, more than the bound member_bytes of 50,000"):
        read_members(packed([("a.csv", noise(50_001))]), ["a.csv"], BOUNDS)
    assert len(read_members(packed([("a.csv", noise(50_000))]), ["a.csv"], BOUNDS)["a.csv"]) == 50_000


def test_all_wanted_members_together():
    content = packed([("a.csv", noise(40_001)), ("b.csv", noise(40_000, 2)), ("c.csv", noise(40_000, 3))])
    with pytest.raises(ZipRefused, match="total_bytes"):
        read_members(content, ["a.csv", "b.csv"], BOUNDS)
    assert set(read_members(content, ["b.csv", "c.csv"], BOUNDS)) == {"b.csv", "c.csv"}


def test_a_bomb():
    with pytest.raises(ZipRefused, match="bound ratio of 100"):
        read_members(packed([("a.csv", bytes(49_000))]), ["a.csv"], BOUNDS)
    wide = BOUNDS.model_copy(update={"member_bytes": 10**9, "total_bytes": 10**9})
    with pytest.raises(ZipRefused, match="bound ratio"):
        read_members(packed([("a.csv", bytes(60_000_000))]), ["a.csv"], wide)


def test_a_bomb_that_nobody_asked_for_is_not_unpacked():
    assert read_members(packed([("bomb", bytes(60_000_000)), ("a.csv", CSV)]), ["a.csv"], BOUNDS) == {"a.csv": CSV}


# --- lies and damage ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("declared", [5, 31, 33, 49_999, 0xFFFF_FFFE])
def test_a_member_of_another_size_than_declared(declared):
    content = patched(packed([("a.csv", CSV)], zipfile.ZIP_DEFLATED), 24, struct.pack("<L", declared))
    with pytest.raises(ZipRefused):
        read_members(content, ["a.csv"], BOUNDS.model_copy(update={"ratio": 1_100}))


def test_a_bomb_that_declares_to_be_small():
    content = patched(packed([("a.csv", bytes(5_000_000))]), 24, struct.pack("<L", 4_000))
    with pytest.raises(ZipRefused, match="CRC"):
        read_members(content, ["a.csv"], BOUNDS)


def with_zip64(size, packed_size, field=b""):
    """One member whose directory entry leaves its sizes to a 64-bit extra field."""
    body = zlib.compress(CSV, 9)[2:-4]
    extra = field or struct.pack("<2H2Q", 1, 16, size, packed_size)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 45, 0, 8, 0, 33, zlib.crc32(CSV), len(body), len(CSV), 5, 0) + b"a.csv" + body
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 45, 45, 0, 8, 0, 33, zlib.crc32(CSV), 0xFFFF_FFFF, 0xFFFF_FFFF, 5, len(extra), 0, 0, 0, 0, 0) + b"a.csv" + extra
    return local, entry, len(body)


def finished(local, entry, count=1, size=None, offset=None, count32=0xFFFF):
    """The archive with a 64-bit end record."""
    size, offset = len(entry) if size is None else size, len(local) if offset is None else offset
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(local) + len(entry), 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count32, count32, 0xFFFF_FFFF, 0xFFFF_FFFF, 0)
    return local + entry + record + locator + end


def test_an_honest_64_bit_archive_is_read():
    local, entry, packed_size = with_zip64(len(CSV), 0)
    local, entry, packed_size = with_zip64(len(CSV), packed_size)
    assert read_members(finished(local, entry), ["a.csv"], BOUNDS) == {"a.csv": CSV}


@pytest.mark.parametrize("size", [2**63, 2**40, 50_001, 33, 31, 0])
def test_64_bit_sizes_that_lie(size):
    local, entry, packed_size = with_zip64(len(CSV), 0)
    local, entry, _ = with_zip64(size, packed_size)
    with pytest.raises(ZipRefused):
        read_members(finished(local, entry), ["a.csv"], BOUNDS)


@pytest.mark.parametrize("lie", [{"count": 2**40}, {"size": 2**62}, {"size": 10}, {"offset": 2**62}, {"offset": 3}, {"count32": 21}])
def test_64_bit_end_records_that_lie(lie):
    local, entry, packed_size = with_zip64(len(CSV), 0)
    local, entry, _ = with_zip64(len(CSV), packed_size)
    with pytest.raises(ZipRefused):
        read_members(finished(local, entry, **lie), ["a.csv"], BOUNDS)


def test_a_64_bit_end_record_that_is_not_there():
    local, entry, packed_size = with_zip64(len(CSV), 0)
    content = finished(local, entry).replace(b"PK\x06\x06", b"PK\x06\x00")
    with pytest.raises(ZipRefused, match="not there"):
        read_members(content, ["a.csv"], BOUNDS)


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x05\x06", b"PK\x05\x06" + bytes(17), b"<html>", CSV, bytes(100)])
def test_what_is_no_zip_archive(content):
    with pytest.raises(ZipRefused):
        read_members(content, ["a.csv"], BOUNDS)


def test_an_empty_archive_has_no_members():
    assert read_members(packed([]), ["a.csv"], BOUNDS) == {}


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6), st.integers(0, 400))
def test_damaged_archives_are_refused_by_name_or_read_right(changes, cut):
    whole = packed([("a.csv", CSV * 10), ("b.csv", noise(90))])
    damaged = bytearray(whole[:len(whole) - cut] if cut % 3 == 0 else whole)
    for place, value in changes:
        if damaged:
            damaged[place % len(damaged)] = value
    try:
        got = read_members(bytes(damaged), ["a.csv", "b.csv"], BOUNDS)
    except ZipRefused:
        return
    assert all(content in (CSV * 10, noise(90)) for content in got.values())  # checksums held
