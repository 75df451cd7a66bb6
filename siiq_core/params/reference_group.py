"""params/reference_group.yml: the frozen models that fix the scale (G)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pydantic
from pydantic import Field

from siiq_core.errors import ParameterError
from siiq_core.params.loader import Strict, load_yaml
from siiq_core.params.names import Registry

# What stands in the index and on the page about a model that did not get in; "{n}" is its number of results.
REASONS = {
    "too few": "too few eligible results when the group was frozen: {n}, and {least} are needed",
    "no such group": "the model table names no such group on the day the group was frozen",
}


class NotQualified(Strict):
    """A model of G2 that the data of the first calibration could not hold."""

    name: str = Field(min_length=1)
    slug: str = ""
    results: int = Field(ge=0, description="eligible results, 0 or more")
    reason: Literal["too few", "no such group"]


class ReferenceGroup(Strict):
    """The frozen group. `members`: slug → name of the Epoch group."""

    frozen: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description='an ISO day in quotes, such as "2026-07-31"')
    method_version: str = Field(pattern=r"^\d+\.\d+\.\d+$", description='a version in quotes, such as "1.0.0"')
    min_results: int = Field(ge=1, le=50, description="results, 1 to 50")
    members: Mapping[str, str] = Field(min_length=2)
    not_qualified: tuple[NotQualified, ...] = ()

    @pydantic.model_validator(mode="after")
    def _agree(self) -> ReferenceGroup:
        names = [*self.members.values(), *(model.name for model in self.not_qualified)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"stands twice: {', '.join(twice)}")
        enough = [model.name for model in self.not_qualified if model.results >= self.min_results]
        if enough:
            raise ValueError(f"listed as not qualified with results enough: {', '.join(enough)}")
        return self

    @property
    def slugs(self) -> tuple[str, ...]:
        """The members in code-point order."""
        return tuple(sorted(self.members))

    def as_published(self) -> dict[str, Any]:
        """``reference_group`` of index.json (files.md)."""
        return {
            "members": list(self.slugs),
            "not_qualified": [
                {"name": m.name, "reason": REASONS[m.reason].format(n=m.results, least=self.min_results)}
                for m in sorted(self.not_qualified, key=lambda m: m.name)
            ],
        }


def load_reference_group(root: Path) -> ReferenceGroup:
    """The frozen group."""
    return load_yaml(root / "params" / "reference_group.yml", ReferenceGroup)


def check_registered(group: ReferenceGroup, registry: Registry) -> None:
    """Every member is a registered model under the name it was frozen with, else a ParameterError (G1)."""
    names = {row.slug: row.name for row in registry}
    for slug in group.slugs:
        if names.get(slug) != group.members[slug]:
            raise ParameterError("a member of the reference group is not registered under its name",
                                 file="reference_group.yml", column=f"members.{slug}", value=group.members[slug],
                                 remedy="restore the row in params/models.csv; members are never replaced (G1)")
