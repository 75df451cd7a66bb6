"""The moment of publication: a finished folder takes the place of the one in public (U11).

All of it is on the disk before. Then the two change places in one step, where the system can (Linux: renameat2, macOS:
renamex_np), so that a power cut leaves the one or the other. Elsewhere it takes two renames; what an interruption between
them leaves, the next run mends.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from pathlib import Path

from siiq_core.errors import PublicationError
from siiq_core.files import confirm, folder_to_disk

_HERE = -100  # AT_FDCWD of Linux: paths count from the working folder
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def swap(fresh: Path, out_dir: Path) -> None:
    """`fresh` becomes `out_dir`; what stood there is removed.

    Raises
    ------
    PublicationError
        The disk is full or closed; what stood there still does.
    """
    old = _old(out_dir)
    try:
        _all_to_disk(fresh)
        if not (out_dir.exists() and exchange(fresh, out_dir)):
            if out_dir.exists():
                out_dir.rename(old)
            fresh.rename(out_dir)
    except OSError as error:
        repair(out_dir)
        raise PublicationError(f"cannot be swapped in ({error.strerror})", file=out_dir.name,
                               remedy="free some space or permit writing, then run it again; the earlier book stays") from error
    confirm(out_dir.parent)
    for earlier in (fresh, old):
        shutil.rmtree(earlier, ignore_errors=True)


def repair(out_dir: Path) -> None:
    """Put back what was moved away by an interrupted swap."""
    old = _old(out_dir)
    if old.exists() and not out_dir.exists():
        old.rename(out_dir)
    shutil.rmtree(old, ignore_errors=True)


def exchange(one: Path, other: Path) -> bool:
    """Two folders change places in one step; False where the system or the file system cannot."""
    system = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin" and hasattr(system, "renamex_np"):
        return system.renamex_np(first, second, _EXCHANGE) == 0
    if sys.platform.startswith("linux") and hasattr(system, "renameat2"):
        return system.renameat2(_HERE, first, _HERE, second, _EXCHANGE) == 0
    return False


def _all_to_disk(folder: Path) -> None:
    """Every file and every name below `folder`; the last flush empties the drive's own memory too."""
    for at, _, names in os.walk(folder):
        for name in (*names, "."):
            handle = os.open(os.path.join(at, name), os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    folder_to_disk(folder)


def _old(out_dir: Path) -> Path:
    return out_dir.parent / f".{out_dir.name}-old"
