"""A published index as a desk, from its file alone. Nothing in it is believed before it is verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from siiq_core.analysis.ruler import ruler_of
from siiq_core.errors import PublicationError, VerificationError
from siiq_core.evidence.numbers import iso_day
from siiq_core.params.names import SLUG
from siiq_core.records import Calibration, Model, Result
from siiq_core.verify import verified_index
from siiq_core.workbench.desk import Desk

PUBLISHED = (Path("_build") / "html" / "data" / "index.json", Path("_build") / "run" / "index.json")  # the first that is there


@dataclass(frozen=True)
class Published:
    """A verified index, and what the method needs of it."""

    file: str  # its name, without the folder
    index: Mapping[str, Any]
    desk: Desk
    calibration: Calibration


def find(root: Path, named: str = "") -> Path:
    """The index to compare with: the one named (a file, or the folder of a run), else the published one, else that of the last run.

    Raises
    ------
    PublicationError
        There is none.
    """
    if named:
        path = Path(named)
        return path / "index.json" if path.is_dir() else path
    path = next((root / x for x in PUBLISHED if (root / x).is_file()), None)
    if path is None:
        raise PublicationError("no published index to compare with", file="index.json", remedy="make book, or siiq run, or name one with --against FILE")
    return path


def open_published(path: Path) -> Published:
    """Read, verify, and lay out an index; a file that is none, or does not follow from itself, is refused.

    Raises
    ------
    VerificationError
        What is wrong with it.
    """
    index = verified_index(path)
    try:
        shape = _Index.model_validate(index)
        ruler = ruler_of(index)
    except (pydantic.ValidationError, KeyError, TypeError) as error:
        what = error.errors(include_url=False)[0] if isinstance(error, pydantic.ValidationError) else {"loc": (), "msg": str(error)}
        raise VerificationError("is no index of this version", file=path.name, column=".".join(map(str, what["loc"])) or None, value=what["msg"],
                                remedy="make or get the file anew") from error
    results = [Result(m.slug, r.benchmark, r.score, r.version, r.version_released, r.setting, r.evaluator, r.evidence, tuple(r.flags)) for m in shape.models for r in m.results]
    models = {m.slug: Model(m.slug, m.name, m.developer, m.released, m.access) for m in shape.models}
    desk = Desk(ruler.params, tuple(sorted(results, key=lambda r: (r.model, r.benchmark))), tuple(index["benchmarks"]), tuple(index["reference_group"]["members"]), models)
    return Published(path.name, index, desk, ruler.calibration)


# --- what verification does not look at ------------------------------------------------------------------------------


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)


class _Result(_Shape):
    benchmark: str
    score: float
    version: str
    version_released: str | None
    setting: str
    evaluator: str
    evidence: str
    flags: list[str] = []


class _Model(_Shape):
    slug: Annotated[str, Field(pattern=rf"^{SLUG}$", max_length=100)]
    name: Annotated[str, Field(min_length=1)]
    developer: str
    released: str | None
    access: str
    results: list[_Result]


class _Benchmark(_Shape):
    id: Annotated[str, Field(pattern=rf"^{SLUG}$", max_length=100)]
    name: str
    source: str
    n_kind: str


class _Identity(_Shape):
    id: str


class _Index(_Shape):
    as_of: str
    calibration: _Identity
    benchmarks: list[_Benchmark]
    models: list[_Model]
    what_if: dict[str, Annotated[list[Any], Field(min_length=2, max_length=2)]] = {}

    @pydantic.field_validator("as_of")
    @classmethod
    def _day(cls, value: str) -> str:
        if iso_day(value) is None:
            raise ValueError("not an ISO day")
        return value
