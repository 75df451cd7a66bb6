"""Standard streams that the caller closed."""

from __future__ import annotations

import os
import sys


def stand_ins() -> None:
    """The null device for a standard stream that the caller closed: what is printed goes nowhere, and no file of ours takes its number, where a child would write into it."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))
