"""Writes environment.yml, for conda users, from requirements.lock: the same versions under the same conditions.

conda brings Python and make; every package comes through pip inside the conda environment, because only so are the
versions the locked ones. `make lock` calls this; a test fails when the two files disagree.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\]+?))?\s*\\?$")

HEAD = """\
# Made by `make lock` from requirements.lock; do not edit.
#   conda env create -f environment.yml && conda activate siiq
name: siiq
channels:
  - conda-forge
dependencies:
  - python >=3.11.5,<3.14
  - make
  - pip
  - pip:
"""


def locked(text: str) -> list[tuple[str, str, str]]:
    """(name, version, marker or "") of every package in a lock, in its order; ValueError for a line it cannot read."""
    packages = []
    for row, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith((" ", "#")):  # hashes and comments
            continue
        match = REQUIREMENT.match(line)
        if match is None:
            raise ValueError(f"requirements.lock, line {row}: {line!r} is no 'name==version'. Remedy: make lock")
        packages.append((match["name"], match["version"], match["marker"] or ""))
    return packages


def environment(lock_text: str) -> str:
    """environment.yml as text."""
    lines = [f"{name}=={version}" + (f" ; {marker}" if marker else "") for name, version, marker in locked(lock_text)]
    return HEAD + "".join(f'      - "{line}"\n' for line in [*lines, "-e ."])  # markers hold single quotes only


if __name__ == "__main__":
    text = environment((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    (ROOT / "environment.yml").write_text(text, encoding="utf-8", newline="\n")
