"""Kinds of parameters: numbers in a range, ids of benchmarks, areas. A lost type is refused, never guessed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field


def _no_text_or_bool(value: Any) -> Any:
    """Numbers come as numbers: neither '0.2' nor true is one (a lost type is refused, not guessed)."""
    if isinstance(value, (bool, str)):
        raise ValueError(f"a number is needed, not {type(value).__name__}")
    return value


def number(low: float, high: float, text: str) -> Any:
    """A field type: a number in a range, never text or a truth value; `text` is the remedy."""
    return Annotated[float, pydantic.BeforeValidator(_no_text_or_bool), Field(ge=low, le=high, description=text)]


def whole(low: int, high: int, text: str) -> Any:
    """The same for whole numbers."""
    return Annotated[int, pydantic.BeforeValidator(_no_text_or_bool), Field(ge=low, le=high, description=text)]


Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[.-][a-z0-9]+)*$")]
Area = Literal["knowledge", "math", "reasoning", "coding", "agents"]
