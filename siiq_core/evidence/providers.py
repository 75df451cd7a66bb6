"""P3: of several hosting providers of one model, the one whose score counts. Never an average."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from siiq_core.params.providers import ProviderRules


@dataclass(frozen=True, slots=True)
class Offer:
    """A model at one provider, in one setting."""

    developer: str  # of the model, as its name writes it before "/"
    provider: str
    score: float  # fraction
    attempted: Fraction  # questions asked over all runs
    runs: Fraction


@dataclass(frozen=True, slots=True)
class Choice:
    """Which offer counts, and why each of the others does not. Positions in the sequence that was asked about."""

    chosen: int | None  # None: no provider qualifies, so there is no result
    out: tuple[tuple[int, str], ...]


def choose(offers: Iterable[Offer], n: int, rules: ProviderRules) -> Choice:
    """The median provider by score among those that qualify; the developer's own alone, where it qualifies.

    Parameters
    ----------
    offers : one model in one setting; a provider stands once
    n : questions of the benchmark
    """
    offers = tuple(offers)
    reasons = {k: _unfit(offer, n, rules) for k, offer in enumerate(offers)}
    fit = [k for k, reason in reasons.items() if not reason]
    own = [k for k in fit if rules.is_own(offers[k].developer, offers[k].provider)]
    # in order of score, ties by provider name; the lower middle one of an even number
    ranked = sorted(own or fit, key=lambda k: (offers[k].score, offers[k].provider, k))
    chosen = ranked[(len(ranked) - 1) // 2] if ranked else None
    for k in fit:
        if own and k not in own:
            reasons[k] = "the developer's own hosting qualifies, so it speaks alone"
        elif k != chosen:
            reasons[k] = f"{offers[chosen].provider} is the median provider of {len(ranked)}"
    return Choice(chosen, tuple((k, reason) for k, reason in sorted(reasons.items()) if reason))


def _unfit(offer: Offer, n: int, rules: ProviderRules) -> str:
    if rules.is_none(offer.provider):
        return "routed to several providers, or the provider is not named"
    if offer.runs <= 0:
        return "nothing was run"
    if offer.attempted / offer.runs < rules.share * n:
        return f"{float(offer.attempted / offer.runs):.12g} questions a run are fewer than {rules.coverage:g} of {n}"
    return ""
