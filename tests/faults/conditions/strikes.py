"""Calls to the system that are struck: from one of them on the process is gone, as after a power cut, or the disk takes nothing more.

`strike` is for the process it is called in. `from_environment` is for a whole command with its kernels and builders: every
Python process of it counts into one file, and a power cut ends them all.

A moment is before, and for what swaps or flushes also after, a call that alters something below `where`. Before a flush
only half of what was written is there: that is what a power cut may leave of it.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

CALLS = ("open", "write", "sendfile", "fsync", "ftruncate", "replace", "rename", "unlink", "rmdir", "mkdir", "chmod")
TWICE = ("fsync", "replace", "rename", "exchange")
FILLING = ("open", "write", "sendfile", "fsync", "mkdir")  # what a full disk refuses
_ALTERING = os.O_WRONLY | os.O_RDWR


def strike(how: str, point: int, where: str, moment: Callable[[int], int] | None = None, end: Callable[[], None] | None = None) -> list[int]:
    """From now on the `point`-th moment below the folder `where` is the last one ("killed"), or the disk is full from it on ("full").

    Parameters
    ----------
    how : "count" only counts
    moment : so many moments pass; returns how many had passed before. Own counting where it is not given
    end : ends all that has to end

    Returns
    -------
    A list of one number, the moments so far.
    """
    passed = [0]
    real = {name: getattr(os, name) for name in CALLS if hasattr(os, name)}
    flushed: dict[int, int] = {}  # open file → its size at the last flush
    where = os.path.realpath(where)
    moment = moment or (lambda more: passed[0])
    end = end or (lambda: os.kill(os.getpid(), signal.SIGKILL))

    def below(what: Any) -> bool:
        try:
            named = f"/proc/self/fd/{what}" if isinstance(what, int) else os.path.dirname(os.path.abspath(os.fspath(what)))
            if isinstance(what, int):
                return os.readlink(named).startswith(where + "/") or os.readlink(named) == where
            return (os.path.realpath(named) + "/").startswith(where + "/")
        except (OSError, TypeError, ValueError):
            return False

    def struck(name: str, call: Callable[..., Any], altering: Callable[..., bool]) -> Callable[..., Any]:
        def counted(*arguments: Any, **more: Any) -> Any:
            if not altering(*arguments, **more) or not below(arguments[0]):
                return call(*arguments, **more)
            moments = 2 if name in TWICE else 1
            ahead = moment(moments)
            passed[0] = ahead + moments
            if how == "full" and passed[0] >= point and name in FILLING:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *([] if isinstance(arguments[0], int) else [os.fspath(arguments[0])]))
            here = how == "killed" and ahead < point <= passed[0]
            if here and point == ahead + 1:
                if name == "fsync" and arguments[0] in flushed and fcntl.fcntl(arguments[0], fcntl.F_GETFL) & _ALTERING:
                    size = os.fstat(arguments[0]).st_size
                    real["ftruncate"](arguments[0], size - (size - flushed[arguments[0]]) // 2)
                end()
            found = call(*arguments, **more)
            if here:
                end()
            if name == "fsync" or (name == "open" and isinstance(found, int)):
                handle = arguments[0] if name == "fsync" else found
                flushed[handle] = os.fstat(handle).st_size
            return found

        return counted

    for name, call in real.items():
        altering = (lambda path, flags, *_, **__: bool(flags & _ALTERING)) if name == "open" else lambda *_, **__: True
        setattr(os, name, struck(name, call, altering))

    def writes(file: Any, mode: str = "r", *_: Any, **__: Any) -> bool:
        return not isinstance(file, int) and any(x in mode for x in "wax+")

    builtins.open = io.open = struck("open", io.open, writes)
    if "siiq_core.publish.swap" in sys.modules:
        swap = sys.modules["siiq_core.publish.swap"]
        swap.exchange = struck("exchange", swap.exchange, lambda *_, **__: True)
    return passed


def from_environment() -> None:
    """`strike` as SIIQ_STRIKE says: "how,point,where,file of the count". The first process is the one whose family ends."""
    how, point, where, count = os.environ["SIIQ_STRIKE"].split(",")
    root = int(os.environ.setdefault("SIIQ_STRIKE_ROOT", str(os.getpid())))
    append, close, open_, size = os.write, os.close, os.open, os.fstat

    def moment(more: int) -> int:
        handle = open_(count, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        append(handle, b"x" * more)
        passed = size(handle).st_size
        close(handle)
        return passed - more

    def end() -> None:
        import psutil

        family = [psutil.Process(root), *psutil.Process(root).children(recursive=True)]
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for one in family:
                if one.pid != os.getpid():
                    act(one)
        os.kill(os.getpid(), signal.SIGKILL)

    strike(how, int(point), where, moment, end)


def points(total: int, most: int) -> list[int]:
    """At the most `most` of the moments 1 … total, evenly spread from the first to the last; from ten on, all of the last four, where things are swapped in."""
    if total <= most:
        return list(range(1, total + 1))
    last = 4 if most >= 10 else 1
    even = most - last
    return sorted({*(1 + k * (total - last) // even for k in range(even)), *range(total - last + 1, total + 1)})
