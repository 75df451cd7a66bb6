"""Coverage-guided fuzzing of one reader: `python -m tests.fuzz TARGET --seconds 60`; without a target, lists them.

It needs atheris, in an environment of its own, since the project does not depend on it (CONTRIBUTING.md, "Fuzzing").
Every kind of find is kept once, by exception and place, as a file that a case can be made of; the run goes on.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

SLOW = 2.0  # seconds for one content; longer is a find


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.split("\n")[0])
    asked.add_argument("target", nargs="?", help="a reader; none: list them")
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--finds", type=Path, default=Path(tempfile.gettempdir()) / "siiq-finds", help="folder for what is found")
    asked.add_argument("--seeds", type=Path, nargs="*", default=[], help="further contents to begin with, such as a publisher's files")
    asked.add_argument("--corpus", type=Path, help="folder that keeps what reached new code, for a later run")
    asked.add_argument("--bytes", type=int, default=20_000, help="the longest content tried")
    given = asked.parse_args()
    try:
        import atheris
    except ImportError:
        print("atheris is not here; see CONTRIBUTING.md, Fuzzing", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=["siiq_core", "yaml", "tomllib", "zipfile"]):
        from tests.fuzz.fuzz_mutations import mutated
        from tests.fuzz.fuzz_targets import TARGETS, check
    if given.target not in TARGETS:
        print("\n".join(TARGETS))
        return 0 if given.target is None else 2
    target, finds = TARGETS[given.target], Finds(given.finds / given.target.replace(" ", "-"))
    with tempfile.TemporaryDirectory() as place:
        corpus, folder = given.corpus or Path(place) / "corpus", Path(place) / "in" / "folder"
        for path in (corpus, folder):
            path.mkdir(parents=True, exist_ok=True)
        cases = Path(__file__).parent / "cases" / given.target.replace(" ", "-")
        for number, content in enumerate((*target.seeds(), *(path.read_bytes() for path in (*given.seeds, *sorted(cases.glob("*")))))):
            (corpus / f"seed-{number:04d}").write_bytes(content)

        def one(content: bytes) -> None:
            begun = time.monotonic()
            try:
                check(target, content, folder)
            except Exception as error:
                finds.keep(content, error)
            if time.monotonic() - begun > SLOW:
                finds.keep(content, TimeoutError(f"{time.monotonic() - begun:.1f} s"))

        def mutate(content: bytes, most: int, seed: int) -> bytes:
            random = Random(seed)
            return mutated(content, random)[:most] if random.random() < 0.5 else atheris.Mutate(content, most)

        atheris.Setup(["fuzz", f"-max_total_time={given.seconds}", f"-max_len={given.bytes}", "-rss_limit_mb=2048", "-timeout=60", "-print_final_stats=1", "-verbosity=0", str(corpus)],
                      one, custom_mutator=mutate)
        atheris.Fuzz()
    return 0


class Finds:
    """One file a kind of find: exception and the last place in the project it came through."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.known = folder, set()

    def keep(self, content: bytes, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [x for x in frames if "siiq_core" in x.filename] or frames
        place = f"{Path(ours[-1].filename).name}-{ours[-1].lineno}" if ours else "slow"
        kind = f"{type(error).__name__}-{place}-{str(error)[:12] if type(error).__name__ == 'Find' else ''}".replace(" ", "_").replace("/", "_").rstrip("-")
        if kind in self.known:
            return
        self.known.add(kind)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / kind).write_bytes(content)
        print(f"find: {kind}: {ascii(str(error))[:200]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
