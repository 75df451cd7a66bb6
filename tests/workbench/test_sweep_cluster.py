"""A real Dask scheduler and two workers on loopback: the same bytes as the serial run, also when a worker is killed; and what a vanished scheduler leaves."""

import json
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from sweeps import as_bytes, desk, environment, journal_cells, swept

from siiq_core.errors import ParameterError, SiiqError
from siiq_core.workbench.sweep.cell import inputs_sha256

cluster = pytest.importorskip("siiq_core.workbench.sweep.cluster")


@pytest.fixture(scope="module")
def small():
    return desk()


@pytest.fixture(scope="module")
def expected(small, tmp_path_factory):
    return as_bytes(swept(tmp_path_factory.mktemp("serial"), on=small))


@contextmanager
def dask(folder, workers=2, **more):
    """A scheduler and workers of their own; gives its address and the processes, the scheduler first."""
    said = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment(**more), "cwd": folder}
    python = [sys.executable, "-m"]
    processes = [subprocess.Popen([*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(said)], **quiet)]
    try:
        deadline = time.monotonic() + 120
        while not (said.is_file() and said.read_text(encoding="utf-8")):
            assert processes[0].poll() is None and time.monotonic() < deadline, "no scheduler came up"
            time.sleep(0.05)
        address = json.loads(said.read_text(encoding="utf-8"))["address"]
        assert address.startswith("tcp://127.0.0.1:")
        processes += [subprocess.Popen([*python, "distributed.cli.dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"], **quiet)
                      for _ in range(workers)]
        yield address, processes
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def on(address, small, patience=60, after=None, act=lambda: None):
    """The runner of a cluster, which does something once `after` cells have come in."""
    def run(at, cells):
        for number, finished in enumerate(cluster.cluster(address, inputs_sha256(small), patience)(at, cells), start=1):
            yield finished
            if number == after:
                act()

    return run


def test_two_workers_give_the_bytes_of_the_serial_run_and_so_does_one_that_is_left(tmp_path, small, expected):
    with dask(tmp_path) as (address, processes):
        whole = swept(tmp_path / "two", on=small, runner=on(address, small))
        assert whole.computed == 36 and as_bytes(whole) == expected
        left = swept(tmp_path / "one", on=small, runner=on(address, small, after=4, act=processes[1].kill))
        assert left.computed == 36 and as_bytes(left) == expected
        cells = journal_cells(tmp_path / "one")
        assert len(cells) == len(set(cells)) == 36
        with pytest.raises(SiiqError, match="no worker left for 2 s .*finished cells are kept"):
            swept(tmp_path / "none", on=small, runner=on(address, small, patience=2, after=4, act=processes[2].kill))
        assert 5 <= len(journal_cells(tmp_path / "none")) < 36
        again = swept(tmp_path / "none", on=small)
        assert 0 < again.computed < 32 and as_bytes(again) == expected, "what the cluster finished is not computed again"


def test_a_scheduler_that_vanishes_ends_the_sweep_and_what_is_done_stays(tmp_path, small, expected):
    with dask(tmp_path) as (address, processes), pytest.raises(SiiqError, match="the scheduler is gone .*finished cells are kept"):
        swept(tmp_path / "sweep", on=small, runner=on(address, small, after=4, act=processes[0].kill))
    done = len(journal_cells(tmp_path / "sweep"))
    assert 5 <= done < 36
    again = swept(tmp_path / "sweep", on=small)
    assert again.computed == 36 - done and as_bytes(again) == expected


def test_a_worker_with_other_code_is_refused(tmp_path, small, monkeypatch):
    with dask(tmp_path, workers=1) as (address, _):
        monkeypatch.setattr(cluster, "code_sha256", lambda: "f" * 64)
        with pytest.raises(SiiqError, match="a worker has other code than this machine"):
            swept(tmp_path / "sweep", on=small, runner=on(address, small))


def test_where_nothing_answers_the_address_is_named(tmp_path, small):
    with pytest.raises(SiiqError, match="no scheduler answers .*tcp://127.0.0.1:9'"):
        swept(tmp_path, on=small, runner=on("tcp://127.0.0.1:9", small, patience=1))
    for address in ("carrier-pigeon://roof", "foo", " ", "tcp://[", "http://127.0.0.1:9", "tcp://127.0.0.1", "tcp://127.0.0.1:0", "tcp://127.0.0.1:99999"):
        with pytest.raises(ParameterError, match="is no address of a scheduler"):  # before there is a client, which would keep the process from ending
            cluster.cluster(address, inputs_sha256(small), 1)
    for address in ("127.0.0.1:8786", "tls://head.lab.example:8786", "tcp://[::1]:8786"):
        cluster.cluster(address, inputs_sha256(small), 1)
