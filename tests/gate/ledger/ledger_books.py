"""Small ledgers to look at and to spoil."""

from siiq_core.gate.ledger import Ledger

KINDS = ("snapshot", "verdict", "decision", "calibration", "publication")


def moment(n: int) -> str:
    """A time, later for a larger n; two neighbours share one."""
    return f"2026-08-{1 + n // 48:02d}T{n // 2 % 24:02d}:00:00Z"


def fill(path, count: int, start: int = 0) -> Ledger:
    """`count` entries at `path`, with texts of more than one byte a character and numbers of every kind."""
    ledger = Ledger.open(path)
    with ledger.writing():
        for n in range(start, start + count):
            ledger.append(KINDS[n % 5], moment(n), {"größe": [n, n / 3, -0.0, None, True], "模型": {"nova\n\u2028\"": "x" * (n % 7)}, "n": n})
    return ledger
