"""What pages are made from: the published files, and the shape of a page that is generated and not written by hand.

A generated page is one block of HTML under one heading (few headings: Sphinx then builds hundreds of them in seconds).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.publish.words import Words


@dataclass(frozen=True)
class Site:
    """The published results that pages show; nothing else may stand on one."""

    index: Mapping[str, Any]  # index.json
    evidence: Mapping[tuple[str, str], Mapping[str, Any]]  # (evidence id, benchmark) → line of evidence.jsonl
    history: Mapping[str, Any]  # history.json
    facts: Mapping[str, Any]  # fetch.json: names that wait, what was left out, and why
    words: Words
    root: Path

    def model(self, slug: str) -> Mapping[str, Any]:
        """A model of the index by its slug."""
        return next(m for m in self.index["models"] if m["slug"] == slug)


@dataclass(frozen=True)
class Generated:
    """One generated page in one language."""

    name: str  # address without language and ending, e.g. "models/claude-opus-5"
    title: str  # plain text; foreign names as they are
    body: str  # HTML; links are relative to the page's own folder
    parent: str  # the hand-written page it stands under in the contents, e.g. "ranking"


def load_site(index: Mapping[str, Any], run_dir: Path, root: Path, words: Words) -> Site:
    """The site of a finished run; a missing or torn file is a PublicationError."""
    try:
        lines = (run_dir / "evidence.jsonl").read_text(encoding="utf-8").splitlines()[1:]
        evidence = {(x["id"], x["benchmark"]): x for x in map(json.loads, lines)}
        history, facts = (json.loads((run_dir / name).read_text(encoding="utf-8")) for name in ("history.json", "fetch.json"))
    except (OSError, ValueError, KeyError) as error:
        raise PublicationError(f"the run is not whole ({error})", file=run_dir.name, remedy="run the stages first (siiq run)") from error
    return Site(index, evidence, history, facts, words, root)
