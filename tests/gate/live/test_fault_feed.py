"""The fault feed's kinds that can reach the gate, each through a whole cycle: what stands afterwards, and that all else moves.

Kinds of numbers in brackets are those of the fault feed. What the reading alone has to refuse is tested with the reading.
"""

from __future__ import annotations

import pytest
from kinds import KINDS, METADATA, table, yaml_list
from loopback import File
from world import openrouter_export, openrouter_row

from tests.gate.village import changed

GPQA = "gpqa-diamond-epoch"


def gpqa(village, edit):
    """The bundle with another gpqa_diamond.csv."""
    files = village.epoch()
    village.raw["epoch"] = {**files, "gpqa_diamond.csv": edit(files["gpqa_diamond.csv"])}


def cell(number, **cells):
    return lambda content: changed(content, number, **cells)


def more(*rows):
    """The same file with more rows, each as the first row with other cells."""
    def edit(content):
        head = {"Model version": "nova-1", "Best score (across scorers)": "0.4", "stderr": "0.03", "Started at": "2026-02-20T01:57:10Z", "id": "gp-nova-1"}
        return content + table([head, *({**head, **row} for row in rows)]).split(b"\r\n", 2)[2]
    return edit


SCORE, NAME = "Best score (across scorers)", "Model version"
STAYS = {"nothing": {}, "failed": ("failed", "U6a", "epoch"), "frozen": ("frozen", "U6b", GPQA)}

# (kind, what the bundle's GPQA file becomes, what stands of the source or benchmark, what of it is published anew)
FEED = [
    ("1: the same row twice", more({}), None, {}),
    ("1: the same key, another score, undated", lambda c: more({SCORE: "0.43", "Started at": "", "id": "r9"})(changed(c, 1, **{"Started at": ""})), None, {}),
    ("1: the same key, another score, a newer run", more({SCORE: "0.43", "Started at": "2026-03-01T00:00:00Z", "id": "r9"}), None, {"nova-1": 0.43}),
    ("1: two settings of one version, the better counts (P1)", more({NAME: "nova-1_high", SCORE: "0.43"}), None, {"nova-1": 0.43}),
    ("2: a column partly in per cent", cell(3, **{SCORE: "61.0"}), "failed", {}),
    ("2: per cent for a fraction", cell(3, **{SCORE: "85"}), "failed", {}),
    ("3: a standard error in another unit, and of 0", lambda c: changed(changed(c, 1, stderr="3.4"), 2, stderr="0"), None, {}),
    ("4: no number is no result", cell(2, **{SCORE: ""}), None, {}),
    ("6: the score column renamed", lambda c: c.replace(SCORE.encode(), b"Best score"), "frozen", {}),
    ("6: the key column gone", lambda c: c.replace(b"Model version", b"Version"), "failed", {}),
    ("6: another column comes", lambda c: table([{**row, "Mood": "good"} for row in rows_of(c)]), None, {}),
    ("7: a number no count of questions gives", cell(2, **{SCORE: "0.4873"}), None, {"nova-2": 0.4873}),
    ("8: above one", cell(2, **{SCORE: "1.02"}), "failed", {}),
    ("9: an effort that is listed is a setting", cell(2, **{NAME: "nova-2_high", SCORE: "0.46"}), None, {"nova-2": 0.46}),
    ("10: a mangled name waits", cell(2, **{NAME: "nova2 .5 plus"}), None, {}),
    ("10: blanks around a name are none", cell(2, **{NAME: " nova-2 \n", SCORE: "0.46"}), None, {"nova-2": 0.46}),
    ("11: a byte-order mark and quoted line breaks", lambda c: b"\xef\xbb\xbf" + table([{**row, "Notes": "one\ntwo"} for row in rows_of(c)]), None, {}),
    ("11: a decimal comma", cell(2, **{SCORE: "0,46"}), "failed", {}),
    ("12: a time zone moves no day", cell(2, **{SCORE: "0.46", "Started at": "2026-02-20T23:57:10-11:00"}), None, {"nova-2": 0.46}),
    ("18: rows in another order", lambda c: table(rows_of(c)[::-1]), None, {}),
    ("24: hostile names", more({NAME: "<img src=x onerror=alert(1)>"}, {NAME: "=HYPERLINK(1)"}, {NAME: "../../x"}, {NAME: "n" * 10_000}, {NAME: "no\u202eva"}), None, {}),
]


def rows_of(content):
    import csv
    import io

    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


@pytest.mark.parametrize(("kind", "edit", "stands", "anew"), FEED, ids=[x[0] for x in FEED])
def test_a_kind_of_fault_in_the_bundle(kind, edit, stands, anew, village):
    """After an hour and after another seven (U8): what the fault touched is as it was, what it did not has moved."""
    before = village.public
    gpqa(village, edit)
    village.scores["aider-polyglot"]["nova-1"] = 0.305
    assert village.turn() == 0
    wanted = before | {"nova-1/aider-polyglot": 0.305} | {f"{m}/{GPQA}": x for m, x in anew.items()}
    assert village.public == pytest.approx(wanted)
    assert village.stands == ({STAYS[stands]} if stands else set()) or {x[:2] for x in village.stands} == {STAYS[stands][:2]}
    leaves = kind in ("4: no number is no result", "10: a mangled name waits")  # nova-2 would lose its rank with it, so that waits once more (U11)
    assert village.turn(7) == (3 if leaves else 0) and village.public == pytest.approx(wanted)
    if leaves:
        assert [village.turn() for _ in range(5)] == [3] * 4 + [0] and village.public == pytest.approx({k: x for k, x in wanted.items() if k != f"nova-2/{GPQA}"})
    published = village.state.published
    assert all(x.checked is not None and x.checked.confirmed for x in published.values())


def test_5_a_superseded_benchmark_freezes_alone(village):
    """U6b: and waits for a person, whatever else its file says."""
    files = village.epoch()
    village.raw["epoch"] = {**files, "gpqa_diamond.csv": changed(files["gpqa_diamond.csv"], 2, **{SCORE: "0.46"}),
                            "otis_mock_aime_2024_2025.csv": changed(files["otis_mock_aime_2024_2025.csv"], 2, **{SCORE: "0.36"}),
                            "benchmark_metadata.csv": (METADATA + f"GPQA Diamond,true,gpqa_diamond.csv,{SCORE},1,0.25,,2023-11-20,GPQA v2\n").encode()}
    before = village.public
    assert village.turn() == 0 and village.turn(30) == 0
    assert village.stands == {STAYS["frozen"]} and village.public == pytest.approx(before | {"nova-2/otis-mock-aime": 0.36})


def test_8_below_chance_is_held_for_its_distance_alone(village):
    """8, U3a: legal and flagged; twenty-four points down, so it waits for another content."""
    gpqa(village, cell(2, **{SCORE: "0.2"}))
    before = village.public
    assert village.turn() == 0 and village.stands == {("held", "U3a", f"nova-2/{GPQA}")} and village.public == before


def test_22_validators_and_a_304(village, village_publisher):
    """Weak and strong validators are one; a 304 is no snapshot; a re-zipped archive is none either."""
    village.turn()
    kinds = len(village.world.desk.archive.sightings("epoch")) if hasattr(village.world.desk.archive.sightings("epoch"), "__len__") else len(list(village.world.desk.archive.sightings("epoch")))
    before, state = village.public, village.state
    village.world.serve("epoch", village.epoch(), etag='"strong"')
    for _ in range(3):
        village.pace.sleep(3600)
        assert village.update() == 0
    assert village.public == before and village.state.sources["epoch"].good == state.sources["epoch"].good
    assert len(list(village.world.desk.archive.sightings("epoch"))) == kinds


def test_22_openrouter_bytes_that_are_not_the_manifest_s(village):
    """A file whose SHA-256 is not the pinned one is refused; what stood stays."""
    village.turn()
    content = openrouter_export(openrouter_row("nova-lab/nova-1-20260102", accuracy=0.9), day="2026-11-25")
    village.raw["openrouter"] = content
    village.serve()
    address = village.world.spec("openrouter").file_address("2026-11-25", "benchmark-leaderboard")
    village.world.route("openrouter", address, File(content.replace(b"0.9", b"0.8")))
    village.pace.sleep(3600)
    assert village.update() == 0 and village.stands == {("failed", "U6a", "openrouter")}


def test_25_sizes_are_bounded(village):
    """An archive that unpacks to far more than it may is refused with the bound; nothing else is lost."""
    before = village.public
    village.raw["epoch"] = {**village.epoch(), "gpqa_diamond.csv": b"Model version\n" + b"x\n" * 60_000_000}
    village.scores["aider-polyglot"]["nova-1"] = 0.305
    assert village.turn() == 0
    assert village.stands == {("failed", "U6a", "epoch")} and village.public == pytest.approx(before | {"nova-1/aider-polyglot": 0.305})


@pytest.mark.parametrize("source", ["aider", "bfcl"])
def test_other_publishers_numbers_out_of_range(source, village):
    kind = KINDS[source]
    rows = [{**kind.rows[0], kind.name: m, kind.score: "104.0"} for m in ("nova-1",)] + [{**kind.rows[0], kind.name: f"nova-{k}", kind.score: "50.0"} for k in range(2, 9)]
    village.raw[source] = (yaml_list if source == "aider" else table)(rows)
    before = village.public
    assert village.turn() == 0 and village.stands == {("failed", "U6a", source)} and village.public == before
