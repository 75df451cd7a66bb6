"""Add a model: who moves? Percentile scores with and without a model on the boards, against SI-IQ with its frozen parameters.

A percentile counts a place among all rows of its board, so that a row that comes or goes moves the places of others. Let a
value u stand above `below` of N rows and be equal to `equal`, itself among them, and let rows v come (s = +1) or go (s = −1):

    p = 100·q/N,  q = below + ½·equal                                       (M3)
    p′ = 100·(q + s·Σ_v([v < u] + ½·[v = u]))/(N + s·#v)

q is a whole number of halves and can be read back exactly from the published percentile; medians and weights follow by M5
and M8. Whose scores exist does not change: that hangs on the boards a configuration has, not on its places there.
A score of SI-IQ follows from the model's own results and frozen parameters (S, C10).

Works on the published files alone. What goes with a model is the rows that count for its configurations; older entries of
it that a later one stands for stay on their boards.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from siiq_core.analysis.ruler import Ruler, ruler_of
from siiq_core.params.agreement import AgreementParams
from siiq_core.siblings.percentile.median import weighted_median

Json = Mapping[str, Any]
Rows = Mapping[str, Sequence[float]]  # board → values that come or go, more is better
KINDS = {"best": max, "middle": statistics.median_low, "worst": min}  # a newcomer stands there on every board and benchmark
COME, GO = 1, -1


@dataclass(frozen=True, slots=True)
class Moves:
    """What an arrival does to the scores of all others; in points of the scores."""

    others: int
    moved: int
    median: float | None  # of the sizes of all moves; None without others
    largest: float | None  # with its sign
    of: str | None  # whose that is; None where nobody moves
    swaps: tuple[tuple[str, str], ...]  # pairs of others in the order before, which is turned round


@dataclass(frozen=True, slots=True)
class Place:
    """A configuration on a board."""

    board: str
    n: int  # rows of the board
    twice: int  # 2q
    value: float  # turned so that more is better
    weight: Fraction  # in the median of its dimension (M5)

    def percentile(self, rows: Sequence[float] = (), sign: int = COME) -> Fraction:
        """Its midrank percentile after `rows` came or went (M3)."""
        beaten = sum((v < self.value) + (v <= self.value) for v in rows)  # 2 for a row below, 1 for an equal one
        return Fraction(100 * (self.twice + sign * beaten), 2 * (self.n + sign * len(rows)))


@dataclass(frozen=True, slots=True)
class Line:
    """A configuration with a score."""

    id: str
    model: str
    dimensions: tuple[tuple[Fraction, tuple[Place, ...], Fraction], ...]  # weight, places, median as published (M8)

    def score(self, rows: Rows = {}, sign: int = COME) -> float:
        """Its score after `rows` came or went; exact up to the last step."""
        total = weights = Fraction(0)
        for weight, places, median in self.dimensions:
            if any(p.board in rows for p in places):
                median = _median(places, rows, sign)
            total, weights = total + weight * median, weights + weight
        return float(total / weights)


def _median(places: Sequence[Place], rows: Rows, sign: int) -> Fraction:
    return weighted_median((p.percentile(rows.get(p.board, ()), sign), p.weight) for p in places)  # M5


def moves(before: Mapping[str, float], after: Mapping[str, float]) -> Moves:
    """The scores that both have, compared."""
    shared = sorted(before.keys() & after.keys())
    by = {x: after[x] - before[x] for x in shared}
    far = max(shared, key=lambda x: (abs(by[x]), x), default=None)
    ordered = sorted(shared, key=lambda x: (-before[x], x))
    swaps = tuple((x, y) for x, y in combinations(ordered, 2) if before[x] > before[y] and after[x] < after[y])
    return Moves(len(shared), sum(x != 0 for x in by.values()), _digits(statistics.median(map(abs, by.values()))) if shared else None,
                 _digits(by[far]) if far else None, far if far and by[far] else None, swaps)


def lines_of(percentile: Json) -> tuple[Line, ...]:
    """The configurations with a score, by id."""
    boards = {b["id"]: b for b in percentile["boards"]}
    shares = {d["id"]: Fraction(str(d["weight"])) for d in percentile["dimensions"]}

    def place(c: Json, board: str, weight: str) -> Place:
        n = boards[board]["n"]
        return Place(board, n, round(2 * n * c["percentiles"][board] / 100), _turned(boards[board], c["values"][board]), Fraction(weight))

    def dimension(c: Json, name: str) -> tuple[Fraction, tuple[Place, ...], Fraction]:
        places = tuple(place(c, b, weight) for b, weight in c["dimensions"][name]["weights"].items())
        return shares[name], places, _median(places, {}, COME)

    found = (c for c in percentile["configurations"] if c["score"] is not None)
    return tuple(Line(c["id"], c["model"], tuple(dimension(c, name) for name in c["counted"])) for c in sorted(found, key=lambda c: c["id"]))


def rows_of(percentile: Json) -> dict[str, dict[str, list[float]]]:
    """Model → board → values of its configurations there; boards that are in no score are left out (M9)."""
    scored = {d["id"] for d in percentile["dimensions"] if d["weight"]}
    boards = {b["id"]: b for b in percentile["boards"] if b["dimension"] in scored}
    out: dict[str, dict[str, list[float]]] = {}
    for c in percentile["configurations"]:
        own = out.setdefault(c["model"], {})
        for board, value in c["values"].items():
            if board in boards:
                own.setdefault(board, []).append(_turned(boards[board], value))
    return out


def _turned(board: Json, value: float) -> float:
    return -value if board["direction"] == "lower" else value


def inputs_of(index: Json) -> dict[str, dict[str, float]]:
    """Model → benchmark of the index set → score, of every model with a result there."""
    found = {m["slug"]: {r["benchmark"]: r["score"] for r in m["results"] if r["w"] is not None} for m in index["models"]}
    return {slug: own for slug, own in found.items() if own}


def siiq_of(ruler: Ruler, inputs: Mapping[str, Mapping[str, float]], models: Collection[str]) -> dict[str, float]:
    """SI-IQ of some of the models that have results, all of which are there when it is computed."""
    return {slug: ruler.score(inputs[slug]).overall.siiq for slug in sorted(models) if slug in inputs}


def newcomer(kind: str, found: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, float]:
    """What a newcomer of a kind has on every board or benchmark: the best, the middle or the worst value that a model has there.

    Parameters
    ----------
    found : model → board → values
    """
    by_board: dict[str, list[float]] = {}
    for own in found.values():
        for board, values in own.items():
            by_board.setdefault(board, []).extend(values)
    return {board: KINDS[kind](values) for board, values in sorted(by_board.items())}


def newcomers(index: Json, percentile: Json, params: AgreementParams) -> dict[str, Any]:
    """All of `newcomers` in agreement.json."""
    lines, rows, ruler, inputs = lines_of(percentile), rows_of(percentile), ruler_of(index), inputs_of(index)
    own = {line.model for line in lines}
    base, siiq = {line.id: line.score() for line in lines}, siiq_of(ruler, inputs, own)
    names = {c["model"]: c["name"] for c in percentile["configurations"]}

    results = {slug: {b: [score] for b, score in scores.items()} for slug, scores in inputs.items()}
    on_boards, on_benchmarks = ({kind: newcomer(kind, found) for kind in KINDS} for found in (rows, results))
    come = [(kind, size) for size in params.newcomers for kind in KINDS]
    crowded = [{line.id: line.score({b: [value] * size for b, value in on_boards[kind].items()}) for line in lines} for kind, size in come]
    crowds = [{f"{size} {kind} {k}": on_benchmarks[kind] for k in range(size)} for kind, size in come]
    beside = [siiq_of(ruler, inputs | crowd, own) for crowd in crowds]
    without = {slug: {line.id: line.score(gone, GO) for line in lines if line.model != slug} for slug, gone in sorted(rows.items())}
    arrived = {slug: moves(before, base) for slug, before in without.items()}
    told = sorted(rows, key=lambda x: (-abs(arrived[x].largest or 0), x))[:params.arrivals]
    absent = {slug: siiq_of(ruler, {x: scores for x, scores in inputs.items() if x != slug}, own - {slug}) for slug in told}
    everybody = {slug: scores for crowd in (inputs, *crowds) for slug, scores in crowd.items()}
    ranked = {m["slug"]: m["siiq"] for m in index["models"] if m["ranked"]}

    return {
        "models": len(rows), "moving": sum(x.moved > 0 for x in arrived.values()), "moving_all": sum(0 < x.others == x.moved for x in arrived.values()),
        "swapping": sum(bool(x.swaps) for x in arrived.values()),
        "invented": [{"kind": kind, "size": size, "percentile": _plain(moves(base, after)), "siiq": _plain(moves(siiq, scores))}
                     for (kind, size), after, scores in zip(come, crowded, beside, strict=True)],
        "arrivals": [{"model": slug, "name": names[slug], "boards": len(rows[slug]), "rows": sum(map(len, rows[slug].values())), "percentile": _plain(arrived[slug]),
                      "siiq": _plain(moves(absent[slug], siiq))} for slug in told],
        "all_at_once": {"size": len(everybody) - len(inputs), "siiq": _plain(moves(ranked, siiq_of(ruler, everybody, ranked)))},
        "moved": [{"configuration": line.id, "model": line.model, "name": names[line.model], "score": _digits(base[line.id]),
                   **swayed(line.id, base, without), "siiq": _most(line.model, siiq, [*beside, *absent.values()])} for line in lines],
    }


def swayed(line: str, base: Mapping[str, float], without: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The arrivals that lower and raise one score most, None where none does.

    Parameters
    ----------
    without : model → scores of all others without it
    """
    by = sorted((base[line] - before[line], slug) for slug, before in without.items() if line in before)
    down, up = min(by, default=(0, "")), min(((-x, slug) for x, slug in by), default=(0, ""))
    return {"down": {"by": down[1], "move": _digits(down[0])} if down[0] < 0 else None, "up": {"by": up[1], "move": _digits(-up[0])} if up[0] < 0 else None}


def _most(model: str, base: Mapping[str, float], others: Sequence[Mapping[str, float]]) -> float | None:
    """The largest difference, in size, that a score shows; None for a model that has none."""
    return max((abs(scores[model] - base[model]) for scores in others if model in scores), default=0.0) if model in base else None


def _plain(x: Moves) -> dict[str, Any]:
    return asdict(x) | {"swaps": [list(pair) for pair in x.swaps]}


def _digits(x: float) -> float:
    return float(f"{x:.12g}")
