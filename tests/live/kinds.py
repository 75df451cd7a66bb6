"""A small content for each publisher, in made-up words, as rows of cells; and how that publisher writes rows down."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from world import openrouter_export, openrouter_row

Rows = list[dict[str, Any]]
TABLE = (b"Model version,Model name,Release date,Organization,Model accessibility,ECI Score\nnova-1_high,Nova 1,2026-01-02,Novalab,API access,140.5\n"
         b"nova-2,Nova 2,2025-03-01,Novalab,API access,\n")
METADATA = "benchmark,in_eci,source_file,score_column,scale,random_baseline,score_ceiling,release_date,superseded_by\n"


@dataclass(frozen=True)
class Kind:
    """One publisher.

    Attributes
    ----------
    name, score, date, key : headers of the model's name, of the number that is read, of a date, and of a column without which nothing can be read
    other : a header that no number comes from
    rows : the small content
    write : rows → what `World.serve` takes
    number : a fraction as this publisher writes it
    """

    source: str
    file: str
    name: str
    score: str
    other: str
    key: str
    rows: tuple[dict[str, Any], ...]
    write: Callable[[Sequence[dict[str, Any]]], Any]
    number: Callable[[float], Any] = lambda x: x
    date: str = ""
    benchmark: str = ""  # that the rows are read on; "" where there is none

    def copy(self) -> Rows:
        return [dict(row) for row in self.rows]

    def content(self, *rows: dict[str, Any]) -> Any:
        return self.write(rows or self.copy())


def table(rows: Sequence[dict[str, Any]], end: str = "\r\n") -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(dict.fromkeys(column for row in rows for column in row)), lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def epoch_files(rows: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    return {"epoch_capabilities_index.csv": TABLE, "gpqa_diamond.csv": table(rows)}


def yaml_list(rows: Sequence[dict[str, Any]]) -> bytes:
    """JSON is YAML: every text quoted, numbers plain."""
    return "".join("- " + json.dumps(row, ensure_ascii=False)[1:-1].join("{}") + "\n" for row in rows).encode()


def price_table(rows: Sequence[dict[str, Any]]) -> bytes:
    entries = ", ".join(f"{json.dumps(row['model'])}: {json.dumps({k: v for k, v in row.items() if k != 'model'})}" for row in rows)
    return f"{{{entries}}}".encode()  # a model that stands twice stands twice


def api(rows: Sequence[dict[str, Any]]) -> bytes:
    entries = []
    for row in rows:
        facts: dict[str, Any] = {}
        for column, value in row.items():
            part, _, inner = column.partition(".")
            if column not in ("provider", "model"):
                facts.setdefault(part, {}).__setitem__(inner, value) if inner else facts.__setitem__(part, value)
        entries.append(f"{json.dumps(row.get('model'))}: {json.dumps(facts)}")
    return f'{{"openai": {{"id": "openai", "models": {{{", ".join(entries)}}}}}}}'.encode()


KINDS = {kind.source: kind for kind in (
    Kind("epoch", "gpqa_diamond.csv", "Model version", "Best score (across scorers)", "Notes", "Model version", (
        {"Model version": "nova-1_high", "Best score (across scorers)": "0.6", "stderr": "0.034", "Started at": "2026-02-20T01:57:10Z", "id": "r1", "Notes": "n"},
        {"Model version": "nova-2", "Best score (across scorers)": "0.5", "stderr": "", "Started at": "", "id": "r2", "Notes": "n"}),
         epoch_files, date="Started at", benchmark="gpqa-diamond-epoch"),
    Kind("aider", "polyglot_leaderboard.yml", "model", "pass_rate_2", "edit_format", "model", (
        {"model": "nova-1", "pass_rate_2": "60.0", "test_cases": "225", "date": "2026-01-02", "edit_format": "diff", "dirname": "a"},
        {"model": "nova-2", "pass_rate_2": "52.0", "test_cases": "225", "date": "2026-01-03", "edit_format": "whole", "dirname": "b"}),
         yaml_list, lambda x: f"{100 * x:.1f}", "date", "aider-polyglot"),
    Kind("bfcl", "data_overall.csv", "Model", "Overall Acc", "License", "Model", (
        {"Model": "nova-1 (FC)", "Overall Acc": "60.00%", "Total Cost ($)": "3", "Web Search Acc": "50.00%", "License": "MIT"},
        {"Model": "nova-2", "Overall Acc": "50.00%", "Total Cost ($)": "4", "Web Search Acc": "40.00%", "License": "MIT"}),
         table, lambda x: f"{100 * x:.2f}%", benchmark="bfcl"),
    Kind("openrouter", "benchmark-leaderboard", "model_permaslug", "accuracy", "avg_cost_per_task_usd", "model_permaslug", (
        openrouter_row("nova-lab/nova-1-20260102"), openrouter_row("nova-lab/nova-2-20250301", accuracy=0.5)),
         lambda rows: openrouter_export(*rows), benchmark="gpqa-diamond-openrouter"),
    Kind("arena", "text_style_control-0.json", "model_name", "rating", "organization", "model_name", tuple(
        {"model_name": name, "organization": "o", "rating": rating, "rating_lower": rating - 9, "rating_upper": rating + 9, "vote_count": 42, "rank": 1,
         "category": "overall", "leaderboard_publish_date": "2026-09-10"} for name, rating in (("nova-1", 1201.25), ("nova-2", 1180.5))),
         list, lambda x: 2000 * x, "leaderboard_publish_date"),
    Kind("litellm", "model_prices_and_context_window.json", "model", "input_cost_per_token", "supports_vision", "litellm_provider", tuple(
        {"model": name, "litellm_provider": "openai", "mode": "chat", "max_input_tokens": 128000, "input_cost_per_token": 1e-06,
         "output_cost_per_token": 4e-06, "deprecation_date": "2027-03-01", "supports_vision": True} for name in ("nova-1", "nova-2", "nova-3", "nova-4")),
         price_table, lambda x: x / 1e6, "deprecation_date"),
    Kind("modelsdev", "api.json", "model", "cost.input", "knowledge", "", tuple(
        {"provider": "openai", "model": name, "name": name, "release_date": "2025-03-01", "open_weights": False, "knowledge": "2025-01",
         "cost.input": 1.0, "cost.output": 4.0, "limit.context": 128000} for name in ("nova-1", "nova-2", "nova-3", "nova-4")),
         api, lambda x: x, "release_date"),
)}
SCORED = tuple(source for source, kind in KINDS.items() if kind.benchmark)
PRICED = ("litellm", "modelsdev")
