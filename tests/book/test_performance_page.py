"""The page on performance shows what was recorded beside its targets, missed ones too; without a record it says so; a torn record is refused."""

import json
import re
from dataclasses import replace
from datetime import date

import pytest
from made_up import write_run
from made_up_performance import made_up_performance

from siiq_core.errors import ParameterError, PublicationError
from siiq_core.params.loader import load_yaml
from siiq_core.params.performance import PerformanceParams, load_performance
from siiq_core.publish import book, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.performance import blocks
from siiq_core.publish.performance.record import BY_SIZE, RATIOS, SINGLE, Record, load_record, record_at, record_bytes
from siiq_core.publish.site import load_site


def record(**changes):
    return Record.model_validate_json(json.dumps(made_up_performance(**changes)))


@pytest.fixture(scope="module")
def bare(root, index, words, tmp_path_factory):
    """A site of a project that keeps no record."""
    return replace(load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words), performance=None)


@pytest.fixture(scope="module")
def site(bare):
    return replace(bare, performance=record())


def test_the_kept_record_is_one(root):
    found = load_record(record_at(root))
    assert found is not None and found.last("shipped-kappa") and found.ratio("round-over-pass")
    assert not re.search(rb"[/\\\\]", record_at(root).read_bytes()), "no path, no address"


def test_a_record_is_the_same_after_writing_and_reading(tmp_path):
    path = tmp_path / "performance.json"
    path.write_bytes(record_bytes(record()))
    assert load_record(path) == record() and load_record(tmp_path / "none.json") is None


@pytest.mark.parametrize("spoilt", [
    {"form": 2}, {"more": 1}, {"day": "yesterday"}, {"largest": 0}, {"times": {"unheard-of": []}}, {"times": {"round": [{"results": 10, "seconds": -1}]}},
    {"times": {"round": [{"results": 10, "seconds": "NaN"}]}}, {"machine": {**made_up_performance()["machine"], "host": "x"}}, {"machine": {**made_up_performance()["machine"], "system": "<b>Linux"}},
    {"others": {"numpy": {}}}, {"others": {"girth": {"why": "<img>"}}}, {"bytes_per_result": [[10, 0]]},
])
def test_what_is_no_record_is_refused(tmp_path, spoilt):
    path = tmp_path / "performance.json"
    path.write_text(json.dumps(made_up_performance(**spoilt)), encoding="utf-8")
    with pytest.raises(PublicationError, match="is no record of benchmarks"):
        load_record(path)


def test_a_torn_file_is_refused(tmp_path):
    path = tmp_path / "performance.json"
    path.write_bytes(record_bytes(record())[:-40])
    with pytest.raises(PublicationError, match="performance.json"):
        load_record(path)


def test_exponents_and_ratios_by_hand():
    found = record(times={"round": [{"results": 10**k, "seconds": (10.0**k) ** 1.2} for k in (5, 6, 7)] + [{"results": 1000, "seconds": 50.0}],
                          "one-pass": [{"results": 10**5, "seconds": (10.0**5) ** 1.2 / 4}]})
    assert found.exponent("round") == pytest.approx(1.2) and found.last_exponent("round") == pytest.approx(1.2)
    assert found.ratio("round-over-pass") == {10**5: pytest.approx(4.0)} and found.exponent("one-pass") is None
    short = record(times={"round": [{"results": 10**k, "seconds": 1.0 * 10**k} for k in (5, 6)]})
    assert short.exponent("round") == pytest.approx(1.0) and short.last_exponent("round") is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_targets_are_judged_and_missed_ones_stand_out(site, words, lang):
    shown = blocks.performance_targets(site, lang)
    assert shown.count(f"<strong>{words('performance.verdict.missed', lang)}</strong>") == 4, "a round 20 s, the sigmoid fit twice as long as the fit on made-up panels, one model 10 ms, --help 0.45 s"
    assert shown.count(f'<span class="below">{words("performance.verdict.met", lang)}</span>') == 5


def test_a_target_at_its_limit_is_met_and_beyond_it_missed(site):
    limits = load_performance(site.root)
    for seconds, verdict in ((limits.help_seconds, "met"), (limits.help_seconds * 1.01, "missed")):
        one = replace(site, performance=record(times={"start-help": [{"results": 1, "seconds": seconds}]}))
        rows = [x for x in re.findall(r"<tr.*?</tr>", blocks.performance_targets(one, "en"), re.DOTALL) if "--help" in x]
        assert len(rows) == 1 and verdict in rows[0]
        assert blocks.performance_targets(one, "en").count("not measured") == 7, "memory was measured too"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_record_the_page_says_so_and_shows_nothing_else(root, bare, words, lang):
    assert words("performance.nothing", lang) in blocks.performance_finding(bare, lang)
    assert [make(bare, lang) for name, make in blocks.BLOCKS.items() if name != "performance_finding"] == [""] * 5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("which", ["site", "bare"])
def test_the_page_renders(root, request, which, lang):
    one = request.getfixturevalue(which)
    page, made = written.read_pages(root)[lang]["performance"], {name: make(one, lang) for name, make in blocks.BLOCKS.items()}
    text = book.render(page, book.all_facts(one, lang), made, "performance.md")
    assert "{{" not in text and set(blocks.BLOCKS) <= book.slots(page) and "10⁻⁸" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_measurement_is_in_a_table_and_every_line_drawn(site, lang):
    found = site.performance
    everything = "".join(make(site, lang) for make in blocks.BLOCKS.values())
    for group in (*BY_SIZE, *SINGLE):
        for x in found.of(group):
            assert f'data-v="{x.seconds}"' in everything, (group, x.results)
    for name in RATIOS:
        for x in found.ratio(name).values():
            assert f'data-v="{x}"' in everything
    assert blocks.performance_figure(site, lang).count('vector-effect="non-scaling-stroke"') == len(blocks.DRAWN)
    assert "0.8.0" in everything and site.words("performance.why.not-installed", lang) in everything


def test_limits_are_typed_and_in_range(root, tmp_path):
    text = (root / "params" / "performance.yml").read_text(encoding="utf-8")
    for spoilt in (text.replace("exponent: 1.05", "exponent: -1"), text.replace("draws: 100", "draws: 1.5"), text + "more: 1\n"):
        (tmp_path / "performance.yml").write_text(spoilt, encoding="utf-8")
        with pytest.raises(ParameterError):
            load_yaml(tmp_path / "performance.yml", PerformanceParams)


def test_the_day_of_the_record_is_told(site):
    assert site.performance.day == date(2026, 11, 30) and "30 Nov 2026" in blocks.performance_figure(site, "en")
