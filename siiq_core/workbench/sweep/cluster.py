"""Cells on a Dask cluster. The only module that needs `distributed`.

The desk goes to every worker once, as a plugin: to those that are there and to those that join. A worker that dies takes
nothing along but the cells it had not handed over; the scheduler gives them to another. Workers need the same code.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from distributed import Client, Future, WorkerPlugin, as_completed, get_worker

from siiq_core.errors import ParameterError, SiiqError
from siiq_core.workbench.desk import Desk
from siiq_core.workbench.sweep.cell import Cell, Found, code_sha256, compute
from siiq_core.workbench.sweep.runners import Runner

_LOOK = 0.05  # seconds between two looks at what has come in
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):(\d{1,5})", re.ASCII)
_KEPT = "finished cells are kept, and the same command goes on from there"


class DeskOnWorker(WorkerPlugin):
    """The desk, at hand for every cell of a worker."""

    idempotent = True

    def __init__(self, name: str, desk: Desk) -> None:
        self.name, self.desk = name, desk

    def setup(self, worker: Any) -> None:
        """Nothing to do: the worker holds its plugins by name."""


def cluster(address: str, inputs: str, patience: float) -> Runner:
    """The workers of a Dask scheduler.

    Parameters
    ----------
    address : of the scheduler, such as tcp://127.0.0.1:8786
    inputs : SHA-256 of the desk, which tells it from others on the same cluster
    patience : seconds that a silent scheduler, or one without workers, is waited for

    Raises
    ------
    ParameterError
        The address can be none. Said here, since a client that was given one would keep the process from ending.
    """
    form = _ADDRESS.fullmatch(address)
    if not form or not 0 < int(form[1]) < 65_536:
        raise ParameterError("is no address of a scheduler", column="--scheduler", value=address, remedy="such as tcp://127.0.0.1:8786")

    def run(desk: Desk, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Found]]:
        if not cells:
            return
        client = _connected(address, patience)
        try:
            yield from _through(client, address, desk, cells, inputs, patience)
        finally:
            client.close(timeout=5)

    return run


def _connected(address: str, patience: float) -> Client:
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said here, in one sentence
    try:
        return Client(address, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise SiiqError("no scheduler answers", value=address, remedy=f"start one (dask scheduler), or look whether this is its address; {_KEPT}") from error


def _through(client: Client, address: str, desk: Desk, cells: Sequence[Cell], inputs: str, patience: float) -> Iterator[tuple[Cell, Found]]:
    code, name = code_sha256(), f"siiq-desk-{inputs[:16]}"
    try:
        client.register_plugin(DeskOnWorker(name, desk))
        waiting = {client.submit(on_worker, name, code, cell.changes, key=f"siiq-{code[:8]}-{cell.id}", pure=False): cell for cell in cells}
    except Exception as error:  # whatever the cluster answers: it ends here, with what was finished before
        raise SiiqError(f"the cluster takes no cells ({type(error).__name__}: {error})", value=address, remedy=f"same siiq_core and Python on every worker; {_KEPT}") from error
    arrived = as_completed(waiting, loop=client.loop, with_results=True, raise_errors=False)
    heard = time.monotonic()
    while waiting:
        batch = arrived.next_batch(block=False)
        for future, found in batch:
            yield waiting.pop(future), _checked(future, found, address)
        now = time.monotonic()
        if batch:
            heard = now
        elif client.status != "running":
            raise _gone(address)
        elif now - heard > patience:
            _require_workers(client, address, patience)
            heard = now
        time.sleep(0 if batch else _LOOK)


def _checked(future: Future, found: Any, address: str) -> Found:
    if future.status == "finished" and isinstance(found, Found):
        return found
    if future.status in ("cancelled", "lost"):
        raise _gone(address)
    error = future.exception()
    if isinstance(error, SiiqError):
        raise error
    raise SiiqError(f"a cell failed on the cluster ({type(error).__name__}: {error})", value=address,
                    remedy=f"same siiq_core and Python on every worker, and memory enough; {_KEPT}") from error


def _gone(address: str) -> SiiqError:
    return SiiqError("the scheduler is gone", value=address, remedy=f"start it again; {_KEPT}")


def _require_workers(client: Client, address: str, patience: float) -> None:
    try:
        workers = client.sync(client.scheduler.ncores, workers=None, callback_timeout=patience)
    except Exception as error:  # it does not answer in time, or the connection broke just now
        raise _gone(address) from error
    if not workers:
        raise SiiqError(f"no worker left for {patience:g} s", value=address, remedy=f"start some (dask worker {address}); {_KEPT}")


def on_worker(desk: str, code: str, changes: Mapping[str, Any]) -> Found:
    """A cell, on a worker. Refuses to compute with other code than the one that asks."""
    if code_sha256() != code:
        raise SiiqError("a worker has other code than this machine", remedy=f"install the same siiq_core everywhere; {_KEPT}")
    return compute(get_worker().plugins[desk].desk, changes)
