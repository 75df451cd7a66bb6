"""Where cells are computed: in this process, or in several of this machine. `cluster.py` has the third way.

A runner takes a desk and cells, and gives each cell with what came out, in any order; what was given is finished.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from siiq_core.errors import SiiqError
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.sweep.cell import Cell, Found, compute

Runner = Callable[[Desk, Sequence[Cell]], Iterator[tuple[Cell, Found]]]


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def serial(desk: Desk, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Found]]:
    """One cell after the other, here."""
    for cell in cells:
        yield cell, compute(desk, cell.changes)


def pool(workers: int) -> Runner:
    """Several processes of this machine; each is given the desk once."""

    def run(desk: Desk, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Found]]:
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        if not cells:
            return
        # spawn: a fork would copy the threads' locks of whatever the caller has loaded
        executor = ProcessPoolExecutor(min(workers, len(cells)), get_context("spawn"), _begin, (desk,))
        try:
            running = {executor.submit(_compute, cell.changes): cell for cell in cells}
            for done in as_completed(running):
                yield running.pop(done), done.result()
        except BrokenProcessPool as error:
            raise SiiqError("a worker process died", remedy="repeat the command: finished cells are kept. If it dies again, look for a lack of memory, or take --workers 1") from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)

    return run


_desk: Desk  # of a worker process


def _begin(desk: Desk) -> None:
    global _desk
    _desk = desk
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends its workers
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose parent was killed would wait for its next cell for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _compute(changes: Mapping[str, Any]) -> Found:
    return compute(_desk, changes)
