"""A sweep gives the same bytes wherever and in whatever order its cells are computed, and what is finished is never computed again."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import panels
import pytest
from sweeps import GRID, as_bytes, desk, environment, journal_cells, limits, python, swept

from siiq_core.commands import sweep as command
from siiq_core.errors import CalibrationRefused, SiiqError
from siiq_core.workbench.desk import Rerun, open_desk, rerun_or_reason, with_parameters
from siiq_core.workbench.sweep.cell import CODE, Found, compute, found_of
from siiq_core.workbench.sweep.journal import open_journal
from siiq_core.workbench.sweep.runners import pool, serial

MADE_FROM = {"inputs_sha256": "0" * 64}


@pytest.fixture(scope="module")
def small():
    return desk()


@pytest.fixture(scope="module")
def expected(small, tmp_path_factory):
    """The bytes of the serial run."""
    return as_bytes(swept(tmp_path_factory.mktemp("serial"), on=small))


def backwards(at, cells):
    """A runner that hands over the last cell first."""
    yield from serial(at, list(reversed(cells)))


# --- a cell ----------------------------------------------------------------------------------------------------------


def test_a_cell_without_changes_is_the_published_index(shipped):
    index = json.loads((shipped.folder / "index.json").read_text(encoding="utf-8"))
    found = compute(open_desk(shipped), {})
    assert {m["slug"]: (m["theta"], m["siiq"], m["low"], m["high"], m["rank"]) for m in index["models"]} == {x: (p.theta, p.siiq, p.low, p.high, p.rank) for x, p in found.models.items()}
    assert found.kappa == index["calibration"]["kappa"] and not found.rule and not found.missing
    assert set(found.dropped) == {b["id"] for b in index["benchmarks"] if not b["in_index"]}


def test_a_cell_is_the_rerun_of_its_changes_and_reads_back_as_it_was(small):
    changes = {"lam": 0.4, "drop": ["b03"]}
    found, again = compute(small, changes), rerun_or_reason(with_parameters(small, changes))
    assert isinstance(again, Rerun) and again.calibration.kappa == found.kappa
    assert {x: s.overall.siiq for x, s in again.scores.items()} == {x: p.siiq for x, p in found.models.items()}
    assert found_of(json.loads(json.dumps(found.plain()))) == found


def test_a_cell_names_reference_models_that_are_left_without_results(small):
    assert compute(small, {"min_results_per_model": 6}).missing == ("made-up-04", "made-up-06")
    assert compute(small, {}).missing == ()


def bridged():
    """Two blocks of 15 models on 6 benchmarks each, held together by one benchmark that all have taken, and by one model (fault kind 15)."""
    benchmarks = panels.benchmarks(13)
    blocks = [panels.results(15, 6, missing=0.0), panels.results(15, 6, missing=0.0)]
    rows = [(f"{'left' if k == 0 else 'right'}-{m}", f"b{int(b[1:]) + 6 * k:02d}", s) for k, block in enumerate(blocks) for m, b, s in block]
    rows += [(m, "b12", s) for m, b, s in rows if b in ("b02", "b08")]
    rows += [("left-made-up-07", f"b{k:02d}", 0.3 + 0.05 * k) for k in range(6, 12)]
    return desk(rows, benchmarks, sorted({m for m, _, _ in rows}))


def test_a_cell_that_falls_apart_is_a_finding_with_its_rule(tmp_path):
    """Without the benchmark that holds the two blocks together no single removal helps: C5."""
    found = swept(tmp_path, {"leave_out": ["none", "benchmark"]}, on=bridged())
    refused = {tuple(level.changes.get("drop", [])): x.rule for level, x in zip(found.grid.axes[0].levels, found.cells, strict=True) if x.kappa is None}
    assert refused == {("b12",): "C5"}
    told = json.loads(as_bytes(found))
    assert told["counts"]["refused"] == {"C5": 1} and told["shares"]["out"] == [[0, 13]]
    assert told["refused"][0]["point"] == [13] and "null directions" in told["refused"][0]["reason"]
    assert [x["refused"] for x in told["levels"]] == [0] * 12 + [1]


def test_a_column_without_information_leaves_in_some_cells_and_that_is_counted(tmp_path, small):
    """Fault kind 16: scores that have nothing to do with ability sit at the floor (E4)."""
    noisy = [*small.cells, *((f"made-up-{m:02d}", "b08", 0.5 + 0.4 * panels.noise(m, 5, 3)) for m in range(24))]
    found = swept(tmp_path, {"loading_floor": [0.05, 0.6, 0.8]}, on=desk(noisy, panels.benchmarks(9)))
    assert [dict(x.dropped) for x in found.cells] == [{"b08": "E4"}, {"b00": "E4", "b08": "E4"}, {}]
    assert [x.rule for x in found.cells] == ["", "", "C8"], "with a floor that nothing reaches nothing is left"
    told = json.loads(as_bytes(found))
    assert told["own"]["dropped"] == {"b08": "E4"} and told["counts"] == {"cells": 3, "refused": {"C8": 1}, "other_benchmarks": 1}


def test_where_every_cell_is_refused_there_are_dashes_and_no_noughts(tmp_path, small):
    (tmp_path / "multiverse.json").write_bytes(as_bytes(swept(tmp_path / "sweep", {"min_models_per_benchmark": [900, 1000]}, on=small)))
    text = command.told(tmp_path / "multiverse.json")
    assert "cells refused: 2 by C8" in text and "range over no more than – points" in text and "0.0" not in text


def test_a_desk_whose_own_parameters_are_refused_is_no_ground_for_a_sweep(tmp_path):
    with pytest.raises(CalibrationRefused, match="^C8: .*folds.* Remedy: a sweep needs"):
        swept(tmp_path, on=desk(min_pairs=500))


def test_arithmetic_that_fails_is_a_finding_too(small, monkeypatch):
    def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr("siiq_core.workbench.sweep.cell.rerun_or_reason", broken)
    assert compute(small, {}).rule == "C8" and "ZeroDivisionError" in compute(small, {}).reason


def test_the_code_a_cell_is_known_by_is_all_that_it_runs_through():
    code = "import sys, siiq_core.workbench.sweep.cell; print(*sorted(m for m in sys.modules if m.startswith('siiq_core')))"
    done = python(code)
    paths = [name.partition(".")[2].replace(".", "/") for name in done.stdout.split()]
    stray = [p for p in paths if p and f"{p}.py" not in CODE and not p.startswith("method") and p not in ("evidence", "params", "workbench", "workbench/sweep")]
    assert done.returncode == 0 and len(paths) > 15 and not stray, f"a cell imports what its journal does not heed: {stray} {done.stderr}"


def test_a_desk_that_was_opened_without_a_benchmark_stays_without_it(tmp_path, small):
    """As after `siiq sweep GRID -p drop '["b00"]'`: what is left out in a cell comes on top."""
    without = with_parameters(small, {"drop": ["b00"]})
    found = swept(tmp_path, {"lam": [0.1, 0.4], "leave_out": ["none", "benchmark"]}, on=without)
    assert [x.name for x in found.grid.axes[1].levels] == ["", *(f"b{k:02d}" for k in range(1, 8))]
    assert found.grid.changes((0, 1)) == {"drop": ["b00", "b01"]} and not found.grid.changes((0, 0))
    both = compute(small, {"drop": ["b00", "b01"]})
    assert both.models["made-up-12"].siiq == found.siiq[1, found.slugs.index("made-up-12")]


def test_a_book_goes_out_with_the_earlier_sweep_where_a_new_one_cannot_be_made(tmp_path, monkeypatch):
    def refused(say, out):
        raise SiiqError("made to fail")

    said = []
    monkeypatch.setattr(command, "run_sweep", refused)
    with pytest.raises(SiiqError, match="made to fail"):
        command.refresh(said.append, tmp_path)
    (tmp_path / "multiverse.json").write_text('{"method_version": "1.0.4"}', encoding="utf-8")
    (tmp_path / "index.json").write_text('{"method_version": "1.1.0"}', encoding="utf-8")
    command.refresh(said.append, tmp_path)
    assert said == ["sweep: made to fail. The earlier one stays"]


@pytest.mark.parametrize(("earlier", "now", "again"), [("1.0.0", "1.0.7", False), ("1.2.9", "1.2.0", False), ("1.0.9", "1.1.0", True), ("1.1.0", "2.1.0", True)])
def test_a_publication_sweeps_again_after_a_recalibration_only(tmp_path, monkeypatch, earlier, now, again):  # V1
    ran, said = [], []
    monkeypatch.setattr(command, "run_sweep", lambda say, out: ran.append(out))
    (tmp_path / "multiverse.json").write_text(f'{{"method_version": "{earlier}"}}', encoding="utf-8")
    (tmp_path / "index.json").write_text(f'{{"method_version": "{now}"}}', encoding="utf-8")
    command.refresh(said.append, tmp_path)
    assert ran == ([tmp_path] if again else []) and bool(said) is not again


def test_help_teaches_what_a_grid_is():
    shown = python("from siiq_core.cli import app; app(['sweep', '--help'], prog_name='siiq')", COLUMNS="160").stdout
    for word in ("leave_out: [none, benchmark, evaluator, area]", "--scheduler", "goes on from there", "dask worker tcp://HOST:8786", "params/multiverse.yml"):
        assert word in shown


# --- order, processes, threads ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("runner", [backwards, pool(2)])
def test_neither_order_nor_processes_change_a_byte(tmp_path, small, expected, runner):
    assert as_bytes(swept(tmp_path, on=small, runner=runner)) == expected


@pytest.mark.parametrize(("threads", "seed"), [("1", "0"), ("2", "4711")])
def test_neither_threads_nor_hash_seeds_do(tmp_path, expected, threads, seed):
    code = "import sys, pathlib, sweeps; sys.stdout.write(sweeps.as_bytes(sweeps.swept(pathlib.Path(sys.argv[1]))).decode())"
    done = python(code, str(tmp_path), OPENBLAS_NUM_THREADS=threads, PYTHONHASHSEED=seed, LC_ALL="C.UTF-8")
    assert done.stdout.encode() == expected, done.stderr


def test_progress_counts_cells_up_to_all_of_them(tmp_path, small):
    seen = []
    swept(tmp_path, {"lam": [0.1, 0.2, 0.3]}, on=small, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)], "the desk's own cell was there already"


# --- the journal -----------------------------------------------------------------------------------------------------


def test_what_is_finished_is_never_computed_again(tmp_path, small, expected):
    first = swept(tmp_path, {"lam": [0.1, 0.4], "leave_out": ["none", "benchmark"]}, on=small)
    second = swept(tmp_path, on=small)
    third = swept(tmp_path, on=small)
    assert (first.computed, second.computed, third.computed) == (18, 18, 0), "of 36 cells the first grid had half"
    assert as_bytes(second) == as_bytes(third) == expected
    cells = journal_cells(tmp_path)
    assert len(cells) == len(set(cells)) == 36


def test_other_inputs_have_a_journal_of_their_own_and_the_newest_are_kept(tmp_path, small):
    axes, keep = {"lam": [0.1, 0.2]}, limits(keep_journals=2)
    for number, lam in enumerate((0.1, 0.2, 0.3)):
        on = desk(lam=lam)
        before = set(tmp_path.glob("*.jsonl"))
        assert swept(tmp_path, axes, on=on, limits=keep).computed == (2 if lam < 0.3 else 3), "the own cell is 0.3, which the grid does not have"
        new, = set(tmp_path.glob("*.jsonl")) - before
        os.utime(new, (number, number))
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    assert swept(tmp_path, axes, on=desk(lam=0.2), limits=keep).computed == 0


@pytest.mark.parametrize("torn", [1, 40, -1])
def test_a_torn_last_line_is_cut_off_and_its_cell_computed_again(tmp_path, small, expected, torn):
    swept(tmp_path, on=small)
    path, = tmp_path.glob("*.jsonl")
    whole = path.read_bytes()
    start = whole.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(whole[: start + torn] if torn > 0 else whole[:-1])
    again = swept(tmp_path, on=small)
    assert again.computed == 1 and as_bytes(again) == expected and path.read_bytes() == whole


def test_a_torn_first_line_begins_anew(tmp_path, small):
    swept(tmp_path, {"lam": [0.1]}, on=small)
    path, = tmp_path.glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:10])
    assert swept(tmp_path, {"lam": [0.1]}, on=small).computed == 1


def test_a_damaged_line_in_the_middle_is_named(tmp_path, small):
    swept(tmp_path, {"lam": [0.1, 0.2, 0.3]}, on=small)
    path, = tmp_path.glob("*.jsonl")
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:-20]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(SiiqError, match="is damaged .*row 3.* Remedy: remove the file"):
        swept(tmp_path, {"lam": [0.1]}, on=small)


def test_a_second_sweep_of_the_same_inputs_is_turned_away(tmp_path):
    with open_journal(tmp_path, MADE_FROM, 4), pytest.raises(SiiqError, match="another sweep of the same inputs is running"), open_journal(tmp_path, MADE_FROM, 4):
        pass
    with open_journal(tmp_path, MADE_FROM, 4):
        pass


def test_a_cell_goes_into_a_journal_once(tmp_path):
    nothing = Found(None, {}, (), {}, "C8", "C8: made up")
    with open_journal(tmp_path, MADE_FROM, 4) as journal:
        journal.add("a", nothing)
        with pytest.raises(SiiqError, match="computed twice"):
            journal.add("a", nothing)
        assert list(journal.read()) == [("a", nothing)] and "a" in journal and "b" not in journal


# --- what dies -------------------------------------------------------------------------------------------------------


def test_a_worker_that_dies_ends_the_sweep_and_what_is_done_stays(tmp_path, small, expected):
    def deadly(at, cells):
        for number, finished in enumerate(pool(2)(at, cells)):
            yield finished
            if number == 2:
                for child in multiprocessing.active_children():
                    child.kill()

    with pytest.raises(SiiqError, match="a worker process died .*|a worker process died"):
        swept(tmp_path, on=small, runner=deadly)
    done = len(journal_cells(tmp_path))
    assert 4 <= done < 36, "the desk's own cell, and what was handed over"
    again = swept(tmp_path, on=small, runner=pool(2))
    assert again.computed == 36 - done and as_bytes(again) == expected


def test_a_killed_sweep_goes_on_where_it_was(project, tmp_path):
    """kill -9 in the middle of `siiq sweep`: no worker stays, no cell is computed twice, the same bytes as without."""
    grid = tmp_path / "grid.yml"
    grid.write_text("axes:\n  lam: [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55]\n  omega: [true, false]\n  effective_n: [true, false]\n", encoding="utf-8")
    journals = project / "_build" / "sweep"

    def command(out, workers="2"):
        return [sys.executable, "-m", "siiq_core.cli", "sweep", str(grid), "--workers", workers, "--out", str(tmp_path / out)]

    surroundings = environment(SIIQ_ROOT=str(project))
    running = subprocess.Popen(command("killed"), env=surroundings, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while len(journal_cells(journals)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    workers = children(running.pid)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    done = len(journal_cells(journals))
    assert 5 <= done < 40 and len(workers) >= 2
    while any(alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in workers), "workers leave with the process that began them"
    after = subprocess.run(command("resumed"), env=surroundings, cwd=project, capture_output=True, text=True)
    assert after.returncode == 0 and f"40 cells, {40 - done} of them computed now" in after.stderr, after.stderr
    cells = journal_cells(journals)
    assert len(cells) == len(set(cells)) == 40
    for path in journals.glob("*.jsonl"):
        path.unlink()
    fresh = subprocess.run(command("serial", "1"), env=surroundings, cwd=project, capture_output=True, text=True)
    assert fresh.returncode == 0 and "40 cells, 40 of them computed now" in fresh.stderr and "about" in fresh.stderr, fresh.stderr
    assert (tmp_path / "resumed" / "multiverse.json").read_bytes() == (tmp_path / "serial" / "multiverse.json").read_bytes()
    assert not (tmp_path / "killed" / "multiverse.json").exists()


def children(pid: int) -> list[int]:
    import psutil

    return [x.pid for x in psutil.Process(pid).children(recursive=True)]


def alive(pid: int) -> bool:
    import psutil

    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
