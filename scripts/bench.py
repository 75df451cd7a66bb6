"""`make bench`: times and memory of the method by size, the program around it, and what somebody would take instead, in one run.

    .venv/bin/python scripts/bench.py                  all sizes, 10³ to 10⁷ results (some ten minutes on a quiet machine)
    .venv/bin/python scripts/bench.py --largest 1e5    smaller ones only
    .venv/bin/python scripts/bench.py --record 2026-11-30   and keep what was measured, as of that day, for the book

Seconds are this machine's and say little elsewhere; ratios and exponents are taken within this one run. Written to
_build/bench/: performance.json, which --record copies to data/, and the raw numbers of pytest-benchmark beside it.
Other packages (girth, py-irt) are installed in an environment of their own in _build/bench/others, within the time that
params/performance.yml gives; the second needs some gigabytes. --no-others leaves them out.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from siiq_core.files import replace_bytes
from siiq_core.params.performance import PerformanceParams, load_performance
from siiq_core.publish.performance.record import OTHERS, RATIOS, Record, load_record, record_at, record_bytes

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build" / "bench"
TESTS = ROOT / "tests" / "performance"
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)


def say(text: str) -> None:
    print(f"bench: {text}", flush=True)


# --- what is measured ----------------------------------------------------------------------------------------------------------


def times(raw: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Group → results and seconds of one unit of work by size; the least of the rounds, which other work disturbs least."""
    out: dict[str, list[dict[str, Any]]] = {}
    for one in raw["benchmarks"]:
        extra = one["extra_info"]
        out.setdefault(one["group"], []).append({"results": extra["results"], "seconds": rounded(one["stats"]["min"] / extra["per"])})
    return {group: sorted(rows, key=lambda x: x["results"]) for group, rows in sorted(out.items())}


def rounded(seconds: float) -> float:
    """Three digits: a repetition does not agree to more."""
    return float(f"{seconds:.3g}")


def benchmarks(largest: int, environment: Mapping[str, str]) -> Mapping[str, Any]:
    """Runs the suite; what pytest-benchmark wrote."""
    command = [sys.executable, "-m", "pytest", "-v", "-rs", "--no-header", "-o", "python_files=bench_*.py", "-p", "no:cacheprovider", "-p", "pytest_benchmark.plugin", str(TESTS),
               f"--benchmark-json={OUT / 'raw.json'}", "--benchmark-columns=min,rounds", "--benchmark-sort=name", "--benchmark-quiet"]
    subprocess.run(command, cwd=ROOT, env={**environment, "SIIQ_BENCH_LARGEST": str(largest)}, check=True)
    return json.loads((OUT / "raw.json").read_text(encoding="utf-8"))


def memory(largest: int, environment: Mapping[str, str]) -> list[tuple[int, float]]:
    """(results, bytes per result at the peak) by size, each in a process of its own; below 10⁵ what the program itself takes hides them."""
    out = []
    for size in (x for x in SIZES[2:] if x <= largest):
        say(f"memory at {size:,} results")
        told = subprocess.run([sys.executable, str(TESTS / "memory.py"), str(size)], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        results, each = told.stdout.split()
        out.append((int(results), float(each)))
    return out


# --- other packages --------------------------------------------------------------------------------------------------------------


def others(largest: int, limits: PerformanceParams, environment: Mapping[str, str]) -> dict[str, Any]:
    """Package → version and times, or why there are none."""
    python = OUT / "others" / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(OUT / "others")], check=True)
    panels = {size: OUT / f"panel-{size}.npz" for size in SIZES[:3] if size <= largest}
    code = "import sys; import numpy; from panels_made_up import of_size; one = of_size(int(sys.argv[1])); numpy.savez(sys.argv[2], m=one.m, b=one.b, s=one.s)"
    for size, path in panels.items():
        subprocess.run([sys.executable, "-c", code, str(size), str(path)], cwd=ROOT, env=environment, check=True)
    return {name: other(name, python, panels, limits) for name in OTHERS}


def other(name: str, python: Path, panels: Mapping[int, Path], limits: PerformanceParams) -> dict[str, Any]:
    """One package at growing sizes, until a fit takes too long, or the next would that takes ten times as long."""
    say(f"installing {name}, for {limits.install_seconds:g} s at the most")
    found: dict[str, Any] = {"version": None, "times": [], "why": None}
    try:
        done = subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name], timeout=limits.install_seconds, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return {**found, "why": "not-installed"}
    if done.returncode:
        say(f"{name} does not install: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'no reason given'}")
        return {**found, "why": "not-installed"}
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    for size, path in panels.items():
        if found["times"] and 10 * found["times"][-1]["seconds"] > limits.other_seconds:
            return {**found, "why": "too-slow"}
        say(f"{name} on {size:,} results")
        try:
            done = subprocess.run([str(python), str(TESTS / "others.py"), name, str(path)], timeout=2 * limits.other_seconds, capture_output=True, text=True, env=clean)
        except subprocess.TimeoutExpired:
            return {**found, "why": "too-slow"}
        if done.returncode:
            say(f"{name} fails: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'no reason given'}")
            return {**found, "why": "failed"}
        told = json.loads(done.stdout.strip().splitlines()[-1])
        found["version"] = told["version"]
        found["times"].append({"results": size, "seconds": rounded(told["seconds"])})
    return found


# --- the record -------------------------------------------------------------------------------------------------------------------


def record_of(raw: Mapping[str, Any], bytes_per_result: Sequence[tuple[int, float]], packages: Mapping[str, Any], largest: int, day: date, limits: PerformanceParams) -> Record:
    """performance.json, checked as the book will check it."""
    machine = {"cores": os.cpu_count(), "system": platform.system(), "processor": platform.machine(), "python": platform.python_version(), "numpy": importlib.metadata.version("numpy")}
    told = {"form": 1, "day": day.isoformat(), "largest": largest, "machine": machine, "times": times(raw), "bytes_per_result": list(bytes_per_result), "others": packages,
            "stop": limits.stop, "draws": limits.draws}
    return Record.model_validate_json(json.dumps(told))


def table(found: Record) -> str:
    """The same for people."""
    lines = [f"{'':<28}{'results':>12}{'seconds':>12}{'exponent':>10}"]
    for group in found.times:
        exponent = found.exponent(group)
        for k, x in enumerate(found.of(group)):
            lines.append(f"{group if k == 0 else '':<28}{x.results:>12,}{x.seconds:>12.3g}{f'{exponent:>10.3f}' if k == 0 and exponent is not None else ''}")
    lines += ["", "ratios, by results:", *(f"  {name:<28}{_row(found.ratio(name))}" for name in RATIOS if found.ratio(name))]
    lines += [f"  {name + ' over fit':<28}{_row(found.other_ratio(name)) or '-'}{f' ({x.why})' if x.why else ''}" for name, x in found.others.items()]
    lines += ["", "peak memory, bytes per result:", *(f"  {n:>12,}{x:>10.1f}" for n, x in found.bytes_per_result)]
    return "\n".join(lines)


def _row(ratios: Mapping[int, float]) -> str:
    return ", ".join(f"{n:,}: {x:.3g}" for n, x in ratios.items())


def main() -> int:
    """Run, tabulate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=lambda x: int(float(x)), default=10**7, help="results, such as 1e5")
    parser.add_argument("--record", type=date.fromisoformat, metavar="DAY", help="keep what is measured in data/performance.json, as of that day")
    parser.add_argument("--no-others", action="store_true", help="leave out other packages")
    wanted = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    limits, begun = load_performance(ROOT), time.monotonic()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(TESTS)])}
    try:
        raw = benchmarks(wanted.largest, environment)
    except subprocess.CalledProcessError as failed:
        return failed.returncode
    peaks = memory(wanted.largest, environment)
    packages = {} if wanted.no_others else others(wanted.largest, limits, environment)
    found = record_of(raw, peaks, packages, wanted.largest, wanted.record or datetime.now(UTC).date(), limits)
    replace_bytes(OUT / "performance.json", record_bytes(found))
    if wanted.record:
        replace_bytes(record_at(ROOT), record_bytes(found))
        load_record(record_at(ROOT))
    print("\n" + table(found))
    say(f"done in {time.monotonic() - begun:.0f} s" + (", recorded in data/performance.json" if wanted.record else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
