"""The page of the simulation: what it shows is what simulation.json says, in every language."""

import re

import pytest

from siiq_core.errors import PublicationError
from siiq_core.publish import book, format, simulation, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    from made_up import write_run

    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)


@pytest.fixture
def altered(made):
    """The site with one cell of one scenario altered."""
    import copy
    from dataclasses import replace

    def alter(change):
        found = copy.deepcopy(made.simulation)
        change(found)
        return replace(made, simulation=found)
    return alter


def cells(block):
    return re.findall(r'<td class="n" data-v="([^"]+)">', block)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_renders_in_every_language(root, made, lang):
    page = written.read_pages(root)[lang]["simulation"]
    blocks = {name: make(made, lang) for name, make in simulation.BLOCKS.items()}
    out = book.render(page, {**book.facts(made.index, made.words, lang), **simulation.facts(made, lang)}, blocks, "simulation.md")
    assert "{{" not in out and "simulation.json" in out
    for name in blocks:
        assert "{" not in re.sub(r"<[^>]*>", "", blocks[name])


def test_every_scenario_has_its_row_and_every_method_its_column(made):
    for measure in ("order", "spacing"):
        block, wanted = simulation.BLOCKS[f"simulation_{measure}"](made, "en"), []
        for s in made.simulation["scenarios"]:
            wanted += [x for name in made.simulation["methods"] if (x := s["methods"][name][measure]["mean"]) is not None]
            assert f'href="#world-{s["id"]}"' in block
        assert [float(x) for x in cells(block)] == wanted
    assert re.findall(r'id="world-([^"]+)"', simulation.BLOCKS["simulation_scenarios"](made, "en")) == [s["id"] for s in made.simulation["scenarios"]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_strengths_are_told_in_the_language(made, lang):
    text = re.sub(r"<[^>]*>", "", simulation.BLOCKS["simulation_scenarios"](made, lang))
    gaps = next(s for s in made.simulation["scenarios"] if s["id"] == "weak-gaps")["altered"]["coverage"]
    assert format.percent(gaps["least"], lang) in text and format.percent(gaps["most"], lang) in text and " 15 " in text


def test_what_is_told_apart_is_what_the_file_says(made, altered):
    def change(found):
        for s in found["scenarios"]:
            for m in s["methods"].values():
                if m["against"]:
                    m["against"]["verdict"] = {"order": "same", "spacing": "worse"}
        found["scenarios"][0]["methods"]["z"]["against"]["verdict"]["order"] = "better"
    site, kinds = altered(change), len(made.simulation["scenarios"])
    order, spacing = (simulation.BLOCKS[f"simulation_{x}"](site, "en") for x in ("order", "spacing"))
    shown = sum(m["against"] is not None and m["spacing"]["mean"] is not None for s in site.simulation["scenarios"] for m in s["methods"].values())
    assert order.count("better") == 1 and order.count("worse") == 0 and spacing.count("worse") == shown
    assert f"In {kinds - 1} of {kinds} kinds" in simulation.BLOCKS["simulation_order_figure"](site, "en")
    assert f"In {kinds} of {kinds} kinds" in simulation.BLOCKS["simulation_spacing_figure"](site, "en")
    rows = simulation.BLOCKS["simulation_verdicts"](site, "en").split("<tr>")
    z = next(x for x in rows if "Mean of z‑scores" in x and "order" in x)
    assert "A fair world" in z and cells(z) == [str(kinds - 1), "0"]


def test_gaps_and_refusals_are_said(made, altered):
    def change(found):
        m = found["scenarios"][0]["methods"]
        m["siiq"].update(worlds=1, placed={"mean": 10.0, "error": 10.0})
        m["mean"].update(worlds=2, placed={"mean": 17.45, "error": 0.1})
        m["z"].update(worlds=0, order={"mean": None, "error": None})
    block = simulation.BLOCKS["simulation_order"](altered(change), "de")
    assert "abgelehnt: 1 von 2" in block and "17,45 von 20" in block and '<td class="n">–</td>' in block


def test_the_figure_has_a_mark_for_every_number(made):
    for measure in ("order", "spacing"):
        block = simulation.BLOCKS[f"simulation_{measure}_figure"](made, "es")
        numbers = sum(m[measure]["mean"] is not None for s in made.simulation["scenarios"] for m in s["methods"].values())
        assert block.count('<svg class="mark') == numbers and block.count("<li>") == 5 and 'role="img" aria-label="Para cada clase' in block


@pytest.mark.parametrize("spoil", [lambda f: f.update(method_version="0.9.0"), lambda f: f.update(what_if={"models": [40, 20]})])
def test_no_page_is_made_of_another_version_or_of_a_what_if_run(root, index, words, tmp_path, spoil):
    import json

    from made_up import write_run

    run = write_run(tmp_path / "run", index)
    found = json.loads((run / "simulation.json").read_text(encoding="utf-8"))
    spoil(found)
    (run / "simulation.json").write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(PublicationError, match="simulation.json"):
        load_site(index, run, root, words)


def test_the_method_names_are_those_of_the_simulation(made):
    assert list(simulation.MARKS) == made.simulation["methods"] and len(set(simulation.MARKS.values())) == 5
