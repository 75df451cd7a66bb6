"""A whole small project with publishers of its own on loopback: eight models on six benchmarks, and `siiq update` over it."""

from __future__ import annotations

import csv
import datetime
import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LIVE = Path(__file__).resolve().parents[1] / "live"
if str(LIVE) not in sys.path:  # publishers on loopback are shared with the tests of live reading
    sys.path.append(str(LIVE))

from kinds import KINDS, table, yaml_list  # noqa: E402
from loopback import Publisher  # noqa: E402
from world import NETWORK, SOURCES, World, openrouter_export, openrouter_row  # noqa: E402

from siiq_core.commands.update import update  # noqa: E402
from siiq_core.evidence.decisions import register  # noqa: E402
from siiq_core.evidence.importing import import_files  # noqa: E402
from siiq_core.evidence.live import desk as desks  # noqa: E402
from siiq_core.gate.decisions import standing  # noqa: E402
from siiq_core.gate.place import remembered  # noqa: E402
from siiq_core.gate.state import State  # noqa: E402
from tests.pace import Pace  # noqa: E402
from tests.smallworld import small_project  # noqa: E402

MODELS = tuple(f"nova-{k}" for k in range(1, 9))
EPOCH = {"gpqa-diamond-epoch": "gpqa_diamond.csv", "simpleqa-verified": "simpleqa_verified.csv", "otis-mock-aime": "otis_mock_aime_2024_2025.csv"}
FIRST = {b: {m: round(low + 0.04 * k, 3) for k, m in enumerate(MODELS)} for b, low in
         {"gpqa-diamond-epoch": 0.4, "simpleqa-verified": 0.2, "otis-mock-aime": 0.3, "aider-polyglot": 0.3, "bfcl": 0.35}.items()}
BEGIN = datetime.datetime(2026, 11, 20, 12, 0, 0, tzinfo=datetime.UTC)


class Village:
    """A project in a folder of its own; what its publishers have is changed by hand, then served.

    Attributes
    ----------
    scores : benchmark → version → fraction, as the publishers list it
    groups : version → name of the group in Epoch's table of models
    raw : source → what it serves instead of a content made from `scores`
    """

    def __init__(self, root: Path, folder: Path, publisher: Publisher, like: Village | None = None, fitting: str = "literal", sources: tuple[str, ...] = SOURCES) -> None:
        """`like`: begin where that one stands now, instead of with the baseline to come. `sources`: who is asked."""
        self.sources = sources
        shipped, self.root = folder / "shipped", folder / "project"
        self.pace, self.said, self.raw = Pace(like.pace.moment if like else BEGIN), [], {}
        self.scores = {b: dict(x) for b, x in (like.scores if like else FIRST).items()}
        self.groups = dict(like.groups) if like else {m: m.title().replace("-", " ") for m in MODELS}
        if like:
            shutil.copytree(like.root.parent, folder, symlinks=True, dirs_exist_ok=True)
            (self.root / "params").unlink()
            self.world = World(shipped, self.root, dict.fromkeys(sources, publisher), only=sources)
            self.serve()
            return
        small_project(root, shipped)
        self.root.mkdir(parents=True)
        checker = shipped / "params" / "checker.yml"
        checker.write_text(checker.read_text(encoding="utf-8").replace("\nfitting: none", f"\nfitting: {fitting}"), encoding="utf-8")
        self.world = World(shipped, self.root, dict.fromkeys(sources, publisher), only=sources)
        self._ship()
        self.serve()

    # --- what the publishers have ----------------------------------------------------------------------------------------

    def epoch(self) -> dict[str, bytes]:
        """The bundle's members."""
        rows = [{"Model version": v, "Model name": g, "Release date": "2026-01-02", "Organization": "Novalab", "Model accessibility": "API access", "ECI Score": "140.5"}
                for v, g in self.groups.items()]
        files = {"epoch_capabilities_index.csv": table(rows)}
        for benchmark, name in EPOCH.items():
            files[name] = table([{"Model version": v, "Best score (across scorers)": f"{s:g}", "stderr": "0.03", "Started at": "2026-02-20T01:57:10Z", "id": f"{benchmark[:2]}-{v}"}
                                 for v, s in self.scores[benchmark].items()])
        return files

    def contents(self) -> dict[str, Any]:
        """Source → what it serves now."""
        found = {
            "epoch": self.epoch(),
            "aider": yaml_list([{"model": v, "pass_rate_2": f"{100 * s:.1f}", "test_cases": "225", "date": "2026-01-02", "edit_format": "diff", "dirname": v} for v, s in self.scores["aider-polyglot"].items()]),
            "bfcl": table([{"Model": v, "Overall Acc": f"{100 * s:.2f}%", "Total Cost ($)": "3", "Web Search Acc": "50.00%", "License": "MIT"} for v, s in self.scores["bfcl"].items()]),
            "openrouter": openrouter_export(openrouter_row("nova-lab/nova-1-20260102", accuracy=0.4), openrouter_row("nova-lab/nova-2-20250301", accuracy=0.44)),
            **{source: KINDS[source].content() for source in ("arena", "litellm", "modelsdev")},
        }
        return {source: content for source, content in (found | self.raw).items() if source in self.sources}

    def serve(self) -> None:
        for source, content in self.contents().items():
            if callable(content):
                self.world.route(source, self.world.ask(source), content)
            else:
                self.world.serve(source, content)

    def _ship(self) -> None:
        """What the project ships is what the publishers have at the start."""
        self.sources, asked = SOURCES, self.sources
        now, self.sources = self.contents(), asked
        for source, files in {"epoch": now["epoch"], "aider": {KINDS["aider"].file: now["aider"]}, "bfcl": {KINDS["bfcl"].file: now["bfcl"]}}.items():
            incoming = self.root.parent / "incoming" / source
            incoming.mkdir(parents=True)
            for name, content in files.items():
                (incoming / name).write_bytes(content)
            import_files(source, sorted(incoming.iterdir()), "2026-07-01", self.root)
        register(self.root)

    # --- cycles ----------------------------------------------------------------------------------------------------------------

    def turn(self, hours: float = 1, publish: Callable[[Path], None] | None = None, ask: bool = True) -> int:
        """One `siiq update`, so many hours after the last one; its exit code."""
        self.serve()
        self.pace.sleep(3600 * hours)
        self.said.clear()
        return self.update(publish, ask)

    def update(self, publish: Callable[[Path], None] | None = None, ask: bool = True, network: Any = NETWORK) -> int:
        """One `siiq update` now."""
        real = desks.open_desk
        desks.open_desk = lambda root, *more: self.world.desk
        try:
            return update(self.root, self.said.append, network=network, clock=self.pace.clock, publish=publish, ask=ask)
        finally:
            desks.open_desk = real

    @property
    def state(self) -> State:
        """What the gate remembers, read from the disk."""
        return remembered(self.root)[0].state

    @property
    def public(self) -> dict[str, float]:
        """"model/benchmark" → published score."""
        return {"/".join(key): x.value.score for key, x in sorted(self.state.published.items())}

    @property
    def stands(self) -> set[tuple[str, str, str]]:
        """(what, rule, subject) of all that is held, frozen, failing or waiting."""
        memory = remembered(self.root)[0]
        return {(d.what, d.rule, d.subject) for d in standing(memory.state, memory.rules)}


def changed(content: bytes, number: int, **cells: str) -> bytes:
    """A CSV with other cells in one row (from 1)."""
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    rows[number - 1] |= cells
    return table(rows)


def ledger_kinds(root: Path) -> list[str]:
    """Kinds of the ledger's entries, in order."""
    return [json.loads(line)["kind"] for line in (root / "data" / "ledger.jsonl").read_text(encoding="utf-8").splitlines()]


def public_files(root: Path) -> Mapping[str, bytes]:
    """Files that readers see."""
    site = root / "_build" / "html"
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}
