"""`siiq update` from a publisher's answer to an exit code: what is accepted, held, frozen, refused, and what stays."""

import csv
import json

import pytest

from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import kept, replayed
from siiq_core.gate.place import checkpoint_at, ledger_at, remembered
from siiq_core.params.names import DECISION_COLUMNS
from tests.gate.village import MODELS, ledger_kinds

GPQA = "gpqa-diamond-epoch"


def one_more(village, k=1):
    """Another content of the bundle, by a change that nothing speaks against."""
    village.scores["simpleqa-verified"]["nova-1"] = round(0.2 + 0.001 * k, 4)


def test_the_first_hour_is_the_baseline(village):
    assert ledger_kinds(village.root) == ["start", "cycle", "cycle"]  # what ships, then what the publishers had
    assert len(village.public) == 5 * len(MODELS) and village.state.publication.number == 1 and village.state.publication.version == "1.0.0"
    assert {x.by for x in village.state.published.values()} == {"U0"} and {x.checked.how for x in village.state.published.values()} == {"shipped"}
    assert village.turn() == 0
    assert ledger_kinds(village.root)[3:] == ["cycle"] and village.state.publication.number == 1
    last = json.loads(ledger_at(village.root).read_text().splitlines()[-1])["body"]
    assert set(last["sources"].values()) == {"unchanged"} and not last.get("reading") and "evidence" not in last


def test_a_small_change_is_read_again_and_accepted(village):
    village.scores[GPQA]["nova-3"] += 0.013
    assert village.turn() == 0
    there = village.state.published["nova-3", GPQA]
    assert there.value.score == pytest.approx(0.493) and there.by == "U3" and there.checked.how == "literal" and "literal" in there.checked.who
    assert village.state.publication.version == "1.0.1" and village.state.publication.number == 2
    entry = json.loads(ledger_at(village.root).read_text().splitlines()[-1])["body"]
    assert [x["of"] for x in entry["verdicts"]] == [[f"nova-3/{GPQA}"]]
    (record,) = (x for x in entry["evidence"] if x["id"] == there.value.evidence)
    assert record["row"]["Best score (across scorers)"] == "0.493" and record["row"]["Model version"] == "nova-3"  # U12: the raw row


def test_a_hold_waits_for_another_content_and_no_less(village):
    village.scores["bfcl"]["nova-2"] = round(village.scores["bfcl"]["nova-2"] + 0.15, 3)
    before = village.public
    assert village.turn() == 0 and village.stands == {("held", "U3a", "nova-2/bfcl")} and village.public == before
    assert village.turn(7) == 0 and village.turn(48) == 0  # the same content, asked for and not sent again
    assert village.public == before and village.stands == {("held", "U3a", "nova-2/bfcl")}
    village.scores["bfcl"]["nova-5"] += 0.002
    assert village.turn() == 0 and not village.stands
    assert village.public["nova-2/bfcl"] == pytest.approx(0.54) and village.state.published["nova-2", "bfcl"].by == "U4"


def test_a_hold_younger_than_six_hours_is_not_released_by_another_content(village):
    village.scores["bfcl"]["nova-2"] = round(village.scores["bfcl"]["nova-2"] + 0.15, 3)
    village.turn()
    village.scores["bfcl"]["nova-5"] += 0.002
    assert village.turn(5) == 0 and village.public["nova-2/bfcl"] == 0.39 and village.public["nova-5/bfcl"] == pytest.approx(0.512)
    assert village.turn(1) == 0 and village.public["nova-2/bfcl"] == pytest.approx(0.54)  # six hours, to the second


def test_an_unreadable_source_stays_and_the_others_move(village):
    before, whole = village.public, dict(village.raw)
    village.raw["epoch"] = lambda handler: (handler.send_response(200), handler.end_headers(), handler.wfile.write(b"no archive"))
    village.scores["aider-polyglot"]["nova-1"] += 0.005
    assert village.turn() == 0
    assert village.stands == {("failed", "U6a", "epoch")}
    assert {k: x for k, x in village.public.items() if before[k] != x} == {"nova-1/aider-polyglot": pytest.approx(0.305)}
    village.raw = whole
    assert village.turn() == 0 and not village.stands


def test_lost_rows_move_nothing_and_a_day_later_are_normal(village):
    """U6a, U7, U8: three of eight rows gone; normal after 24 hours of it, and removed six hours later."""
    gone = ("nova-6", "nova-7", "nova-8")
    before = village.public
    for model in gone:
        del village.scores["otis-mock-aime"][model]
    one_more(village)
    assert village.turn() == 0 and village.stands == {("failed", "U6a", "epoch")} and village.public == before
    for _ in range(23):
        village.turn()
        assert village.public == before
    village.turn()
    assert not village.stands and village.public["nova-1/simpleqa-verified"] == pytest.approx(0.201)  # the rest of it goes through the gate now
    assert {f"{m}/otis-mock-aime" for m in gone} <= set(village.public)


def test_without_a_second_reader_nothing_is_published_and_the_exit_code_is_1(village):
    checker = village.root / "params" / "checker.yml"
    literal = checker.read_text(encoding="utf-8")
    checker.write_text(literal.replace("\nfitting: literal", "\nfitting: none"), encoding="utf-8")
    assert village.turn() == 0  # with nothing to read nobody is missed
    village.scores[GPQA]["nova-3"] += 0.013
    before = village.public
    assert village.turn() == 1 and village.public == before and village.state.stop.rule == "U2"
    assert any("stopped (U2): 1 numbers wait" in text for text in village.said)
    assert village.turn() == 1  # the content has not changed; the number still waits
    checker.write_text(literal, encoding="utf-8")
    assert village.turn() == 0 and village.public[f"nova-3/{GPQA}"] == pytest.approx(0.493) and village.state.stop is None


def test_a_publication_held_back_is_exit_code_3(village):
    """U8, U11: a ranked model would lose its rank; with changed inputs it goes on by itself in the sixth hourly run."""
    for benchmark in (GPQA, "simpleqa-verified", "otis-mock-aime"):
        del village.scores[benchmark]["nova-8"]
    before = village.public
    assert village.turn() == 0  # rows that are gone wait for six hours
    assert [village.turn() for _ in range(5)] == [0] * 5 and village.public == before
    assert [village.turn() for _ in range(5)] == [3] * 5
    assert village.public == before and village.state.stop.affected == ("nova-8",) and village.state.publication.number == 1
    assert village.turn() == 0 and f"nova-8/{GPQA}" not in village.public and village.state.publication.number == 2


def test_a_new_group_gets_a_slug_and_its_first_result(village):
    village.groups["star-1"] = "Star 1"
    village.scores[GPQA]["star-1"] = 0.55
    assert village.turn() == 0 and village.public[f"star-1/{GPQA}"] == 0.55
    rows = (village.root / "data" / "live" / "models.csv").read_text(encoding="utf-8")
    assert "star-1,Star 1" in rows and "nova-1," not in rows
    assert not (village.root / "params" / "models.csv").read_text(encoding="utf-8").count("star-1")  # what ships is not written to


def decide(village, name, decision, model=""):
    """A person's decision on a name of Aider's list, as `siiq names` writes it."""
    cells = {"source": "aider", "name": name, "model": model, "decision": decision, "who": "somebody", "when": "2026-11-20", "why": "a try"}
    with (village.root / "params" / "decisions.csv").open("a", encoding="utf-8", newline="") as stream:
        csv.DictWriter(stream, DECISION_COLUMNS, lineterminator="\n").writerow(cells)


def test_a_decision_about_a_name_counts_at_once_and_takes_the_old_match_back(village):
    """I4: of an unchanged file. What the name means now goes through the gate; what it meant leaves without six hours."""
    village.groups["star-1"] = "Star 1"
    village.scores[GPQA]["star-1"] = 0.55
    village.scores["aider-polyglot"]["nova one (chat)"] = 0.42
    assert village.turn() == 0 and "star-1/aider-polyglot" not in village.public  # it waits for a person
    decide(village, "nova one (chat)", "confirmed", "star-1")
    assert village.turn(ask=False) == 0 and village.public["star-1/aider-polyglot"] == 0.42
    assert village.state.published["star-1", "aider-polyglot"].checked.how == "literal"
    decide(village, "nova one (chat)", "rejected")
    before = village.public
    assert village.turn(ask=False) == 0
    assert before.keys() - village.public.keys() == {"star-1/aider-polyglot"} and before | village.public == before


def test_a_rematch_reaches_what_the_source_no_longer_lists(village):
    """I4: Aider's list is archived and keeps the last value of what left it; a match taken back takes that away too."""
    village.groups["star-1"] = "Star 1"
    village.scores[GPQA]["star-1"] = 0.55
    village.scores["aider-polyglot"]["nova one (chat)"] = 0.42
    decide(village, "nova one (chat)", "confirmed", "star-1")
    assert village.turn() == 0 and village.public["star-1/aider-polyglot"] == 0.42
    del village.scores["aider-polyglot"]["nova one (chat)"]
    assert village.turn() == 0 and village.turn(30) == 0 and village.public["star-1/aider-polyglot"] == 0.42
    decide(village, "nova one (chat)", "rejected")
    assert village.turn() == 0 and "star-1/aider-polyglot" not in village.public


def test_what_the_ledger_says_is_what_the_checkpoint_says(village):
    for k in range(1, 5):
        one_more(village, k)
        village.scores[GPQA]["nova-4"] += 0.2 if k == 2 else 0
        village.turn(7 * (k % 2) + 1)
    memory, head = remembered(village.root)
    assert kept(replayed(Ledger.open(ledger_at(village.root)).entries())) == kept(memory)
    checkpoint_at(village.root).unlink()
    again, there = remembered(village.root)
    assert kept(again) == kept(memory) and there == head
