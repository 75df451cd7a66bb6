"""Every reader of outside bytes as a function of bytes: it gives records or a named refusal, and anything else is a find.

A target's `read` raises `Find` (or whatever the reader let through) where the promise is broken:

- what is refused is refused by a SI-IQ error that names the file, in one printable line of bounded length;
- what is read can be written by the project's own writers and reads back the same;
- a name means one registered model or none, and the same one each time;
- nothing is written but in the folder given.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

_TESTS = Path(__file__).resolve().parents[1]
for _folder in (_TESTS, _TESTS / "workbench"):
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))

import little  # noqa: E402
import naming  # noqa: E402

from siiq_core.errors import SiiqError  # noqa: E402
from siiq_core.evidence.identity import Match, Unmatched, build_index, extend_registry  # noqa: E402
from siiq_core.evidence.inbox import inbox_csv, inbox_json  # noqa: E402
from siiq_core.evidence.live.judging import judge  # noqa: E402
from siiq_core.evidence.live.zipread import read_members  # noqa: E402
from siiq_core.evidence.observations import build_snapshot, read_snapshot, stored_bytes  # noqa: E402
from siiq_core.evidence.own import read_rows  # noqa: E402
from siiq_core.evidence.duplicates import deduplicate  # noqa: E402
from siiq_core.evidence.prices import read_prices  # noqa: E402
from siiq_core.evidence.prices.amounts import Refused, price_list  # noqa: E402
from siiq_core.evidence.prices.statements import statements  # noqa: E402
from siiq_core.evidence.selection import candidates, select  # noqa: E402
from siiq_core.evidence.sources import adapter, arena, openrouter  # noqa: E402
from siiq_core.files import canonical_bytes, json_line, with_digest  # noqa: E402
from siiq_core.gate import checkpoint, memory  # noqa: E402
from siiq_core.gate.checker.ai import CONTROL  # noqa: E402
from siiq_core.gate.checker.chat import Conversation, Endpoint, OutOfReach  # noqa: E402
from siiq_core.gate.checker.judging import compared  # noqa: E402
from siiq_core.gate.checker.key import Key  # noqa: E402
from siiq_core.gate.checker.prompt import Nonsense, Seen, answers, task_id  # noqa: E402
from siiq_core.gate.checker.records import Verdict, differences, verdict_of  # noqa: E402
from siiq_core.gate.entry import make_line  # noqa: E402
from siiq_core.gate.ledger import Head, Ledger  # noqa: E402
from siiq_core.gate.rules import Rules  # noqa: E402
from siiq_core.gate.state import InForce, Snapshot, State, Value, Verdict as Word  # noqa: E402
from siiq_core.params.benchmarks import load_benchmarks  # noqa: E402
from siiq_core.params.checker import load_checker  # noqa: E402
from siiq_core.params.gate import load_gate  # noqa: E402
from siiq_core.params.live import load_live  # noqa: E402
from siiq_core.params.percentile import board_specs, load_percentile  # noqa: E402
from siiq_core.params.prices import load_prices  # noqa: E402
from siiq_core.params.sources import load_sources  # noqa: E402
from siiq_core.params.value import load_value, value_specs  # noqa: E402
from siiq_core.records import Benchmark, Calibration  # noqa: E402
from siiq_core.siblings.percentile.evidence import board_rows  # noqa: E402
from siiq_core.siblings.percentile.reading import read_benchmark, read_ratings  # noqa: E402
from siiq_core.siblings.value.evidence import variant_rows  # noqa: E402
from siiq_core.verify import verify_file  # noqa: E402
from siiq_core.workbench.adding import added  # noqa: E402
from siiq_core.workbench.published import open_published  # noqa: E402

ROOT = _TESTS.parent
DAY = "2026-11-21"
LONGEST_MESSAGE = 5_000  # characters; a refusal is one line for a person


class Find(AssertionError):
    """A reader broke its promise."""


@dataclass(frozen=True)
class Target:
    """One reader.

    Attributes
    ----------
    read : bytes, a folder that may be written to → nothing
    seeds : contents it accepts, in made-up words
    """

    name: str
    read: Callable[[bytes, Path], None]
    seeds: Callable[[], Sequence[bytes]]


def check(target: Target, content: bytes, folder: Path) -> None:
    """Reads `content`; a refusal is looked at, everything else that is raised is passed on."""
    before = _listed(folder.parent)
    try:
        target.read(content, folder)
    except SiiqError as refusal:
        told(refusal, needs_file=target.name not in ("checker answers",))
    if _listed(folder.parent) != before:
        raise Find("something was written outside the folder")


def told(refusal: SiiqError, needs_file: bool = True) -> None:
    """A refusal says where, in one line that any terminal may show."""
    text = str(refusal)
    if needs_file and not refusal.file:
        raise Find(f"a refusal that names no file: {text[:300]!r}")
    if len(text) > LONGEST_MESSAGE:
        raise Find(f"a refusal of {len(text)} characters: {text[:200]!r}")
    if not text.isprintable():
        raise Find(f"a refusal with characters that a terminal obeys: {text[:300]!r}")


def _listed(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


# --- publishers ------------------------------------------------------------------------------------------------------


@cache
def parameters() -> tuple[Any, Any, Any]:
    return load_sources(ROOT), load_benchmarks(ROOT), load_prices(ROOT)


INDEX = naming.index(("nova-1_high", "Nova 1"), ("nova-1", "Nova 1"), ("nova-2", "Nova 2"), ("nova-2-mini", "Nova 2 mini"), ("nova-coder-highspeed", "Nova Coder Highspeed"),
                     ("nova-r1-0528", "Nova-R1 (May 2025)"))


def of_source(source: str, member: str, beside: Callable[[], dict[str, bytes]] = dict) -> Callable[[bytes, Path], None]:
    """A content of a publisher through all that reads it: parse, store, judge, read again, select, price."""

    def read(content: bytes, folder: Path) -> None:
        sources, specs, params = parameters()
        reader, files = adapter(source, sources), {**beside(), member: content}
        snapshot = build_snapshot(reader, files, DAY)
        stored = stored_bytes(snapshot)
        for suffix, part in stored.items():
            (folder / f"{DAY}{suffix}").write_bytes(part)
        again = read_snapshot(folder / f"{DAY}.csv", source, DAY)
        if replace(again, files={}) != replace(snapshot, files={}) or stored_bytes(again) != stored:
            raise Find("what was stored does not read back")
        names(o.row.get(c, "") for o in snapshot.observations for c in (*reader.spec.columns.name, *reader.spec.columns.origin_name))
        judge(reader, snapshot, specs, params)
        own = [spec for spec in specs if spec.source == source]
        readings, _ = reader.readings(snapshot, own)
        for reading in readings:
            if not (0 <= reading.score <= 1 and (reading.se is None or math.isfinite(reading.se) and reading.se > 0)):
                raise Find(f"a reading that is none: {reading}")
        kept, _ = deduplicate(readings)
        facts = {(source, DAY, name): file for name, file in snapshot.files.items()}
        chosen = select(kept, INDEX, own, naming.NAMES, "all", facts)
        for record in chosen.evidence:
            json_line(record).encode("utf-8")
        inbox_json(chosen.waiting), inbox_csv(chosen.waiting)
        if source in ("litellm", "modelsdev"):
            priced(snapshot, stored, folder, params)
        else:
            siblings(source, reader, snapshot)

    return read


@cache
def of_siblings() -> tuple[Any, ...]:
    value, percentile = load_value(ROOT), load_percentile(ROOT)
    return value, value_specs(ROOT, value, parameters()[0]), percentile, board_specs(ROOT, percentile, parameters()[0])


def siblings(source: str, reader: Any, snapshot: Any) -> None:
    """The same content as the two other methods read it: costs, intervals, logs, versions, ratings; each refuses for itself."""
    value, specs, percentile, boards = of_siblings()
    for attempt in (lambda: _valued(source, reader, snapshot, value, specs), lambda: _placed(source, reader, snapshot, percentile, boards)):
        try:
            canonical_bytes(attempt())
        except SiiqError as refusal:
            told(refusal)


def _valued(source: str, reader: Any, snapshot: Any, params: Any, specs: Any) -> Any:
    own = [spec for spec in specs.values() if spec.source == source]
    kept, _ = deduplicate(reader.readings(snapshot, own)[0])
    found = [c for group in candidates(kept, INDEX, own, naming.NAMES, "all").by_pair.values() for c in group]
    return [[row.score, row.error, row.cost, row.version, row.setting] for row in variant_rows(found, params, specs, reader.spec.common.missing)[0]]


def _placed(source: str, reader: Any, snapshot: Any, params: Any, specs: Any) -> Any:
    made = []
    for board in params.boards:
        spec = specs.get(board.benchmark)
        if (board.rating.source if board.rating else spec.source) != source:
            continue
        standing = read_ratings(reader, snapshot, board) if board.rating else read_benchmark(reader, snapshot, board, spec)
        rows, raw = board_rows(board, spec, standing, snapshot, INDEX, "all", params, spec is not None and spec.score_column in reader.spec.percent_sign)
        made.append([[str(x) for x in rows.population], [[e.model, e.setting, str(e.value)] for e in rows.entries], raw])
    return made


def priced(snapshot: Any, stored: dict[str, bytes], folder: Path, params: Any) -> None:
    for told_price in statements(snapshot, DAY):
        try:
            found = price_list(told_price.amounts, False, params)
        except Refused:
            continue
        for tier in found.tiers:
            for amount in (tier.input, tier.output, tier.cached_input):
                if amount is not None and not (math.isfinite(amount) and amount >= 0):
                    raise Find(f"a price that is none: {tier}")
    place = folder / "data" / "observations" / snapshot.source
    place.mkdir(parents=True, exist_ok=True)
    for suffix, part in stored.items():
        (place / f"{DAY}{suffix}").write_bytes(part)
    if not (folder / "params").exists():
        (folder / "params").symlink_to(ROOT / "params")
    read_prices(folder, INDEX, DAY)


def names(found: Iterable[str]) -> None:
    """Each means one registered model or none, and the same one each time."""
    for name in found:
        for source in ("epoch", "aider"):
            one = INDEX.match(source, name)
            if one != INDEX.match(source, name) or not (isinstance(one, Match) and one.slug in INDEX.models or isinstance(one, Unmatched)):
                raise Find(f"a name that means {one}")


def table(*rows: str) -> bytes:
    return ("\r\n".join(rows) + "\r\n").encode()


MODELS = table("Model version,Model name,Release date,Organization,Model accessibility,ECI Score", "nova-1_high,Nova 1,2026-01-02,Novalab,API access,140.5",
               "nova-2,Nova 2,2025-03-01,Novalab,API access,")
SCORES = table("Model version,Best score (across scorers),stderr,Started at,id,Notes", "nova-1_high,0.6,0.034,2026-02-20T01:57:10Z,r1,n", 'nova-2,0.5,,,r2,"a ""b"",\r\nc"')
TIMED = table("Model version,average_score,METR version,Source,Source link,id", "nova-1,0.6,1.1,a,https://x.example/a,1", "nova-2,0.3,1.0,model card,,2")
GRADED = table("Model version,Pass@1,Harness,Reasoning effort,Name,95% CI half-width,Runs,Mean cost (USD),Mean output tokens,Source", "nova-1,0.61,h,high,Nova 1,0.03,3,1.2,100,a",
               "nova-2,0.42,h,low,Nova 2,0.02,0,1,1,a")
NEWER = table("model_version,model_group,date,organization,accessibility", "nova-1_high,Nova 1,2026-01-02,Novalab,API access", "nova-2,Nova 2,2025-03-01,Novalab,API access")
SAID = table("benchmark,in_eci,source_file,score_column,scale,random_baseline,score_ceiling,release_date,superseded_by",
             "GPQA Diamond,True,gpqa_diamond.csv,Best score (across scorers),1,0.25,1,2023-11-20,")
RUNS = (b"- dirname: 2026-01-02-a\n  test_cases: 225\n  model: nova-1 (high)\n  edit_format: diff\n  reasoning_effort: high\n  pass_rate_2: 60.0\n  date: 2026-01-02\n  total_cost: 1.5\n\n"
        b"- dirname: b\n  test_cases: 225\n  model: nova-2\n  edit_format: 'whole'\n  pass_rate_2: 52.4\n  date: 2026-01-03\n  versions: \"0.8 \\u00e9\"\n  total_cost: 0.0\n")
CALLS = table("Rank,Overall Acc,Model,Model Link,Total Cost ($),Web Search Acc,License", "1,77.47%,nova-1 (FC),https://x.example,3.1,60.00%,MIT", "2,50.00%,nova-2 (Prompt),,N/A,40.00%,MIT")
LICENCE = {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}


def export() -> bytes:
    row = {"benchmark": "gpqa_diamond", "model_permaslug": "nova-lab/nova-1-20260102", "model_slug": "nova-lab/nova-1", "model_name": "Nova 1", "provider_name": "Hoster A",
           "accuracy": 0.6, "accuracy_std_dev": None, "run_count": 2, "total_questions": 396, "avg_cost_per_task_usd": 0.01}
    rows = [row, {**row, "provider_name": "Hoster B", "accuracy": 0.5}, {**row, "model_permaslug": "nova-lab/nova-2-20250301"}]
    return json.dumps({"dataset": "benchmark-leaderboard", "schema_version": "v1", "snapshot_date": DAY, "license": LICENCE,
                       "columns": [{"name": column} for column in row], "rows": rows}).encode()


def export_table() -> bytes:
    return table("benchmark,model_permaslug,model_slug,model_name,provider_name,accuracy,accuracy_std_dev,run_count,total_questions",
                 "gpqa_diamond,nova-lab/nova-1-20260102,nova-lab/nova-1,Nova 1,Hoster A,0.6,,2,396", "gpqa_diamond,nova-lab/nova-1-20260102,nova-lab/nova-1,Nova 1,Hoster B,0.5,,1,198")


def board() -> bytes:
    rows = [{"row_idx": k, "row": {"model_name": name, "organization": "o", "rating": 1201.25, "rating_lower": 1190, "rating_upper": 1210, "vote_count": 42, "rank": k + 1,
                                   "category": "overall", "leaderboard_publish_date": "2026-09-10"}, "truncated_cells": []} for k, name in enumerate(("nova-1", "nova-2"))]
    return json.dumps({"features": [], "rows": rows, "num_rows_total": 2, "num_rows_per_page": 100, "partial": False}).encode()


def catalogue() -> bytes:
    return json.dumps({"full": {"nova-1": {"rating": 1201.25, "rating_q025": 1190.0, "rating_q975": 1210.0}}, "coding": {"nova-1": {"rating": 1200.0, "rating_q025": 1.0, "rating_q975": 2.0}}}).encode()


def mirror() -> bytes:
    return json.dumps({"models": [{"name": "nova-1", "scores": {"elo_text": {"value": 1201, "ci": "+5/-5", "votes": 10, "date": "2026-07-01"}, "elo_code": {"value": 1}}}]}).encode()


def dollars() -> bytes:
    return json.dumps({"nova-1": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 128000, "input_cost_per_token": 1e-06, "output_cost_per_token": 4e-06,
                                  "cache_read_input_token_cost": 1e-7, "input_cost_per_token_above_128k_tokens": 2e-6, "output_cost_per_token_above_128k_tokens": 8e-6, "deprecation_date": "2027-03-01"},
                       "dashscope/nova-2": {"litellm_provider": "dashscope", "mode": "chat", "max_input_tokens": "1000",
                                            "tiered_pricing": [{"range": [0, 32000], "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}, {"range": [32000.0, 64000], "input_cost_per_token": 2e-6, "output_cost_per_token": 4e-6}]}}).encode()


def ledger_of_prices() -> bytes:
    return json.dumps({"units": {"prices": "dollars per 1M tokens"}, "sources": ["a" * 40, "b" * 40],
                       "models": [{"key": "nova-1", "host": "openai", "mode": "chat", "input": 1.0, "output": 4.0, "cache_read": None, "context": 128000, "retire": "2027-01-01"}],
                       "events": {"nova-1": [["2026-01-01", "added", None, None, None, None, 0], ["2026-02-01", "price", "input_cost_per_token", 2e-6, 1e-6, None, 1]]}}).encode()


def api() -> bytes:
    facts = {"name": "Nova 1", "release_date": "2026-01-02", "open_weights": False, "knowledge": "2025-01", "cost": {"input": 1, "output": 4.5, "cache_read": 0.1,
             "tiers": [{"tier": {"size": 200000}, "input": 2, "output": 9}]}, "limit": {"context": 128000}}
    return json.dumps({"openai": {"id": "openai", "models": {"nova-1": facts, "nova-2": {**facts, "cost": {"input": 1, "output": 2, "context_over_200k": {"input": 2, "output": 4}}}}}}).encode()


TOML = (b'name = "Nova 1"\nrelease_date = "2026-01-02"\nopen_weights = false\nlast = 2026-01-02\nk = [1, 2]\n\n[cost]\ninput = 1.00\noutput = 4\n\n[[cost.tiers]]\ninput = 2\noutput = 9\n'
        b'[cost.tiers.tier]\nsize = 200_000\n\n[limit]\ncontext = 128_000\n')


def old_prices() -> bytes:
    return json.dumps({"schema": 1, "status": {"openai": {"nova-2": "removed"}}, "prices": {"openai": {
        "nova-1": {"standard": [{"start": "2026-01-01", "rates": {"input": 1, "output": 4, "tiers": [{"above": 200000, "input": 2, "output": 8}]}}, {"start": "2026-02-01", "rates": None}]},
        "nova-2": {"standard": [{"start": "2026-01-01", "rates": {"input": 1, "output": 4}}]}}}}).encode()


def llmledger(content: bytes, folder: Path) -> None:
    """Packed on the way, so that what is fuzzed is what is inside."""
    of_source("litellm", "llmledger.json.gz")(gzip.compress(content, 1, mtime=0), folder)


def manifest(content: bytes, folder: Path) -> None:
    spec = parameters()[0]["openrouter"]
    for ask in (openrouter.plan, openrouter.manifest_address):
        try:
            ask(content, spec)
        except SiiqError as refusal:
            told(refusal)


def pages(content: bytes, folder: Path) -> None:
    spec = parameters()[0]["arena"]
    rows, _ = arena.counts(content, spec, "text_style_control-0.json")
    arena.offsets(rows, spec)


def zipped(content: bytes, folder: Path) -> None:
    bounds = load_live(ROOT).zip
    for part in read_members(content, ("gpqa_diamond.csv", "a/b.csv"), bounds).values():
        if len(part) > bounds.member_bytes:
            raise Find("a member beyond its bound")


def archives() -> list[bytes]:
    found = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as archive:
            for name, part in (("gpqa_diamond.csv", SCORES), ("../x", b"x"), ("README", b"words " * 30)):
                archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), part, method)
        found.append(stream.getvalue())
    return found


# --- the store, the gate's ledger -------------------------------------------------------------------------------------


def store(content: bytes, folder: Path) -> None:
    """The two files of a stored snapshot, parted by a line of "=====": either may be damaged."""
    rows, _, sidecar = content.partition(b"=====\n")
    (folder / f"{DAY}.csv").write_bytes(rows)
    (folder / f"{DAY}.json").write_bytes(sidecar)
    snapshot = read_snapshot(folder / f"{DAY}.csv", "aider", DAY)
    stored_bytes(snapshot)
    sources, specs, params = parameters()
    judge(adapter("aider", sources), snapshot, specs, params)


def stores() -> list[bytes]:
    snapshot = build_snapshot(adapter("aider", parameters()[0]), {"polyglot_leaderboard.yml": RUNS}, DAY)
    parts = stored_bytes(snapshot)
    return [parts[".csv"] + b"=====\n" + parts[".json"]]


def ledger(content: bytes, folder: Path) -> None:
    """A file under the ledger's name: read whole, from a place, from its end; and written on where it is sound."""
    path = folder / "ledger.jsonl"
    path.write_bytes(content)
    found = Ledger.open(path, line_bytes=100_000)
    seen = list(found.entries())
    if found.head != (seen[-1].head if seen else Head()) or found.verify() != found.head:
        raise Find("its end is not where its entries end")
    for entry in seen:
        if not found.stands(entry.head) or found.stands(replace(entry.head, sha256="0" * 64)):
            raise Find("a place that does not stand, or one that should not")
    found.stands(Head(3, "0" * 64, len(content) * 2))
    with found.writing(seconds=0):
        found.append("more", "9999-12-31T23:59:59Z", {"a": 1})
    if [x.sha256 for x in Ledger.open(path).entries()][:-1] != [x.sha256 for x in seen]:
        raise Find("an entry was lost on writing")


@cache
def chain() -> bytes:
    """A ledger's entries as a JSON list of [kind, at, body]."""
    benches = {b: Benchmark(b, "math", b, "Hall", 0.0, 1.0, 100) for b in ("a1", "b1")}
    calibration = Calibration(dict.fromkeys(benches, 1.0), dict.fromkeys(benches, 0.0), dict.fromkeys(benches, 0.1), dict.fromkeys(benches, 1.0), {}, 0.0, 1.0, 1.0, (), 0, 0.0, 2, 0, 0)
    rules = Rules(load_gate(ROOT), little.small().params, benches, {"a1": "alpha", "b1": "beta"}, frozenset({"beta"}))
    at = "2026-08-30T00:00:00Z"
    start = memory.start(InForce("1.0.0", at, calibration, benches), "1.0.0", rules)
    values = {(f"m{k}", "a1"): Value(0.5 + k / 10, "r", "2026-01-01", "e" * 16) for k in range(3)}
    cycle = memory.Cycle({"alpha": Snapshot("a" * 64, 3, {"a1": 3}, 1.0, values, {"a1": {"scale": 1.0}})}, {key: Word(True, "reader", "ai", at) for key in values})
    body = memory.cycle_out(State(at, InForce("1.0.0", at, calibration, benches)), cycle)
    operator = {"action": "rebase", "source": "alpha", "who": "an operator", "reason": "looked at"}
    return json.dumps([["start", at, start], ["cycle", "2026-08-30T01:00:00Z", body], ["cycle", "2026-08-30T02:00:00Z", {"sources": {"alpha": "unchanged"}}], ["operator", "2026-08-30T03:00:00Z", operator],
                       ["publication", "2026-08-30T04:00:00Z", {"version": "1.0.0"}]]).encode()


def entries(content: bytes, folder: Path) -> None:
    """Bodies of any kind under a chain that is sound: what they say is read, or the ledger is refused."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return
    head, offset, lines = Head(), 0, b""
    for item in said if isinstance(said, list) else []:
        if not isinstance(item, list) or len(item) != 3:
            return
        try:
            line = make_line(head, *item)
        except (SiiqError, TypeError):
            return
        head, lines = Head(head.n + 1, json.loads(line)["sha256"], offset), lines + line
        offset = len(lines)
    path = folder / "ledger.jsonl"
    path.write_bytes(lines)
    memory.replayed(Ledger.open(path).entries())


def checkpoints(content: bytes, folder: Path) -> None:
    path = folder / "gate-state.json"
    path.write_bytes(content)
    empty = Ledger.open(folder / "none.jsonl")
    if checkpoint.load(path, empty, "2") is not None:
        memory.of_kept(checkpoint.load(path, empty, "2")[1])


# --- a published index, rows of one's own -----------------------------------------------------------------------------


@cache
def desk() -> Any:
    import panels

    cells = [x for x in panels.results(8, 5, missing=0.0)]
    return little.desk_of(cells, panels.benchmarks(5), [f"made-up-{m:02d}" for m in range(1, 7)], kappa=False, min_models_per_benchmark=3, min_reference_per_benchmark=2, min_results_per_model=2)


@cache
def published() -> bytes:
    return canonical_bytes(little.index_of(desk()))


def index(content: bytes, folder: Path) -> None:
    """A file under the name index.json: verified, opened, rows of one's own put beside it."""
    path = folder / "index.json"
    path.write_bytes(content)
    report = verify_file(path)
    opened(path, report.passed)


def sealed(content: bytes, folder: Path) -> None:
    """The same with its digest and its spelling made right again, so that what is inside is looked at."""
    try:
        value = json.loads(content)
        content = canonical_bytes(with_digest(value)) if isinstance(value, dict) else content
    except (ValueError, RecursionError, TypeError):
        pass
    index(content, folder)


def opened(path: Path, passed: bool) -> None:
    base = open_published(path)
    added(base, little.own(("made-up-01", "b00", 0.5), ("Brand New", "b01", 0.25)))


def inputs(content: bytes, folder: Path) -> None:
    (folder / "index.json").write_bytes(published())
    (folder / "calibration_inputs.csv").write_bytes(content)
    verify_file(folder / "index.json")


def input_seeds() -> list[bytes]:
    return [("slug,benchmark,score\n" + "".join(f"{r.model},{r.benchmark},{r.score}\n" for r in desk().results)).encode()]


@cache
def base() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.json"
        path.write_bytes(published())
        return open_published(path)


def own_rows(content: bytes, folder: Path) -> None:
    path = folder / "rows.csv"
    path.write_bytes(content)
    rows = read_rows(path)
    canonical_bytes(added(base(), rows))


OWN = table("model,benchmark,score,version,setting,evaluator", "made-up-01,b00,0.51,v2,high,ev0", '"Nova 9, new",b01,0.25,,,', "nova 8,b02,1e-3,,low,me")


# --- names, the second reader -----------------------------------------------------------------------------------------


def name(content: bytes, folder: Path) -> None:
    """A name of a row; and lines of a model table, "version TAB group TAB day", through registry and index."""
    text = content.decode("utf-8", "surrogatepass" if len(content) % 2 else "replace") if _text(content) else content.decode("latin-1")
    lines = [line.split("\t") for line in text.split("\n")]
    names(line[0] for line in lines)
    rows = naming.table(*((line[0], line[1], "2026-01-02", "Acme") for line in lines if len(line) > 1))
    try:
        registry = extend_registry((), rows, DAY)
        found = build_index(rows, naming.NAMES, registry)
    except SiiqError as refusal:
        return told(refusal)
    for row in registry:
        if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", row.slug) or ".." in row.slug and set(row.slug) == {"."}:
            raise Find(f"a slug that is no file name: {row.slug!r}")
    for line in lines:
        one = found.match("epoch", line[0])
        if isinstance(one, Match) and one.slug not in {row.slug for row in registry}:
            raise Find(f"a model that nobody registered: {one}")
    return None


def _text(content: bytes) -> bool:
    try:
        content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


NAMES = ["nova-1_high", "nova-1 (high)", "Nova 1, high", "nova-2-mini", "anthropic/nova-2:thinking", "nova-1 (32k thinking tokens)", "Nova-R1 (May 2025)",
         "nova-1\tNova 1\nnova-1_high\tNova 1\nnova-2 mini\tNova 2 mini\nNOVA‑2\tNova 2", "ñova+ 3\tÑova+ 3\n..\t..\n%\t%"]


@cache
def conversation() -> Conversation:
    params = load_checker(ROOT)
    return Conversation(Endpoint(params, "http://127.0.0.1:9/v1", Key("sk-made-up-0123456789"), None, _Clock()))


class _Clock:
    @staticmethod
    def monotonic() -> float:
        return 0.0


def chat(content: bytes, folder: Path) -> None:
    """The bytes of an endpoint's answer: a text, or why there is none; then as the content itself."""
    try:
        said = conversation()._content(content)
    except (Nonsense, OutOfReach):
        said = content.decode("utf-8", "replace")
    answer(said)


def answer(said: str) -> None:
    try:
        found = answers(said, [task_id(0), task_id(1)])
    except Nonsense as refusal:
        if not str(refusal).isprintable() or len(str(refusal)) > LONGEST_MESSAGE:
            raise Find("a reason that no terminal should show") from refusal
        return
    if list(found) != ["t1", "t2"]:
        raise Find("other tasks than were asked")
    for seen in found.values():
        if not isinstance(seen, Seen):
            continue
        fields = compared(CONTROL, seen)
        right = all(field.agree for field in fields)
        if right and not (seen.name == CONTROL.name and seen.number == "0.625" and seen.model == "Nova 1" and not seen.reported_by_developer):
            raise Find(f"confirmed and not so: {seen}")
        verdict = Verdict("q", "confirmed" if right else "refused", "who", "ai", "lens", DAY, fields, "" if right else differences(fields))
        if verdict_of(json.loads(json_line(verdict.as_record()).encode("utf-8"))) != verdict:
            raise Find("a verdict that does not read back")


def said() -> list[bytes]:
    right = {"id": "t1", "name": CONTROL.name, "model": "Nova 1", "benchmark": "Sample Quiz", "column": "Accuracy", "number": "0.625", "out_of": "1", "reported_by_developer": False}
    text = json.dumps({"answers": [right, {**right, "id": "t2", "number": "62.5%", "out_of": "100"}]})
    return [json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], "model": "reader-1"}).encode(), text.encode(), f"<think>{{ }}</think>\n```json\n{text}\n```".encode()]


def of(*contents: bytes) -> Callable[[], Sequence[bytes]]:
    return lambda: contents


def lazily(*makers: Callable[[], bytes]) -> Callable[[], Sequence[bytes]]:
    return lambda: [make() for make in makers]


TARGETS = {target.name: target for target in (
    Target("epoch scores", of_source("epoch", "gpqa_diamond.csv", lambda: {"epoch_capabilities_index.csv": MODELS}), of(SCORES)),
    Target("epoch timed", of_source("epoch", "metr_time_horizons_external.csv", lambda: {"epoch_capabilities_index.csv": MODELS}), of(TIMED)),
    Target("epoch graded", of_source("epoch", "deepswe_external.csv", lambda: {"epoch_capabilities_index.csv": MODELS}), of(GRADED)),
    Target("epoch models", of_source("epoch", "epoch_capabilities_index.csv", lambda: {"gpqa_diamond.csv": SCORES}), of(MODELS)),
    Target("epoch newer models", of_source("epoch", "model_metadata.csv", lambda: {"gpqa_diamond.csv": SCORES}), of(NEWER)),
    Target("epoch definitions", of_source("epoch", "benchmark_metadata.csv", lambda: {"model_metadata.csv": NEWER, "gpqa_diamond.csv": SCORES}), of(SAID)),
    Target("epoch zip", zipped, archives),
    Target("aider", of_source("aider", "polyglot_leaderboard.yml"), of(RUNS)),
    Target("bfcl", of_source("bfcl", "data_overall.csv"), of(CALLS)),
    Target("openrouter", of_source("openrouter", "benchmark-leaderboard"), lazily(export, export_table)),
    Target("openrouter manifest", manifest, lazily(lambda: json.dumps({"dataset": "benchmark-leaderboard", "schema_version": "v1", "snapshot_date": DAY, "license": LICENCE, "files": {"json": {
        "url": parameters()[0]["openrouter"].file_address(DAY, "benchmark-leaderboard"), "sha256": "ab" * 32, "bytes": 10}}}).encode(),
        lambda: b'{"schema_version": "v1", "datasets": [{"id": "benchmark-leaderboard", "latest_manifest_url": "https://x.example/m.json"}]}')),
    Target("arena page", of_source("arena", "text_style_control-0.json"), lazily(board)),
    Target("arena catalogue", of_source("arena", "leaderboard-text-style-control.json"), lazily(catalogue)),
    Target("arena mirror", of_source("arena", "arena_reyamira.json"), lazily(mirror)),
    Target("arena table", of_source("arena", "lmarena_text.csv"), of(table("rank,rank_stylectrl,model,arena_score,95_pct_ci,votes", "1,1,nova-1,1201,+5/-4,100", "2,3,nova-2,1100,+5/-4,90"))),
    Target("arena counts", pages, lazily(board)),
    Target("litellm", of_source("litellm", "model_prices_and_context_window.json"), lazily(dollars)),
    Target("litellm ledger", llmledger, lazily(ledger_of_prices)),
    Target("litellm gzip", of_source("litellm", "llmledger.json.gz"), lazily(lambda: gzip.compress(ledger_of_prices(), mtime=0))),
    Target("modelsdev api", of_source("modelsdev", "api.json"), lazily(api)),
    Target("modelsdev toml", of_source("modelsdev", "providers/anthropic/models/nova-1.toml"), of(TOML)),
    Target("modelsdev history", of_source("modelsdev", "model_prices_snapshot.json"), lazily(old_prices)),
    Target("evidence store", store, stores),
    Target("ledger lines", ledger, lambda: [_ledger_bytes(), _ledger_bytes()[:-1], b""]),
    Target("ledger entries", entries, lazily(chain)),
    Target("index bytes", index, lazily(published)),
    Target("index numbers", sealed, lazily(published)),
    Target("calibration inputs", inputs, input_seeds),
    Target("own rows", own_rows, of(OWN)),
    Target("names", name, of(*(x.encode() for x in NAMES))),
    Target("checker answers", chat, said),
)}


@cache
def _ledger_bytes() -> bytes:
    head, lines = Head(), b""
    for kind, at, body in json.loads(chain()):
        line = make_line(head, kind, at, body)
        head, lines = Head(head.n + 1, json.loads(line)["sha256"], len(lines)), lines + line
    return lines
