"""What stands, as status.json, the pages and the feeds tell it: every state that any scenario comes to."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book"))

from made_up import made_up_index, write_run  # noqa: E402

from siiq_core.gate import memory  # noqa: E402
from siiq_core.gate.decisions import standing  # noqa: E402
from siiq_core.gate.memory import kept, of_kept, reached  # noqa: E402
from siiq_core.gate.said import ENGLISH, Said, said_in  # noqa: E402
from siiq_core.gate.telling import told  # noqa: E402
from siiq_core.publish import feed, gate_blocks, status_blocks  # noqa: E402
from siiq_core.publish.format import LANGUAGES  # noqa: E402
from siiq_core.publish.saying import sentence  # noqa: E402
from siiq_core.publish.site import load_site  # noqa: E402
from siiq_core.publish.status import build_status  # noqa: E402
from siiq_core.publish.words import Words  # noqa: E402
from tests.gate.ledgers import CASES, case_of, entries_of  # noqa: E402


@pytest.fixture(scope="module")
def site(root, tmp_path_factory):
    """A made-up book whose sources are those of the scenarios."""
    index = made_up_index(root)
    index["sources"] = [{**index["sources"][0], "id": name, "name": f"Source {name}"} for name in sorted({x for p in CASES.glob("*.json") for x in json.loads(p.read_text(encoding="utf-8"))["sources"]})]
    return load_site(index, write_run(tmp_path_factory.mktemp("run"), index), root, Words.load(root))


@pytest.fixture(scope="module")
def schema(root):
    return jsonschema.Draft202012Validator(json.loads((root / "siiq_core/publish/schemas/status.schema.json").read_text(encoding="utf-8")))


# at least one of each kind of thing that can stand
SHOWN = {"U0-rebase", "U10-seven-days", "U3b-outlier", "U5-new-leader", "U6a-lost-rows", "U6a-unreadable", "U6b-approved", "U6b-superseded", "U6b-chance-level", "U7-lower-share-never", "U7-operator-accepts",
         "U9-freeze-and-switch", "U9-archived-source-approved", "U11-approved", "U11-heals", "U2-checker-down", "U2-refused-change", "operator-rejects", "operator-retracts", "C9-monthly-recalibration-fails"}


def states(case):
    return [found for kind, _, _, found in entries_of(case) if kind != memory.START]


def test_every_state_fits_the_schema_and_says_the_same_everywhere(gate_case, site, schema):
    found_after = states(json.loads(gate_case.read_text(encoding="utf-8")))
    for found in found_after:
        plain = json.loads(json.dumps(told(found)))
        status = build_status(site.index, {**site.facts, "gate": plain})
        schema.validate(status)
        assert status["gate"]["runs"] is True and status["generated_at"] == found.state.at
        held = {key for key, x in found.state.pending.items() if x.hold is not None and not x.released and not x.rejected}
        assert {(x["model"], x["benchmark"]) for x in status["held"] if x["rule"] != "U5"} == held
        assert {x["benchmark"] for x in status["frozen"]} == set(found.state.frozen) and len(status["corrections"]) == len(found.state.corrections)
        assert {x["id"] for x in status["sources"] if x["failure"]} == {name for name, x in found.state.sources.items() if x.failure}
        assert (status["publication"]["state"] == "stopped") is (found.state.stop is not None)
        assert of_kept(kept(found)) == found and kept(of_kept(kept(found))) == kept(found)
    if gate_case.parent != CASES or gate_case.stem in SHOWN:
        for found in found_after:
            _same_on_every_page(site, json.loads(json.dumps(told(found))))


def _same_on_every_page(site, plain):
    here = replace(site, facts={**site.facts, "gate": plain})
    status = build_status(here.index, here.facts)
    for lang in LANGUAGES:
        pages = {name: make(here, lang) for name, make in (*gate_blocks.BLOCKS.items(), *status_blocks.BLOCKS.items())}
        for block, listed in (("status_held", status["held"]), ("status_frozen", status["frozen"]), ("status_refused", status["refused"]), ("corrections", status["corrections"])):
            assert pages[block].count("<tr>") == len(listed) + bool(listed)
            assert all(x.get("since", x.get("at")) in pages[block] for x in listed)
        assert all(f'data-failed="{x["failure"]["since"]}"' in pages["status_sources"] for x in status["sources"] if x["failure"])
        assert status["publication"]["state"] == "published" or status["publication"]["since"] in pages["status_publication"]
        assert all(x["since"] in pages["status_reports"] for x in status["reports"] if "coded" in x)
    assert len(json.loads(feed.feeds(plain, site.index)[feed.JSON])["items"]) == len(plain["news"])


# --- sentences -------------------------------------------------------------------------------------------------------------


def test_english_and_the_pages_have_the_same_codes_and_slots(root):
    texts = yaml.safe_load((root / "book/translations/said.yml").read_text(encoding="utf-8"))["said"]
    of_pages = {"part", "definition", "not_its_inputs"}
    assert set(texts) == set(ENGLISH) | of_pages
    for code, text in ENGLISH.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", texts[code]["en"])), code


def test_no_sentence_is_unused(root):
    code = "".join(p.read_text(encoding="utf-8") for p in (*(root / "siiq_core/gate").rglob("*.py"), root / "siiq_core/method/calibration/comparison.py") if p.name != "said.py")
    assert not [x for x in ENGLISH if not re.search(rf'(?:Said|Refusal)\([^)]*"{x}"|else "{x}"', code) and x != "text"]


@pytest.mark.parametrize(("said", "english", "german"), [
    (Said("rows_lost", {"parts": [["", 100, 60], ["q1", 1200, 20]]}), "fewer rows: the source 100 → 60, q1 1200 → 20", "weniger Zeilen: die Quelle 100 → 60, q1 1.200 → 20"),
    (Said("rows_and_share_lost", {"parts": [["", 9, 1]], "before": 0.955, "now": 0.5}), "the share kept fell from 0.955 to 0.5", "sank von 95,5 % auf 50,0 %"),
    (Said("lost_rank", {"lost": ["nova-9"], "own_inputs": False}), "nova-9; not all of it from changed inputs", "Nova 9; nicht alles davon folgt aus geänderten Eingaben"),
    (Said("ranked_changes", {"before": 40, "after": 30, "limit": 0.1}), "C9: ranked models 40 → 30, more than 10%", "von 40 auf 30, eine Änderung um mehr als 10 %"),
    (Said("redefined", {"name": "n", "before": "100", "now": "<b>"}), "n changed from 100 to <b>", "Fragenzahl geändert von 100 auf &lt;b&gt;"),
    (Said("snapshot_age", {"observed": "2026-09-01T03:00:00Z", "hours": 6.0}), "the snapshot of 2026-09-01T03:00:00Z to be 6 hours old", "6 Stunden seit dem Datenstand von 1. Sept. 2026, 03:00 UTC"),
])
def test_sentences(said, english, german, site):
    assert english in str(said) and said_in(json.loads(json.dumps(said.plain))) == said
    assert german in re.sub(r"<[^>]+>", "", sentence(said.plain, site, "de")).replace("\u00a0", " ")


def test_every_reason_that_c9_can_give_has_words(site):
    from siiq_core.method.calibration.comparison import Comparison, refusals
    from siiq_core.params.method import load_method

    params = load_method(site.root)
    found = [*refusals(Comparison(40, 30, 0.5, 9.0, ("q1",), ()), params), *refusals(Comparison(40, 40, None, None, (), ()), params)]
    assert len({x.code for x in found}) == 5
    assert len({sentence(Said(x.code, x.of).plain, site, lang) for x in found for lang in LANGUAGES}) == 15 and all(str(Said(x.code, x.of)).startswith("C9: ") for x in found)


def test_a_recalibration_that_was_refused_shows_with_its_reasons(site):
    plain = told(states(case_of("C9-monthly-recalibration-fails"))[-2])
    assert plain["last_attempt"]["outcome"] == "refused" and plain["last_attempt"]["reasons"] == ["made to fail"] and plain["last_attempt"]["why"] == "monthly"
    here = replace(site, facts={**site.facts, "gate": plain})
    assert "abgelehnt" in gate_blocks.status_attempt(here, "de") and '<span lang="en"><bdi>made to fail' in gate_blocks.status_attempt(here, "de")


def test_the_pages_say_which_way_the_numbers_came(site):
    here = replace(site, facts={**site.facts, "gate": told(states(case_of("U10-seven-days"))[1])})
    for lang in LANGUAGES:
        assert gate_blocks.gate_passed(site, lang) != gate_blocks.gate_passed(here, lang)
    assert "every change since has passed through the gate" in gate_blocks.gate_passed(here, "en") and "1 Sept 2026, 01:00 UTC" in gate_blocks.gate_passed(here, "en")
    shown = re.sub(r"<[^>]+>", " ", gate_blocks.status_held(here, "es")).replace("\u00a0", " ")
    assert "85,0 %" in shown and "70,0 %" in shown and "se movería 15 puntos porcentuales" in shown and "con 6 horas de por medio" in shown


# --- persons -----------------------------------------------------------------------------------------------------------------


HOSTILE = "<img src=x onerror=alert(1)> \u202e ``` {{ models }}"


def test_who_and_why_are_text_on_the_pages_and_in_the_feeds(site):  # fault 24
    from siiq_core.gate.operating import Action, operated

    found = states(case_of("U10-seven-days"))[1]
    action = Action("release", "A", "q1", who=HOSTILE, reason=HOSTILE)
    found = reached(found, operated(found.state, action, "2026-09-02T00:00:00Z", found.rules), "2026-09-02T00:00:00Z")
    here = replace(site, facts={**site.facts, "gate": json.loads(json.dumps(told(found)))})
    for lang in LANGUAGES:
        shown = gate_blocks.corrections(here, lang)
        assert "<img" not in shown and shown.count("&lt;img src=x onerror=alert(1)&gt;") == 2 and "\u202e" not in shown and 'href="models/A.html"' not in shown
    assert "released" in gate_blocks.corrections(here, "en") and "freigegeben" in gate_blocks.corrections(here, "de") and "liberado" in gate_blocks.corrections(here, "es")
    made = feed.feeds(here.facts["gate"], here.index)
    assert b"<img" not in made[feed.RSS] and "\u202e".encode() not in made[feed.RSS] + made[feed.JSON]


def test_nothing_decided_says_so(site):
    for lang in LANGUAGES:
        assert "<table" not in gate_blocks.corrections(site, lang) and len(gate_blocks.corrections(site, lang)) > 30


@pytest.mark.parametrize(("scenario", "outcome", "who"), [("operator-rejects", "rejected", "the operator"), ("operator-retracts", "retracted", "the operator"), ("U2-refused-change", "refused", "a reader")])
def test_what_is_not_used_is_listed_with_whose_word_it_was(scenario, outcome, who):
    found = [x for s in states(case_of(scenario)) for x in told(s)["refused"]]
    assert found and {(x["outcome"], x["who"], bool(x["reason"])) for x in found} == {(outcome, who, True)}


# --- news ------------------------------------------------------------------------------------------------------------------------


def test_the_latest_news_are_kept_and_no_more(site):
    case = case_of("U10-seven-days")
    found = states(case)[1]
    assert [x.what for x in found.news] == ["held"]
    few = replace(found, rules=replace(found.rules, limits=found.rules.limits.model_copy(update={"news": 1})))
    after = reached(few, replace(found.state, pending={}, stop=None, frozen={"q1": next(iter(states(case_of("U9-freeze-and-switch"))[1].state.frozen.values()))}), "2026-09-03T00:00:00Z")
    assert [(x.what, x.at) for x in after.news] == [("frozen", "2026-09-03T00:00:00Z")]


@pytest.mark.parametrize(("scenario", "wanted"), [
    ("U4-release-at-six-hours", ["held", "released"]), ("U4-twin-confirms", ["released"]), ("U9-freeze-and-switch", ["frozen", "switched", "recalibrated"]),
    ("U2-refused-change", ["refused"]), ("U6a-lost-rows", ["failed"]), ("U11-six-hourly-runs", ["stopped", "goes on"]), ("U0-baseline", []),
    ("operator-retracts", ["decided"]), ("U10-seven-days", ["held", "reported", "decided", "released"])])
def test_what_is_news(scenario, wanted):
    found = [x.what for x in states(case_of(scenario))[-1].news]
    assert [x for x in found if x != "recalibrated" or x in wanted] == wanted  # some scenarios pass the first of a month


def test_a_publication_is_news_once_its_files_stand():
    found = states(case_of("U0-baseline"))[0]
    after = memory.after(found, memory.PUBLICATION, "2026-09-01T00:05:00Z", {"version": "1.0.0", "number": 1, "index_sha256": "0" * 64})
    assert [(x.what, x.numbers["version"], x.at) for x in after.news] == [("publication", "1.0.0", "2026-09-01T00:05:00Z")] and after.state.standing == "1.0.0"


def test_standing_names_what_a_person_asked_for(root):
    from siiq_core.gate.operating import Action, operated

    found = states(case_of("U10-seven-days"))[1]
    state = operated(found.state, Action("rebase", source="alpha", who="a", reason="b"), "2026-09-02T00:00:00Z", found.rules)
    state = operated(state, Action("retract", "A", "q1", who="a", reason="b"), "2026-09-02T00:00:00Z", found.rules)
    assert {"new baseline", "retracted"} <= {x.what for x in standing(state, found.rules)}

