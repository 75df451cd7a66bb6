"""I4: a person's decision on a name: recorded with who, when and why, replaced by a later one, and at work at once on every day."""

import csv
import threading

import filelock
import pytest
from smallworld import aider_day, epoch_day, results_of, shelf_of, small_world
from test_text_cells import HOSTILE

from siiq_core.errors import DecisionRefused, ParameterError, SiiqError
from siiq_core.evidence import decisions
from siiq_core.evidence.decisions import append_decision, decide, waiting
from siiq_core.params.names import Decision, load_decisions

BY = {"who": "a reviewer", "why": "the same weights", "when": "2026-08-01"}


def say(project, name, slug, source="aider", **more):
    return decide(project, shelf_of(project), source, name, slug, **{**BY, **more})


def waiting_names(project, every_day=False):
    return [w.name for w in waiting(shelf_of(project), every_day)]


def test_a_confirmed_name_counts_and_is_recorded(root, tmp_path):
    project = small_world(root, tmp_path, "Novah One", "Star 2")
    assert waiting_names(project) == ["Novah One"]
    done = say(project, "Novah One", "nova-1")
    assert "aider: Novah One means nova-1 (before: it waits, no registered name folds to this); 1 rows of 1 snapshots" in str(done)
    assert results_of(project) == {"Novah One": ("nova-1", 0.5), "Star 2": ("star-2", 0.51)} and waiting_names(project) == []
    (line,) = load_decisions(project)
    assert line == Decision(source="aider", name="Novah One", model="nova-1", decision="confirmed", who="a reviewer", when="2026-08-01", why="the same weights")
    assert (project / "params" / "decisions.csv").read_text(encoding="utf-8").splitlines() == [
        "source,name,model,decision,who,when,why", "aider,Novah One,nova-1,confirmed,a reviewer,2026-08-01,the same weights"]


def test_a_later_decision_replaces_an_earlier_and_both_stay_on_record(root, tmp_path):
    project = small_world(root, tmp_path, "Novah One")
    say(project, "Novah One", "nova-1")
    assert "before: decided as nova-1" in str(say(project, "Novah One", "star-2"))
    assert results_of(project) == {"Novah One": ("star-2", 0.5)}
    say(project, "Novah One", None)
    assert results_of(project) == {} and waiting_names(project) == []  # rejected: out, and no longer asked about
    say(project, "Novah One", "comet-3")
    assert results_of(project) == {"Novah One": ("comet-3", 0.5)}
    assert [(d.decision, d.model) for d in load_decisions(project)] == [
        ("confirmed", "nova-1"), ("confirmed", "star-2"), ("rejected", ""), ("confirmed", "comet-3")]


def test_an_unknown_slug_or_source_is_refused_with_the_nearest_known(root, tmp_path):
    project = small_world(root, tmp_path, "Novah One")
    before = (project / "params" / "decisions.csv").read_bytes()
    with pytest.raises(ParameterError, match="slug.*'nova-11'.*did you mean 'nova-1'"):
        say(project, "Novah One", "nova-11")
    with pytest.raises(ParameterError, match="did you mean 'aider'"):
        say(project, "Novah One", "nova-1", source="aidr")
    with pytest.raises(ParameterError, match="slug"):
        say(project, "Novah One", "gpt-5")  # registered once, and in no newest table
    assert (project / "params" / "decisions.csv").read_bytes() == before


def test_a_name_that_does_not_wait_is_refused_unless_forced(root, tmp_path):
    project = small_world(root, tmp_path, "Novah One", "Star 2")
    with pytest.raises(DecisionRefused, match="does not wait: the rules match it to star-2.*--force to overrule"):
        say(project, "Star 2", None)
    with pytest.raises(DecisionRefused, match="did you mean 'Novah One'.*Use --force to decide on a name that no row has yet"):
        say(project, "Novah Onf", "nova-1")
    assert load_decisions(project) == ()
    assert "before: the rules match it to star-2" in str(say(project, "Star 2", None, force=True))
    assert results_of(project) == {}
    assert "0 rows of 0 snapshots" in str(say(project, "Nova Ultra", "nova-1", force=True))


@pytest.mark.parametrize(("change", "column"), [({"who": " "}, "who"), ({"why": ""}, "why"), ({"when": "yesterday"}, "when"), ({"when": "2026-02-30"}, "when")])
def test_who_when_and_why_are_asked_for(root, tmp_path, change, column):
    project = small_world(root, tmp_path, "Novah One")
    with pytest.raises(ParameterError, match=column):
        say(project, "Novah One", "nova-1", **change)
    assert load_decisions(project) == ()


def test_a_source_decides_for_itself_only(root, tmp_path):
    project = small_world(root, tmp_path, "Novah One")
    epoch_day(project, "2026-07-03", [("Novah One", "0.7")])
    say(project, "Novah One", "nova-1")
    assert [(w.source, w.name) for w in waiting(shelf_of(project))] == [("epoch", "Novah One")]


def test_a_name_of_an_older_day_alone_can_be_decided(root, tmp_path):
    project = small_world(root, tmp_path, "Old Nova")
    aider_day(project, "2026-07-09", ("Star 2", 60))
    assert waiting_names(project) == [] and waiting_names(project, every_day=True) == ["Old Nova"]
    say(project, "Old Nova", "nova-1")
    assert [r.model for r in shelf_of(project).reads["aider"][0].selection.results] == ["nova-1"]


# --- fault kinds 9, 10, 24 -------------------------------------------------------------------------------------------

CODERS = [("nova-coder", "Nova Coder", "2025-01-01"), ("nova-coder_high", "Nova Coder", "2025-01-01"),
          ("nova-coder-highspeed", "Nova Coder Highspeed", "2025-01-01"), ("nova-r1", "Nova-R1", "2025-01-01"),
          ("nova-r1-0528", "Nova-R1 (May 2025)", "2025-05-28"), ("nova-4-6", "Nova 4.6", "2025-06-01")]


def test_tier_effort_and_date_in_one_suffix(root, tmp_path):
    """Kind 9: exact after listed settings are off; a decision on one name touches no other."""
    project = small_world(root, tmp_path, "nova-coder:high", "nova-coder-highspeed", "Nova-R1", "Nova-R1 (0528)", "nova-4-60", "nova-4-6", table=CODERS)
    plain = {"nova-coder:high": ("nova-coder", 0.5), "nova-coder-highspeed": ("nova-coder-highspeed", 0.51), "Nova-R1": ("nova-r1", 0.52),
             "nova-4-6": ("nova-4.6", 0.55)}
    assert results_of(project) == plain and waiting_names(project) == ["Nova-R1 (0528)", "nova-4-60"]
    say(project, "Nova-R1 (0528)", "nova-r1-may-2025")
    assert results_of(project) == plain | {"Nova-R1 (0528)": ("nova-r1-may-2025", 0.53)}
    say(project, "nova-4-60", None)
    assert results_of(project) == plain | {"Nova-R1 (0528)": ("nova-r1-may-2025", 0.53)} and waiting_names(project) == []


@pytest.mark.parametrize("typed", ["Nova3 .5 Plus", " Nova3 .5 Plus\n"])
def test_mangled_names_are_trimmed_and_the_raw_cell_is_kept(root, tmp_path, typed):
    """Kind 10."""
    project = small_world(root, tmp_path, "Nova 1\n", "Nova3 .5 Plus ", "Star 2, high")
    assert waiting_names(project) == ["Nova3 .5 Plus"]
    say(project, typed, "comet-3")
    assert results_of(project) == {"Nova 1\n": ("nova-1", 0.5), "Nova3 .5 Plus ": ("comet-3", 0.51), "Star 2, high": ("star-2", 0.52)}


def test_hostile_names_are_decided_like_any_other(root, tmp_path):
    """Kind 24: every one is listed, decided, reads back exactly, and the file holds no formula and nothing unseen."""
    names = [name for name in HOSTILE if name.strip()]
    project = small_world(root, tmp_path, *names)
    assert sorted(waiting_names(project)) == sorted(name.strip() for name in names)
    slugs, shelf = ["nova-1", "star-2", "comet-3"], shelf_of(project)
    for k, name in enumerate(names):
        decide(project, shelf, "aider", name, slugs[k % 3], **{**BY, "who": name, "why": name})
    assert [(d.name, d.who, d.why) for d in load_decisions(project)] == [(n.strip(),) * 3 for n in names]
    assert waiting_names(project) == [] and {model for model, _ in results_of(project).values()} == set(slugs)
    with (project / "params" / "decisions.csv").open(encoding="utf-8", newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@＝") or any(ord(c) < 32 for c in cell)]
    assert sorted(p.name for p in project.iterdir()) == ["_build", "data", "incoming", "params"]


def test_a_name_may_be_typed_as_the_list_shows_it(root, tmp_path):
    from siiq_core.evidence.inbox import safe_cell

    project = small_world(root, tmp_path, *(name for name in HOSTILE if name.strip()))
    shelf = shelf_of(project)
    for name in HOSTILE:
        if name.strip() and name not in ("\\u202e", "'=1"):
            assert decide(project, shelf, "aider", safe_cell(name.strip()), "nova-1", **BY).decision.name == name.strip()


# --- the file --------------------------------------------------------------------------------------------------------


def decision(name, **more):
    return Decision(**{"source": "aider", "name": name, "model": "", "decision": "rejected", **BY, **more})


def test_what_stands_in_the_file_stays(root, tmp_path):
    project = small_world(root, tmp_path)
    path = project / "params" / "decisions.csv"
    path.write_bytes(b"who,when,why,source,name,model,decision\r\n\"somebody\",2026-01-01,why not,aider,X,,rejected")
    before = path.read_bytes()
    append_decision(project, decision("Y"))
    assert path.read_bytes() == before + b"\na reviewer,2026-08-01,the same weights,aider,Y,,rejected\n"
    assert [d.name for d in load_decisions(project)] == ["X", "Y"]


@pytest.mark.parametrize("content", [b"", b"source,name\n", b"source,name,model,decision,who,when,why,more\n"])
def test_a_file_with_other_columns_is_refused_and_kept(root, tmp_path, content):
    project = small_world(root, tmp_path)
    path = project / "params" / "decisions.csv"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match="decisions.csv.*other columns|decisions.csv"):
        append_decision(project, decision("Y"))
    assert path.read_bytes() == content


def test_a_spoiled_json_cell_is_named_with_its_row(root, tmp_path):
    project = small_world(root, tmp_path)
    path = project / "params" / "decisions.csv"
    path.write_text('source,name,model,decision,who,when,why\naider,"""open",,rejected,me,2026-01-01,x\n', encoding="utf-8")
    with pytest.raises(ParameterError, match="decisions.csv, row 1, column 'name'"):
        load_decisions(project)


def test_an_interrupted_write_leaves_the_file_whole(root, tmp_path, monkeypatch):
    project = small_world(root, tmp_path)
    before = {p.name: p.read_bytes() for p in (project / "params").iterdir() if p.is_file()}
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(SiiqError, match="No space left"):
        append_decision(project, decision("Y"))
    assert {p.name: p.read_bytes() for p in (project / "params").iterdir() if p.is_file()} == before


def test_two_at_once_lose_nothing(root, tmp_path):
    project = small_world(root, tmp_path)
    threads = [threading.Thread(target=append_decision, args=(project, decision(f"name {k}"))) for k in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(d.name for d in load_decisions(project)) == sorted(f"name {k}" for k in range(12))


def test_another_writer_is_waited_for_and_then_named(root, tmp_path, monkeypatch):
    project = small_world(root, tmp_path)
    monkeypatch.setattr(decisions, "LOCK_WAIT", 0.2)
    with filelock.FileLock(project / "_build" / ".names.lock"), pytest.raises(SiiqError, match="another run has been writing names"):
        append_decision(project, decision("Y"))
    append_decision(project, decision("Y"))
