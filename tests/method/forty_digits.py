"""The method's arithmetic once more, in decimals of 40 digits: what rounding of floats is compared with.

Written from the specification (T, S, C2–C4, C6, C7, A) with loops and the standard library, and shares no code with the method.
Which models and benchmarks take part (C1, C4, C5) involves counting and flags alone, so the set is given.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction

DIGITS = 40
_TWELVE = Context(prec=12)
Scores = Mapping[str, Mapping[str, float]]  # model → benchmark → score


@dataclass(frozen=True)
class Found:
    """A calibration of 12 significant digits (C11), κ apart."""

    alpha: dict[str, Decimal]
    beta: dict[str, Decimal]
    sigma2: dict[str, Decimal]
    omega: dict[str, Decimal]
    shift: Decimal
    scale: Decimal
    rounds: int


def twelve(x: Decimal) -> Decimal:
    """C11."""
    return _TWELVE.plus(x)


def exact(x: float) -> Decimal:
    """A float as it is written, of 12 digits."""
    return twelve(Decimal(repr(float(x))))


def transformed(score: float, bench) -> tuple[Decimal, Decimal]:
    """T."""
    g, c, n = exact(bench.g), exact(bench.c), Decimal(bench.n)
    p = min(max((exact(score) - g) / (c - g), Decimal(0)), Decimal(1))
    star = (p * n + Decimal("0.5")) / (n + 1)
    s = g + (c - g) * star
    return (star / (1 - star)).ln(), s * (1 - s) * n / ((n + 1) ** 2 * (c - g) ** 2 * star**2 * (1 - star) ** 2)


def mean(values: Iterable[Decimal]) -> Decimal:
    values = list(values)
    return sum(values) / len(values)


def spread(values: Iterable[Decimal]) -> Decimal:
    """Population standard deviation."""
    values = list(values)
    centre = mean(values)
    return mean((x - centre) ** 2 for x in values).sqrt()


def calibrated(scores: Scores, benchmarks: Mapping, members: Iterable[str], params) -> Found:
    """C2–C4, C6 on a set that needs no pruning: all of `scores`."""
    with localcontext(prec=DIGITS):
        lam, floor, least = exact(params.lam), exact(params.loading_floor), exact(params.residual_variance_floor)
        points = {m: {b: transformed(x, benchmarks[b]) for b, x in own.items()} for m, own in scores.items()}
        columns: dict[str, list[tuple[str, Decimal, Decimal]]] = {}
        for m, own in points.items():
            for b, (y, v) in own.items():
                columns.setdefault(b, []).append((m, y, v))
        areas = Counter(benchmarks[b].area for b in columns)
        omega = {b: 1 / Decimal(areas[benchmarks[b].area]).sqrt() if params.omega else Decimal(1) for b in columns}
        known = [m for m in members if m in points]
        theta = _standardised(_first(points, columns), known)[0]  # C2
        alpha, beta, sigma2 = {}, {}, dict.fromkeys(columns, exact(params.start_residual_variance))
        rounds, change = 0, Decimal("Infinity")
        while change > exact(params.convergence_tolerance):
            rounds, before = rounds + 1, theta
            alpha, beta, sigma2 = _lines(columns, theta, sigma2, floor, least)  # C3a
            theta = {m: _ability(own, benchmarks, alpha, beta, sigma2, omega, lam)[0] for m, own in points.items()}  # C3b
            theta, centre, sd = _standardised(theta, known)  # C3c
            beta = {b: beta[b] + alpha[b] * centre for b in beta}
            alpha = {b: alpha[b] * sd for b in alpha}
            change = max(abs(theta[m] - before[m]) for m in theta)
        alpha, beta, sigma2 = _lines(columns, theta, sigma2, floor, least)  # C4
        alpha, beta, sigma2, omega = ({b: twelve(x) for b, x in values.items()} for values in (alpha, beta, sigma2, omega))
        raw = [_ability(points[m], benchmarks, alpha, beta, sigma2, omega, lam)[0] for m in known]  # C6
        return Found(alpha, beta, sigma2, omega, twelve(mean(raw)), twelve(spread(raw)), rounds)


def _first(points, columns) -> dict[str, Decimal]:
    """C2: the mean of a model's z-scores."""
    centre = {b: mean(y for _, y, _ in own) for b, own in columns.items()}
    sd = {b: Decimal(0) if len({y for _, y, _ in own}) == 1 else spread(y for _, y, _ in own) for b, own in columns.items()}
    return {m: mean((y - centre[b]) / sd[b] if sd[b] else Decimal(0) for b, (y, _) in own.items()) for m, own in points.items()}


def _standardised(theta: Mapping[str, Decimal], known: list[str]) -> tuple[dict[str, Decimal], Decimal, Decimal]:
    centre, sd = mean(theta[m] for m in known), spread(theta[m] for m in known)
    return {m: (x - centre) / sd for m, x in theta.items()}, centre, sd


def _lines(columns, theta, sigma2, floor, least):
    """C3a: a weighted line for each benchmark, floors, and its residual variance."""
    alpha, beta, noise = {}, {}, {}
    for b, own in columns.items():
        weighted = [(1 / (sigma2[b] + v), theta[m], y) for m, y, v in own]
        total = sum(u for u, _, _ in weighted)
        x_mean, y_mean = sum(u * x for u, x, _ in weighted) / total, sum(u * y for u, _, y in weighted) / total
        slope = sum(u * (x - x_mean) * (y - y_mean) for u, x, y in weighted) / sum(u * (x - x_mean) ** 2 for u, x, _ in weighted)
        alpha[b] = max(slope, floor)
        beta[b] = y_mean - alpha[b] * x_mean
        left = sum((y - alpha[b] * theta[m] - beta[b]) ** 2 for m, y, _ in own) / (len(own) - 2)
        noise[b] = max(left - mean(v for _, _, v in own), least)
    return alpha, beta, noise


def _ability(own, benchmarks, alpha, beta, sigma2, omega, lam) -> tuple[Decimal, Decimal]:
    """S: (θ₀, √Σw²α²(σ²+v)/D)."""
    families = Counter(benchmarks[b].family for b in own)
    top, bottom, middle = Decimal(0), lam, Decimal(0)
    for b, (y, v) in own.items():
        variance = sigma2[b] + v
        w = omega[b] / families[benchmarks[b].family] / variance
        top += w * alpha[b] * (y - beta[b])
        bottom += w * alpha[b] ** 2
        middle += w**2 * alpha[b] ** 2 * variance
    return top / bottom, middle.sqrt() / bottom


def scored(own: Mapping[str, float], benchmarks: Mapping, found: Found, kappa: Decimal, params) -> dict[str, Decimal]:
    """S: θ₀, and SI-IQ with its interval, of one model's scores on the index set."""
    with localcontext(prec=DIGITS):
        points = {b: transformed(x, benchmarks[b]) for b, x in own.items() if b in found.alpha}
        theta0, raw = _ability(points, benchmarks, found.alpha, found.beta, found.sigma2, found.omega, exact(params.lam))
        theta, se = (theta0 - found.shift) / found.scale, kappa * raw / found.scale
        z, centre, sd = exact(params.z90), exact(params.mean), exact(params.sd)
        return {"theta0": theta0, "theta": theta, "se": se, "siiq": centre + sd * theta, "low": centre + sd * (theta - z * se), "high": centre + sd * (theta + z * se)}


def kappa(scores: Scores, folds: Iterable[tuple[Iterable[str], Found]], benchmarks: Mapping, params) -> Decimal:
    """C7: from each fold's held-out models and the calibration without them."""
    with localcontext(prec=DIGITS):
        found = []
        for held_out, without in folds:
            for m in held_out:
                own = {b: x for b, x in scores[m].items() if b in without.alpha}
                half = {family: k % 2 for k, family in enumerate(sorted({benchmarks[b].family for b in own}))}
                halves = [{b: x for b, x in own.items() if half[benchmarks[b].family] == k} for k in (0, 1)]
                if len(own) < params.min_results_held_out or min(map(len, halves)) < params.min_results_per_half:
                    continue
                a, b = (scored(x, benchmarks, without, Decimal(1), params) for x in halves)
                found.append(abs(a["theta"] - b["theta"]) / (a["se"] ** 2 + b["se"] ** 2).sqrt())
        place = math.ceil(Fraction(str(params.kappa_quantile)) * len(found))
        return twelve(max(Decimal(1), sorted(found)[place - 1] / exact(params.z90)))
