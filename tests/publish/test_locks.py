"""One writer at a time: who waits is told, who holds on is named, and where no lock can be nobody is waited for."""

import time
from pathlib import Path

import filelock
import pytest

from siiq_core.errors import SiiqError
from siiq_core.locks import held

BUSY = SiiqError("another holds it")


def closed(error: OSError) -> SiiqError:
    return SiiqError(f"closed ({error.strerror})")


def test_one_at_a_time_and_the_waiting_is_told(tmp_path):
    path, told = tmp_path / "new" / ".lock", []
    with held(path, 0, BUSY, closed, lambda: told.append(1)):
        assert path.exists() and not told
    with filelock.FileLock(path, thread_local=False), pytest.raises(SiiqError, match="another holds it"), held(path, 0.1, BUSY, closed, lambda: told.append(1)):
        raise AssertionError
    assert told == [1]
    with held(path, 0, BUSY, closed), pytest.raises(ValueError, match="the body's own"):
        raise ValueError("the body's own")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no /proc here, where not even root can make a file")
def test_where_no_lock_can_be_made_nobody_is_waited_for():
    before = time.monotonic()
    with pytest.raises(SiiqError, match="closed"), held(Path("/proc/.lock"), 900, BUSY, closed):
        raise AssertionError
    assert time.monotonic() - before < 60


def test_a_file_in_place_of_the_folder_is_closed(tmp_path):
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(SiiqError, match="closed"), held(tmp_path / "x" / ".lock", 0, BUSY, closed):
        raise AssertionError
