"""The literal re-reader: reads a raw row again without an AI, and without any code of the adapters.

It sees what stands where, and knows no models: which model a name means it cannot judge, and says so. It stands in only
where the operator configured it (U2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from siiq_core.gate.checker.numbers import as_fraction, exact, same
from siiq_core.gate.checker.records import Field, Question, Verdict, clipped, differences, stamp, unique
from siiq_core.params.benchmarks import BenchmarkSpec
from siiq_core.params.sources import SourceSpec

WHO = "literal re-reader"
_CONFIRMED = "Name, score and benchmark stand in the row as read; which model the name means is nothing a literal re-reader can judge."


@dataclass(frozen=True)
class LiteralReader:
    """Compares with params/benchmarks.csv and params/sources.yml, read as data.

    Parameters
    ----------
    benchmarks : by id
    sources : by id
    """

    benchmarks: Mapping[str, BenchmarkSpec]
    sources: Mapping[str, SourceSpec]

    def read(self, questions: Sequence[Question], now: datetime) -> tuple[Verdict, ...]:
        """One verdict a question, in their order. This reader is always in reach."""
        at = stamp(now)
        return tuple(self._verdict(question, at) for question in unique(questions))

    def _verdict(self, q: Question, at: str) -> Verdict:
        spec, source = self.benchmarks.get(q.benchmark), self.sources.get(q.source)
        if spec is None or source is None:
            what = f"{'benchmark ' + q.benchmark if spec is None else 'source ' + q.source} is not configured"
            return Verdict(q.id, "refused", WHO, "literal", "", at, (), f"Not compared: {clipped(what)}.")
        fields = (_model(q, source), _benchmark(q, spec), _number(q, spec, source), _identity(q, spec, source))
        agree = all(field.agree for field in fields)
        return Verdict(q.id, "confirmed" if agree else "refused", WHO, "literal", "", at, fields, _CONFIRMED if agree else differences(fields))


def _model(q: Question, source: SourceSpec) -> Field:
    """The name as read stands, whole, in a cell of names; so does the name at the origin, where there is one."""
    cells = [q.row.get(header, "").strip() for header in (*source.columns.name, *source.columns.origin_name)]
    wanted = [name for name in (q.name, q.origin_name) if name]
    agree = bool(wanted) and all(name in cells for name in wanted)
    return Field("model", clipped(" / ".join(filter(None, cells)) or "no name"), clipped(" / ".join(wanted)), agree)


def _benchmark(q: Question, spec: BenchmarkSpec) -> Field:
    """The row is of the benchmark's source and file, under that file's headers, and passes the benchmark's filter."""
    seen, ours, agree = [q.source, q.file], [spec.source, spec.file], set(q.row) <= set(q.headers)
    column, shows, value = spec.filter.partition("=")
    if shows:
        seen.append(f"{column.strip()}={q.row.get(column.strip(), '').strip()}")
        ours.append(f"{column.strip()}={value.strip()}")
    elif spec.filter:
        header = spec.filter.removeprefix("header has").strip()
        seen.append(f"header {header}: {'there' if header in q.headers else 'missing'}")
        ours.append(f"header {header}: there")
    if not agree:
        seen.append("cells under headers that the file has not")
    return Field("benchmark", clipped(", ".join(seen)), clipped(", ".join(ours)), agree and seen == ours)


def _number(q: Question, spec: BenchmarkSpec, source: SourceSpec) -> Field:
    """The cell under the configured header, times the configured scale, is the fraction that would be published (T4)."""
    cell = q.row.get(spec.score_column, "").strip()
    signed = spec.score_column in source.percent_sign
    digits = exact(cell[:-1].rstrip() if signed and cell.endswith("%") else cell)
    fraction = None if digits is None or signed != cell.endswith("%") else as_fraction(digits, spec.scale)
    counts = [exact(q.row.get(header, "").strip()) for header in source.columns.attempts]
    nothing_run = any(count is not None and count == 0 for count in counts)
    agree = (fraction is not None and 0 <= fraction <= 1 and same(fraction, q.score) and not nothing_run
             and spec.score_column in q.headers and (q.score_column, q.scale) == (spec.score_column, spec.scale))
    seen = f"{spec.score_column}: {cell or 'nothing'}{', and nothing was run' if nothing_run else ''}, times {spec.scale:g}"
    return Field("number", clipped(seen), clipped(f"{q.score!r} from {q.score_column}, times {q.scale:g}"), agree)


def _identity(q: Question, spec: BenchmarkSpec, source: SourceSpec) -> Field:
    """E1: no cell shows that the model's developer reported the number. Looked for in every cell but name and score."""
    apart = {*source.columns.name, *source.columns.origin_name, spec.score_column}
    claims = source.common.developer_claims
    marks = [cell for header, cell in sorted(q.row.items()) if header not in apart and _claims(cell, claims.words, claims.hosts)]
    read = f"reported by the developer: {marks[0]}" if marks else "no mark that the developer reported it; the model meant is not judged"
    return Field("identity", clipped(read), clipped(f"{q.model}, measured by {spec.evaluator}"), not marks)


def _claims(cell: str, words: Sequence[str], hosts: Sequence[str]) -> bool:
    text = " ".join(cell.casefold().split())
    if any(word.casefold() in text for word in words):
        return True
    try:
        host = urlsplit(text).hostname or ""
    except ValueError:
        return text.startswith(("http://", "https://"))  # an address that nobody can read is no proof of independence
    return any(f".{host}".endswith(f".{known}") for known in hosts)
