"""value.json as the page shows it: variants, answers and amounts in the words and numbers of one language."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import model_link

NAMES = ("cheap", "everyday", "best")  # by price (R5)
Variant = Mapping[str, Any]


class View:
    """What every part of the page asks for."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.value
        self.variants: Mapping[str, Variant] = {v["id"]: v for v in self.data["variants"]}
        self._linked = {m["slug"] for m in site.index["models"]}

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"value.{key}", self.lang, **values)

    def some(self, key: str, n: int, **values: str) -> str:
        """`key`_one or `key`_many, with the number."""
        return self.say(f"{key}_one" if n == 1 else f"{key}_many", n=self.whole(n), **values)

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def points(self, value: float) -> str:
        """Quality points."""
        return format.number(value, 1, self.lang)

    def interval(self, v: Variant) -> str:
        """The 90 % interval; a dash where there is none."""
        return "–" if v["low"] is None else format.span(self.points(v["low"]), self.points(v["high"]))

    def amount(self, value: float) -> str:
        """US dollars with three significant digits, without the unit."""
        return format.number(value, max(0, 2 - math.floor(math.log10(value))), self.lang)

    def dollars(self, value: float) -> str:
        """The same with the unit."""
        return self.say("dollars", n=self.amount(value))

    def times(self, value: float) -> str:
        """A factor."""
        return format.number(value, 1 if value >= 1.95 else 2, self.lang)

    def percent(self, share: float) -> str:
        """A share."""
        return format.percent(share, self.lang)

    def setting(self, setting: str) -> str:
        """An effort: the two words that name none in the reader's language, all others as their developers write them."""
        return self.say(f"setting.{setting}") if setting in ("default", "unknown") else format.text(setting)

    def model(self, v: Variant) -> str:
        """The model, as a link where it has a page."""
        return model_link({"slug": v["model"], "name": v["name"]}) if v["model"] in self._linked else format.text(v["name"])

    def name(self, v: Variant) -> str:
        """Model and effort in a line."""
        return self.say("name", model=format.text(v["name"]), setting=self.setting(v["setting"]))

    def benchmark(self, name: str) -> str:
        """A benchmark's name."""
        return format.text(next(b["name"] for b in self.data["benchmarks"] if b["id"] == name))

    @cached_property
    def competing(self) -> list[Variant]:
        """Those that may answer, the best first."""
        return sorted((v for v in self.variants.values() if v["cannot_answer"] is None), key=lambda v: (-v["quality"], v["cost"], v["id"]))

    @cached_property
    def waiting(self) -> list[Variant]:
        """Those that are scored and cannot answer, the best first."""
        return sorted((v for v in self.variants.values() if v["cannot_answer"] is not None), key=lambda v: (-v["quality"], v["id"]))

    @cached_property
    def frontier(self) -> list[Variant]:
        """By cost; twins by id."""
        return sorted((v for v in self.variants.values() if v["frontier"]), key=lambda v: (v["cost"], v["quality"], v["id"]))

    def answers(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Name and answer, by price."""
        return [(name, self.data["answers"][name]) for name in NAMES]

    def step(self, v: Variant, way: int) -> Variant | None:
        """The next different point of the frontier: the dearer (way 1) or the cheaper one (way -1)."""
        own = [w for w in self.frontier if (w["cost"] - v["cost"]) * way > 0]
        return min(own, key=lambda w: (abs(w["cost"] - v["cost"]), w["id"]), default=None)

    def ties(self, v: Variant) -> list[Variant]:
        """Others that may answer and whose interval overlaps with its own, the nearest in quality first."""
        if v["low"] is None:
            return []
        own = [w for w in self.competing if w["id"] != v["id"] and w["low"] is not None and w["low"] <= v["high"] and w["high"] >= v["low"]]
        return sorted(own, key=lambda w: (abs(w["quality"] - v["quality"]), w["id"]))

    @property
    def in_use(self) -> Sequence[Mapping[str, Any]]:
        """The benchmarks that are switched on."""
        return [b for b in self.data["benchmarks"] if b["in_use"]]
