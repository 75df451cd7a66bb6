"""U6b from a publisher's own definitions: what Epoch says of a benchmark, against what params/benchmarks.csv says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from siiq_core.errors import DefinitionChange
from siiq_core.evidence.sources.epoch import DEFINITIONS, Definition
from siiq_core.params.benchmarks import BenchmarkSpec

SAME = 1e-4  # scale, chance level, ceiling: Epoch writes 0.1667 for one in six
_REMEDY = ("the benchmark stays as it is until a person has looked; what the publisher says now goes into params/benchmarks.csv "
           "with the recalibration that U9 asks for")


def definition_changes(definitions: Iterable[Definition], specs: Iterable[BenchmarkSpec]) -> tuple[DefinitionChange, ...]:
    """Benchmarks that their publisher defines otherwise than we do, in the order of `specs`; at most one change each.

    A cell that says nothing changes nothing. Where a file holds several of the publisher's benchmarks, one that is as
    configured is enough.
    """
    by_file: dict[str, list[Definition]] = {}
    for definition in definitions:
        by_file.setdefault(definition.source_file, []).append(definition)
    found = []
    for spec in specs:
        changes = [_difference(definition, spec) for definition in by_file.get(spec.file, ())]
        if changes and all(changes):
            column, value, what = _first(changes)
            found.append(DefinitionChange(what, benchmark=spec.id, file=DEFINITIONS, column=column, value=value, remedy=_REMEDY))
    return tuple(found)


def _first(changes: Sequence[tuple[str, object, str] | None]) -> tuple[str, object, str]:
    return next(change for change in changes if change)


def _difference(said: Definition, spec: BenchmarkSpec) -> tuple[str, object, str] | None:
    """(column, the publisher's value, what is wrong); None where both agree."""
    if said.superseded_by:  # fault kind 5
        return "superseded_by", said.superseded_by, "its publisher names a successor"
    if said.score_column and said.score_column != spec.score_column:
        return "score_column", said.score_column, f"its publisher reads the score from another column than {spec.score_column!r}"
    for column, theirs, ours in (("scale", said.scale, spec.scale), ("random_baseline", said.random_baseline, spec.g),
                                 ("score_ceiling", said.score_ceiling, spec.c)):
        if theirs is not None and abs(theirs - ours) > SAME:
            return column, theirs, f"its publisher states another {column.replace('_', ' ')} than the configured {ours:g}"
    return None
