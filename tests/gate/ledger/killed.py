"""A program that is killed while it writes: at each moment of its calls to the system, or by whoever reads its output.

    python killed.py at LEDGER-FOLDER          every moment in turn, each on a ledger of its own; a line of JSON for each
    python killed.py on LEDGER NAME COUNT      COUNT entries, each in a `writing()` of its own; says each as it is acknowledged
    python killed.py full LEDGER BYTES         until the file may not grow any more (a limit of the system, as a full disk)
"""

import json
import os
import resource
import signal
import sys
from pathlib import Path

from siiq_core.errors import LedgerError
from siiq_core.gate.ledger import Ledger

AT = "2026-08-01T09:00:00Z"
CALLS = ("write", "fsync", "ftruncate", "open", "replace")


def deadly(point: int) -> None:
    """Kill this process at its `point`-th moment: before a call; a write has two more, when it is half done and when it is done."""
    moments = 0

    def wrap(name):
        call = getattr(os, name)

        def counted(*arguments, **more):
            nonlocal moments
            ahead, moments = moments, moments + (3 if name == "write" else 1)
            if ahead < point <= moments:
                if point > ahead + 1:
                    content = bytes(arguments[1])
                    call(arguments[0], content[: len(content) // 2] if point == ahead + 2 else content)
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **more)

        setattr(os, name, counted)

    for name in CALLS:
        wrap(name)


def every_point(folder: Path) -> None:
    """For each point: a child writes over the remains of a killed writer and is killed; which entries it had acknowledged."""
    for point in range(1, 1000):
        path = folder / f"{point:03d}" / "ledger.jsonl"
        ledger = Ledger.open(path)
        with ledger.writing():
            ledger.append("before", AT, {"n": 0})
        with path.open("ab") as stream:
            stream.write(b'{"at":"2026-08-01T')
        reading, telling = os.pipe()
        child = os.fork()
        if not child:
            tell = os.write
            deadly(point)
            for round in range(3):
                with ledger.writing():
                    for n in range(4):
                        entry = ledger.append("entry", AT, {"round": round, "n": n, "x": "y" * 300})
                        tell(telling, f"{entry.n}\n".encode())
            os._exit(0)
        os.close(telling)
        with os.fdopen(reading) as stream:
            told = [int(line) for line in stream]
        _, status = os.waitpid(child, 0)
        print(json.dumps({"point": point, "told": told, "killed": os.WIFSIGNALED(status), "path": str(path)}))
        if not os.WIFSIGNALED(status):
            return


def on(path: Path, name: str, count: int) -> None:
    ledger = Ledger.open(path)
    for n in range(count):
        with ledger.writing(seconds=60):
            entry = ledger.append(name, AT, {"n": n, "x": "y" * 300})
        print(entry.n, flush=True)


def full(path: Path, most: int) -> None:
    ledger = Ledger.open(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with ledger.writing():
        try:
            while True:
                print(ledger.append("entry", AT, {"x": "y" * 100}).n, flush=True)
        except LedgerError as error:
            print(json.dumps(str(error)), flush=True)


if __name__ == "__main__":
    what, where, *rest = sys.argv[1:]
    {"at": every_point, "on": lambda p: on(p, rest[0], int(rest[1])), "full": lambda p: full(p, int(rest[0]))}[what](Path(where))
