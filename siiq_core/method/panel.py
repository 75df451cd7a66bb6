"""A panel: accepted results in canonical order, with model and benchmark numbers instead of names (C11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from siiq_core.errors import DataError
from siiq_core.method.numbers import group_sum, sig12
from siiq_core.method.transform import check_score, transform
from siiq_core.records import Benchmark

Cell = tuple[str, str, float]  # slug, benchmark, score
BLOCK = 1 << 15  # results that are worked on together, at the least: what a pass makes of them stays in the processor's cache


@dataclass(frozen=True, slots=True)
class Panel:
    """N results of M models on B benchmarks, sorted by slug, then benchmark id."""

    models: tuple[str, ...]  # length M, code-point order
    benchmarks: tuple[Benchmark, ...]  # length B, by id
    m: np.ndarray  # (N,) model number
    b: np.ndarray  # (N,) benchmark number
    s: np.ndarray  # (N,) score, 12 significant digits
    y: np.ndarray  # (N,) transformed score
    v: np.ndarray  # (N,) its variance
    reference: np.ndarray  # (M,) is the model in the reference group?

    def blocks(self, least: int = BLOCK) -> Iterator[slice]:
        """All rows in order, from `least` up at a time, a model's never parted."""
        start, rows = 0, len(self.m)
        while start < rows:
            last = self.m[min(start + least, rows) - 1]
            stop = int(np.searchsorted(self.m, last, side="right"))
            yield slice(start, stop)
            start = stop

    def by_model(self, of: Callable[[slice], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Sums by model, shape (M,), of each array that `of` gives for a block of rows."""
        out: tuple[np.ndarray, ...] = ()
        for rows in self.blocks():
            first, last = int(self.m[rows.start]), int(self.m[rows.stop - 1])
            own, found = self.m[rows] - first, of(rows)
            out = out or tuple(np.zeros(len(self.models)) for _ in found)
            for sums, x in zip(out, found, strict=True):
                sums[first : last + 1] = group_sum(own, x, last - first + 1)
        return out

    def by_benchmark(self, of: Callable[[slice], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """The same by benchmark, shape (B,): block by block, added up in their order."""
        out: tuple[np.ndarray, ...] = ()
        for rows in self.blocks():
            sums = tuple(group_sum(self.b[rows], x, len(self.benchmarks)) for x in of(rows))
            out = tuple(a + b for a, b in zip(out, sums, strict=True)) if out else sums
        return out

    def keep(self, models: np.ndarray, benchmarks: np.ndarray) -> Panel:
        """The panel of the models and benchmarks where the masks of shape (M,), (B,) hold; their results only."""
        rows = models[self.m] & benchmarks[self.b]
        new_m, new_b = np.cumsum(models) - 1, np.cumsum(benchmarks) - 1
        return Panel(
            tuple(x for x, k in zip(self.models, models, strict=True) if k),
            tuple(x for x, k in zip(self.benchmarks, benchmarks, strict=True) if k),
            new_m[self.m[rows]], new_b[self.b[rows]], self.s[rows], self.y[rows], self.v[rows], self.reference[models],
        )

    def without_benchmarks(self, ids: Iterable[str]) -> Panel:
        """The panel without these benchmarks (their models stay, also those left with nothing)."""
        gone = set(ids)
        return self.keep(np.ones(len(self.models), bool), np.array([x.id not in gone for x in self.benchmarks], bool))

    def without_models(self, slugs: Iterable[str]) -> Panel:
        """The panel without these models."""
        gone = set(slugs)
        return self.keep(np.array([x not in gone for x in self.models], bool), np.ones(len(self.benchmarks), bool))


def build_panel(results: Iterable[Cell], benchmarks: Mapping[str, Benchmark], reference: Iterable[str]) -> Panel:
    """Sort, check and transform results. The order they come in does not matter.

    Raises
    ------
    DataError
        A score outside [0, 1] (T2), a benchmark that is not configured, or a second score for a pair.
    """
    cells = sorted(results)
    for (slug, bench, score), before in zip(cells, [None, *cells], strict=False):
        check_score(score, file=f"results of {slug}", column=bench)
        if bench not in benchmarks:
            raise DataError("result on a benchmark that is not configured", value=bench, remedy="add it to params/benchmarks.csv")
        if before is not None and before[:2] == (slug, bench):
            raise DataError("two scores for one model and benchmark", file=f"results of {slug}", column=bench, value=score,
                            remedy="selection (P1) keeps one")
    models = tuple(sorted({slug for slug, _, _ in cells}))
    used = tuple(benchmarks[i] for i in sorted({bench for _, bench, _ in cells}))
    model_number = {slug: k for k, slug in enumerate(models)}
    bench_number = {x.id: k for k, x in enumerate(used)}
    m = np.array([model_number[slug] for slug, _, _ in cells], dtype=np.int64)
    b = np.array([bench_number[bench] for _, bench, _ in cells], dtype=np.int64)
    s = np.array([sig12(score) for _, _, score in cells], dtype=float)  # C11: rounded before anything is computed
    members = set(reference)
    return panel_of(models, used, m, b, s, np.array([x in members for x in models], bool))


def panel_of(models: tuple[str, ...], benchmarks: tuple[Benchmark, ...], m: np.ndarray, b: np.ndarray, s: np.ndarray, reference: np.ndarray) -> Panel:
    """A panel of columns that are in canonical order already; only the scores are looked at.

    Parameters
    ----------
    m, b, s : (N,) model numbers, benchmark numbers, scores of 12 significant digits, by model, then benchmark
    reference : (M,)
    """
    g, c, n = (np.array([getattr(x, name) for x in benchmarks], dtype=float) for name in ("g", "c", "n"))
    y, v = transform(s, g[b], c[b], n[b]) if len(s) else (np.zeros(0), np.zeros(0))
    return Panel(models, benchmarks, m, b, s, y, v, reference)
