"""The pages of the studies: what they show is what intervals.json and criticism.json say, in every language; a study of something else is refused."""

import html
import json
import re

import jsonschema
import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish import book, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site
from siiq_core.publish.studies import criticism, intervals
from siiq_core.publish.studies.view import View, histogram

NAMES = ("intervals", "criticism")
PAGES = {"intervals": intervals, "criticism": criticism}


@pytest.fixture(scope="module")
def run_folder(index, tmp_path_factory):
    from made_up import write_run

    return write_run(tmp_path_factory.mktemp("run"), index)


@pytest.fixture(scope="module")
def made(root, index, words, run_folder):
    return load_site(index, run_folder, root, words)


def _text(markup):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", markup).split()))


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_what_its_schema_says_and_a_spoilt_one_is_not(root, run_folder, name):
    schema, found = (json.loads(p.read_text(encoding="utf-8")) for p in (root / "siiq_core" / "publish" / "schemas" / f"{name}.schema.json", run_folder / f"{name}.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)
    for spoilt in ({**found, "more": 1}, {k: v for k, v in found.items() if k != "as_of"}, {**found, "as_of": "yesterday"}, {**found, "inputs_sha256": 3}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, schema)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_page_renders_and_hostile_names_stay_text(root, made, name, lang):  # fault 24
    page, blocks = written.read_pages(root)[lang][name], {key: make(made, lang) for key, make in PAGES[name].BLOCKS.items()}
    assert all(blocks.values()) and all("<b>" not in x and "href=\"javascript" not in x for x in blocks.values())
    out = book.render(page, book.all_facts(made, lang), blocks, f"{name}.md")
    assert re.findall(r"\{\{(?! models)", out) == [] and f"{name}.json" in out and set(PAGES[name].BLOCKS) <= book.slots(page)


def test_coverage_as_shown_is_coverage_as_counted(made):
    block = intervals.intervals_coverage(made, "en")
    for c in made.intervals["coverage"]["classes"]:
        for kind in c["kinds"].values():
            assert f'data-v="{kind["covered"]["share"]}"' in block
    assert _text(block).count("±") == 4 * len(made.intervals["coverage"]["classes"])


def test_errors_beside_the_official_ones_are_of_ranked_models_from_the_top(made):
    block = intervals.intervals_errors(made, "en")
    own = [x for x in made.intervals["errors"] if x["rank"] is not None]
    assert [float(x) for x in re.findall(r'<td class="n" data-v="(-?[\d.]+(?:e-\d+)?)">', block)[3::6]] == [x["with_parameters"] for x in own]
    assert [x["rank"] for x in own] == sorted(x["rank"] for x in own)


def test_a_histogram_puts_each_value_in_its_bar(made):
    drawn = histogram(View(made, "intervals", "en"), [0.905, 0.915, 0.915, 1.005], 0.01, [(1.0, "floor")], "x", "n", "picture")
    assert drawn.count('class="bars"') == 3 and ">2<" in drawn and 'class="limit"' in drawn and 'aria-label="picture"' in drawn


def test_what_is_told_is_strong_and_what_is_not_is_plain(made):
    told = sum(x["told"] for x in made.criticism["developers_by_area"])
    assert criticism.criticism_developers(made, "en").count("<strong>") == told
    assert criticism.criticism_differential(made, "en").count("<strong>") == made.criticism["differential"]["told"]


@pytest.mark.parametrize("change", [{"inputs_sha256": "1" * 64}, {"method_version": "0.9.0"}, {"what_if": {"seed": [1, 2]}}])
def test_a_study_of_another_calibration_is_not_published(root, index, words, run_folder, tmp_path, change):
    import shutil

    folder = shutil.copytree(run_folder, tmp_path / "run")
    path = folder / "intervals.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(PublicationError, match="intervals.json"):
        load_site(index, folder, root, words)
