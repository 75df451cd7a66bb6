"""`siiq run --candidate`: what a change would do to the published index, before anybody makes it (V1, G1)."""

from __future__ import annotations

import json
from pathlib import Path

from siiq_core.errors import PublicationError
from siiq_core.files import replace_json
from siiq_core.publish.conversion import conversion, largest
from siiq_core.versions import major_reasons, next_major

SHOWN = 15  # models that move most


def compared(root: Path, folder: Path) -> str:
    """The report as text; the whole of it becomes candidate.json in `folder`.

    Raises
    ------
    PublicationError
        No published index to compare with.
    """
    from siiq_core.commands.fetch import table

    path = next((p for p in (root / "_build" / "html" / "data" / "index.json", root / "_build" / "run" / "index.json") if p.is_file()), None)
    if path is None:
        raise PublicationError("no published index to compare with", file="index.json", remedy="make book, or siiq run")
    before, after = (json.loads(p.read_text(encoding="utf-8")) for p in (path, folder / "index.json"))
    found = conversion(before, after)
    group = before["reference_group"]["members"] != after["reference_group"]["members"]
    altered = after.get("what_if", {})
    major = major_reasons(altered, group)
    version = before["method_version"]
    step = f"major: {next_major(version)} ({', '.join(major)})" if major else f"minor, with a recalibration ({', '.join(altered)})" if altered else "none: nothing of the method is altered"
    replace_json(folder / "candidate.json", {**found, "altered": altered, "step": step})
    line = found["line"]
    head = [
        f"version step: {step}",
        f"ranked: {found['ranked_before']} → {found['ranked_after']}; no longer: {', '.join(found['no_longer_ranked']) or 'none'}; newly: {', '.join(found['newly_ranked']) or 'none'}",
        f"benchmarks joined: {', '.join(found['benchmarks_joined']) or 'none'}; left: {', '.join(found['benchmarks_left']) or 'none'}",
    ]
    if line and found["spearman"] is not None:
        head.append(f"rank correlation {found['spearman']:.4f}; median change {found['median_change']:.2f} points; after = {line['intercept']:.3f} + {line['slope']:.4f}·before, "
                    f"models lie {line['residual_sd']:.2f} points off the line")
    rows = [("model", "before", "after", "change"), *((m["slug"], f"{m['before']:.2f}", f"{m['after']:.2f}", f"{m['change']:+.2f}") for m in largest(found, SHOWN))]
    return "\n".join([*head, "", table(rows)])
