"""The page of faults shows params/faults.yml, whole, in every language."""

import re
import shutil
from dataclasses import replace

import pytest
import yaml
from made_up import write_run

from siiq_core.params.faults import load_faults
from siiq_core.publish import faults, format
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def site(root, index, words, tmp_path_factory):
    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)


@pytest.fixture
def other(site, root, tmp_path):
    """The site over a table with other content."""
    def made(**changes):
        shutil.copytree(root / "params", tmp_path / "params", dirs_exist_ok=True)
        values = yaml.safe_load((root / "params" / "faults.yml").read_text(encoding="utf-8"))
        (tmp_path / "params" / "faults.yml").write_text(yaml.safe_dump({**values, **changes}, sort_keys=False), encoding="utf-8")
        return replace(site, faults=load_faults(tmp_path))
    return made


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_cell_says_how_many_tests(site, root, lang):
    told = load_faults(root)
    bodies = re.findall(r"<tbody>(.*?)</tbody>", faults.faults_table(site, lang), flags=re.DOTALL)
    assert len(bodies) == len(told.kinds) == 25
    for kind, body in zip(told.kinds, bodies, strict=True):
        cells = re.findall(r'<td class="n"(?: data-v="(\d+)")?>([^<]*)</td>', body)
        assert [(int(v or 0), shown) for v, shown in cells] == [(len(kind.tests.get(e, ())), format.whole(len(kind.tests[e]), lang) if e in kind.tests else "") for e in told.entrances]
        assert site.words(f"faults.kind.{kind.id}.name", lang) in body and f'scope="rowgroup" colspan="{len(told.entrances)}"' in body


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entrance_has_a_heading_and_a_sentence(site, root, lang):
    shown = faults.faults_table(site, lang)
    for e in load_faults(root).entrances:
        assert shown.count(f">{site.words(f'faults.entrance.{e}.name', lang)}") == 2 and site.words(f"faults.entrance.{e}.what", lang) in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_finding_counts_what_stands_in_the_table(site, root, lang):
    told = load_faults(root)
    said = faults.faults_finding(site, lang)
    cells = len(re.findall(r'data-v="', faults.faults_table(site, lang)))
    assert all(format.whole(x, lang) in said for x in (25, len(told.entrances), cells)) and cells == sum(len(k.tests) for k in told.kinds)
    assert f'value="{len(told.in_cells)}"' in faults.facts(site, lang)["faults_tests"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sections_are_left_out_while_nothing_stands_in_them(other, lang):
    empty = other(fuzzing=[], conditions=[])
    assert faults.faults_fuzzing(empty, lang) == faults.faults_conditions(empty, lang) == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_random_input_and_conditions_say_what_was_found(other, lang):
    told = {x: f"<b>{x}</b>" for x in LANGUAGES}
    run = {"target": "ledger", "executions": 12345, "minutes": 61.5, "finds": 3, "mended": 2, "note": told}
    site = other(fuzzing=[run, {**run, "target": "index"}], conditions=[{"id": "somehow", "name": {x: "`so`" for x in LANGUAGES}, "outcome": told, "test": "tests/a/test_a.py::test_a"}])
    random, conditions = faults.faults_fuzzing(site, lang), faults.faults_conditions(site, lang)
    assert random.count('data-v="12345"') == 2 and format.number(61.5, 1, lang) in random and site.words("faults.target.index", lang) in random and format.whole(24690, lang) in random and format.whole(6, lang) in random and f"&lt;b&gt;{lang}&lt;/b&gt;" in random
    whole = other(fuzzing=[{**run, "mended": 3}], conditions=[])
    assert site.words("faults.column.mended", lang) in random and site.words("faults.column.mended", lang) not in re.sub("<caption.*?</caption>", "", faults.faults_fuzzing(whole, lang))
    assert ">test_a</code>" in conditions and f"&lt;b&gt;{lang}&lt;/b&gt;" in conditions and "<code>so</code>" in conditions and "<b>" not in random + conditions


def test_words_speak_of_what_stands_in_the_table_and_of_nothing_else(site, root):
    told = load_faults(root)
    known = {"entrance": set(told.entrances), "kind": {k.id for k in told.kinds}, "target": {x.target for x in told.fuzzing}}
    for group, names in known.items():
        assert {key.split(".")[2] for key in site.words.keys() if key.startswith(f"faults.{group}.")} == names, group
