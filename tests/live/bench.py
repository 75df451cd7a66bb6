"""A publisher whose small content was read once, and what comes of another content it serves."""

from __future__ import annotations

from kinds import KINDS

from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.observations import read_snapshot


class Bench:
    """One publisher under test; `accepted` and `refused` say what must have come of a content."""

    def __init__(self, world, pace, source, **changes):
        self.kind, self.pace, self.source, self.day = KINDS[source], pace, source, 20
        self.world = world(**changes)
        self.good = self.read(self.kind.content())
        assert self.good.outcome == "new", self.good.what
        self.before = (self.world.kept(source), list(self.world.desk.archive.sightings(source)), self.world.state(source))

    def read(self, content, serve=True):
        if serve:
            if self.source == "openrouter":  # a day's file never changes: each content is another day's
                self.day += 1
                content = content.replace(b'"2026-11-21"', f'"2026-11-{self.day}"'.encode())
            self.world.serve(self.source, content)
        self.pace.sleep(3600)
        (found,) = self.world.read(self.pace.clock, self.source).sources
        return found

    def refused(self, content, says, rule=None, row=None, column=None, serve=True):
        """The content is refused by name; the last good data stays, and nothing of the other is archived."""
        found = self.read(content, serve)
        assert found.outcome == "failed" and says in found.what, found.what
        state = self.world.state(self.source)
        assert self.world.kept(self.source) == self.before[0] and list(self.world.desk.archive.sightings(self.source)) == self.before[1]
        assert (state.last_snapshot_sha256, state.rows, state.last_success) == (self.before[2].last_snapshot_sha256, self.before[2].rows, self.before[2].last_success)
        assert state.failure and (rule is None or state.failure.rule == rule), state.failure
        assert (row is None or state.failure.row == row) and (column is None or state.failure.column == column), state.failure
        return state.failure

    def accepted(self, content):
        """The content is used; its stored snapshot."""
        found = self.read(content)
        assert found.outcome == "new" and not found.content.judged.frozen, found.what
        return self.snapshot

    @property
    def snapshot(self):
        path = max((self.world.desk.folder / "observations" / self.source).glob("*.csv"))
        return read_snapshot(path, self.source, path.stem[:10])

    def readings(self, snapshot):
        """(readings after duplicates, what was left out)."""
        used, left = self.world.desk.reader(self.source).readings(snapshot, self.world.desk.benchmarks)
        kept, doubled = deduplicate(used)
        return kept, (*left, *doubled)

    def scores(self, snapshot):
        return sorted((r.name, r.score) for r in self.readings(snapshot)[0])

    def rows(self, snapshot):
        return [dict(o.row) for o in snapshot.observations if o.file == self.kind.file]


def changed(kind, number=1, **cells):
    """The small content with other cells in one row, by role: name=…, score=…, or by header."""
    rows = kind.copy()
    roles = {"name": kind.name, "score": kind.score, "date": kind.date}
    rows[number - 1] |= {roles.get(key, key): value for key, value in cells.items()}
    return kind.write(rows)
