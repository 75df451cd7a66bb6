"""`siiq names` as a person works with it: lists that are safe to look at, decisions, and exit codes that mean something."""

import csv
import datetime
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
from smallworld import aider_day, results_of, small_world
from test_text_cells import HOSTILE

from siiq_core import cli
from siiq_core.params.names import load_decisions

BY = ("--who", "a reviewer", "--why", "the same weights")


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def siiq(monkeypatch, capsys):
    """The command line within this process."""
    def run(project, *words):
        monkeypatch.setenv("SIIQ_ROOT", str(project))
        monkeypatch.setattr("sys.argv", ["siiq", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            cli.main()
        said = capsys.readouterr()
        return Done(end.value.code or 0, said.out, said.err)
    return run


def siiq_apart(project, *words, **environment):
    """The same in a process of its own, in other surroundings."""
    return subprocess.run([sys.executable, "-m", "siiq_core.cli", *words], capture_output=True, encoding="utf-8", timeout=120, cwd=project,
                          env={**os.environ, "SIIQ_ROOT": str(project), **environment})


@pytest.fixture
def world(root, tmp_path):
    return small_world(root, tmp_path, "Novah One", "Novah Two", "Star 2")


def test_the_list(siiq, world):
    aider_day(world, "2026-07-09", ("Novah One", 50), ("Star 2", 60))
    done = siiq(world, "names")
    assert done.returncode == 0 and done.stderr.strip() == "1 names wait: aider 1"
    assert done.stdout.splitlines() == ["source  rows  since       name       reason", "aider   1     2026-07-02  Novah One  no registered name folds to this"]
    assert siiq(world, "names", "list").stdout == done.stdout
    assert "aider 2" in siiq(world, "names", "list", "--all").stderr
    assert "Novah Two" in siiq(world, "names", "list", "two", "--all").stdout
    assert siiq(world, "names", "list", "--source", "epoch").stderr.strip() == "0 names wait"


def test_the_list_as_json_and_as_a_table_to_open(siiq, world):
    (name, other) = json.loads(siiq(world, "names", "list", "--json").stdout)
    assert (name["source"], name["name"], name["rows"], name["since"]) == ("aider", "Novah One", 1, "2026-07-02") and other["name"] == "Novah Two"
    assert name["observations"] == [{"file": "polyglot_leaderboard.yml", "row": {"model": "Novah One", "pass_rate_2": "50"}, "snapshot": "2026-07-02"}]
    rows = list(csv.DictReader(io.StringIO(siiq(world, "names", "list", "--csv").stdout)))
    assert [row["name"] for row in rows] == ["Novah One", "Novah Two"] and list(rows[0]) == ["source", "name", "rows", "since", "reason"]


@pytest.mark.parametrize(("words", "code", "said"), [
    (["list", "--json", "--csv"], 2, "exclude one another"),
    (["list", "--source", "aidr"], 2, "did you mean 'aider'"),
    (["confirm", "aider", "Novah One", "nova-11", *BY], 2, "did you mean 'nova-1'"),
    (["confirm", "aider", "Novah One", "nova-1", "--why", "x"], 2, "--who"),
    (["confirm", "aider", "Novah One", "nova-1", *BY, "--when", "yesterday"], 2, "ISO day"),
    (["confirm", "aider", "Novah Onf", "nova-1", *BY], 1, "did you mean 'Novah One'"),
    (["reject", "aider", "Star 2", *BY], 1, "the rules match it to star-2"),
    (["forget", "aider", "Star 2"], 2, "No such command"),
])
def test_what_is_refused(siiq, world, words, code, said):
    done = siiq(world, "names", *words)
    assert done.returncode == code and said in done.stderr, done.stderr
    assert load_decisions(world) == ()


def test_confirm_then_reject(siiq, world):
    done = siiq(world, "names", "confirm", "aider", "Novah One", "nova-1", *BY)
    assert done.returncode == 0 and "Novah One means nova-1" in done.stdout, done.stderr
    assert results_of(world)["Novah One"] == ("nova-1", 0.5)
    done = siiq(world, "names", "reject", "aider", "Novah One", *BY, "--when", "2026-08-02")
    assert done.returncode == 0 and "means no model (before: decided as nova-1)" in done.stdout
    assert "Novah One" not in results_of(world) and load_decisions(world)[-1].when == datetime.date(2026, 8, 2)
    assert siiq(world, "names", "reject", "aider", "Star 2", *BY, "--force").returncode == 0
    assert results_of(world) == {}


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_day_of_a_decision_is_todays_in_utc(world, zone):
    """Kind 12."""
    days = [datetime.datetime.now(datetime.timezone.utc).date()]
    assert siiq_apart(world, "names", "confirm", "aider", "Novah One", "nova-1", *BY, TZ=zone).returncode == 0
    days.append(datetime.datetime.now(datetime.timezone.utc).date())
    assert load_decisions(world)[0].when in days


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_hostile_names_are_listed_without_effect(root, tmp_path, form):
    """Kind 24: no control or direction character reaches a terminal, no cell is a formula; whatever the locale."""
    names = [name for name in HOSTILE if name.strip()]
    project = small_world(root, tmp_path, *names)
    done = siiq_apart(project, "names", "list", *form, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert not [c for c in done.stdout if (ord(c) < 32 and c != "\n") or c in "\u202e\u200f\u2028\x9b"]
    if form == ("--csv",):
        cells = [cell for row in csv.reader(io.StringIO(done.stdout)) for cell in row]
        assert len(cells) == 5 * (1 + len(names)) and not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@")]
    elif form == ("--json",):
        assert sorted(x["name"] for x in json.loads(done.stdout)) == sorted(name.strip() for name in names)
    else:
        assert len(done.stdout.splitlines()) == 1 + len(names)


def test_a_name_with_a_hyphen_in_front(siiq, root, tmp_path):
    project = small_world(root, tmp_path, "-dash")
    assert siiq(project, "names", "confirm", *BY, "--", "aider", "-dash", "nova-1").returncode == 0
    assert results_of(project) == {"-dash": ("nova-1", 0.5)}
