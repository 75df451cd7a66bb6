"""The method chapter: every rule and choice in every language, figures with their numbers and code, and nothing unused."""

import copy
import re
import shutil
from dataclasses import replace

import pytest
from made_up import HOSTILE, write_run
from made_up_method import made_up_figures

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes
from siiq_core.publish import book, plots
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.method import blocks, facts, frame
from siiq_core.publish.site import load_site
from siiq_core.publish.words import Words

# The names of siiq.md, in its order.
RULES = """E1 E2 E3 E4 P1 P2 P3 I1 I2 I3 I4 I5 I6 T1 T2 T3 T4 C1 C2 C3 C3a C3b C3c C4 C5 C6 C7 C8 C9 C10 C11 G1 G2 S1 S2 S3 A1 K1 K2 K3
U0 U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 U11 U12 V1 V2 V3 V4 V5""".split()


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    """The made-up site; tests do not change it."""
    return load_site(index, write_run(tmp_path_factory.mktemp("made") / "run", index), root, words)


def _with(site, change):
    """The site with its method figures changed."""
    found = copy.deepcopy(site.method)
    change(found["figures"])
    return replace(site, method=found)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_and_choice_is_explained_where_it_can_be_cited(made, root, lang):
    assert sorted(facts.PAGE_OF) == sorted(RULES)
    marks = facts.marks(made, lang)
    pages = {page: (root / "book" / lang / f"{page}.md").read_text(encoding="utf-8") for page in {"method", *facts.PAGE_OF.values()}}
    pages = {page: book.render(text, {**facts.links(), **book.all_facts(made, lang)}, dict.fromkeys([*book.BLOCKS, *book.SITE_BLOCKS], ""), page) for page, text in pages.items()}
    for rule, page in facts.PAGE_OF.items():
        assert [p for p, text in pages.items() if f'id="rule-{rule.lower()}"' in text] == [page]
    table = blocks.BLOCKS["method_choices"](made, lang)
    for name, rule in facts.CHOICES.items():
        address = f'{facts.PAGE_OF[rule]}.html#choice-{name.lower()}'
        assert [p for p, text in pages.items() if f'id="choice-{name.lower()}"' in text] == [facts.PAGE_OF[rule]] and f'href="{address}"' in table
    assert len(marks) == len(RULES) + len(facts.CHOICES)


def test_the_rules_and_choices_are_those_of_the_normative_text(shared_sources):
    text = (shared_sources.parent / "spec" / "siiq.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\*\*([A-Z]\d+)\b", text))
    assert named == {x for x in RULES if x[-1].isdigit()}
    marked = text.count("**choice**") - 1  # the first says what the mark means
    assert marked == len(facts.CHOICES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_chapter_asks_a_question_and_says_what_it_leaves_out(root, lang):
    closing = {"en": "## What this leaves out", "de": "## Was hier offenbleibt", "es": "## Lo que esto no abarca"}[lang]
    for page in {"method", *facts.PAGE_OF.values()}:
        text = (root / "book" / lang / f"{page}.md").read_text(encoding="utf-8")
        assert re.search(r'^# .+\n\n<p class="lead">.+\?</p>\n', text, re.MULTILINE), page
        assert [x for x in text.split("\n") if x.startswith("## ")][-1] == closing, page


@pytest.mark.parametrize("name", [n for n in blocks.BLOCKS if n not in ("method_choices", "method_reference", "method_left_rows", "method_bridges")])
def test_a_figure_has_finding_measure_source_words_numbers_and_code(made, name):
    shown = {lang: blocks.BLOCKS[name](made, lang) for lang in LANGUAGES}
    for lang, figure in shown.items():
        assert re.search(r'<p class="finding">[^<]', figure) and re.search(r'<p class="measure">[^<]', figure)
        assert made.index["method_version"] in re.search(r"<figcaption>(.*?)</figcaption>", figure)[1]
        pictures = re.findall(r'<svg role="img" aria-label="([^"]*)"', figure)
        assert all(len(x) > 40 for x in pictures) and (pictures or name == "method_leverage"), "leverage is a table that reads aloud"
        assert "<table" in figure and "<caption" in figure
        assert '<code lang="en">' in figure and "return 1 &lt; 2" in figure and "figures." in figure
    values = {lang: re.findall(r'data-v="([^"]*)"', figure) for lang, figure in shown.items()}
    assert values["en"] and values["en"] == values["de"] == values["es"]
    marks = {lang: re.findall(r'(?:cx|cy|x1|x2| d)="([^"]*)"', figure) for lang, figure in shown.items()}
    assert marks["en"] == marks["de"] == marks["es"]


def test_the_same_figures_give_the_same_bytes(made):
    for make in blocks.BLOCKS.values():
        assert make(made, "de") == make(_with(made, lambda figures: None), "de")


def test_a_figure_says_what_was_found(made):
    assert "Only 87% of the pairs" in blocks.BLOCKS["method_halves"](made, "en") and "1.05 times" in blocks.BLOCKS["method_halves"](made, "en")
    narrow = _with(made, lambda f: f["halves"].update(kappa=1.0))
    assert "need no widening" in blocks.BLOCKS["method_halves"](narrow, "en")
    assert "nichts zu vergleichen" in blocks.BLOCKS["method_recalibration"](_with(made, lambda f: f["recalibration"].update(models=[])), "de")
    bridges = blocks.BLOCKS["method_bridges"](made, "es")
    assert len(re.findall(r'class="chosen"', bridges)) == 1  # 20 %, 5 % …: exactly the limit is no bridge


def test_hostile_names_are_text(made):  # fault 24
    for lang in LANGUAGES:
        for name, make in blocks.BLOCKS.items():
            shown = make(made, lang)
            assert "<img" not in shown and "\u202e" not in shown, name
    assert HOSTILE[0].replace("<", "&lt;").replace(">", "&gt;") in blocks.BLOCKS["method_bridges"](made, "en")


def test_no_word_of_the_chapter_is_unused(made):
    asked = set()

    class Listening(Words):
        def raw(self, key, lang):
            asked.add(key)
            return super().raw(key, lang)

    words = Words.load(made.root)
    words.__class__ = Listening
    left = [{"rule": x.rpartition(".")[2]} for x in words.keys() if re.fullmatch(r"method\.left_rows\.([A-Z]\d|filter|duplicate)", x)]
    site = replace(made, words=words, facts={**made.facts, "left_out": left})
    for changed in (site, _with(site, lambda f: (f["halves"].update(kappa=1.0), f["recalibration"].update(models=[])))):
        facts.facts(changed, "en")
        for make in blocks.BLOCKS.values():
            make(changed, "en")
    assert [x for x in words.keys() if x.startswith("method.") and x not in asked] == []


def test_figures_of_another_calibration_are_refused(root, index, words, tmp_path):
    run = write_run(tmp_path / "run", index)
    (run / "method_figures.json").write_bytes(canonical_bytes({**made_up_figures(index), "calibration": "another"}))
    with pytest.raises(PublicationError, match="not whole.*another calibration"):
        load_site(index, run, root, words)
    (run / "method_figures.json").unlink()
    with pytest.raises(PublicationError, match="not whole.*method_figures.json"):
        load_site(index, run, root, words)


def test_the_code_of_a_figure_is_the_notebooks(made, tmp_path):
    cells = frame.notebook_cells(made)
    assert set(cells) == set(made.method["figures"]) and "figures.leverage(found)" in cells["leverage"]
    with pytest.raises(PublicationError, match="notebooks/method.ipynb"):
        frame.notebook_cells(replace(made, root=tmp_path))


def test_powers_of_ten():
    assert [facts.power_of_ten(x) for x in (1e-10, 1.0, 1e-8, 2e-3, 100.0)] == ["10⁻¹⁰", "1", "10⁻⁸", "2·10⁻³", "10²"]


def test_axes_and_what_leaves_them():
    x, y = plots.Axis(0, 10, ((5, "5 < 6"),)), plots.Axis(0.01, 100, (), log=True)
    assert x.at(2.5) == 0.25 and y.at(1.0) == 0.5 and not x.holds(10.1)
    assert plots.dots([(5, 1), (11, 1), (5, 1000)], x, y).count("<circle") == 1
    assert 'cx="50.00%" cy="50.00%"' in plots.dots([(5, 1)], x, y)
    assert 'd="M0 1000L500 500L1000 0"' in plots.curve([(0, 0.01), (5, 1), (10, 100)], x, y)
    assert plots.band([(0, 0.01, 1), (10, 0.01, 100)], x, y).count("Z") == 1
    drawn = plots.plot([], x, y, 'says "much"')
    assert "5 &lt; 6" in drawn and 'aria-label="says &quot;much&quot;"' in drawn


def test_limits_are_those_of_the_parameter_files(made, root, tmp_path):  # P3, U
    shutil.copytree(root / "params", tmp_path / "params")
    for name, old, new in (("gate.yml", "hold_move: 0.1 ", "hold_move: 0.125 "), ("gate.yml", "revision_share: 0.25", "revision_share: 0.4"), ("gate.yml", "remove_hours: 6 ", "remove_hours: 8 "),
                           ("sources.yml", "window_days: 90", "window_days: 45"), ("sources.yml", "coverage: 0.95", "coverage: 0.9")):
        path = tmp_path / "params" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new), encoding="utf-8")
    before, after = (facts.facts(replace(made, root=folder), "de") for folder in (root, tmp_path))
    assert {k for k in after if after[k] != before[k]} == {"gate_points", "gate_share", "gate_removed_hours", "gate_window_days", "provider_coverage"}
    assert [re.sub("<[^>]+>", "", after[k]) for k in ("gate_points", "gate_share", "gate_window_days", "provider_coverage")] == ["12,5", "40\u00a0%", "45", "90\u00a0%"]
    assert [re.sub("<[^>]+>", "", before[k]) for k in ("gate_points", "gate_revised", "gate_rows")] == ["10", "0,5", "30\u00a0%"]
