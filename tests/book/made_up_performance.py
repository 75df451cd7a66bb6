"""A made-up record of benchmarks: some targets met, some missed, one other package too slow and one not installed."""

from typing import Any

from siiq_core.publish.performance.record import BY_SIZE, SINGLE


def made_up_performance(**changes: Any) -> dict[str, Any]:
    """A record: times grow with the results, a round takes a millisecond per thousand."""
    times = {group: [{"results": 10**k, "seconds": 10.0**k * 1e-6 * (1 + number)} for k in (3, 5, 6, 7)] for number, group in enumerate(BY_SIZE)}
    times |= {group: [{"results": 1000, "seconds": 0.01}] for group in SINGLE}
    times |= {"shipped-sigmoid": [{"results": 1000, "seconds": 0.5}], "start-help": [{"results": 1, "seconds": 0.45}]}
    return {"form": 1, "day": "2026-11-30", "largest": 10**7, "machine": {"cores": 2, "system": "Linux", "processor": "x86_64", "python": "3.11.9", "numpy": "2.4.6"}, "times": times,
            "bytes_per_result": [[10**6, 120.5], [10**7, 101.0]], "stop": 1e-8, "draws": 100,
            "others": {"girth": {"version": "0.8.0", "times": [{"results": 1000, "seconds": 0.4}], "why": "too-slow"}, "py-irt": {"version": None, "times": [], "why": "not-installed"}}, **changes}
