"""params/prices.yml: whose price is whose, where the developer states it, and what an amount may be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pydantic
from pydantic import Field

from siiq_core.params.loader import Strict, load_yaml
from siiq_core.params.sources import Address

SOURCES = ("litellm", "modelsdev")  # ids in params/sources.yml


class Developer(Strict):
    """One developer: its pricing page, and its own services in each source."""

    pricing_page: Address
    litellm: Mapping[str, str] = {}  # provider → what its names begin with
    modelsdev: tuple[str, ...] = ()

    def services(self, source: str) -> Mapping[str, str]:
        """Provider → what is taken off the front of its names, in one of the SOURCES."""
        return self.litellm if source == "litellm" else dict.fromkeys(self.modelsdev, "")


class PriceParams(Strict):
    """All of params/prices.yml; what each key is for stands there. Amounts in US dollars per million tokens."""

    least: float = Field(ge=1e-6, le=1, description="US dollars per million tokens, 0.000001 to 1")
    least_cached: float = Field(ge=1e-6, le=1, description="US dollars per million tokens, 0.000001 to 1")
    most: float = Field(ge=1, le=1e6, description="US dollars per million tokens, 1 to 1000000")
    doubtful_ratio: float = Field(ge=2, le=1000, description="a factor, 2 to 1000")
    floating: tuple[str, ...]
    free: tuple[str, ...]
    developers: Mapping[str, Developer]

    @pydantic.model_validator(mode="after")
    def _a_service_has_one_owner(self) -> "PriceParams":
        for source in SOURCES:
            names = [name for developer in self.developers.values() for name in developer.services(source)]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"stands under two developers in {source}: {', '.join(twice)}")
        return self

    def owner(self, source: str, provider: str) -> tuple[str, str] | None:
        """(developer, what its names begin with) of a provider; None where it is no developer's own service."""
        return next(((name, services[provider]) for name, developer in self.developers.items()
                     if provider in (services := developer.services(source))), None)


def load_prices(root: Path) -> PriceParams:
    """The shipped parameters of prices."""
    return load_yaml(root / "params" / "prices.yml", PriceParams)
