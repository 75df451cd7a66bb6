"""Generated pages: one module per kind, each a function from the site and a language to its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from siiq_core.publish.pages import benchmark, model
from siiq_core.publish.site import Generated, Site

GENERATORS: tuple[Callable[[Site, str], Iterable[Generated]], ...] = (model.pages, benchmark.pages)


def generated(site: Site, lang: str) -> dict[str, Generated]:
    """All generated pages in one language, by name."""
    return {page.name: page for make in GENERATORS for page in make(site, lang)}
