"""What the script of the value page is given: all variants once, and one small file for each set of sources.

Files opened from a disk may load scripts but not fetch data, so each is a script that names its data. Nothing in them is markup.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.files import replace_bytes, sha256

FOLDER = "assets/value"  # once for all languages
ALL = "all.js"


def write_assets(index: Mapping[str, Any], run_dir: Path, folder: Path) -> None:
    """Write the files into `folder`, from value.json and value_states.json of the run.

    Raises
    ------
    PublicationError
        The states are of another value.json, or a file is missing.
    """
    try:
        content = (run_dir / "value.json").read_bytes()
        states = json.loads((run_dir / "value_states.json").read_text(encoding="utf-8"))
        if states["value_sha256"] != sha256(content):
            raise ValueError("the states are of another value.json")
        value = json.loads(content)
    except (OSError, ValueError, KeyError) as error:
        raise PublicationError(f"the value method's files are not whole ({error})", file="value_states.json", remedy="siiq value") from error
    linked = {m["slug"] for m in index["models"]}
    benchmarks = [{"id": b["id"], "name": b["name"], "in_use": b["in_use"]} for b in value["benchmarks"]]
    shared = {"parameters": value["parameters"], "benchmarks": benchmarks, "variants": [{**v, "page": v["model"] in linked} for v in states["variants"]]}
    replace_bytes(folder / ALL, b"window.SIIQ_VALUE = " + _literal(shared) + b";\n")
    for state in states["states"]:
        replace_bytes(folder / f"{state['mask']}.js", b"(window.SIIQ_VALUE_STATES = window.SIIQ_VALUE_STATES || {})[%d] = " % state["mask"] + _literal(state) + b";\n")


def _literal(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")
