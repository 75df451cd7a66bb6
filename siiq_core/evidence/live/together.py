"""Sources read side by side: one publisher's failure or slowness delays no other."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from siiq_core.errors import SiiqError
from siiq_core.evidence.live.refusals import ReaderFailed, TookTooLong, plain
from siiq_core.evidence.live.waiting import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of one source: its value, or why there is none."""

    source: str
    value: T | None
    failure: SiiqError | None = None


def read_together(tasks: Mapping[str, Callable[[], T]], seconds: float, clock: Clock,
                  progress: Callable[[str], None] = lambda text: None, told: Callable[[T], str] = lambda value: "read",
                  ) -> dict[str, Outcome[T]]:
    """Run every task in a thread of its own; outcomes by source, in the order of the sources' ids.

    `progress` hears of each as it ends: its failure, or what `told` says of its value.

    A task does all of its source's work (fetch, archive, parse), so that what it found is safe before others are done.
    After `seconds` nothing more is waited for; what a late task still finds is dropped, what it archives is whole.
    A defect in one task (any exception) is that source's failure and nobody else's.
    """
    done: queue.SimpleQueue[Outcome[T]] = queue.SimpleQueue()
    for source in sorted(tasks):
        threading.Thread(target=_run, args=(source, tasks[source], done), daemon=True, name=f"read {source}").start()
    found: dict[str, Outcome[T]] = {}
    end = clock.monotonic() + seconds
    while len(found) < len(tasks):
        try:
            outcome = done.get(timeout=max(0.0, end - clock.monotonic()))
        except queue.Empty:
            break
        found[outcome.source] = outcome
        progress(f"{outcome.source}: {outcome.failure or told(outcome.value)}")
    for source in sorted(set(tasks) - set(found)):
        late = TookTooLong(f"source {source} was not read within {seconds:g} s", remedy="the last good data stays; see timeouts in params/live.yml")
        found[source] = Outcome(source, None, late)
        progress(f"{source}: {late}")
    return {source: found[source] for source in sorted(found)}


def _run(source: str, task: Callable[[], T], done: queue.SimpleQueue[Outcome[T]]) -> None:
    try:
        done.put(Outcome(source, task()))
    except SiiqError as error:
        done.put(Outcome(source, None, error))
    except BaseException as error:  # a defect, or what a hostile file provoked: named, with the kind for whoever mends it
        failure = ReaderFailed(f"reading source {source} failed ({type(error).__name__}: {plain(error, 200)})",
                               remedy="this is a defect in the source's reader; the last good data stays")
        failure.__cause__ = error
        done.put(Outcome(source, None, failure))
