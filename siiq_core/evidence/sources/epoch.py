"""Epoch AI's benchmark bundle, in both layouts: one table per benchmark, and a table of models.

Until July 2026 the models stand in epoch_capabilities_index.csv; since about September 2026 in model_metadata.csv, with
benchmark_metadata.csv beside it for Epoch's own definitions.
"""

from __future__ import annotations

from dataclasses import dataclass

from siiq_core.errors import DataError, IdentityError, SourceError
from siiq_core.evidence.numbers import NotANumber, iso_day, plain_number
from siiq_core.evidence.sources.base import Adapter
from siiq_core.records import ModelVersion, Observation, Snapshot

# File → columns of version, group, release day, developer, access, Epoch's own index. The newer layout comes first.
LAYOUTS = {
    "model_metadata.csv": ("model_version", "model_group", "date", "organization", "accessibility", ""),
    "epoch_capabilities_index.csv":
        ("Model version", "Model name", "Release date", "Organization", "Model accessibility", "ECI Score"),
}
DEFINITIONS = "benchmark_metadata.csv"


@dataclass(frozen=True, slots=True)
class Definition:
    """What Epoch says of one benchmark; None where it says nothing."""

    benchmark: str  # Epoch's name of it
    source_file: str
    score_column: str
    scale: float | None
    random_baseline: float | None
    score_ceiling: float | None
    superseded_by: str


@dataclass(frozen=True, slots=True)
class Epoch(Adapter):
    """Scores by model version; groups by the table of models."""

    def model_table(self, snapshot: Snapshot) -> tuple[ModelVersion, ...]:
        """Every named version with its group, by version id. Groups are trimmed: some carry line breaks.

        Raises
        ------
        SourceError
            The snapshot holds no table of models (U6a).
        IdentityError
            One version stands under two groups.
        """
        file = next((name for name in LAYOUTS if name in snapshot.files), None)
        if file is None:
            raise SourceError("the snapshot holds no table of models (U6a)", file=" or ".join(LAYOUTS),
                              remedy="import the bundle with it")
        found: dict[str, ModelVersion] = {}
        for observation in snapshot.observations:
            if observation.file != file:
                continue
            entry = _version(observation, LAYOUTS[file])
            if not entry.version:
                continue  # blank_versions counts these
            known = found.setdefault(entry.version, entry)
            if known.group != entry.group:
                raise IdentityError("one version stands under two groups", file=file, row=observation.line,
                                    value=f"{entry.version}: {known.group} and {entry.group}", remedy="keep one of the two")
        return tuple(found[version] for version in sorted(found))

    def blank_versions(self, snapshot: Snapshot) -> int:
        """Rows of the table of models that name no version; they are skipped."""
        return sum(1 for observation in snapshot.observations
                   if observation.file in LAYOUTS and not observation.row.get(LAYOUTS[observation.file][0], "").strip())

    def definitions(self, snapshot: Snapshot) -> tuple[Definition, ...]:
        """Epoch's definitions, by benchmark; none in the older layout."""
        rows = [o for o in snapshot.observations if o.file == DEFINITIONS]
        return tuple(sorted((_definition(o) for o in rows), key=lambda d: (d.benchmark, d.source_file)))


def _version(observation: Observation, layout: tuple[str, ...]) -> ModelVersion:
    version, group, day, developer, access, eci = (observation.row.get(column, "").strip() for column in layout)
    return ModelVersion(version, group, iso_day(day), developer, access, _number(observation, layout[5], eci))


def _definition(observation: Observation) -> Definition:
    cell = {key: value.strip() for key, value in observation.row.items()}
    scale, chance, ceiling = (_number(observation, key, cell.get(key, "")) for key in
                              ("scale", "random_baseline", "score_ceiling"))
    return Definition(cell["benchmark"], cell.get("source_file", ""), cell.get("score_column", ""), scale, chance, ceiling,
                      cell.get("superseded_by", ""))


def _number(observation: Observation, column: str, cell: str) -> float | None:
    if not cell:
        return None
    try:
        return float(plain_number(cell, percent_sign=False))
    except NotANumber as error:
        raise DataError(f"a number {error}", file=observation.file, row=observation.line, column=column, value=cell,
                        remedy="mend the cell, or get the file again") from error
