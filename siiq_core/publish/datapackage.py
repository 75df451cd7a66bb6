"""datapackage.json: what the published data files are, for programs (Data Package, version 2; V1 for the CSV files).

The descriptor is made from the files as they stand and from schemas/datapackage.yml, which says what each of them holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from siiq_core.errors import PublicationError
from siiq_core.publish.datafiles import DESCRIPTION, DataFile

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_KNOWN = Path(__file__).parent / "schemas" / "datapackage.yml"
# Ending → format and media type. A reader that takes "jsonl" for a table would stumble over the first line of evidence.jsonl.
_FORMATS = {"csv": ("csv", "text/csv"), "json": ("json", "application/json"), "jsonl": ("json-lines", "application/jsonl")}
_LICENCES = [{"name": "CC-BY-4.0", "path": "https://creativecommons.org/licenses/by/4.0/", "title": "Creative Commons Attribution 4.0 International"}]


def is_beside(name: str) -> bool:
    """Whether a file is a schema, a script copy or the descriptor itself, which are no data of their own."""
    return name.endswith((".schema.json", ".js")) or name == DESCRIPTION


def data_package(index: Mapping[str, Any], files: Iterable[DataFile], site_url: str = "") -> dict[str, Any]:
    """The descriptor of `files` (those of the current publication).

    Raises
    ------
    PublicationError
        A file that nothing describes.
    """
    known = yaml.safe_load(_KNOWN.read_text(encoding="utf-8"))
    files = tuple(files)
    data, names = [x for x in files if not is_beside(x.name)], {x.name for x in files}
    version, day = index["method_version"], index["as_of"]
    return {
        "$schema": PROFILE, "name": "si-iq", "title": known["title"], "description": known["description"], "keywords": known["keywords"],
        "version": version, "method_version": version, "as_of": day, "created": f"{day}T00:00:00Z", "licenses": _LICENCES,
        "contributors": [{"title": "SI-IQ developers", "roles": ["author"]}], **({"homepage": site_url} if site_url else {}),
        "sources": [{"title": x["attribution"], "path": x["url"], **({"version": x["snapshot"]} if x["snapshot"] else {})} for x in index["sources"]],
        "resources": [_resource(x, known["resources"], names) for x in data],
    }


def _resource(file: DataFile, known: Mapping[str, Mapping[str, Any]], names: set[str]) -> dict[str, Any]:
    if file.name not in known:
        raise PublicationError("a data file that nothing describes", file=file.name, remedy=f"say what it holds in siiq_core/publish/schemas/{_KNOWN.name}")
    about, (form, media) = known[file.name], _FORMATS[file.name.rpartition(".")[2]]
    out = {"name": file.name.rpartition(".")[0].replace("_", "-"), "path": file.name, "title": about["title"], "description": about["description"],
           "format": form, "mediatype": media, "encoding": "utf-8", "bytes": file.size, "hash": f"sha256:{file.sha256}"}
    if "fields" in about:
        schema = {"$schema": "https://datapackage.org/profiles/2.0/tableschema.json", "fields": about["fields"], "primaryKey": about["primary_key"]}
        return {**out, "type": "table", "schema": schema}
    schema = file.name.rpartition(".")[0] + ".schema.json"
    return {**out, **({"jsonSchema": schema} if schema in names else {})}
