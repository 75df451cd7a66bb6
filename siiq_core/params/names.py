"""params/names.yml, decisions.csv and models.csv: how names are read, what persons decided, which slugs are given."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import pydantic
from pydantic import Field

from siiq_core.errors import ParameterError
from siiq_core.files import cell_text, csv_bytes, text_cell
from siiq_core.params.loader import Strict, load_csv, load_yaml, nearest, parse_csv, read_text

Words = tuple[str, ...]
SLUG = r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"  # I6; no dot or hyphen at either end, so never "." or ".."


class Names(Strict):
    """All of params/names.yml; what each list is for stands there."""

    max_name_characters: int = Field(ge=1, le=10_000, description="characters, 1 to 10000")
    prefixes: Words
    settings: Words
    budget_words: Words
    thinking_words: Words
    default_setting: str = Field(min_length=1)
    glued_tiers: Words
    tier_words: Words
    modality_words: Words
    neutral_words: Words
    developer_aliases: Mapping[str, str]
    evaluator_owns: Mapping[str, Words]

    @pydantic.field_validator("settings", "budget_words", "thinking_words", "glued_tiers", "tier_words",
                              "modality_words", "neutral_words")
    @classmethod
    def _plain_words(cls, words: Words) -> Words:
        for word in words:
            if word != " ".join(word.casefold().split()) or not word:
                raise ValueError(f"{word!r}: write words in lower case, single blanks between")
        return _once(words)

    @pydantic.field_validator("prefixes")
    @classmethod
    def _end_in_slash(cls, words: Words) -> Words:
        for word in words:
            if not word.endswith("/") or word != word.casefold():
                raise ValueError(f"{word!r}: a prefix is in lower case and ends in '/'")
        return _once(words)

    @pydantic.model_validator(mode="after")
    def _lists_agree(self) -> Names:
        kinds = (*self.tier_words, *self.modality_words, *self.neutral_words)
        both = sorted({word for word in kinds if kinds.count(word) > 1})
        if both:
            raise ValueError(f"tier, modality and neutral words exclude one another: {', '.join(both)}")
        strange = set(self.thinking_words) - set(self.settings)
        if strange:
            raise ValueError(f"thinking_words that are no settings: {', '.join(sorted(strange))}")
        tiers = set(self.glued_tiers) - set(self.tier_words)
        if tiers:
            raise ValueError(f"glued_tiers that are no tier_words: {', '.join(sorted(tiers))}")
        return self

    @property
    def product_words(self) -> Words:
        """Tiers and modalities together (I1)."""
        return (*self.tier_words, *self.modality_words)


def _once(words: Words) -> Words:
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        raise ValueError(f"stands twice: {', '.join(twice)}")
    return words


class Decision(Strict):
    """One line of params/decisions.csv: a person's word on a name (I4). A later line on the same name replaces an earlier."""

    source: str = Field(min_length=1, description="a source id, as in params/sources.yml")
    name: str = Field(min_length=1, description="the name as the source writes it")
    model: str = Field(default="", description="the slug it means; blank with 'rejected' means: no model at all")
    decision: Literal["confirmed", "rejected"] = Field(description="confirmed or rejected")
    who: str = Field(min_length=1, description="who decided")
    when: datetime.date = Field(description="an ISO day")
    why: str = Field(min_length=1, description="the reason, in a sentence")

    @pydantic.model_validator(mode="after")
    def _confirmed_names_a_model(self) -> Decision:
        if self.decision == "confirmed" and not self.model:
            raise ValueError("'confirmed' needs the model's slug")
        return self


class Registered(Strict):
    """One line of params/models.csv: a slug and the Epoch group it was given to, once and for all (I6)."""

    slug: str = Field(description="lower-case letters, digits, '.' and '-'", max_length=100)
    name: str = Field(min_length=1, description="the group's name when the slug was given")
    first_seen: datetime.date = Field(description="ISO day of the snapshot that first named it")

    @pydantic.field_validator("slug")
    @classmethod
    def _slug(cls, value: str) -> str:
        if not re.fullmatch(SLUG, value):
            raise ValueError("is no slug")
        return value


Registry = tuple[Registered, ...]
DECISION_COLUMNS = tuple(Decision.model_fields)


def _written(value: object) -> object:
    """A cell of outside text as it was given to `text_cell`; blanks around a name mean nothing."""
    return cell_text(value).strip() if isinstance(value, str) else value


class _DecisionLine(Decision):
    _read = pydantic.field_validator("name", "who", "why", mode="before")(_written)


class _RegisteredLine(Registered):
    _read = pydantic.field_validator("name", mode="before")(_written)


def load_names(root: Path) -> Names:
    """The shipped word lists."""
    return load_yaml(root / "params" / "names.yml", Names)


def load_decisions(root: Path) -> tuple[Decision, ...]:
    """What persons decided, in file order; none yet is an empty file with headers."""
    path = root / "params" / "decisions.csv"
    return parse_decisions(read_text(path), path.name)


def check_decisions(decisions: Iterable[Decision], sources: Sequence[str]) -> None:
    """Every decision is about a source of params/sources.yml; a slip there would silently decide nothing."""
    for number, decision in enumerate(decisions, start=1):
        if decision.source not in sources:
            raise ParameterError("a decision about a source that is none", file="decisions.csv", row=number, column="source", value=decision.source,
                                 remedy=nearest(decision.source, list(sources)))


def parse_decisions(text: str, name: str) -> tuple[Decision, ...]:
    """The same from the file's text."""
    return tuple(Decision(**line.model_dump()) for line in parse_csv(text, name, _DecisionLine))


def decision_cells(decision: Decision) -> dict[str, str]:
    """One line of the file, by column: text that a spreadsheet would run or that cannot be seen is a JSON string."""
    return {**{column: text_cell(str(getattr(decision, column))) for column in DECISION_COLUMNS}, "when": decision.when.isoformat()}


def load_registry(root: Path) -> Registry:
    """The slug registry: params/models.csv, and what live updates added; a slug or a name that stands twice is refused (I6)."""
    shipped = shipped_registry(root)
    known = {row.name for row in shipped}
    added = _lines(live_registry(root)) if live_registry(root).is_file() else ()
    rows = (*shipped, *(row for row in added if row.name not in known))  # a group that ships meanwhile keeps one slug
    for column in ("slug", "name"):
        seen: dict[str, int] = {}
        for number, row in enumerate(rows, start=1):
            value = getattr(row, column)
            if value in seen:
                raise ParameterError(f"stands in row {seen[value]} already", file="models.csv", row=number,
                                     column=column, value=value, remedy="slugs and names are unique (I6): remove one")
            seen[value] = number
    return rows


def shipped_registry(root: Path) -> Registry:
    """params/models.csv alone."""
    return _lines(root / "params" / "models.csv")


def _lines(path: Path) -> Registry:
    return tuple(Registered(**line.model_dump()) for line in load_csv(path, _RegisteredLine))


def live_registry(root: Path) -> Path:
    """Where a live update writes the slugs it gives to new groups."""
    return root / "data" / "live" / "models.csv"


def registry_bytes(registry: Iterable[Registered]) -> bytes:
    """params/models.csv, sorted by slug: same registry, same bytes."""
    return csv_bytes(("slug", "name", "first_seen"),
                     ([row.slug, text_cell(row.name), row.first_seen.isoformat()] for row in sorted(registry, key=lambda r: r.slug)))
