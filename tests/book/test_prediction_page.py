"""The page of hidden results shows what prediction.json says, in every language; every release keeps its own error."""

import html
import json
import re

import pytest
from made_up import write_run

from siiq_core.errors import PublicationError
from siiq_core.files import canonical_bytes
from siiq_core.publish import book, releases, written
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.prediction import BLOCKS, facts
from siiq_core.publish.releases import HeldOut
from siiq_core.publish.site import load_site


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    """A site of the made-up run, without building a book."""
    from dataclasses import replace

    site = load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, words)
    return replace(site, held_out=(HeldOut("2025-06-01-1.0.0", "2025-06-01", 60, 0.0412, 0.03, 0.875), HeldOut("2026-07-31-1.0.0", "2026-07-31", 59, 0.05, 0.04, None)))


def _text(markup):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", markup).split()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_renders_and_names_only_what_there_is(root, made, lang):
    page = written.read_pages(root)[lang]["prediction"]
    blocks = {name: make(made, lang) for name, make in BLOCKS.items()}
    out = book.render(page, {**book.facts(made.index, made.words, lang), **facts(made, lang)}, blocks, "prediction.md")
    assert all(blocks.values()) and "{{" not in out.replace("{{ models }}", "") and "prediction.json" in out
    for block in blocks.values():  # fault 24: a model's name that tries to break the page
        assert "<img src=x" not in block and "javascript:" not in re.sub(r"&[^;]+;|[^<>]*(?=<)", "", block)


def test_errors_are_those_of_the_file_in_percentage_points(made):
    block = BLOCKS["prediction_errors"](made, "en")
    for design in made.prediction["designs"]:
        for m in design["methods"]:
            assert f'data-v="{m["mean"]}">{100 * m["mean"]:.1f}<' in block
    own = made.prediction["designs"][0]["methods"][0]
    assert own["id"] == "siiq" and f'within {100 * own["mean"]:.1f} percentage points' in _text(block)
    assert _text(BLOCKS["prediction_errors"](made, "de")).count(f'{100 * own["mean"]:.1f}'.replace(".", ",")) >= 2


def test_dots_lie_where_their_errors_are(made):
    block = BLOCKS["prediction_errors"](made, "en")
    most = 5 * (int(100 * max(m["mean"] for d in made.prediction["designs"] for m in d["methods"])) // 5 + 1)
    wanted = [f"{100 * 100 * m['mean'] / most:.2f}%" for d in made.prediction["designs"] for m in d["methods"]]
    assert re.findall(r'class="dot" cx="([\d.]+%)"', block) == wanted


def test_every_row_of_a_benchmark_and_its_area_stands_once(made):
    block, design = BLOCKS["prediction_benchmarks"](made, "en"), made.prediction["designs"][0]
    assert sorted(re.findall(r'href="benchmarks/([\w-]+)\.html"', block)) == sorted(b["id"] for b in design["benchmarks"])
    assert block.count('class="group"') == len(design["areas"])


def test_the_worst_come_with_the_row_that_was_hidden(made):
    block = BLOCKS["prediction_worst"](made, "es")
    assert [tuple(x) for x in re.findall(r'href="models/([\w.-]+)\.html#evidence-([\w-]+)"', block)] == [(x["model"], x["benchmark"]) for x in made.prediction["worst"]]
    assert "&lt;img src=x" in block


def test_the_links_of_the_worst_lead_to_evidence_that_is_there(small_book):
    page = (small_book.site / "en" / "prediction.html").read_text(encoding="utf-8")
    found = re.findall(r'href="(models/[\w.-]+\.html)#(evidence-[\w-]+)"', page)
    assert found and all(f'id="{ident}"' in (small_book.site / "en" / target).read_text(encoding="utf-8") for target, ident in found)


def test_the_coverage_curve_has_its_numbers_in_a_table(made):
    block = BLOCKS["prediction_calibration"](made, "en")
    for x in made.prediction["designs"][0]["calibration"]:
        assert f'{round(100 * x["covered"])}%' in block or f'{100 * x["covered"]:.0f}%' in block


def test_a_design_without_anything_to_compare_is_shown_with_dashes(made):
    from dataclasses import replace

    empty = json.loads(json.dumps(made.prediction))
    later = empty["designs"][3]
    later |= {"compared": 0, "benchmarks": [], "areas": [], "calibration": [{"level": x["level"], "covered": None} for x in later["calibration"]]}
    later["methods"] = [{**m, "mean": None, "median": None, "coverage": None, "width": None, "against": None} for m in later["methods"]]
    site = replace(made, prediction=empty)
    assert all(make(site, "de") for make in BLOCKS.values()) and facts(site, "de")["prediction_later_mean"] == "–"


# --- releases --------------------------------------------------------------------------------------------------------


def test_every_release_keeps_its_own_error_and_shows_it(made, small_book):
    text = _text(BLOCKS["prediction_releases"](made, "en"))
    assert text.index("2026-07-31-1.0.0") < text.index("2025-06-01-1.0.0") and "4.1" in text and "88%" in text
    (kept,) = releases.held_out(small_book.site / "data")
    own = made.prediction["designs"][0]
    assert kept == HeldOut(kept.release, made.index["as_of"], own["compared"], own["methods"][0]["mean"], own["methods"][0]["median"], own["methods"][0]["coverage"])
    assert kept.release in (small_book.site / "en" / "prediction.html").read_text(encoding="utf-8")
    assert "prediction.json" in (small_book.site / "data" / "releases" / kept.release / "SHA256SUMS").read_text(encoding="ascii")


def test_a_release_from_before_the_study_is_whole_without_it(tmp_path):
    index = {"as_of": "2026-07-31", "method_version": "1.0.0", "digest": "0" * 64, "license_and_attribution": []}
    for name, content in {"index.json": canonical_bytes(index), "evidence.jsonl": b"{}\n", "calibration_inputs.csv": b"slug,benchmark,score\n"}.items():
        (tmp_path / "before").mkdir(exist_ok=True)
        (tmp_path / "before" / name).write_bytes(content)
    name = releases.make_release(index, tmp_path / "before")
    assert releases.carry_over(tmp_path / "before", tmp_path / "fresh") == (name,) and releases.held_out(tmp_path / "fresh") == ()
    for path in (tmp_path / "before").glob("*.*"):
        (tmp_path / "fresh" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "fresh" / "prediction.json").write_bytes(b"{}")
    assert releases.make_release(index, tmp_path / "fresh") == name  # it stays as it was


@pytest.mark.parametrize("spoilt", [{"calibration": "another"}, {"as_of": "2020-01-01"}, {"what_if": {"rounds": [10, 5]}}])
def test_predictions_of_another_calibration_day_or_a_what_if_run_are_refused(root, index, words, tmp_path, spoilt):
    run = write_run(tmp_path, index)
    path = run / "prediction.json"
    path.write_bytes(canonical_bytes({**json.loads(path.read_text(encoding="utf-8")), **spoilt}))
    with pytest.raises(PublicationError, match="prediction.json"):
        load_site(index, run, root, words)
