"""What an AI model sees, compared with what would be published. The verdict is made here and nowhere else (U2)."""

from __future__ import annotations

from siiq_core.gate.checker.numbers import as_fraction, exact, same
from siiq_core.gate.checker.prompt import Seen
from siiq_core.gate.checker.records import Field, Question, clipped


def compared(q: Question, seen: Seen) -> tuple[Field, ...]:
    """The four fields of U2, in their order."""
    names = [name for name in (q.name, q.origin_name) if name]
    whose = f"{seen.model}, reported by its developer" if seen.reported_by_developer else seen.model
    return (
        Field("model", clipped(seen.name), clipped(" / ".join(names)), seen.name in names),
        Field("benchmark", clipped(seen.benchmark), clipped(q.benchmark_name), seen.benchmark == q.benchmark_name),
        Field("number", clipped(f"{seen.column}: {seen.number} of {seen.out_of}"),
              clipped(f"{q.score_column}: {q.row.get(q.score_column, '')}, times {q.scale:g}, is {q.score!r}"), _number_agrees(q, seen)),
        Field("identity", clipped(whose), clipped(q.model), seen.model == q.model and not seen.reported_by_developer),
    )


def _number_agrees(q: Question, seen: Seen) -> bool:
    """The configured column's cell as it is written, in the configured unit, and as a fraction the one to be published."""
    signed = seen.number.endswith("%")
    digits = exact(seen.number[:-1].rstrip() if signed else seen.number)
    full = exact(seen.out_of.removesuffix("%"))
    if digits is None or full is None:
        return False
    return (seen.column == q.score_column.strip() and seen.number == q.row.get(q.score_column, "").strip()
            and abs(float(full) * q.scale - 1) < 1e-9 and (not signed or full == 100)
            and same(as_fraction(digits, q.scale), q.score))
