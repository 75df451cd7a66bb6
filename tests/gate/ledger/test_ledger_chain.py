"""What a ledger holds and gives back, and that no alteration of it stays unseen."""

import dataclasses
import hashlib
import json
import shutil
import subprocess

import pytest
from ledger_books import fill, moment
from hypothesis import given, settings
from hypothesis import strategies as st

from siiq_core.errors import LedgerDamaged, LedgerError
from siiq_core.gate.entry import START, Head
from siiq_core.gate.ledger import Ledger

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUE = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
                     lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8)
BODIES = st.lists(st.dictionaries(TEXT, VALUE, max_size=3), min_size=1, max_size=5)
AT = "2026-08-01T09:00:00Z"


@settings(max_examples=60)
@given(bodies=BODIES)
def test_what_is_appended_is_read(bodies, tmp_path_factory):
    path = tmp_path_factory.mktemp("ledger") / "ledger.jsonl"
    ledger = Ledger.open(path)
    with ledger.writing():
        made = [ledger.append("entry", moment(n), body) for n, body in enumerate(bodies)]
    assert list(Ledger.open(path).entries()) == made
    assert [x.body for x in made] == bodies and [x.at for x in made] == [moment(n) for n in range(len(bodies))]
    assert ledger.head == ledger.verify() == made[-1].head


def test_the_form_of_a_line(path):
    """Said without the code that makes it: sorted keys, six of them, SHA-256 of the line without its own."""
    fill(path, 3)
    before = ""
    lines = path.read_bytes().splitlines(keepends=True)
    for n, line in enumerate(lines, 1):
        said = json.loads(line)
        assert list(said) == ["at", "body", "kind", "n", "prev", "sha256"] and said["n"] == n and said["prev"] == before
        before = said.pop("sha256")
        bare = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
        assert hashlib.sha256(bare.encode("utf-8")).hexdigest() == before
    assert len(lines) == 3


@pytest.mark.skipif(not all(map(shutil.which, ("sed", "sha256sum"))), reason="no sed or sha256sum here")
def test_a_line_is_checked_without_our_programs(path, root):
    """As ops/README.md says."""
    fill(path, 8)
    command = next(x for x in (root / "ops" / "README.md").read_text(encoding="utf-8").splitlines() if x.startswith("    sed -n 7p")).partition("  #")[0]
    said = subprocess.run(["sh", "-c", command.replace("data/ledger.jsonl", str(path))], capture_output=True, text=True, check=True)
    assert said.stdout.split()[0] == list(Ledger.open(path).entries())[6].sha256


def test_every_place_is_one_to_go_on_from(path):
    ledger = fill(path, 12)
    whole = list(ledger.entries())
    assert [x.n for x in whole] == list(range(1, 13))
    for n, entry in enumerate(whole, 1):
        assert list(ledger.entries(after=entry.head)) == whole[n:]
        assert path.read_bytes()[entry.offset:].startswith(b'{"at":') and ledger.stands(entry.head)
    assert ledger.stands(START) and not ledger.stands(Head(0, "", 7))


def test_going_on_does_not_read_what_was_before(path):
    """The cost is that of the new lines: the old ones may even be spoilt."""
    ledger = fill(path, 200)
    place = list(ledger.entries())[197].head
    content = path.read_bytes()
    path.write_bytes(b"?" * (place.offset - 1) + content[place.offset - 1:])
    assert [x.n for x in ledger.entries(after=place)] == [199, 200] and ledger.head.n == 200
    with ledger.writing():
        assert ledger.append("more", moment(300), {}).n == 201
    with pytest.raises(LedgerDamaged, match="line 1 "):
        ledger.verify()


def test_until_is_inclusive(path):
    ledger = fill(path, 9)  # two entries an hour
    assert [x.n for x in ledger.entries(until="2026-08-01T01:00:00Z")] == [1, 2, 3, 4]
    assert [x.n for x in ledger.entries(until="2026-08-01T00:59:59Z")] == [1, 2]
    assert [x.n for x in ledger.entries(until="2026-07-31T23:59:59Z")] == []
    with pytest.raises(LedgerError, match="is no time.*until"):
        list(ledger.entries(until="2026-08-01"))


def test_a_place_of_another_ledger_is_refused(path, tmp_path):
    ledger, other = fill(path, 5), fill(tmp_path / "other.jsonl", 5, start=1)
    place = list(other.entries())[2].head
    wrong = [place, dataclasses.replace(ledger.head, n=4), dataclasses.replace(ledger.head, offset=ledger.head.offset - 1),
             Head(6, "ab" * 32, path.stat().st_size), Head(1, "ab" * 32, -5), Head(1, "ab" * 32, 10**30)]
    for head in wrong:
        assert not ledger.stands(head)
        with pytest.raises(LedgerDamaged, match="is not where it stood"):
            list(ledger.entries(after=head))
    with pytest.raises(LedgerDamaged, match="is not where it stood"):
        list(Ledger.open(tmp_path / "none.jsonl").entries(after=place))


def test_every_truncation_leaves_exactly_the_lines_that_are_whole(path):
    whole = list(fill(path, 4).entries())
    content, ends = path.read_bytes(), [x.offset for x in whole[1:]] + [path.stat().st_size]
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        kept = [x for x, end in zip(whole, ends) if end <= length]
        ledger = Ledger.open(path)
        assert list(ledger.entries()) == kept and ledger.head == (kept[-1].head if kept else START)
        if length % 17 == 0:  # and one writes on after it
            with ledger.writing():
                ledger.append("more", moment(9), {})
            assert [x.n for x in ledger.entries()] == list(range(1, len(kept) + 2)) and ledger.verify().n == len(kept) + 1


@settings(max_examples=300)
@given(data=st.data())
def test_any_altered_byte_of_an_earlier_line_is_found(data, spoiled):
    ledger, content, last = spoiled
    position = data.draw(st.integers(0, last - 1), label="byte")
    byte = data.draw(st.integers(0, 255).filter(lambda x: x != content[position]), label="becomes")
    ledger.path.write_bytes(content[:position] + bytes([byte]) + content[position + 1:])
    with pytest.raises(LedgerDamaged) as refusal:
        ledger.verify()
    row = content[:position].count(b"\n") + 1
    assert refusal.value.row == row and refusal.value.file == "ledger.jsonl" and refusal.value.remedy


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory):
    """A ledger, its bytes, and where its last line begins."""
    path = tmp_path_factory.mktemp("spoiled") / "ledger.jsonl"
    ledger = fill(path, 5)
    return ledger, path.read_bytes(), ledger.head.offset


def test_every_flipped_bit_of_an_earlier_line_is_found(spoiled):
    ledger, content, last = spoiled
    for position in range(0, last, 3):
        ledger.path.write_bytes(content[:position] + bytes([content[position] ^ 1 << position % 8]) + content[position + 1:])
        with pytest.raises(LedgerDamaged):
            ledger.verify()


@pytest.mark.parametrize("spoil, row, why", [
    (lambda x: x[:2] + x[3:], 3, "lines are missing"),
    (lambda x: x[:3] + x[2:], 4, "twice"),
    (lambda x: [x[1], x[0], *x[2:]], 1, "out of order"),
    (lambda x: x[1:], 1, "lines are missing"),
    (lambda x: [x[0], x[1][:40] + b"\n", *x[2:]], 2, "is no JSON"),
    (lambda x: [x[0], x[1][:40] + x[1][60:], *x[2:]], 2, ""),
    (lambda x: [x[0], b"\n", *x[1:]], 2, "is no JSON"),
    (lambda x: [x[0].replace(b'"n":0', b'"n":1'), *x[1:]], 1, "has been altered"),
    (lambda x: [x[0].replace(b',"kind"', b', "kind"'), *x[1:]], 1, "has been altered"),
    (lambda x: [line.replace(b"\n", b"\r\n") for line in x], 1, ""),
    (lambda x: [b"\xef\xbb\xbf" + x[0], *x[1:]], 1, "is no JSON"),
    (lambda x: [b"".join(x).decode().encode("utf-16")], 1, "is no JSON"),
    (lambda x: [b"".join(x).decode().encode("gb18030")], 1, "is no JSON"),
    (lambda x: [*x[:2], b"[" * 100_000 + b"\n", *x[2:]], 3, "is no JSON"),
    (lambda x: [*x[:2], b'{"n":' + b"9" * 5000 + b"}\n", *x[2:]], 3, "is no JSON"),
    (lambda x: [*x[:2], b"[1]\n", *x[2:]], 3, "is not of the form"),
])
def test_damage_is_named_with_its_line(spoil, row, why, path):
    ledger = fill(path, 5)
    path.write_bytes(b"".join(spoil(path.read_bytes().splitlines(keepends=True))))
    with pytest.raises(LedgerDamaged, match=f"line {row} .*{why}.*ops/README.md"):
        ledger.verify()


def forged(body: bytes, at: bytes = b"2026-08-01T00:00:00Z", n: int = 1, kind: bytes = b'"kind":"entry",') -> bytes:
    """A line with a seal that fits."""
    bare = b'{"at":"' + at + b'","body":' + body + b"," + kind + b'"n":%d,"prev":""}\n' % n
    return bare[:-2] + b',"sha256":"' + hashlib.sha256(bare).hexdigest().encode() + b'"}\n'


@pytest.mark.parametrize("line", [
    forged(b'{"a":1,"a":2}'), forged(b'{"b":1,"a":2}'), forged(b'{"a":NaN}'), forged(b'{"a":1e999}'), forged(b'{"a":1.0e0}'), forged(b'{"a": 1}'),
    forged(b'{"a":"\\ud800"}'), forged(b'{"a":"\\u00e4"}'), forged(b"[]"), forged(b"{}", at=b"2026-08-01T00:00:00+00:00"), forged(b"{}", at=b"2026-02-30T00:00:00Z"),
    forged(b'{},"extra":1'), forged(b"{}", kind=b""), forged(b"{}", kind=b'"kind":1,'), forged(b"{}", n=0), forged(b"{}").replace(b'"kind":"entry"', b'"kind":"extra"'),
])
def test_a_line_that_is_sealed_but_not_canonical_is_damage(line, path):
    path.parent.mkdir()
    path.write_bytes(forged(b"{}"))
    assert Ledger.open(path).verify().n == 1
    path.write_bytes(line)
    with pytest.raises(LedgerDamaged, match="line 1 "):
        Ledger.open(path)


def test_the_last_line_altered_is_damage_for_reader_and_writer(path):
    ledger = fill(path, 5)
    content = path.read_bytes()
    path.write_bytes(content[:-20] + b"?" + content[-19:])
    for ask in (Ledger.open, lambda p: ledger.head, lambda p: ledger.writing().__enter__(), lambda p: ledger.verify()):
        with pytest.raises(LedgerDamaged, match="line 5 "):
            ask(path)
    assert len(path.read_bytes()) == len(content)


def test_a_time_that_goes_back_in_the_file_is_damage(path):
    ledger = fill(path, 4)
    lines = path.read_bytes().splitlines(keepends=True)
    said = json.loads(lines[3])
    digest = said.pop("sha256")
    bare = lines[3].replace(said["at"].encode(), b"2026-07-01T00:00:00Z").replace(f',"sha256":"{digest}"'.encode(), b"")
    path.write_bytes(b"".join(lines[:3]) + bare[:-2] + b',"sha256":"' + hashlib.sha256(bare).hexdigest().encode() + b'"}\n')
    with pytest.raises(LedgerDamaged, match="line 4 .*before the line above"):
        ledger.verify()


def test_a_line_altered_and_sealed_anew_shows_in_the_next(path):
    ledger = fill(path, 5)
    lines = path.read_bytes().splitlines(keepends=True)
    bare = lines[1][: lines[1].index(b',"sha256":')] + b"}\n"
    bare = bare.replace(b'"n":1,', b'"n":7,', 1)
    altered = bare[:-2] + b',"sha256":"' + hashlib.sha256(bare).hexdigest().encode() + b'"}\n'
    assert altered != lines[1]
    path.write_bytes(b"".join([lines[0], altered, *lines[2:]]))
    with pytest.raises(LedgerDamaged, match="line 3 does not follow"):
        ledger.verify()


def test_a_line_beyond_the_bound_is_refused_unread(path):
    fill(path, 3)
    content = path.read_bytes()
    longest = max(map(len, content.splitlines(keepends=True)))
    assert Ledger.open(path, line_bytes=longest).verify().n == 3
    with pytest.raises(LedgerDamaged, match="is longer than"):
        Ledger.open(path, line_bytes=longest - 1).verify()
    small = Ledger.open(path, line_bytes=2_000)
    with path.open("r+b") as stream:
        stream.truncate(2_000_000_000)  # a hole: 2 GB that take no room
    for line, ask in (("the last line", lambda: Ledger.open(path, line_bytes=2_000)), ("the last line", lambda: small.writing().__enter__()),
                      ("line 4", lambda: list(small.entries()))):
        with pytest.raises(LedgerDamaged, match=f"{line} is longer than the 2,000 bytes"):
            ask()
    assert path.stat().st_size == 2_000_000_000
