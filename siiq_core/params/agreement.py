"""params/agreement.yml: what the page of the methods side by side tells, and how much of it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from siiq_core.params.fields import whole
from siiq_core.params.loader import Strict, load_yaml


class AgreementParams(Strict):
    """All of params/agreement.yml; what each number means stands there."""

    least_shared: whole(5, 100, "models, 5 to 100")
    disagreements: whole(1, 50, "models, 1 to 50")
    named: whole(2, 30, "models, 2 to 30")
    marked: whole(0, 10, "models, 0 to 10")
    least_change: whole(1, 50, "places, 1 to 50")
    newcomers: tuple[whole(1, 100, "models, 1 to 100"), ...] = Field(min_length=1, description="a list of numbers of models, each 1 to 100")
    arrivals: whole(1, 50, "models, 1 to 50")


def load_agreement(root: Path) -> AgreementParams:
    """The shipped parameters."""
    return load_yaml(root / "params" / "agreement.yml", AgreementParams)
