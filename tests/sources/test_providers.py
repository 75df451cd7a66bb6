"""P3: the median provider among those that were asked enough; the developer's own alone where it qualifies."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from siiq_core.evidence.providers import Offer, choose
from siiq_core.params.providers import ProviderRules

RULES = ProviderRules(coverage=0.95, no_provider=("auto-routing",), own={"nova-lab": ("Nova Cloud", "Nova Studio")})


def offer(provider: str, score: float, asked: float = 198, runs: int = 1, developer: str = "nova-lab") -> Offer:
    return Offer(developer, provider, score, Fraction(str(asked)) * runs, Fraction(runs))


def chosen(*offers: Offer, n: int = 198, rules: ProviderRules = RULES) -> str | None:
    found = choose(offers, n, rules)
    return None if found.chosen is None else offers[found.chosen].provider


def test_the_median_provider_by_score_the_lower_middle_of_an_even_number() -> None:
    assert chosen(offer("A", 0.9), offer("B", 0.1), offer("C", 0.5)) == "C"
    assert chosen(offer("A", 0.9), offer("B", 0.1), offer("C", 0.5), offer("D", 0.6)) == "C"
    assert chosen(offer("A", 0.9), offer("B", 0.1)) == "B"
    assert chosen(offer("A", 0.4)) == "A"


def test_never_an_average() -> None:
    """Whatever is chosen is one provider's own score."""
    offers = [offer("A", 0.2), offer("B", 0.8)]
    assert offers[choose(offers, 198, RULES).chosen].score in {0.2, 0.8}


def test_ties_go_by_the_providers_name() -> None:
    assert chosen(offer("B", 0.5), offer("A", 0.5)) == "A"
    assert chosen(offer("C", 0.5), offer("B", 0.5), offer("A", 0.5), offer("D", 0.9)) == "B"


def test_coverage_counts_questions_a_run() -> None:
    assert chosen(offer("A", 0.5, asked=188.1)) == "A"  # exactly 0.95 of 198
    assert chosen(offer("A", 0.5, asked=188)) is None
    assert chosen(offer("A", 0.5, asked=188.1, runs=7), offer("B", 0.9, asked=188, runs=50)) == "A"  # more runs do not help


@pytest.mark.parametrize(("n", "enough"), [(140, 133), (180, 171), (60, 57), (20, 19), (100, 95)])
def test_coverage_is_exact_at_the_limit(n: int, enough: int) -> None:
    assert chosen(offer("A", 0.5, asked=enough), n=n) == "A"
    assert chosen(offer("A", 0.5, asked=enough - 1), n=n) is None


def test_nothing_run_and_no_provider_are_out() -> None:  # fault kind 4
    found = choose([offer("A", 0.0, runs=0), offer("auto-routing", 0.9), offer(" Auto-Routing ", 0.9), offer("", 0.9)], 198, RULES)
    assert found.chosen is None
    assert [reason for _, reason in found.out] == ["nothing was run"] + ["routed to several providers, or the provider is not named"] * 3


def test_the_developers_own_hosting_stands_alone_if_it_qualifies() -> None:
    others = [offer("A", 0.9), offer("B", 0.8), offer("C", 0.7)]
    assert chosen(*others, offer("nova  cloud", 0.1)) == "nova  cloud"  # without regard to case and blanks
    assert chosen(*others, offer("Nova Cloud", 0.1, asked=100)) == "B"  # it does not qualify
    assert chosen(*others, offer("Nova Cloud", 0.1), offer("Nova Studio", 0.3)) == "Nova Cloud"  # the median of its own
    assert chosen(*others, offer("Nova Cloud", 0.1, developer="echo-lab"), offer("D", 0.85)) == "B"  # another's is one of many


def test_every_offer_is_accounted_for_and_the_order_does_not_matter() -> None:
    offers = [offer(name, score) for name, score in (("A", 0.4), ("B", 0.4), ("C", 0.7), ("auto-routing", 0.9), ("D", 0.1))]
    plain = chosen(*offers)
    for seed in range(20):
        shuffled = random.Random(seed).sample(offers, len(offers))
        found = choose(shuffled, 198, RULES)
        assert shuffled[found.chosen].provider == plain == "A"
        assert sorted(k for k, _ in found.out) == sorted(set(range(5)) - {found.chosen})


def test_no_offer_no_result() -> None:
    assert choose([], 198, RULES).chosen is None
