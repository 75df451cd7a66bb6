"""What a reader can move, in a real Chromium with no network: the ranking, the comparison, recomputing; by mouse and by keyboard."""

import json
import random
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from test_browser import Watched, browser, until  # noqa: F401

from siiq_core.method.scoring import score
from siiq_core.params.method import load_method
from siiq_core.publish.format import LANGUAGES
from siiq_core.records import Benchmark, Calibration

KEYS = ("theta", "se", "siiq", "low", "high")


@pytest.fixture(scope="module")
def book(root, request):
    """The built book of the project where it stands and has all of this, else the small one."""
    built = root / "_build" / "html"
    whole = all((built / x).is_file() for x in ("data/index.js", "en/compare.html", "en/_static/recompute.js"))
    return built if whole else request.getfixturevalue("small_book").site


@pytest.fixture(scope="module")
def published(book):
    return json.loads((book / "data" / "index.json").read_text(encoding="utf-8"))


class Reader(Watched):
    """A watched page whose address may carry a state behind "#"."""

    def open(self, address):
        path, mark, state = address.partition("#")
        self.page.goto((self.site / path).as_uri() + mark + state)
        return self.page


@pytest.fixture
def watched(browser, book):  # noqa: F811
    one = Reader(browser, book)
    one.context.route("**/*", lambda route: route.continue_() if route.request.url.startswith(("file:", "data:")) else route.abort())
    yield one
    one.context.close()
    assert not one.said and not one.asked


def _state(page):
    return {k: v[0] for k, v in parse_qs(urlsplit(page.evaluate("location.href")).fragment).items()}


# --- ranking ---------------------------------------------------------------------------------------------------------


def _shown(page, table="ranking"):
    return page.evaluate(f"[...document.querySelectorAll('#t-{table} tr[data-slug]')].filter(r => r.offsetParent).map(r => r.dataset.slug)")


def _by_rank(index):
    return [m["slug"] for m in sorted((m for m in index["models"] if m["ranked"]), key=lambda m: m["rank"])]


def test_search_by_keyboard_finds_names_and_developers_and_says_how_many(watched, published):
    page = watched.open("en/ranking.html")
    assert _shown(page) == _by_rank(published)
    name = published["models"][2]["name"]
    page.locator("input[name=q]").focus()
    page.keyboard.type(name.upper())
    wanted = [m["slug"] for m in published["models"] if all(w.casefold() in f'{m["name"]} {m["developer"]}'.casefold() for w in name.split())]
    assert set(_shown(page) + _shown(page, "unranked")) == set(wanted)
    assert page.locator(".count[role=status]").inner_text() == f"{len(wanted)} of {len(published['models'])} models shown"
    assert _state(page) == {"q": name.upper()}
    page.locator("button[type=reset]").focus()
    page.keyboard.press("Enter")
    until(page, "!location.hash")
    assert _shown(page) == _by_rank(published)


def test_a_search_that_finds_nothing_says_so(watched):
    page = watched.open("de/ranking.html")
    page.locator("input[name=q]").fill("xyzzy<b>")
    assert not _shown(page) and page.locator("td.nothing").first.is_visible()
    assert page.locator(".count").inner_text().startswith("0 von")


def test_filters_narrow_and_stand_in_the_address(watched, published):
    page = watched.open("en/ranking.html")
    first = published["models"][0]
    developer, access = first["developer"].split(", ")[0], first["access"]
    page.locator("select[name=developer]").select_option(developer)
    page.locator("select[name=access]").select_option(access)
    page.locator("select[name=area]").select_option("math")
    wanted = {m["slug"] for m in published["models"] if developer in m["developer"].split(", ") and m["access"] == access and "math" in m["areas"]}
    assert set(_shown(page) + _shown(page, "unranked")) == wanted
    page.locator("select[name=standing]").select_option("unranked")
    assert not _shown(page)
    state = {"developer": developer, "access": access, "area": "math", "standing": "unranked"}
    assert _state(page) == state
    page.reload()
    assert _state(page) == state and not _shown(page) and page.locator("select[name=developer]").input_value() == developer


def test_an_address_with_a_state_that_is_none_shows_all(watched, published):
    watched.open("en/ranking.html#%E0%A4%A")
    page = watched.open("en/ranking.html#developer=Nobody+Else&sort=-speed&area=%3Cimg%3E")
    assert _shown(page) == _by_rank(published) and page.locator("select[name=developer]").input_value() == ""


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_columns_sort_both_ways_by_full_precision(watched, published, way):
    page = watched.open("en/ranking.html")
    ranked = [m for m in published["models"] if m["ranked"]]

    def press(key):
        button = page.locator(f"#t-ranking th[data-sort={key}] button")
        if way == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Space")

    header = page.locator("#t-ranking th[data-sort=width]")
    press("width")
    widths = {m["slug"]: m["high"] - m["low"] for m in ranked}
    assert [widths[x] for x in _shown(page)] == sorted(widths.values())
    assert header.get_attribute("aria-sort") == "ascending" and _state(page) == {"sort": "width"}
    press("width")
    assert [widths[x] for x in _shown(page)] == sorted(widths.values(), reverse=True) and header.get_attribute("aria-sort") == "descending"
    press("siiq")
    assert _shown(page) == _by_rank(published) and page.locator("[aria-sort]").count() == 2  # one in each table
    press("released")
    days = {m["slug"]: m["released"] or "" for m in ranked}
    assert [days[x] for x in _shown(page)] == sorted(days.values(), reverse=True)
    press("rank")
    assert not _state(page) and _shown(page) == _by_rank(published) and page.locator("tr.band").first.is_visible()


@pytest.mark.parametrize(("lang", "way"), [("en", "mouse"), ("de", "keyboard")])
def test_a_row_opens_to_areas_and_the_three_heaviest_results(watched, published, lang, way):
    page = watched.open(f"{lang}/ranking.html")
    m = published["models"][0]
    button = page.locator(f'#m-{m["slug"]} button.opener'.replace(".", "\\.").replace("\\.opener", ".opener"))
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    inside = page.locator("tr.more .inside")
    inside.wait_for()
    assert button.get_attribute("aria-expanded") == "true" and page.locator(f'[id="{button.get_attribute("aria-controls")}"]').count() == 1
    assert inside.locator(".areas li").count() == len(m["areas"])
    on = {b["id"]: b for b in published["benchmarks"] if b["in_index"]}
    heaviest = sorted((r for r in m["results"] if r["benchmark"] in on), key=lambda r: -r["w"] * on[r["benchmark"]]["alpha"] ** 2)[:3]
    assert [x.strip() for x in inside.locator("ol a").all_inner_texts()] == [on[r["benchmark"]]["name"] for r in heaviest]
    button.press("Enter")
    assert not inside.is_visible() and button.get_attribute("aria-expanded") == "false"


def test_an_address_of_a_row_opens_it(watched, published):
    slug = published["models"][1]["slug"]
    page = watched.open(f"es/ranking.html#m-{slug}")
    page.locator("tr.more .inside").wait_for()
    assert page.evaluate("document.querySelector('tr.more').previousElementSibling.dataset.slug") == slug


def test_hostile_names_stay_text_in_what_scripts_write(browser, small_book):  # noqa: F811  # fault 24
    one = Reader(browser, small_book.site)
    page = one.open("en/ranking.html")
    for button in page.locator("#t-ranking button.opener").all():
        button.click()
    page.locator(".inside").last.wait_for()
    page = one.open("en/compare.html#a=nova-8&b=tiny-1")
    until(page, "document.querySelector('#compare-head').textContent.includes('onerror')")
    assert page.locator("main img").count() == 0 and page.evaluate("!document.body.textContent.includes('\\u202e')")
    page = one.open("en/models/nova-8.html")
    page.locator("#recompute button").click()
    page.locator(".agrees").wait_for()
    assert page.locator("main img").count() == 0
    one.context.close()
    assert not one.said and not one.asked


# --- compare ---------------------------------------------------------------------------------------------------------

_PARTS = """() => ['head', 'areas', 'benchmarks'].map(x => {
  const copy = document.getElementById('compare-' + x).cloneNode(true);
  const walk = n => n.nodeType === 3 ? n.data : n.nodeType !== 1 ? '' : '<' + n.localName + [...n.attributes].map(a => a.name + '=' + a.value.trim()).sort().join(' ') + '>' + [...n.childNodes].map(walk).join('');
  return walk(copy).replace(/\\n/g, '');
})"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_script_makes_the_page_that_the_build_makes(browser, book, published, lang):  # noqa: F811
    first, second = _by_rank(published)[:2]
    plain = Reader(browser, book, java_script_enabled=False)
    before = plain.open(f"{lang}/compare.html")
    assert before.locator("#compare-tools").is_hidden() and before.locator("#t-parts tbody tr").count() > 3
    built = plain.page.content()
    plain.context.close()
    scripted = Reader(browser, book)
    page = scripted.open(f"{lang}/compare.html#a={second}&b={first}")
    page.locator("#compare-tools button").click()  # swapped: now drawn by the script
    made = page.evaluate(_PARTS)
    page.set_content(built.replace("<script", "<script type='text/plain'"))
    assert page.evaluate(_PARTS) == made
    scripted.context.close()


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_two_models_are_chosen_and_stand_in_the_address(watched, published, way):
    page = watched.open("en/compare.html")
    a, b = published["models"][3], published["models"][-1]
    page.locator("#compare-tools").wait_for()
    if way == "mouse":
        page.locator("select[name=a]").select_option(a["slug"])
        page.locator("select[name=b]").select_option(b["slug"])
    else:
        for name, m in (("a", a), ("b", b)):
            page.locator(f"select[name={name}]").focus()
            page.keyboard.press("End" if m is b else "Home")
            if m is a:
                for _ in range(_by_rank(published).index(a["slug"])):
                    page.keyboard.press("ArrowDown")
        b = next(m for m in published["models"] if m["slug"] == page.locator("select[name=b]").input_value())
    assert _state(page) == {"a": a["slug"], "b": b["slug"]}
    shown = page.locator("#compare-head").inner_text()
    for m in (a, b):
        assert m["shown"]["siiq"] in shown and m["shown"]["low"] in shown
    verdict, = page.locator("#compare-head [role=status]").all_inner_texts()
    assert ("tell them apart:" in verdict) == (max(a["low"], b["low"]) > min(a["high"], b["high"]))
    assert ("provisional" in shown) is (not b["ranked"])
    page.reload()
    until(page, f"document.querySelector('[name=b]').value === {json.dumps(b['slug'])}")


def test_links_of_model_pages_lead_to_the_comparison(watched, published):
    slug = _by_rank(published)[0]
    page = watched.open(f"de/models/{slug}.html")
    page.locator("#t-close a[href*='compare.html#']").first.click()
    page.wait_for_url("**/de/compare.html#a=*")
    until(page, f"document.querySelector('[name=a]').value === {json.dumps(slug)}")


def test_the_same_model_twice_is_said_and_an_unknown_one_is_ignored(watched, published):
    slug = published["models"][0]["slug"]
    page = watched.open(f"en/compare.html#a={slug}&b={slug}")
    page.get_by_text("Both choices are the same model.").wait_for()
    page = watched.open("en/compare.html#a=%3Cimg%3E&b=nobody")
    page.locator("#compare-tools").wait_for()
    assert page.locator("select[name=a]").input_value() == _by_rank(published)[0]


# --- recompute -------------------------------------------------------------------------------------------------------


def test_recomputed_values_equal_the_published_ones_for_all_models(watched):
    page = watched.open("en/data.html")
    page.locator("#recompute-all button").focus()
    page.keyboard.press("Enter")
    page.locator("#t-recomputed").wait_for()
    rows = page.evaluate("[...document.querySelectorAll('#t-recomputed tbody tr')].map(r => [...r.querySelectorAll('td.n')].map(c => Number(c.dataset.v)))")
    assert len(rows) == 9 and all(n > 0 and largest <= 1e-9 and differ == 0 for n, largest, differ in rows), rows


@pytest.fixture
def computing(watched):
    page = watched.open("en/data.html")
    page.locator("#recompute-all button").click()
    page.locator("#t-recomputed").wait_for()
    return page


def _python(root, index):
    """Python's own scoring on the published parameters."""
    on = [b for b in index["benchmarks"] if b["in_index"]]
    at = index["calibration"]
    by = {name: {b["id"]: b[name] for b in on} for name in ("alpha", "beta", "sigma2", "omega", "models_in_fit")}
    calibration = Calibration(alpha=by["alpha"], beta=by["beta"], sigma2=by["sigma2"], omega=by["omega"], models_on=by["models_in_fit"], shift=at["shift"], scale=at["scale"],
                              kappa=at["kappa"], models=(), rounds=0, last_change=0.0, null_directions=2, folds=0, pairs=0)
    benchmarks = {b["id"]: Benchmark(b["id"], b["area"], b["family"], b["evaluator"], b["g"], b["c"], b["n"]) for b in index["benchmarks"]}
    return lambda scores: score(scores, benchmarks, calibration, load_method(root))


def test_without_single_results_the_browser_agrees_with_python(root, computing, published):
    python, chance = _python(root, published), random.Random(7)
    models = chance.sample(published["models"], min(20, len(published["models"])))
    cases = [(m, off) for m in models for off in ([r["benchmark"]] for r in m["results"])]
    cases += [(m, chance.sample([r["benchmark"] for r in m["results"]], len(m["results"]) // 2)) for m in models]
    found = computing.evaluate("cases => cases.map(([slug, off]) => SIIQ.method.score(SIIQ_INDEX.models.find(m => m.slug === slug).results.filter(r => !off.includes(r.benchmark)), SIIQ_INDEX))",
                               [(m["slug"], off) for m, off in cases])
    assert len(cases) > 60
    for (m, off), mine in zip(cases, found, strict=True):
        wanted = python({r["benchmark"]: r["score"] for r in m["results"] if r["benchmark"] not in off})
        assert (wanted is None) is (mine is None)
        if wanted is None:
            continue
        assert abs(mine["theta0"] - wanted.theta0) <= 1e-9 and set(mine["areas"]) == set(wanted.areas)
        for values, own in [(wanted.overall, mine)] + [(wanted.areas[x], mine["areas"][x]) for x in wanted.areas]:
            assert all(abs(getattr(values, key) - own[key]) <= 1e-9 for key in KEYS), (m["slug"], off)


def test_rounding_is_pythons(computing):
    values = [0.5, 1.5, 2.5, -0.5, -1.5, 148.5, 149.5, 0.125, 2.675, -0.04, 1e-9, *(k / 8 for k in range(-400, 400)), *(random.Random(1).uniform(-200, 200) for _ in range(500))]
    for places in (0, 1, 2):
        found = computing.evaluate("([xs, n]) => xs.map(x => SIIQ.method.rounded(x, n))", [values, places])
        assert found == [f"{round(x, places) + 0.0:.{places}f}" for x in values]


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_result_switched_off_moves_score_interval_and_rank(root, watched, published, way):
    m = max((m for m in published["models"] if m["ranked"]), key=lambda m: (len(m["results"]), m["slug"]))
    page = watched.open(f'en/models/{m["slug"]}.html')
    button, status = page.locator("#recompute button"), page.locator("#recompute [role=status]")
    if way == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    page.locator("#recompute .agrees").wait_for()
    agrees = page.locator("#recompute .agrees")
    assert float(agrees.get_attribute("data-v")) <= 1e-9 and agrees.get_attribute("data-differ") == "0" and agrees.evaluate("x => x === document.activeElement")
    shown = m["shown"]
    assert f'{shown["siiq"]} ({shown["low"]}–{shown["high"]}), as published. Rank {m["rank"]}, range' in status.inner_text()
    box = page.locator("#recompute input[type=checkbox]").first
    heaviest = page.locator("#recompute label bdi").first.inner_text()
    off = next(b["id"] for b in published["benchmarks"] if b["name"] == heaviest)
    if way == "mouse":
        box.click()
    else:
        for _ in range(30):
            page.keyboard.press("Tab")
            if box.evaluate("x => x === document.activeElement"):
                break
        page.keyboard.press("Space")
    new = _python(root, published)({r["benchmark"]: r["score"] for r in m["results"] if r["benchmark"] != off}).overall
    others = [x for x in published["models"] if x["ranked"] and x["slug"] != m["slug"]]
    rank = 1 + sum(x["theta"] > new.theta for x in others)
    said = status.inner_text()
    assert f'would be {round(new.siiq)} ({round(new.low)}–{round(new.high)}) instead of {shown["siiq"]}.' in said and (f"Rank {rank}, range" in said or "No rank" in said)
    page.get_by_role("button", name="Count all again").click()
    assert "as published" in status.inner_text() and box.is_checked()


def test_with_nothing_left_there_is_no_score(watched, published):
    m = min((m for m in published["models"] if not m["ranked"]), key=lambda m: (len(m["results"]), m["slug"]))
    page = watched.open(f'de/models/{m["slug"]}.html')
    page.locator("#recompute button").click()
    page.locator("#recompute .agrees").wait_for()
    assert "Kein Rang: " in page.locator("#recompute [role=status]").inner_text()
    for box in page.locator("#recompute input[type=checkbox]").all():
        box.click()
    assert page.locator("#recompute [role=status]").inner_text() == "Kein Ergebnis zählt, also gibt es keinen Wert."


def test_a_data_file_that_is_gone_is_said(browser, book, published):  # noqa: F811
    one = Reader(browser, book)
    one.context.route("**/index.js", lambda route: route.abort())
    page = one.open(f'es/models/{published["models"][0]["slug"]}.html')
    page.locator("#recompute button").click()
    page.get_by_text("No se pudo leer el archivo de datos.").wait_for()
    one.context.close()


# --- for everybody ---------------------------------------------------------------------------------------------------


def _opened(page, address, index):
    """The page with everything open that opens."""
    if "ranking" in address:
        page.locator("button.opener:visible").first.click()
        page.locator(".inside").wait_for()
    elif "compare" in address:
        page.locator("#compare-tools").wait_for()
    else:
        page.locator(".recompute button").click()
        page.locator("#t-recompute, #t-recomputed").wait_for()


def _addresses(index, lang):
    """One page of each kind: few rows are enough, the whole ranking is looked at elsewhere."""
    short = min((m for m in index["models"] if m["ranked"]), key=lambda m: (len(m["results"]), m["slug"]))
    return [f'{lang}/ranking.html#q={quote(short["name"])}&sort=width', f"{lang}/compare.html", f'{lang}/models/{short["slug"]}.html', f"{lang}/data.html"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_contrast_and_landmarks(browser, book, published, lang):  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    for scheme in ("light", "dark"):
        one = Reader(browser, book, color_scheme=scheme)
        for address in _addresses(published, lang):
            page = one.open(address)
            _opened(page, address, published)
            found = axe.Axe().run(page, options=None if scheme == "light" else {"runOnly": ["color-contrast"]})  # the dark page is the same page
            assert found.violations_count == 0, address + found.generate_report()[:3000]
        one.context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_wider_than_a_phone(browser, book, published, lang):  # noqa: F811
    narrow = Reader(browser, book, viewport={"width": 360, "height": 740}, has_touch=True)
    for address in _addresses(published, lang):
        page = narrow.open(address)
        _opened(page, address, published)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
    narrow.context.close()
    assert not narrow.said


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_no_english_is_left_in_what_scripts_write(browser, book, published, lang):  # noqa: F811
    """Texts and labels of a page after its scripts have run, but names and numbers, differ from the English ones."""
    read = """() => [...document.querySelectorAll('main *')].filter(e => !e.closest('bdi, code, pre, math, svg, a[href*="benchmarks/"], option, time, [lang]:not(html)')).flatMap(e =>
      [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).concat(e.getAttribute('aria-label') || [])).filter(x => (x.match(/\\p{L}{2,}/gu) || []).length > 1)"""
    for here, there in zip(_addresses(published, lang), _addresses(published, "en")):
        found = []
        for address in (here, there):
            one = Reader(browser, book)
            page = one.open(address)
            _opened(page, address, published)
            found.append(set(page.evaluate(read)))
            one.context.close()
        names = {" ".join(m["name"].split()) for m in published["models"]}
        assert not {x for x in found[0] & found[1] if "SI-IQ" not in x and " ".join(x.split()) not in names}, here


def test_a_models_page_is_interactive_within_a_second(browser, book, published):  # noqa: F811
    one = Reader(browser, book)
    times = []
    for m in published["models"][:3]:
        page = one.open(f'en/models/{m["slug"]}.html')
        times.append(page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive"))
        assert page.locator("#recompute button").is_visible()
    one.context.close()
    assert min(times) < 1000, times
