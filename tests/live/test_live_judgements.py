"""A content that is still there is judged once by the same rules, and anew by any others; what is kept wrongly is not believed."""

import dataclasses
import json

import pytest
from kinds import KINDS
from smallworld import signed

from siiq_core.evidence.live import judgements, reading
from siiq_core.evidence.live.judging import Judged
from siiq_core.files import canonical_bytes, with_digest

SOURCE = "bfcl"


@pytest.fixture
def judged(monkeypatch):
    """Sources that were judged, in order."""
    asked, real = [], reading.judge

    def judge(reader, snapshot, benchmarks, prices):
        asked.append(snapshot.source)
        return real(reader, snapshot, benchmarks, prices)

    monkeypatch.setattr(reading, "judge", judge)
    return asked


@pytest.fixture
def here(bench, judged):
    """A publisher whose content was new, and then still there."""
    made = bench(SOURCE)
    assert made.read(None, serve=False).outcome == "unchanged" and judged == [SOURCE, SOURCE]
    judged.clear()
    return made


def kept(here):
    return here.world.desk.folder / "judged" / f"{SOURCE}.json"


def again(here):
    """An hour later, nothing new."""
    found = here.read(None, serve=False)
    assert found.outcome == "unchanged", found.what
    return found.content.judged


def test_the_same_content_by_the_same_rules_is_judged_once(here, judged):
    fresh = here.good.content.judged
    assert again(here) == fresh and again(here) == fresh and judged == []
    kept(here).unlink()
    assert again(here) == fresh and judged == [SOURCE] and kept(here).is_file()


@pytest.mark.parametrize("source", sorted(KINDS))
def test_a_kept_judgement_is_the_fresh_one(bench, source):
    made = bench(source)
    first, second = (made.read(None, serve=False).content for _ in range(2))
    assert first.judged == second.judged == made.good.content.judged and first.sighting.snapshot == made.good.content.sighting.snapshot


def other_benchmark(desk, scale=0.005):
    return dataclasses.replace(desk, benchmarks=tuple(x.model_copy(update={"scale": scale}) if x.source == SOURCE else x for x in desk.benchmarks))


def other_source(desk):
    spec = desk.sources[SOURCE]
    return dataclasses.replace(desk, sources={**desk.sources, SOURCE: spec.model_copy(update={"percent_sign": (*spec.percent_sign, "Another")})})


def other_missing_cells(desk):
    return dataclasses.replace(desk, sources={key: x.model_copy(update={"common": x.common.model_copy(update={"missing": (*x.common.missing, "nil")})}) for key, x in desk.sources.items()})


def other_prices(desk):
    return dataclasses.replace(desk, prices=desk.prices.model_copy(update={"free": (*desk.prices.free, "another")}))


@pytest.mark.parametrize("other", [other_benchmark, other_source, other_missing_cells, other_prices])
def test_other_parameters_judge_anew(here, judged, other):
    here.world.desk = other(here.world.desk)
    again(here)
    assert judged == [SOURCE]
    again(here)
    assert judged == [SOURCE], "and that judgement is kept in turn"


def test_what_other_parameters_refuse_is_refused(here, judged):  # T2
    here.world.desk = other_benchmark(here.world.desk, 0.5)
    found = here.read(None, serve=False)
    assert judged == [SOURCE] and found.outcome == "failed" and "T2" in found.what


def test_other_code_judges_anew(here, judged, monkeypatch):
    monkeypatch.setattr(judgements, "_code", lambda: "another")
    again(here)
    assert judged == [SOURCE]


def test_the_key_is_of_the_code_that_reads_and_judges():
    """All that the rooms of evidence import of the package, themselves included, is in the key."""
    import re

    home = judgements.Path(judgements.siiq_core.__file__).parent
    named = {module for path in (home / "evidence").rglob("*.py") for module in re.findall(r"(?:from|import) (siiq_core\.\w+)", path.read_text(encoding="utf-8"))}
    assert {x.removeprefix("siiq_core.") for x in named} <= {x.removesuffix(".py") for x in judgements._ROOMS}


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_other_rows_judge_anew(here, judged, suffix):
    path = next((here.world.desk.folder / "observations" / SOURCE).glob(f"*{suffix}"))
    content = path.read_bytes()
    path.write_bytes(content.replace(b"\n", b"\r\n") if suffix == ".csv" else content.replace(b'"url": "', b'"url": "x'))
    again(here)
    assert judged == [SOURCE]


def test_nothing_passes_that_a_fresh_judgement_refuses(here, judged):
    """Rows that were altered into an impossible score (T2) are refused, however good the content was an hour ago."""
    path = next((here.world.desk.folder / "observations" / SOURCE).glob("*.csv"))
    score = here.kind.rows[0][here.kind.score]
    text = path.read_text(encoding="utf-8")
    assert score in text
    path.write_text(text.replace(score, "7100.00%"), encoding="utf-8")
    signed(path.parent)
    found = here.read(None, serve=False)
    assert judged == [SOURCE] and found.outcome == "failed" and "T2" in found.what


def test_rows_that_are_damaged_are_made_again_and_judged(here, judged):
    path = next((here.world.desk.folder / "observations" / SOURCE).glob("*.csv"))
    content = path.read_bytes()
    for damage in (b"no table", None):
        if damage is None:
            path.unlink()
        else:
            path.write_bytes(damage)
        judged.clear()
        assert again(here) == here.good.content.judged and judged == [SOURCE] and path.read_bytes() == content
        assert again(here) and judged == [SOURCE]


def spoiled():
    good = {"key": "0" * 64, "rows": 3, "kept_share": 1.0, "notes": []}
    yield from (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, canonical_bytes(good), canonical_bytes({**good, "digest": "0" * 64}))
    yield from (canonical_bytes(with_digest(x)) for x in ({}, {"key": 1}, {**good, "notes": 3}, {**good, "more": 1}, good))


@pytest.mark.parametrize("content", list(spoiled()), ids=lambda x: repr(x[:24]))
def test_what_is_no_judgement_is_as_good_as_none(here, judged, content):
    whole = kept(here).read_bytes()
    kept(here).write_bytes(content)
    assert again(here) == here.good.content.judged and judged == [SOURCE] and kept(here).read_bytes() == whole


@pytest.mark.parametrize("name, value", [("rows", 4), ("kept_share", 0.5), ("notes", ["all is well"])])
def test_an_altered_judgement_is_not_believed(here, judged, name, value):
    found = json.loads(kept(here).read_bytes())
    kept(here).write_bytes(canonical_bytes({**found, name: value}))
    assert again(here) == here.good.content.judged and judged == [SOURCE]


def test_a_judgement_that_stops_a_benchmark_is_never_kept(here):  # U6b
    judgements.keep(here.world.desk, "epoch", "0" * 64, Judged((ValueError("stopped"),), 3, 1.0, ()))
    assert not (here.world.desk.folder / "judged" / "epoch.json").exists()
