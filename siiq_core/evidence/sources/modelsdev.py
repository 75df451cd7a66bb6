"""models.dev: list prices in US dollars per million tokens, context length and open weights, by provider and model.

    TOML      providers/<provider>/models/<model>.toml of its repository, at a commit
    api.json  the same for all providers at once: {provider: {"models": {model: {…}}}}
    history   model_prices_snapshot.json: every price its repository had, with the day each began and where it stands
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from siiq_core.errors import SourceError
from siiq_core.evidence.sources.base import NoScores
from siiq_core.evidence.sources.jsonfile import a_list, an_object, cell, cells, read_json
from siiq_core.evidence.sources.table import Table, checked, decode

HISTORY = "model_prices_snapshot.json"
HISTORY_SCHEMA = "1"
TOML_BYTES = 10_000  # of one model's file at the most (the largest had 1,334 in 2026): the reader's time grows with the square of a dotted key
NESTED = ("cost", "limit")  # objects whose values are cells of their own, "cost.input"


@dataclass(frozen=True, slots=True)
class ModelsDev(NoScores):
    """Which providers are kept stands in params/sources.yml."""

    def parse(self, name: str, content: bytes) -> Table:
        """One row a model; of the history, one row a price of a model and tier."""
        if name.endswith(".toml"):
            rows = [self._toml(name, content)]
        else:
            found = an_object(read_json(name, content, self.spec), name, "the file")
            rows = list(_history(found, name) if name == HISTORY else _api(found, name))
        headers = tuple(dict.fromkeys(column for row in rows for column in row))
        return checked(name, headers, rows, self.spec)

    def _toml(self, name: str, content: bytes) -> dict[str, str]:
        if len(content) > TOML_BYTES:
            raise SourceError(f"larger than the {TOML_BYTES} bytes that one model's file may have", file=name, value=len(content), remedy="get the file again, or mend its reader")
        text = decode(name, content, self.spec)
        _, provider, _, model = name.split("/")
        try:
            return _row(provider, model.removesuffix(".toml"), tomllib.loads(text, parse_float=str), name)
        except ValueError as error:  # no TOML, or a whole number of thousands of digits
            raise SourceError(f"is no valid TOML ({error})", file=name, remedy="get the file again") from error


def _api(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    for provider, entry in found.items():
        models = an_object(an_object(entry, name, f"provider {provider!r}").get("models"), name, f"models of {provider!r}")
        for model, facts in models.items():
            yield _row(provider, model, an_object(facts, name, f"model {model!r}"), name)


def _row(provider: str, model: str, facts: Mapping[str, Any], name: str) -> dict[str, str]:
    row = {"provider": provider, "model": model}
    for key, value in facts.items():
        if key in NESTED:
            row |= {f"{key}.{inner}": _plain(x) for inner, x in an_object(value, name, key).items()}
        else:
            row[key] = _plain(value)
    return row


def _plain(value: Any) -> str:
    """TOML has whole numbers and dates of its own, JSON arrives as text."""
    return str(value) if not isinstance(value, (str, bool, list, dict, type(None))) else cell(_texts(value))


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _texts(x) for key, x in value.items()}
    if isinstance(value, list):
        return [_texts(x) for x in value]
    return value if isinstance(value, (str, bool, type(None))) else str(value)


def _history(found: Mapping[str, Any], name: str) -> Iterator[dict[str, str]]:
    if found.get("schema") != HISTORY_SCHEMA:
        raise SourceError(f"its schema is not {HISTORY_SCHEMA} (U6a)", file=name, column="schema", value=found.get("schema"),
                          remedy="mend siiq_core/evidence/sources/modelsdev.py for the new schema")
    states = an_object(found.get("status"), name, "status")
    for provider, models in an_object(found.get("prices"), name, "prices").items():
        for model, tiers in an_object(models, name, f"models of {provider!r}").items():
            status = an_object(states.get(provider, {}), name, f"status of {provider!r}").get(model)
            for tier, periods in an_object(tiers, name, f"tiers of {model!r}").items():
                for period in a_list(periods, name, f"prices of {model!r}"):
                    period = an_object(period, name, f"a price of {model!r}")
                    rates = an_object({} if period.get("rates") is None else period["rates"], name, f"rates of {model!r}")
                    # the rates may name the dated model they were recorded for; the row is that of the model sold
                    yield cells({**rates, "provider": provider, "model": model, "tier": tier, "start": period.get("start"), "status": status})
