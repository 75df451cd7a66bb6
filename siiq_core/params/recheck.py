"""params/recheck.yml: the tolerances of `siiq recheck`."""

from __future__ import annotations

from pathlib import Path

from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml


class RecheckParams(Strict):
    """How far numbers of a notebook that ran again may be off."""

    relative: number(0, 0.1, "a share, 0 to 0.1")
    last_place: whole(0, 10, "units of the last printed digit, 0 to 10")
    timeout: whole(1, 86_400, "seconds, 1 to 86400")
    max_bytes: whole(1000, 1_000_000_000, "bytes, 1000 to 1000000000")


def load_recheck(root: Path) -> RecheckParams:
    """The shipped tolerances."""
    return load_yaml(root / "params" / "recheck.yml", RecheckParams)
