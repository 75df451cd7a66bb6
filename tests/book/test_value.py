"""The value page: what the build writes is what value.json says, and the browser answers as Python does in every state."""

import json
import math
import re

import pytest
from made_up_value import made_up_value
from test_browser import Watched, browser, until  # noqa: F401

from siiq_core.params.value import load_value
from siiq_core.publish.format import LANGUAGES
from siiq_core.publish.site import load_site
from siiq_core.publish.value import assets
from siiq_core.publish.value.blocks import BLOCKS
from siiq_core.siblings.value.answers import answers
from siiq_core.siblings.value.records import Entrant
from siiq_core.siblings.value.state import Filters


@pytest.fixture(scope="module")
def made(root, index, words, tmp_path_factory):
    """A site of the made-up run, without building a book."""
    from made_up import write_run

    run = write_run(tmp_path_factory.mktemp("run"), index)
    return load_site(index, run, root, words), run


def _text(markup):
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_block_stands_in_every_language_and_hostile_names_stay_text(made, lang):  # fault 24
    site, _ = made
    blocks = {name: make(site, lang) for name, make in BLOCKS.items()}
    assert all(blocks.values())
    for block in blocks.values():
        assert "<b>Tiny" not in block and "<img src=x" not in block.replace("&lt;img", "") and "<i>" not in block
    assert "&lt;b&gt;Tiny 9" in blocks["value_table"] and 'models/tiny-9' not in blocks["value_table"] and 'href="models/nova-7.html"' in blocks["value_table"]


def test_the_cards_are_the_answers_of_the_file(made):
    site, _ = made
    block = BLOCKS["value_cards"](site, "en")
    told = dict(re.findall(r'data-answer="(\w+)" data-variant="([^"]+)"', block))
    assert told == {name: a["variant"] for name, a in site.value["answers"].items() if a["variant"]} and told
    assert [m for m in re.findall(r'data-answer="(\w+)"', block)] == ["cheap", "everyday", "best"]  # R5
    for variant in told.values():
        v = next(v for v in site.value["variants"] if v["id"] == variant)
        assert f"Quality {v['quality']:.1f}" in _text(block)


def test_the_warning_stands_under_every_cost(made):  # D4
    site, _ = made
    for name in ("value_cards", "value_plot", "value_table", "value_waiting"):
        assert "no forecast of a bill" in BLOCKS[name](site, "en")


def test_a_source_with_a_hole_says_so_beside_its_switch(made):  # Q8
    site, _ = made
    item = next(x for x in BLOCKS["value_tools"](site, "en").split("<li>") if 'value="errands"' in x)
    assert "Version 4.0" in item and "which is the one in use" in item
    assert "OpenAI" not in next(x for x in BLOCKS["value_tools"](site, "en").split("<li>") if 'value="loops"' in x)


def test_those_that_cannot_answer_are_listed_with_reason_and_counts(made):
    site, _ = made
    block = BLOCKS["value_waiting"](site, "en")
    out = [v for v in site.value["variants"] if v["cannot_answer"]]
    assert {v["cannot_answer"] for v in out} >= {"setting", "families"}
    models = {v["model"]: v["open_weights"] for v in out}
    assert f"{len(out)} variants of {len(models)} models, of which {sum(models.values())} with open weights" in _text(block) and 'href="#min=1"' in block


def test_the_assets_belong_to_one_value_json(made, index, tmp_path):
    _, run = made
    assets.write_assets(index, run, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["all.js", *(f"{m}.js" for m in range(1, 8))])
    from siiq_core.errors import PublicationError
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(run, broken)
    (broken / "value.json").write_bytes((run / "value.json").read_bytes() + b" ")
    with pytest.raises(PublicationError, match="another value.json"):
        assets.write_assets(index, broken, tmp_path)


def test_no_page_is_made_of_a_what_if_run_or_of_another_day(made, root, index, words, tmp_path):
    import shutil

    from siiq_core.errors import PublicationError

    _, run = made
    for altered in ({"what_if": {"cheap_floor": [0.6, 0.5]}}, {"as_of": "2020-01-01"}, {"method_version": "0.9.0"}):
        folder = tmp_path / next(iter(altered))
        shutil.copytree(run, folder)
        (folder / "value.json").write_text(json.dumps({**json.loads((run / "value.json").read_text(encoding="utf-8")), **altered}), encoding="utf-8")
        with pytest.raises(PublicationError, match="value.json"):
            load_site(index, folder, root, words)


def test_the_same_rows_give_the_same_bytes(root, index):
    assert made_up_value(root, index) == made_up_value(root, index)


def test_the_scripts_name_only_words_that_there_are(root, words):
    known = {key.removeprefix("value.") for key in words.keys() if key.startswith("value.")}
    code = "".join((root / "book" / "_static" / name).read_text(encoding="utf-8") for name in ("value.js", "value-view.js"))
    named = set(re.findall(r'(?:tell|text|complain)\("([a-z_.]+)"[,)]', code))
    counted = {x + end for x in re.findall(r'some\("([a-z_.]+)"', code) for end in ("_one", "_many")}
    begun = set(re.findall(r'(?:tell|text)\("([a-z_.]+)" \+', code))
    assert len(named) > 40 and not (named | counted) - known
    assert begun and all(any(key.startswith(head) for key in known) for head in begun)


def test_an_answer_that_is_missing_says_why_with_its_numbers(made):
    from siiq_core.publish.value.cards import missing
    from siiq_core.publish.value.view import View

    view = View(made[0], "de")
    assert missing(view, "cheap", {"reason": "below_floor", "short": 3.25, "floor": 60.0, "quality": 56.75}) == "Die beste Variante im günstigen Teil der Effizienzlinie hat 56,8 Punkte und verfehlt die Untergrenze von 60,0 um 3,2."
    assert "2 verschiedene Punkte; eine Mitte braucht 3" in missing(view, "everyday", {"reason": "few_trade_offs", "points": 2, "needed": 3})
    for lang in LANGUAGES:
        for reason in ("no_knee", "no_scores", "no_costs", "too_few_benchmarks", "filters"):
            assert missing(View(made[0], lang), "everyday", {"reason": reason})


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def book(root, request):
    """The built book of the project where it has this page, else the small one."""
    built = root / "_build" / "html"
    return built if (built / assets.FOLDER / assets.ALL).is_file() and (built / "en" / "value.html").is_file() else request.getfixturevalue("small_book").site


@pytest.fixture
def watched(browser, book):  # noqa: F811
    one = Watched(browser, book, viewport={"width": 360, "height": 800})
    yield one
    one.context.close()
    assert not one.said and not one.asked


def _script(path):
    text = path.read_text(encoding="ascii")
    mark = "] = " if text.startswith("(") else " = "
    return json.loads(text[text.index(mark) + len(mark):].rstrip(";\n"))


def _python(state, shared, minimum, filters, params):
    """The answers by siiq_core, from the numbers that the page is given."""
    rows = {row[0]: row for row in state["variants"]}
    own = []
    for place in state["competing"][str(minimum)]:
        v, row = shared["variants"][place], rows[place]
        fits = (v["open_weights"] or not filters.open_weights) and (not filters.developer or filters.developer in v["developer"].split(", "))
        if fits and (v["context"] or 0) >= filters.min_context and row[6] <= filters.max_cost:
            own.append(Entrant(v["id"], row[3], row[3] if row[4] is None else row[4], row[3] if row[5] is None else row[5], row[6], math.log(row[6])))
    return answers(own, params)


RUN_ALL = """async ([folder, masks, filters]) => {
  const load = name => new Promise((done, failed) => { const s = document.createElement("script"); s.src = folder + name; s.onload = done; s.onerror = failed; document.head.append(s); });
  await load("all.js");
  const out = [];
  for (const mask of masks) {
    await load(mask + ".js");
    for (const minimum of [2, 1]) for (const f of filters) {
      const found = SIIQ.value.look(SIIQ_VALUE, SIIQ_VALUE_STATES[mask], minimum, f).found;
      out.push([found.leader, found.frontier, ["cheap", "everyday", "best"].map(n => found[n])]);
    }
  }
  return out;
}"""


def test_the_browser_answers_as_python_does_in_every_state(browser, book, root):  # noqa: F811
    """Every set of sources, both minima, no filter and several: leader, frontier, answers, reasons and their numbers."""
    folder = book / assets.FOLDER
    shared, params = _script(folder / assets.ALL), load_value(root)
    masks = range(1, 2 ** len(shared["benchmarks"]))
    developers = sorted({x for v in shared["variants"] for x in v["developer"].split(", ")})
    told = [Filters(), Filters(open_weights=True), Filters(developer=developers[len(developers) // 2]), Filters(max_cost=2.0), Filters(min_context=200_000),
            Filters(open_weights=True, max_cost=0.5), Filters(max_cost=0.0)]
    given = [{"open": f.open_weights, "developer": f.developer, "context": f.min_context, "cost": None if f.max_cost == math.inf else f.max_cost} for f in told]
    one = Watched(browser, book)
    page = one.open("en/value.html")
    found = iter(page.evaluate(RUN_ALL, ["../assets/value/", list(masks), given]))
    for mask in masks:
        state = _script(folder / f"{mask}.js")
        assert state["mask"] == mask
        for minimum in (2, 1):
            for filters in told:
                leader, frontier, three = next(found)
                wanted = _python(state, shared, minimum, filters, params)
                assert (leader, frontier) == (wanted.leader, list(wanted.frontier))
                for js, py in zip(three, (wanted.cheap, wanted.everyday, wanted.best), strict=True):
                    assert (js["variant"], js["repeats"]) == (py.variant, py.repeats), (mask, minimum, filters)
                    assert js["reason"] == (state["nobody"][str(minimum)] if py.reason == "nobody_eligible" else py.reason)
                    assert {k: js[k] for k in py.numbers} == pytest.approx(dict(py.numbers), abs=1e-8)
            plain = state["answers"][str(minimum)]  # precomputed by the build
            unfiltered = _python(state, shared, minimum, Filters(), params)
            assert [plain[n]["variant"] for n in ("cheap", "everyday", "best")] == [unfiltered.cheap.variant, unfiltered.everyday.variant, unfiltered.best.variant]
    assert next(found, None) is None
    one.context.close()
    assert not one.said and not one.asked


def _open(one, address, state):
    """A page in a state of its address; a file's name could hold the mark itself."""
    one.page.goto((one.site / address).as_uri() + state)
    return one.page


PARTS = ("#value-answers", "#value-table", "#value-waiting", "#value-rests", "#figure-value .finding")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_script_makes_the_same_page_as_the_build(watched, lang):
    page = watched.open(f"{lang}/value.html")
    page.locator("#value-tools").wait_for()
    texts = lambda: [" ".join(page.locator(part).inner_text().split()) for part in PARTS]  # noqa: E731
    drawing = "() => [...document.querySelectorAll('#value-plot svg *')].map(x => [x.tagName, x.getAttribute('class'), x.getAttribute('d') || x.getAttribute('cx') || x.getAttribute('x') || x.getAttribute('x1'), x.textContent.length ? x.textContent : '']).filter(x => x[0] !== 'svg')"
    before, drawn = texts(), page.evaluate(drawing)
    page.locator("[name=open]").check()
    until(page, "document.getElementById('value-tools').dataset.shown")
    page.locator("[name=open]").uncheck()
    until(page, "!location.hash")
    until(page, f"document.querySelector('#value-answers').innerText.replace(/\\s+/g, ' ').trim() === {json.dumps(before[0])}")
    assert texts() == before
    again = page.evaluate(drawing)
    assert [x[:2] for x in again] == [x[:2] for x in drawn] and [x[3] for x in again] == [x[3] for x in drawn]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_an_address_can_be_shared(watched, book):
    shared = _script(book / assets.FOLDER / assets.ALL)
    ids = [b["id"] for b in shared["benchmarks"]]
    page = watched.open("en/value.html")
    page.locator("#value-tools").wait_for()
    page.locator(f"[name=source][value={ids[1]}]").uncheck()
    page.locator("[name=min]").check()
    page.locator("[name=cost]").fill("5")
    page.locator("[name=cost]").press("Tab")
    until(page, "location.hash.includes('cost=5') && location.hash.includes('min=1') && location.hash.includes('sources=')")
    on = [b["id"] for b in shared["benchmarks"] if b["in_use"] and b["id"] != ids[1]]
    mask = sum(1 << ids.index(b) for b in on)
    until(page, f"document.getElementById('value-tools').dataset.shown === '{mask} 1'")
    address, text = page.url, page.locator("#value-answers").inner_text()
    page.goto("about:blank")
    page.goto(address)
    until(page, f"document.getElementById('value-tools').dataset.shown === '{mask} 1'")
    assert page.locator("#value-answers").inner_text() == text and not page.locator(f"[name=source][value={ids[1]}]").is_checked()
    assert page.locator("[name=cost]").input_value() == "5"
    page.locator("#value-tools button[type=reset]").click()
    until(page, "!location.hash")


def test_a_link_lets_the_others_compete_and_keeps_the_rest(watched, book):
    page = _open(watched, "de/value.html", "#open=1")
    until(page, "document.getElementById('value-tools').dataset.shown")
    page.locator("#value-lower").click()
    until(page, "location.hash.includes('min=1')")
    assert "open=1" in page.url and page.locator("[name=min]").is_checked()


def test_no_source_and_a_lost_file_are_said(browser, book):  # noqa: F811
    one = Watched(browser, book)
    page = _open(one, "es/value.html", "#sources=none")
    page.locator("#value-tools + .note").wait_for()
    assert "fuente" in page.locator("#value-tools + .note").inner_text()
    one.context.close()
    assert not one.said


def test_without_scripts_the_default_state_stands(browser, book):  # noqa: F811
    one = Watched(browser, book, java_script_enabled=False)
    page = one.open("en/value.html")
    assert page.locator("#value-tools").is_hidden() and page.locator(".answer").count() == 3 and page.locator("#t-value tbody tr").count() > 2
    one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(browser, book, scheme):  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    one = Watched(browser, book, color_scheme=scheme)
    page = _open(one, "en/value.html", "#min=1")
    until(page, "document.getElementById('value-tools').dataset.shown")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()[:3000]
    one.context.close()
