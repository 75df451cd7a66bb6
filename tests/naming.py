"""Small model tables and readings with made-up names, for the tests of identity and selection."""

from pathlib import Path

from siiq_core.evidence.identity import NameIndex, build_index, extend_registry
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.names import Decision, load_names
from siiq_core.records import ModelVersion, Observation, Reading, SourceFile

ROOT = Path(__file__).resolve().parents[1]
NAMES = load_names(ROOT)
DAY = "2026-07-31"


def table(*lines: tuple) -> tuple[ModelVersion, ...]:
    """(version, group[, release day[, developer]]) → the lines of a model table."""
    return tuple(ModelVersion(line[0], line[1], line[2] if len(line) > 2 else None, line[3] if len(line) > 3 else "Acme", "API access")
                 for line in lines)


def index(*lines: tuple, decisions: tuple[Decision, ...] = ()) -> NameIndex:
    """An index of such a table, every group with a fresh slug."""
    rows = table(*lines)
    return build_index(rows, NAMES, extend_registry((), rows, DAY), decisions)


def decision(name: str, model: str, word: str = "confirmed", source: str = "aider") -> Decision:
    return Decision(source=source, name=name, model=model, decision=word, who="a reviewer", when="2026-08-01", why="same model")


def benchmark(id: str = "quiz", **changes) -> BenchmarkSpec:
    facts = dict(id=id, name=id, source="epoch", file=f"{id}.csv", score_column="Score", scale=1, area="math", family=id,
                 evaluator="Examiner", licence_basis="bundle", g=0, c=1, n=100, n_kind="defined", licence="CC BY 4.0",
                 licence_url="https://example.org/licence", address="https://example.org")
    return BenchmarkSpec(**{**facts, **changes})


def reading(name: str, score: float, *, setting: str = "", benchmark: str = "quiz", source: str = "epoch", origin: str = "",
            day: str = DAY, line: int = 1, row: dict | None = None) -> Reading:
    cells = row if row is not None else {"Model version": name, "Score": repr(score), "Effort": setting, "Name": origin}
    seen = Observation(source, day, f"{benchmark}.csv", line, f"{name}|{origin}|{setting}", cells)
    return Reading(benchmark, name.strip(), origin.strip(), setting, score, None, None, seen)


def files(*readings: Reading) -> dict:
    return {(r.observation.source, r.observation.snapshot, r.observation.file):
            SourceFile(r.observation.file, f"https://example.org/{r.observation.file}", "ab" * 32, 10, 1, tuple(r.observation.row))
            for r in readings}
