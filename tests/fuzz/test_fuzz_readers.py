"""Any bytes give records or a named refusal, for every reader of outside bytes (fuzz_targets.py): contents mutated from fixed
seeds, every find of the longer runs as a case, and contents that would take a reader's time or memory."""

import time
from pathlib import Path
from random import Random

import pytest
from fuzz_mutations import mutated
from fuzz_targets import LONGEST_MESSAGE, TARGETS, Find, Target, check, told

from siiq_core.errors import SiiqError, SourceError

CASES = sorted((Path(__file__).parent / "cases").glob("*/*"))
TRIES = 25  # per target, so that all of it takes a few seconds


@pytest.fixture
def folder(tmp_path):
    """A folder with nothing beside it."""
    made = tmp_path / "in" / "folder"
    made.mkdir(parents=True)
    return made


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read_and_what_is_made_of_them_is_read_or_refused(name, folder):
    target = TARGETS[name]
    seeds = target.seeds()
    for content in seeds:
        target.read(content, folder)
    for number in range(TRIES):
        random = Random(f"{name}/{number}")
        check(target, mutated(random.choice(seeds), random), folder)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_once_stays_mended(path, folder):
    check(TARGETS[path.parent.name.replace("-", " ")], path.read_bytes(), folder)


def test_every_case_has_a_target_and_is_small():
    assert len(CASES) >= 15 and all(path.parent.name.replace("-", " ") in TARGETS and path.stat().st_size < 40_000 for path in CASES)


# --- time and memory --------------------------------------------------------------------------------------------------

_ROW = b"nova-1,0.5,,,1\r\n"
LARGE = [
    ("epoch scores", b"Model version,Best score (across scorers),stderr,Started at,id\r\n" + _ROW * 60_000),  # more rows than the bound
    ("epoch scores", b",".join(b"c%d" % k for k in range(200_000))),  # columns
    ("epoch scores", b'Model version,id\r\n"' + b"x" * 2_000_000),  # a quotation that never ends
    ("aider", b"[" * 50_000), ("aider", b"- a: &a [" + b"*a," * 50_000), ("aider", b"? " * 20_000), ("aider", b"- {model: a, pass_rate_2: 1" + b", a: 1" * 20_000 + b"}"),
    ("litellm", b"[" * 500_000), ("litellm", b'{"a":' * 200_000), ("litellm", b"{" + b",".join(b'"%d":0' % k for k in range(200_000)) + b',"199999":0}'),  # a name twice, at the very end
    ("modelsdev toml", b"a." * 100_000 + b"a = 1"), ("modelsdev toml", b"[" * 9_999), ("modelsdev toml", b"a=" + b"9" * 9_900), ("modelsdev api", b'{"openai":{"models":{"m":{"k":' + b"[" * 700 + b"]" * 700 + b"}}}}"),
    ("index bytes", b"[" * 500_000), ("index bytes", b"{" + b",".join(b'"%d":0' % k for k in range(200_000)) + b',"199999":0}'), ("index bytes", b'{"a":' + b"9" * 1_000_000 + b"}"),
    ("calibration inputs", b"slug,benchmark,score\n" + b"a,b,0.5\n" * 100_000), ("own rows", b"model,benchmark,score\n" + b"a,b00,0.5\n" * 100_000),
    ("ledger lines", b"x" * 3_000_000), ("ledger lines", b"\n" * 1_000_000), ("checker answers", b'{"answers":' + b"[" * 500_000), ("checker answers", b"<think>" * 200_000),
    ("names", b" (high)" * 50_000), ("names", b"a-" * 50_000), ("names", "ﷺ".encode() * 20_000), ("names", b"a\ta\n" * 5_000),
]


@pytest.mark.parametrize(("name", "content"), LARGE, ids=lambda x: x if isinstance(x, str) else f"{len(x)} bytes")
def test_what_is_made_to_take_long_does_not(name, content, folder):
    begun = time.process_time()
    check(TARGETS[name], content, folder)
    assert time.process_time() - begun < 20  # on a slow machine; each takes a second or two at the most


# --- the look itself --------------------------------------------------------------------------------------------------


def _made(read):
    return Target("made up", read, list)


def _refuse(**where):
    def read(content, folder):
        raise SourceError(content.decode(), **where)

    return read


def test_the_look_sees_what_is_broken(folder):
    """A reader that lets another exception through, names no file, writes beside its folder: each is a find."""
    check(_made(_refuse(file="a")), b"is wrong", folder)
    with pytest.raises(Find, match="no file"):
        check(_made(_refuse()), b"is wrong", folder)
    with pytest.raises(ZeroDivisionError):
        check(_made(lambda content, place: 1 / 0), b"", folder)
    with pytest.raises(Find, match="outside"):
        check(_made(lambda content, place: (place.parent / "x").write_bytes(content)), b"", folder)
    for spoilt in ("a\x1b[2Jb", "a\u202eb", "a" * (LONGEST_MESSAGE + 1)):
        class Raw(SiiqError):
            def __str__(self):
                return spoilt  # noqa: B023

        with pytest.raises(Find):
            told(Raw("x", file="a"))


def test_every_refusal_is_one_short_line_for_a_terminal():
    text = str(SourceError("a\n\x1b[2J\u202e\ud800" + "b" * 10_000, file="t.csv", column="c\u2028" * 500, remedy="d\x00" * 3_000))
    assert text.isprintable() and len(text) < LONGEST_MESSAGE and text.startswith("a \\u001b[2J\\u202e\\ud800bb") and "… (" in text


def test_the_same_seed_makes_the_same_content():
    for name, target in TARGETS.items():
        seed = target.seeds()[0]
        made = [mutated(seed, Random(f"{name}/{k}")) for k in range(12)]
        assert made == [mutated(seed, Random(f"{name}/{k}")) for k in range(12)] and sum(x != seed for x in made) > 6
