"""The fault feed's kinds 9 to 13, 22, 24 and 25, for every adapter: names, ways to write, days, units, conditions, hostile input.

A test names the kind of fault; its table has a line for each adapter, or says why an adapter has none.
"""

from __future__ import annotations

import json
import os
import re
import time

import naming
import pytest
from bench import changed
from kinds import KINDS, PRICED, epoch_files
from loopback import File, raw
from world import SOURCES, zipped

from siiq_core.evidence.identity import Match
from siiq_core.evidence.live.reading import replay
from siiq_core.evidence.prices.amounts import Refused, price_list
from siiq_core.evidence.prices.statements import statements

BOM = b"\xef\xbb\xbf"
HOSTILE = ("<img src=x onerror=alert(1)>", '=HYPERLINK("https://example.org")', "../../x", "n" * 10_000, "nova\u202e1", "nova\u200b-1\u0007")

# --- 9, 10: names ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_9_tiers_dates_and_versions_in_a_name(source):
    models = naming.index(("nova-coder-highspeed", "Nova Coder Highspeed"), ("nova-coder_high", "Nova Coder"), ("nova-r1", "Nova-R1"), ("nova-r1-0528", "Nova-R1 (May 2025)"),
                          ("nova-4-6", "Nova 4.6"))
    found = {name: models.match(source, name) for name in ("nova-coder_high", "nova-coder-highspeed", "Nova-R1", "Nova-R1 (May 2025)", "nova-4-60", "nova-4-6", "nova-r1 (0601)")}
    slugs = {name: match.slug if isinstance(match, Match) else None for name, match in found.items()}
    assert slugs == {"nova-coder_high": "nova-coder", "nova-coder-highspeed": "nova-coder-highspeed", "Nova-R1": "nova-r1", "Nova-R1 (May 2025)": "nova-r1-may-2025",
                     "nova-4-60": None, "nova-4-6": "nova-4.6", "nova-r1 (0601)": None}
    assert found["nova-4-60"].waits and found["nova-r1 (0601)"].waits


@pytest.mark.parametrize("source", SOURCES)
def test_10_a_mangled_name_is_kept_raw_and_trimmed_for_matching(source, bench):
    here = bench(source)
    snapshot = here.accepted(changed(here.kind, 1, name=" Nova 7B\n") if source != "modelsdev" else here.kind.content().replace(b'"nova-1":', b'" Nova 7B\\n":'))
    assert " Nova 7B\n" in [row[here.kind.name] for row in here.rows(snapshot)]
    if here.kind.benchmark:
        assert "Nova 7B" in [name for name, _ in here.scores(snapshot)]
    models = naming.index(("nova-7b", "Nova 7B"), ("nova-3.5-plus", "Nova 3.5 Plus"))
    assert models.match(source, " Nova 7B\n").slug == "nova-7b" and models.match(source, "Nova3 .5 Plus").waits


# --- 11: ways to write a table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_11_byte_order_marks_and_line_ends_change_nothing(source, bench):
    here = bench(source)
    plain = here.rows(here.snapshot)
    if source == "arena":
        page = here.world.publishers["arena"].routes[next(p for p in here.world.publishers["arena"].routes if "offset=0" in p)]
        page.content, page.etag = BOM + page.content.replace(b", ", b",\r\n"), '"other"'
        assert here.read(None, serve=False).outcome == "new" and here.rows(here.snapshot) == plain
        return
    for way in ways_to_write(source, here.kind.content()):
        assert here.rows(here.accepted(way)) == plain


def ways_to_write(source, content):
    """The same content with a byte-order mark, with other line ends, and with a line break in a quoted cell where there are any."""
    if source == "epoch":
        scores = content["gpqa_diamond.csv"]
        ways = (BOM + scores, scores.replace(b"\r\n", b"\n"), scores.replace(b",n\r\n", b',"n,\r\nn"\r\n'))
        return [{**content, "gpqa_diamond.csv": way} for way in ways]
    other = {"bfcl": (b"\r\n", b"\n"), "aider": (b"\n", b"\r\n")}.get(source, (b", ", b",\r\n"))
    return [BOM + content, content.replace(*other)]


@pytest.mark.parametrize(("source", "content", "says"), [
    ("epoch", epoch_files([]) | {"gpqa_diamond.csv": b"Model version;Best score (across scorers)\nNova-1;0,71\n"}, "not separated by commas"),
    ("epoch", epoch_files([]) | {"gpqa_diamond.csv": b"Model version,Best score (across scorers)\nNova-1;0,71\n"}, "cut at a decimal comma"),
    ("bfcl", b"Model;Overall Acc;Web Search Acc\nNova-1;0,71%;1\n", "not separated by commas"),
])
def test_11_another_separator_is_refused(source, content, says, bench):
    bench(source).refused(content, says, "U6a")


@pytest.mark.parametrize(("source", "cell"), [("epoch", "0,71"), ("aider", "71,5"), ("bfcl", "71,50%"), ("openrouter", "0,71"), ("arena", "1201,25")])
def test_11_a_decimal_comma_is_refused_never_0_or_71(source, cell, bench):
    here = bench(source)
    here.refused(changed(here.kind, 1, score=cell), "comma where a decimal point", "T4", row=1, column=here.kind.score)


# --- 12: days ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def zone():
    """Sets the machine's time zone for a while."""
    was = os.environ.get("TZ")

    def set_to(name):
        os.environ["TZ"] = name
        time.tzset()
    yield set_to
    if was is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = was
    time.tzset()


@pytest.mark.parametrize("source", SOURCES)
def test_12_no_time_zone_moves_a_day(source, bench, world, pace, zone):
    pace.sleep(11 * 3600 + 1800)  # 23:30 UTC; an hour later in the bench
    made = []
    for name in ("UTC", "America/Los_Angeles", "Pacific/Kiritimati"):
        zone(name)
        there = world(name.replace("/", "-"))
        there.serve(source, KINDS[source].content())
        there.read(pace.clock, source)
        made.append(there.everything())
    assert made[0] == made[1] == made[2] and any("2026-11-29T233000Z" in name for name in made[0])


# --- 13: units of prices -------------------------------------------------------------------------------------------------------------


def prices_of(here, snapshot):
    found = {}
    for told in statements(snapshot, snapshot.day):
        try:
            found[told.name] = price_list(told.amounts, False, here.world.desk.prices).tiers[0].input
        except Refused:
            found[told.name] = None
    return found


@pytest.mark.parametrize(("source", "cell"), [("litellm", 0.071), ("litellm", 3.0), ("modelsdev", 3e-6), ("modelsdev", 300_000.0)])
def test_13_a_price_in_another_unit_is_none_and_the_others_stay(source, cell, bench):
    here = bench(source)
    snapshot = here.accepted(changed(here.kind, 1, score=cell))
    assert prices_of(here, snapshot) == {"nova-1": None, "nova-2": 1.0, "nova-3": 1.0, "nova-4": 1.0}
    (found,) = here.world.read(here.pace.clock, source).sources
    assert "1 price in another unit, not used; the first in row 1" in found.what


@pytest.mark.parametrize(("source", "cell"), [("litellm", 3.0), ("modelsdev", 3e-6)])
def test_13_a_whole_table_in_another_unit_is_refused(source, cell, bench):
    here = bench(source)
    rows = [{**row, here.kind.score: cell} for row in here.kind.copy()]
    here.refused(here.kind.write(rows), "prices of 4 of 4 entries are in another unit", "U6a", row=1)


@pytest.mark.parametrize("source", PRICED)
@pytest.mark.parametrize("cell", [None, "", "0,71", "free"])
def test_13_no_price_is_no_price_and_not_0(source, cell, bench):
    here = bench(source)
    assert prices_of(here, here.accepted(changed(here.kind, 1, score=cell)))["nova-1"] is None


# --- 22: conditional requests ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_22_weak_and_strong_validators_a_bare_304_and_other_bytes(source, bench):
    here = bench(source)
    first = here.world.ask(source) + ("&offset=0&length=100" if source == "arena" else "")
    path = first.removeprefix(here.world.publishers[source].url(""))
    file = here.world.publishers[source].routes[path]
    here.world.publishers[source].routes[path] = File(file.content, file.etag.removeprefix("W/"))  # W/"a", then "a"
    assert here.read(None, serve=False).outcome == "unchanged"
    here.world.publishers[source].routes[path] = File(file.content, file.etag, bare_304=True)  # a 304 without an ETag
    assert here.read(None, serve=False).outcome == "unchanged" and here.read(None, serve=False).outcome == "unchanged"
    asked = [headers.get("if-none-match") for where, headers in here.world.publishers[source].asked if where == path]
    assert asked == [None] + [file.etag] * 3  # a 304 keeps the validators
    sighting = here.world.desk.archive.newest(source)
    assert [s.snapshot for s in here.world.desk.archive.sightings(source)] == [here.good.content.sighting.snapshot] and sighting.last_seen > sighting.first_seen


@pytest.mark.parametrize("source", ["aider", "bfcl", "litellm", "openrouter"])  # Epoch, Arena and models.dev promise no fixed bytes
def test_22_a_pinned_address_with_other_bytes_is_refused(source, bench):
    here = bench(source)
    (member,) = here.good.content.sighting.members
    packed = next(here.world.desk.archive.folder.rglob(f"{member.sha256}.gz"))
    good = packed.read_bytes()
    packed.write_bytes(b"damaged")  # so that the file is asked for again
    here.world.route(source, member.address, File(changed(here.kind, 1, score=here.kind.number(0.3))))
    assert "other bytes than" in here.read(None, serve=False).what
    assert len(list(here.world.desk.archive.sightings(source))) == 1 and here.world.kept(source) == here.before[0]
    here.world.route(source, member.address, File(here.kind.content()))
    assert here.read(None, serve=False).outcome == "unchanged" and packed.read_bytes() == good


# --- 24: hostile text --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_24_hostile_names_are_text(source, bench):
    here = bench(source)
    rows = [{**here.kind.copy()[0], here.kind.name: name} for name in HOSTILE]
    snapshot = here.accepted(here.kind.write(rows))
    assert sorted(row[here.kind.name] for row in here.rows(snapshot)) == sorted(HOSTILE)  # raw
    folder = here.world.desk.folder.parent
    assert all(path.resolve().is_relative_to(folder.resolve()) for path in folder.rglob("*")) and not (folder.parent / "x").exists()
    for name, content in here.world.kept(source).items():
        if name.endswith(".csv"):  # the columns are a file's name, a number, a JSON list and a JSON object: none is a formula
            assert not [line for line in content.decode().splitlines() for cell in line.split(",")[:1] if cell.lstrip('"')[:1] in tuple("=+-@")]
    assert [x.rewritten for x in replay(here.world.desk, [source])] == [False, False]
    models = naming.index(("nova-1", "Nova 1"))
    assert all(not isinstance(models.match(source, name), Match) for name in HOSTILE)


@pytest.mark.parametrize("source", SOURCES)
def test_24_a_refusal_shows_hostile_text_harmlessly(source, bench):
    here = bench(source)
    content = changed(here.kind, 1, name="\x1b[31m\u202e" + "n" * 25_000) if source != "modelsdev" else here.kind.content().replace(b'"nova-1":', b'"' + b"n" * 25_000 + b'":')
    failure = here.refused(content, "cell_characters", "U6a")
    assert failure.what.isprintable() and len(failure.what) < 1_000


# --- 25: hostile sizes -------------------------------------------------------------------------------------------------------------------


def bounded(here, **bounds):
    """The same world with other bounds of params/sources.yml."""
    common = here.world.spec(here.source).common
    spec = here.world.spec(here.source).model_copy(update={"common": common.model_copy(update={"bounds": common.bounds.model_copy(update=bounds)})})
    here.world.desk.sources[here.source] = spec


@pytest.mark.parametrize("source", SOURCES)
def test_25_more_rows_than_the_bound(source, bench):
    here = bench(source)
    bounded(here, rows=10)
    rows = [{**here.kind.copy()[0], here.kind.name: f"m{k}"} for k in range(12)]
    here.refused(here.kind.write(rows), "bound rows = 10", "U6a")


@pytest.mark.parametrize("source", SOURCES)
def test_25_a_million_columns(source, bench):
    here = bench(source)
    many = {f"c{k}": 1 for k in range(10_000)}  # beyond the bound of 300 is beyond it, and a test is quick
    here.refused(here.kind.write([{**row, **many} for row in here.kind.copy()]), "bound columns", "U6a")


@pytest.mark.parametrize("source", SOURCES)
def test_25_two_gigabytes_that_are_declared(source, bench):
    here = bench(source)
    first = here.world.ask(source) + ("&offset=0&length=100" if source == "arena" else "")
    here.world.route(source, first, raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2000000000\r\n\r\n[{"))
    here.refused(None, "more than the bound max_bytes", "U1", serve=False)


@pytest.mark.parametrize("source", ["aider", "arena", "litellm", "modelsdev", "openrouter"])  # a table of cells has no depth
def test_25_nested_too_deeply(source, bench):
    here = bench(source)
    deep = b'{"a":' * 100_000 if source != "aider" else b"[" * 100_000
    if source == "arena":
        here.world.route(source, here.world.ask(source) + "&offset=0&length=100", File(deep, '"deep"'))
    else:
        here.world.serve(source, deep)
    assert re.search("nested too deeply|no valid (JSON|YAML)", here.refused(None, "", "U6a", serve=False).what)


def test_25_an_archive_that_unpacks_to_gigabytes(bench):
    here = bench("epoch", ratio=50)
    here.refused({**here.kind.content(), "gpqa_diamond.csv": b"a,b\n" + bytes(3_000_000)}, "bound ratio", "U6a")
    packed = bytearray(zipped(here.kind.content()))
    at = packed.rfind(b"PK\x01\x02")  # the last entry of its directory
    packed[at + 24:at + 28] = (3_000_000_000).to_bytes(4, "little")  # its directory declares three gigabytes
    here.world.route("epoch", here.world.ask("epoch"), File(bytes(packed), '"bomb"'))
    here.refused(None, "3,000,000,000 bytes, more than the bound member_bytes", "U6a", serve=False)


def test_25_a_board_of_a_billion_rows(bench):
    here = bench("arena")
    page = json.dumps({"rows": [], "num_rows_total": 10**9, "partial": False}).encode()
    here.world.route("arena", here.world.ask("arena") + "&offset=0&length=100", File(page, '"many"'))
    here.refused(None, "bound rows", "U6a", serve=False)
    assert len(here.world.publishers["arena"].asked) == 2  # nobody is asked for ten million pages


def test_every_adapter_has_its_small_content():
    assert set(KINDS) == set(SOURCES) and {kind.benchmark for kind in KINDS.values()} >= {"bfcl", "aider-polyglot"}
