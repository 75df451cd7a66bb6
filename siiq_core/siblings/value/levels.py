"""A joint fit x = a(variant) + d(benchmark): what makes one benchmark's crowd differ from another's (Q3, D2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

Table = Mapping[str, Mapping[str, float]]  # benchmark → variant → value


@dataclass(frozen=True, slots=True)
class Pair:
    """Two benchmarks after levelling."""

    a: str
    b: str
    shared: int  # variants that both measured
    difference: float  # mean of a − b over them


@dataclass(frozen=True, slots=True)
class Levels:
    """Offsets against the anchor, whose own is 0."""

    anchor: str | None  # None: nothing was given
    offsets: Mapping[str, float]  # of linked benchmarks only
    unlinked: tuple[str, ...]  # benchmarks that no chain of shared variants links to the anchor
    pairs: tuple[Pair, ...]  # linked benchmarks that share a variant


def levels(table: Table, fit: bool = True) -> Levels:
    """Fit `table` by least squares over variants that two or more benchmarks measured.

    Parameters
    ----------
    table : benchmark → variant → value; benchmarks without a value are passed over
    fit : False leaves every offset at 0; what is linked is found all the same
    """
    table = {b: table[b] for b in sorted(table) if table[b]}
    if not table:
        return Levels(None, {}, (), ())
    anchor = min(table, key=lambda b: (-len(table[b]), b))
    linked = _linked(table, anchor)
    inside = {b: table[b] for b in table if b in linked}
    offsets = _offsets(inside, anchor) if fit else dict.fromkeys(inside, 0.0)
    return Levels(anchor, offsets, tuple(b for b in table if b not in linked), _pairs(inside, offsets))


def _linked(table: Table, anchor: str) -> set[str]:
    linked, reached = {anchor}, set(table[anchor])
    while more := [b for b in table if b not in linked and not reached.isdisjoint(table[b])]:
        linked.update(more)
        reached.update(*(table[b] for b in more))
    return linked


def _offsets(table: Table, anchor: str) -> dict[str, float]:
    """The normal equations with the variants' own levels taken out: one row a benchmark, the anchor's dropped."""
    free = [b for b in table if b != anchor]
    place = {b: i for i, b in enumerate(free)}
    matrix = [[0.0] * (len(free) + 1) for _ in free]  # the last column is the right-hand side
    measured: dict[str, list[str]] = {}
    for b in table:
        for v in table[b]:
            measured.setdefault(v, []).append(b)
    for v in sorted(measured):
        own = measured[v]
        if len(own) < 2:
            continue
        mean, share = sum(table[b][v] for b in own) / len(own), 1 / len(own)
        for b in own:
            if b == anchor:
                continue
            row = matrix[place[b]]
            row[-1] += table[b][v] - mean
            row[place[b]] += 1.0
            for c in own:
                if c != anchor:
                    row[place[c]] -= share
    return {anchor: 0.0, **dict(zip(free, _solve(matrix), strict=True))}


def _solve(matrix: list[list[float]]) -> list[float]:
    """Gaussian elimination; the matrix is symmetric and positive definite, so its diagonal never vanishes."""
    n = len(matrix)
    for k in range(n):
        for i in range(k + 1, n):
            factor = matrix[i][k] / matrix[k][k]
            for j in range(k, n + 1):
                matrix[i][j] -= factor * matrix[k][j]
    found = [0.0] * n
    for k in reversed(range(n)):
        found[k] = (matrix[k][n] - sum(matrix[k][j] * found[j] for j in range(k + 1, n))) / matrix[k][k]
    return found


def _pairs(table: Table, offsets: Mapping[str, float]) -> tuple[Pair, ...]:
    out = []
    for a, b in combinations(sorted(table), 2):
        shared = sorted(set(table[a]) & set(table[b]))
        if shared:
            left = sum(table[a][v] - table[b][v] for v in shared) / len(shared) - offsets[a] + offsets[b]
            out.append(Pair(a, b, len(shared), left))
    return tuple(out)
