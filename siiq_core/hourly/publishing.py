"""After the decision: the files of a new publication, and what every run says of what stands (V5)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from siiq_core.files import clear_asides, replace_bytes, sha256
from siiq_core.gate import memory
from siiq_core.gate.ledger import Ledger
from siiq_core.gate.place import keep, ledger_at, remembered
from siiq_core.gate.telling import told

Progress = Callable[[str], None]
Publish = Callable[[Path], None]


def due(state: Any) -> bool:
    """Do the files in public say less than what the gate decided to publish?"""
    return state.publication is not None and state.standing != state.publication.version


def bring_out(root: Path, publish: Publish, progress: Progress) -> bool:
    """Make and swap in the files of the publication that the gate decided on, then say so in the ledger; False where they stand already.

    A failure leaves the earlier files, and the next cycle tries again.
    """
    with Ledger.open(ledger_at(root)).writing(progress=progress) as ledger:
        found, _ = remembered(root)
        if found is None or not due(found.state):
            return False
        publish(root)
        index = root / "_build" / "html" / "data" / "index.json"
        publication = found.state.publication
        entry = ledger.append(memory.PUBLICATION, found.state.at, {"version": publication.version, "number": publication.number, "index_sha256": sha256(index.read_bytes())})
        after = memory.after(found, entry.kind, entry.at, entry.body)
        keep(root, after, entry.head)
    return True


def tell(root: Path, generated_at: str, found: memory.Remembered | None = None) -> Path | None:
    """status.json of the site with its script form, and the feeds, as of this run; None where no site stands yet. Each is replaced as a whole.

    Parameters
    ----------
    found : what the gate remembers; read from the disk where it is not given
    """
    from siiq_core.publish.standing import site_url_of, standing_files
    from siiq_core.publish.status import NAME
    from siiq_core.runs import alone

    site, run = root / "_build" / "html", root / "_build" / "run"
    if not (site / "data" / "index.json").is_file() or not (run / "fetch.json").is_file():
        return None
    found = found or remembered(root)[0]
    if found is None:
        return None
    index, facts = (json.loads(path.read_text(encoding="utf-8")) for path in (site / "data" / "index.json", run / "fetch.json"))
    facts["gate"] = told(found)
    files = standing_files(index, facts, site_url_of(root), generated_at)
    with alone(site):  # a book that is being swapped in has its own
        for name, content in files.items():
            clear_asides((site / name).parent)
            if not (site / name).is_file() or (site / name).read_bytes() != content:
                replace_bytes(site / name, content)
    return site / NAME
