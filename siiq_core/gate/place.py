"""Where the gate keeps its memory, and what it is now.

    data/ledger.jsonl            all that it was ever told; everything else follows from it
    data/live/gate-state.json    a checkpoint of what follows, so that a run reads only what is new
"""

from __future__ import annotations

from pathlib import Path

from siiq_core.errors import LedgerDamaged, SiiqError
from siiq_core.gate import checkpoint
from siiq_core.gate.entry import Head
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.memory import Remembered, kept, of_kept, replayed
from siiq_core.gate.rules import Rules
from siiq_core.params.benchmarks import load_benchmarks
from siiq_core.params.gate import load_gate
from siiq_core.params.method import load_method
from siiq_core.params.sources import load_sources
from siiq_core.records import Benchmark

FORM = "2"  # of the state: another form makes a checkpoint void, and the ledger is read again


def ledger_at(root: Path) -> Path:
    """The ledger's path."""
    return root / "data" / "ledger.jsonl"


def checkpoint_at(root: Path) -> Path:
    """The checkpoint's path."""
    return root / "data" / "live" / "gate-state.json"


def remembered(root: Path) -> tuple[Remembered | None, Head]:
    """What the gate remembers, and the place in the ledger it was reached at; None where no update was ever run."""
    ledger = Ledger.open(ledger_at(root))
    if ledger.head.n == 0:
        if checkpoint_at(root).exists():  # to begin anew would take back in what persons took out, and let the shipped values count (U0)
            raise LedgerDamaged("holds no entry, and data/live/gate-state.json was made from one that did", file="ledger.jsonl",
                                remedy="restore the newest copy (ops/README.md); to begin anew on purpose, remove data/live/gate-state.json")
        return None, Head()
    found = checkpoint.load(checkpoint_at(root), ledger, FORM)
    try:
        memory, head = (of_kept(found[1]), found[0]) if found else (None, Head())
    except (LookupError, TypeError, ValueError):  # whole, and of other code or another hand: the ledger is read again
        memory, head = None, Head()
    for entry in ledger.entries(head):
        memory, head = replayed((entry,), memory), entry.head
    return memory, head


def keep(root: Path, memory: Remembered, head: Head) -> None:
    """Write the checkpoint; the caller is the ledger's one writer."""
    checkpoint.save(checkpoint_at(root), head, FORM, kept(memory))


def rules_of(root: Path) -> Rules:
    """The rules as params/ has them.

    Benchmarks carry the n of params/benchmarks.csv; the calibration in force has its own (T3).
    """
    limits, method, sources, specs = load_gate(root), load_method(root), load_sources(root), load_benchmarks(root)
    for name in limits.keep_last:
        if name not in sources:
            raise SiiqError("no such source", file="gate.yml", column="keep_last", value=name, remedy=f"one of {', '.join(sorted(sources))}")
    keeps = frozenset({*limits.keep_last, *(name for name, spec in sources.items() if spec.archived)})
    benchmarks = {x.id: Benchmark(x.id, x.area, x.family, x.evaluator, x.g, x.c, int(x.n or method.assumed_n)) for x in specs}
    return Rules(limits, method, benchmarks, {x.id: x.source for x in specs}, keeps)
