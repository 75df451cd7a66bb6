"""Reading inside a zip archive without unpacking it: only members that were asked for, each within bounds.

A member's name is compared with the names asked for and is never made a path. Members that nobody asked for are
counted, and otherwise neither judged nor unpacked, so that what a publisher adds (U6c) does no harm.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Collection

from siiq_core.evidence.live.refusals import ZipRefused, plain
from siiq_core.params.live import ZipBounds

_END, _END64, _LOCATOR64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_AGAIN = "fetch it again; if it stays so, tell the publisher"
_ENTRY_BYTES = 2_000  # bytes of one directory entry at the most, on average: 46, its name, extra fields, a comment


def read_members(content: bytes, wanted: Collection[str], bounds: ZipBounds, file: str = "archive.zip") -> dict[str, bytes]:
    """The members called exactly like one of `wanted`, unpacked; names without a member are missing in the answer.

    Parameters
    ----------
    content : the archive's bytes
    wanted : full member names, such as "gpqa_diamond.csv" or "folder/table.csv"
    bounds : params/live.yml, zip
    file : the archive's name, for messages

    Raises
    ------
    ZipRefused
        No zip archive or a damaged one; more members than allowed; a wanted member stands twice, is encrypted, is a
        link, packed in a way other than deflate, is larger than declared or than a bound.
    """
    try:
        _judge_directory(content, bounds, file)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > bounds.members:
                raise _beyond(file, f"holds {len(entries)} members", "members", bounds.members)
            found = _entries(entries, set(wanted), file)
            total = 0
            for name, entry in found.items():
                _judge(entry, name, bounds, file)
                total += entry.file_size
            if total > bounds.total_bytes:
                raise _beyond(file, f"its wanted members unpack to {total:,} bytes", "total_bytes", bounds.total_bytes)
            return {name: _unpack(archive, found[name], name, file) for name in sorted(found)}
    except ZipRefused:
        raise
    except Exception as error:  # zipfile raises many kinds on hostile bytes; all mean the same
        raise ZipRefused(f"is no sound zip archive ({type(error).__name__}: {plain(error)})", file=file,
                         remedy=_AGAIN) from error


def _judge_directory(content: bytes, bounds: ZipBounds, file: str) -> None:
    """Size of the directory before anything parses it: its end record, and the 64-bit one where the archive has it."""
    end = content.rfind(_END, max(0, len(content) - 22 - 65_535))
    if end < 0 or len(content) < end + 22:
        raise ZipRefused("is no zip archive: it has no end record", file=file, remedy="fetch it again; it may be cut short or a web page")
    entries, size, offset = struct.unpack("<H2L", content[end + 10:end + 20])
    # A field full of ones says "see the 64-bit record"; each of the others counts, whatever that record says.
    known = [0 if value == ones else value for value, ones in ((entries, 0xFFFF), (size, 0xFFFF_FFFF), (offset, 0xFFFF_FFFF))]
    _judge_sizes(*known, content, bounds, file)
    locator = end - 20
    if locator >= 0 and content[locator:locator + 4] == _LOCATOR64:
        record = content.rfind(_END64, 0, locator)
        if record < 0 or locator < record + 56:
            raise ZipRefused("points to a 64-bit end record that is not there", file=file, remedy=_AGAIN)
        _judge_sizes(*struct.unpack("<3Q", content[record + 32:record + 56]), content, bounds, file)


def _judge_sizes(entries: int, size: int, offset: int, content: bytes, bounds: ZipBounds, file: str) -> None:
    if entries > bounds.members:
        raise _beyond(file, f"declares {entries:,} members", "members", bounds.members)
    if offset + size > len(content) or size > bounds.members * _ENTRY_BYTES:
        raise ZipRefused(f"declares a directory of {size:,} bytes at {offset:,}, in {len(content):,} bytes", file=file, remedy=_AGAIN)


def _entries(entries: list[zipfile.ZipInfo], wanted: set[str], file: str) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.orig_filename  # as written: `filename` is cut at a zero byte
        if name not in wanted:
            continue
        if name in found:
            raise ZipRefused("a member stands twice", file=file, value=name, remedy="the archive is ambiguous; tell the publisher")
        found[name] = entry
    return found


def _judge(entry: zipfile.ZipInfo, name: str, bounds: ZipBounds, file: str) -> None:
    """What the directory says of a wanted member, before a byte of it is unpacked."""
    refuse = lambda what, remedy: ZipRefused(what, file=file, value=name, remedy=remedy)  # noqa: E731
    if entry.flag_bits & 0x2041:  # encrypted, strongly encrypted, masked directory
        raise refuse("a member is encrypted", "the publisher closed it; see how the file is offered today")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refuse(f"a member is packed by method {entry.compress_type}", "deflate or none is read; tell the publisher")
    if entry.is_dir() or stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise refuse("a member is no plain file", "a file of this name was expected; look at the archive")
    if entry.file_size > bounds.member_bytes:
        raise _beyond(file, f"a member unpacks to {entry.file_size:,} bytes", "member_bytes", bounds.member_bytes, name)
    if entry.file_size > bounds.ratio * max(entry.compress_size, 1):
        raise _beyond(file, f"a member unpacks from {entry.compress_size:,} to {entry.file_size:,} bytes", "ratio", bounds.ratio, name)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, file: str) -> bytes:
    """The member's bytes: no more than declared are ever unpacked, and its checksum must agree at the end."""
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise ZipRefused(f"a member has {len(content):,} bytes and declares {entry.file_size:,}", file=file, value=name,
                         remedy=_AGAIN)
    return content


def _beyond(file: str, what: str, bound: str, value: int, member: str | None = None) -> ZipRefused:
    return ZipRefused(f"{what}, more than the bound {bound} of {value:,}", file=file, value=member,
                      remedy=f"if the archive has really grown so much, raise zip.{bound} in params/live.yml")
