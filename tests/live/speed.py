"""How long live reading takes against publishers on loopback: `python tests/live/speed.py [FOLDER OF REAL SOURCES]`.

A measurement for people, no test: a full fetch of all publishers' real files, a check with nothing new, an archive read again.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from loopback import Publisher
from world import SOURCES, World, real_content

from siiq_core.evidence.live.desk import open_desk
from siiq_core.evidence.live.reading import replay
from siiq_core.evidence.live.waiting import system_clock

ROOT = Path(__file__).resolve().parents[2]


def measured(what, call):
    """Seconds on the clock, and of this process's work (the loopback publishers' included)."""
    wall, work = time.perf_counter(), time.process_time()
    result = call()
    print(f"{what:<28} {time.perf_counter() - wall:6.2f} s, of which work {time.process_time() - work:6.2f} s")
    return result


def main() -> None:
    shared = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "sources"
    publishers = {source: Publisher() for source in SOURCES}
    with tempfile.TemporaryDirectory() as folder:
        here = World(ROOT, Path(folder), publishers)
        for source, content in real_content(shared).items():
            here.serve(source, content)
        measured("parameters", lambda: open_desk(ROOT))
        for what in ("full fetch", "check with nothing new", "the same again"):
            report = measured(what, lambda: here.read(system_clock()))
            print("   ", ", ".join(f"{x.source} {x.outcome}" for x in report.sources))
        measured("archive read again", lambda: list(replay(here.desk)))
        size = sum(path.stat().st_size for path in here.desk.archive.folder.rglob("*") if path.is_file())
        print(f"archive {size / 1e6:.1f} MB, peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    for publisher in publishers.values():
        publisher.close()


if __name__ == "__main__":
    main()
