"""One writer at a time, in this process and among processes; a killed one's lock ends with it (filelock)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from siiq_core.errors import SiiqError


@contextmanager
def held(path: Path, seconds: float, busy: SiiqError, closed: Callable[[OSError], SiiqError], waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock file at `path`, whose folder is made where it is missing.

    Parameters
    ----------
    seconds : how long to wait for another holder
    busy : raised where it holds on for longer
    closed : the refusal where the folder cannot be written to
    waiting : called once where there is another
    """
    lock = FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            path.touch()  # raises where no file can be made, which filelock only tries again and again
            waiting()
            lock.acquire(timeout=seconds)
    except Timeout as error:
        raise busy from error
    except OSError as error:
        raise closed(error) from error
    try:
        yield
    finally:
        lock.release()
