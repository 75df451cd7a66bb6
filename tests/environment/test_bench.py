"""What `make bench` makes of measured times."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("bench", ROOT / "scripts" / "bench.py")
bench = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(bench)


def one(group, results, seconds, per=1):
    return {"group": group, "extra_info": {"results": results, "per": per}, "stats": {"min": seconds}}


def test_times_are_per_unit_of_work_and_by_size():
    assert bench.times({"benchmarks": [one("round", 1000, 4.0, per=4), one("round", 100, 0.5)]}) == {"round": [(100, 0.5), (1000, 1.0)]}


@pytest.mark.parametrize("power", [1.0, 1.5])
def test_the_exponent_of_a_power_is_its_power_and_small_sizes_play_no_part(power):
    rows = [(1000, 77.0), *((10**k, (10**k) ** power) for k in (5, 6, 7))]
    assert bench.exponent(rows) == pytest.approx(power)
    assert bench.exponent(rows[:3]) is None


def test_ratios_are_of_equal_sizes():
    assert bench.ratios([(10, 6.0), (20, 5.0)], [(10, 3.0)]) == {10: 2.0}


def test_a_report_with_a_hundred_draws_is_a_hundred_and_one_fits():
    found = bench.report({"benchmarks": [one("sigmoid fit", 1000, 2.0), one("whole fit", 1000, 0.1)]}, {1000: 90.0})
    assert found["ratios"]["sigmoid fit over whole fit"] == {"1000": 20.0} and found["ratios"]["sigmoid fit with 100 bootstrap draws over whole fit"] == {"1000": 2020}
    assert "1,000: 20" in bench.table(found)


def test_the_suite_runs_at_its_smallest_size():
    """Every benchmark once, so that none rots; times are looked at by `make bench` alone."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-o", "python_files=bench_*.py", "-p", "no:cacheprovider", "-p", "pytest_benchmark.plugin", "--benchmark-disable", "tests/performance"],
                          cwd=ROOT, env={**__import__("os").environ, "SIIQ_BENCH_LARGEST": "1e3", "PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'performance'}"}, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]
