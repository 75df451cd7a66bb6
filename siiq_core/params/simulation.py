"""params/simulation.yml: seed, sizes and scenarios of the simulation, typed and range-checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pydantic
from pydantic import Field

from siiq_core.params.benchmarks import Slug
from siiq_core.params.fields import number, whole
from siiq_core.params.loader import Strict, load_yaml, with_numbers

Share = number(0.01, 1, "a share, 0.01 to 1")
Logits = number(0, 10, "logits, 0 to 10")
Loading = number(0, 5, "logits by unit of ability, 0 to 5")


class Coverage(Strict):
    """How many boards measure a model."""

    least: Share
    most: Share
    by: Literal["chance", "ability"]

    @pydantic.model_validator(mode="after")
    def _ordered(self) -> "Coverage":
        if self.least > self.most:
            raise ValueError("least must not be above most")
        return self


class NewBoards(Strict):
    """Hard boards that measure the strongest only."""

    share: Share
    harder: Logits
    strongest: Share


class Revision(Strict):
    """Boards that another one replaces under the same name, halfway through the models."""

    share: Share
    harder: Logits
    loading: number(0, 5, "a factor, 0 to 5")
    progress: number(0, 1, "a correlation, 0 to 1")


class Noise(Strict):
    """Boards with few questions that see much beside ability."""

    share: Share
    questions: whole(1, 5000, "questions, 1 to 5000")
    deviation: Logits


class Loadings(Strict):
    """Boards that measure another share of ability."""

    share: Share
    loading: Loading


class Ends(Strict):
    """Boards where nearly all, or nearly none, of the answers are right."""

    share: Share
    shift: Logits


class Copies(Strict):
    """Near-copies of one board."""

    further: whole(1, 50, "boards, 1 to 50")
    deviation: Logits
    own: Logits


class Distortion(Strict):
    """A rising curve per board that leaves nothing but the order."""

    steps: whole(2, 50, "steps, 2 to 50")
    spread: number(0, 5, "standard deviation of a logarithm, 0 to 5")


class Level(Strict):
    """Scores that rise evenly with ability."""

    slope: number(0.001, 1, "a share by unit of ability, 0.001 to 1")
    low: number(0, 1, "a share, 0 to 1")
    high: number(0, 1, "a share, 0 to 1")
    deviation: number(0, 1, "a share, 0 to 1")


class Leaks(Strict):
    """Answers that leaked to some models."""

    share: Share
    gain: Logits


Alteration = Coverage | NewBoards | Revision | Noise | Loadings | Ends | Copies | Distortion | Level | Leaks


class Scenario(Strict):
    """A fair world with at most one alteration."""

    id: Slug
    stream: whole(0, 1_000_000, "a whole number, 0 to 1000000")
    coverage: Coverage | None = None
    new_boards: NewBoards | None = None
    revision: Revision | None = None
    noise: Noise | None = None
    loadings: Loadings | None = None
    ends: Ends | None = None
    copies: Copies | None = None
    distortion: Distortion | None = None
    level: Level | None = None
    leaks: Leaks | None = None

    @property
    def alterations(self) -> Mapping[str, Alteration]:
        """Name → what it says, of the alterations named."""
        return {name: x for name in type(self).model_fields if isinstance(x := getattr(self, name), Strict)}

    @pydantic.model_validator(mode="after")
    def _one_alteration(self) -> "Scenario":
        if len(self.alterations) > 1:
            raise ValueError(f"one alteration at a time, not {' and '.join(self.alterations)}")
        return self


class SimulationParams(Strict):
    """All of params/simulation.yml; units and ranges stand there and in the descriptions."""

    seed: whole(0, 4_294_967_295, "a whole number, 0 to 4294967295")
    replications: whole(2, 1000, "worlds, 2 to 1000")
    separation: number(0.1, 10, "standard errors, 0.1 to 10")
    models: whole(20, 500, "models, 20 to 500")
    boards_per_area: whole(2, 20, "boards, 2 to 20")
    questions: whole(5, 5000, "questions, 5 to 5000")
    loading: number(0.1, 5, "logits by unit of ability, 0.1 to 5")
    difficulty: number(0, 5, "logits, 0 to 5")
    deviation: number(0, 5, "logits, 0 to 5")
    areas: Mapping[Slug, Slug] = Field(min_length=1)
    scenarios: tuple[Scenario, ...] = Field(min_length=1)

    @pydantic.model_validator(mode="after")
    def _no_scenario_twice(self) -> "SimulationParams":
        for what, values in (("id", [s.id for s in self.scenarios]), ("stream", [s.stream for s in self.scenarios])):
            if len(set(values)) != len(values):
                raise ValueError(f"two scenarios with the same {what}")
        return self


SCALARS = tuple(name for name in SimulationParams.model_fields if name not in ("areas", "scenarios"))


def load_simulation(root: Path) -> SimulationParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "simulation.yml", SimulationParams)


def with_simulation_changes(base: SimulationParams, changes: Mapping[str, Any]) -> SimulationParams:
    """`base` with some of its numbers replaced; an unknown name, a wrong type or a value out of range is a ParameterError."""
    return with_numbers(base, changes, SCALARS)
