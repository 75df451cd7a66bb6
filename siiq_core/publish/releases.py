"""Permanent releases: a dated copy of every published index that later publications never touch, and how to cite it (files.md).

A site is built aside and swapped in as a whole, so what the site in place holds of earlier releases is carried over first,
byte for byte. An index of the same day and method version as an earlier one, yet with other content, gets a name of its own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.files import replace_bytes, replace_json, sha256
from siiq_core.publish.conversion import conversion

FOLDER, ARCHIVE = "releases", "archive"
CONTENT = ("calibration_inputs.csv", "evidence.jsonl", "index.json")  # what a release is a copy of, by name
STUDIES = ("prediction.json",)  # kept with it where there are any: they tell releases apart no more than a citation does
SUMS, CITATION, BIBTEX = "SHA256SUMS", "CITATION.txt", "citation.bib"
CONVERSION = "conversion.json"  # beside an archived index
TITLE = "SI-IQ: an index of the measured ability of AI models"
AUTHOR = "SI-IQ developers"
LICENCE = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/"


def carry_over(before: Path, fresh: Path) -> tuple[str, ...]:
    """Copy releases and archived indices of the site in place (`before`, its data/) into the new one; returns the releases.

    Raises
    ------
    PublicationError
        A release in place is not what its checksums say: it is no copy to hand on.
    """
    for part in (FOLDER, ARCHIVE):
        if (before / part).is_dir():
            shutil.copytree(before / part, fresh / part, dirs_exist_ok=True)
    names = releases(fresh)
    for name in names:
        _whole(fresh / FOLDER / name)
    return names


def releases(data: Path) -> tuple[str, ...]:
    """Names of the releases below data/, oldest first."""
    folder = data / FOLDER
    return tuple(sorted(p.name for p in folder.iterdir() if p.is_dir())) if folder.is_dir() else ()


def make_release(index: Mapping[str, Any], data: Path, site_url: str = "") -> str:
    """The release of the index that stands in `data`; its name. One that is there already stays as it is.

    Parameters
    ----------
    data : the new site's data/, with the files of CONTENT and the releases carried over
    site_url : where the site stands, for the citation; "" where that is not known
    """
    content = {name: (data / name).read_bytes() for name in CONTENT}
    plain = f'{index["as_of"]}-{index["method_version"]}'
    for name in (plain, f"{plain}-{sha256(_sums(content))[:8]}"):
        folder = data / FOLDER / name
        if not folder.exists():
            break
        if all((folder / x).is_file() and (folder / x).read_bytes() == content[x] for x in CONTENT):
            return name
    else:
        raise PublicationError("a release of this name holds something else", file=name, remedy="restore it from a copy, or move it away by hand")
    studies = {name: (data / name).read_bytes() for name in STUDIES if (data / name).is_file()}
    whole = {**content, **studies, CITATION: citation(index, name, site_url).encode("utf-8"), BIBTEX: bibtex(index, name, site_url).encode("utf-8")}
    for file, written in {**whole, SUMS: _sums(whole)}.items():
        replace_bytes(folder / file, written)
    return name


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well hidden results were predicted when a release was made; errors are of scores as fractions."""

    release: str
    as_of: str  # ISO day
    compared: int  # results
    mean: float | None  # absolute error
    median: float | None
    coverage: float | None  # share inside the 90 % interval


def held_out(data: Path) -> tuple[HeldOut, ...]:
    """The held-out error of every release below data/ that keeps one, oldest first."""
    out = []
    for name in releases(data):
        path = data / FOLDER / name / "prediction.json"
        if path.is_file():
            found = json.loads(path.read_text(encoding="utf-8"))
            design = next(d for d in found["designs"] if d["id"] == "cells")
            own = next(m for m in design["methods"] if m["id"] == "siiq")
            out.append(HeldOut(name, found["as_of"], design["compared"], own["mean"], own["median"], own["coverage"]))
    return tuple(out)


def archive_major(index: Mapping[str, Any], before: Path, fresh: Path) -> None:
    """V2, G1: the index in place, where it is of an older major version, stays under data/archive/, with how its scores convert."""
    if not (before / "index.json").is_file():
        return
    index_before = json.loads((before / "index.json").read_text(encoding="utf-8"))
    old = index_before["method_version"]
    folder = fresh / ARCHIVE / old
    if int(old.partition(".")[0]) < int(index["method_version"].partition(".")[0]) and not folder.exists():
        for name in CONTENT:
            replace_bytes(folder / name, (before / name).read_bytes())
        replace_json(folder / CONVERSION, conversion(index_before, index))


def citation(index: Mapping[str, Any], name: str, site_url: str = "") -> str:
    """A release in words, with the attributions that its sources ask for."""
    where = f" {_address(name, site_url)}" if site_url else ""
    lines = [f'{AUTHOR} ({index["as_of"][:4]}). {TITLE}. Method version {index["method_version"]}, data as of {index["as_of"]}, release {name}.{where}', "",
             f"Licence of the derived data: {LICENCE}", f'Digest of index.json: {index["digest"]}', "", "The results are from these sources, whose attributions go with every copy:"]
    return "\n".join([*lines, *(f'- {x["attribution"]}' for x in index["license_and_attribution"])]) + "\n"


def bibtex(index: Mapping[str, Any], name: str, site_url: str = "") -> str:
    """The same as a BibTeX entry."""
    fields = {"author": f"{{{AUTHOR}}}", "title": f"{{{TITLE}}}", "year": index["as_of"][:4], "version": index["method_version"],
              "note": f'Data as of {index["as_of"]}, release {name}'} | ({"url": _address(name, site_url)} if site_url else {})
    body = ",\n".join(f"  {key} = {{{value}}}" for key, value in fields.items())
    return f"@misc{{siiq-{name},\n{body}\n}}\n"


def _address(name: str, site_url: str) -> str:
    return f"{site_url.rstrip('/')}/data/{FOLDER}/{name}/index.json"


def _sums(content: Mapping[str, bytes]) -> bytes:
    """As `sha256sum -c` reads it."""
    return "".join(f"{sha256(content[name])}  {name}\n" for name in sorted(content)).encode("ascii")


def _whole(folder: Path) -> None:
    try:
        sums = dict(reversed(line.split("  ", 1)) for line in (folder / SUMS).read_text(encoding="ascii").splitlines())
        off = sorted(name for name, digest in sums.items() if Path(name).name != name or sha256((folder / name).read_bytes()) != digest)
    except (OSError, ValueError) as error:
        raise PublicationError(f"a permanent release is damaged ({error})", file=folder.name, remedy="restore the folder from a copy") from error
    if off or not set(CONTENT) <= set(sums):
        raise PublicationError("a permanent release is not what its checksums say", file=folder.name, value=off, remedy="restore the folder from a copy")
