"""What `make bench` makes of measured times."""

import datetime
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from siiq_core.params.performance import load_performance
from siiq_core.publish.performance.record import BY_SIZE, SINGLE

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("bench", ROOT / "scripts" / "bench.py")
bench = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(bench)


def one(group, results, seconds, per=1):
    return {"group": group, "extra_info": {"results": results, "per": per}, "stats": {"min": seconds}}


def found(*rows, packages={}):  # noqa: B006, never written to
    return bench.record_of({"benchmarks": rows}, [(10**5, 90.0)], packages, 10**5, datetime.date(2026, 11, 30), load_performance(ROOT))


def test_times_are_per_unit_of_work_and_by_size():
    told = bench.times({"benchmarks": [one("round", 1000, 4.0, per=4), one("round", 100, 0.5)]})
    assert told == {"round": [{"results": 100, "seconds": 0.5}, {"results": 1000, "seconds": 1.0}]}


def test_a_record_names_no_machine_and_no_place():
    text = bench.record_bytes(found(one("round", 1000, 4.0))).decode()
    assert str(ROOT) not in text and os.uname().nodename not in text and '"day": "2026-11-30"' in text


def test_a_group_that_nobody_knows_is_no_record():
    with pytest.raises(ValueError, match="unheard"):
        found(one("unheard-of", 1000, 4.0))


def test_the_table_has_ratios_exponents_and_other_packages():
    packages = {"girth": {"version": "0.8.0", "times": [{"results": 1000, "seconds": 1.0}], "why": "too-slow"}, "py-irt": {"version": None, "times": [], "why": "not-installed"}}
    shown = bench.table(found(one("sigmoid-fit", 1000, 2.0), one("whole-fit", 1000, 0.1), *(one("round", 10**k, 10.0**k) for k in (5, 6)), packages=packages))
    assert "1,000: 20" in shown and "1.000" in shown and "1,000: 10 (too-slow)" in shown and "- (not-installed)" in shown


@pytest.fixture
def package(tmp_path):
    """Installs as it is told to, and is measured as it is told to: a stand-in for another environment's Python."""
    def made(script):
        python = tmp_path / "python"
        python.write_text(f"#!{sys.executable}\nimport sys, time, json\nwhat, arguments = sys.argv[1], sys.argv[1:]\n{script}\n", encoding="utf-8")
        python.chmod(0o755)
        return python

    return made


PANELS = {10**k: Path(f"{k}.npz") for k in (3, 4, 5)}


@pytest.mark.parametrize("script, why, sizes", [
    ("sys.exit(what == '-m')", "not-installed", 0),
    ("time.sleep(2 if what == '-m' else 0)", "not-installed", 0),
    ("sys.exit(what != '-m')", "failed", 0),
    ("what == '-m' or print('chatter\\n' + json.dumps({'version': '1.0', 'seconds': 0.001}))", None, 3),
    ("what == '-m' or print(json.dumps({'version': '1.0', 'seconds': 0.02 if '3' in arguments[2] else 0.2}))", "too-slow", 2),
])
def test_another_package_is_measured_or_the_reason_is_recorded(package, script, why, sizes):
    limits = load_performance(ROOT).model_copy(update={"install_seconds": 1.0, "other_seconds": 1.0})
    told = bench.other("girth", package(script), PANELS, limits)
    assert (told["why"], len(told["times"])) == (why, sizes)
    found(packages={"girth": told})


def test_the_suite_runs_at_its_smallest_size(tmp_path):
    """Every benchmark once, so that none rots, and each notes a group that a record knows; times are looked at by `make bench` alone."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-o", "python_files=bench_*.py", "-p", "no:cacheprovider", "-p", "pytest_benchmark.plugin", "--benchmark-disable", "tests/performance"],
                          cwd=ROOT, env={**os.environ, "SIIQ_BENCH_LARGEST": "1e3", "PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'performance'}"}, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:]
    text = "".join((ROOT / "tests" / "performance" / f"bench_{name}.py").read_text(encoding="utf-8") for name in ("method", "program"))
    named = {*BY_SIZE, *SINGLE} - {"stage-fetch", "stage-calibrate", "stage-score", "notebook-fetch", "notebook-calibrate", "notebook-score"}
    assert [group for group in sorted(named) if f'"{group}"' not in text] == []
