"""How much memory a command takes at its peak: `python tests/faults/conditions/peaks.py siiq run`. A measurement for people, no test.

Adds up what belongs to all its processes (kernels, Sphinx) at the same time, memory that they share counted once
(PSS); Linux only, as it reads /proc through psutil. Sampled every 20 ms, so a shorter peak may be missed.
"""

import json
import subprocess
import sys
import time

import psutil


def held(process: psutil.Process) -> int:
    """Bytes of a process, its share of what it has in common with others among them; 0 where it has ended."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0


def main() -> int:
    """Run the command, print its peak, in MB of 2**20 bytes; returns its exit code."""
    begun, most, largest, count = time.monotonic(), 0, 0, 0
    running = subprocess.Popen(sys.argv[1:])
    own = psutil.Process(running.pid)
    while running.poll() is None:
        try:
            family = [own, *own.children(recursive=True)]
        except psutil.Error:
            family = []
        each = [held(x) for x in family]
        most, largest, count = max(most, sum(each)), max([largest, *each]), max(count, len(each))
        time.sleep(0.02)
    print(json.dumps({"command": " ".join(sys.argv[1:])[-60:], "all processes": most >> 20, "largest process": largest >> 20, "processes": count,
                      "seconds": round(time.monotonic() - begun, 1), "exit code": running.returncode}), file=sys.stderr)
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
