"""percentile.json as its page shows it: configurations, dimensions and boards in the words and numbers of one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from siiq_core.publish import format
from siiq_core.publish.site import Site
from siiq_core.publish.tables import model_link, num

Row = Mapping[str, Any]


class View:
    """What every part of the page asks for."""

    def __init__(self, site: Site, lang: str) -> None:
        self.site, self.lang, self.data = site, lang, site.percentile
        self._linked = {m["slug"] for m in site.index["models"]}

    def say(self, key: str, **values: str) -> str:
        """A text of the page, as HTML."""
        return self.site.words(f"percentile.{key}", self.lang, **values)

    def some(self, key: str, n: int, **values: str) -> str:
        """`key`_one or `key`_many, with the number."""
        return self.say(f"{key}_one" if n == 1 else f"{key}_many", n=self.whole(n), **values)

    def whole(self, value: int) -> str:
        """A count."""
        return format.whole(value, self.lang)

    def place(self, value: float | None) -> str:
        """A percentile, or a score made of some; a dash where there is none."""
        return "–" if value is None else format.number(value, 1, self.lang)

    def day(self, iso: str | None) -> str:
        """An ISO day; a dash where there is none."""
        return format.day(iso, self.lang)

    def dimension(self, name: str) -> str:
        """A dimension's name."""
        return self.say(f"dimension.{name}")

    def model(self, c: Row) -> str:
        """The model, as a link where it has a page."""
        return model_link({"slug": c["model"], "name": c["name"]}) if c["model"] in self._linked else format.text(c["name"])

    def identity(self, c: Row) -> str:
        """The configuration's id, as it stands in the file (M10)."""
        return f"<code>{format.plain(c['id'])}</code>"

    def cell(self, d: Row) -> str:
        """A dimension of a configuration: percentile, then confidence, families, coverage, newest evidence."""
        if d["score"] is None:
            return num("–")
        parts = (self.say(f"confidence.{d['confidence']}"), self.some("families", d["families"]), format.percent(d["coverage"], self.lang), self.day(d["newest"]))
        below = " ".join(f'<span class="whole">{part}{" ·" if part != parts[-1] else ""}</span>' for part in parts)  # lines break between them only
        return num(f'{self.place(d["score"])}<span class="below">{below}</span>', d["score"])

    @property
    def scored(self) -> list[Row]:
        """Configurations with a score, the best first."""
        return sorted((c for c in self.data["configurations"] if c["score"] is not None), key=lambda c: (-c["score"], c["id"]))

    @property
    def lines(self) -> list[Row]:
        """One line a model (M10): those with a score first, then by coverage."""
        return sorted((c for c in self.data["configurations"] if c["main"]), key=lambda c: (c["score"] is None, -(c["score"] or 0), -len(c["counted"]), -c["coverage"], c["id"]))
