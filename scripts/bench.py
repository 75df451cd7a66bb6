"""`make bench`: times and memory of the method by size, ratios to what one would take instead, and the fitted exponents.

    .venv/bin/python scripts/bench.py                  all sizes, 10³ to 10⁷ results (about ten minutes on a quiet machine)
    .venv/bin/python scripts/bench.py --largest 1e5    smaller ones only

Seconds are this machine's and say little elsewhere; ratios and exponents are taken within this one run. Written to
_build/bench/: performance.json, and the raw numbers of pytest-benchmark beside it.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build" / "bench"
FITTED_FROM = 10**5  # results; exponents are fitted from here up
SIZES = ("1e3", "1e4", "1e5", "1e6", "1e7")


def times(raw: Mapping[str, Any]) -> dict[str, list[tuple[int, float]]]:
    """Group → (results, seconds of one unit of work) by size; the least of the rounds, which other work disturbs least."""
    out: dict[str, list[tuple[int, float]]] = {}
    for one in raw["benchmarks"]:
        extra = one["extra_info"]
        out.setdefault(one["group"], []).append((extra["results"], one["stats"]["min"] / extra["per"]))
    return {group: sorted(rows) for group, rows in out.items()}


def exponent(rows: Sequence[tuple[int, float]]) -> float | None:
    """Slope of log time on log results by least squares, from FITTED_FROM up; None below three sizes."""
    points = [(math.log(n), math.log(t)) for n, t in rows if n >= 0.9 * FITTED_FROM]
    if len(points) < 3:
        return None
    mx, my = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def ratios(a: Sequence[tuple[int, float]], b: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Time of `a` over time of `b` where both worked on as many results."""
    other = dict(b)
    return {n: t / other[n] for n, t in a if n in other}


def report(raw: Mapping[str, Any], memory: Mapping[int, float]) -> dict[str, Any]:
    """performance.json."""
    found = times(raw)
    empty: list[tuple[int, float]] = []
    return {
        "machine": {"cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version(), "numpy": importlib.metadata.version("numpy")},
        "seconds": {group: [{"results": n, "seconds": float(f"{t:.3g}")} for n, t in rows] for group, rows in sorted(found.items())},
        "exponents": {group: round(x, 3) for group, rows in sorted(found.items()) if (x := exponent(rows)) is not None},
        "ratios": {
            "sigmoid fit over whole fit": {str(n): round(x, 1) for n, x in ratios(found.get("sigmoid fit", empty), found.get("whole fit", empty)).items()},
            "sigmoid fit with 100 bootstrap draws over whole fit": {str(n): round(101 * x) for n, x in ratios(found.get("sigmoid fit", empty), found.get("whole fit", empty)).items()},
            "plain loop over round": {str(n): round(x, 1) for n, x in ratios(found.get("plain loop", empty), found.get("round", empty)).items()},
            "round over one pass": {str(n): round(x, 1) for n, x in ratios(found.get("round", empty), found.get("one pass", empty)).items()},
        },
        "bytes_per_result": {str(n): x for n, x in sorted(memory.items())},
    }


def main() -> int:
    """Run, tabulate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", default="1e7")
    wanted = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "SIIQ_BENCH_LARGEST": wanted.largest, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "performance")])}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-o", "python_files=bench_*.py", "-p", "no:cacheprovider", "-p", "pytest_benchmark.plugin", str(ROOT / "tests" / "performance"),
                           f"--benchmark-json={OUT / 'raw.json'}", "--benchmark-columns=min,median,rounds", "--benchmark-sort=name"], cwd=ROOT, env=environment)
    if done.returncode:
        return done.returncode
    memory: dict[int, float] = {}
    for size in (x for x in SIZES[2:] if float(x) <= float(wanted.largest)):
        told = subprocess.run([sys.executable, str(ROOT / "tests" / "performance" / "memory.py"), size], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        results, each = told.stdout.split()
        memory[int(results)] = float(each)
    found = report(json.loads((OUT / "raw.json").read_text(encoding="utf-8")), memory)
    (OUT / "performance.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
    print("\n" + table(found))
    return 0


def table(found: Mapping[str, Any]) -> str:
    """The same for people."""
    lines = [f"{'':<34}{'results':>12}{'seconds':>12}"]
    lines += [f"{group:<34}{row['results']:>12,}{row['seconds']:>12.3g}" for group, rows in found["seconds"].items() for row in rows]
    lines += ["", "exponent of time from 10^5 results up:", *(f"  {group:<32}{x:>8.3f}" for group, x in found["exponents"].items())]
    lines += ["", "ratios, by results:", *(f"  {name:<54}{', '.join(f'{int(n):,}: {x:g}' for n, x in rows.items())}" for name, rows in found["ratios"].items() if rows)]
    lines += ["", "peak memory, bytes per result:", *(f"  {int(n):>12,}{x:>10.1f}" for n, x in found["bytes_per_result"].items())]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
