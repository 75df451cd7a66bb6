"""Peak memory of four rounds and the rank check, by size: `python tests/performance/memory.py 1000000` prints bytes per result.

A process of its own per size, since a peak never falls again. What the interpreter and its libraries hold is taken off.
"""

import resource
import sys

from panels_made_up import of_size, panel

from siiq_core.method.calibration.fit import fit, weights
from siiq_core.method.calibration.identification import null_directions
from siiq_core.params.loader import project_root
from siiq_core.params.method import load_method


def peak() -> int:
    """Bytes; macOS counts in bytes, Linux in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Print results and bytes per result."""
    size = int(float(sys.argv[1]))
    params = load_method(project_root()).model_copy(update={"max_rounds": 4})
    small = panel(1000, 20, 10)
    null_directions(small, fit(small, weights(small, params).share, params), params.null_tolerance)  # everything imported
    before = peak()
    one = of_size(size)
    found = fit(one, weights(one, params).share, params)
    null_directions(one, found, params.null_tolerance)
    print(len(one.m), round((peak() - before) / len(one.m), 1))


if __name__ == "__main__":
    main()
