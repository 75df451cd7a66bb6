"""U10 and what else the rules leave to a person: both sides of every refusal, name and reason in the ledger, one writer at a time."""

import json

import pytest

from siiq_core.gate import memory
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import kept, replayed
from siiq_core.gate.place import ledger_at, remembered
from tests.gate.operator.conftest import BY

WHO, WHY = BY[1], BY[3]


def after(desk):
    return remembered(desk.root)[0]


def of_all(desk):
    """What reading the whole ledger gives, without the checkpoint."""
    return replayed(Ledger.open(ledger_at(desk.root)).entries())


# --- decisions that fit --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "cycles", "words", "body"), [
    ("U10-seven-days", 2, ("release", "A", "q1"), {"action": "release", "model": "A", "benchmark": "q1"}),
    ("U5-new-leader", 2, ("release", "Z"), {"action": "release", "model": "Z"}),
    ("U10-seven-days", 2, ("reject", "A", "q1"), {"action": "reject", "model": "A", "benchmark": "q1"}),
    ("U10-seven-days", 1, ("retract", "A", "q1"), {"action": "retract", "model": "A", "benchmark": "q1"}),
    ("U6b-definition", 2, ("approve", "--benchmark", "q1"), {"action": "approve", "benchmark": "q1"}),
    ("U9-freeze-and-switch", 2, ("approve", "--benchmark", "q1"), {"action": "approve", "benchmark": "q1"}),
    ("U6a-lost-rows", 2, ("approve", "--source", "alpha"), {"action": "approve", "source": "alpha"}),
    ("U11-approved", 2, ("approve", "--publication"), {"action": "approve", "publication": True}),
    ("U10-seven-days", 2, ("rebase", "--source", "alpha"), {"action": "rebase", "source": "alpha"}),
])
def test_a_decision_is_one_entry_with_name_and_reason(desk, scenario, cycles, words, body):
    here = desk(scenario, cycles)
    before = here.entries
    done = here(*words, *BY)
    assert done.code == 0, done.err
    *rest, last = here.entries
    assert rest == before and last.kind == memory.OPERATOR and last.at == "2026-12-01T00:00:00Z"
    assert {k: v for k, v in last.body.items() if v} == {**body, "who": WHO, "reason": WHY}
    assert f"entry {last.n} of the ledger" in done.out and "next cycle" in done.out
    log = after(here).state.corrections[-1]
    assert (log.who, log.reason, log.action, log.at) == (WHO, WHY, body["action"], last.at)
    assert kept(after(here)) == kept(of_all(here)), "the checkpoint is what the ledger says"
    news = after(here).news[-1]
    assert (news.what, news.at, news.numbers["who"], news.numbers["reason"]) == ("decided", last.at, WHO, WHY)


def test_what_was_taken_back_can_be_given_back(desk):
    here = desk("U10-seven-days", 1)
    assert here("release", "A", "q1", *BY).code == 1, "nothing of it is held"
    assert here("retract", "A", "q1", *BY).code == 0
    assert "retracted" in here("list").out
    assert here("release", "A", "q1", *BY).code == 0
    assert not after(here).state.retracted


# --- refusals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "cycles", "words", "code", "said"), [
    ("U10-seven-days", 1, ("release", "A", "q1", *BY), 1, "nothing of it is held"),
    ("U2-refused-change", 2, ("release", "A", "q1", *BY), 1, "refused by the second reader"),
    ("U10-seven-days", 1, ("reject", "A", "q1", *BY), 1, "no value of it is pending"),
    ("U5-new-leader", 2, ("retract", "Z", "q1", *BY), 1, "nothing of it is published"),
    ("U6b-definition", 1, ("approve", "--benchmark", "q1", *BY), 1, "not frozen"),
    ("U6a-lost-rows", 1, ("approve", "--source", "alpha", *BY), 1, "no smaller file"),
    ("U6a-unreadable", None, ("approve", "--source", "alpha", *BY), 1, "no smaller file"),
    ("U11-approved", 1, ("approve", "--publication", *BY), 1, "not stopped"),
    ("U2-checker-down", 2, ("approve", "--publication", *BY), 1, "not stopped"),
    ("U10-seven-days", 2, ("release", "B", "q1", *BY), 1, "siiq gate list shows"),
    ("U10-seven-days", 2, ("release", "N", "q1", *BY), 1, "no such model"),
    ("U10-seven-days", 2, ("release", "A", "q11", *BY), 1, "did you mean 'q1'"),
    ("U10-seven-days", 2, ("rebase", "--source", "alhpa", *BY), 1, "did you mean 'alpha'"),
    ("U10-seven-days", 2, ("approve", *BY), 2, "exactly one"),
    ("U11-approved", 2, ("approve", "--publication", "--benchmark", "q1", *BY), 2, "exactly one"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--who", "x"), 2, "--why"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--why", "x"), 2, "--who"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--who", " ", "--why", "x"), 2, "needs a name"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--who", "x", "--why", ""), 2, "needs a name and a reason"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--who", "x\x1b[2J", "--why", "y"), 2, "control characters"),
    ("U10-seven-days", 2, ("release", "A", "q1", "--who", "x", "--why", "y" * 1001), 2, "at most 1000"),
    ("U10-seven-days", 2, ("retract", "A", *BY), 2, "BENCHMARK"),
    ("U10-seven-days", 2, ("forget", "A", *BY), 2, "No such command"),
])
def test_a_refusal_writes_nothing(desk, scenario, cycles, words, code, said):
    here = desk(scenario, cycles)
    before = ledger_at(here.root).read_bytes(), kept(after(here))
    done = here(*words)
    assert done.code == code and said in done.err, done.err
    assert (ledger_at(here.root).read_bytes(), kept(after(here))) == before


def test_a_clock_that_went_back_is_refused(desk):
    here = desk("U10-seven-days", 2, now="2026-08-31T23:59:59Z")
    before = ledger_at(here.root).read_bytes()
    done = here("release", "A", "q1", *BY)
    assert done.code == 1 and "the clock has gone back" in done.err and ledger_at(here.root).read_bytes() == before


@pytest.mark.parametrize("words", [("list",), ("show", "A/q1"), ("release", "A", "q1", *BY)])
def test_without_a_ledger_nothing_is_begun(desk, words):
    here = desk()
    done = here(*words)
    assert done.code == 1 and "no update was ever run" in done.err and "siiq update begins" in done.err
    assert not ledger_at(here.root).exists()


def test_a_second_writer_waits_or_leaves_with_a_message(desk):
    here = desk("U10-seven-days", 2)
    before = ledger_at(here.root).read_bytes()
    with Ledger.open(ledger_at(here.root)).writing():
        done = here("release", "A", "q1", *BY, "--wait", "0")
        assert done.code == 1 and "another run" in done.err
        assert here("list").code == 0, "looking needs no turn"
    assert ledger_at(here.root).read_bytes() == before
    assert here("release", "A", "q1", *BY, "--wait", "0").code == 0


# --- looking -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "cycles", "what", "rule", "subject", "until"), [
    ("U10-seven-days", 2, "held", "U3a", "A/q1", "another snapshot of its source that still has it, and 6 hours between"),
    ("U10-seven-days", 4, "reported", "U10", "A/q1", "release or reject it (siiq gate)"),
    ("U5-new-leader", 2, "waits", "U5", "Z", "all its new results confirmed, 6 hours after they appeared"),
    ("U6b-definition", 2, "frozen", "U6b", "q1", "a person's approval"),
    ("U9-freeze-and-switch", 2, "frozen", "U9", "q1", "every changed value confirmed, and a recalibration that passes"),
    ("U6a-lost-rows", 2, "failed", "U6a", "alpha", "24 hours in which it stays no larger, or a person"),
    ("U6a-unreadable", 2, "failed", "U6a", "alpha", "a content that can be read"),
    ("U11-approved", 2, "stopped", "U11", "publication", "6 hourly runs in which it lasts (1 so far), or a person"),
    ("U2-checker-down", 2, "stopped", "U2", "publication", "a second reader in reach"),
    ("U2-refused-change", 2, "refused", "U2", "A/q1", "a row that the second reader reads the same"),
])
def test_the_list_says_rule_numbers_since_and_until(desk, scenario, cycles, what, rule, subject, until):
    here = desk(scenario, cycles)
    found = json.loads(here("list", "--json").out)
    own = [x for x in found if (x["what"], x["rule"], x["subject"]) == (what, rule, subject)]
    assert len(own) == 1 and own[0]["until"] == until and own[0]["since"].startswith("2026-"), found
    done = here()
    assert done.code == 0 and all(x in done.out for x in (what, subject, until)) and f"{len(found)} stand" in done.err


def test_nothing_stands(desk):
    done = desk("U10-seven-days", 1)("list")
    assert done.code == 0 and done.out == "" and done.err.startswith("0 stand as of 2026-09-01")


def test_a_pair_is_shown_whole(desk):
    here = desk("U10-seven-days", 2)
    found = json.loads(here("show", "A/q1", "--json").out)
    value = found["value"]
    assert value["published"]["score"] == 0.7 and value["published"]["by rule"] == "U0" and value["source"] == "alpha"
    assert value["pending"]["score"] == 0.85 and value["pending"]["held"]["move"] == 0.15 and value["pending"]["trail"][0]["score"] == 0.85
    assert value["waits for"] == ["another snapshot of its source that still has it, and 6 hours between"]
    assert value["row pending"]["row"] == {"Model": "A", "Score": "=1+1"} and value["pending"]["read again"]["how"] == "literal"
    assert [x["what"] for x in found["stands"]] == ["held"] == [x["what"] for x in found["latest"]]
    shown = here("show", "A/q1").out
    assert "score: 0.85" in shown and "move: 0.15" in shown and "trail:" in shown and "'=1+1" in shown


@pytest.mark.parametrize(("scenario", "subject", "says"), [
    ("U6b-definition", "q1", "n changed from"), ("U6a-lost-rows", "alpha", "fewer rows"), ("U5-new-leader", "Z", "waits (U5):"), ("U11-approved", "publication", "stopped:")])
def test_other_subjects_are_shown(desk, scenario, subject, says):
    done = desk(scenario, 2)("show", subject)
    assert done.code == 0 and says in done.out, done.out + done.err


@pytest.mark.parametrize("subject", ["A/q9", "nobody", "N/q1", "/", ""])
def test_an_unknown_subject_is_a_usage_error(desk, subject):
    done = desk("U10-seven-days", 2)("show", subject)
    assert done.code == 2 and "nothing is known by this name" in done.err


HOSTILE = "A\x1b[31m\u202e\x9b\n=1+1"


@pytest.mark.parametrize("words", [("list",), ("show", "q1"), ("list", "--json"), ("show", "alpha", "--json"), ("show", f"{HOSTILE}/q1")])
def test_hostile_text_cannot_act_in_a_terminal(desk, words):  # fault 24
    from tests.gate.ledgers import case_of

    case = json.loads(json.dumps(case_of("U10-seven-days")).replace('["A", "q1"', f'[{json.dumps(HOSTILE)}, "q1"'))
    here = desk(case, 2)
    assert HOSTILE in {key[0] for key in after(here).state.pending}
    done = here(*words)
    assert done.code == 0, done.err
    assert not [c for c in done.out + done.err if (ord(c) < 32 and c != "\n") or c in "\u202e\x9b\u2028"]


def test_help_teaches(desk):
    here = desk()
    assert all(x in " ".join(here("--help").out.split()) for x in ("list", "show", "release", "approve", "reject", "retract", "rebase", "readers see both"))
    for name in ("release", "approve", "reject", "retract", "rebase"):
        said = " ".join(here(name, "--help").out.split())
        assert "--who" in said and "--why" in said and "Published." in said
