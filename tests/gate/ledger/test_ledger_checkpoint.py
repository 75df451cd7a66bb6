"""A checkpoint is used only where it is what was saved, for this code, this ledger and this place."""

import dataclasses
import json

import pytest
from ledger_books import fill, moment

from siiq_core.errors import SiiqError
from siiq_core.files import sha256
from siiq_core.gate import checkpoint
from siiq_core.gate.entry import START, Head
from siiq_core.gate.ledger import Ledger

STATE = b'{"state":1}\n\x00\xff\n'


@pytest.fixture
def kept(path, tmp_path):
    """A ledger of five entries, and a checkpoint after them."""
    ledger = fill(path, 5)
    place = tmp_path / "cache" / "gate.checkpoint"
    checkpoint.save(place, ledger.head, "code 1", STATE)
    return place, ledger


@pytest.mark.parametrize("state", [b"", STATE, b"\n" * 3])
def test_what_is_saved_is_loaded(state, kept):
    place, ledger = kept
    checkpoint.save(place, ledger.head, "code 1", state)
    assert checkpoint.load(place, ledger, "code 1") == (ledger.head, state)


def test_it_stays_good_as_the_ledger_grows_and_leads_to_what_is_new(kept):
    place, ledger = kept
    with ledger.writing():
        ledger.append("more", moment(9), {})
    head, state = checkpoint.load(place, ledger, "code 1")
    assert head.n == 5 and state == STATE and [x.n for x in ledger.entries(after=head)] == [6]


def test_the_state_before_the_first_entry(tmp_path):
    ledger, place = Ledger.open(tmp_path / "none.jsonl"), tmp_path / "c"
    checkpoint.save(place, START, "code 1", STATE)
    assert checkpoint.load(place, ledger, "code 1") == (START, STATE)


def test_other_code_or_parameters(kept):
    place, ledger = kept
    assert checkpoint.load(place, ledger, "code 2") is None and checkpoint.load(place, ledger, "") is None


def test_nothing_there_or_nothing_of_the_kind(kept, tmp_path):
    place, ledger = kept
    assert checkpoint.load(tmp_path / "none", ledger, "code 1") is None and checkpoint.load(tmp_path, ledger, "code 1") is None
    for content in (b"", b"\n", b"x", sha256(b"").encode() + b"\n", b"\xff" * 300):
        place.write_bytes(content)
        assert checkpoint.load(place, ledger, "code 1") is None


def test_every_truncation_and_every_altered_byte(kept):
    place, ledger = kept
    content = place.read_bytes()
    for n in range(len(content)):
        place.write_bytes(content[:n])
        assert checkpoint.load(place, ledger, "code 1") is None
        place.write_bytes(content[:n] + bytes([content[n] ^ 1]) + content[n + 1:])
        assert checkpoint.load(place, ledger, "code 1") is None


@pytest.mark.parametrize("header", [b"[]", b"{}", b"null", b'{"fingerprint":"code 1","n":"5","offset":"0","sha256":1}', b'{"fingerprint":"code 1","n":5,"offset":[],"sha256":""}',
                                    b'{"fingerprint":"code 1","n":5,"offset":-1,"sha256":""}', b"[" * 100_000])
def test_a_sound_digest_over_nonsense(header, kept):
    place, ledger = kept
    content = header + b"\n" + STATE
    place.write_bytes(sha256(content).encode() + b"\n" + content)
    assert checkpoint.load(place, ledger, "code 1") is None


def test_a_place_that_is_not_in_the_ledger(kept):
    place, ledger = kept
    head = ledger.head
    for wrong in (dataclasses.replace(head, n=4), dataclasses.replace(head, offset=head.offset + 1), dataclasses.replace(head, sha256="ab" * 32), Head(0, "", 1)):
        checkpoint.save(place, wrong, "code 1", STATE)
        assert checkpoint.load(place, ledger, "code 1") is None


@pytest.mark.parametrize("spoil", [
    lambda x: x[:-1],  # the last line, no longer acknowledged
    lambda x: b"".join(x.splitlines(keepends=True)[:4]),  # an older copy
    lambda x: x[:-30] + b"?" + x[-29:],
    lambda x: b"",
])
def test_never_over_the_ledger(spoil, kept):
    place, ledger = kept
    ledger.path.write_bytes(spoil(ledger.path.read_bytes()))
    assert checkpoint.load(place, ledger, "code 1") is None


def test_a_ledger_of_the_same_length_with_other_content(kept, tmp_path):
    place, ledger = kept
    other = Ledger.open(tmp_path / "other.jsonl")
    with other.writing():
        for entry in ledger.entries():
            other.append(entry.kind[::-1], entry.at, entry.body)
    assert other.head.offset == ledger.head.offset and checkpoint.load(place, other, "code 1") is None


def test_it_is_swapped_in_and_leaves_nothing_beside(kept, monkeypatch):
    place, ledger = kept
    (place.parent / f".{place.name}.abc.aside").write_bytes(b"of a killed run")
    checkpoint.save(place, ledger.head, "code 1", b"new")
    assert [x.name for x in place.parent.iterdir()] == [place.name]

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("siiq_core.files.os.fsync", full)
    with pytest.raises(SiiqError, match="cannot be written"):
        checkpoint.save(place, ledger.head, "code 1", b"newer")
    assert [x.name for x in place.parent.iterdir()] == [place.name] and checkpoint.load(place, ledger, "code 1") == (ledger.head, b"new")


def test_one_too_large_is_none(kept, monkeypatch):
    place, ledger = kept
    monkeypatch.setattr(checkpoint, "MOST_BYTES", place.stat().st_size - 1)
    assert checkpoint.load(place, ledger, "code 1") is None


def test_the_file_can_be_read_by_a_person(kept):
    first, second, rest = kept[0].read_bytes().split(b"\n", 2)
    assert first.decode() == sha256(second + b"\n" + rest) and json.loads(second)["fingerprint"] == "code 1" and rest == STATE
