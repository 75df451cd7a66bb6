"""Eight months hour by hour on what publishers really showed: every decision, and the end state, is the committed one.

README.md beside this file says why each was right. After a change that is meant to alter one:
``python -m tests.gate.replay.rehearsal --write``, and read the difference.
"""

import pytest

from siiq_core.gate import memory
from siiq_core.gate.entry import START, make_line, read_line
from tests.gate.replay.rehearsal import FOLDER, STARTS, hours, play
from tests.gate.replay.tape import FIRST, LAST, tape


@pytest.fixture(scope="module")
def shown(root):
    return tape(root)


@pytest.fixture(scope="module")
def played(shown):
    """The two replays, each made once."""
    known = {}

    def made(name):
        if name not in known:
            known[name] = play(shown, STARTS[name](shown), hours())
        return known[name]

    return made


@pytest.mark.parametrize("name", STARTS)
def test_every_decision_is_the_committed_one(played, name):
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert played(name).text().splitlines() == expected


def test_no_hour_is_left_out(played):
    for name in STARTS:
        times = [at for kind, at, _ in played(name).entries if kind == memory.CYCLE]
        assert times[0] == FIRST and times[-1] == LAST and len(times) == 243 * 24 + 1


def test_what_the_two_replays_are_for(played):
    """One in which recalibrations are refused for what is not there yet; one in which months recalibrate and a revision switches early."""
    shipped, own = played("shipped").lines, played("own").lines
    assert sum("recalibration refused" in line for line in shipped) > 5 and not any("recalibration refused" in line for line in own)
    assert sum("recalibrated (C9)" in line for line in own) == 9
    switched = {name: next(line[:10] for line in played(name).lines if " switched (U9) swe-bench-verified" in line) for name in STARTS}
    assert switched == {"shipped": "2026-08-01", "own": "2026-04-11"}


def test_replay_from_its_entries_is_the_live_state_to_the_byte(played):
    """Through the ledger's own lines; a checkpoint on the way alters nothing."""
    live, remembered, head = played("own"), None, START
    for number, (kind, at, body) in enumerate(live.entries):
        entry = read_line(make_line(head, kind, at, body), 0)
        remembered, head = memory.replayed((entry,), remembered), entry.head
        if number in (1, 3000, 5000):
            remembered = memory.of_kept(memory.kept(remembered))
    assert memory.kept(remembered) == memory.kept(live.remembered)


def test_the_end_state_has_let_nothing_through_unread(played):
    """U2, U12: what is published was shipped with the baseline or read again, and says by which rule it came."""
    for name in STARTS:
        state = played(name).remembered.state
        assert {x.checked.how for x in state.published.values()} == {"literal"}
        assert {x.by for x in state.published.values()} <= {"U0", "U3", "U4", "U5", "U9"}
