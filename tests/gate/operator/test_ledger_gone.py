"""A ledger that is gone is not a gate that never began: beginning anew would undo every hold and every decision."""

import pytest

from siiq_core.errors import LedgerDamaged
from siiq_core.gate.place import checkpoint_at, ledger_at, remembered


@pytest.mark.parametrize("spoil", [lambda path: path.unlink(), lambda path: path.write_bytes(b""), lambda path: path.write_bytes(path.read_bytes()[:50])])
def test_a_ledger_without_an_entry_beside_its_state(spoil, tmp_path):
    ledger_at(tmp_path).parent.mkdir(parents=True)
    ledger_at(tmp_path).write_bytes(b"x" * 100)
    spoil(ledger_at(tmp_path))
    assert remembered(tmp_path)[0] is None
    checkpoint_at(tmp_path).parent.mkdir()
    checkpoint_at(tmp_path).write_bytes(b"what was kept")
    with pytest.raises(LedgerDamaged, match="restore"):
        remembered(tmp_path)
