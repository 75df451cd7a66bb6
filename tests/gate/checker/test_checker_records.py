"""Questions and verdicts: nothing confirmed that its fields do not bear out, and back from a ledger as they were."""

import dataclasses
import datetime
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naming import benchmark, reading

from siiq_core.gate.checker import Field, Verdict, look_alikes, question_of, verdict_of
from siiq_core.gate.checker.records import FIELDS, stamp, unique

AT = "2026-09-01T12:00:00Z"


def fields(*disagree):
    return tuple(Field(name, "a", "b", name not in disagree) for name in FIELDS)


def make(outcome="confirmed", found=fields(), how="ai"):
    return Verdict("q", outcome, "reader-1" if how == "ai" else "literal re-reader", how, "lens" if how == "ai" else "", AT, found, "because.")


@pytest.mark.parametrize("found", [(), fields()[:3], fields("number"), fields()[::-1], (*fields(), Field("more", "", "", True))])
def test_a_verdict_is_what_its_fields_say(found):
    with pytest.raises(ValueError, match="bear out"):
        make("confirmed", found)
    assert not make("refused", found).confirmed


def test_nothing_refused_that_agrees_and_no_third_outcome():
    assert make().confirmed
    for outcome in ("refused", "unsure"):
        with pytest.raises(ValueError, match="bear out"):
            make(outcome)


def test_a_verdict_goes_through_a_ledger():
    for verdict in (make(), make("refused", ()), make("refused", fields("model"), "literal")):
        assert verdict_of(json.loads(json.dumps(verdict.as_record()))) == verdict
    with pytest.raises(ValueError, match="bear out"):  # a ledger that somebody edited
        verdict_of({**make("refused", fields("number")).as_record(), "outcome": "confirmed"})


def test_evidence_says_who_read(root):
    import jsonschema

    schema = json.loads((root / "siiq_core" / "publish" / "schemas" / "evidence.schema.json").read_text(encoding="utf-8"))["oneOf"][1]["properties"]["checker"]
    ai, literal = make().as_checker(), make(how="literal").as_checker()
    for entry in (ai, literal):
        jsonschema.validate(entry, schema)
    assert ai == {"who": "reader-1 (AI model of family lens)", "when": AT, "outcome": "confirmed"} and "no AI" in literal["who"]


def test_moments_have_a_zone_and_questions_an_id_each(question):
    assert stamp(datetime.datetime(2026, 9, 1, 14, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))) == AT
    with pytest.raises(ValueError, match="time zone"):
        stamp(datetime.datetime(2026, 9, 1))
    with pytest.raises(ValueError, match="one id"):
        unique([question(id="a"), question(id="a", score=0.5)])


def test_a_reading_becomes_a_question():
    q = question_of("x", reading("nova-1", 0.5, setting="high", origin="Nova One"), benchmark(scale=1), ["Model version", "Score"], model="Nova 1",
                    setting="high", models=["Nova 1", "Nova 2", "Orbit"], most=1)
    assert (q.name, q.origin_name, q.score, q.score_column, q.benchmark_name, q.model, q.models) == ("nova-1", "Nova One", 0.5, "Score", "quiz", "Nova 1", ("Nova 2",))
    assert q.row["Score"] == "0.5" and dataclasses.is_dataclass(q)


def test_look_alikes_are_the_hard_ones():
    names = ["Nova 2", "Nova 2 Pro", "Nova 2.1", "Orbit 7", "Quasar", ""]
    assert look_alikes("Nova 2", names, 2) == ("Nova 2 Pro", "Nova 2.1")


@given(st.permutations(["Nova 2", "Nova 2 Pro", "Nova 2.1", "Orbit 7", "Quasar", "nova 2"]))
def test_look_alikes_do_not_depend_on_order(names):
    assert look_alikes("Nova 2", names) == look_alikes("Nova 2", sorted(names))
