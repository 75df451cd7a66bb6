"""OpenRouter's dataset exports: catalogue or manifest → immutable dated file → rows, one per model and hosting provider.

The file is JSON (an envelope around the rows) or CSV; which of the two is seen from its first character. It covers the
newest 90 days: what drops out of it keeps its last value (U8; `leaving: keep_last` in params/sources.yml).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from siiq_core.errors import DataError, DefinitionChange, ParameterError, SourceError
from siiq_core.evidence.duplicates import deduplicate
from siiq_core.evidence.numbers import NotANumber, iso_day, plain_number
from siiq_core.evidence.providers import Offer, choose
from siiq_core.evidence.sources.base import Adapter, first
from siiq_core.evidence.sources.jsonfile import a_list, an_object, cells, read_json
from siiq_core.evidence.sources.table import Table, checked, read_csv
from siiq_core.files import sha256
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.sources import SourceSpec
from siiq_core.records import LeftOut, Reading, Snapshot

DATASET = "benchmark-leaderboard"
SCHEMA = "v1"
# What is assumed of the publisher's files stands here and nowhere else; anything else is refused. The envelope is as
# served in November 2026, the manifest and the catalogue as others describe them in October 2026: they were not in reach.
#   catalogue   {schema_version, datasets: [{id, latest_manifest_url}]}
#   manifest    {dataset, schema_version, snapshot_date, license: {name, url}, files: {json: {url, sha256, bytes}}}
#   envelope    {dataset, schema_version, snapshot_date, license: {name, url}, columns: [{name}], rows: [{…}]}
FORM = "json"  # of the two forms that a manifest names, the one that says its own licence


class Dated(NamedTuple):
    """The file to get, and what it must be."""

    address: str
    sha256: str
    day: str  # ISO day of the snapshot


def manifest_address(catalogue: bytes, spec: SourceSpec) -> str:
    """Where the catalogue says the newest manifest of the dataset is."""
    name = "index.json"
    found = an_object(read_json(name, catalogue, spec), name, "the catalogue")
    _check(found, name, {"schema_version": SCHEMA})
    for entry in a_list(found.get("datasets"), name, "datasets"):
        entry = an_object(entry, name, "a dataset")
        if entry.get("id") == DATASET:
            return _text(entry, "latest_manifest_url", name)
    raise SourceError(f"the catalogue lists no dataset {DATASET}", file=name, remedy="read what OpenRouter says of its exports")


def plan(manifest: bytes, spec: SourceSpec) -> Dated:
    """The immutable dated file that the manifest names, with its SHA-256.

    Raises
    ------
    SourceError
        The manifest is of another dataset, schema or licence (E2), or its file is not the dated one of that day at the
        address that params/sources.yml gives.
    """
    name = "manifest.json"
    found = an_object(read_json(name, manifest, spec), name, "the manifest")
    _check(found, name, {"dataset": DATASET, "schema_version": SCHEMA})
    _check_licence(found, name, spec)
    day = _day(found, name)
    file = an_object(an_object(found.get("files"), name, "files").get(FORM), name, f"files.{FORM}")
    address, digest = _text(file, "url", name), _text(file, "sha256", name).lower()
    if address != spec.file_address(day, DATASET):
        raise SourceError("the manifest names another address than the dated file's", file=name, column="url", value=address,
                          remedy=f"expected {spec.file_address(day, DATASET)}; if OpenRouter moved its exports, name the new address in params/sources.yml")
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise SourceError("is no SHA-256", file=name, column="sha256", value=digest, remedy="get the manifest again")
    return Dated(address, digest, day)


def verified(content: bytes, dated: Dated) -> bytes:
    """The file's bytes where they are those that the manifest pinned; SourceError otherwise (nothing of it is used)."""
    if sha256(content) != dated.sha256:
        raise SourceError(f"U1: has other bytes than its manifest promised: SHA-256 {sha256(content)[:16]}…, not {dated.sha256[:16]}…",
                          file=dated.address, remedy="get manifest and file again; if they stay apart, the publisher's files disagree")
    return content


@dataclass(frozen=True, slots=True)
class OpenRouter(Adapter):
    """A model is known by `model_permaslug`: the short slug moves on to newer versions. Accuracy is a fraction."""

    def parse(self, name: str, content: bytes) -> Table:
        """The rows; another dataset, schema or licence in the envelope is refused (U6a, E2)."""
        if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
            return read_csv(name, content, self.spec)
        found = an_object(read_json(name, content, self.spec), name, "the export")
        _check(found, name, {"dataset": DATASET, "schema_version": SCHEMA})
        _check_licence(found, name, self.spec)
        _day(found, name)
        columns = [_text(an_object(c, name, "a column"), "name", name) for c in a_list(found.get("columns"), name, "columns")]
        rows = [an_object(row, name, "a row", number) for number, row in enumerate(a_list(found.get("rows"), name, "rows"), start=1)]
        for number, row in enumerate(rows, start=1):
            for column, value in row.items():
                if isinstance(value, (dict, list)):
                    raise SourceError("a value is a list or mapping where a plain one belongs", file=name, row=number, column=column,
                                      remedy="get the file again")
        headers = tuple(dict.fromkeys((*columns, *(column for row in rows for column in row))))
        return checked(name, headers, (cells(row) for row in rows), self.spec)

    def readings(self, snapshot: Snapshot, benchmarks: Iterable[BenchmarkSpec]) -> tuple[tuple[Reading, ...], tuple[LeftOut, ...]]:
        """One reading a model, setting and benchmark: that of the provider which P3 chooses. This comes before P1."""
        rules = self.spec.providers
        if rules is None:
            raise ParameterError("has no rules for hosting providers (P3)", file="sources.yml", column=f"sources.{self.spec.id}.providers",
                                 remedy="restore the key")
        specs = {b.id: b for b in benchmarks if b.source == snapshot.source}
        for spec in specs.values():
            if spec.n is None:
                raise ParameterError("P3 needs the number of questions", file="benchmarks.csv", column="n", value=spec.id, remedy="state n")
            _check_columns(spec, snapshot, self.spec)
        rows, left = Adapter.readings(self, snapshot, specs.values())  # super() fails in a dataclass with slots
        rows, doubled = deduplicate(rows)  # a provider that stands twice is no two voices
        used, more = [], [*left, *doubled]
        groups: dict[tuple[str, str, str], list[Reading]] = {}
        for reading in rows:
            groups.setdefault((reading.benchmark, reading.name or reading.origin_name, reading.setting), []).append(reading)
        for (benchmark, _, _), group in sorted(groups.items()):
            choice = choose([self._offer(reading) for reading in group], specs[benchmark].n, rules)
            used += [group[choice.chosen]] if choice.chosen is not None else []
            more += [LeftOut("P3", reason, group[k].observation, benchmark) for k, reason in choice.out]
        return tuple(used), tuple(more)

    def _offer(self, reading: Reading) -> Offer:
        row, columns = reading.observation.row, self.spec.columns
        developer = (reading.name or reading.origin_name).partition("/")[0]
        return Offer(developer, first(row, columns.provider), reading.score, _count(reading, columns.asked), _count(reading, columns.attempts))


def _count(reading: Reading, columns: tuple[str, ...]) -> Fraction:
    """A count of questions or runs; a blank one counts as none, anything else that is no number is refused."""
    cell = first(reading.observation.row, columns)
    try:
        found = Fraction(plain_number(cell, percent_sign=False)) if cell else Fraction(0)
    except NotANumber as error:
        raise DataError(f"P3: a count {error}", file=reading.observation.file, row=reading.observation.line, column=" or ".join(columns),
                        value=cell, remedy="mend the cell, or get the file again") from error
    if found < 0:
        raise DataError("P3: a count is negative", file=reading.observation.file, row=reading.observation.line,
                        column=" or ".join(columns), value=cell, remedy="get the file again")
    return found


def _check_columns(benchmark: BenchmarkSpec, snapshot: Snapshot, spec: SourceSpec) -> None:
    """Without providers, runs and questions nothing can be chosen, so nothing of the benchmark moves (U6b)."""
    file = snapshot.files.get(benchmark.file)
    for role in ("provider", "attempts", "asked"):
        names: tuple[str, ...] = getattr(spec.columns, role)
        if file is not None and not set(names) & set(file.columns):
            raise DefinitionChange(f"the column of the {role} that P3 needs is gone", benchmark=benchmark.id, file=file.name,
                                   column=" or ".join(names), remedy="name the new header in params/sources.yml")


def _check(found: Mapping[str, Any], name: str, wanted: Mapping[str, str]) -> None:
    for key, value in wanted.items():
        if found.get(key) != value:
            raise SourceError(f"its {key} is not {value!r} (U6a)", file=name, column=key, value=found.get(key),
                              remedy="read what OpenRouter says of its exports, then mend siiq_core/evidence/sources/openrouter.py")


def _check_licence(found: Mapping[str, Any], name: str, spec: SourceSpec) -> None:
    licence = an_object(found.get("license"), name, "license")
    stated = f"{licence.get('name')}, {str(licence.get('url')).rstrip('/')}"
    recorded = f"{spec.license}, {spec.license_url.rstrip('/')}"
    if stated != recorded:
        raise SourceError(f"E2: its licence is not the recorded one ({recorded})", file=name, column="license", value=stated,
                          remedy="nothing of it is used until a person has read the new terms")


def _text(found: Mapping[str, Any], key: str, name: str) -> str:
    value = found.get(key)
    if not isinstance(value, str) or not value.strip():
        raise SourceError("a text is missing (U6a)", file=name, column=key, value=value,
                          remedy="read what OpenRouter says of its exports, then mend siiq_core/evidence/sources/openrouter.py")
    return value.strip()


def _day(found: Mapping[str, Any], name: str) -> str:
    day = iso_day(_text(found, "snapshot_date", name))
    if day is None:
        raise SourceError("is no ISO day", file=name, column="snapshot_date", value=found["snapshot_date"], remedy="get the file again")
    return day
