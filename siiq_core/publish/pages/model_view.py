"""What every part of a model's page is made from: the model, its worked score, and the words of one language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from siiq_core.publish import figures, format
from siiq_core.publish.holding import Support, supports
from siiq_core.publish.site import Site
from siiq_core.publish.tables import AREAS, model_link
from siiq_core.publish.worked import Worked, work

Result = Mapping[str, Any]
Bench = Mapping[str, Any]


@dataclass(frozen=True)
class View:
    """A model in one language; links are relative to the folder of models' pages."""

    site: Site
    lang: str
    model: Mapping[str, Any]

    def say(self, key: str, **values: str) -> str:
        """A text of model.yml, as HTML."""
        return self.site.words(f"model.{key}", self.lang, **values)

    def linked(self, key: str, href: str) -> str:
        """A text in which what stands in [[…]] is a link."""
        return re.sub(r"\[\[(.+?)\]\]", rf'<a href="{href}">\1</a>', self.say(key))

    def count(self, key: str, n: int, **values: str) -> str:
        """A text that differs for one and for many."""
        return self.say(f'{key}_{"one" if n == 1 else "many"}', n=format.whole(n, self.lang), **values)

    @cached_property
    def found(self) -> Worked:
        """The score row by row."""
        return work(self.site.index, self.model)

    @cached_property
    def supports(self) -> tuple[Support, ...]:
        """What holds the score up."""
        return supports(self.site.index, self.found)

    @cached_property
    def benches(self) -> Mapping[str, Bench]:
        """All benchmarks of the index file by id, those outside the index set too."""
        return {b["id"]: b for b in self.site.index["benchmarks"]}

    @cached_property
    def scale(self) -> figures.Scale:
        """The axis of all pages, made longer where this model lies off it."""
        common = figures.scale_of(self.site.index)
        ends = [x[end] for x in (self.model, *self.model["areas"].values()) for end in ("low", "high")]
        return replace(common, low=min(common.low, 10 * (min(ends) // 10)), high=max(common.high, -10 * (-max(ends) // 10)))

    def by_area(self) -> Sequence[tuple[str, list[Result]]]:
        """Results by area in the order of all pages, the heaviest first; those outside the index set last, as area ""."""
        shares = {x.line.bench["id"]: x.share for x in self.supports if x.line}
        order = sorted(self.model["results"], key=lambda r: (-shares.get(r["benchmark"], 0), self.benches[r["benchmark"]]["name"].casefold(), r["benchmark"]))
        inside = [r for r in order if r["benchmark"] in shares]
        groups = [(area, [r for r in inside if self.benches[r["benchmark"]]["area"] == area]) for area in AREAS]
        return [(area, own) for area, own in (*groups, ("", [r for r in order if r["benchmark"] not in shares])) if own]

    def day(self, iso: str | None) -> str:
        """A day, marked as one."""
        return f'<time datetime="{format.plain(iso)}">{format.day(iso, self.lang)}</time>' if iso else format.day(iso, self.lang)

    def interval(self, shown: Mapping[str, str]) -> str:
        """An interval as it was published."""
        return format.span(format.plain(shown["low"]), format.plain(shown["high"]))

    def benchmark(self, bench: Bench) -> str:
        """A benchmark's name, linked to its page."""
        return f'<a href="../benchmarks/{format.plain(bench["id"])}.html">{format.text(bench["name"])}</a>'

    def to_model(self, other: Mapping[str, Any]) -> str:
        """Another model's name, linked to its page."""
        return model_link(other, "")

    def heading(self, part: str) -> str:
        """The heading of a part, with an address of its own."""
        title = format.plain(self.site.words.raw("ui.heading", self.lang))
        return f'<h2 id="{part}">{self.say(f"part.{part}")}<a class="headerlink" href="#{part}" title="{title}">#</a></h2>'


def percentage(score: float, lang: str) -> str:
    """A benchmark's score, which is a fraction, in per cent: 60.9%."""
    return format.percent(score, lang, 1)
