"""Entrance: the table of models, whose groups get their slugs. What tests/identity and tests/names do not feed."""

import pytest
from smallworld import TABLE, epoch_day, small_world

from siiq_core.errors import SiiqError
from siiq_core.evidence.decisions import register


def test_an_interrupted_registration_leaves_the_register_whole(root, tmp_path, monkeypatch):
    """Kind 23: disk full while new groups get their slugs; the next run gives them."""
    project = small_world(root, tmp_path)
    epoch_day(project, "2026-07-03", [("orb-7", "0.4")], [*TABLE, ("orb-7", "Orb 7", "2026-01-01")])
    path = project / "params" / "models.csv"
    before = path.read_bytes()
    with monkeypatch.context() as broken:
        broken.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(SiiqError, match="No space left"):
            register(project)
        assert path.read_bytes() == before
    assert [x.slug for x in register(project).new] == ["orb-7"] and path.read_bytes() != before
